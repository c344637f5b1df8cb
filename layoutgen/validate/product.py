"""Leg L3: end to end.  Random matrices, packed by the tables, run, unpacked, equal to numpy's.

Every slot of A, B and C gets a random integer that its type holds exactly.  What the multiplier
sees as A and B is read through the tables (with modifiers: the slot each element is read
*from*), multiplied by numpy, and held against D unpacked by its table.  Slots that no element
is read from hold random numbers too: if one of them mattered, D would differ.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from layoutgen import emulator
from layoutgen.validate import calls, codes
from layoutgen.validate.codes import IntArray
from layoutgen.validate.findings import Finding
from layoutgen.validate.tables import SlotArray

# Small enough that 16 products of two such numbers and one more are exact in every accumulator.
LARGEST = {"A": 500, "B": 500, "C": 100_000}
SHOWN = 3


@dataclass(frozen=True, eq=False)
class Matrices:
    """Random numbers in every slot of A, B and C, and A, B and C as registers."""

    slots: Mapping[str, IntArray]
    registers: Mapping[str, codes.Registers]


def matrices(record: emulator.Instruction) -> Matrices:
    """Return the random numbers of an instruction: the same on every run."""
    random = np.random.default_rng(zlib.crc32(record.mnemonic.encode()))
    formats = {"A": record.a_format, "B": record.b_format, "C": record.d_format}
    counts = {"A": record.a_registers, "B": record.b_registers, "C": record.c_registers}
    slots = {}
    for name, kind in formats.items():
        largest = min(LARGEST[name], codes.TYPES[kind.name].largest)
        size = codes.slots(kind.name, counts[name])
        slots[name] = random.integers(-largest, largest + 1, size=size)
    registers = {
        name: codes.pack(kind.name, slots[name], counts[name]) for name, kind in formats.items()
    }
    return Matrices(slots, registers)


def run(record: emulator.Instruction, data: Matrices, modifiers: emulator.Modifiers) -> IntArray:
    """Return D's numbers, by slot."""
    a, b, c = (data.registers[name] for name in "ABC")
    return codes.unpack(record.d_format.name, calls.run(record, a, b, c, modifiers))


def wanted(tables: Mapping[str, SlotArray], data: Matrices) -> IntArray:
    """Return numpy's product, ``[b, i, j]``: what the tables say that D is."""
    a, b, c = (data.slots[name][np.maximum(tables[name].slot, 0)] for name in "ABC")
    product: IntArray = np.matmul(a, b) + c
    return product


def check(
    instruction: str,
    tables: Mapping[str, SlotArray],
    data: Matrices,
    result: IntArray,
    modifiers: str = "",
) -> tuple[int, list[Finding]]:
    """Return how many elements of D were compared, and where they differ."""
    held = np.ones(tables["D"].slot.shape, dtype=bool)
    for name, axis in (("A", 2), ("B", 1)):
        held &= (
            (tables[name].slot >= 0)
            .all(axis=axis, keepdims=True)
            .repeat(held.shape[axis], axis=axis)
        )
    for name in "CD":
        held &= tables[name].slot >= 0
    expected = wanted(tables, data)
    found = result[np.maximum(tables["D"].slot, 0)]
    table = tables["D"].table
    findings = []
    wrong = np.argwhere(held & (expected != found))
    for b, i, j in wrong[:SHOWN].tolist():
        row = int(tables["D"].row[b, i, j])
        says = f"packed and unpacked by the tables, it is {expected[b, i, j]} by numpy"
        more = f" ({len(wrong)} elements of D differ)" if len(wrong) > 1 else ""
        against = f"the emulator gives {found[b, i, j]}{more}"
        findings.append(
            Finding(
                "L3", table.artefact, instruction, table.where(row), table.element(row), says,
                against, modifiers,
            )
        )  # fmt: skip
    return int(held.sum()), findings
