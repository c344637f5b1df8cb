"""How products are summed: the two numeric models.

``exact``
    The mathematical sum of C and all products, rounded once to the accumulator's type. A sum of
    exactly zero is +0. This is the model for checking layouts.

``numeric``
    The architecture's own order of roundings, as far as published; see ``Numerics``.

Integers are the same in both: the sum modulo 2^32.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from layoutgen.emulator.formats import Numbers
from layoutgen.emulator.summation import Floats, sum_to_odd


@dataclass(frozen=True, eq=False)
class Factors:
    """Decoded elements and who multiplies whom.

    ``a`` and ``b`` are ``[fields, batch]`` (a batch of 1 stands for all); ``a_index`` and
    ``b_index`` are ``int64[k, slots]``.
    """

    a: Numbers
    b: Numbers
    a_index: NDArray[np.int64]
    b_index: NDArray[np.int64]

    def products(self) -> Iterator[Numbers]:
        """The exact products ``[slots, batch]``, in k order."""
        with np.errstate(invalid="ignore"):
            for a_row, b_row in zip(self.a_index, self.b_index, strict=True):
                yield self.a[a_row] * self.b[b_row]


Summation = Callable[[Factors, Numbers], Numbers]


@dataclass(frozen=True)
class Numerics:
    """The published arithmetic of an instruction: how to sum, in words, and who says so."""

    name: str
    summation: Summation
    source: str


def exact(factors: Factors, c: Numbers) -> Numbers:
    """C plus all products, to be rounded once. ``c`` is ``[slots, batch]``."""
    if c.dtype == np.int32:
        return wrapping(factors, c)
    if _binary64_suffices(factors, c):
        total = c.copy()
        for product in factors.products():
            total += product
        return total + 0.0  # -0 becomes +0
    shape = c.shape
    return sum_to_odd([c, *(np.broadcast_to(p, shape) for p in factors.products())])


def _binary64_suffices(factors: Factors, c: Numbers) -> bool:
    """Whether plain binary64 addition loses nothing, judged from the operands alone.

    True when every value lies on the grid of 2^-8 (products then on 2^-16) and the sum's
    magnitude stays below 2^37 = 2^53 * 2^-16. Integers, as used for checking layouts, do.
    """
    bound = 1.0
    for values in (factors.a, factors.b):
        bound *= float(np.abs(values).max())
    bound = bound * len(factors.a_index) + float(np.abs(c).max())
    if not bound < 2.0**37:  # also false for infinities and NaNs
        return False
    return all(_on_grid(values) for values in (factors.a, factors.b, c))


def _on_grid(values: Numbers) -> bool:
    scaled = values * 256.0
    return bool((scaled == np.rint(scaled)).all())


def wrapping(factors: Factors, c: Numbers) -> Numbers:
    """i32 accumulation modulo 2^32."""
    total = c.copy()
    for product in factors.products():
        total += product
    return total


def grouped(group: int) -> Summation:
    """Sum ``group`` products and the accumulator exactly, round to f32, go on in k order.

    A group of one is a chain of fused multiply-adds.
    """

    def summation(factors: Factors, c: Numbers) -> Numbers:
        total: Floats = c.astype(np.float64)
        pending: list[Floats] = []
        for product in factors.products():
            pending.append(np.broadcast_to(product, total.shape).astype(np.float64))
            if len(pending) == group:
                total, pending = _round_to_f32([total, *pending]), []
        return _round_to_f32([total, *pending]) if pending else total

    return summation


def _round_to_f32(terms: list[Floats]) -> Floats:
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        return sum_to_odd(terms).astype(np.float32).astype(np.float64)


_MMA_SIM = (
    "P. Xie et al., MMA-Sim: bit-accurate reference model of tensor cores and matrix cores, "
    "arXiv 2511.10909; PyPI mmasim 2.1.1, amd/sim.py, CDNA1"
)

CDNA1_F32 = Numerics("fused multiply-adds in k order, subnormals kept", grouped(1), _MMA_SIM)
CDNA1_F16 = Numerics(
    "exact sum of four products and the accumulator, one rounding, then the next four; "
    "subnormals kept",
    grouped(4),
    _MMA_SIM,
)
CDNA1_BF16 = Numerics(
    "exact sum of two products and the accumulator, one rounding, then the next two; "
    "subnormals kept",
    grouped(2),
    _MMA_SIM,
)
I8_WRAPPING = Numerics(
    "32-bit two's complement, wraps",
    wrapping,
    "AMD Instinct MI100 ISA, 12.10: V_MFMA_I32_*: D(I32) = A(I8) x B(I8) + C(I32), no clamp",
)
