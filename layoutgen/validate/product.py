"""Leg L3: end to end.  Random matrices, packed by the tables, run, unpacked, equal to numpy's.

Every slot of A, B and C gets a random integer that its type holds exactly, every nibble of the
index a random pair, every scale a power of two.  What the multiplier
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
from layoutgen.validate.observation import ProbeError, kinds_of
from layoutgen.validate.selectors import PAIRS, nibble
from layoutgen.validate.setting import Modifiers
from layoutgen.validate.tables import SlotArray

# Small enough that 128 products of two such numbers and scales, and one more, are exact in every
# accumulator.
LARGEST = {"A": 360, "B": 360, "C": 100_000}
SHOWN = 3
_SCALES = (127, 131)
"""Codes of the scales 1, 2, 4 and 8; the last one is not taken."""


@dataclass(frozen=True, eq=False)
class Matrices:
    """Random numbers in every slot of all that is read, and the same as registers.

    Index and scales are bits: pairs, and codes of powers of two.
    """

    slots: Mapping[str, IntArray]
    registers: Mapping[str, codes.Registers]


def matrices(record: emulator.Instruction) -> Matrices:
    """Return the random numbers of a record: the same on every run."""
    seed = f"{record.mnemonic} {record.a_format.name} {record.b_format.name}"
    random = np.random.default_rng(zlib.crc32(seed.encode()))
    slots = {}
    kinds = {name: kind for name, kind in kinds_of(record).items() if name != "D"}
    for name, (kind, registers) in kinds.items():
        size = codes.slots(kind, registers)
        if kind == "pair":
            pairs = np.array([nibble(pair) for pair in PAIRS])
            slots[name] = pairs[random.integers(len(pairs), size=size)]
        elif kind == "e8m0":
            slots[name] = random.integers(*_SCALES, size=size)
        else:
            largest = min(LARGEST[name], codes.TYPES[kind].largest)
            slots[name] = random.integers(-largest, largest + 1, size=size)
    registers_of = {
        name: codes.pack(kind, slots[name], registers) for name, (kind, registers) in kinds.items()
    }
    return Matrices(slots, registers_of)


def run(record: emulator.Instruction, data: Matrices, modifiers: Modifiers) -> IntArray:
    """Return D's numbers, by slot."""
    found = calls.run(record, data.registers, modifiers)
    try:
        return codes.unpack(record.d_format.name, found)
    except ValueError as error:
        raise ProbeError(f"{record.mnemonic}: {error}") from None


def wanted(tables: Mapping[str, SlotArray], data: Matrices) -> IntArray:
    """Return numpy's product, ``[b, i, j]``: what the tables say that D is."""
    read = {
        name: data.slots[name][np.maximum(table.slot, 0)] * (-1 if table.table.negated else 1)
        for name, table in tables.items()
        if name != "D"
    }
    a, b = read["A"], read["B"]
    if "index" in read:
        a = _expanded(a, read["index"])
    if "scale_a" in read:
        a, b = (
            _scaled(matrix, read[name], axis)
            for matrix, name, axis in ((a, "scale_a", 2), (b, "scale_b", 1))
        )
    product: IntArray = np.matmul(a, b) + read["C"]
    return product


def _expanded(stored: IntArray, pairs: IntArray) -> IntArray:
    """A sparse A with its zeros: of every four k, the two that the pair names are stored."""
    blocks, rows, groups = pairs.shape
    block, row, group = np.ogrid[:blocks, :rows, :groups]
    dense = np.zeros((blocks, rows, 4 * groups), dtype=np.int64)
    dense[block, row, 4 * group + (pairs & 3)] = stored[:, :, 0::2]
    dense[block, row, 4 * group + (pairs >> 2)] = stored[:, :, 1::2]
    return dense


def _scaled(matrix: IntArray, scale: IntArray, axis: int) -> IntArray:
    each = matrix.shape[axis] // scale.shape[axis]
    found: IntArray = matrix << np.repeat(scale - _SCALES[0], each, axis=axis)
    return found


_ALONG_K = {"A": 2, "B": 1, "index": 2, "scale_a": 2, "scale_b": 1}


def check(
    instruction: str,
    tables: Mapping[str, SlotArray],
    data: Matrices,
    result: IntArray,
    modifiers: str = "",
) -> tuple[int, list[Finding]]:
    """Return how many elements of D were compared, and where they differ."""
    held = np.ones(tables["D"].slot.shape, dtype=bool)
    for name, axis in _ALONG_K.items():
        if name in tables:
            held &= (tables[name].slot >= 0).all(axis=axis, keepdims=True)
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
