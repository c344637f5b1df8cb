"""Building again: nothing without a reason, everything that is stale, and always the same bytes."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from extension_projects import DOCS

import layoutgen.sphinx
from layoutgen.spec.catalogue import builtin_dir

LARGE = ".. layout-figure:: gfx908.v_mfma_f32_32x32x1f32\n   :block: 0\n"
SMALL = ".. layout-rows:: gfx908.v_mfma_f32_4x4x1f32\n"
RATES = ".. layout-throughput:: gfx942\n"


def page(title: str, text: str) -> str:
    return f"{title}\n{'=' * len(title)}\n\n{text}"


@pytest.fixture
def own(project):
    """A project over a copy of all specifications."""
    specs = project.source / "specs"
    shutil.copytree(builtin_dir(), specs, ignore=shutil.ignore_patterns("schema"))
    pages = {"large": LARGE, "small": SMALL, "rates": RATES, "plain": "Text.\n"}
    toctree = "".join(f"   {name}\n" for name in pages)
    project.write(
        {
            "index.rst": page("Index", f".. toctree::\n\n{toctree}"),
            **{f"{name}.rst": page(name, text) for name, text in pages.items()},
        }
    )
    return project


def read_again(project, monkeypatch: pytest.MonkeyPatch, builder: str = "html") -> set[str]:
    """Build, with the copied files in the place of the built-in ones; return what was read."""
    import layoutgen.spec.catalogue as catalogue

    monkeypatch.setattr(catalogue, "builtin_dir", lambda: project.source / "specs")
    found: set[str] = set()
    from sphinx.environment import BuildEnvironment

    prepare = BuildEnvironment.prepare_settings

    def noted(env: BuildEnvironment, docname: str) -> None:
        found.add(docname)
        prepare(env, docname)

    monkeypatch.setattr(BuildEnvironment, "prepare_settings", noted)
    project.build(builder)
    monkeypatch.undo()
    assert project.warnings == ""
    return found


def change(project, name: str, old: str, new: str) -> None:
    """Change a specification."""
    path = project.source / "specs" / f"{name}.yaml"
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf-8")


def test_a_change_of_a_specification_reads_only_the_pages_that_use_it(own, monkeypatch) -> None:
    every = {"index", "large", "small", "rates", "plain"}
    assert read_again(own, monkeypatch) == every
    assert read_again(own, monkeypatch) == set()
    # Both instructions are in the same files; each page has one of them.
    cycles = "mfma_f32_4x4x1f32: {cycles: 8"
    change(own, "gfx908", cycles, cycles.replace("8", "12"))
    assert read_again(own, monkeypatch) == {"small"}
    change(own, "gfx942", "mfma_f32_32x32x1f32: {cycles: 64", "mfma_f32_32x32x1f32: {cycles: 60")
    assert read_again(own, monkeypatch) == {"rates"}
    change(own, "tile-32x32", "digits: {sub: 4,", "digits: {sub: 4, ")
    assert read_again(own, monkeypatch) == set(), "what it says is the same"
    change(own, "gfx90a", "title: CDNA2", "title: CDNA 2")
    assert read_again(own, monkeypatch) == set(), "no page shows this architecture"


def test_a_specification_that_does_not_hold_is_told_and_mended(own, monkeypatch) -> None:
    read_again(own, monkeypatch)
    change(own, "gfx90a", "wave: 64", "wave: many")
    with pytest.raises(AssertionError, match=r"layoutgen\.spec"):
        read_again(own, monkeypatch)
    change(own, "gfx90a", "wave: many", "wave: 64")
    assert read_again(own, monkeypatch) == {"large", "small", "rates"}


def test_nothing_is_written_without_a_change(own, monkeypatch) -> None:
    read_again(own, monkeypatch)
    pages = [own.root / f"html/{name}.html" for name in ("index", "large", "small", "plain")]
    files = {p: p.stat().st_mtime_ns for p in pages}
    assets = {p: p.stat().st_mtime_ns for p in (own.root / "html/_static").glob("layoutgen-*")}
    read_again(own, monkeypatch)
    assert {p: p.stat().st_mtime_ns for p in files} == files
    assert {p: p.stat().st_mtime_ns for p in assets} == assets


def test_images_that_no_page_shows_are_removed(project) -> None:
    settings = {"layoutgen_html_figures": "image"}
    images = project.root / "html/_images"

    def shown(*texts: str) -> set[str]:
        index = page("Index", ".. toctree::\n   :glob:\n\n   p*\n")
        for old in project.source.glob("p*.rst"):
            old.unlink()
        pages = {f"p{n}.rst": page("Page", text) for n, text in enumerate(texts)}
        project.write({"index.rst": index, **pages})
        project.build(**settings)
        return {p.name for p in images.glob("*")}

    small = ".. layout-figure:: gfx908.4x4\n"
    both = shown(LARGE, small)
    assert len(both) == 2
    assert shown(LARGE, small) == both
    (images / "mine.svg").write_text("kept", "utf-8")
    only = shown(LARGE)
    assert "mine.svg" in only
    assert len(only) == 2
    assert shown("Text.\n") == {"mine.svg"}
    assert not list(project.root.rglob(".*.tmp"))


def test_a_figure_is_drawn_once_for_all_builds(project, monkeypatch) -> None:
    from layoutgen.figures import pdf

    drawn = []
    render = pdf.render
    monkeypatch.setattr(pdf, "render", lambda *a: drawn.append(a) or render(*a))
    small = ".. layout-figure:: gfx908.4x4\n"

    def files(text: str) -> list[str]:
        project.write({"index.rst": page("Index", text)})
        out = project.build("latex")
        return sorted(p.name for p in out.glob("layoutgen-*.pdf"))

    one = files(small)
    assert (len(drawn), len(one)) == (1, 1)
    assert files(small) == one
    assert len(drawn) == 1, "nothing has changed"
    (both,) = {len(files(f"{small}\n{LARGE}"))}
    assert (len(drawn), both) == (2, 2)
    assert files(small) == one
    kept = (project.root / "doctrees-latex").rglob("layoutgen-*.pdf")
    assert [p.name for p in kept] == one


BUILD = "import sys; from sphinx.cmd.build import main; sys.exit(main(sys.argv[1:]))"


@pytest.mark.parametrize("builder", ["html", "latex", "epub"])
def test_two_builds_are_byte_identical(tmp_path: Path, builder: str) -> None:
    pytest.importorskip("myst_parser")
    pytest.importorskip("furo")
    results = []
    for seed, jobs, name in ((1, 1, "here"), (7, 2, "another folder")):
        root = tmp_path / name
        shutil.copytree(DOCS / "example", root / "source")
        for file in (root / "source").rglob("*"):
            os.utime(file, (seed * 10**8, seed * 10**8))
        subprocess.run(
            [
                *(sys.executable, "-c", BUILD, "-q", "-W", "-j", str(jobs), "-b", builder),
                *("-d", root / "doctrees", root / "source", root / "out"),
            ],
            env={**os.environ, "PYTHONHASHSEED": str(seed), "SOURCE_DATE_EPOCH": "1700000000"},
            check=True,
        )
        files = sorted(p for p in (root / "out").rglob("*.*" if builder != "epub" else "*.epub"))
        files = [p for p in files if p.is_file()]
        results.append({p.relative_to(root / "out"): p.read_bytes() for p in files})
    assert results[0].keys() == results[1].keys()
    assert [str(n) for n in results[0] if results[0][n] != results[1][n]] == []


def test_loading_the_extension_loads_nothing_heavy() -> None:
    program = (
        "import sys, sphinx.application, sphinx.domains.c; before = {*sys.modules};"
        "from sphinx.util.docutils import docutils_namespace;"
        "import layoutgen.sphinx as e, layoutgen.sphinx.directives, layoutgen.sphinx.assets,"
        "layoutgen.sphinx.images, layoutgen.sphinx.reading, layoutgen.sphinx.references;"
        "print({m.partition('.')[0] for m in {*sys.modules} - before})"
    )
    out = subprocess.run(
        [sys.executable, "-c", program], check=True, capture_output=True, text=True
    )
    heavy = {"numpy", "matplotlib", "pydantic", "svgwrite", "yaml", "rich"}
    assert heavy.isdisjoint(eval(out.stdout))


def test_the_extension_says_that_it_may_run_in_parallel(project) -> None:
    project.page("Text.")
    loaded = project.app.extensions["layoutgen.sphinx"]
    assert loaded.parallel_read_safe
    assert loaded.parallel_write_safe
    assert loaded.version == layoutgen.__version__
