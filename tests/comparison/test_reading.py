"""Tables in every notation, and one located message for what is no table."""

from __future__ import annotations

import json
import random
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest

import layoutgen
from layoutgen.comparison import MAX_BYTES, TableError, compare, read_text
from layoutgen.export import csv_tables, cute_layout, linear_layout
from layoutgen.model import Instruction

GFX908 = layoutgen.arch("gfx908")
INST = GFX908["v_mfma_f32_32x32x2f32"]
BLOCKS = GFX908["v_mfma_f32_4x4x4f16"]
D = INST.operand("D")
SMALL_F64 = layoutgen.arch("gfx90a")["v_mfma_f64_4x4x4f64"]
A = GFX908["v_mfma_i32_16x16x16i8"].operand("A")
EVERY = [
    pytest.param(inst, name, id=f"{arch.name} {inst.mnemonic} {name}")
    for arch in layoutgen.archs().values()
    for inst in arch.values()
    for name in inst.operands
]


@pytest.mark.parametrize(("inst", "name"), EVERY)
def test_what_is_exported_is_read_back(inst: Instruction, name: str) -> None:
    operand = inst.operand(name)
    bases = linear_layout(operand)
    for text in (str(bases), json.dumps(bases.as_dict()), str(cute_layout(operand))):
        assert compare(inst, name, text).equal


@pytest.mark.parametrize("stack", ["rows", "columns"])
def test_stacked_blocks_are_taken_apart(stack) -> None:
    for inst in (BLOCKS, INST):
        for name in "ABD":
            assert compare(inst, name, str(linear_layout(inst.operand(name), stack=stack))).equal


ROWS = "[[1, 0], [2, 0], [8, 0], [16, 0]]"
LANES = "[[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [4, 0]]"


@pytest.mark.parametrize(
    "text",
    [
        f"#ttg.linear<{{register = {ROWS}, lane = {LANES}, warp = [], block = []}}>",
        f"{{register = {ROWS}, lane = {LANES}, warp = [], block = []}}",
        f"#linear = #ttg.linear<{{register = {ROWS}, lane = {LANES}, warp = [], block = []}}>",
        f"{{ lane = {LANES},\n  register = {ROWS} }}",
        f"DistributedLinearLayout(reg_bases={ROWS}, lane_bases={LANES}, warp_bases=[], "
        "block_bases=[], shape=[32, 32])",
        "Layout<Shape<Shape<_32,_2>,Shape<_4,_4>>,Stride<Stride<_32,_4>,Stride<_1,_8>>>",
        "cute::Layout < cute::Shape< cute::Shape<cute::_32, Int<2> >, Shape <C<4>, "
        "cute::Int< 4 > > >,\n  Stride<Stride<_32, _4>, Stride<_1, _8>>>{}",
        "using Mine = Layout<Shape<Shape<_32,_2>,Shape<_4,_4>>,"
        "Stride<Stride<_32,_4>,Stride<_1,_8>>>;",
        "static constexpr auto mine = cute::make_layout(Shape<Shape<_32,_2>,Shape<_4,_4>>{}, "
        "make_stride(make_stride(Int<32>{}, _4{}), Stride<_1,_8>{}));",
        "cute::Layout<cute::tuple<cute::tuple<cute::C<32>,cute::C<2>>,cute::tuple<cute::C<4>,"
        "cute::C<4>>>,cute::tuple<cute::tuple<cute::C<32>,cute::C<4>>,cute::tuple<cute::C<1>,"
        "cute::C<8>>>>",
        "((_32, _2), (_4, _4)) : ((_32, _4), (_1, _8))",
        "make_layout(make_shape(make_shape(Int<32>{}, Int<2>{}), make_shape(4, 4)), "
        "make_stride(make_stride(32, 4), make_stride(1, 8)));",
        '{"cute": "((32,2),(4,4)):((32,4),(1,8))"}',
        "(((16,2),2),((2,2),4)):(((32,512),4),((1,2),8))",
    ],
)
def test_notations_of_others(text: str) -> None:
    assert compare(INST, "D", text).equal


@pytest.mark.parametrize("text", ["64:1", " _64 : _1", "(64):(1)"])
def test_a_cute_layout_of_one_mode_is_one_value_for_each_thread(text: str) -> None:
    found = compare(SMALL_F64, "D", text)
    assert found.table.remarks == (
        "the layout has one mode: it is taken as one value for each thread",
    )
    expected = compare(SMALL_F64, "D", "(64,1):(1,0)").table.codes
    assert found.table.codes.tolist() == expected.tolist()


