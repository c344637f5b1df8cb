"""``layoutgen element``: from a register and lane to the elements in it."""

from __future__ import annotations

import pytest

CASES = [
    ("v_mfma_f32_32x32x1f32 D --lane 37 --register 6", "a6 lane 37 = D[14][5] block 0"),
    ("v_mfma_f32_16x16x4f16 D --lane 50 --register 9", "a9 lane 50 = D[13][2] block 2"),
    ("v_mfma_f32_32x32x8f16 D --lane 37 --register 6", "a6 lane 37 = D[14][5] block 0"),
    ("v_mfma_f32_32x32x1f32 A -l 37 -r v0", "v0 lane 37 = A[5][0] block 1"),
    ("v_mfma_f32_32x32x1f32 C -l 37 -r a6", "a6 lane 37 = C[14][5] block 0"),
]


@pytest.mark.parametrize(("question", "expected"), CASES)
def test_a_register_with_one_element(ask, question: str, expected: str) -> None:
    assert ask(f"element gfx908 {question}").out == f"{expected}\n"


def test_a_packed_register_holds_several_elements(ask) -> None:
    answer = ask("element gfx908 v_mfma_i32_16x16x16i8 A --lane 35 --register 0")
    assert answer.lines == [
        "v0 lane 35 [7:0] = A[3][8] block 0",
        "v0 lane 35 [15:8] = A[3][9] block 0",
        "v0 lane 35 [23:16] = A[3][10] block 0",
        "v0 lane 35 [31:24] = A[3][11] block 0",
    ]


def test_without_a_register_everything_that_the_lane_holds(ask) -> None:
    line = "element gfx908 v_mfma_f32_32x32x8f16 D --lane 37 --format json"
    held = ask(line).json["elements"]
    assert {e["j"] for e in held} == {5}
    rows = [*range(4, 8), *range(12, 16), *range(20, 24), *range(28, 32)]
    assert [(e["register"], e["i"]) for e in held] == list(enumerate(rows))


def test_a_broadcast_register_has_all_its_readers(ask) -> None:
    answer = ask(
        "element gfx908 v_mfma_f32_16x16x1f32 A --lane 17 --register 0 --cbsz 1 --abid 1 -q"
    )
    assert answer.lines == [
        "v0 lane 17 = A[1][0] block 0 (read under cbsz:1 abid:1)",
        "v0 lane 17 = A[1][0] block 1 (read under cbsz:1 abid:1)",
    ]


def test_a_register_that_is_never_read_says_so(ask) -> None:
    line = "element gfx908 v_mfma_f32_16x16x1f32 A --lane 1 --register 0 --cbsz 1 --abid 1"
    assert ask(line).out == "v0 lane 1 is not read under cbsz:1 abid:1\n"
    assert ask(f"{line} --format json").json["elements"] == []


def test_a_thread_id_is_split_into_wave_and_lane(ask) -> None:
    line = "element gfx908 v_mfma_f32_32x32x1f32 D --thread 165 --register 6"
    assert ask(line).lines == ["thread 165 = wave 2 lane 37", "a6 lane 37 = D[14][5] block 0"]
    found = ask(f"{line} --format json").json
    assert (found["thread"], found["wave_index"], found["lane"]) == (165, 2, 37)


def test_sources_of_what_a_register_holds(ask) -> None:
    line = "element gfx908 v_mfma_f32_32x32x1f32 D --lane 39 --register 21 --sources"
    assert ask(line).lines == [
        "a21 lane 39 = D[13][7] block 1",
        "  C[13][7] block 1 = a21 lane 39",
        "  A[13][0] block 1 = v0 lane 45",
        "  B[0][7] block 1 = v0 lane 39",
    ]
    (element,) = ask(f"{line} --format json").json["elements"]
    assert [source["operand"] for source in element["sources"]] == ["C", "A", "B"]


def test_csv_columns_are_those_of_a_table_by_slot(ask) -> None:
    line = "element gfx908 v_mfma_f32_32x32x1f32 D --lane 37 --register 6 --format csv"
    assert ask(line).lines == ["lane,register,bit,width,b,i,j", "37,6,0,32,0,14,5"]


