"""Rounding, wraparound, subnormals: what each numeric model does to the sum."""

from fractions import Fraction

import ml_dtypes
import numpy as np
import pytest
from emulator_oracle import fused, pack
from hypothesis import given, settings
from hypothesis import strategies as st

from layoutgen import emulator

F32 = "v_mfma_f32_16x16x4f32"
F16 = "v_mfma_f32_16x16x16f16"
BF16 = "v_mfma_f32_16x16x8bf16"
I8 = "v_mfma_i32_16x16x16i8"


def dot(mnemonic, a, b, c, model):
    """One dot product: a and b along k in every row and column; D's first slot.

    Sixteen lanes hold one group of consecutive k.
    """
    dtype = {F32: np.float32, F16: np.float16, BF16: ml_dtypes.bfloat16, I8: np.int8}[mnemonic]
    a, b = (np.array(x).astype(dtype).reshape(4, -1) for x in (a, b))
    a, b = (pack(np.repeat(x.T, 16, axis=1)) for x in (a, b))
    d = emulator.execute("gfx908", mnemonic, a, b, c, model=model)
    assert (d == d[0, 0]).all()
    return d[0, 0].view(np.int32 if mnemonic == I8 else np.float32)


def pad(values, count):
    return list(values) + [0] * (count - len(values))


def test_f32_rounds_after_each_k_where_exact_rounds_once():
    a, b = [1, 2.0**-24, 2.0**-24, 0], [1, 1, 1, 1]
    assert dot(F32, a, b, 0, "numeric") == 1
    assert dot(F32, a, b, 0, "exact") == 1 + 2.0**-23


def test_f32_is_fused_the_product_is_not_rounded_first():
    x = 1 + 2.0**-12  # x * x = 1 + 2^-11 + 2^-24, a tie that rounds the last term away
    assert np.float32(x) * np.float32(x) == 1 + 2.0**-11
    for model in ("exact", "numeric"):
        assert dot(F32, pad([x], 4), pad([x], 4), -(1 + 2.0**-11), model) == 2.0**-24


@pytest.mark.parametrize("sign", [1, -1])
def test_f32_fused_sum_is_not_rounded_twice(sign):
    # The product lies 2^-70 beside half a unit of 1; binary64 rounds the sum onto the tie.
    above = [1 - 2.0**-11 + 2.0**-23, (1 + 2.0**-11 + 2.0**-23) * 2.0**-24]  # 2^-24 + 2^-70
    below = [1 - 2.0**-23, (1 + 2.0**-23) * 2.0**-24]  # 2^-24 - 2^-70
    for model in ("exact", "numeric"):
        a, b = pad(above[:1], 4), pad([sign * above[1]], 4)
        assert dot(F32, a, b, sign, model) == sign * (1 + 2.0**-23)
        a, b = pad(below[:1], 4), pad([sign * below[1]], 4)
        assert dot(F32, a, b, sign * (1 + 2.0**-23), model) == sign * (1 + 2.0**-23)


@pytest.mark.parametrize("beside", [2.0**-70, -(2.0**-70)])
def test_exact_sees_what_lies_beside_a_tie(beside):
    odd = 1 + 2.0**-23
    expected = odd if beside < 0 else 1 + 2.0**-22
    assert dot(F32, pad([2.0**-24, beside], 4), [1, 1, 0, 0], odd, "exact") == expected
    even = 1.0
    expected = odd if beside > 0 else even
    assert dot(F32, pad([2.0**-24, beside], 4), [1, 1, 0, 0], even, "exact") == expected


def test_an_exact_zero_is_positive():
    for mnemonic, k in ((F32, 4), (F16, 16)):
        zero = dot(mnemonic, [0] * k, [-1] * k, -0.0, "exact")
        assert zero.view(np.uint32) == 0


@pytest.mark.parametrize(
    ("mnemonic", "big", "tie", "beyond"), [(F16, 15, 3, -12), (F32, 20, 8, -8)]
)
def test_exact_breaks_a_tie_by_a_term_that_binary64_would_lose(mnemonic, big, tie, beyond):
    factors = pad([2.0**big, 2.0**tie, 2.0**beyond], 16 if mnemonic == F16 else 4)
    one_more = 2.0 ** (2 * big) + 2.0 ** (2 * tie + 1)  # the tie lies half a unit above 2^(2 big)
    assert dot(mnemonic, factors, factors, 0, "exact") == one_more


def test_f16_sums_four_products_exactly_then_rounds():
    small = 2.0**-12  # squared: half a unit in the last place of 1
    together = dot(F16, pad([1, small, small], 16), pad([1, small, small], 16), 0, "numeric")
    assert together == 1 + 2.0**-23
    apart = pad([1, 0, 0, 0, small, 0, 0, 0, small], 16)
    assert dot(F16, apart, apart, 0, "numeric") == 1
    assert dot(F16, apart, apart, 0, "exact") == 1 + 2.0**-23


def test_bf16_sums_two_products_exactly_then_rounds():
    small = 2.0**-12
    together = pad([small, small], 8)
    assert dot(BF16, together, together, 1, "numeric") == 1 + 2.0**-23
    apart = pad([small, 0, small], 8)
    assert dot(BF16, apart, apart, 1, "numeric") == 1
    assert dot(BF16, apart, apart, 1, "exact") == 1 + 2.0**-23