def csv(rows: list[list[object]], heading: str = "b,i,j,lane,register,bit,width") -> str:
    return "\n".join([heading, *(",".join(map(str, row)) for row in rows)]) + "\n"


def test_columns_and_rows_may_be_in_any_order_and_some_are_not_needed() -> None:
    rows = D.table().tolist()
    random.Random(0).shuffle(rows)
    short = [[lane, register, j, i] for _, i, j, lane, register, _, _ in rows]
    assert compare(INST, "D", csv(short, " Lane, register ,j,i")).equal
    text = csv(rows)
    assert compare(INST, "D", "# my table\n\n" + text.replace("\n", "\r\n")).equal
    objects = [dict(zip(D.columns, row, strict=True)) for row in rows]
    assert compare(INST, "D", json.dumps(objects)).equal
    assert compare(INST, "D", ("\ufeff" + text).encode()).equal


def test_rows_may_be_an_array_or_any_sequence_of_whole_numbers() -> None:
    assert compare(INST, "D", D.table().astype(np.int32)).equal
    assert compare(INST, "D", iter(D.table())).equal
    with pytest.raises(TableError, match=r"^table: column 'b': .*0\.0.* is not a whole number$"):
        compare(INST, "D", D.table().astype(float))


def test_a_file(tmp_path: Path) -> None:
    file = tmp_path / "mine.csv"
    file.write_text(csv(D.table().tolist()), encoding="utf-8")
    assert compare(INST, "D", file).equal
    with pytest.raises(OSError, match="No such file"):
        compare(INST, "D", tmp_path / "yours.csv")
    with pytest.raises(TableError, match="this is a folder, not a table"):
        compare(INST, "D", tmp_path)


ROWS = [dict(zip(D.columns, row, strict=True)) for row in D.table().tolist()]
SPREADSHEETS = {
    "semicolons": ("{};{};{};{}", "i;j;lane;register\n"),
    "tabs": ("{}\t{}\t{}\t{}", "i\tj\tlane\tregister\n"),
    "aligned columns": ("{:>2}  {:>2}    {:>2}        {:>2}", " i   j  lane  register\n"),
    "reStructuredText": (
        "{:<2} {:<2} {:<4} {:<8}",
        "== == ==== ========\ni  j  lane register\n== == ==== ========\n",
    ),
    "Markdown": ("| {} | {} | {} | {} |", "| i | j | lane | register |\n|:--|---:|---|---|\n"),
    "other names": ("{},{},{},{}", "Row,Column,Thread,VGPR\n"),
    "a programmer's names": ("{},{},{},{}", "m,n,tid,agpr\n"),
    "registers": ("{},{},{},v{}", "i,j,lane,register\n"),
    "accumulators": ("{},{},{},A{}", "i,j,lane,register\n"),
    "registers in brackets": ("{} {} {} v[{}]", "i j lane vgpr\n"),
    "registers in JSON": (
        '{{"i":{},"j":{},"lane":{},"register":"a[{}]"}},',
        '[{"i":1,"j":0,"lane":0,"register":"v1"},',
    ),
    "short names": ("{},{},{},{}", "m,n,lane,reg\n"),
}


@pytest.mark.parametrize("kind", SPREADSHEETS)
def test_columns_may_be_kept_apart_and_named_in_any_usual_way(kind: str) -> None:
    line, heading = SPREADSHEETS[kind]
    body = [line.format(r["i"], r["j"], r["lane"], r["register"]) for r in ROWS]
    text = heading + "\n".join(body)
    if text.startswith("["):
        text = text.replace(heading[1:], "").removesuffix(",") + "]"
    assert compare(INST, "D", text).equal


def test_columns_are_those_of_the_matrix_of_the_operand() -> None:
    inst = GFX908["v_mfma_i32_16x16x16i8"]
    for name, row, column in (("A", "i", "k"), ("B", "k", "j")):
        operand = inst.operand(name)
        words = {row: "row", column: "col"}
        heading = ",".join(words.get(c, c) for c in operand.columns)
        assert compare(inst, name, csv(operand.table().tolist(), heading)).equal


@pytest.mark.parametrize("name", ["A", "B", "D"])
def test_of_an_export_of_several_operands_those_rows_are_taken_that_are_about_it(name) -> None:
    text = csv_tables(GFX908, [BLOCKS, INST], by="slot")
    assert compare(INST, name, text).equal
    with pytest.raises(TableError, match=r"^table:1: no row is about D of v_mfma_f64_16x16x4f64$"):
        compare(layoutgen.arch("gfx90a")["v_mfma_f64_16x16x4f64"], "D", text)