def test_element_undoes_locate(ask) -> None:
    name = "gfx908 v_mfma_f32_16x16x4f16 D"
    for i, j, b in ((0, 0, 0), (6, 11, 2), (15, 15, 3), (9, 4, 1)):
        (slot,) = ask(f"locate {name} -i {i} -j {j} -b {b} -f json").json["slots"]
        at = f"--lane {slot['lane']} --register {slot['register']}"
        (element,) = ask(f"element {name} {at} -f json").json["elements"]
        assert (element["i"], element["j"], element["b"]) == (i, j, b)


@pytest.mark.parametrize(
    ("arch", "question", "expected"),
    [
        (
            "gfx90a",
            "v_mfma_f64_16x16x4f64 D -l 19 -r 4",
            "v4 lane 19 = D[9][3] block 0 bits [31:0]",
        ),
        (
            "gfx90a",
            "v_mfma_f64_16x16x4f64 D -l 19 -r 5",
            "v5 lane 19 = D[9][3] block 0 bits [63:32]",
        ),
        (
            "gfx942",
            "v_mfma_f32_16x16x16_f16 D -l 37 -r a6 --base a4 --transpose",
            "a6 lane 37 = D[10][5] block 0 = Dᵀ[5][10]",
        ),
    ],
)
def test_a_register_of_every_kind(ask, arch: str, question: str, expected: str) -> None:
    assert ask(f"element {arch} {question}").out == f"{expected}\n"


def test_elements_that_straddle_registers(ask) -> None:
    line = "element gfx950 v_mfma_f32_16x16x128_f8f6f4 A --lane 0 -r 1 --cbsz fp6"
    lines = ask(line).lines
    assert lines[0] == "v1 lane 0 [3:0] = A[0][5] block 0 bits [5:2]"
    assert lines[1] == "v1 lane 0 [9:4] = A[0][6] block 0"
    assert lines[-1] == "v1 lane 0 [31:28] = A[0][10] block 0 bits [3:0]"


def test_a_set_of_the_index_that_is_not_read(ask) -> None:
    line = "element gfx942 v_smfmac_f32_16x16x32_f16 index --lane 51"
    assert ask(f"{line} --abid 2").lines == [
        "v0 lane 51 [19:16] = index[3][6] block 0 (read under abid:2)",
        "v0 lane 51 [23:20] = index[3][7] block 0 (read under abid:2)",
    ]


def test_sources_with_an_index(ask) -> None:
    line = "element gfx942 v_smfmac_f32_16x16x32_f16 D -t 71 -r 3 --sources --index 4"
    lines = ask(line).lines
    assert lines[:2] == ["thread 71 = wave 1 lane 7", "v3 lane 7 = D[3][7] block 0"]
    assert lines[4:6] == [
        "  A[3][0] block 0 = v0 lane 3 [15:0]",
        "  B[0][7] block 0 = v0 lane 7 [15:0]",
    ]


def test_several_registers_at_once(ask) -> None:
    line = "element gfx90a v_mfma_f64_16x16x4f64 D --lane 16 --register"
    assert ask(f"{line} v[0:1]").lines == [
        "v0 lane 16 = D[1][0] block 0 bits [31:0]",
        "v1 lane 16 = D[1][0] block 0 bits [63:32]",
    ]
    assert ask(f"{line} a[8:9] --base a8").lines[0].startswith("a8 lane 16 = D[1][0]")


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("gfx942 v_mfma_f64_4x4x4f64 D -l 37", ["37,0,0,64,1,2,1"]),
        ("gfx942 v_mfma_f64_4x4x4f64 D -l 37 -r 1", ["37,0,0,64,1,2,1"]),
        (
            "gfx950 v_mfma_f32_16x16x128_f8f6f4 A -l 0 -r 1 --cbsz fp6",
            ["0,0,30,6,0,0,5", "0,1,4,6,0,0,6", "0,1,10,6,0,0,7"],
        ),
    ],
)
def test_csv_has_the_slot_of_an_element_whichever_of_its_registers_is_asked_for(
    ask, question: str, rows: list[str]
) -> None:
    assert ask(f"element {question} -q -f csv").lines[1:4] == rows


