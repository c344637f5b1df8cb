"""``layoutgen table``: whole layouts, in several arrangements and formats."""

from __future__ import annotations

import csv
import io

import pytest
from docutils.core import publish_doctree

import layoutgen as library

D32 = "table gfx908 v_mfma_f32_32x32x1f32 D"
I8 = "table gfx908 v_mfma_i32_16x16x16i8 A"


def test_json_is_what_the_contract_says(ask) -> None:
    document = ask(f"{D32} --format json").json
    rows = document.pop("rows")
    assert document == {
        "schema_version": 1,
        "arch": "gfx908",
        "instruction": "v_mfma_f32_32x32x1f32",
        "operand": "D",
        "wave": 64,
        "modifiers": {"cbsz": 0, "abid": 0, "blgp": 0},
        "columns": ["b", "i", "j", "lane", "register", "bit", "width"],
    }
    assert rows[0] == [0, 0, 0, 0, 0, 0, 32]
    assert len(rows) == 2 * 32 * 32
    assert [1, 13, 7, 39, 21, 0, 32] in rows


def test_json_of_every_instruction_operand_and_modifier_is_the_tables_content(ask) -> None:
    for name, inst in library.arch("gfx908").items():
        for operand in "ABCD":
            document = ask(f"table gfx908 {name} {operand} --format json").json
            assert document["columns"] == list(inst.operands[operand].columns)
            assert document["rows"] == inst.operand(operand).table().tolist()
    set_fields = {"cbsz": 2, "abid": 3, "blgp": 5}
    fields = " ".join(f"--{name} {value}" for name, value in set_fields.items())
    inst = library.arch("gfx908")["v_mfma_f32_4x4x4f16"]
    for operand in "ABCD":
        document = ask(f"table gfx908 {inst.mnemonic} {operand} {fields} -q --format json").json
        assert document["modifiers"] == set_fields
        assert document["rows"] == inst.operand(operand, **set_fields).table().tolist()


def test_json_has_one_row_on_a_line(ask) -> None:
    answer = ask(f"{D32} --format json")
    assert len(answer.lines) == 2048 + 2


def test_csv_is_one_clean_table(ask) -> None:
    rows = list(csv.reader(io.StringIO(ask(f"{I8} --format csv").out)))
    assert rows[0] == ["b", "i", "k", "lane", "register", "bit", "width"]
    assert len(rows) == 1 + 16 * 16
    assert ["0", "3", "9", "35", "0", "8", "8"] in rows


def test_text_in_a_pipe_is_plain_and_aligned(ask) -> None:
    answer = ask(I8)
    assert answer.lines[0].split() == ["b", "i", "k", "lane", "register", "bit", "width"]
    assert {len(line) for line in answer.lines} == {len(answer.lines[0])}
    assert "\x1b" not in answer.out


def test_by_slot_the_rows_are_in_order_of_lane_and_register(ask) -> None:
    answer = ask(f"{D32} --by slot --format csv")
    assert answer.lines[0] == "lane,register,bit,width,b,i,j"
    slots = [tuple(map(int, line.split(",")[:2])) for line in answer.lines[1:]]
    assert slots == [(lane, register) for lane in range(64) for register in range(32)]
    in_json = ask(f"{D32} --by slot --format json").json["rows"]
    assert [(row[3], row[4]) for row in in_json] == slots


def test_by_grid_lanes_stand_below_each_other_and_registers_beside(ask) -> None:
    answer = ask(f"{I8} --by grid --lane 35-36")
    assert answer.lines == [
        "lane  v0",
        "  35  0:3,8 0:3,9 0:3,10 0:3,11",
        "  36  0:4,8 0:4,9 0:4,10 0:4,11",
    ]


def test_by_matrix_a_cell_names_register_and_lane(ask) -> None:
    answer = ask(f"{D32} --by matrix --block 1 --row 12-13 --column 7,8 --format csv")
    assert answer.lines == [
        "block,row,column 7,column 8",
        "1,12,a20:39,a20:40",
        "1,13,a21:39,a21:40",
    ]


def test_transposed_rows_are_columns(ask) -> None:
    line = f"{D32} --by matrix --block 1 --row 12-13 --column 7 --transpose --format csv"
    assert ask(line).lines == ["block,1,1", "row,12,13", "column 7,a20:39,a21:39"]


@pytest.mark.parametrize(
    ("keep", "kept"),
    [
        ("--lane 37", lambda b, i, j, lane, register: lane == 37),
        ("--register 6", lambda b, i, j, lane, register: register == 6),
        ("--row 3-5,9", lambda b, i, j, lane, register: i in (3, 4, 5, 9)),
        ("-j 3 -b 1", lambda b, i, j, lane, register: (j, b) == (3, 1)),
        ("--lane 0-7 -r 0", lambda b, i, j, lane, register: lane < 8 and register == 0),
    ],
)
def test_filters_keep_only_the_rows_asked_for(ask, keep: str, kept) -> None:
    whole = ask(f"{D32} --format json").json["rows"]
    some = ask(f"{D32} {keep} --format json").json["rows"]
    assert some == [row for row in whole if kept(*row[:5])]
    assert 0 < len(some) < len(whole)


