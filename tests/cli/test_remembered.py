"""What was generated is taken again while all that it is made from is the same, and no longer."""

from __future__ import annotations

import io
import os
import zipfile
from pathlib import Path

import pytest

import layoutgen
from layoutgen.cli import remembered

FILES = {"pages/b.rst": "ü\n".encode(), "a.svg": b"<svg/>", "empty": b""}


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "layoutgen"


def once() -> dict[str, bytes]:
    return FILES


def never() -> dict[str, bytes]:
    raise AssertionError("it is made again")


def test_the_same_files_in_the_same_order_without_making_them(cache: Path) -> None:
    assert remembered.files("1", once) == FILES
    again = remembered.files("1", never)
    assert again == FILES
    assert list(again) == list(FILES)
    with pytest.raises(AssertionError, match="made again"):
        remembered.files("2", never)


@pytest.mark.parametrize("damage", [lambda b: b"", lambda b: b[:-9], lambda b: b[:40] + b[41:]])
def test_a_damaged_cache_is_made_anew(cache: Path, damage) -> None:
    remembered.files("1", once)
    (path,) = cache.glob("*.zip")
    path.write_bytes(damage(path.read_bytes()))
    assert remembered.files("1", once) == FILES
    assert remembered.files("1", never) == FILES


def test_a_pipe_in_the_cache_is_not_waited_for(cache: Path) -> None:
    remembered.files("1", once)
    (path,) = cache.glob("*.zip")
    path.unlink()
    os.mkfifo(path)
    assert remembered.files("1", once) == FILES
    assert remembered.files("1", never) == FILES


def archive_of(files: dict[str, bytes]) -> bytes:
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as file:
        for name, content in files.items():
            file.writestr(name, content)
    return archive.getvalue()


@pytest.mark.parametrize("other", [{}, {"a.svg": b"<svg/>"}, {**FILES, "more": b"x"}])
def test_a_valid_archive_that_holds_something_else_is_made_anew(cache: Path, other) -> None:
    remembered.files("1", once)
    (path,) = cache.glob("*.zip")
    path.write_bytes(archive_of(other))
    assert remembered.files("1", once) == FILES
    assert remembered.files("1", never) == FILES


def test_an_archive_under_the_name_of_another_is_made_anew(cache: Path) -> None:
    remembered.files("1", lambda: {"other": b"x"})
    (path,) = cache.glob("*.zip")
    path.rename(path.with_name("docs-2.zip"))
    assert remembered.files("2", once) == FILES


def test_a_cache_that_cannot_be_written_is_no_error(cache: Path) -> None:
    cache.parent.mkdir()
    cache.write_text("in the way")
    assert remembered.files("1", once) == FILES


def test_the_oldest_go(cache: Path) -> None:
    for n in range(remembered.KEEP + 2):
        remembered.files(str(n), once)
    assert len(list(cache.iterdir())) == remembered.KEEP
    remembered.files(str(remembered.KEEP + 1), never)


def test_everything_that_files_are_made_from_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    arch, other = layoutgen.arch("gfx908"), layoutgen.arch("gfx90a")
    templates = tmp_path / "templates"
    templates.mkdir()

    def now(archs=(arch,), tree="site", own: Path | None = templates) -> str:
        return remembered.digest(archs, tree, own)

    seen = [now(), now(own=None), now(tree="amd"), now(archs=(arch, other))]
    assert seen[0] == seen[1], "an empty folder of templates changes nothing"
    (templates / "macros.rst.j2").write_text("one")
    seen.append(now())
    (templates / "macros.rst.j2").write_text("two")
    seen.append(now())
    package = tmp_path / "package"
    package.mkdir()
    monkeypatch.setattr(remembered, "PACKAGE", package)
    seen.append(now())
    (package / "code.py").write_text("changed")
    seen.append(now())
    monkeypatch.setattr(remembered, "MADE_WITH", ("pytest",))
    seen.append(now())
    assert len(set(seen)) == len(seen) - 1
    assert now() == now()


def test_a_changed_specification_counts(layoutgen, tmp_path: Path) -> None:
    arguments = f"docs --tree data -o {tmp_path / 'out'}"
    first = layoutgen(arguments)
    assert " 0 unchanged" in first.err
    assert " 0 written" in layoutgen(arguments).err
    specs = tmp_path / "specs"
    specs.mkdir()
    (specs / "tile-4x4.yaml").write_text(
        (Path(__file__).parents[2] / "specs" / "tile-4x4.yaml")
        .read_text()
        .replace("lane: [col, block] #", "lane: [block, col] #")
    )
    assert " 0 written" not in layoutgen(f"{arguments} --spec-dir {specs}").err
