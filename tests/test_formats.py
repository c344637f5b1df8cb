"""Number formats: what the bits mean, and how one architecture differs from another."""

from __future__ import annotations

import math

import ml_dtypes
import numpy as np
import pytest

import layoutgen
from layoutgen.formats import Encoding
from layoutgen.spec import Catalogue

FORMATS = Catalogue().formats
NUMPY = {
    "f64": np.float64,
    "f32": np.float32,
    "f16": np.float16,
    "bf16": ml_dtypes.bfloat16,
    "fp8": ml_dtypes.float8_e4m3fn,
    "bf8": ml_dtypes.float8_e5m2,
    "fp8_fnuz": ml_dtypes.float8_e4m3fnuz,
    "bf8_fnuz": ml_dtypes.float8_e5m2fnuz,
    "fp6": ml_dtypes.float6_e2m3fn,
    "bf6": ml_dtypes.float6_e3m2fn,
    "fp4": ml_dtypes.float4_e2m1fn,
    "e8m0": ml_dtypes.float8_e8m0fnu,
}
STORED = {8: np.uint8, 16: np.uint16, 32: np.uint32, 64: np.uint64}

# Source: CDNA3 and CDNA4 manuals, and the OCP 8-bit and microscaling formats.
FACTS = {
    "fp8_fnuz": (8, 240, 2**-7, 2**-10, (), [0x80], False),
    "bf8_fnuz": (16, 57344, 2**-15, 2**-17, (), [0x80], False),
    "fp8": (7, 448, 2**-6, 2**-9, (), [0x7F, 0xFF], True),
    "bf8": (
        15,
        57344,
        2**-14,
        2**-16,
        (0x7C, 0xFC),
        [*range(0x7D, 0x80), *range(0xFD, 0x100)],
        True,
    ),
    "fp6": (1, 7.5, 1, 0.125, (), [], True),
    "bf6": (3, 28, 0.25, 0.0625, (), [], True),
    "fp4": (1, 6, 1, 0.5, (), [], True),
    "e8m0": (127, 2.0**127, 2.0**-127, None, (), [0xFF], False),
}


def encoding(name: str) -> Encoding:
    found = FORMATS[name].encoding
    assert found is not None
    return found


@pytest.mark.parametrize("name", FACTS)
def test_what_follows_from_an_encoding_is_what_is_published(name: str) -> None:
    e = encoding(name)
    nans = [code for codes in e.nans for code in codes]
    told = (e.bias, e.max, e.min_normal, e.min_subnormal, e.infinities, nans, e.negative_zero)
    assert told == FACTS[name]


@pytest.mark.parametrize("name", NUMPY)
def test_codes_stand_for_the_numbers_that_another_library_reads(name: str) -> None:
    e, bits = encoding(name), FORMATS[name].bits
    assert e.bits == bits
    rng = np.random.default_rng(0)
    codes = range(1 << bits) if bits <= 16 else rng.integers(0, 1 << (bits - 1), 2000).tolist()
    with np.errstate(all="ignore"):
        stored = np.array(list(codes), dtype=STORED[max(8, bits)]).view(NUMPY[name])
        values = stored.astype(np.float64).tolist()
    for code, value in zip(codes, values, strict=True):
        found = e.value(code)
        if math.isnan(value):
            assert math.isnan(found)
        else:
            assert (found, math.copysign(1, found)) == (value, math.copysign(1, value))


def test_the_same_byte_is_another_number_on_another_architecture() -> None:
    """Case of users: FNUZ against OCP."""
    older = layoutgen.arch("gfx942")["v_mfma_f32_16x16x32_fp8_fp8"].operands["A"]
    newer = layoutgen.arch("gfx950")["v_mfma_f32_16x16x32_fp8_fp8"].operands["A"]
    assert (older.format.name, newer.format.name) == ("fp8", "fp8")
    assert older.layout == newer.layout
    for operand, value, largest in ((older, 1.0, 240), (newer, 2.0, 448)):
        assert operand.format.encoding is not None
        assert (operand.format.encoding.value(0x40), operand.format.encoding.max) == (
            value,
            largest,
        )


def test_scales_are_powers_of_two() -> None:
    scale = layoutgen.arch("gfx950")["v_mfma_scale_f32_16x16x128_f8f6f4"].operands["scale_a"]
    assert scale.format.encoding is not None
    read = [scale.format.encoding.value(byte) for byte in (127, 126, 129, 0)]
    assert read == [1, 0.5, 4, 2.0**-127]


def test_xf32_is_stored_as_f32_and_multiplies_with_less() -> None:
    xf32, f32 = encoding("xf32"), encoding("f32")
    assert (xf32.bits, xf32.exponent, xf32.precision) == (32, f32.exponent, 10)
    assert f32.precision is None


def test_integers_and_the_index_have_no_encoding() -> None:
    assert {name for name, f in FORMATS.items() if f.encoding is None} == {"i8", "i32", "pair"}


def test_a_code_out_of_range_is_refused() -> None:
    with pytest.raises(ValueError, match="code 256 is out of range: 0 to 255"):
        encoding("fp8").value(256)
