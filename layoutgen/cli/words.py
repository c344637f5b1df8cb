"""Slots and elements as the terminal writes them: ``a21 lane 39``, ``D[13][7] block 1``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from layoutgen.model import REGISTER_BITS, Element, Operand, Slot


@dataclass(frozen=True, slots=True)
class Base:
    """The first register of an operand: its file, and its number."""

    file: str
    number: int = 0


def element_name(operand: Operand, coordinates: Mapping[str, int]) -> str:
    """Return an element by its coordinates: ``A[3][8] block 0``."""
    inner = "".join(f"[{value}]" for name, value in coordinates.items() if name != "b")
    return f"{operand.name}{inner} block {coordinates['b']}"


def tuple_name(
    operand: Operand, base: Base | None = None, first: int = 0, last: int | None = None
) -> str:
    """Return registers of an operand, all if not told which: ``v[4:7]``."""
    end = operand.registers - 1 if last is None else last
    return _tuple(base or _offsets(operand), first, end)


def slot_name(operand: Operand, slot: Slot, base: Base | None = None) -> str:
    """Return where an element lies: ``v0 lane 35 [15:8]``, or two registers where it straddles."""
    base = base or _offsets(operand)
    first, last = slot.registers[0], slot.registers[-1]
    if slot.bit == 0 and slot.width % REGISTER_BITS == 0:
        return f"{_tuple(base, first, last)} lane {slot.lane}"
    parts = []
    for register in slot.registers:
        low = slot.bit - REGISTER_BITS * (register - first)
        bits = bit_range(low, slot.width)
        parts.append(f"{_tuple(base, register, register)} lane {slot.lane} {bits}")
    return ", ".join(parts)


def short_name(operand: Operand, slot: Slot) -> str:
    """Return a slot for a cell of a table: ``v0:35[15:8]``, ``v[0:1]:35`` or two with a +."""
    return slot_name(operand, slot).replace(" lane ", ":").replace(", ", "+").replace(" ", "")


def part_name(
    operand: Operand, lane: int, register: int, element: Element, base: Base | None = None
) -> str:
    """Return the part of a register that holds an element: ``v0 lane 35 [15:8]``."""
    name = f"{_tuple(base or _offsets(operand), register, register)} lane {lane}"
    whole = element.bit <= 0 and element.bit + element.width >= REGISTER_BITS
    return name if whole else f"{name} {bit_range(element.bit, element.width)}"


def piece(element: Element) -> str:
    """Return which bits of an element a register holds, if not all: `` bits [63:32]``."""
    bits = part(element)
    return f" bit{'s' * (':' in bits)} {bits}" if bits else ""


def part(element: Element) -> str:
    """Return which bits of an element a register holds, if not all: ``[63:32]``."""
    low, high = piece_of(element)
    if (low, high) == (0, element.width - 1):
        return ""
    return f"[{high}:{low}]" if high > low else f"[{low}]"


def piece_of(element: Element) -> tuple[int, int]:
    """Return the lowest and the highest bit of an element that a register holds."""
    return max(-element.bit, 0), min(element.width, REGISTER_BITS - element.bit) - 1


def reading(operand: Operand) -> str:
    """Return in brackets what modifiers do to the reading of an operand, or nothing."""
    said = []
    if operand.reroute or any(operand.layout.fixed.values()):
        said.append(f"read under {operand.modifiers}")
    if operand.negated:
        said.append(f"its sign changed by {operand.modifiers}")
    return f" ({', '.join(said)})" if said else ""


def described(operand: Operand, at: Mapping[str, int], base: Base | None = None) -> list[str]:
    """Return one line for each slot of an element: ``A[3][8] block 0 = v0 lane 35 [7:0]``."""
    name, read = element_name(operand, at), reading(operand)
    return [f"{name} = {slot_name(operand, slot, base)}{read}" for slot in operand.locate(**at)]


def bit_range(low: int, width: int) -> str:
    """Return the bits of one register that `width` bits from `low` on take: ``[15:8]``."""
    high = min(low + width, REGISTER_BITS) - 1
    low = max(low, 0)
    return f"[{high}]" if high == low else f"[{high}:{low}]"


def _offsets(operand: Operand) -> Base:
    """Return the base with which numbers are offsets in the operand."""
    return Base(operand.register_files[0])


def _tuple(base: Base, first: int, last: int) -> str:
    low, high = base.number + first, base.number + last
    return f"{base.file}{low}" if low == high else f"{base.file}[{low}:{high}]"