F64 = layoutgen.arch("gfx942")["v_mfma_f64_16x16x4f64"]


def test_registers_of_wide_elements_are_written_as_ranges() -> None:
    rows = F64.operand("D").table().tolist()
    body = [[i, j, lane, f"v[{register}:{register + 1}]"] for _, i, j, lane, register, _, _ in rows]
    assert compare(F64, "D", csv(body, "i,j,lane,register")).equal
    first = [[i, j, lane, f"a{register}"] for _, i, j, lane, register, _, _ in rows]
    assert compare(F64, "D", csv(first, "i,j,lane,register")).equal
    body[1][3] = "v[0:3]"
    told = r"^table:3: column 'register': 'v\[0:3\]' is not the 2 registers of 64 bits from bit 0"
    with pytest.raises(TableError, match=told):
        compare(F64, "D", csv(body, "i,j,lane,register"))


@pytest.mark.parametrize("with_width", [True, False])
def test_doubles_may_be_written_as_halves(with_width: bool) -> None:
    rows = F64.operand("D").table().tolist()
    halves = [
        [*row[:4], row[4] + half, 0, 32][: 7 if with_width else 5]
        for row in rows
        for half in (0, 1)
    ]
    heading = "b,i,j,lane,register,bit,width" if with_width else "b,i,j,lane,register"
    found = compare(F64, "D", csv(halves, heading))
    assert found.equal
    assert found.remarks == ("its elements are written as halves of 32 bits",)


def test_elements_may_be_written_as_the_pieces_in_each_register() -> None:
    inst = layoutgen.arch("gfx950")["v_mfma_f32_16x16x128_f8f6f4"]
    operand = inst.operand("A", cbsz=2)
    pieces = []
    for *at, lane, register, bit, _ in operand.table().tolist():
        low = min(6, 32 - bit)
        pieces.append([*at, lane, register, bit, low])
        if low < 6:
            pieces.append([*at, lane, register + 1, 0, 6 - low])
    assert compare(inst, "A", pieces, cbsz=2).equal
    found = compare(inst, "A", pieces[:6] + pieces[7:], cbsz=2)
    assert not found.equal
    assert found.notes, "of the sixth element a piece is missing"


