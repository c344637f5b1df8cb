"""``layoutgen which`` and ``layoutgen diff``."""

from __future__ import annotations

from pathlib import Path

import pytest

NEWER = """\
architecture: gfx9ff
title: Test
series: MI999
wave: 64
matrix_cores_per_cu: 4
register_files: {A: [v, a], B: [v, a], C: [v, a], D: [v, a]}
evidence: [{grade: document only, by: a test, sources: [calculator]}]
instructions:
  mfma_f32_16x16x4f32: {cycles: 16, coexec: 8}
  mfma_f32_16x16x16f16: {cycles: 32, coexec: 24}
  mfma_f32_16x16x16bf16_1k: {cycles: 32, coexec: 24}
"""


@pytest.fixture
def newer(tmp_path: Path) -> Path:
    (tmp_path / "gfx9ff.yaml").write_text(NEWER, encoding="utf-8")
    return tmp_path


def test_which_lists_the_best_first_with_counts_for_a_tile(ask) -> None:
    lines = ask("which --a f16 -m 64 -n 64 -k 16 gfx908").lines
    assert lines[0].split()[-4:] == ["cycles", "ops", "count", "total"]
    assert lines[1].split() == [
        *("gfx908", "v_mfma_f32_32x32x8f16", "f16", "f16", "f32", "32x32", "8", "1"),
        *("64", "1024", "8", "512"),
    ]
    assert ask("which --a f16 gfx908").lines[0].split()[-1] == "ops"


def test_which_asks_all_architectures_unless_some_are_named(ask, newer: Path) -> None:
    lines = ask("which --a bf16 -k 16 --format csv --spec-dir", newer).lines[1:]
    assert {line.split(",")[0] for line in lines} >= {"gfx908", "gfx9ff"}
    (line,) = ask("which --a bf16 gfx9ff --format csv --spec-dir", newer).lines[1:]
    assert line.startswith("gfx9ff,v_mfma_f32_16x16x16bf16_1k,,bf16,bf16,f32,16x16,16,1,32,1024")


def test_which_as_json(ask) -> None:
    document = ask("which --a i8 -m 32 -n 32 -k 8 mi100 --format json").json
    assert document["asked"] == {"a": "i8", "b": None, "d": None, "m": 32, "n": 32, "k": 8}
    first = document["instructions"][0]
    assert first["instruction"] == "v_mfma_i32_32x32x8i8"
    assert (first["arch"], first["count"], first["total_cycles"]) == ("gfx908", 1, 64)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (
            "which --a f64 gfx908",
            "no instruction of gfx908 has A f64: A may be f32, f16, bf16, i8; D may be f32, i32",
        ),
        ("which --a i8 --d f32 gfx908", "no instruction of gfx908 has A i8, D f32: "),
        (
            "which --a i8 -m 24 -n 40 gfx908",
            "no instruction of gfx908 fits that tile: with these types there are 32x32x8, ",
        ),
    ],
)
def test_nothing_that_suits_is_exit_code_1_and_says_what_there_is(
    layoutgen, line: str, expected: str
) -> None:
    answer = layoutgen(line)
    assert (answer.code, answer.out) == (1, "")
    assert answer.err.startswith(f"layoutgen: {expected}")


def test_diff_groups_what_instructions_share(ask, newer: Path) -> None:
    lines = ask("diff gfx908 gfx9ff --spec-dir", newer).lines
    assert lines[0] == "gfx908 (CDNA, MI100) -> gfx9ff (Test, MI999)"
    assert lines[1] == "instructions: 20 -> 3"
    assert lines[lines.index("only on gfx9ff: 1") + 1] == "  v_mfma_f32_16x16x16bf16_1k"
    assert "only on gfx908: 18" in lines
    assert "on both: 2, of which 2 changed" in lines
    assert lines[lines.index("  cycles: 32 -> 16") + 1] == "    v_mfma_f32_16x16x4f32"
    assert lines[lines.index("  register files of D: a -> v or a") + 1] == "    all 2"
    named = ask("diff gfx908 gfx9ff --all --spec-dir", newer).lines
    both = "    v_mfma_f32_16x16x4f32, v_mfma_f32_16x16x16f16"
    assert named[named.index("  register files of D: a -> v or a") + 1] == both


def test_diff_as_json(ask, newer: Path) -> None:
    document = ask("diff gfx908 gfx9ff --format json --spec-dir", newer).json
    assert document["added"] == ["v_mfma_f32_16x16x16bf16_1k"]
    assert len(document["removed"]) == 18
    changes = document["changed"]["v_mfma_f32_16x16x4f32"]
    assert {"fact": "cycles", "old": "32", "new": "16"} in changes


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("which --a f17", "no type 'f17'; nearest: "),
        ("which --a f16 -m 0", "-m 0 is out of range: 1 or more"),
        ("which --a f16 -k few", "'few' is not a whole number"),
        ("which gfx907", "no architecture 'gfx907'; nearest: gfx950"),
        ("diff gfx908", "NEW"),
        ("diff gfx908 gfx907", "no architecture 'gfx907'; nearest: gfx950"),
        ("diff gfx908 gfx908 --format csv", "invalid choice: 'csv'"),
    ],
)
def test_wrong_input_is_one_message(layoutgen, line: str, expected: str) -> None:
    answer = layoutgen(line)
    assert (answer.code, answer.out) == (2, "")
    (message,) = answer.err.splitlines()
    assert message.startswith("layoutgen: error: ")
    assert expected in message


