"""The published arithmetic of each architecture.

All floating-point models are those of MMA-Sim, found by probing MI100, MI200 and MI300 and
checked bit by bit there (P. Xie et al., arXiv 2511.10909; PyPI ``mmasim`` 2.1.1, ``amd/sim.py``
and ``arithmetic/``), written anew here. It covers the dense floating-point instructions of CDNA1
to CDNA3. Nobody has published the order of roundings of CDNA3's sparse instructions and of
CDNA4: there the numeric model is refused. NaN payloads are not modelled.
"""

from collections.abc import Callable

import numpy as np

from layoutgen.emulator.formats import Numbers
from layoutgen.emulator.models import Factors, Numerics, Summation, lossless, wrapping
from layoutgen.emulator.summation import Floats, fused_sum, sum_to_odd

_NO_PRODUCT = -999  # exponent that stands for a product of zero


def grouped(group: int) -> Summation:
    """Sum ``group`` products and the accumulator exactly, round to f32, go on in k order.

    A group of one is a chain of fused multiply-adds.
    """

    def summation(factors: Factors, c: Numbers) -> Numbers:
        total: Floats = c.astype(np.float64)
        pending: list[Floats] = []
        for product in factors.products():
            pending.append(np.broadcast_to(product, total.shape))
            if len(pending) == group:
                total, pending = _round_to_f32([total, *pending]), []
        return _round_to_f32([total, *pending]) if pending else total

    return summation


def _round_to_f32(terms: list[Floats]) -> Floats:
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        return sum_to_odd(terms).astype(np.float32).astype(np.float64)


def f64_chain(factors: Factors, c: Numbers) -> Numbers:
    """Fused multiply-adds in binary64, in k order."""
    whole = lossless(factors, c)
    if whole is not None and whole.all():  # signs of zeros are left to the slow way
        return whole
    total: Floats = c
    for pair in factors.pairs():
        total = fused_sum([pair], total)
    return total


def flushing_tree(per_step: int) -> Summation:
    """CDNA2, f16 and bf16: single-precision products and sums that flush subnormals to zero.

    ``per_step`` (2 or 4) products are added in pairs, the pairs to each other, the result to
    the accumulator; each operation rounds. Subnormal elements and a subnormal C count as +0,
    subnormal results become zeros of their sign.
    """

    def summation(factors: Factors, c: Numbers) -> Numbers:
        total = _flushed(c, -126, signed=False)
        pending: list[Numbers] = []
        with np.errstate(over="ignore", under="ignore", invalid="ignore"):
            for left, right in factors.pairs():
                left = _flushed(left, factors.a_least, signed=False)
                right = _flushed(right, factors.b_least, signed=False)
                pending.append(_flush_result(left * right))
                if len(pending) == per_step:
                    step = _flush_result(pending[0] + pending[1])
                    if per_step == 4:
                        step = _flush_result(step + _flush_result(pending[2] + pending[3]))
                    total, pending = _flush_result(total + step), []
        assert not pending
        return total

    return summation


def _flush_result(values: Numbers) -> Numbers:
    return _flushed(values, -126, signed=True)


def _flushed(values: Numbers, least: int, *, signed: bool) -> Numbers:
    zeros = np.copysign(np.float32(0), values) if signed else np.float32(0)
    return np.where(np.abs(values) < np.float32(2.0**least), zeros, values)


def aligned_sum(
    longest: int,
    dot: Callable[[Floats, Floats], tuple[Floats, Floats]],
    *,
    drops_small_c: bool = False,
) -> Summation:
    """CDNA3, XF32 to FP8: products aligned to the largest one and cut, then C, then one rounding.

    Up to ``longest`` products at a time. ``dot`` sums their significands (``[products, ...]``,
    with their exponents) and returns sum and exponent. The sum keeps 32 fraction bits against
    the larger of its exponent and C's, C keeps 24 (or is dropped, if it lies below them); both
    are rounded down; of their sum 31 fraction bits are kept, rounded down, and f32 is rounded
    to nearest even.
    """

    def summation(factors: Factors, c: Numbers) -> Numbers:
        total: Floats = c.astype(np.float64)
        length = min(longest, factors.count)
        significands: list[Floats] = []
        exponents: list[Floats] = []
        for left, right in factors.pairs():
            left_part, left_exponent = _parts(left, factors.a_least)
            right_part, right_exponent = _parts(right, factors.b_least)
            shape = total.shape
            significands.append(np.broadcast_to(left_part * right_part, shape))
            exponents.append(np.broadcast_to(left_exponent + right_exponent, shape))
            if len(significands) == length:
                s, e = np.stack(significands), np.stack(exponents)
                sums = dot(s, np.where(s == 0, _NO_PRODUCT, e))
                total = _onto(total, *sums, drops_small_c=drops_small_c)
                significands, exponents = [], []
        assert not significands
        return total

    def quietly(factors: Factors, c: Numbers) -> Numbers:
        with np.errstate(over="ignore", under="ignore", invalid="ignore"):
            return summation(factors, c)

    return quietly


