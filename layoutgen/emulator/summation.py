"""Sums of binary64 terms, rounded once.

All terms here are products of two f32, f16 or bf16 values, or one such value: they are exact
in binary64 and no intermediate sum can over- or underflow. What remains is to add them without
losing a bit before the one rounding to f32. Rounding to f32 from a binary64 value *rounded to
odd* equals rounding the exact value (S. Boldo and G. Melquiond, "Emulation of FMA and correctly
rounded sums: proved algorithms using rounding to odd", IEEE Trans. Computers 57(4), 2008): an
odd last bit marks an inexact value, so a later tie cannot be mistaken.
"""

import math
from collections.abc import Sequence

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
