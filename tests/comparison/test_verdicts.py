"""Verdicts: what is right is equal, and planted mistakes are known by name."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

import layoutgen
from layoutgen.comparison import Comparison, compare
from layoutgen.digits import Digit, Layout
from layoutgen.model import Architecture, Instruction, Operand

ARCHS = layoutgen.archs()
GFX908 = ARCHS["gfx908"]
ONE_TILE = GFX908["v_mfma_f32_32x32x2f32"]
TWO_BLOCKS = GFX908["v_mfma_f32_32x32x1f32"]

Rule = Callable[..., tuple[int, int]]
"""From coordinates to lane and item."""


def each_operand() -> Iterator[object]:
    for arch in ARCHS.values():
        for inst in arch.values():
            for name in inst.operands:
                yield pytest.param(inst, name, id=f"{arch.name} {inst.mnemonic} {name}")


OPERANDS = list(each_operand())


def table(operand: Operand, rule: Rule) -> list[list[int]]:
    """Return the rows of an operand whose elements lie where `rule` says."""
    width = operand.format.bits
    rows = []
    for at in np.ndindex(tuple(operand.layout.shape.values())):
        lane, item = rule(**dict(zip(operand.layout.shape, at, strict=True)))
        start = item * width
        rows.append([*at, lane, start // 32, start % 32, width])
    return rows


def of(inst: Instruction, name: str, rule: Rule) -> Comparison:
    return compare(inst, name, table(inst.operands[name], rule))


@pytest.mark.parametrize(("inst", "name"), OPERANDS)
def test_the_operands_own_table_is_equal(inst: Instruction, name: str) -> None:
    found = compare(inst, name, inst.operand(name).table())
    assert found.equal
    assert found.verdict == "equal"
    assert found.agreeing == found.elements == np.prod(list(found.operand.layout.shape.values()))
    assert found.differences() == []
    assert found.mistake is None
    assert (found.missing, found.colliding) == (0, 0)


@pytest.mark.parametrize(("inst", "name"), OPERANDS)
def test_one_wrong_row_is_found(inst: Instruction, name: str) -> None:
    rows = inst.operand(name).table()
    rows[0, -4] ^= 1
    found = compare(inst, name, rows, others=())
    assert found.verdict == "different"
    assert found.agreeing == found.elements - 1
    (difference,) = found.differences()
    right = inst.operand(name).locate(**difference.element)
    assert difference.right == tuple(right)
    assert difference.given[0].lane == right[0].lane ^ 1


def test_a_transposed_accumulator() -> None:
    """A 32×32 C map with rows and columns exchanged, as public code has it."""
    found = of(ONE_TILE, "D", lambda b, i, j: (i + 32 * (j // 4 % 2), j % 4 + 4 * (j // 8)))
    assert found.verdict == "transposed"
    assert found.mistake is not None
    assert found.mistake.layout is not None
    assert found.agreeing == 32, "the diagonal lies where it should"


def test_an_inverse_that_does_not_match_its_forward_map() -> None:
    """The forward map is right; the inverse forgets that lanes 32 to 63 hold other rows."""
    forward = ONE_TILE.operand("D").table()
    lanes, registers = (grid.ravel() for grid in np.indices((64, 16)))
    row, column = registers // 4 * 8 + registers % 4, lanes % 32
    zero = np.zeros_like(row)
    inverse = np.stack([zero, row, column, lanes, registers, zero, zero + 32], axis=1)
    assert compare(ONE_TILE, "D", forward).equal
    found = compare(ONE_TILE, "D", inverse)
    assert found.verdict == "different"
    assert found.missing == 512
    assert found.mistake is not None
    assert found.mistake.name == "half left out of i"


MISTAKES: list[tuple[str, Instruction, str, Rule, str]] = [
    (
        "sixteen rows in a lane",
        ONE_TILE,
        "D",
        lambda b, i, j: (j + 32 * (i // 16), i % 16),
        "i = sub + 4·band + 16·half instead of sub + 4·half + 8·band",
    ),
    (
        "blocks interleaved",
        TWO_BLOCKS,
        "D",
        lambda b, i, j: (j + 32 * (i // 4 % 2), b + 2 * (i % 4 + 4 * (i // 8))),
        "wrong block order, item = block + 2·sub + 8·band instead of sub + 4·band + 16·block",
    ),
    (
        "blocks in reverse",
        TWO_BLOCKS,
        "D",
        lambda b, i, j: (j + 32 * (i // 4 % 2), i % 4 + 4 * (i // 8) + 16 * (1 - b)),
        "block counted backwards in item",
    ),
    (
        "one block only",
        TWO_BLOCKS,
        "D",
        lambda b, i, j: (j + 32 * (i // 4 % 2), i % 4 + 4 * (i // 8)),
        "block left out of item",
    ),
    (
        "lane halves",
        ONE_TILE,
        "D",
        lambda b, i, j: (j + 32 * (1 - i // 4 % 2), i % 4 + 4 * (i // 8)),
        "half counted backwards in lane",
    ),
    (
        "lane halves of a tile without halves",
        GFX908["v_mfma_f32_16x16x4f32"],
        "D",
        lambda b, i, j: ((j + 16 * (i // 4)) ^ 32, i % 4),
        "lane halves swapped: lane ^ 32",
    ),
    (
        "blocks of A in the wrong place",
        GFX908["v_mfma_f32_16x16x4f16"],
        "A",
        lambda b, i, k: (4 * i + b, k),
        "wrong block order, lane = block + 4·row instead of row + 16·block",
    ),
    (
        "rows and registers",
        GFX908["v_mfma_f32_16x16x4f32"],
        "D",
        lambda b, i, j: (j + 16 * (i % 4), i // 4),
        "the layout of D of v_mfma_f64_16x16x4f64 on gfx90a: FP64 rows used for FP32; "
        "also the rule of gfx11 in wave64",
    ),
]  # fmt: skip


@pytest.mark.parametrize(
    ("inst", "operand", "rule", "name"),
    [entry[1:] for entry in MISTAKES],
    ids=[entry[0] for entry in MISTAKES],
)
def test_a_planted_mistake_is_recognised(
    inst: Instruction, operand: str, rule: Rule, name: str
) -> None:
    found = of(inst, operand, rule)
    assert found.verdict == "different"
    assert found.mistake is not None
    assert found.mistake.name == name


def test_packed_elements_counted_as_registers() -> None:
    inst = GFX908["v_mfma_f32_32x32x8f16"]
    rows = inst.operand("A").table()
    rows[:, -3], rows[:, -2] = 2 * rows[:, -3] + rows[:, -2] // 16, 0
    found = compare(inst, "A", rows)
    assert found.mistake is not None
    assert found.mistake.name == "every element counted as one register"


def test_another_order_of_k_is_told_with_the_order() -> None:
    inst = GFX908["v_mfma_f32_16x16x16f16"]
    for name in "AB":
        found = of(inst, name, lambda b, k, i=0, j=0: (i + j + 16 * (k % 4), k // 4))
        assert found.verdict == "k-order"
        assert found.k_order == tuple(4 * (k % 4) + k // 4 for k in range(16))


def test_elements_packed_in_reverse_are_another_order_of_k() -> None:
    inst = GFX908["v_mfma_i32_16x16x16i8"]
    found = of(inst, "A", lambda b, i, k: (i + 16 * (k // 4), 3 - k % 4))
    assert found.verdict == "k-order"
    assert found.mistake is not None
    assert found.mistake.name == "elements packed from the highest bits down"


def test_an_order_of_k_that_depends_on_the_row_is_no_order_of_k() -> None:
    inst = GFX908["v_mfma_f32_16x16x16f16"]
    found = of(inst, "A", lambda b, i, k: (i + 16 * (k // 4), (k + i) % 4))
    assert found.verdict == "different"
    assert found.mistake is None
    assert found.k_order == ()


@pytest.mark.parametrize("rule", [lambda i: i % 16, lambda i: i // 2, lambda i: i | 4])
def test_rows_that_are_not_all_there_are_not_renamed(rule: Callable[[int], int]) -> None:
    """Every slot is there and columns are right, but some rows are in two slots, others in none."""
    rows = ONE_TILE.operand("D").table()
    rows[:, 1] = [rule(i) for i in rows[:, 1].tolist()]
    found = compare(ONE_TILE, "D", rows, others=())
    assert (found.verdict, found.renamed, found.missing) == ("different", None, 512)
    assert found.mistake is None or "renamed" not in found.mistake.name
    bijective = ONE_TILE.operand("D").table()
    bijective[:, 1] = [i ^ (5 if i < 8 else 0) for i in bijective[:, 1].tolist()]
    order = compare(ONE_TILE, "D", bijective, others=()).renamed
    assert order == ("i", (5, 4, 7, 6, 1, 0, 3, 2, *range(8, 32)))


def test_k_that_is_not_all_there_is_no_other_order_of_k() -> None:
    inst = GFX908["v_mfma_f32_16x16x16f16"]
    rows = inst.operand("A").table()
    rows[:, 2] //= 2
    found = compare(inst, "A", rows, others=())
    assert (found.verdict, found.k_order, found.missing) == ("different", (), 128)


def with_operands(inst: Instruction, **operands: Operand) -> Instruction:
    return Instruction(**{**vars(inst), "operands": {**inst.operands, **operands}})


def laid(operand: Operand, layout: Layout, **changed: object) -> Operand:
    return Operand(**{**vars(operand), "layout": layout, **changed})


def test_with_a_sparse_index_k_is_not_free() -> None:
    inst = GFX908["v_mfma_f32_16x16x16f16"]
    sparse = with_operands(inst, index=inst.operands["A"])
    rows = table(inst.operands["A"], lambda b, i, k: (i + 16 * (k % 4), k // 4))
    found = compare(sparse, "A", rows)
    assert found.verdict == "different"
    assert found.mistake is not None
    assert found.mistake.name.startswith("k = ")


def test_chunks_of_k_that_are_ignored() -> None:
    row, low, group, chunk = (
        Digit("row", 16), Digit("low", 16), Digit("group", 4), Digit("chunk", 2)
    )  # fmt: skip
    layout = Layout({"b": (), "i": (row,), "k": (low, group, chunk)}, (row, group), (low, chunk))
    inst = GFX908["v_mfma_i32_16x16x16i8"]
    chunked = with_operands(inst, A=laid(inst.operands["A"], layout))
    found = of(chunked, "A", lambda b, i, k: (i + 16 * (k // 32), k % 32))
    assert found.verdict == "k-order"
    assert found.mistake is not None
    assert found.mistake.name == "a lane's k taken as consecutive: its chunks are ignored"


def test_the_rule_of_another_architecture(tmp_path: Path) -> None:
    """Rows of D of an architecture where a lane holds a whole column of eight."""
    mine = Path(__file__).parents[2] / "docs" / "development" / "examples" / "my-specs"
    demo = layoutgen.arch("demo", [mine])
    inst = demo["v_mfma_f32_8x8x1f32"]
    row, col, block = Digit("row", 8), Digit("col", 8), Digit("block", 8)
    other = Layout({"b": (block,), "i": (row,), "j": (col,)}, (row, col), (block,))
    changed = with_operands(inst, D=laid(inst.operands["D"], other))
    elsewhere = Architecture(
        **{f: getattr(demo, f) for f in demo.__dataclass_fields__}
        | {"name": "elsewhere", "instructions": {changed.mnemonic: changed}}
    )
    rows = changed.operands["D"].table()
    found = compare(inst, "D", rows, others=[demo, elsewhere])
    assert found.mistake is not None
    assert found.mistake.name == "the layout of D of v_mfma_f32_8x8x1f32 on elsewhere"


def wide() -> tuple[Instruction, Operand]:
    """Return an instruction with a D of 64 bits, whose rows alternate between lane groups."""
    band, low, col = Digit("band", 4), Digit("low", 4), Digit("col", 16)
    layout = Layout({"b": (), "i": (low, band), "j": (col,)}, (col, low), (band,))
    inst = GFX908["v_mfma_f32_16x16x4f32"]
    plain = inst.operands["D"].format
    double = type(plain)("f64", "FP64", 64, "double", 64, "double")
    return inst, laid(inst.operands["D"], layout, format=double)


def test_f32_rows_used_for_f64() -> None:
    inst, operand = wide()
    f64 = with_operands(inst, D=operand)
    found = compare(
        f64,
        "D",
        table(operand, lambda b, i, j: (j + 16 * (i // 4), i % 4)),
        others=[GFX908],
    )
    assert found.mistake is not None
    assert found.mistake.name == (
        "the layout of D of v_mfma_f32_16x16x4f32 on gfx908: FP32 rows used for FP64"
    )


def test_a_width_that_is_wrong_is_told() -> None:
    inst, operand = wide()
    rows = operand.table()
    rows[:, -1] = 32
    found = compare(with_operands(inst, D=operand), "D", rows)
    assert found.verdict == "different"
    assert found.notes == ("the table says 32 bits, an element has 64",)


def test_what_is_there_may_be_right_but_not_all() -> None:
    found = compare(ONE_TILE, "D", ONE_TILE.operand("D").table()[:1000])
    assert (found.verdict, found.agreeing, found.missing) == ("different", 1000, 24)
    assert found.mistake is None


def test_a_mistake_is_recognised_in_a_part_of_a_table() -> None:
    rows = table(
        ONE_TILE.operands["D"], lambda b, i, j: (i + 32 * (j // 4 % 2), j % 4 + j // 8 * 4)
    )
    assert compare(ONE_TILE, "D", rows[:200]).verdict == "transposed"
    assert compare(ONE_TILE, "D", rows[1:2]).mistake is None, "one row tells nothing"


def test_modifiers_that_are_forgotten_or_not_meant() -> None:
    inst = GFX908["v_mfma_f32_16x16x4f16"]
    plain, read = inst.operand("A"), inst.operand("A", cbsz=2, abid=1)
    assert compare(inst, "A", read.table(), cbsz=2, abid=1).equal
    found = compare(inst, "A", plain.table(), cbsz=2, abid=1)
    assert found.mistake is not None
    assert found.mistake.name == "the modifiers are ignored"
    found = compare(inst, "A", read.table())
    assert found.mistake is not None
    assert found.mistake.name == "read under cbsz:2 abid:1, not as laid out"


def test_the_other_reading_of_cbsz_is_known() -> None:
    inst = GFX908["v_mfma_f32_16x16x4f16"]
    operand = inst.operand("A", cbsz=1)
    other = inst.rules.global_reading(operand.modifiers)
    rows = Operand(**{**vars(operand), "reroute": other}).table()
    found = compare(inst, "A", rows, cbsz=1)
    assert found.mistake is not None
    assert found.mistake.name == "the global reading of cbsz"


def test_two_elements_in_one_slot_are_counted() -> None:
    rows = ONE_TILE.operand("D").table()
    rows[1, -4:-1] = rows[0, -4:-1]
    found = compare(ONE_TILE, "D", rows, others=())
    assert (found.colliding, found.missing) == (1, 0)
