"""Folders of specifications: all problems at once, folders that add, and hostile files."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
import yaml

from layoutgen.spec import Catalogue, SpecError
from layoutgen.spec.files import MAX_BYTES
from layoutgen.spec.load import load

TILE, ARCH = "tile-32x32.yaml", "toy.yaml"


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def problems(*folders: Path | str) -> list[str]:
    """Return place and code of every problem."""
    with pytest.raises(SpecError) as error:
        load([Path(folder) for folder in folders])
    return [f"{d.where} {d.code}" for d in error.value.diagnostics]


def test_the_set_itself_is_good(specs):
    assert list(Catalogue(builtin=specs).architectures) == ["toy"]


def test_all_problems_of_all_files_are_told_at_once_in_order(specs):
    edit(specs / ARCH, "wave: 64", "wave: 32\ncolour: red")
    edit(specs / TILE, "i: [sub, half, band]", "i: [sub, half, bend]")
    edit(specs / "formats.yaml", "    bits: 32\n    c_type: float", "    bits: 040\n    c_type: 1")
    (specs / "broken.yaml").write_text("tile: ]", encoding="utf-8")
    assert problems(specs) == [
        "specs/broken.yaml:1:7 spec-syntax",
        "specs/formats.yaml:6:11 spec-ambiguous",
        "specs/formats.yaml:7:13 spec-type",
        "specs/tile-32x32.yaml:22:20 spec-digit-unknown",
        "specs/toy.yaml:5:7 spec-value",
        "specs/toy.yaml:6:1 spec-unknown-field",
    ]


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        (TILE, "tile: 32x32", "tile: 017"),
        ("formats.yaml", "bits: 32", "bits: 017"),
        ("sources.yaml", "title: A manual", "title: 017"),
        ("disagreements.yaml", "followed: consecutive", "followed: 017"),
    ],
)
def test_names_are_not_missed_where_their_file_is_refused(specs, name, old, new):
    edit(specs / name, old, new)
    assert {place.split()[1] for place in problems(specs)} == {"spec-ambiguous"}


def test_one_alias_bomb_is_one_problem(specs):
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 30)]
    (specs / "bomb.yaml").write_text("\n".join(lines), encoding="utf-8")
    assert problems(specs) == ["specs/bomb.yaml:1:5 spec-alias"]


@pytest.mark.parametrize("opening", ["[", "{a: ", "- ", "? ", "a:\n"])
def test_deep_nesting_is_refused_where_it_gets_too_deep(specs, opening):
    text = opening * 20_000
    if opening == "a:\n":
        text = "".join(f"{' ' * n}a:\n" for n in range(1000))
    (specs / "deep.yaml").write_text(text, encoding="utf-8")
    (found,) = problems(specs)
    assert found.endswith(" spec-depth")


def test_a_file_is_refused_for_its_size_before_it_is_read(specs):
    with (specs / "big.yaml").open("wb") as file:
        file.truncate(10_000_000_000)
    assert problems(specs) == ["specs/big.yaml:1:1 spec-too-large"]
    (specs / "big.yaml").write_bytes(b"#" * (MAX_BYTES + 1))
    assert problems(specs) == ["specs/big.yaml:1:1 spec-too-large"]


@pytest.mark.parametrize("line", ["a: yes\n", "- 017\n", "zzzzz{}: 5\n"])
def test_a_file_with_very_many_problems_tells_the_first_hundred(specs, line):
    head = "" if line.startswith("-") else "sources: {}\n"
    text = head + "".join(line.format(n) for n in range(20_000))
    (specs / "many.yaml").write_text(text, encoding="utf-8")
    found = problems(specs)
    assert len(found) == 101
    assert found[-1].endswith(" spec-too-many")


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"", "1:1 spec-empty"),
        (b"\xef\xbb\xbf", "1:1 spec-empty"),
        (b"tile: 32x32\nlay\xffouts: 5\n", "2:4 spec-encoding"),
        (b"tile: \xc3\xa9\xc3", "1:8 spec-encoding"),
        ("tile: 32x32\n".encode("utf-16"), "1:1 spec-encoding"),
        (b"\0\0\0\0", "1:1 spec-character"),
        (b"a: \x00", "1:4 spec-character"),
        (b"%YAML 9.9\n---\na: 1\n", "1:1 spec-syntax"),
        (b'sources: {a: {title: "\\ud800"}}', "1:25 spec-syntax"),
        (b"sources: {a: {title: " + b"9" * 9000 + b"}}", "1:22 spec-ambiguous"),
        (b"tile: " + b"9" * 5000 + b"x1\nlayouts: {}\n", "1:7 spec-value"),
    ],
)
def test_bytes_that_are_no_specification(specs, content, expected):
    (specs / "odd.yaml").write_bytes(content)
    assert problems(specs)[0] == f"specs/odd.yaml:{expected}"


UNSEEN = [0xAD, 0x34F, 0x61C, 0x200B, 0x200D, 0x200F, 0x202E, 0x2060, 0x2069, 0x2800, 0x3164]
UNSEEN += [0xFE0F, 0xFFF9, 0x1D173, 0xE0041, 0xE0100]


@pytest.mark.parametrize("code", UNSEEN)
def test_what_is_not_seen_or_turns_the_writing_is_refused(specs, code):
    for written in (f"sources: {{a: {{title: {chr(code)}}}}}", f"# {chr(code)}\nsources: {{}}"):
        (specs / "odd.yaml").write_text(written, encoding="utf-8")
        assert problems(specs)[0].endswith(" spec-character")
    (specs / "odd.yaml").write_text(f'sources: {{a: {{title: "\\U{code:08x}"}}}}', encoding="utf-8")
    assert problems(specs)[0] == "specs/odd.yaml:1:22 spec-character"


@pytest.mark.parametrize("blank", ["", " ", "\\n", "\\t", "\\xa0", "\\u2003", "\\u3000"])
def test_a_title_has_something_that_is_seen(specs, blank):
    (specs / "odd.yaml").write_text(f'sources: {{a: {{title: "{blank}"}}}}', encoding="utf-8")
    assert problems(specs)[0] == "specs/odd.yaml:1:22 spec-value"


def test_a_byte_order_mark_and_carriage_returns_are_taken(specs):
    plain = load([specs])
    for path in specs.glob("*.yaml"):
        content = path.read_bytes().replace(b"\n", b"\r\n")
        path.write_bytes(b"\xef\xbb\xbf" + content)
    assert load([specs]) == plain


def test_places_are_right_after_a_byte_order_mark_and_carriage_returns(specs):
    content = (specs / ARCH).read_bytes().replace(b"wave: 64", b"wave: 63").replace(b"\n", b"\r\n")
    (specs / ARCH).write_bytes(b"\xef\xbb\xbf" + content)
    assert problems(specs) == ["specs/toy.yaml:5:7 spec-value"]


def test_what_is_no_file_is_refused(specs):
    (specs / "a-folder.yaml").mkdir()
    (specs / "b-loop.yaml").symlink_to("c-loop.yaml")
    (specs / "c-loop.yaml").symlink_to("b-loop.yaml")
    (specs / "d-lost.yaml").symlink_to("nowhere")
    os.mkfifo(specs / "e-pipe.yaml")
    assert problems(specs) == [
        f"specs/{name}.yaml:1:1 spec-file"
        for name in ("a-folder", "b-loop", "c-loop", "d-lost", "e-pipe")
    ]


def test_a_folder_that_cannot_be_used_is_told_with_the_reason(specs, tmp_path):
    (tmp_path / "empty").mkdir()
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "a.yml").write_text("")
    (tmp_path / "loop").symlink_to("loop")
    folders = ["none", specs / ARCH, "empty", "other", "loop", "nul\0"]
    with pytest.raises(SpecError) as error:
        Catalogue(folders, builtin=specs)
    told = [(d.code, d.message) for d in error.value.diagnostics]
    assert told[:4] == [
        ("spec-folder", "there is no such folder of specifications"),
        ("spec-folder", "this is a file; wanted a folder of specifications"),
        ("spec-folder", "the folder has no .yaml file"),
        ("spec-folder", "the folder has no .yaml file"),
    ]
    assert "a.yml is left out" in error.value.diagnostics[3].hint
    assert all("cannot be read" in message for _, message in told[4:])
    assert len(told) == 6


def test_a_link_to_a_folder_in_itself_does_not_lead_round(specs):
    (specs / "again").symlink_to(".")
    assert load([specs]).tiles


def test_a_folder_adds_to_the_ones_before_it(specs, tmp_path):
    own = tmp_path / "own"
    own.mkdir()
    text = (specs / ARCH).read_text(encoding="utf-8").replace("toy", "mine")
    (own / "mine.yaml").write_text(text.replace("[demo, sample]", "[ours]"), encoding="utf-8")
    catalogue = Catalogue(own, builtin=specs)
    assert catalogue.names == ("toy", "mine")
    assert catalogue.arch("OURS").name == "mine"
    assert set(catalogue.formats) == {"f32", "f16", "bf16", "i8", "i32", "pair"}
    assert set(catalogue.arch("mine").files) >= {str(own / "mine.yaml"), f"specs/{TILE}"}


def test_a_folder_cannot_redefine_what_is_there(specs, tmp_path):
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "formats.yaml").write_text(
        "formats:\n  f32: {title: F, bits: 32, c_type: float, c_bits: 32, vector: float}\n"
    )
    with pytest.raises(SpecError) as error:
        Catalogue(["own"], builtin=specs)
    (found,) = error.value.diagnostics
    assert (found.where, found.code) == ("own/formats.yaml:2:3", "spec-redefined")
    assert "specs/formats.yaml:4:3" in found.hint


def test_a_folder_that_is_given_twice_counts_once(specs, tmp_path):
    (tmp_path / "link").symlink_to("specs")
    assert Catalogue([specs, tmp_path / "specs", "link"], builtin=specs).names == ("toy",)


def test_hidden_files_are_left_out(specs):
    (specs / ".toy.yaml").write_text("[")
    assert load([specs]).architectures


def test_faults_of_yaml_of_shape_and_of_keys_in_one_file_are_told_together(specs):
    edit(specs / ARCH, "title: Toy", "title: yes\ntitle: Toy\non: 5")
    edit(specs / ARCH, "wave: 64", "wave: 0x40\ncolour: red")
    edit(specs / ARCH, "cycles: 8,", "cycles: eight,")
    assert problems(specs) == [
        "specs/toy.yaml:3:8 spec-ambiguous",
        "specs/toy.yaml:4:1 spec-duplicate-key",
        "specs/toy.yaml:5:1 spec-key",
        "specs/toy.yaml:7:7 spec-ambiguous",
        "specs/toy.yaml:8:1 spec-unknown-field",
        "specs/toy.yaml:29:32 spec-type",
    ]


def test_the_parser_without_its_c_library_reads_and_refuses_the_same(specs, monkeypatch):
    good = load([specs])
    monkeypatch.setenv("XDG_CACHE_HOME", str(specs.absolute() / "other"))
    monkeypatch.delattr(yaml, "CSafeLoader")
    assert load([specs]) == good
    edit(specs / ARCH, "title: Toy", "title: yes\n? [a]\n: *a")
    (specs / "deep.yaml").write_text("[" * 20_000)
    assert problems(specs) == [
        "specs/deep.yaml:1:18 spec-depth",
        "specs/toy.yaml:3:8 spec-ambiguous",
        "specs/toy.yaml:4:3 spec-key",
        "specs/toy.yaml:5:3 spec-alias",
    ]
