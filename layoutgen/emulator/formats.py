"""Element formats: raw bit fields to numbers and back.

Nothing here knows where an element sits in a register; a format only says how many bits it
has and what they mean. Numbers are ``float64`` for floating-point formats (every value of
f32, f16 and bf16 is exact in it) and ``int32`` for integers.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import ml_dtypes
import numpy as np
from numpy.typing import NDArray

from layoutgen.emulator.errors import EmulatorError

Raw: TypeAlias = NDArray[np.unsignedinteger[Any]]
# float64 or int32, by the format; one alias, since the models treat them alike.
Numbers: TypeAlias = NDArray[Any]

CANONICAL_NAN = np.uint32(0x7FC00000)


@dataclass(frozen=True)
class Format:
    """One element format.

    ``decode`` turns an array of raw fields (unsigned, ``bits`` wide, right-aligned) into
    numbers of the same shape.
    """

    name: str
    bits: int
    integer: bool
    decode: Callable[[Raw], Numbers]


def _decode_f32(raw: Raw) -> Numbers:
    return raw.astype(np.uint32).view(np.float32).astype(np.float64)


def _decode_f16(raw: Raw) -> Numbers:
    return raw.astype(np.uint16).view(np.float16).astype(np.float64)


def _decode_bf16(raw: Raw) -> Numbers:
    singles: Numbers = raw.astype(np.uint16).view(ml_dtypes.bfloat16).astype(np.float64)
    return singles


def _decode_i8(raw: Raw) -> Numbers:
    return raw.astype(np.uint8).view(np.int8).astype(np.int32)


def _decode_i32(raw: Raw) -> Numbers:
    return raw.astype(np.uint32).view(np.int32)


F32 = Format("f32", 32, integer=False, decode=_decode_f32)
F16 = Format("f16", 16, integer=False, decode=_decode_f16)
BF16 = Format("bf16", 16, integer=False, decode=_decode_bf16)
I8 = Format("i8", 8, integer=True, decode=_decode_i8)
I32 = Format("i32", 32, integer=True, decode=_decode_i32)


def encode_accumulator(numbers: Numbers, target: Format) -> NDArray[np.uint32]:
    """Round numbers once to a 32-bit accumulator format; return their bits, same shape.

    f32 rounds to nearest even, overflows to infinity and keeps subnormals; every NaN becomes
    the canonical quiet one (payloads are not modelled). i32 is already wrapped.
    """
    if target.integer:
        return np.ascontiguousarray(numbers, dtype=np.int32).view(np.uint32)
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        singles = np.ascontiguousarray(numbers, dtype=np.float32)
    bits = singles.view(np.uint32)
    return np.where(np.isnan(singles), CANONICAL_NAN, bits)


def encode_inline_constant(value: float, target: Format) -> np.uint32:
    """Bits of a Python number converted to a 32-bit accumulator format.

    Raises:
        EmulatorError: the format has no such value (an integer format takes whole numbers of
            32 bits only; a finite number must stay finite in f32).
    """
    number = int | float | np.integer | np.floating
    if isinstance(value, bool) or not isinstance(value, number):
        raise EmulatorError(f"c: an inline constant must be a number, not {value!r}")
    if target.integer:
        if not (-(2**31) <= value < 2**31 and int(value) == value):
            raise EmulatorError(f"c: inline constant {value!r} is no signed 32-bit integer")
        return np.uint32(int(value) % 2**32)
    with np.errstate(over="ignore", under="ignore"):
        single = np.float32(value)
    if np.isinf(single) and not np.isinf(value):
        raise EmulatorError(f"c: inline constant {value!r} overflows {target.name}")
    return CANONICAL_NAN if np.isnan(single) else single.view(np.uint32)
