"""The cache of checked specifications: used while nothing changed, and never in the way."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from layoutgen.spec import Catalogue, SpecError, shelf
from layoutgen.spec.load import load


@pytest.fixture
def cache_dir(tmp_path: Path) -> Path:
    return tmp_path / "cache" / "layoutgen"


def files(folder: Path) -> list[Path]:
    return sorted(folder.glob("*")) if folder.is_dir() else []


def imported(specs: Path, *modules: str) -> set[str]:
    """Return which of `modules` a fresh process has imported after it built an architecture."""
    code = (
        "import sys; from layoutgen.spec import Catalogue;"
        f"Catalogue(builtin={str(specs)!r}).arch('toy')['v_mfma_f32_32x32x1f32'];"
        f"print(*(m for m in {modules!r} if m in sys.modules))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(run.stdout.split())


def test_a_second_start_needs_neither_yaml_nor_pydantic_nor_numpy(specs):
    heavy = ("yaml", "pydantic", "pydantic_core", "numpy", "jinja2", "matplotlib", "tempfile")
    assert imported(specs, *heavy) >= {"yaml", "pydantic"}
    assert imported(specs, *heavy) == set()


def test_what_is_read_back_is_what_was_checked(specs, cache_dir):
    first = load([specs])
    assert len(files(cache_dir)) == 1
    again = load([specs])
    assert again == first
    for kind in (
        "tiles",
        "families",
        "architectures",
        "formats",
        "sources",
        "disagreements",
        "paths",
    ):
        assert list(getattr(again, kind)) == list(getattr(first, kind))


def test_a_changed_file_is_checked_anew(specs):
    load([specs])
    path = specs / "toy.yaml"
    path.write_text(path.read_text().replace("series: Toy 100", "series: Toy 200"))
    assert Catalogue(builtin=specs).arch("toy").series == "Toy 200"
    path.write_text(path.read_text().replace("wave: 64", "wave: 65"))
    with pytest.raises(SpecError):
        load([specs])


def test_a_file_that_comes_or_goes_is_noticed(specs):
    load([specs])
    (specs / "more.yaml").write_text("sources: {more: {title: More}}\n")
    assert "more" in load([specs]).sources
    (specs / "more.yaml").unlink()
    assert "more" not in load([specs]).sources


@pytest.mark.parametrize("other", [os.mkfifo, Path.mkdir], ids=["pipe", "folder"])
def test_what_is_no_file_in_the_cache_counts_as_absent(specs, cache_dir, other):
    """Nobody writes to the pipe: reading it would never end."""
    first = load([specs])
    (file,) = files(cache_dir)
    file.unlink()
    other(file)
    assert load([specs]) == first


def test_refused_specifications_leave_nothing_in_the_cache(specs, cache_dir):
    (specs / "toy.yaml").write_text("[")
    with pytest.raises(SpecError):
        load([specs])
    assert files(cache_dir) == []


@pytest.mark.parametrize(
    "damage",
    [
        lambda content: b"",
        lambda content: content[: len(content) // 2],
        lambda content: content.replace(b"64", b"32", 1),
        lambda content: content.replace(b"Toy 100", b"Toy 900"),
        lambda content: b"\xff\xfe" + content,
        lambda content: b"[" * 100_000,
        lambda content: b"null\n" * 3,
    ],
)
def test_a_damaged_cache_is_ignored_and_replaced(specs, cache_dir, damage):
    good = load([specs])
    (path,) = files(cache_dir)
    content = path.read_bytes()
    path.write_bytes(damage(content))
    assert load([specs]) == good
    assert path.read_bytes() == content


def test_data_of_another_shape_is_ignored(specs, cache_dir):
    good = load([specs])
    (path,) = files(cache_dir)
    key = path.stem.removeprefix("specs-")
    for text in ("[]x", "[[1, 2]]", '[["a", {"": "Nothing"}]]', '[["a", {"": "GpuSpec"}]]', "5"):
        path.write_text(f"{shelf._seal(key, text)}\n{text}", encoding="utf-8")
        assert load([specs]) == good


@pytest.mark.parametrize("where", ["/proc/nowhere", "/dev/null", "/dev/null/x"])
def test_a_cache_that_cannot_be_written_is_ignored(specs, monkeypatch, where):
    monkeypatch.setenv("XDG_CACHE_HOME", where)
    assert load([specs]).architectures


def test_a_file_in_the_way_of_the_cache_is_ignored(specs, tmp_path):
    (tmp_path / "cache").write_text("mine")
    assert load([specs]).architectures
    assert (tmp_path / "cache").read_text() == "mine"


def test_without_a_home_there_is_no_cache(specs, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", "")
    monkeypatch.setattr(Path, "home", _no_home)
    assert shelf.folder() is None
    assert load([specs]).architectures


def _no_home() -> Path:
    raise RuntimeError("no home")


def test_the_folder_follows_the_xdg_convention(monkeypatch, tmp_path):
    assert shelf.folder() == tmp_path / "cache" / "layoutgen"
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    for unset in ("", "relative/is/not/allowed"):
        monkeypatch.setenv("XDG_CACHE_HOME", unset)
        assert shelf.folder() == tmp_path / ".cache" / "layoutgen"


def test_the_key_depends_on_contents_paths_code_and_version(monkeypatch, tmp_path):
    a = [(Path("a.yaml"), b"x")]
    keys = {shelf.key(a), shelf.key([(Path("b.yaml"), b"x")]), shelf.key([(Path("a.yaml"), b"y")])}
    monkeypatch.setattr(shelf, "__version__", "99")
    keys.add(shelf.key(a))
    (tmp_path / "spec").mkdir()
    (tmp_path / "spec" / "code.py").write_text("other code")
    monkeypatch.setattr(shelf, "__file__", str(tmp_path / "spec" / "shelf.py"))
    keys.add(shelf.key(a))
    (tmp_path / "model.py").write_text("other code of the model")
    keys.add(shelf.key(a))
    assert len(keys) == 6


def test_only_the_newest_files_are_kept_and_no_temporary_one(specs, cache_dir):
    for n in range(shelf.KEEP + 3):
        (specs / "more.yaml").write_text(f"sources: {{more: {{title: More {n}}}}}\n")
        load([specs])
    assert len(files(cache_dir)) == shelf.KEEP
    assert all(path.name.startswith("specs-") for path in files(cache_dir))
    assert "More" in load([specs]).sources["more"].title


def test_two_processes_may_write_at_once(specs, cache_dir):
    code = (
        "from pathlib import Path; from layoutgen.spec.load import load;"
        f"print(len(load([Path({str(specs)!r})]).architectures))"
    )
    runs = [
        subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
        for _ in range(4)
    ]
    assert [run.communicate()[0].strip() for run in runs] == ["1"] * 4
    assert len(files(cache_dir)) == 1
