"""``layoutgen locate``: from an element to its register, lane and bits."""

from __future__ import annotations

import csv
import io

import pytest

CASES = [
    # From public threads: which row, which block, which byte.
    ("v_mfma_f32_16x16x4f16 D -i 6 -j 11 -b 2", "D[6][11] block 2 = a10 lane 27"),
    ("v_mfma_f32_32x32x1f32 D -i 13 -j 7 -b 1", "D[13][7] block 1 = a21 lane 39"),
    ("v_mfma_i32_16x16x16i8 A -i 3 -k 8", "A[3][8] block 0 = v0 lane 35 [7:0]"),
    ("v_mfma_i32_16x16x16i8 A -i 3 -k 9", "A[3][9] block 0 = v0 lane 35 [15:8]"),
    ("v_mfma_i32_16x16x16i8 A -i 3 -k 11", "A[3][11] block 0 = v0 lane 35 [31:24]"),
    ("v_mfma_f32_32x32x8f16 D -i 22 -j 5", "D[22][5] block 0 = a10 lane 37"),
    ("v_mfma_f32_16x16x16f16 D -i 6 -j 3", "D[6][3] block 0 = a2 lane 19"),
    ("v_mfma_f32_32x32x4bf16 A -i 20 -k 3", "A[20][3] block 0 = v0 lane 52 [31:16]"),
    ("v_mfma_f32_32x32x2bf16 A -i 20 -k 1 -b 1", "A[20][1] block 1 = v0 lane 52 [31:16]"),
    # Block and k are 0 unless given.
    ("v_mfma_f32_32x32x1f32 D -i 5 -j 3", "D[5][3] block 0 = a1 lane 35"),
    ("v_mfma_f32_32x32x1f32 A -i 5", "A[5][0] block 0 = v0 lane 5"),
    ("v_mfma_f32_32x32x1f32 B -j 5 -b 1", "B[0][5] block 1 = v0 lane 37"),
    # C lies as D does.
    ("v_mfma_f32_4x4x4f16 C -i 3 -j 1 -b 15", "C[3][1] block 15 = a3 lane 61"),
]


@pytest.mark.parametrize(("question", "expected"), CASES)
def test_one_element(ask, question: str, expected: str) -> None:
    assert ask(f"locate gfx908 {question}").out == f"{expected}\n"


@pytest.mark.parametrize("arch", ["gfx908", "cdna1", "mi100", "MI100"])
@pytest.mark.parametrize(
    "name",
    [
        "v_mfma_f32_32x32x1f32",
        "V_MFMA_F32_32X32X1F32",
        "v_mfma_f32_32x32x1_2b_f32",
        "mfma_f32_32x32x1f32",
        "__builtin_amdgcn_mfma_f32_32x32x1f32",
        "llvm.amdgcn.mfma.f32.32x32x1f32",
    ],
)
def test_every_name_of_the_instruction_serves(ask, arch: str, name: str) -> None:
    assert ask(f"locate {arch} {name} d -i 13 -j 7 -b 1").out == "D[13][7] block 1 = a21 lane 39\n"


def test_options_may_stand_anywhere_and_have_long_names(ask) -> None:
    short = ask("locate gfx908 v_mfma_f32_32x32x1f32 D -i 13 -j 7 -b 1")
    mixed = ask("locate --row 13 gfx908 --column=7 v_mfma_f32_32x32x1f32 --block 0x1 D")
    assert short == mixed


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        # Two groups of two blocks; in each, both read the second block of A.
        ("16x16x4f16 A -i 3 -k 1 -b 0 --cbsz 1 --abid 1", "v0 lane 19 [31:16]"),
        ("16x16x4f16 A -i 3 -k 1 -b 1 --cbsz 1 --abid 1", "v0 lane 19 [31:16]"),
        # All four read the third.
        ("16x16x4f16 A -i 3 -k 3 -b 1 --cbsz 2 --abid 2", "v1 lane 35 [31:16]"),
        # blgp 1 and 2 repeat a half of the lanes, 3 rotates, 4 to 7 repeat a quarter.
        ("32x32x1f32 B -j 7 -b 1 --blgp 1", "v0 lane 7"),
        ("32x32x1f32 B -j 7 -b 0 --blgp 2", "v0 lane 39"),
        ("32x32x1f32 B -j 23 -b 1 --blgp 3", "v0 lane 7"),
        ("32x32x1f32 B -j 23 -b 1 --blgp 6", "v0 lane 39"),
    ],
)
def test_with_modifiers_the_answer_is_where_the_multiplier_reads(
    layoutgen, question: str, expected: str
) -> None:
    answer = layoutgen(f"locate gfx908 v_mfma_f32_{question}")
    assert answer.code == 0
    assert f" = {expected} (read under " in answer.out


