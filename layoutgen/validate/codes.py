"""Small integers in the element types, and fields in registers: the validation's own packing.

A *slot* is a place for one element of an operand: ``64 * item + lane``, where item n of a lane
starts at bit ``n * width`` of its registers.  Registers are ``uint32[registers, 64]``, with a
leading batch axis where many calls run at once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

import ml_dtypes
import numpy as np
from numpy.typing import NDArray

IntArray: TypeAlias = NDArray[np.int64]
Registers: TypeAlias = NDArray[np.uint32]

LANES = 64
REGISTER_BITS = 32


@dataclass(frozen=True)
class Exact:
    """How a type holds integers: all of ``-largest`` to ``largest`` are exact in it."""

    bits: int
    dtype: Any
    largest: int


# The largest n such that every integer up to n has a value of its own in the type.
TYPES = {
    "f32": Exact(32, np.float32, 2**24),
    "f16": Exact(16, np.float16, 2**11),
    "bf16": Exact(16, ml_dtypes.bfloat16, 2**8),
    "i8": Exact(8, np.int8, 127),
    "i32": Exact(32, np.int32, 2**31 - 1),
}


def encode(kind: str, numbers: IntArray) -> NDArray[np.uint32]:
    """Return the bit patterns of `numbers` in the type `kind`, right-aligned, same shape."""
    exact = TYPES[kind]
    if np.abs(numbers).max(initial=0) > exact.largest:
        raise ValueError(f"{kind} holds integers up to {exact.largest} only")
    unsigned = np.dtype(f"uint{exact.bits}")
    return np.ascontiguousarray(numbers.astype(exact.dtype)).view(unsigned).astype(np.uint32)


def decode(kind: str, raw: NDArray[np.uint32]) -> IntArray:
    """Return the integers that bit patterns of the type `kind` hold, same shape.

    Raises ValueError for a value that is no integer.
    """
    exact = TYPES[kind]
    unsigned = np.dtype(f"uint{exact.bits}")
    values = np.ascontiguousarray(raw.astype(unsigned)).view(exact.dtype).astype(np.float64)
    if not np.isfinite(values).all() or (np.rint(values) != values).any():
        raise ValueError(f"a {kind} result is no integer")
    whole: IntArray = values.astype(np.int64)
    return whole


def pack(kind: str, numbers: IntArray, registers: int) -> Registers:
    """Return registers that hold ``numbers[..., slots]``, one for each slot of the operand."""
    width = TYPES[kind].bits
    per_register = REGISTER_BITS // width
    raw = encode(kind, numbers).reshape(*numbers.shape[:-1], registers, per_register, LANES)
    shift = (width * np.arange(per_register, dtype=np.uint32))[:, None]
    packed: Registers = np.bitwise_or.reduce(raw << shift, axis=-2)
    return np.ascontiguousarray(packed)


def fields(kind: str, registers: Registers) -> NDArray[np.uint32]:
    """Return the bit patterns in every slot of ``registers[..., registers, 64]``, flat."""
    width = TYPES[kind].bits
    if width == REGISTER_BITS:
        return registers.reshape(*registers.shape[:-2], -1)
    shift = (width * np.arange(REGISTER_BITS // width, dtype=np.uint32))[:, None]
    raw = (registers[..., None, :] >> shift) & np.uint32(2**width - 1)
    return raw.reshape(*registers.shape[:-2], -1)


def unpack(kind: str, registers: Registers) -> IntArray:
    """Return the numbers in every slot of ``registers[..., registers, 64]``, flat."""
    return decode(kind, fields(kind, registers))


def slots(kind: str, registers: int) -> int:
    """Return how many slots an operand of `registers` registers has."""
    return LANES * registers * REGISTER_BITS // TYPES[kind].bits


def describe(slot: int, width: int) -> str:
    """Return a slot in words: ``lane 5, register 1, bits 16-31``."""
    item, lane = divmod(slot, LANES)
    register, bit = divmod(item * width, REGISTER_BITS)
    if width == REGISTER_BITS:
        return f"lane {lane}, register {register}"
    return f"lane {lane}, register {register}, bits {bit}-{bit + width - 1}"
