"""Random numbers through the emulator, and through the products that a device named."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from layoutgen import emulator
from layoutgen.probe import LANES, PAIRS, Case, index_nibble
from layoutgen.probe.numbers import codes
from layoutgen.validate.codes import IntArray, Registers

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from layoutgen.model import Architecture
    from layoutgen.operand import Operand
    from layoutgen.validate.device_file import Run

LARGEST = 8
"""Numbers are 1 to this, or less where a format has fewer whole numbers in a row."""


def emulated_d(
    arch: Architecture, case: Case, run: Run
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return D by slot: what the emulator makes of random numbers, and what the products make."""
    random = np.random.default_rng(len(run.triples))
    inst = case.instruction
    a, b, c = (inst.operand(name, **case.fields) for name in "ABC")
    values = {o.name: _numbers(o, random) for o in (a, b, c)}
    fields = emulator_fields(case)
    one = np.full((1, LANES), 0x7F7F7F7F, dtype=np.uint32)
    d = emulator.execute(
        arch.name,
        inst.mnemonic,
        pack(a, values["A"]),
        pack(b, values["B"]),
        pack(c, values["C"]),
        cbsz=fields.get("cbsz", 0),
        abid=fields.get("abid", 0),
        blgp=fields.get("blgp", 0),
        index=index_register(case.rotation) if inst.sparse else None,
        scale_a=one if "scale_a" in inst.operands else None,
        scale_b=one if "scale_b" in inst.operands else None,
    )
    predicted = np.zeros(LANES * c.layout.items)
    first = [(slot, -1 - x if x < 0 else x, -1 if x < 0 else 1)
             for slot, x in enumerate(run.accumulators) if x is not None]  # fmt: skip
    for slot, source, sign in first:
        predicted[slot] = sign * values["C"][source]
    d_slot, a_slot, b_slot = run.triples.T
    np.add.at(predicted, d_slot, run.sign * values["A"][a_slot] * values["B"][b_slot])
    return unpack(inst.operands["D"], d), predicted


def emulator_fields(case: Case) -> dict[str, int]:
    """Return the modifiers as the emulator calls them: it has the bits of neg in blgp."""
    return {("blgp" if name == "neg" else name): v for name, v in case.fields.items()}


def index_register(rotation: int) -> Registers:
    """Return the index register that the program fills."""
    words = [sum(_nibble(lane, n, rotation) << (4 * n) for n in range(8)) for lane in range(LANES)]
    return np.array([words], dtype=np.uint32)


def _nibble(lane: int, nibble: int, rotation: int) -> int:
    low, high = index_nibble(lane, nibble, rotation)
    assert (low, high) in PAIRS
    return low | high << 2


def _numbers(operand: Operand, random: np.random.Generator) -> IntArray:
    most = len(codes(operand.format, LARGEST)) - 1
    return random.integers(1, most + 1, size=LANES * operand.layout.items)


def pack(operand: Operand, numbers: IntArray) -> Registers:
    """Return registers ``uint32[…, registers, 64]`` that hold ``numbers[…, slots]``."""
    table = np.array(codes(operand.format, int(numbers.max(initial=0))), dtype=np.uint64)
    width, items = operand.format.bits, operand.layout.items
    bits = table[numbers].reshape(*numbers.shape[:-1], items, LANES)
    count = -(-items * width // 32)
    registers = np.zeros((*numbers.shape[:-1], count, LANES), dtype=np.uint32)
    for item in range(items):
        row = bits[..., item, :]
        register, bit = divmod(item * width, 32)
        for part in range(-(-(bit + width) // 32)):
            shifted = row << np.uint64(bit) if part == 0 else row >> np.uint64(32 * part - bit)
            words = (shifted & np.uint64(0xFFFFFFFF)).astype(np.uint32)
            registers[..., register + part, :] |= words
    return registers


def unpack(operand: Operand, registers: Registers) -> NDArray[np.float64]:
    """Return the numbers in the slots of D."""
    if operand.format.bits == 64:
        low, high = registers[::2].astype(np.uint64), registers[1::2].astype(np.uint64)
        return (low | high << np.uint64(32)).view(np.float64).reshape(-1)
    kind = np.int32 if operand.format.encoding is None else np.float32
    return np.ascontiguousarray(registers).view(kind).reshape(-1).astype(np.float64)
