"""Which places where sources disagree touch an instruction, and what the others say of a layout."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from layoutgen.digits import Digit, Layout
from layoutgen.model import Architecture, Disagreement, Instruction, Operand, Reading

TOUCHES: Mapping[str, Callable[[Instruction], bool]] = {
    "cbsz-groups": lambda inst: any(map(inst.rules.readings_differ, inst.rules.combinations())),
    "k-order": lambda inst: inst.k > 1 and not inst.sparse and not inst.alternatives,
    "accumulator-chain": lambda inst: inst.operands["A"].format.name not in ("f32", "f64"),
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
    """A reading that is not followed, and an operand as it has it."""

    disagreement: Disagreement
    reading: Reading
    operand: Operand

    @property
    def followed(self) -> Reading:
        """The reading that is followed."""
        entry = self.disagreement
        return next(r for r in entry.readings if r.name == entry.followed)


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
    for entry in touching(arch, inst):
        for reading in entry.readings:
            read = LAYOUTS.get((entry.id, reading.name))
            other = read(inst, operand) if read else None
            if other is not None and other != operand:
                yield OtherReading(entry, reading, other)


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


def _chunks(length: int, *, narrow: bool = False) -> Callable[..., Operand | None]:
    """Return what puts operands into chunks of `length` k in a lane.

    `narrow`: where A and B are both of fewer than 8 bits, else where the operand has 8.
    """

    def read(inst: Instruction, operand: Operand) -> Operand | None:
        if operand.name not in ("A", "B", "index"):
            return None
        given = operand.modifiers.as_dict()
        both = [inst.operand(name, **given) for name in "AB"]
        if narrow and any(each.format.bits >= BYTE for each in both):
            return None
        if not narrow and operand.name != "index" and operand.format.bits < BYTE:
            return None
        return replace(operand, layout=_in_chunks(inst, operand, length))

    return read


def _in_chunks(inst: Instruction, operand: Operand, length: int) -> Layout:
    """Return the layout with chunks of `length` k in a lane, between them those of other lanes.

    A sparse A stores two of every four k, and the index has an entry for four.  Both are renamed
    with B, which has all: k is what pairs their elements.
    """
    name = "group" if operand.name == "index" else "k"
    binary = _binary(operand.layout, name)
    every = inst.k // operand.layout.shape[name]
    whole = binary if every == 1 else _binary(inst.operands["B"].layout, "k")
    order = _order(whole, length)
    skipped = every.bit_length() - 1  # the lowest bits of k, which have no digit of their own
    digits = binary.coordinates[name]
    renamed = tuple(digits[bit - skipped] for bit in order if bit >= skipped)
    return replace(binary, coordinates={**binary.coordinates, name: renamed})


def _order(layout: Layout, length: int) -> list[int]:
    """Return the bits of k in the order of their weights in chunks of `length` k in a lane."""
    of = {digit: bit for bit, digit in enumerate(layout.coordinates["k"])}
    item, lane = ([of[d] for d in side if d in of] for side in (layout.item, layout.lane))
    low = length.bit_length() - 1
    return [*item[:low], *lane, *item[low:]]


def _binary(layout: Layout, name: str) -> Layout:
    """Return the same layout with a coordinate cut into digits of two values."""
    cut = {
        digit: tuple(Digit(f"{digit.name}.{n}", 2) for n in range(digit.size.bit_length() - 1))
        for digit in layout.coordinates[name]
    }

    def parts(digits: tuple[Digit, ...]) -> tuple[Digit, ...]:
        return tuple(part for digit in digits for part in cut.get(digit, (digit,)))

    coordinates = {**layout.coordinates, name: parts(layout.coordinates[name])}
    return replace(
        layout, coordinates=coordinates, lane=parts(layout.lane), item=parts(layout.item)
    )


BYTE = 8
LAYOUTS: Mapping[tuple[str, str], Callable[[Instruction, Operand], Operand | None]] = {
    ("cbsz-groups", "global"): _global_groups,
    ("f64-4x4x4-d", "formula"): _blocks_slowest,
    ("f8f6f4-chunks", "consecutive"): _chunks(32),
    ("scaled-narrow-k", "runs16"): _chunks(16, narrow=True),
    ("sparse-8-bit-k", "chunks"): _chunks(8),
    ("sparse-8-bit-doubled-k", "chunks16"): _chunks(16),
}
"""By the names of disagreement and reading: the operand as that reading has it, or None.

The order of k in general is none of them: every order is right that A and B share.
"""