def _onto(c: Floats, dot: Floats, dot_exponent: Floats, *, drops_small_c: bool) -> Floats:
    c_part, c_exponent = _parts(c, -126)
    top = np.maximum(dot_exponent, c_exponent)
    dot = _cut(dot, dot_exponent - top, 32)
    c_cut = _cut(c_part, c_exponent - top, 24)
    if drops_small_c:
        c_cut = np.where(c_exponent < top - 25, 0.0, c_cut)
    part, exponent = _parts((dot + c_cut) * np.exp2(top), -126)
    kept = np.floor(part * 2.0**31) * 2.0**-31
    return (kept * np.exp2(exponent)).astype(np.float32).astype(np.float64)


def one_group(s: Floats, e: Floats) -> tuple[Floats, Floats]:
    """All products aligned to the largest, 24 fraction bits each, cut towards zero."""
    s = np.where(e + (np.abs(s) >= 2) >= 128, s * np.inf, s)  # a product beyond f32
    return _truncated_sum(s, e)


def two_groups(s: Floats, e: Floats) -> tuple[Floats, Floats]:
    """As :func:`one_group` for the products of even and of odd k apart, then their sum."""
    even, even_exponent = _truncated_sum(s[::2], e[::2])
    odd, odd_exponent = _truncated_sum(s[1::2], e[1::2])
    top = np.maximum(even_exponent, odd_exponent)
    return _cut(even, even_exponent - top, 24) + _cut(odd, odd_exponent - top, 24), top


def _truncated_sum(s: Floats, e: Floats) -> tuple[Floats, Floats]:
    top = e.max(axis=0)
    return (np.trunc(s * np.exp2(e - top + 24)) * 2.0**-24).sum(axis=0), top


def _cut(values: Floats, shift: Floats, bits: int) -> Floats:
    """Shift right, keep ``bits`` fraction bits, rounded down."""
    return np.floor(values * np.exp2(shift + bits)) * 2.0**-bits


def _parts(values: Numbers, least: int) -> tuple[Floats, Floats]:
    """Significands in [1, 2) and exponents; below ``least`` the significand is subnormal."""
    significands, exponents = np.frexp(values.astype(np.float64))
    shifted = exponents.astype(np.float64) - 1
    low = (shifted < least) | (significands == 0)
    significands = significands * 2
    significands = np.where(low, significands * np.exp2(shifted - least), significands)
    return significands, np.where(low, float(least), shifted)


def _mma_sim(architecture: str) -> str:
    return (
        "P. Xie et al., MMA-Sim: bit-accurate reference model of tensor cores and matrix cores, "
        f"arXiv 2511.10909; PyPI mmasim 2.1.1, amd/sim.py, {architecture}"
    )


_FMA = "fused multiply-adds in k order, subnormals kept"
CDNA1_F32 = Numerics(_FMA, grouped(1), _mma_sim("CDNA1"))
CDNA1_F16 = Numerics(
    "exact sum of four products and the accumulator, one rounding, then the next four; "
    "subnormals kept",
    grouped(4),
    _mma_sim("CDNA1"),
)
CDNA1_BF16 = Numerics(
    "exact sum of two products and the accumulator, one rounding, then the next two; "
    "subnormals kept",
    grouped(2),
    _mma_sim("CDNA1"),
)
CDNA2_F64 = Numerics(_FMA, f64_chain, _mma_sim("CDNA2"))
CDNA2_F32 = Numerics(_FMA, grouped(1), _mma_sim("CDNA2"))
_TREE = "{} products added in a tree, then to the accumulator; each step rounds, subnormals flush"
CDNA2_F16 = Numerics(_TREE.format("four"), flushing_tree(4), _mma_sim("CDNA2"))
CDNA2_BF16 = Numerics(_TREE.format("two"), flushing_tree(2), _mma_sim("CDNA2"))
CDNA2_BF16_1K = Numerics(_TREE.format("four"), flushing_tree(4), _mma_sim("CDNA2"))
CDNA3_F64 = Numerics(_FMA, f64_chain, _mma_sim("CDNA3"))
CDNA3_F32 = Numerics(_FMA, grouped(1), _mma_sim("CDNA3"))
_ALIGNED = "{} products aligned and cut to 24 fraction bits, {}added to C, one rounding"
CDNA3_XF32 = Numerics(
    _ALIGNED.format("four", ""), aligned_sum(4, one_group), _mma_sim("CDNA3, xf32")
)
CDNA3_16BIT = Numerics(
    _ALIGNED.format("eight", ""), aligned_sum(8, one_group), _mma_sim("CDNA3, f16 and bf16")
)
CDNA3_8BIT = Numerics(
    _ALIGNED.format("sixteen", "even and odd k apart, "),
    aligned_sum(16, two_groups, drops_small_c=True),
    _mma_sim("CDNA3, fp8 and bf8"),
)
I8_WRAPPING = Numerics(
    "32-bit two's complement, wraps",
    wrapping,
    "AMD Instinct MI100 ISA, 12.10: V_MFMA_I32_*: D(I32) = A(I8) x B(I8) + C(I32), no clamp; "
    "CDNA4 ISA, 7.5: without clamp the carry out bits are dropped",
)
CDNA3_SPARSE = Numerics(
    "the order of roundings of CDNA3's sparse instructions is not published",
    None,
    "MMA-Sim 2.1.1 covers no SMFMAC",
)
CDNA4_UNPUBLISHED = Numerics(
    "the order of roundings of CDNA4 is not published", None, "MMA-Sim 2.1.1 ends with CDNA3"
)
