"""``layoutgen compare``: verdicts, exit codes, several tables, wrong input."""

from __future__ import annotations

import io
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

D = "gfx908 v_mfma_f32_32x32x2f32 D"
RIGHT = "'((32,2),(4,4)):((32,4),(1,8))'"
TRANSPOSED = "'((32,2),(4,4)):((1,128),(32,256))'"
OTHER_K = "gfx908 v_mfma_f32_16x16x16f16 A '((16,4),4):((1,16),64)'"


@pytest.fixture
def stdin(monkeypatch: pytest.MonkeyPatch):
    def give(text: str) -> None:
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(text.encode())))

    return give


def test_equal_is_exit_code_0(ask) -> None:
    assert ask(f"compare {D} {RIGHT}").lines == [
        "equal: the layout is D of v_mfma_f32_32x32x2f32 on gfx908, 1024 elements"
    ]


def test_transposed_is_exit_code_1_with_both_rules(layoutgen) -> None:
    answer = layoutgen(f"compare {D} {TRANSPOSED} --limit 1")
    assert (answer.code, answer.err) == (1, "")
    assert answer.lines == [
        "transposed: the layout is D of v_mfma_f32_32x32x2f32 on gfx908 with rows and columns "
        "swapped, as if A and B were exchanged",
        "element          table      right",
        "D[0][1] block 0  a1 lane 0  a0 lane 1",
        "table: lane = 32·(⌊j/4⌋ mod 2) + i, register = 4·⌊j/8⌋ + (j mod 4), bit = 0",
        "right: lane = 32·(⌊i/4⌋ mod 2) + j, register = 4·⌊i/8⌋ + (i mod 4), bit = 0",
    ]


def test_another_order_of_k_is_a_finding_unless_allowed(layoutgen) -> None:
    answer = layoutgen(f"compare {OTHER_K}")
    assert answer.code == 1
    assert answer.lines[0].startswith("equal up to the order of k: ")
    assert answer.lines[2] == "  k in its place: 0 4 8 12 1 5 9 13 2 6 10 14 3 7 11 15"
    allowed = layoutgen(f"compare {OTHER_K} --allow-k-order")
    assert (allowed.code, allowed.out) == (0, answer.out)


def test_tables_of_this_program_are_equal_to_its_layouts(ask, tmp_path: Path, stdin) -> None:
    forward, inverse, bases = (tmp_path / name for name in ("f.csv", "i.json", "b.txt"))
    ask(f"table {D} -o", forward)
    ask(f"table {D} --by slot -o", inverse)
    ask(f"export {D} --format linear-layout -o", bases)
    lines = ask(f"compare {D}", forward, inverse, bases).lines
    assert [line.split(":")[0] for line in lines[:3]] == ["equal"] * 3
    assert lines[3:] == ["all 3 tables describe the same layout"]
    stdin(forward.read_text("utf-8"))
    assert ask(f"compare {D} -").out.startswith("equal: standard input is D of ")


def test_a_pair_that_does_not_match_is_told(layoutgen, ask, tmp_path: Path) -> None:
    """Forward is right; its inverse forgets that the upper lanes hold other rows."""
    forward, inverse = tmp_path / "forward.csv", tmp_path / "inverse.csv"
    ask(f"table {D} -o", forward)
    rows = [
        f"{lane},{register},{register // 4 * 8 + register % 4},{lane % 32}"
        for lane in range(64)
        for register in range(16)
    ]
    inverse.write_text("\n".join(["lane,register,i,j", *rows]), encoding="utf-8")
    answer = layoutgen(f"compare {D}", forward, inverse)
    assert answer.code == 1
    assert answer.lines[0].startswith(f"equal: {forward} is D of ")
    assert f"different: {inverse} agrees with D of " in answer.out
    assert "recognised: half left out of i" in answer.lines
    assert "512 of 1024 elements are not in the table" in answer.lines
    assert answer.lines[-1] == f"{forward} and {inverse} do not describe the same layout"


def test_json(layoutgen) -> None:
    answer = layoutgen(f"compare {D} {RIGHT} {TRANSPOSED} --format json --limit 1")
    assert answer.code == 1
    document = answer.json
    assert (document["arch"], document["operand"], document["agree"]) == ("gfx908", "D", False)
    equal, transposed = document["comparisons"]
    assert equal["verdict"] == "equal"
    assert transposed == {
        "table": "the layout",
        "verdict": "transposed",
        "elements": 1024,
        "agreeing": 32,
        "missing": 0,
        "colliding": 0,
        "k_order": None,
        "mistake": "rows and columns swapped",
        "notes": [],
        "differences": [
            {
                "element": {"b": 0, "i": 0, "j": 1},
                "table": [{"lane": 0, "register": 1, "bit": 0, "width": 32}],
                "right": [{"lane": 1, "register": 0, "bit": 0, "width": 32}],
            }
        ],
    }


def test_the_table_may_be_one_under_modifiers(ask, layoutgen, tmp_path: Path) -> None:
    subject = "gfx908 v_mfma_f32_16x16x4f16 A --cbsz 2 --abid 1"
    file = tmp_path / "a.csv"
    ask(f"table {subject} -o", file)
    assert ask(f"compare {subject}", file).out.startswith("equal: ")
    answer = layoutgen("compare gfx908 v_mfma_f32_16x16x4f16 A", file)
    assert answer.code == 1
    assert "recognised: read under cbsz:2 abid:1, not as laid out" in answer.lines


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("", "mine.csv:1: the table is empty"),
        ("i,j,lane,register\n0,0,0,0\n0,1,one,0\n", "mine.csv:3: column 'lane': 'one' is not a"),
        ("i,j,lane,register\n0,0,0,NaN\n", "mine.csv:2: column 'register': 'NaN' is not a whole"),
        ("i,k,lane,register\n0,0,0,0\n", "mine.csv:1: no column 'k'"),
        ("i,j,lane,register\n0,0,0,0\n0,0,0,0\n", "mine.csv:3: the same row as in line 2"),
        ('{"rows": [', "mine.csv:1: no JSON: "),
        (" " * ((16 << 20) + 1), "mine.csv:1: larger than 16 MiB"),
    ],
)
def test_what_is_no_table_is_one_message(
    layoutgen, tmp_path: Path, content: str, expected: str
) -> None:
    file = tmp_path / "mine.csv"
    file.write_text(content, encoding="utf-8")
    answer = layoutgen(f"compare {D}", file)
    assert (answer.code, answer.out) == (2, "")
    (message,) = answer.err.splitlines()
    assert message.startswith("layoutgen: error: ")
    assert expected in message


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (f"compare {D}", "TABLE"),
        (f"compare {D} /no/such/file.csv", "/no/such/file.csv: No such file or directory"),
        (f"compare {D} /", "/: this is a folder, not a table"),
        (f"compare {D} '(1,2'", "TABLE:1: no column '(1'"),
        (f"compare {D} '(32,2):(1,2)'", "TABLE:1: 32 lanes, but a wavefront has 64"),
        (f"compare {D} {RIGHT} --limit -1", "--limit -1 is out of range"),
        (f"compare {D} {RIGHT} --format csv", "invalid choice: 'csv'"),
        (f"compare {D[:-1]}E {RIGHT}", "no operand 'E'"),
    ],
)
def test_wrong_input_is_one_message(layoutgen, line: str, expected: str) -> None:
    answer = layoutgen(line)
    assert (answer.code, answer.out) == (2, "")
    (message,) = answer.err.splitlines()
    assert expected in message
