"""Rules of other GPUs and readings of other sources are known in a table, and blocks renamed."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import layoutgen
from layoutgen.comparison import Comparison, compare
from layoutgen.comparison.elsewhere import RULES
from layoutgen.disputes import LAYOUTS, other_readings
from layoutgen.model import Instruction, Operand

ARCHS = layoutgen.archs()
GFX90A, GFX942, GFX950 = ARCHS["gfx90a"], ARCHS["gfx942"], ARCHS["gfx950"]
ONE_TILE = GFX942["v_mfma_f32_16x16x16_f16"]
FOUR_BLOCKS = GFX942["v_mfma_f32_16x16x1_4b_f32"]
SIXTEEN_BLOCKS = GFX942["v_mfma_f32_4x4x1_16b_f32"]
F64_BLOCKS = GFX942["v_mfma_f64_4x4x4_4b_f64"]
SCALED = GFX950["v_mfma_scale_f32_16x16x128_f8f6f4"]
SPARSE = GFX942["v_smfmac_i32_16x16x64_i8"]
DOUBLED = GFX950["v_smfmac_i32_16x16x128_i8"]

Rule = Callable[..., tuple[int, int]]
"""From coordinates to lane and first bit in the lane."""


def table(operand: Operand, rule: Rule) -> list[list[int]]:
    rows = []
    for at in np.ndindex(tuple(operand.layout.shape.values())):
        lane, start = rule(**dict(zip(operand.layout.shape, at, strict=True)))
        rows.append([*at, lane, start // 32, start % 32, operand.format.bits])
    return rows


def of(inst: Instruction, name: str, rule: Rule, **modifiers: int) -> Comparison:
    operand = inst.operand(name, **modifiers)
    return compare(inst, name, table(operand, rule), **modifiers)


def name_of(found: Comparison) -> str:
    assert found.verdict in ("different", "k-order")
    assert found.mistake is not None
    return found.mistake.name


@pytest.mark.parametrize(
    ("rule", "name"),
    [
        (lambda b, i, j: (j + 16 * (i % 2), 32 * (i // 2)), "the rule of gfx11 in wave32"),
        (lambda b, i, j: (j + 16 * (i // 8), 32 * (i % 8)), "the rule of gfx12 in wave32"),
        (
            lambda b, i, j: (j + 16 * (i // 8) + 32 * (i // 4 % 2), 32 * (i % 4)),
            "the rule of gfx12 in wave64",
        ),
        (
            lambda b, i, j: (j + 16 * (i % 4), 32 * (i // 4)),
            "the layout of D of v_mfma_f64_16x16x4_f64 on gfx942: FP64 rows used for FP32; "
            "also the rule of gfx11 in wave64",
        ),
    ],
)
def test_rows_of_wave_matrix_instructions(rule: Rule, name: str) -> None:
    found = of(ONE_TILE, "D", rule)
    assert name_of(found).replace("gfx90a", "gfx942").replace("4f64", "4_f64") == name
    assert found.mistake is not None
    assert "RDNA" in found.mistake.source


def test_factors_of_wave_matrix_instructions() -> None:
    found = of(ONE_TILE, "A", lambda b, i, k: (i + 16 * (k // 4 % 2), 16 * (k % 4 + 4 * (k // 8))))
    assert name_of(found) == "the rule of gfx12 in wave32"
    copied = [
        [0, i, k, i + 16 * copy, k // 2, k % 2 * 16, 16]
        for i in range(16)
        for k in range(16)
        for copy in range(2)
    ]
    assert name_of(compare(ONE_TILE, "A", copied)) == "the rule of gfx11 in wave32"
    wide = GFX950["v_mfma_f32_16x16x32_f16"]
    found = of(wide, "B", lambda b, k, j: (j + 16 * (k // 8 % 2), 16 * (k % 8 + 8 * (k // 16))))
    assert name_of(found) == "the rule of gfx1250"


def test_every_rule_elsewhere_is_a_whole_tile_and_says_where_it_stands() -> None:
    for rule in RULES:
        assert rule.source
        shape = rule.layout.shape
        assert len(rule.layout.table()) % np.prod(list(shape.values())) == 0
        assert rule.layout.lanes in (32, 64)


@pytest.mark.parametrize("order", [(0, 2, 1, 3), (3, 1, 2, 0), (1, 2, 3, 0)])
def test_blocks_in_any_order(order: tuple[int, ...]) -> None:
    found = of(
        FOUR_BLOCKS,
        "D",
        lambda b, i, j: (j + 16 * (i // 4), 32 * (i % 4 + 4 * order.index(b))),
    )
    assert name_of(found) == "wrong block order: blocks renamed"
    assert found.renamed == ("b", tuple(order.index(b) for b in range(4)))


@pytest.mark.parametrize(
    "place", [lambda b: int(f"{b:04b}"[::-1], 2), lambda b: b % 4 * 4 + b // 4]
)
def test_sixteen_blocks_in_another_order(place: Callable[[int], int]) -> None:
    found = of(SIXTEEN_BLOCKS, "D", lambda b, i, j: (j + 4 * place(b), 32 * i))
    assert name_of(found) == "wrong block order: blocks renamed"
    assert found.renamed == ("b", tuple(map(place, range(16))))


def test_groups_of_one_row_packed_into_one_lane() -> None:
    packed = "all groups of a row in one lane"
    assert name_of(of(SCALED, "scale_a", lambda b, i, group: (i, 8 * group))) == packed
    sparse = GFX942["v_smfmac_f32_16x16x32_f16"]
    assert name_of(of(sparse, "index", lambda b, i, group: (i, 4 * group))) == packed
    copied = [
        [0, i, group, i + 16 * copy, 0, 8 * group, 8]
        for i in range(16)
        for group in range(4)
        for copy in range(4)
    ]
    found = compare(SCALED, "scale_a", copied)
    assert name_of(found) == f"{packed}, and copies in the others"


def told(found: Comparison) -> list[tuple[str, str]]:
    return [(d.disagreement.id, d.reading.name) for d in found.disputes]


def sparse_b(b: int, k: int, j: int) -> tuple[int, int]:
    """Return where hip-fpsan has B: k = 32·⌊e/8⌋ + 8g + e mod 8."""
    return j + 16 * (k // 8 % 4), 8 * (k // 32 * 8 + k % 8)


def sparse_a(b: int, i: int, k: int) -> tuple[int, int]:
    """Return where hip-fpsan has A: position 16·⌊byte/4⌋ + 4g + byte mod 4."""
    return i + 16 * (k // 4 % 4), 8 * (k // 16 * 4 + k % 4)


def sparse_index(b: int, i: int, group: int) -> tuple[int, int]:
    """Return the index of two stored positions of A beside one another."""
    lane, start = sparse_a(b, i, 2 * group)
    return lane, start // 8 * 2


@pytest.mark.parametrize(
    ("inst", "operand", "rule", "dispute"),
    [
        (F64_BLOCKS, "D", lambda b, i, j: (j + 4 * i + 16 * b, 0), ("f64-4x4x4-d", "formula")),
        (SPARSE, "B", sparse_b, ("sparse-8-bit-k", "chunks")),
        (SPARSE, "A", sparse_a, ("sparse-8-bit-k", "chunks")),
        (SPARSE, "index", sparse_index, ("sparse-8-bit-k", "chunks")),
        (
            DOUBLED,
            "B",
            lambda b, k, j: (j + 16 * (k // 16 % 4), 8 * (k // 64 * 16 + k % 16)),
            ("sparse-8-bit-doubled-k", "chunks16"),
        ),
        (
            SCALED,
            "A",
            lambda b, i, k: (i + 16 * (k // 32), 8 * (k % 32)),
            ("f8f6f4-chunks", "consecutive"),
        ),
    ],
)
def test_the_reading_of_another_source_is_told(
    inst: Instruction, operand: str, rule: Rule, dispute: tuple[str, str]
) -> None:
    found = of(inst, operand, rule)
    assert found.verdict == "different"
    assert told(found) == [dispute]
    right = compare(inst, operand, inst.operand(operand).table())
    assert right.equal
    assert dispute in told(right), "a table that is right rests on one of the readings, too"


def test_runs_of_sixteen_are_told_where_both_operands_are_narrow() -> None:
    def rule(b: int, i: int, k: int) -> tuple[int, int]:
        return i + 16 * (k // 16 % 4), 4 * (k // 64 * 16 + k % 16)

    assert told(of(SCALED, "A", rule, cbsz=4, blgp=4)) == [("scaled-narrow-k", "runs16")]
    assert told(of(SCALED, "A", rule, cbsz=4)) == []  # B has 8 bits: nobody says so


def test_a_b_and_index_of_a_sparse_product_are_renamed_together() -> None:
    for inst in (SPARSE, DOUBLED):
        assert {
            name
            for name in inst.operands
            for _ in other_readings(ARCHS["gfx950"], inst, inst.operand(name))
        } == {"A", "B", "index"}


def test_the_global_reading_of_cbsz_is_told() -> None:
    inst = GFX90A["v_mfma_f32_4x4x1f32"]
    found = of(inst, "A", lambda b, i, k: ((i + 4 * b) % 16 + 16 * 3, 0), cbsz=2, abid=3)
    assert told(found) == [("cbsz-groups", "global")]
    assert found.disputes[0].followed.name == "local"


def test_what_nobody_disputes_has_no_other_reading() -> None:
    assert told(compare(ONE_TILE, "D", ONE_TILE.operand("D").table())) == []
    assert told(of(F64_BLOCKS, "D", lambda b, i, j: (b + 4 * i + 16 * j, 0))) == []


def test_every_reading_with_a_table_is_one_of_the_specifications() -> None:
    known = {
        (entry.id, reading.name)
        for arch in ARCHS.values()
        for entry in arch.disagreements
        for reading in entry.readings
        if reading.name != entry.followed
    }
    assert LAYOUTS.keys() <= known
    made = {
        (d.disagreement.id, d.reading.name)
        for arch in ARCHS.values()
        for inst in arch.values()
        for given in inst.rules.combinations()
        for name in ("A", "D")
        for d in other_readings(arch, inst, inst.operand(name, **given.as_dict()))
    }
    assert made == LAYOUTS.keys()