def test_json_tells_slot_and_part(ask) -> None:
    line = "element gfx942 v_mfma_f64_4x4x4f64 D -l 37 -r a9 --base a8 -q -f json"
    (element,) = ask(line).json["elements"]
    assert (element["register"], element["bit"], element["width"]) == (8, 0, 64)
    assert element["part"] == {"register": 9, "bits": [32, 63], "name": "a9 lane 37"}


@pytest.mark.parametrize("question", [
    "gfx942 v_mfma_f64_16x16x4_f64 D", "gfx950 v_mfma_f32_16x16x128_f8f6f4 A --cbsz fp6",
    "gfx908 v_mfma_i32_16x16x16i8 A",
])  # fmt: skip
def test_all_lanes_together_are_the_table_by_slot(ask, question: str) -> None:
    rows = [row for lane in range(64) for row in ask(f"element {question} -l {lane} -f csv").lines]
    table = ask(f"table {question} --by slot -f csv").lines
    assert [table[0], *(row for row in rows if row != table[0])] == table


@pytest.mark.parametrize("form", ["csv", "markdown", "json"])
def test_sources_are_told_in_every_format(ask, form: str) -> None:
    name = "gfx942 v_mfma_f32_32x32x8_f16 D"
    found = ask(f"element {name} -t 200 -r 2 --sources -f {form}")
    wanted = ask(f"locate {name} -i 2 -j 8 --sources -f {form}")
    if form == "json":
        (element,) = found.json["elements"]
        assert element["sources"] == wanted.json["sources"]
    else:
        assert found == wanted


def test_every_element_of_a_lane_has_its_own_sources(ask) -> None:
    lines = ask("element gfx908 v_mfma_f32_4x4x1f32 D -l 5 --sources -f csv").lines
    assert [line.partition(",")[0] for line in lines[1:]] == ["D", "C", "A", "B"] * 4
    turned = "element gfx942 v_mfma_f32_16x16x16_f16 D -l 37 -r a6 --base a4 --transpose -f csv"
    assert ask(turned).lines == [
        "lane,register,bit,width,b,i,j,base,transposed",
        "37,6,0,32,0,10,5,a4,Dᵀ[5][10]",
    ]


def test_where_sources_disagree_the_other_answer_is_told(layoutgen) -> None:
    answer = layoutgen("element gfx90a v_mfma_f32_4x4x1f32 A -l 53 --cbsz 2 --abid 3")
    assert answer.out == "v0 lane 53 is not read under cbsz:2 abid:3\n"
    assert "sources disagree: which blocks share a block of A under cbsz; some say: " in answer.err
    assert "v0 lane 53 = A[1][0] block 1, A[1][0] block 5" in answer.err
    line = "element gfx942 v_mfma_f64_4x4x4f64 D -l 37"
    assert "some say: v0 lane 37 = D[1][1] block 2 (see" in layoutgen(line).err
    assert layoutgen(f"{line} -q").err == ""
    behind = layoutgen(
        "element gfx90a v_mfma_f32_4x4x1f32 D -l 20 -r 1 --sources --cbsz 2 --abid 3"
    )
    assert "some say: A[1][0] block 5 = v0 lane 53 (see" in behind.err


def test_a_modifier_that_does_not_concern_the_operand_is_remarked(layoutgen) -> None:
    line = "gfx950 v_mfma_f32_16x16x128_f8f6f4 B"
    note = "layoutgen: note: --cbsz changes nothing for B\n"
    assert note in layoutgen(f"element {line} -l 3 -r 1 --cbsz fp6").err
    assert note in layoutgen(f"table {line} --cbsz fp6").err


def test_registers_are_named_by_the_letter_that_was_asked_for(ask, layoutgen) -> None:
    line = "element gfx942 v_mfma_f32_32x32x8_f16 D -l 5 -r"
    assert ask(f"{line} a6").out == "a6 lane 5 = D[10][5] block 0\n"
    assert ask(f"{line} 6").out == "v6 lane 5 = D[10][5] block 0\n"
    other = layoutgen("element gfx908 v_mfma_f32_32x32x1f32 D -l 37 -r v6")
    assert other.out == "a6 lane 37 = D[14][5] block 0\n"
    assert "lies in accVGPRs only: a, not v" in other.err
    refused = layoutgen(f"{line} v6 --base a0")
    assert refused.code == 2
    assert "--register v6 is none of D" in refused.err
