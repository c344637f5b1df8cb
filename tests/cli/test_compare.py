"""``layoutgen compare``: verdicts, exit codes, several tables, wrong input."""

from __future__ import annotations

import io
import re
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

D = "gfx908 v_mfma_f32_32x32x2f32 D"
RIGHT = "'((32,2),(4,4)):((32,4),(1,8))'"
TRANSPOSED = "'((32,2),(4,4)):((1,128),(32,256))'"
OTHER_K = "gfx908 v_mfma_f32_16x16x16f16 A '((16,4),4):((1,16),64)'"


def unfolded(text: str) -> str:
    """Return an answer with its folded lines in one."""
    return re.sub(r"\n +", " ", text)


def csv(columns: str, rows: list[list[int]]) -> str:
    return "\n".join([columns, *(",".join(map(str, row)) for row in rows)]) + "\n"


@pytest.fixture
def stdin(monkeypatch: pytest.MonkeyPatch):
    def give(text: str) -> None:
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(text.encode())))

    return give


def test_equal_is_exit_code_0(ask) -> None:
    assert ask(f"compare {D} {RIGHT}").lines == [
        "equal: the layout is D of v_mfma_f32_32x32x2f32 on gfx908, 1024 elements"
    ]


def test_transposed_is_exit_code_1_with_both_rules(layoutgen, monkeypatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    answer = layoutgen(f"compare {D} {TRANSPOSED} --limit 1")
    assert (answer.code, answer.err) == (1, "")
    assert answer.lines == [
        "transposed: the layout is D of v_mfma_f32_32x32x2f32 on gfx908 with rows and",
        "  columns swapped, as if A and B were exchanged",
        "element          table      right",
        "D[0][1] block 0  a1 lane 0  a0 lane 1",
        "table: lane = 32·(⌊j/4⌋ mod 2) + i, register = 4·⌊j/8⌋ + (j mod 4), bit = 0",
        "right: lane = 32·(⌊i/4⌋ mod 2) + j, register = 4·⌊i/8⌋ + (i mod 4), bit = 0",
    ]


def test_another_order_of_k_is_a_finding_unless_allowed(layoutgen) -> None:
    answer = layoutgen(f"compare {OTHER_K}")
    assert answer.code == 1
    assert answer.lines[0].startswith("equal up to the order of k: ")
    assert "  k in its place:  0  4  8 12  1  5  9 13  2  6 10 14  3  7 11 15" in answer.lines
    allowed = layoutgen(f"compare {OTHER_K} --allow-k-order")
    assert (allowed.code, allowed.out) == (0, answer.out)


def test_tables_of_this_program_are_equal_to_its_layouts(ask, tmp_path: Path, stdin) -> None:
    forward, inverse, bases = (tmp_path / name for name in ("f.csv", "i.json", "b.txt"))
    ask(f"table {D} -o", forward)
    ask(f"table {D} --by slot -o", inverse)
    ask(f"export {D} --format linear-layout -o", bases)
    lines = unfolded(ask(f"compare {D}", forward, inverse, bases).out).splitlines()
    assert [line.split(":")[0] for line in lines[:3]] == ["equal"] * 3
    assert lines[3:] == ["all 3 tables describe the same layout"]
    stdin(forward.read_text("utf-8"))
    assert ask(f"compare {D} -").out.startswith("equal: standard input is D of ")


@pytest.mark.parametrize(
    "text",
    [
        "Layout<Shape<Shape<_32,_2>,Shape<_4,_4>>,Stride<Stride<_32,_4>,Stride<_1,_8>>>",
        "using D = cute::Layout<Shape<Shape<_32,_2>, Shape<C<4>,_4>>, "
        "Stride<Stride<_32,_4>, Stride<_1,_8>>>;",
        "{register = [[1,0],[2,0],[8,0],[16,0]], lane = [[0,1],[0,2],[0,4],[0,8],[0,16],[4,0]]}",
        "#ttg.linear<{register = [[1,0],[2,0],[8,0],[16,0]], "
        "lane = [[0,1],[0,2],[0,4],[0,8],[0,16],[4,0]], warp = [], block = []}>",
    ],
)
def test_a_layout_of_any_notation_may_be_an_argument(ask, stdin, text: str) -> None:
    assert ask(f"compare {D}", text).out.startswith("equal: the layout is D of ")
    stdin(text)
    assert ask(f"compare {D} -").out.startswith("equal: standard input is D of ")


def test_a_plain_layout_may_be_an_argument(layoutgen) -> None:
    answer = layoutgen("compare gfx942 v_mfma_f64_4x4x4f64 D 64:1")
    assert (answer.code, answer.err) == (1, "")
    note = "note: the layout has one mode: it is taken as one value for each thread"
    assert note in " ".join(answer.out.split())


@pytest.mark.parametrize(("form", "name"), [("asciidoc", "AsciiDoc"), ("html", "HTML")])
def test_formats_that_are_not_read_are_told(
    layoutgen, ask, tmp_path: Path, form: str, name: str
) -> None:
    mine = tmp_path / "mine"
    ask(f"table {D} -f {form} -o", mine)
    answer = layoutgen(f"compare {D}", mine)
    assert (answer.code, answer.out) == (2, "")
    assert answer.err.startswith(f"layoutgen: error: {mine}:1: this looks like {name}: CSV, JSON, ")


def test_a_closed_standard_input_is_one_message(layoutgen, monkeypatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    answer = layoutgen(f"compare {D} -")
    assert (answer.code, answer.out) == (2, "")
    assert answer.err == "layoutgen: error: '-' is standard input, which is closed\n"


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
    lines = unfolded(answer.out).splitlines()
    assert lines[0].startswith(f"equal: {forward} is D of ")
    assert f"different: {inverse} agrees with D of " in unfolded(answer.out)
    assert "recognised: half left out of i" in lines
    assert "512 of 1024 elements are not in the table" in lines
    assert lines[-1] == f"{forward} and {inverse} do not describe the same layout"


def test_json(layoutgen) -> None:
    answer = layoutgen(f"compare {D} {RIGHT} {TRANSPOSED} --format json --limit 1")
    assert answer.code == 1
    document = answer.json
    assert (document["arch"], document["operand"], document["agree"]) == ("gfx908", "D", False)
    equal, transposed = document["comparisons"]
    assert equal["verdict"] == "equal"
    assert transposed == {
        "table": "the layout",
        "operand": "D",
        "verdict": "transposed",
        "elements": 1024,
        "agreeing": 32,
        "missing": 0,
        "colliding": 0,
        "k_order": None,
        "renamed": None,
        "mistake": "rows and columns swapped",
        "source": None,
        "disagreements": [],
        "notes": [],
        "remarks": [],
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
    assert ask(f"compare {subject}", file).out.startswith("equal:")
    answer = layoutgen("compare gfx908 v_mfma_f32_16x16x4f16 A", file)
    assert answer.code == 1
    assert "recognised: read under cbsz:2 abid:1, not as laid out" in answer.lines


KS = "gfx908 v_mfma_f32_16x16x16f16"
OF_A, OTHER_OF_A = "'((16,4),4):((1,64),16)'", "'((16,4),4):((1,16),64)'"
OF_B, OTHER_OF_B = OF_A, OTHER_OF_A
"""In a CuTe layout of B, columns come first as rows of A do."""


@pytest.mark.parametrize(
    ("a", "b", "code", "said"),
    [
        (OTHER_OF_A, OTHER_OF_B, 0, "A and B share their order of k: the product is right"),
        (OF_A, OF_B, 0, "A and B share their order of k: the product is right"),
        (OTHER_OF_A, OF_B, 1, "A and B do not have the same order of k: the product is wrong"),
    ],
)
def test_the_orders_of_k_of_a_and_b_are_held_against_one_another(
    layoutgen, a: str, b: str, code: int, said: str
) -> None:
    answer = layoutgen(f"compare {KS} A {a} B {b}")
    assert (answer.code, answer.lines[-1], answer.err) == (code, said, "")
    assert layoutgen(f"compare {KS} a {a} b {b} --allow-k-order").code == code
    document = layoutgen(f"compare {KS} A {a} B {b} -f json").json
    assert document["k_shared"] is (code == 0)
    assert [c["operand"] for c in document["comparisons"]] == ["A", "B"]


def test_a_table_of_another_operand_is_told_how_to_give_it(layoutgen, tmp_path: Path) -> None:
    mine = tmp_path / "b.csv"
    layoutgen(f"table {KS} B -o", mine)
    answer = layoutgen(f"compare {KS} A", mine)
    assert answer.code == 2
    assert answer.err.rstrip().endswith("; it reads as a table of B: write B before it")


def test_two_readings_of_sources_are_told(layoutgen, ask, tmp_path: Path) -> None:
    f64 = "gfx942 v_mfma_f64_4x4x4f64 D"
    mine = tmp_path / "manual.csv"
    rows = [[b, i, j, j + 4 * i + 16 * b, 0] for b in range(4) for i in range(4) for j in range(4)]
    mine.write_text(csv("b,i,j,lane,register", rows), encoding="utf-8")
    answer = layoutgen(f"compare {f64}", mine)
    lines = unfolded(answer.out).splitlines()
    assert "recognised: b and i swapped" in lines
    dispute = lines[-1]
    assert dispute.startswith("sources disagree: where D of the F64 4×4×4 instruction lies ")
    assert "this table: Blocks are the slowest part: lane = j + 4·i + 16·b. (the gen" in dispute
    assert "followed here: Rows are the slowest part: lane = 16·i + 4·b + j. (" in dispute
    assert "settled by: runs on MI200 and MI350" in dispute
    document = layoutgen(f"compare {f64} -f json", mine).json
    assert document["comparisons"][0]["disagreements"] == [
        {"id": "f64-4x4x4-d", "followed": "rows", "other": "formula"}
    ]
    right = tmp_path / "right.csv"
    ask(f"table {f64} -q -o", right)
    assert "this table: Rows are the slowest part" in unfolded(ask(f"compare {f64}", right).out)
    assert "disagree" not in ask(f"compare {f64} -q", right).out


def test_doubles_in_halves_are_equal_and_it_is_said(ask, tmp_path: Path) -> None:
    f64 = "gfx942 v_mfma_f64_16x16x4f64 D"
    table = ask(f"table {f64} -f json").json
    halves = [
        [*at, lane, register + half, 0, 32]
        for *at, lane, register, _, _ in table["rows"]
        for half in (0, 1)
    ]
    mine = tmp_path / "halves.csv"
    mine.write_text(csv(",".join(table["columns"]), halves), encoding="utf-8")
    lines = unfolded(ask(f"compare {f64}", mine).out).splitlines()
    assert lines[0].endswith("on gfx942, 256 elements")
    assert lines[1] == "note: its elements are written as halves of 32 bits"


def test_an_export_of_everything_is_read(ask, tmp_path: Path) -> None:
    everything = tmp_path / "gfx908.csv"
    ask("export gfx908 -o", everything)
    assert ask(f"compare {KS} A", everything).out.startswith("equal:")


def test_blocks_in_another_order_are_told_with_the_order(layoutgen) -> None:
    blocks = "gfx942 v_mfma_f32_16x16x1f32 D"
    answer = layoutgen(f"compare {blocks} '((16,4),(4,(2,2))):((16,4),(1,(512,256)))'")
    assert answer.code == 1
    assert "recognised: wrong block order: blocks renamed" in answer.lines
    assert "  b in its place: 0 2 1 3" in answer.lines


@pytest.mark.parametrize(
    "line",
    [
        "gfx908 v_mfma_f32_32x32x2f32 D '((32,2),(4,4)):((1,128),(32,256))'",
        "gfx942 v_mfma_f32_32x32x2f32 D '(64,16):(0,0)' --limit 9",
        "gfx950 v_mfma_scale_f32_16x16x128_f8f6f4 A '((16,4),32):((1,512),16)'",
        "gfx950 v_mfma_f32_16x16x128_f8f6f4 A '((16,4),32):((1,512),16)'",
        "gfx950 v_mfma_f32_16x16x128_f8f6f4 A '((16,4),32):((1,512),16)' --cbsz 2",
        "gfx950 v_mfma_f32_16x16x128_f8f6f4 A '((16,4),(16,2)):((1,256),(16,1024))' --cbsz 2",
        "gfx942 v_mfma_f64_4x4x4f64 D '(64,1):(1,0)'",
    ],
)
@pytest.mark.parametrize("width", [80, 60])
def test_an_answer_fits_the_terminal(layoutgen, monkeypatch, line: str, width: int) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    answer = layoutgen(f"compare {line}")
    assert answer.code in (0, 1)
    wide = [text for text in answer.lines if len(text) > width]
    assert all(text.split()[0].endswith("]") or "element" in text for text in wide), wide
    assert not wide or width < 80


def test_the_help_fits_eighty_columns(ask, monkeypatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert max(map(len, ask("compare --help").lines)) <= 80


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
        (f"compare {D} ''", "TABLE is empty: give a file, '-', or a layout in quotes"),
        (f"compare {D} 'Layout<Shape<_64'", "TABLE:1: no CuTe layout of (thread, value)"),
        (f"compare {D} '({'1,' * 3000}:'", "TABLE:1: no CuTe layout of (thread, value)"),
        (f"compare {D} '{{register = [[1'", "TABLE:1: no bases of a linear layout"),
        (f"compare {D} - -", "'-' stands twice: standard input can be read once"),
        (f"compare {D} {RIGHT} C", "there is no TABLE of C"),
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
