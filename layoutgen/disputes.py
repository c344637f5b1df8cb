"""Which places where sources disagree touch an instruction, and what the others say of a layout."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from math import prod

from layoutgen.digits import Digit, Layout
from layoutgen.model import Architecture, Disagreement, Instruction, Operand

TOUCHES: Mapping[str, Callable[[Instruction], bool]] = {
    "cbsz-groups": lambda inst: any(map(inst.rules.readings_differ, inst.rules.combinations())),
    "k-order": lambda inst: inst.k > 1 and not inst.sparse and not inst.alternatives,
    "write-after-read": lambda inst: inst.operands["A"].format.name != "f64",
}
"""By a disagreement's key: whether it matters to an instruction, where that follows from it."""


def touching(arch: Architecture, inst: Instruction) -> list[Disagreement]:
    """Return the disagreements of `arch` that matter to `inst`.

    One that names instructions is about these; another is about those that it applies to, or
    about all.
    """
    return [d for d in arch.disagreements if touches(d, inst)]


def touches(disagreement: Disagreement, inst: Instruction) -> bool:
    """Tell whether a disagreement matters to `inst`."""
    if disagreement.instructions:
        return inst.name in disagreement.instructions
    applies = TOUCHES.get(disagreement.id)
    return applies is None or applies(inst)


@dataclass(frozen=True)
class OtherReading:
    """An operand as those have it whose reading of a disagreement is not followed."""

    disagreement: Disagreement
    operand: Operand


def other_readings(
    arch: Architecture, inst: Instruction, operand: Operand
) -> Iterator[OtherReading]:
    """Yield how else `operand`, as it is read under its modifiers, is said to lie.

    >>> import layoutgen
    >>> gfx942 = layoutgen.arch("gfx942")
    >>> inst = gfx942["v_mfma_f64_4x4x4_4b_f64"]
    >>> [other] = other_readings(gfx942, inst, inst.operand("D"))
    >>> inst.operand("D").locate(b=1, i=2, j=1)[0].lane, other.operand.locate(b=1, i=2, j=1)[0].lane
    (37, 25)
    """
    for entry in arch.disagreements:
        read = LAYOUTS.get(entry.id)
        if read is None or (entry.instructions and inst.name not in entry.instructions):
            continue
        other = read(inst, operand)
        if other is not None and other != operand:
            yield OtherReading(entry, other)


def _global_groups(inst: Instruction, operand: Operand) -> Operand | None:
    """Return A as the global reading of cbsz has it."""
    if operand.name != "A" or operand.reroute is None:
        return None
    return replace(operand, reroute=inst.rules.global_reading(operand.modifiers))


def _blocks_slowest(inst: Instruction, operand: Operand) -> Operand | None:
    """Return C or D with the block as the slowest part of the lane."""
    layout = operand.layout
    if operand.name not in ("C", "D"):
        return None
    lane = sorted(layout.lane, key=lambda digit: digit in layout.coordinates["b"])
    return replace(operand, layout=replace(layout, lane=tuple(lane)))


def _chunks(of: Mapping[str, int], *, narrow: bool = False) -> Callable[..., Operand | None]:
    """Return what puts operands into chunks of so many k in a lane; 0 is all that it holds.

    `narrow`: where A and B are both of fewer than 8 bits, else where the operand has 8.
    """

    def read(inst: Instruction, operand: Operand) -> Operand | None:
        if operand.name not in of:
            return None
        given = operand.modifiers.as_dict()
        both = [inst.operand(name, **given) for name in "AB"] if narrow else [operand]
        if any((each.format.bits < BYTE) != narrow for each in both):
            return None
        size = of[operand.name] or operand.layout.items
        return replace(operand, layout=_in_chunks(operand.layout, size))

    return read


def _in_chunks(layout: Layout, size: int) -> Layout:
    """Return `layout` with chunks of `size` k in a lane, between them those of the other lanes."""
    k = layout.coordinates["k"]
    inside = [digit for digit in layout.item if digit in k]
    low, high = Digit("low", size), Digit("high", prod(d.size for d in inside) // size)
    groups = (digit for digit in k if digit in layout.lane)
    cut = {**layout.coordinates, "k": (low, *groups, high)}
    return replace(layout, coordinates=cut, item=(low, high))


BYTE = 8
LAYOUTS: Mapping[str, Callable[[Instruction, Operand], Operand | None]] = {
    "cbsz-groups": _global_groups,
    "f64-4x4x4-d": _blocks_slowest,
    "f8f6f4-chunks": _chunks({"A": 0, "B": 0}),
    "scaled-narrow-k": _chunks({"A": 16, "B": 16}, narrow=True),
    "sparse-8-bit-k": _chunks({"A": 4, "B": 8}),
    "sparse-8-bit-doubled-k": _chunks({"B": 16}),
}
"""By a disagreement's key: the operand in the reading that is not followed, or None.

The order of k in general is none of them: every order is right that A and B share.
"""