def test_a_modifier_that_does_not_concern_the_operand_is_remarked(layoutgen) -> None:
    line = "locate gfx908 v_mfma_f32_32x32x1f32 D -i 1 -j 1 --cbsz 1"
    answer = layoutgen(line)
    assert answer.out == "D[1][1] block 0 = a1 lane 1\n"
    assert answer.err == "layoutgen: note: --cbsz changes nothing for D\n"
    assert layoutgen(f"{line} --quiet").err == ""


def test_where_sources_disagree_the_other_answer_is_told(layoutgen) -> None:
    answer = layoutgen("locate gfx908 v_mfma_f32_16x16x4f16 A -i 3 -b 2 --cbsz 1 --abid 1")
    assert answer.out == "A[3][0] block 2 = v0 lane 51 [15:0] (read under cbsz:1 abid:1)\n"
    assert "sources disagree" in answer.err
    assert "lane 35" in answer.err


@pytest.mark.parametrize(
    ("question", "other"),
    [
        ("gfx942 v_mfma_f64_4x4x4f64 D[2][1] -b 1", "D[2][1] block 1 = v[0:1] lane 25"),
        ("gfx942 v_mfma_f64_4x4x4f64 D[2][1] -b 1 --sources", "D[2][1] block 1 = v[0:1] lane 25"),
        (
            "gfx90a v_mfma_f32_4x4x1f32 D[1][0] -b 5 --cbsz 2 --abid 3 --sources",
            "A[1][0] block 5 = v0 lane 53",
        ),
        ("gfx950 v_mfma_f32_16x16x128_f8f6f4 A[3][20]", "A[3][20] block 0 = v5 lane 3 [7:0]"),
        (
            "gfx950 v_mfma_f32_16x16x128_f8f6f4 A[3][20] --cbsz fp4 --blgp fp4",
            "A[3][20] block 0 = v0 lane 19 [19:16]",
        ),
        ("gfx942 v_smfmac_i32_16x16x64_i8 B[33][5]", "B[33][5] block 0 = v2 lane 5 [15:8]"),
        ("gfx950 v_smfmac_i32_16x16x128_i8 B[8][5]", "B[8][5] block 0 = v2 lane 5 [7:0]"),
    ],
)
def test_every_reading_that_is_not_followed_is_told(layoutgen, question: str, other: str) -> None:
    answer = layoutgen(f"locate {question}")
    assert answer.code == 0
    assert f"; some say: {other}" in answer.err


def test_where_sources_agree_nothing_is_remarked(ask) -> None:
    ask("locate gfx908 v_mfma_f32_16x16x4f16 A -i 3 -b 2 --cbsz 2 --abid 1")


def test_json_has_the_slots_by_name(ask) -> None:
    assert ask("locate gfx908 v_mfma_i32_16x16x16i8 A -i 3 -k 9 --format json").json == {
        "schema_version": 1,
        "arch": "gfx908",
        "instruction": "v_mfma_i32_16x16x16i8",
        "operand": "A",
        "wave": 64,
        "modifiers": {"cbsz": 0, "abid": 0, "blgp": 0},
        "element": {"b": 0, "i": 3, "k": 9},
        "slots": [{"lane": 35, "register": 0, "bit": 8, "width": 8, "name": "v0 lane 35 [15:8]"}],
    }


def test_csv_has_a_row_for_each_slot(ask) -> None:
    out = ask("locate gfx908 v_mfma_f32_32x32x1f32 D -i 13 -j 7 -b 1 --format csv").out
    (row,) = csv.DictReader(io.StringIO(out))
    assert row == {
        "operand": "D", "b": "1", "i": "13", "k": "", "j": "7",
        "lane": "39", "register": "21", "bit": "0", "width": "32",
    }  # fmt: skip


def test_sources_of_an_element_of_d_are_c_and_a_row_of_a_and_a_column_of_b(ask) -> None:
    answer = ask("locate gfx908 v_mfma_f32_32x32x2bf16 D -i 13 -j 7 -b 1 --sources")
    assert answer.lines == [
        "D[13][7] block 1 = a21 lane 39",
        "C[13][7] block 1 = a21 lane 39",
        "A[13][0] block 1 = v0 lane 45 [15:0]",
        "B[0][7] block 1 = v0 lane 39 [15:0]",
        "A[13][1] block 1 = v0 lane 45 [31:16]",
        "B[1][7] block 1 = v0 lane 39 [31:16]",
    ]