def test_filters_that_leave_nothing_give_a_heading_alone(ask) -> None:
    answer = ask(f"{D32} --lane 0 --column 1")
    assert answer.lines == ["b  i  j  lane  register  bit  width"]


@pytest.mark.parametrize("form", ["text", "csv", "markdown", "rst", "asciidoc", "html"])
@pytest.mark.parametrize("by", ["element", "slot", "grid", "matrix"])
def test_every_arrangement_in_every_format_has_every_cell(ask, by: str, form: str) -> None:
    answer = ask(f"{I8} --by {by} --lane 35 --format {form}")
    wanted = {"element": "35", "slot": "35", "grid": "0:3,9", "matrix": "v0:35[15:8]"}[by]
    assert wanted in answer.out
    assert answer.out.endswith("\n")


def test_rst_is_a_table_for_docutils(ask) -> None:
    tree = publish_doctree(ask(f"{I8} --lane 35 --format rst").out)
    assert [entry.astext() for entry in tree.findall() if entry.tagname == "entry"][7:14] == [
        "0", "3", "8", "35", "0", "0", "8"
    ]  # fmt: skip


def test_markdown_has_a_rule_below_the_heading(ask) -> None:
    answer = ask(f"{I8} --lane 35 --format markdown")
    assert answer.lines[:3] == [
        "| b | i | k | lane | register | bit | width |",
        "| ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
        "| 0 | 3 | 8 | 35 | 0 | 0 | 8 |",
    ]


def test_a_cell_names_all_registers_of_an_element(ask) -> None:
    pair = ask("table gfx942 v_mfma_f64_16x16x4_f64 D --by matrix -i 9 -j 3").lines[1]
    assert pair.split() == ["0", "9", "v[4:5]:19"]
    six = "table gfx950 v_mfma_f32_16x16x128_f8f6f4 A --cbsz 2 --by matrix -i 0 -k 5"
    assert ask(six).lines[1].split() == ["0", "0", "v0:0[31:30]+v1:0[3:0]"]


def test_the_index_of_a_sparse_instruction_by_group(ask) -> None:
    line = "table gfx942 v_smfmac_f32_16x16x32_f16 index -i 3 --group 6,7 --abid 2 -f csv"
    assert ask(line).lines == [
        "b,i,group,lane,register,bit,width", "0,3,6,51,0,16,4", "0,3,7,51,0,20,4",
    ]  # fmt: skip
    scales = "table gfx950 v_mfma_scale_f32_16x16x128_f8f6f4 scale_b -j 5 --group 2 -f csv"
    assert ask(scales).lines == ["b,group,j,lane,register,bit,width", "0,2,5,37,0,0,8"]


def test_rows_that_others_have_elsewhere_are_counted(layoutgen) -> None:
    line = "table gfx90a v_mfma_f32_4x4x1f32 A -b 5 --cbsz 2 --abid 3"
    assert "some say: 4 of these 4 elements lie elsewhere" in layoutgen(line).err
    line = "table gfx942 v_mfma_f64_4x4x4f64 D -f csv"
    assert "some say: 48 of these 64 elements lie elsewhere" in layoutgen(line).err
    assert layoutgen(f"{line} -b 0 -i 0").err == ""


def test_registers_and_elements_are_written_as_elsewhere(ask, layoutgen) -> None:
    name = "table gfx942 v_mfma_f32_32x32x8_f16"
    plain = ask(f"{name} D -r 2,3,5 -l 3")
    assert ask(f"{name} D --register v[2:3],v5 -l 3") == plain
    one = ask(f"{name} D -i 5 -j 3")
    assert ask(f"{name} D[5][3]") == ask(f"{name} D D[5][3]") == one
    wrong = layoutgen(f"{name} D -r few")
    assert "'few' is not a list of registers such as 2, v2, v[2:3] or 0-3,8" in wrong.err


def test_a_cell_of_a_grid_tells_the_bits_of_a_part(ask) -> None:
    f64 = ask("table gfx942 v_mfma_f64_16x16x4_f64 D --by grid -l 0 -r 2,3 -f csv").lines
    assert '0,"0:4,0[31:0]","0:4,0[63:32]"' in f64
    fp6 = ask(
        "table gfx950 v_mfma_f32_16x16x128_f8f6f4 A --cbsz fp6 --by grid -l 0 -q -f csv"
    ).lines
    assert ',"0:0,5[5:2] 0:0,6 0:0,7 0:0,8 0:0,9 0:0,10[3:0]",' in fp6[1]


@pytest.mark.parametrize("by", ["element", "slot", "grid", "matrix"])
@pytest.mark.parametrize("transpose", ["", "--transpose"])
def test_json_of_every_arrangement_has_the_cells_of_csv(ask, by: str, transpose: str) -> None:
    line = f"{I8} --by {by} {transpose} --lane 35"
    document = ask(f"{line} -f json").json
    heading, *rows = csv.reader(io.StringIO(ask(f"{line} -f csv").out))
    if by == "slot" and not transpose:  # the contract has the columns of a table by element
        assert len(document["rows"]) == len(rows)
    else:
        assert document["columns"] == heading
        assert [[str(cell) for cell in row] for row in document["rows"]] == rows
