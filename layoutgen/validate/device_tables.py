"""What the tables say about a run of the probe: the products, the signs and the scales."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from layoutgen.probe import LANES, Case, index_nibble
from layoutgen.validate.codes import IntArray

if TYPE_CHECKING:
    from layoutgen.operand import Operand

BYTE = 8


@dataclass(frozen=True, eq=False)
class Expected:
    """What a run must show, as the tables have it.

    `triples` has a row (D slot, A slot, B slot) for each product.  `names` gives for each operand
    the element in each of its slots that holds one.  `scales` gives by operand the scale's
    slot for each slot of A or B.
    """

    triples: IntArray
    sign: int
    accumulator_sign: int
    names: dict[str, dict[int, str]]
    scales: dict[str, IntArray]


def expected(case: Case) -> Expected:
    """Return what the tables say about one run."""
    inst = case.instruction
    return _expected(case, {name: inst.operand(name, **case.fields) for name in inst.operands})


def by_the_other_reading(case: Case) -> Expected | None:
    """Return what must be seen by the global reading of cbsz, if that can be told apart.

    The tables follow the local one; only hardware can tell which holds.
    """
    inst, modifiers = case.instruction, case.modifiers
    if not inst.rules.readings_differ(modifiers):
        return None
    operands = {name: inst.operand(name, **case.fields) for name in inst.operands}
    operands["A"] = replace(operands["A"], reroute=inst.rules.global_reading(modifiers))
    return _expected(case, operands)


def _expected(case: Case, operands: Mapping[str, Operand]) -> Expected:
    inst = case.instruction
    a, b, d = (slot_grid(operands[name]) for name in "ABD")
    blocks, rows, stored = a.shape
    columns = d.shape[2]
    depth = np.broadcast_to(np.arange(stored), (blocks, rows, stored))
    if inst.sparse:
        depth = _dense_k(operands["index"], case.rotation, stored)
    # One product for each block, row, column and stored k.
    shape = (blocks, rows, columns, stored)
    block, _, column, _ = np.ogrid[:blocks, :rows, :columns, :stored]
    partner = b[block, depth[:, :, None, :], column]
    triples = [np.broadcast_to(x, shape).ravel() for x in (d[..., None], a[:, :, None, :], partner)]
    names = {name: _names(inst.operands[name]) for name in ("A", "B", "C", "D")}
    signs = {name: -1 if operand.negated else 1 for name, operand in operands.items()}
    scales = {
        f"scale_{x.lower()}": _scales(operands[x], operands[f"scale_{x.lower()}"], inst.k)
        for x in "AB"
        if f"scale_{x.lower()}" in operands
    }
    return Expected(
        np.unique(np.column_stack(triples), axis=0),
        signs["A"] * signs["B"],
        signs["C"],
        names,
        scales,
    )


def slot_grid(operand: Operand) -> IntArray:
    """Return the slot of every element, by its coordinates in the order of the columns."""
    lane, start = operand.table()[:, -4], _start(operand)
    slots = LANES * (start // operand.format.bits) + lane
    grid: IntArray = slots.reshape(tuple(operand.layout.shape.values()))
    return grid


def describe(slot: int, width: int) -> str:
    """Return a slot in words: ``lane 5, register 1, bits 16-31``."""
    item, lane = divmod(slot, LANES)
    register, bit = divmod(item * width, 32)
    if width % 32 == 0:
        return f"lane {lane}, register {register}"
    return f"lane {lane}, register {register}, bits {bit}-{bit + width - 1}"


def _start(operand: Operand) -> IntArray:
    rows = operand.table()
    start: IntArray = 32 * rows[:, -3] + rows[:, -2]
    return start


def _dense_k(index: Operand, rotation: int, stored: int) -> IntArray:
    """Return the k of B that each stored k of a sparse A stands for, by block, row and place."""
    lanes = index.table()[:, -4]
    nibbles = _start(index) // index.format.bits
    at = zip(lanes.tolist(), nibbles.tolist(), strict=True)
    pairs = np.array([index_nibble(lane, nibble, rotation) for lane, nibble in at])
    blocks, rows, groups = index.layout.shape.values()
    chosen = pairs.reshape(blocks, rows, groups, 2)
    dense: IntArray = (chosen + 4 * np.arange(groups)[:, None]).reshape(blocks, rows, stored)
    return dense


def _scales(operand: Operand, scale: Operand, k: int) -> IntArray:
    """Return the slot of the scale for each slot of an operand, -1 where it holds no element."""
    grid = slot_grid(operand)
    found = np.full(LANES * operand.layout.items, -1, dtype=np.int64)
    per = slot_grid(scale)
    groups = per.shape[2] if operand.name == "A" else per.shape[1]
    found[grid.ravel()] = np.repeat(per, k // groups, axis=2 if operand.name == "A" else 1).ravel()
    return found


def _names(operand: Operand) -> dict[int, str]:
    several = operand.layout.shape["b"] > 1
    found = {}
    for row, slot in zip(
        operand.table().tolist(), slot_grid(operand).ravel().tolist(), strict=True
    ):
        at = "".join(f"[{value}]" for value in row[1:3])
        found[slot] = f"{operand.name}{at}" + (f" block {row[0]}" if several else "")
    return found
