"""Slots and elements as the terminal writes them: ``a21 lane 39``, ``D[13][7] block 1``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from layoutgen.model import REGISTER_BITS, Element, Operand, Slot


def element_name(operand: Operand, coordinates: Mapping[str, int]) -> str:
    """Return an element by its coordinates: ``A[3][8] block 0``."""
    inner = "".join(f"[{value}]" for name, value in coordinates.items() if name != "b")
    return f"{operand.name}{inner} block {coordinates['b']}"


def slot_name(operand: Operand, slot: Slot) -> str:
    """Return where an element lies: ``v0 lane 35 [15:8]``, or two registers where it straddles."""
    file = operand.register_files[0]
    first, last = slot.registers[0], slot.registers[-1]
    if slot.bit == 0 and slot.width % REGISTER_BITS == 0:
        name = f"{file}{first}" if first == last else f"{file}[{first}:{last}]"
        return f"{name} lane {slot.lane}"
    parts = []
    for register in slot.registers:
        low = slot.bit - REGISTER_BITS * (register - first)
        bits = bit_range(low, slot.width)
        parts.append(f"{file}{register} lane {slot.lane} {bits}")
    return ", ".join(parts)


def part_name(operand: Operand, lane: int, register: int, element: Element) -> str:
    """Return the part of a register that holds an element: ``v0 lane 35 [15:8]``."""
    name = f"{operand.register_files[0]}{register} lane {lane}"
    whole = element.bit <= 0 and element.bit + element.width >= REGISTER_BITS
    return name if whole else f"{name} {bit_range(element.bit, element.width)}"


def described(operand: Operand, at: Mapping[str, int]) -> list[str]:
    """Return one line for each slot of an element: ``A[3][8] block 0 = v0 lane 35 [7:0]``."""
    read = f" (read under {operand.modifiers})" if operand.reroute else ""
    name = element_name(operand, at)
    return [f"{name} = {slot_name(operand, slot)}{read}" for slot in operand.locate(**at)]


def element_document(operand: Operand, at: Mapping[str, int]) -> dict[str, Any]:
    """Return an element with its slots, as JSON data."""
    slots = [{**asdict(s), "name": slot_name(operand, s)} for s in operand.locate(**at)]
    return {"operand": operand.name, "element": dict(at), "slots": slots}


def bit_range(low: int, width: int) -> str:
    """Return the bits of one register that `width` bits from `low` on take: ``[15:8]``."""
    high = min(low + width, REGISTER_BITS) - 1
    low = max(low, 0)
    return f"[{high}]" if high == low else f"[{high}:{low}]"