def test_sources_follow_the_modifiers(ask) -> None:
    line = "locate gfx908 v_mfma_f32_32x32x1f32 D -i 13 -j 7 -b 1 --sources"
    answer = ask(f"{line} --cbsz 1 --abid 0 --blgp 3")
    assert answer.lines[2:] == [
        "A[13][0] block 1 = v0 lane 13 (read under cbsz:1 blgp:3)",
        "B[0][7] block 1 = v0 lane 55 (read under cbsz:1 blgp:3)",
    ]
    behind = ask(f"{line} --format json").json["sources"]
    assert [source["operand"] for source in behind] == ["C", "A", "B"]


@pytest.mark.parametrize(
    ("arch", "question", "expected"),
    [
        ("gfx942", "v_mfma_f32_16x16x16_f16 D[5][3]", "D[5][3] block 0 = v1 lane 19"),
        ("gfx942", "v_mfma_f64_16x16x4_f64 D[9][3]", "D[9][3] block 0 = v[4:5] lane 19"),
        (
            "gfx942",
            "v_smfmac_f32_16x16x32_f16 index[3][7]",
            "index[3][7] block 0 = v0 lane 51 [7:4]",
        ),
        (
            "gfx942",
            "v_smfmac_f32_16x16x32_f16 index -i 3 -k 30",
            "index[3][7] block 0 = v0 lane 51 [7:4]",
        ),
        (
            "gfx950",
            "v_mfma_scale_f32_16x16x128_f8f6f4 scale_a -i 3 -k 70",
            "scale_a[3][2] block 0 = v0 lane 35 [7:0]",
        ),
        (
            "gfx950",
            "v_mfma_f32_16x16x128_f8f6f4 A[0][5] --cbsz fp6",
            "A[0][5] block 0 = v0 lane 0 [31:30], v1 lane 0 [3:0]",
        ),
        ("gfx90a", "v_mfma_f32_16x16x16f16 D[6][3] --base a[4:7]", "D[6][3] block 0 = a6 lane 19"),
        (
            "gfx942",
            "v_mfma_f32_16x16x16_f16 D[5][10] --transpose",
            "Dᵀ[5][10] = D[10][5] block 0 = v2 lane 37",
        ),
    ],
)
def test_operands_of_every_kind(ask, arch: str, question: str, expected: str) -> None:
    assert ask(f"locate {arch} {question}").out == f"{expected}\n"


def test_a_changed_sign_and_a_byte_are_told(ask) -> None:
    line = "locate gfx942 v_mfma_f64_16x16x4_f64 A -i 1 -k 1 --neg [1,0,0]"
    assert ask(line).out.endswith("lane 17 (its sign changed by neg:[1,0,0])\n")
    line = "locate gfx950 v_mfma_scale_f32_32x32x64_f8f6f4 scale_b --group 1 -j 5 --op-sel 0,1"
    assert "v0 lane 37 [15:8] (read under op_sel:[0,1,0] op_sel_hi:[0,0,0])" in ask(line).out


def test_sources_of_a_sparse_and_of_a_scaled_element(ask) -> None:
    line = "locate gfx942 v_smfmac_f32_16x16x32_f16 D -i 3 -j 7 --sources"
    chosen = ask(f"{line} --index 13").lines
    assert chosen[1:7] == [
        "C[3][7] block 0 = v3 lane 7",
        "index[3][0] block 0 = v0 lane 3 [3:0]",
        "A[3][0] block 0 = v0 lane 3 [15:0]",
        "B[1][7] block 0 = v0 lane 7 [31:16]",
        "A[3][1] block 0 = v0 lane 3 [31:16]",
        "B[3][7] block 0 = v1 lane 7 [31:16]",
    ]
    assert len(ask(line).lines) == 2 + 8 * (1 + 2 + 4)
    scaled = ask(
        "locate gfx950 v_mfma_scale_f32_16x16x128_f8f6f4 D[3][5] --sources -q -f csv"
    ).lines
    assert scaled[0] == "operand,b,i,k,j,group,lane,register,bit,width"
    assert scaled[3] == "scale_a,0,3,,,0,3,0,0,8"
    assert len(scaled) == 1 + 2 + 4 * (2 + 2 * 32)


@pytest.mark.parametrize("form", ["csv", "json"])
def test_the_base_and_the_transposed_name_are_in_every_format(ask, form: str) -> None:
    line = "locate gfx942 v_mfma_f32_16x16x16_f16 D -i 6 -j 3 --base a[4:7] --transpose -f"
    if form == "csv":
        (row,) = csv.DictReader(io.StringIO(ask(f"{line} csv").out))
        assert (row["i"], row["j"], row["lane"], row["register"]) == ("3", "6", "6", "7")
        assert (row["base"], row["transposed"]) == ("a4", "Dᵀ[6][3]")
    else:
        document = ask(f"{line} json").json
        assert document["base"] == "a4"
        assert document["transposed"] == {"b": 0, "i": 6, "j": 3}
        (slot,) = document["slots"]
        assert (slot["register"], slot["name"]) == (7, "a7 lane 6")


