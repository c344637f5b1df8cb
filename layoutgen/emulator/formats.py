"""Element formats: raw bit fields to numbers and back.

Nothing here knows where an element sits in a register; a format only says how many bits it
has and what they mean. Numbers are exact: ``float32`` for every format that fits in it (i8
too), ``float64`` for f64, ``int32`` for the i32 accumulator.

The 8-bit floating-point formats differ by architecture: gfx942 has the FNUZ encodings (no
infinity, no negative zero, one NaN 0x80), gfx950 those of the OCP 8-bit specification. fp6,
bf6, fp4 and the E8M0 scale are those of the OCP microscaling specification.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import ml_dtypes
import numpy as np
from numpy.typing import NDArray

from layoutgen.emulator.errors import EmulatorError

Raw: TypeAlias = NDArray[np.unsignedinteger[Any]]
# float32, float64 or int32, by the format; one alias, since the models treat them alike.
Numbers: TypeAlias = NDArray[Any]

CANONICAL_NAN = np.uint32(0x7FC00000)
CANONICAL_NAN_64 = np.uint64(0x7FF8000000000000)


@dataclass(frozen=True)
class Format:
    """One element format.

    ``decode`` turns an array of raw fields (unsigned, ``bits`` wide, right-aligned) into
    numbers of the same shape. ``integer`` elements accumulate modulo 2^32. ``least_exponent``
    is that of the smallest normal number.
    """

    name: str
    bits: int
    integer: bool
    decode: Callable[[Raw], Numbers]
    least_exponent: int = 0


def _decode_f64(raw: Raw) -> Numbers:
    return raw.astype(np.uint64).view(np.float64)


def _decode_f32(raw: Raw) -> Numbers:
    return raw.astype(np.uint32).view(np.float32)


def _decode_xf32(raw: Raw) -> Numbers:
    # The lowest 13 of 23 fraction bits do not reach the multiplier (MMA-Sim, measured on
    # MI300; the manual and others speak of rounding).
    return (raw.astype(np.uint32) & np.uint32(0xFFFFE000)).view(np.float32)


def _decode_f16(raw: Raw) -> Numbers:
    return raw.astype(np.uint16).view(np.float16).astype(np.float32)


def _decode_bf16(raw: Raw) -> Numbers:
    return (raw.astype(np.uint32) << np.uint32(16)).view(np.float32)


def _decode_i32(raw: Raw) -> Numbers:
    return raw.astype(np.uint32).view(np.int32)


def _looked_up(dtype: Any, bits: int) -> Callable[[Raw], Numbers]:
    """A decoder by table: entry n is the number whose bits are n."""
    table = np.arange(2**bits, dtype=np.uint8).view(dtype).astype(np.float32)
    table.setflags(write=False)

    def decode(raw: Raw) -> Numbers:
        numbers: Numbers = np.take(table, raw.astype(np.intp), mode="clip")
        return numbers

    return decode


def _small(name: str, bits: int, dtype: Any, least_exponent: int = 0) -> Format:
    integer = dtype is np.int8
    return Format(name, bits, integer, _looked_up(dtype, bits), least_exponent)


F64 = Format("f64", 64, integer=False, decode=_decode_f64, least_exponent=-1022)
F32 = Format("f32", 32, integer=False, decode=_decode_f32, least_exponent=-126)
XF32 = Format("xf32", 32, integer=False, decode=_decode_xf32, least_exponent=-126)
F16 = Format("f16", 16, integer=False, decode=_decode_f16, least_exponent=-14)
BF16 = Format("bf16", 16, integer=False, decode=_decode_bf16, least_exponent=-126)
I32 = Format("i32", 32, integer=True, decode=_decode_i32)
I8 = _small("i8", 8, np.int8)
FP8_FNUZ = _small("fp8_e4m3fnuz", 8, ml_dtypes.float8_e4m3fnuz, -7)
BF8_FNUZ = _small("bf8_e5m2fnuz", 8, ml_dtypes.float8_e5m2fnuz, -15)
FP8 = _small("fp8_e4m3", 8, ml_dtypes.float8_e4m3fn, -6)
BF8 = _small("bf8_e5m2", 8, ml_dtypes.float8_e5m2, -14)
FP6 = _small("fp6_e2m3", 6, ml_dtypes.float6_e2m3fn, 0)
BF6 = _small("bf6_e3m2", 6, ml_dtypes.float6_e3m2fn, -2)
FP4 = _small("fp4_e2m1", 4, ml_dtypes.float4_e2m1fn, 0)
# One byte of a scale register: 2^(byte - 127), 255 is NaN.
E8M0 = _small("e8m0", 8, ml_dtypes.float8_e8m0fnu, -127)

# Format codes of the f8f6f4 instructions: cbsz chooses A's, blgp B's.
F8F6F4 = (FP8, BF8, FP6, BF6, FP4)


def encode_accumulator(numbers: Numbers, target: Format) -> Raw:
    """Round numbers once to an accumulator format; return their bits, same shape.

    f32 rounds to nearest even, overflows to infinity and keeps subnormals; every NaN becomes
    the canonical quiet one (payloads are not modelled). i32 is already wrapped, f64 rounded.
    """
    if target.integer:
        return np.ascontiguousarray(numbers, dtype=np.int32).view(np.uint32)
    if target.bits == 64:
        doubles = np.ascontiguousarray(numbers, dtype=np.float64)
        return np.where(np.isnan(doubles), CANONICAL_NAN_64, doubles.view(np.uint64))
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        singles = np.ascontiguousarray(numbers, dtype=np.float32)
    return np.where(np.isnan(singles), CANONICAL_NAN, singles.view(np.uint32))


def encode_inline_constant(value: object, target: Format) -> Raw:
    """Bits of a Python number converted to an accumulator format, a 0-d array.

    Raises:
        EmulatorError: the format has no such value (an integer format takes whole numbers of
            32 bits only; a finite number must stay finite in f32).
    """
    if isinstance(value, bool) or not isinstance(value, int | float | np.integer | np.floating):
        raise EmulatorError(f"c: an inline constant must be a number, not {value!r}")
    if target.integer:
        if not (-(2**31) <= value < 2**31 and int(value) == value):
            raise EmulatorError(f"c: inline constant {value!r} is no signed 32-bit integer")
        return np.array(int(value) % 2**32, dtype=np.uint32)
    dtype = np.float64 if target.bits == 64 else np.float32
    with np.errstate(over="ignore", under="ignore"):
        converted = np.array(value, dtype=dtype)
    if np.isinf(converted) and not np.isinf(value):
        raise EmulatorError(f"c: inline constant {value!r} overflows {target.name}")
    return encode_accumulator(converted, target)
