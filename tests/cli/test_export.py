"""``layoutgen export``: each format, chosen by name or by suffix."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import layoutgen as library

D = "export gfx908 v_mfma_f32_32x32x2f32 D"


def test_the_transposed_accumulator_has_tritons_bases(ask) -> None:
    lines = ask(f"{D} --format linear-layout --transpose").lines
    assert [line.split("-> ")[-1] for line in lines[:-1]] == [
        *("(0, 1)", "(0, 2)", "(0, 8)", "(0, 16)"),
        *("(1, 0)", "(2, 0)", "(4, 0)", "(8, 0)", "(16, 0)", "(0, 4)"),
    ]


def test_one_operand_is_bare_and_several_have_names(ask) -> None:
    assert ask(f"{D} --format cute").out == "((32,2),(4,4)):((32,4),(1,8))\n"
    lines = ask("export gfx908 v_mfma_f32_32x32x2f32 --format cute").lines
    assert lines[::2] == [f"{name} of v_mfma_f32_32x32x2f32:" for name in "ABCD"]
    whole = ask("export gfx908 --format cute").lines
    assert len(whole) == 2 * 4 * len(library.arch("gfx908"))


def test_an_operand_may_be_written_small(ask) -> None:
    assert ask(f"{D} --format cute").out == ask(f"{D.lower()} --format cute").out


@pytest.mark.parametrize(
    ("file", "begins"),
    [
        ("layouts.hpp", b"// Register layouts of gfx908 (CDNA, MI100), for C++17 and HIP.\n"),
        ("layouts.json", b'{\n  "schema": "urn:layoutgen:architecture:1",\n'),
        ("layouts.cute", b"A of v_mfma_f32_32x32x1f32:\n(64,1):(1,0)\n"),
    ],
)
def test_the_suffix_says_the_format(ask, tmp_path: Path, file: str, begins: bytes) -> None:
    assert ask("export gfx908 -o", tmp_path / file).out == ""
    assert (tmp_path / file).read_bytes().startswith(begins)


def test_a_header_of_one_operand_has_only_that(ask) -> None:
    out = ask(f"{D} --format cpp").out
    assert "struct D {" in out
    assert "struct A {" not in out
    assert "using D = layoutgen::gfx908::v_mfma_f32_32x32x2f32::D;" in out


def test_numpy_files(ask, tmp_path: Path) -> None:
    ask(f"{D} -o", tmp_path / "d.npz")
    ask(f"{D} -o", tmp_path / "d.npy")
    with np.load(tmp_path / "d.npz") as found:
        gather = found["gather"]
        assert found["lane"][0, 13, 7] == 39
        table = library.arch("gfx908")["v_mfma_f32_32x32x2f32"].operand("D").table()
        assert (found["table"] == table).all()
    assert (np.load(tmp_path / "d.npy") == gather).all()


def test_json_has_tables_when_asked_for(ask) -> None:
    (entry,) = ask(f"{D} --format json --tables").json["instructions"]
    assert len(entry["operands"]["D"]["rows"]) == 32 * 32
    (entry,) = ask(f"{D} --format json").json["instructions"]
    assert "rows" not in entry["operands"]["D"]


def test_the_schema(ask) -> None:
    assert json.loads(ask("export --schema").out)["$id"] == "urn:layoutgen:architecture:1"


def test_numpy_follows_modifiers(ask, tmp_path: Path) -> None:
    ask("export gfx908 v_mfma_f32_16x16x4f16 A --cbsz 2 --abid 1 -o", tmp_path / "a.npz")
    with np.load(tmp_path / "a.npz") as found:
        assert set(found["lane"].ravel()) == set(range(16, 32))


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("export", "ARCH is missing"),
        ("export gfx908", "--format is missing: one of linear-layout, cute, cpp, numpy, csv, json"),
        ("export gfx908 -o layouts.txt", "--format is missing"),
        (f"{D} --format yaml", "invalid choice: 'yaml'"),
        (f"{D} --format cpp --transpose", "--transpose does nothing for --format cpp"),
        (f"{D} --format json --stack rows", "--stack does nothing for --format json"),
        (f"{D} --format cute --tables", "--tables does nothing for --format cute"),
        (f"{D} --format cute --stack deep", "invalid choice: 'deep'"),
        (f"{D} --format cpp --cbsz 1", "--cbsz does nothing for --format cpp"),
        (f"{D} --format cute --cbsz 1", "cbsz and abid must be 0"),
        (
            "export gfx908 v_mfma_f32_16x16x4f16 A --format cute --cbsz 1",
            "A under cbsz:1 is read from other lanes than it lies in",
        ),
        ("export gfx908 --format numpy -o a.npz", "numpy is for one operand"),
        (f"{D} --format numpy", "numpy is binary: give -o FILE.npz"),
        (f"{D} --format numpy -o d.bin", "d.bin: numpy files are .npz"),
        (f"{D[:-1]}E --format cute", "no operand 'E'"),
        ("export gfx908 v_mfma_f32_32x32x1f16 --format cpp", "nearest: v_mfma_f32_32x32x4f16"),
    ],
)
def test_wrong_input_is_one_message(layoutgen, line: str, expected: str) -> None:
    answer = layoutgen(line)
    assert (answer.code, answer.out) == (2, "")
    (message,) = answer.err.splitlines()
    assert message.startswith("layoutgen: error: ")
    assert expected in message


def test_formats_and_sets_that_modifiers_choose(ask) -> None:
    name = "gfx950 v_mfma_f32_16x16x128_f8f6f4 A --cbsz fp6"
    exported = ask(f"export {name} --format csv").lines
    table = ask(f"table {name} --format csv").lines
    lead = "v_mfma_f32_16x16x128_f8f6f4,A,"
    assert exported[1:] == [f"{lead}{row}" for row in table[1:]]
    four = ask("export gfx950 v_mfma_f32_16x16x128_f8f6f4 A --cbsz 4 --format linear-layout").lines
    assert four[0] == " - register=1 -> (0, 1)"
    assert [line.split("=")[0].split()[-1] for line in four[:-1]].count("register") == 5
    index = "gfx942 v_smfmac_f32_16x16x32_f16 index --abid 2"
    document = ask(f"export {index} --format json --tables").json
    rows = document["instructions"][0]["operands"]["index"]["rows"]
    assert rows == ask(f"table {index} --format json").json["rows"]


def test_modifiers_need_an_instruction(layoutgen) -> None:
    answer = layoutgen("export gfx950 --format csv --cbsz 4")
    assert (answer.code, answer.out) == (2, "")
    assert "--cbsz is about an instruction: give INSTRUCTION" in answer.err
    answer = layoutgen("export gfx950 v_mfma_f32_16x16x128_f8f6f4 --format cpp --cbsz 4")
    assert (
        "does nothing for --format cpp: it has operands as they lie, in every format" in answer.err
    )