@pytest.mark.parametrize(
    ("base", "message"),
    [
        ("v240", "takes 32 registers, and there is no v271: the last is v255"),
        ("a300", "takes 32 registers, and there is no a331: the last is a255"),
    ],
)
def test_a_base_whose_registers_do_not_exist(layoutgen, base: str, message: str) -> None:
    answer = layoutgen(f"locate gfx942 v_mfma_f32_32x32x1f32 D -i 1 -j 1 --base {base}")
    assert (answer.code, answer.out) == (2, "")
    assert message in answer.err


def test_the_last_registers_serve_as_a_base(ask) -> None:
    line = "locate gfx942 v_mfma_f32_32x32x1f32 D -i 31 -j 31 -b 1 --base v224"
    assert ask(line).out == "D[31][31] block 1 = v255 lane 63\n"


@pytest.mark.parametrize(
    "element",
    [
        "'D[22][5]'",
        "D 'D[22][5]'",
        "D '[22][5]'",
        "'D[22,5]'",
        "D 'd[22, 5]'",
        "'D[22][5] block 0'",
    ],
)
def test_an_element_may_be_written_as_in_a_formula(ask, element: str) -> None:
    line = f"locate gfx942 v_mfma_f32_32x32x8_f16 {element}"
    assert ask(line).out == "D[22][5] block 0 = v10 lane 37\n"


@pytest.mark.parametrize("element", ["D[1][1]", "D -i 1 -j 1", "D D[1][1]"])
def test_notes_are_told_once(layoutgen, element: str) -> None:
    answer = layoutgen(f"locate gfx942 v_mfma_f32_32x32x8_f16 {element} -v")
    assert answer.err.count("is specified in") == answer.err.count("run on silicon") == 1


@pytest.mark.parametrize(
    ("question", "message"),
    [
        ("v_mfma_f32_32x32x8_f16 D A[1][2]", "'A[1][2]' is no element of D: write it as 'D[5][3]'"),
        ("v_mfma_f32_32x32x8_f16 D[1][2] D[1][2]", "say the same: give one of them"),
        ("v_mfma_f32_32x32x8_f16 D[1][2] -i 1", "D[1][2] and -i say the same"),
        ("v_mfma_f32_32x32x8_f16 D[1]", "D[1] is no element: write D[i][j]"),
        ("v_smfmac_f32_16x16x32_f16 index[3][30]", "the group that k 30 is in give -k 30"),
    ],
)
def test_what_is_no_element(layoutgen, question: str, message: str) -> None:
    answer = layoutgen(f"locate gfx942 {question}")
    assert (answer.code, answer.out) == (2, "")
    assert message in answer.err


def test_op_sel_may_be_written_as_in_assembly(ask) -> None:
    line = "locate gfx950 v_mfma_scale_f32_16x16x128_f8f6f4 scale_b[2][5] --op-sel"
    assert ask(f"{line} [0,1,0]") == ask(f"{line} 0,1")


def test_json_has_the_other_readings(ask) -> None:
    line = "locate gfx942 v_mfma_f64_4x4x4f64 D[2][1] -b 1 -q -f json"
    (other,) = ask(line).json["other_readings"]
    assert other["id"] == "f64-4x4x4-d"
    assert [slot["lane"] for slot in other["slots"]] == [25]


def test_c_lies_in_the_file_of_d_and_of_a_sparse_product_in_its_registers(ask) -> None:
    sparse = "gfx942 v_smfmac_f32_16x16x32_f16 D -i 3 -j 7 --sources --index 4 --base v8"
    assert ask(f"locate {sparse}").lines[:2] == [
        "D[3][7] block 0 = v11 lane 7",
        "C[3][7] block 0 = v11 lane 7",
    ]
    assert ask(f"locate {sparse} -f csv").lines[1:3] == [
        "D,0,3,,7,,7,11,0,32,v8",
        "C,0,3,,7,,7,11,0,32,v8",
    ]
    of_c = ask(f"locate {sparse} -f json").json["sources"][0]
    assert (of_c["slots"][0]["register"], of_c["base"]) == (11, "v8")
    dense = "gfx90a v_mfma_f32_16x16x16f16 D -i 6 -j 3 --sources --base a4"
    assert ask(f"locate {dense}").lines[:3] == [
        "D[6][3] block 0 = a6 lane 19",
        "C[6][3] block 0 = a2 lane 19",  # an offset: C may be other registers
        "A[6][0] block 0 = v0 lane 6 [15:0]",
    ]
    held = ask("element gfx942 v_smfmac_f32_16x16x32_f16 D -l 7 -r v11 --base v8 --sources")
    assert held.lines[:2] == ["v11 lane 7 = D[3][7] block 0", "  C[3][7] block 0 = v11 lane 7"]