def test_cancellation_loses_nothing_within_a_group():
    a, b = [2.0**15, 2.0**-14, 2.0**15, 0], [2.0**15, 2.0**-14, -(2.0**15), 0]
    assert dot(F16, pad(a, 16), pad(b, 16), 0, "numeric") == 2.0**-28
    a, b = (
        [2.0**15, 0, 0, 0, 2.0**-14, 0, 0, 0, 2.0**15],
        [2.0**15, 0, 0, 0, 1, 0, 0, 0, -(2.0**15)],
    )
    assert dot(F16, pad(a, 16), pad(b, 16), 0, "numeric") == 0
    assert dot(F16, pad(a, 16), pad(b, 16), 0, "exact") == 2.0**-14


@pytest.mark.parametrize("model", ["exact", "numeric"])
def test_subnormals_are_kept_going_in_and_coming_out(model):
    assert dot(F16, pad([2.0**-24], 16), pad([1], 16), 0, model) == 2.0**-24
    assert dot(BF16, pad([2.0**-130], 8), pad([1], 8), 0, model) == np.float32(2.0**-130)
    assert dot(F32, pad([2.0**-149], 4), pad([1], 4), 0, model) == np.float32(2.0**-149)
    assert dot(F32, pad([2.0**-100], 4), pad([2.0**-40], 4), 0, model) == np.float32(2.0**-140)
    smallest = float(np.finfo(np.float32).smallest_subnormal)
    assert dot(F32, [0] * 4, [0] * 4, smallest, model) == np.float32(smallest)


@pytest.mark.parametrize("model", ["exact", "numeric"])
def test_overflow_infinities_and_nan(model):
    big = float(np.finfo(np.float32).max)
    assert dot(F32, pad([big], 4), pad([2], 4), 0, model) == np.inf
    assert dot(F32, pad([-np.inf], 4), pad([2], 4), big, model) == -np.inf
    not_a_number = dot(F32, pad([np.inf], 4), [0] * 4, 0, model)
    assert not_a_number.view(np.uint32) == 0x7FC00000
    opposite = dot(F16, pad([np.inf, np.inf], 16), pad([1, -1], 16), 0, model)
    assert opposite.view(np.uint32) == 0x7FC00000


def test_an_intermediate_overflow_stays_only_in_the_numeric_model():
    big = 2.0**127
    a, b = [big, big, -big, -big], [1, 1, 1, 1]
    assert dot(F32, a, b, 0, "exact") == 0
    assert dot(F32, a, b, 0, "numeric") == np.inf


@pytest.mark.parametrize("model", ["exact", "numeric"])
def test_i8_is_signed_and_i32_wraps(model):
    assert dot(I8, [-128] * 16, [-128] * 16, 0, model) == 16 * 128 * 128
    assert dot(I8, [-128] * 16, [127] * 16, 0, model) == -16 * 128 * 127
    assert dot(I8, pad([1], 16), pad([1], 16), 2**31 - 1, model) == -(2**31)
    assert dot(I8, pad([-1], 16), pad([1], 16), -(2**31), model) == 2**31 - 1


def random_bits(rng, dtype, shape, spread):
    """Finite values with random signs, fractions and exponents around 1."""
    values = rng.uniform(1, 2, shape) * 2.0 ** rng.integers(-spread, spread, shape)
    return (values * rng.choice([-1, 1], shape)).astype(dtype)


@pytest.mark.parametrize(
    ("mnemonic", "dtype", "spread", "group"),
    [
        ("v_mfma_f32_4x4x1f32", np.float32, 40, 1),
        ("v_mfma_f32_16x16x4f32", np.float32, 60, 1),
        ("v_mfma_f32_16x16x16f16", np.float16, 14, 4),
        ("v_mfma_f32_16x16x8bf16", ml_dtypes.bfloat16, 60, 2),
    ],
)
@settings(max_examples=40, deadline=None, derandomize=True)
@given(seed=st.integers(0, 2**32 - 1), wide=st.booleans())
def test_both_models_agree_with_rational_arithmetic(mnemonic, dtype, spread, group, seed, wide):
    rng = np.random.default_rng(seed)
    record = emulator.instruction("gfx908", mnemonic)
    spread = spread if wide else 3
    items = record.a_registers * 4 // np.dtype(dtype).itemsize
    a, b = (random_bits(rng, dtype, (items, 64), spread) for _ in "ab")
    c = random_bits(rng, np.float32, (record.c_registers, 64), min(2 * spread, 120))
    registers = pack(a), pack(b), c.view(np.uint32)
    exact, numeric = (
        emulator.execute("gfx908", mnemonic, *registers, model=model).view(np.float32)
        for model in ("exact", "numeric")
    )
    bits = 8 * np.dtype(dtype).itemsize
    for _ in range(12):
        register, lane = int(rng.integers(record.d_registers)), int(rng.integers(64))
        products = [
            Fraction(float(a[(32 * t.a_register + t.a_bit) // bits, t.a_lane]))
            * Fraction(float(b[(32 * t.b_register + t.b_bit) // bits, t.b_lane]))
            for t in emulator.terms("gfx908", mnemonic, register, lane)
        ]
        start = c[register, lane]
        assert exact[register, lane] == fused(start, products, len(products))
        assert numeric[register, lane] == fused(start, products, group)