HEAD = "b,i,j,lane,register,bit,width\n"
WRONG = [
    ("", "t:1: the table is empty"),
    (" \n\t\n", "t:1: the table is empty"),
    ("# nothing\n", "t:1: the table is empty"),
    (HEAD, "t:1: there are no rows"),
    ("\n" + HEAD + "0,0,0,0,0,0,32\n0,1,0,0,1,0\n", "t:4: 6 entries, but there are 7 columns"),
    (HEAD + "0,0,x,0,0,0,32\n", "t:2: column 'j': 'x' is not a whole number"),
    (HEAD + "0,0,v1,0,0,0,32\n", "t:2: column 'j': 'v1' is not a whole number"),
    (HEAD + "0,0,0,0,s3,0,32\n", "t:2: column 'register': 's3' is not a whole number"),
    (HEAD + "0,0,0,0,v[0:1],0,32\n", "'v[0:1]' is not the 1 register of 32 bits from bit 0 on"),
    (HEAD + "0,0,0,0,v[1:0],0,32\n", "'v[1:0]' is not the 1 register of 32 bits from bit 0 on"),
    (HEAD + "0,0,0,0,v512,0,32\n", "t:2: column 'register': 512 is out of range: 0 to 511"),
    (HEAD + "0,0,nan,0,0,0,32\n", "t:2: column 'j': 'nan' is not a whole number"),
    (HEAD + "0,0,,0,0,0,32\n", "t:2: column 'j': '' is not a whole number"),
    (HEAD + "0,0,1.0,0,0,0,32\n", "t:2: column 'j': '1.0' is not a whole number"),
    (HEAD + "0,0,٣,0,0,0,32\n", "t:2: column 'j': '٣' is not a whole number"),
    (HEAD + f"0,0,{'9' * 5000},0,0,0,32\n", "is not a whole number"),
    (HEAD + "0,32,0,0,0,0,32\n", "t:2: column 'i': 32 is out of range: 0 to 31"),
    (HEAD + "0,-1,0,0,0,0,32\n", "t:2: column 'i': -1 is out of range: 0 to 31"),
    (HEAD + "0,0,0,64,0,0,32\n", "t:2: column 'lane': 64 is out of range: 0 to 63"),
    (HEAD + "0,0,0,0,512,0,32\n", "t:2: column 'register': 512 is out of range: 0 to 511"),
    (HEAD + "0,0,0,0,0,32,32\n", "t:2: column 'bit': 32 is out of range: 0 to 31"),
    (HEAD + "0,0,0,0,0,0,32\n0,1,0,0,0,0,32\n0,0,0,0,0,0,32\n", "t:4: the same row as in line 2"),
    (HEAD + '0,0,"0,0,0,0,32\n', "t:2: unexpected end of data"),
    ("i,j,k,lane,register\n0,0,0,0,0\n", "t:1: no column 'k': D has b, i, j, lane, register, bit"),
    ("i,j,lane,lane,register\n0,0,0,0,0\n", "t:1: column 'lane' stands twice"),
    ("i,j,lane\n0,0,0\n", "t:1: column 'register' is missing"),
    ("0,0,0,0,0,0,32\n", "t:1: no column '0'"),
    ("hello\n", "t:1: no column 'hello'"),
    (b"\xff\xfe\x00", "t:1: this is no text in UTF-8"),
    (HEAD.encode() + b"0,0,\xff\n", "t:2: this is no text in UTF-8"),
    (HEAD + "0,0,\0\n", "t:2: this is no text: it has a zero byte"),
    (b" " * (MAX_BYTES + 1), "t:1: larger than 16 MiB"),
    ("[%header]\n|===\n|b |i\n|0 |0\n|===\n", "t:1: this looks like AsciiDoc: CSV, JSON, "),
    (".Mine\n|===\n|b |i\n|===\n", "t:1: this looks like AsciiDoc: "),
    ("<table>\n<tr><td>0</td></tr>\n</table>\n", "t:1: this looks like HTML: CSV, JSON, "),
    ("<!DOCTYPE html>\n<html>", "t:1: this looks like HTML: "),
    ('<?xml version="1.0"?>\n<svg/>', "t:1: this looks like XML: "),
    # JSON.
    ("{", "t:1: no JSON: "),
    ('{"columns": ["i"],\n "rows": [[1,]]}', "t:2: no JSON: "),
    ('{"columns": ["i"],\n "rows": [[NaN]]}', "t:2: NaN is not a number of JSON"),
    ('{"columns": ["i"],\n "rows": [[-Infinity]]}', "t:2: -Infinity is not a number of JSON"),
    ("[" * 100000, "t:1: no table: brackets in brackets without end"),
    (f'{{"rows": [[{"9" * 5000}]]}}', "t:1: no table: a number of thousands of digits"),
    ("{}", "t:1: neither rows with columns, nor register and lane bases"),
    ("[]", "t:1: neither rows with columns"),
    ("[[0, 0]]", "t:1: neither rows with columns"),
    ('{"rows": [[0]], "columns": 3}', "t:1: columns is not a list of names"),
    ('{"rows": [], "columns": ["i","j","lane","register"]}', "t:1: there are no rows"),
    ('{"rows": [[0,0,0,0],\n3], "columns": ["i","j","lane","register"]}', "t:2: this row is no"),
    (
        '{"x": {"rows": [[1]]}, "columns": ["i","j","lane","register"],\n"rows": [\n[0,0,0,0],\n'
        "[0,1,\n1.5,0]]}",
        "t:4: column 'lane': 1.5 is not a whole number",
    ),
    (
        '{"columns": ["i","j","lane","register"], "rows": [\n[0,0,0,0],\n[0,0,0,0]]}',
        "t:3: the same row as in line 2",
    ),
    ('{"columns": ["i","j","lane","register"], "rows": [[0,true,0,0]]}', "True is not a whole"),
    ('[{"i": 0, "j": 0, "lane": 0, "register": 0},\n{"i": 1}]', "t:2: this row is no list"),
    (
        '{"columns": ["operand","i","j","lane","register"],\n"rows": [[[1],0,0,0,0]]}',
        "t:1: no row is about D",
    ),
    # Linear layouts.
    ('{"register": [[1, 0]], "lane": [[0, 1, 2]]}', "do not all have the same number"),
    ('{"register": [], "lane": []}', "do not all have the same number"),
    ('{"register": [[1, 0]], "lane": [[0, 1]]}', "t:1: 2 lanes, but a wavefront has 64"),
    ('{"register": [[1, "x"]], "lane": [[0, 1]]}', "t:1: neither rows"),
    (
        f'{{"register": {[[1, 0]] * 12}, "lane": {[[0, 1]] * 6}}}',
        "t:1: 4096 values of 32 bits in a lane, but D has 16",
    ),
    (
        f'{{"register": [[32, 0]], "lane": {[[0, 1]] * 6}}}',
        "t:1: the bases span 64×2, but D has b 1, i 32, j 32",
    ),
    (f'{{"register": [], "lane": {[[0, 1]] * 6}, "warp": [[1, 0]]}}', "t:1: there are warp bases"),
    (" - register=1 -> (0, 1)\n   register=1 -> (0, 2)\n", "register=1 where 2 comes next"),
    ("{register = [[1, 0], [2", "t:1: no bases of a linear layout: write {register = [["),
    ("{register = [[1, 0]]}", "t:1: no bases of a linear layout: "),
    ("#ttg.amd_mfma<{version = 3}>", "t:1: no bases of a linear layout: "),
    ("{lane = [[1, 0]], register = [[0, 1]]}", "t:1: 2 lanes, but a wavefront has 64"),
    # CuTe.
    ("((32,2),(4,4)):((32,4),(1,8", "t:1: no CuTe layout of (thread, value): write shape:stride"),
    ("(64,16):(1,2):(3,4)", "t:1: no CuTe layout"),
    ("(64,16):(1,(2,3))", "t:1: no CuTe layout"),
    ("(64,16)(2):(1,2)", "t:1: no CuTe layout"),
    ("(64,0):(1,2)", "t:1: no CuTe layout"),
    ("(64,16,2):(1,2,3)", "t:1: no CuTe layout"),
    ("1024:1", "t:1: 1024 lanes, but a wavefront has 64"),
    ("(64):(1,2)", "t:1: no CuTe layout"),
    ("(64,1 6):(16,1)", "t:1: no CuTe layout"),
    ("Layout<Shape<_64,_16>>", "t:1: no CuTe layout"),
    ("make_layout(make_shape(64, 16))", "t:1: no CuTe layout"),
    ("using Mine = Layout<Shape<_64", "t:1: no CuTe layout"),
    ("(" * 3000 + ":", "t:1: no CuTe layout"),
    ("(" * 900 + ":" + ")" * 900, "t:1: no CuTe layout"),
    ("(32,16):(1,32)", "t:1: 32 lanes, but a wavefront has 64"),
    ("(64,17):(1,64)", "t:1: index 1087 is out of range: D has 1024 elements"),
    ("(64,99999999):(0,0)", "t:1: far more threads or values than a wavefront has"),
    ("(64,4096):(0,0)", "t:1: 4096 values of 32 bits in a lane"),
    ("(064,16):(16,1)", "t:1: no CuTe layout"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "message"), WRONG, ids=range(len(WRONG)))
