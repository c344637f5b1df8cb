"""``layoutgen docs``: writing, writing again, and checking."""

from __future__ import annotations

from pathlib import Path

import pytest

pytestmark = pytest.mark.xdist_group("docs")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The whole reference, written once."""
    from layoutgen.cli import main

    root = tmp_path_factory.mktemp("site")
    assert main(["docs", "-q", "-o", str(root)]) == 0
    return root


def snapshot(root: Path) -> dict[Path, tuple[int, int]]:
    return {p: (p.stat().st_mtime_ns, p.stat().st_ino) for p in root.rglob("*") if p.is_file()}


def test_it_writes_pages_and_figures(site: Path) -> None:
    assert len(list(site.glob("docs/reference/**/*.rst"))) > 20
    assert (site / "figures" / "mfma-layout-32x32.svg").is_file()


def test_a_second_run_writes_nothing(layoutgen, site: Path) -> None:
    before = snapshot(site)
    answer = layoutgen("docs -j 1 -o", site)
    assert (answer.code, answer.out) == (0, "")
    assert "note: 0 written, " in answer.err
    assert snapshot(site) == before


def test_a_check_that_finds_nothing(layoutgen, site: Path) -> None:
    before = snapshot(site)
    answer = layoutgen("docs --check -j 1 -o", site)
    assert (answer.code, answer.out) == (0, "")
    assert "files are current" in answer.err
    assert snapshot(site) == before


def test_a_check_names_what_differs_and_writes_nothing(layoutgen, tmp_path: Path) -> None:
    layoutgen("docs -j 1 -o", tmp_path)
    changed = tmp_path / "figures" / "mfma-layout-4x4.svg"
    changed.write_text("mine", encoding="utf-8")
    gone = tmp_path / "figures" / "mfma-layout-16x16.svg"
    gone.unlink()
    answer = layoutgen("docs --check -j 1 -o", tmp_path)
    assert answer.code == 1
    assert "figures/mfma-layout-4x4.svg: differs" in answer.out
    assert "figures/mfma-layout-16x16.svg: missing" in answer.out
    assert "run 'layoutgen docs'" in answer.err
    assert changed.read_text(encoding="utf-8") == "mine"
    assert not gone.exists()


def test_the_tree_of_amds_page_has_its_own_paths(layoutgen, tmp_path: Path) -> None:
    assert layoutgen("docs --tree amd -j 1 -o", tmp_path).code == 0
    base = tmp_path / "compiler-builtins" / "cdna"
    assert (base / "mfma-ref" / "f32-32x32x1f32.rst").is_file()
    assert (base / "mfma-common-parameters.rst").is_file()


def test_a_foreign_file_is_not_overwritten(layoutgen, tmp_path: Path) -> None:
    mine = tmp_path / "figures" / "mfma-layout-4x4.svg"
    mine.parent.mkdir()
    mine.write_text("mine", encoding="utf-8")
    answer = layoutgen("docs -j 1 -o", tmp_path)
    assert answer.code == 2
    assert "layoutgen did not write it" in answer.err
    assert mine.read_text(encoding="utf-8") == "mine"
    assert layoutgen("docs -j 1 --force -o", tmp_path).code == 0
    assert mine.read_text(encoding="utf-8") != "mine"
