"""Every bit pattern of the small formats means what the specifications say."""

import math
from fractions import Fraction

import numpy as np
import pytest

from layoutgen.emulator import formats

# name: exponent bits, mantissa bits, bias, what the highest codes mean
SMALL = {
    "fp8_e4m3fnuz": (formats.FP8_FNUZ, 4, 3, 8, "fnuz"),
    "bf8_e5m2fnuz": (formats.BF8_FNUZ, 5, 2, 16, "fnuz"),
    "fp8_e4m3": (formats.FP8, 4, 3, 7, "nan"),
    "bf8_e5m2": (formats.BF8, 5, 2, 15, "ieee"),
    "fp6_e2m3": (formats.FP6, 2, 3, 1, "finite"),
    "bf6_e3m2": (formats.BF6, 3, 2, 3, "finite"),
    "fp4_e2m1": (formats.FP4, 2, 1, 1, "finite"),
}
# largest, smallest normal, smallest subnormal
LIMITS = {
    "fp8_e4m3fnuz": (240, -7, -10),
    "bf8_e5m2fnuz": (57344, -15, -17),
    "fp8_e4m3": (448, -6, -9),
    "bf8_e5m2": (57344, -14, -16),
    "fp6_e2m3": (7.5, 0, -3),
    "bf6_e3m2": (28, -2, -4),
    "fp4_e2m1": (6, 0, -1),
}


def decoded(form, code):
    return float(form.decode(np.array([code], np.uint8))[0])


def meaning(code, exponent_bits, mantissa_bits, bias, specials):
    """The number of a code by its fields."""
    mantissa = code & (2**mantissa_bits - 1)
    exponent = code >> mantissa_bits & (2**exponent_bits - 1)
    sign = -1 if code >> (mantissa_bits + exponent_bits) else 1
    if specials == "fnuz" and code == 0x80:
        return math.nan
    full = exponent == 2**exponent_bits - 1
    if specials == "nan" and full and mantissa == 2**mantissa_bits - 1:
        return math.nan
    if specials == "ieee" and full:
        return math.nan if mantissa else sign * math.inf
    significand = mantissa if exponent == 0 else mantissa + 2**mantissa_bits
    shift = max(exponent, 1) - bias - mantissa_bits
    return float(sign * significand * Fraction(2) ** shift) * (1.0 if significand else sign)


@pytest.mark.parametrize("name", SMALL)
def test_every_code_of_a_small_format(name):
    form, *fields = SMALL[name]
    assert form.name == name
    assert form.bits == 1 + fields[0] + fields[1]
    for code in range(2**form.bits):
        expected, found = meaning(code, *fields), decoded(form, code)
        assert found == expected or (math.isnan(found) and math.isnan(expected))


@pytest.mark.parametrize("name", SMALL)
def test_limits_of_the_small_formats(name):
    form = SMALL[name][0]
    numbers = [decoded(form, code) for code in range(2**form.bits)]
    finite = [x for x in numbers if math.isfinite(x)]
    largest, normal, subnormal = LIMITS[name]
    assert max(finite) == -min(finite) == largest
    assert min(x for x in finite if x > 0) == 2.0**subnormal
    assert form.least_exponent == normal
    has_negative_zero = any(x == 0 and math.copysign(1, x) < 0 for x in finite)
    assert has_negative_zero == (not name.endswith("fnuz"))
    infinities = sum(math.isinf(x) for x in numbers)
    nans = sum(math.isnan(x) for x in numbers)
    expected = {"bf8_e5m2": (2, 6), "fp8_e4m3": (0, 2)}
    if name.endswith("fnuz"):
        assert (infinities, nans) == (0, 1)
        assert math.isnan(decoded(form, 0x80))
    else:
        assert (infinities, nans) == expected.get(name, (0, 0))


def test_one_byte_means_different_numbers_on_gfx942_and_gfx950():
    assert decoded(formats.FP8_FNUZ, 0x40) == decoded(formats.FP8, 0x38) == 1
    assert decoded(formats.FP8, 0x40) == 2


def test_scales_are_powers_of_two_and_255_is_no_number():
    for code in range(255):
        assert decoded(formats.E8M0, code) == 2.0 ** (code - 127)
    assert math.isnan(decoded(formats.E8M0, 255))


def test_xf32_drops_the_lowest_thirteen_bits():
    bits = np.array([0x3F801FFF, 0x3F802000, 0xC0490FDB], np.uint32)
    kept = np.array([0x3F800000, 0x3F802000, 0xC0490000], np.uint32)
    assert (formats.XF32.decode(bits).view(np.uint32) == kept).all()
    assert (formats.F32.decode(bits).view(np.uint32) == bits).all()


def test_i8_is_signed():
    assert formats.I8.decode(np.array([0, 127, 128, 255], np.uint8)).tolist() == [0, 127, -128, -1]


def test_format_codes_of_f8f6f4():
    names = [form.name for form in formats.F8F6F4]
    assert names == ["fp8_e4m3", "bf8_e5m2", "fp6_e2m3", "bf6_e3m2", "fp4_e2m1"]
