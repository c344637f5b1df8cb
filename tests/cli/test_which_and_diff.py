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
    assert lines[0].split()[-3:] == ["ops", "count", "total"]
    assert lines[1].split() == [
        *("gfx908", "v_mfma_f32_32x32x8f16", "f16", "f16", "f32", "32x32", "8", "1"),
        *("1024", "8", "512"),
    ]
    assert ask("which --a f16 gfx908").lines[0].split()[-1] == "ops"


def test_which_asks_all_architectures_unless_some_are_named(ask, newer: Path) -> None:
    lines = ask("which --a bf16 -k 16 --format csv --spec-dir", newer).lines[1:]
    assert {line.split(",")[0] for line in lines} >= {"gfx908", "gfx9ff"}
    (line,) = ask("which --a bf16 gfx9ff --format csv --spec-dir", newer).lines[1:]
    assert line.startswith("gfx9ff,v_mfma_f32_16x16x16bf16_1k,bf16,bf16,f32,16x16,16,1,1024")


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
