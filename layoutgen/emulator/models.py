"""How products are summed: the two numeric models.

``exact``
    The mathematical sum of C and all products, rounded once to the accumulator's type. A sum of
    exactly zero is +0. This is the model for checking layouts.

``numeric``
    The architecture's own order of roundings, as far as published; see
    :mod:`layoutgen.emulator.numerics`.

Integers are the same in both: the sum modulo 2^32.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from layoutgen.emulator.formats import Numbers
from layoutgen.emulator.summation import Floats, fused_sum, sum_to_odd

# Fractional bits tried when asking for the grid that a set of values lies on.
_GRIDS = (0, 4, 8, 16)


@dataclass(frozen=True, eq=False)
class Factors:
    """Decoded elements and who multiplies whom.

    ``a`` is ``[batch, rows, products]``, ``b`` ``[batch, columns, products]``, both in k order
    and with their scales and signs applied; a batch of 1 stands for all. D slot s sums row
    ``row[s]`` times column ``column[s]``.

    Of a sparse instruction ``a`` has the stored elements, ``b`` is ``[batch, columns, products,
    4]`` and ``index`` ``[batch, rows, products]`` says which of the four. ``a_least`` and
    ``b_least`` are the exponents of the smallest normal elements.
    """

    a: Numbers
    b: Numbers
    row: NDArray[np.int64]
    column: NDArray[np.int64]
    index: NDArray[np.uint32] | None = None
    a_least: int = -126
    b_least: int = -126

    @property
    def count(self) -> int:
        """Products per slot."""
        return int(self.a.shape[2])

    def pairs(self) -> Iterator[tuple[Numbers, Numbers]]:
        """The factors ``[batch, slots]`` of every slot, in k order."""
        for k in range(self.count):
            left = self.a[:, self.row, k]
            if self.index is None:
                yield left, self.b[:, self.column, k]
            else:
                choice = self.index[:, self.row, k].astype(np.int64)
                four = self.b[:, self.column, k]
                batch = max(len(four), len(choice))
                four = np.broadcast_to(four, (batch, *four.shape[1:]))
                choice = np.broadcast_to(choice, (batch, choice.shape[1]))
                yield left, np.take_along_axis(four, choice[..., None], axis=2)[..., 0]

    def products(self) -> Iterator[Numbers]:
        """The products ``[batch, slots]``, in k order, exact in binary64 but for f64."""
        with np.errstate(invalid="ignore", over="ignore", under="ignore"):
            for left, right in self.pairs():
                yield left.astype(np.float64) * right

    def dot(self, dtype: type[np.floating]) -> Numbers:
        """All sums ``[batch, slots]`` at once, of finite numbers, in any order."""
        a, b = self.a.astype(dtype, copy=False), self.b.astype(dtype, copy=False)
        if self.index is not None:
            chosen = self.index[..., None] == np.arange(4, dtype=np.uint32)
            a = a[..., None] * chosen.astype(dtype)  # zero where the index points elsewhere
            a, b = a.reshape(*a.shape[:2], -1), b.reshape(*b.shape[:2], -1)
        rows, columns, depth = a.shape[1], b.shape[1], a.shape[2]
        if len(b) == 1:
            table = a.reshape(-1, depth) @ b[0].T
        elif len(a) == 1:
            table = (b.reshape(-1, depth) @ a[0].T).reshape(-1, columns, rows).transpose(0, 2, 1)
        else:
            table = a @ b.transpose(0, 2, 1)
        flat = table.reshape(-1, rows * columns)
        sums: Numbers = np.take(flat, self.row * columns + self.column, axis=1)
        return sums


Summation = Callable[[Factors, Numbers], Numbers]


@dataclass(frozen=True)
class Numerics:
    """The published arithmetic of an instruction: how to sum, in words, and who says so.

    ``summation`` is None where nobody has published it; ``name`` then says so.
    """

    name: str
    summation: Summation | None
    source: str


def exact(factors: Factors, c: Numbers) -> Numbers:
    """C plus all products, to be rounded once. ``c`` is ``[batch, slots]``."""
    if c.dtype == np.int32:
        return wrapping(factors, c)
    whole = lossless(factors, c)
    if whole is not None:
        return whole + 0.0  # -0 becomes +0
    if c.dtype == np.float64:
        return fused_sum(factors.pairs(), c) + 0.0
    shape = c.shape
    terms = (np.broadcast_to(product, shape) for product in factors.products())
    return sum_to_odd([c.astype(np.float64), *terms]) + 0.0


def lossless(factors: Factors, c: Numbers) -> Floats | None:
    """The sums in binary64 if no order of additions can lose a bit, else None.

    Judged from the operands alone: every value lies on a grid of 2^-g, and no sum can reach the
    2^53 (or, for the products by themselves, the 2^24 of a faster type) multiples that can be
    told apart. Integers, as used for checking layouts, pass.
    """
    spans = [_span(values) for values in (factors.a, factors.b, c)]
    if any(span is None for span in spans):
        return None
    (a_peak, a_grid), (b_peak, b_grid), (c_peak, c_grid) = (s for s in spans if s is not None)
    grid = a_grid + b_grid
    dot_peak = a_peak * b_peak * factors.count
    if dot_peak + c_peak >= math.ldexp(1.0, 53 - max(grid, c_grid)):
        return None
    dtype = np.float32 if dot_peak < math.ldexp(1.0, 24 - grid) else np.float64
    total: Floats = factors.dot(dtype).astype(np.float64)
    return total + c


def _span(values: Numbers) -> tuple[float, int] | None:
    """The largest magnitude and the bits of the grid that all values lie on, if any does."""
    peak = max(abs(float(values.max())), abs(float(values.min())))
    if not peak < 2.0**100:  # NaN and infinities as well
        return None
    if values.dtype == np.int32:
        return peak, 0
    for grid in _GRIDS:
        scaled = values * values.dtype.type(2.0**grid) if grid else values
        if (scaled == np.rint(scaled)).all():
            return peak, grid
    return None


def wrapping(factors: Factors, c: Numbers) -> Numbers:
    """i32 accumulation modulo 2^32; products of i8 and their sums stay below 2^24."""
    assert factors.count * 128 * 128 <= 2**24
    total: Numbers = factors.dot(np.float32).astype(np.int64) + c
    return total.astype(np.int32)