def test_which_names_the_modifiers_that_choose_the_formats(ask) -> None:
    line = "which --a fp4 --b fp6 -m 32 -n 32 -k 128 gfx950 -f csv"
    assert ask(line).lines[1] == (
        "gfx950,v_mfma_f32_32x32x64_f8f6f4,cbsz:4 blgp:2,fp4,fp6,f32,32x32,64,1,32,16384,2,64"
    )
    first = ask(line.replace("csv", "json")).json["instructions"][0]
    assert first["modifiers"] == {"cbsz": 4, "blgp": 2}
    assert (first["types"]["A"], first["registers"]["A"], first["cycles"]) == ("fp4", 4, 32)
    assert not any("scale" in row for row in ask(f"{line} --no-scales").lines)


def test_which_of_mixed_types_and_transposed(ask) -> None:
    line = "which --a bf8 --b fp8 -m 16 -n 16 -k 32 gfx942 -f csv"
    assert "v_mfma_f32_16x16x32_bf8_fp8," in ask(line).lines[1]
    assert "v_mfma_f32_16x16x32_fp8_bf8," in ask(f"{line} --transpose").lines[1]


def test_which_with_a_sparse_a(ask) -> None:
    line = "which --a fp8 -m 16 -n 16 -k 128 gfx950 -f csv"
    assert not any("smfmac" in row for row in ask(line).lines)
    assert ask(f"{line} --sparse").lines[1] == (
        "gfx950,v_smfmac_f32_16x16x128_fp8_fp8,,fp8,fp8,f32,16x16,128,1,16,16384,1,16"
    )


def test_diff_of_two_generations(ask) -> None:
    document = ask("diff gfx90a gfx942 -f json").json
    assert document["renamed"]["v_mfma_f32_32x32x1f32"] == "v_mfma_f32_32x32x1_2b_f32"
    assert len(document["renamed"]) == 20
    assert set(document["removed"]) == {
        "v_mfma_f32_32x32x2bf16", "v_mfma_f32_16x16x2bf16", "v_mfma_f32_4x4x2bf16",
        "v_mfma_f32_32x32x4bf16", "v_mfma_f32_16x16x8bf16",
        "v_mfma_i32_32x32x8i8", "v_mfma_i32_16x16x16i8",
    }  # fmt: skip
    assert sum(name.startswith("v_smfmac") for name in document["added"]) == 14
    changes = document["changed"]["v_mfma_f32_32x32x8f16"]
    assert {"fact": "cycles", "old": "64", "new": "32"} in changes
    assert {"fact": "legal neg", "old": "none", "new": "0 to 7"} in document["changed"][
        "v_mfma_f64_16x16x4f64"
    ]


def test_diff_tells_of_formats_and_waits_that_changed_under_one_name(ask) -> None:
    text = ask("diff gfx942 gfx950").out
    assert text.index("type of A: FP8") < text.index("-> not published")
    assert "on both: 44, of which 18 changed\n" in text
    assert "  type of A: FP8 (E4M3 FNUZ) -> FP8 (E4M3)" in text
    assert "  cycles that VALU work overlaps: 60 -> not published" in text
    waits = "5, 7, 11, 19 after 2, 4, 8, 16 passes -> 5, 8, 12, 20 after 2, 4, 8, 16 passes"
    assert waits in " ".join(text.split())
    assert "only on gfx942: 2\n  v_mfma_f32_16x16x8_xf32\n  v_mfma_f32_32x32x4_xf32\n" in text
    files = ask("diff gfx908 gfx90a").out
    assert "archVGPRs and accVGPRs: two files -> one file" in files
    assert "first register of several: any -> a multiple of 2" in files


def test_two_names_of_one_architecture_are_told_to_be_one(ask) -> None:
    assert ask("diff mi300x mi300a").out == (
        "one architecture, gfx942 (CDNA3, MI300 series): nothing changes\n"
    )
    assert ask("diff mi300x mi300a -f json").json["changed"] == {}


def test_modifiers_have_a_column_of_their_own(ask) -> None:
    heading = "architecture,instruction,modifiers,A,B,D,tile,k,blocks,cycles,ops"
    assert ask("which --a f16 gfx942 -f csv").lines[0] == heading
    assert "modifiers" not in ask("which --a f16 gfx942").lines[0]
    assert "modifiers" in ask("which --a fp4 gfx950").lines[0]


def test_which_takes_names_of_libraries(layoutgen) -> None:
    answer = layoutgen("which --a f8E4M3FN gfx942 gfx950 -f csv")
    assert (answer.code, {line.split(",")[0] for line in answer.lines[1:]}) == (0, {"gfx950"})
    refused = layoutgen("which --a f8E4M3FN gfx942")
    assert (refused.code, refused.out) == (2, "")
    assert "here fp8 is FP8 (E4M3 FNUZ)" in refused.err
