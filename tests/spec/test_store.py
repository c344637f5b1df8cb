"""Built architectures in the cache: the same as built anew, and never in the way."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from layoutgen.digits import Layout
from layoutgen.spec import Catalogue, SpecError, shelf, store
from layoutgen.spec.build import build_architecture


@pytest.fixture
def cache_dir(tmp_path: Path) -> Path:
    return tmp_path / "cache" / "layoutgen"


def stored(folder: Path) -> list[Path]:
    return sorted(folder.glob("models-*.json")) if folder.is_dir() else []


def test_what_is_read_back_is_what_was_built(tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    first = Catalogue()
    first.arch("gfx908")
    again = Catalogue()
    assert again._store is not None
    assert again.names == first.names
    for name in first.names:
        built, read = build_architecture(first.files, name), again.arch(name)
        assert read == built
        assert list(read) == list(built)
        for mnemonic, inst in built.items():
            assert read[mnemonic] == inst
            assert repr(read[mnemonic]) == repr(inst)
            assert hash(read[mnemonic].operands["A"].format) == hash(inst.operands["A"].format)
        for alias in read.aliases:
            assert again.arch(alias) is read


def test_operands_that_lie_alike_share_one_layout(tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    Catalogue().arch("gfx908")
    archs = Catalogue().architectures.values()
    every = [o.layout for a in archs for i in a.values() for o in i.operands.values()]
    distinct: list[Layout] = []
    for layout in every:
        if layout not in distinct:
            distinct.append(layout)
    assert len({id(layout) for layout in every}) == len(distinct)


def test_a_second_start_reads_no_specification(specs) -> None:
    code = (
        "import sys; from layoutgen.spec import Catalogue;"
        f"Catalogue(builtin={str(specs)!r}).arch('toy')['v_mfma_f32_32x32x1f32'];"
        "print(*(m for m in sys.modules if m.startswith('layoutgen.spec.')))"
    )
    command = [sys.executable, "-c", code]
    runs = [set(subprocess.check_output(command, text=True).split()) for _ in range(2)]
    builders = {"schema", "load", "build", "instructions", "validate"}
    assert {f"layoutgen.spec.{name}" for name in builders} <= runs[0]
    assert not {f"layoutgen.spec.{name}" for name in builders} & runs[1]


def test_a_changed_file_is_checked_anew(specs) -> None:
    assert Catalogue(builtin=specs).arch("toy").series == "Toy 100"
    path = specs / "toy.yaml"
    path.write_text(path.read_text().replace("series: Toy 100", "series: Toy 200"))
    assert Catalogue(builtin=specs).arch("toy").series == "Toy 200"
    path.write_text(path.read_text().replace("wave: 64", "wave: 65"))
    with pytest.raises(SpecError):
        Catalogue(builtin=specs)


def test_folders_of_the_user_are_not_kept(specs, tmp_path, cache_dir) -> None:
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "more.yaml").write_text("sources: {more: {title: More}}\n")
    Catalogue([mine], builtin=specs).arch("toy")
    assert stored(cache_dir) == []
    Catalogue(builtin=specs).arch("toy")
    assert len(stored(cache_dir)) == 1


@pytest.mark.parametrize(
    "damage",
    [
        lambda content: b"",
        lambda content: content[: len(content) // 2],
        lambda content: content.replace(b"Toy 100", b"Toy 900"),
        lambda content: b"\xff\xfe" + content,
        lambda content: b"null\n" * 3,
    ],
)
def test_a_damaged_file_is_ignored_and_replaced(specs, cache_dir, damage) -> None:
    good = Catalogue(builtin=specs).arch("toy")
    (path,) = stored(cache_dir)
    content = path.read_bytes()
    path.write_bytes(damage(content))
    assert Catalogue(builtin=specs).arch("toy") == good
    assert path.read_bytes() == content


def test_a_text_of_another_shape_is_ignored(specs, cache_dir) -> None:
    good = Catalogue(builtin=specs).arch("toy")
    (path,) = stored(cache_dir)
    key = path.stem.removeprefix("models-")
    for text in ("", "[]", "5", '{"toy": 5}', "[" * 100_000):
        path.write_text(f"{shelf._seal(key, text)}\n{text}", encoding="utf-8")
        assert Catalogue(builtin=specs).arch("toy") == good


@pytest.mark.parametrize("where", ["/proc/nowhere", "/dev/null", "/dev/null/x"])
def test_a_cache_that_cannot_be_written_is_ignored(specs, monkeypatch, where) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", where)
    assert Catalogue(builtin=specs).arch("toy")["v_mfma_f32_32x32x1f32"].m == 32


def test_only_classes_of_the_model_are_made() -> None:
    with pytest.raises(KeyError):
        store._class("Popen")
    with pytest.raises(KeyError):
        store._class("Path")
