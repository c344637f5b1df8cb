"""Where every element lies: against general formulas and tables that were written elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import ceil, prod
from typing import Any

import numpy as np
import pytest

import layoutgen
from layoutgen.expr import evaluate
from layoutgen.formulas import formulas
from layoutgen.model import Instruction, Operand
from layoutgen.modifiers import Modifiers

ARCHS = layoutgen.archs()
EVERY = [(arch, name) for arch, instructions in ARCHS.items() for name in instructions]

Array = Any
Place = tuple[Array, Array]
"""Lane and item."""


def columns(operand: Operand) -> tuple[dict[str, Array], Array, Array]:
    """Return the coordinates, the lane and the item of every element."""
    table = operand.table().T
    *coordinates, lane, register, bit, width = table
    assert set(width.tolist()) == {operand.format.bits}
    names = operand.columns[:3]
    return dict(zip(names, coordinates, strict=True)), lane, (register * 32 + bit) // width


def accumulator(inst: Instruction, b: Array, i: Array, j: Array) -> Place:
    """C and D by the general formula of the CDNA3 and CDNA4 manuals, 7.1.4.

    F64 4×4×4 is not described by it: AMD's calculator, lab notes and IREE agree on another one.
    """
    m, n = inst.m, inst.n
    if inst.name == "mfma_f64_4x4x4f64":
        return 16 * i + 4 * b + j, 0 * i
    h = 1 if inst.name.startswith("mfma_f64") else 4
    bi = ceil(64 / (n * m / h))
    mi = (64 // bi) // n
    g = m // (h * mi)
    lane = j + n * ((i // h) % mi + mi * (b % bi))
    return lane, i % h + h * (i // (h * mi) + g * (b // bi))


def dense(inst: Instruction, size: int, b: Array, x: Array, k: Array, depth: int) -> Place:
    """A and B by the general formula: KL = K·M·B / 64 consecutive k in a lane."""
    kl = depth * size * inst.blocks // 64
    return x + size * (b + inst.blocks * (k // kl)), k % kl


def bit(value: Array, n: int) -> Array:
    return value >> n & 1


def doubled_a(inst: Instruction, c: Array) -> Place:
    if inst.m == 16:
        return bit(c, 3) + 2 * bit(c, 5), bit(c, 0) + 2 * bit(c, 1) + 4 * bit(c, 4) + 8 * bit(c, 2)
    return bit(c, 4), bit(c, 0) + 2 * bit(c, 1) + 4 * bit(c, 3) + 8 * bit(c, 2)


def doubled_b(inst: Instruction, k: Array) -> Place:
    step = 32 if inst.m == 16 else 16
    return (k % step) // 8, k % 8 + 8 * (k // step)


def doubled_index(inst: Instruction, q: Array) -> Place:
    if inst.m == 16:
        return bit(q, 2) + 2 * bit(q, 4), bit(q, 0) + 2 * bit(q, 3) + 4 * bit(q, 1)
    return q // 8, bit(q, 0) + 2 * bit(q, 2) + 4 * bit(q, 1)


def chunks(inst: Instruction, k: Array) -> Place:
    """Two chunks of 16 k in a lane, with those of the other lanes between them."""
    step = 64 if inst.m == 16 else 32
    return (k % step) // 16, k % 16 + 16 * (k // step)


def expected(inst: Instruction, operand: Operand) -> Callable[..., Place]:
    """Return where the elements of an operand lie, by facts that do not come from the specs."""
    size = inst.n if operand.name in ("B", "scale_b") else inst.m
    depth = inst.k // 2 if inst.sparse and operand.name == "A" else inst.k
    is_doubled = inst.sparse and inst.operands["A"].registers == 4
    eight_bit = operand.format.bits == 8

    def grouped(rule: Callable[[Instruction, Array], Place]) -> Callable[..., Place]:
        def place(b: Array, i: Array = 0, j: Array = 0, k: Array = 0, group: Array = 0) -> Place:
            lanes, item = rule(inst, k + group)
            return size * lanes + i + j, item

        return place

    match operand.name:
        case "C" | "D":
            return lambda b, i, j: accumulator(inst, b, i, j)
        case "A" if is_doubled and eight_bit:
            return grouped(doubled_a)
        case "B" if is_doubled:
            return grouped(doubled_b)
        case "A" | "B" if inst.name.endswith("f8f6f4") and eight_bit:
            return grouped(chunks)
        case "index" if is_doubled and inst.operands["A"].format.bits == 8:
            return grouped(doubled_index)
        case "index":
            return lambda b, i, group: dense(inst, size, b, i, group, inst.k // 4)
        case "scale_a" | "scale_b":
            return grouped(lambda inst, group: (group, 0 * group))
        case _:
            return lambda b, k, i=0, j=0: dense(inst, size, b, i + j, k, depth)


def variants(inst: Instruction) -> Iterator[Operand]:
    """Yield every operand, in every format that it can have."""
    for name, operand in inst.operands.items():
        yield from inst.alternatives.get(name, (operand,))


@pytest.mark.parametrize(("arch", "name"), EVERY)
def test_every_element_lies_where_the_sources_say(arch: str, name: str) -> None:
    inst = ARCHS[arch][name]
    for operand in variants(inst):
        coordinates, lane, item = columns(operand)
        wanted_lane, wanted_item = expected(inst, operand)(**coordinates)
        assert np.array_equal(lane, wanted_lane)
        assert np.array_equal(item, wanted_item)


@pytest.mark.parametrize(("arch", "name"), EVERY)
def test_every_operand_is_a_bijection_within_the_wavefront(arch: str, name: str) -> None:
    inst = ARCHS[arch][name]
    for operand in variants(inst):
        coordinates, lane, item = columns(operand)
        count = prod(operand.layout.shape.values())
        held = operand.layout.lanes * operand.elements_per_lane
        assert (
            count == len(lane) == len(set(zip(lane.tolist(), item.tolist(), strict=True))) == held
        )
        assert operand.layout.lanes == 64
        assert item.max() < operand.registers * 32 // operand.format.bits
        assert len(set(zip(*(c.tolist() for c in coordinates.values()), strict=True))) == count


def test_blocks_and_registers_follow_from_the_elements_in_a_lane() -> None:
    for arch, name in EVERY:
        inst = ARCHS[arch][name]
        a, b, d = (inst.operands[letter] for letter in "ABD")
        stored = inst.k // 2 if inst.sparse else inst.k
        assert inst.blocks == 64 * a.elements_per_lane // (inst.m * stored)
        assert d.registers == inst.blocks * inst.m * inst.n // 64 * (d.format.bits // 32)
        assert b.elements_per_lane == a.elements_per_lane * (2 if inst.sparse else 1)


def distinct() -> dict[str, Operand]:
    """Return one operand for each layout and width of elements."""
    found: dict[tuple[str, int], tuple[str, Operand]] = {}
    for arch, name in EVERY:
        for operand in variants(ARCHS[arch][name]):
            key = (str(operand.layout), operand.format.bits)
            found.setdefault(key, (f"{name} {operand.name} {operand.format.name}", operand))
    return dict(found.values())


DISTINCT = distinct()


@pytest.mark.parametrize("operand", DISTINCT.values(), ids=list(DISTINCT))
def test_both_directions_are_inverse_for_every_slot(operand: Operand) -> None:
    layout = operand.layout
    names = list(layout.shape)
    for *coordinates, lane, item in layout.table().tolist():
        element = dict(zip(names, coordinates, strict=True))
        assert (lane, item) in layout.forward(**element)
        assert layout.inverse(lane, item) == element
    empty = [s for s in np.ndindex(layout.lanes, layout.items) if layout.inverse(*s) is None]
    assert len(empty) == layout.lanes * (layout.items - layout.held)


def settings(inst: Instruction) -> list[Modifiers]:
    """Return legal combinations: all, or a sample where there are many."""
    every = list(inst.rules.combinations())
    return every if len(every) <= 40 else [*every[:: len(every) // 31 | 1], every[-1]]


def test_formulas_equal_the_tables_under_modifiers() -> None:
    seen = set()
    for arch, name in EVERY:
        inst = ARCHS[arch][name]
        for modifiers in settings(inst):
            for letter in inst.operands:
                operand = inst.operand(letter, **modifiers.as_dict())
                bits = operand.format.bits
                key = (str(operand.layout), bits, operand.reroute)
                if key in seen:
                    continue
                seen.add(key)
                *coordinates, lane, register, bit_, _ = operand.table().T
                forward = formulas(operand.layout, bits, operand.reroute).forward
                values = dict(zip(operand.columns[:3], coordinates, strict=True))
                for wanted, formula in zip((lane, register, bit_), forward.values(), strict=True):
                    assert np.array_equal(
                        np.broadcast_to(evaluate(formula, values), lane.shape), wanted
                    )
                if operand.reroute is None:
                    slots = {"lane": lane, "register": register, "bit": bit_}
                    for coordinate, formula in operand.formulas.inverse.items():
                        found = np.broadcast_to(evaluate(formula, slots), lane.shape)
                        assert np.array_equal(found, values[coordinate])
    assert len(seen) > 200