def test_what_is_no_table_is_one_message_with_its_place(text: str | bytes, message: str) -> None:
    with pytest.raises(TableError) as caught:
        read_text(D, text, "t")
    found = str(caught.value)
    assert "\n" not in found
    assert len(found) < 300 or "9999" in found
    assert message in found
    assert found.startswith("t:")


def test_packed_elements_need_their_bit() -> None:
    with pytest.raises(TableError, match="column 'bit' is missing"):
        read_text(A, "i,k,lane,register\n0,0,0,0\n")


def test_any_bytes_are_a_table_or_one_message() -> None:
    seeds = [
        csv(D.table().tolist()[:4]),
        json.dumps({"columns": list(D.columns), "rows": D.table().tolist()[:3]}),
        str(linear_layout(D)),
        json.dumps(linear_layout(D).as_dict()),
        str(cute_layout(D)),
    ]
    chance = random.Random(3)
    for _ in range(1500):
        text = bytearray(chance.choice(seeds).encode())
        for _ in range(chance.randrange(1, 6)):
            at = chance.randrange(len(text))
            match chance.randrange(4):
                case 0:
                    text[at] = chance.randrange(256)
                case 1:
                    del text[at : at + chance.randrange(1, 8)]
                case 2:
                    text[at:at] = chance.choice(
                        [b",", b"]", b"(", b"-", b"9" * 12, b"\n", b'"', b"1"]
                    )
                case 3:
                    text[at:at] = bytes(text[at : at + chance.randrange(20)])
            if not text:
                break
        with suppress(TableError):
            compare(INST, "D", bytes(text), others=())
