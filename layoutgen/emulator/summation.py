"""Sums of products, rounded once.

For f32 accumulators all terms are products of two elements of 32 bits or less (scaled by powers
of two), or one f32: they are exact in binary64 and no intermediate sum can over- or underflow.
What remains is to add them without losing a bit before the one rounding to f32. Rounding to f32
from a binary64 value *rounded to odd* equals rounding the exact value (S. Boldo and
G. Melquiond, "Emulation of FMA and correctly rounded sums: proved algorithms using rounding to
odd", IEEE Trans. Computers 57(4), 2008): an odd last bit marks an inexact value, so a later tie
cannot be mistaken.

For f64 accumulators the sums are made of rational numbers, one destination at a time.
"""

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def sum_to_odd(terms: Sequence[Floats]) -> Floats:
    """The exact sum of arrays of one shape, rounded to odd in binary64.

    Infinities and NaNs follow IEEE 754. Cost: a few vector operations per term where no bit
    is lost, a correctly rounded scalar sum for each element where one is.
    """
    total, error = terms[0], np.zeros_like(terms[0])
    inexact = np.zeros(terms[0].shape, dtype=bool)
    with np.errstate(invalid="ignore"):
        for term in terms[1:]:
            total, error = _two_sum(total, term)
            inexact |= error != 0
    inexact &= np.isfinite(total)
    if len(terms) == 2:
        return np.where(inexact, _odd(total, error), total)
    if inexact.any():
        columns = np.stack([term[inexact] for term in terms], axis=-1)
        total[inexact] = [_scalar_sum_to_odd(row) for row in columns.tolist()]
    return total


def _two_sum(x: Floats, y: Floats) -> tuple[Floats, Floats]:
    """Knuth's TwoSum: the rounded sum and what the rounding lost, exactly."""
    total = x + y
    y_part = total - x
    return total, (x - (total - y_part)) + (y - y_part)


def _odd(total: Floats, error: Floats) -> Floats:
    """Rounded to nearest plus a non-zero error: step an even value towards the error."""
    bits = total.view(np.int64)
    step = np.where((total > 0) == (error > 0), 1, -1)
    return np.where(bits & 1 == 0, bits + step, bits).view(np.float64)


def _scalar_sum_to_odd(values: list[float]) -> float:
    total = math.fsum(values)  # correctly rounded to nearest even
    rest = math.fsum([*values, -total])  # its sign is that of the exact remainder
    if rest == 0 or int(math.ldexp(math.frexp(total)[0], 53)) & 1:
        return total
    return math.nextafter(total, math.copysign(math.inf, rest))


def fused_sum(pairs: Iterable[tuple[NDArray[Any], NDArray[Any]]], c: Floats) -> Floats:
    """C plus the exact sum of all products, rounded once to binary64.

    ``pairs`` are the factors, arrays that broadcast to the shape of ``c``. With one pair this
    is a fused multiply-add. Infinities and NaNs follow IEEE 754.
    """
    factors = [tuple(np.broadcast_to(x, c.shape).ravel().tolist() for x in pair) for pair in pairs]
    sums = (
        _scalar_fused_sum([(left[i], right[i]) for left, right in factors], start)
        for i, start in enumerate(c.ravel().tolist())
    )
    return np.fromiter(sums, dtype=np.float64, count=c.size).reshape(c.shape)


def _scalar_fused_sum(pairs: list[tuple[float, float]], c: float) -> float:
    if not all(map(math.isfinite, (c, *(x for pair in pairs for x in pair)))):
        return _non_finite_sum(pairs, c)
    total = Fraction(c) + sum((Fraction(x) * Fraction(y) for x, y in pairs), Fraction(0))
    if total == 0:
        # Only the sign is open: that of the sum of the signed zeros, if all are zeros.
        zeros = [x * y for x, y in pairs if x == 0 or y == 0]
        return math.copysign(0.0, -1.0) if _all_negative_zero(zeros, c, len(pairs)) else 0.0
    try:
        return float(total)
    except OverflowError:
        return math.inf if total > 0 else -math.inf


def _all_negative_zero(zeros: list[float], c: float, count: int) -> bool:
    values = [*zeros, c]
    return len(zeros) == count and all(v == 0 and math.copysign(1.0, v) < 0 for v in values)


def _non_finite_sum(pairs: list[tuple[float, float]], c: float) -> float:
    """The sum where some value is an infinity or NaN: finite products cannot change it."""
    signs = [math.copysign(1.0, x) * math.copysign(1.0, y) for x, y in pairs]
    total = c if not math.isfinite(c) else 0.0
    for (x, y), sign in zip(pairs, signs, strict=True):
        if math.isfinite(x) and math.isfinite(y):
            continue
        total += math.nan if 0 in (x, y) or math.isnan(x) or math.isnan(y) else sign * math.inf
    return total
