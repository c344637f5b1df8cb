"""Small integers in the element types, and fields in registers: the validation's own packing.

A *slot* is a place for one element of an operand: ``64 * item + lane``, where item n of a lane
starts at bit ``n * width`` of its registers.  Registers are ``uint32[registers, 64]``, with a
leading batch axis where many calls run at once.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

import ml_dtypes
import numpy as np
from numpy.typing import NDArray

IntArray: TypeAlias = NDArray[np.int64]
Registers: TypeAlias = NDArray[np.uint32]
Raw: TypeAlias = NDArray[np.unsignedinteger[Any]]

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
    "f64": Exact(64, np.float64, 2**53),
    "f32": Exact(32, np.float32, 2**24),
    "xf32": Exact(32, np.float32, 2**11),
    "f16": Exact(16, np.float16, 2**11),
    "bf16": Exact(16, ml_dtypes.bfloat16, 2**8),
    "fp8_e4m3fnuz": Exact(8, ml_dtypes.float8_e4m3fnuz, 2**4),
    "bf8_e5m2fnuz": Exact(8, ml_dtypes.float8_e5m2fnuz, 2**3),
    "fp8_e4m3": Exact(8, ml_dtypes.float8_e4m3fn, 2**4),
    "bf8_e5m2": Exact(8, ml_dtypes.float8_e5m2, 2**3),
    "fp6_e2m3": Exact(6, ml_dtypes.float6_e2m3fn, 7),
    "bf6_e3m2": Exact(6, ml_dtypes.float6_e3m2fn, 2**3),
    "fp4_e2m1": Exact(4, ml_dtypes.float4_e2m1fn, 4),
    "i8": Exact(8, np.int8, 127),
    "i32": Exact(32, np.int32, 2**31 - 1),
    "pair": Exact(4, None, 15),
    "e8m0": Exact(8, None, 254),
}
"""Element types by the emulator's names; the last two are bits as they are: pairs of indices, and
scales, whose code c stands for 2 to the power of c - 127."""


def encode(kind: str, numbers: IntArray) -> NDArray[np.uint64]:
    """Return the bit patterns of `numbers` in the type `kind`, right-aligned, same shape."""
    exact = TYPES[kind]
    if np.abs(numbers).max(initial=0) > exact.largest:
        raise ValueError(f"{kind} holds integers up to {exact.largest} only")
    if exact.dtype is None:
        return numbers.astype(np.uint64)
    typed = np.ascontiguousarray(numbers.astype(exact.dtype))
    return typed.view(f"uint{8 * typed.itemsize}").astype(np.uint64)


def decode(kind: str, raw: Raw) -> IntArray:
    """Return the integers that bit patterns of the type `kind` hold, same shape.

    Raises ValueError for a value that is no integer.
    """
    exact = TYPES[kind]
    if exact.dtype is None:
        return raw.astype(np.int64)
    unsigned = np.dtype(f"uint{8 * np.dtype(exact.dtype).itemsize}")
    values = np.ascontiguousarray(raw.astype(unsigned)).view(exact.dtype).astype(np.float64)
    if not np.isfinite(values).all() or (np.rint(values) != values).any():
        raise ValueError(f"a {kind} result is no integer")
    whole: IntArray = values.astype(np.int64)
    return whole


def pack(kind: str, numbers: IntArray, registers: int) -> Registers:
    """Return registers that hold ``numbers[..., slots]``, one for each slot of the operand."""
    width = TYPES[kind].bits
    items = registers * REGISTER_BITS // width
    raw = encode(kind, numbers).reshape(*numbers.shape[:-1], items, LANES)
    packed = np.zeros((*numbers.shape[:-1], registers, LANES), dtype=np.uint64)
    for item in range(items):
        for register, bit, taken in _pieces(item, width):
            piece = raw[..., item, :] >> np.uint64(taken)
            packed[..., register, :] |= piece << np.uint64(bit)
    return np.ascontiguousarray(packed & np.uint64(_WORD)).astype(np.uint32)


_WORD = 2**REGISTER_BITS - 1


def _pieces(item: int, width: int) -> Iterator[tuple[int, int, int]]:
    """Register, bit in it, and bits of the item that lie before: for each register it touches."""
    start, end = item * width, (item + 1) * width
    for register in range(start // REGISTER_BITS, (end - 1) // REGISTER_BITS + 1):
        bit = max(start - register * REGISTER_BITS, 0)
        yield register, bit, max(register * REGISTER_BITS - start, 0)


def fields(kind: str, registers: Registers) -> Raw:
    """Return the bit patterns in every slot of ``registers[..., registers, 64]``, flat."""
    width = TYPES[kind].bits
    if width == REGISTER_BITS:
        return registers.reshape(*registers.shape[:-2], -1)
    items = registers.shape[-2] * REGISTER_BITS // width
    raw = np.zeros((*registers.shape[:-2], items, LANES), dtype=np.uint64)
    for item in range(items):
        for register, bit, taken in _pieces(item, width):
            piece = registers[..., register, :].astype(np.uint64) >> np.uint64(bit)
            raw[..., item, :] |= piece << np.uint64(taken)
    mask = np.uint64(2**width - 1)
    return (raw & mask).reshape(*registers.shape[:-2], -1)


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
    if width % REGISTER_BITS == 0:
        return f"lane {lane}, register {register}"
    return f"lane {lane}, register {register}, bits {bit}-{bit + width - 1}"
