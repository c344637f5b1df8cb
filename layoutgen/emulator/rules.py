"""Which products each destination accumulates, written from worked examples and run code.

A rule answers one question: *element ``register`` of D in lane ``lane`` accumulates the products
of which items of A and B?* It names lanes and the items packed in a lane; the element's width
turns items into register bits (item 0 in the lowest bits, as the builtins' vector types are
stored). Terms are listed in k order. Sources are named per rule; none of them is a general
layout formula:

* *lab notes*: ``amd/amd-lab-notes``, ``matrix-cores``: one kernel per shape with the layout of
  A, B and D told in words, for gfx908 and gfx90a.
* *CK*: ``ROCm/composable_kernel``, ``xdlops_gemm.hpp``: group size, groups, lanes and input
  blocks per shape, as used in production GEMMs.
* *CK Tile*: same repository, ``ck_tile/core/arch/mma/mfma``: the layout of each builtin noted
  beside it (``A=L{BM} V{K}``: lanes run over block and row, vector items over k).
* *MMA-Sim*: PyPI ``mmasim-kernels`` 2.1.1, ``amd/kernels``: load and store code per shape which
  ran on MI100, MI200 and MI300. It fills all blocks alike, so it witnesses rows, columns and k,
  not blocks.
* *hip-fpsan*: ``ROCm/hip-fpsan``, tests ``LayoutMatchesHardware``: random matrices through
  builtins on MI300 and MI350. Its tables of dense shapes are computed by a formula; only that
  the runs agreed counts here.

Sparse and scaled instructions have rules of their own: :mod:`layoutgen.emulator.rules_sparse`
and :mod:`layoutgen.emulator.rules_scaled`.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple


class Site(NamedTuple):
    """One product: an item of A in a lane, times an item of B in a lane."""

    a_lane: int
    a_item: int
    b_lane: int
    b_item: int


class SparseSite(NamedTuple):
    """One product of a compressed A: which of four items of B, a 2-bit index says.

    ``index_bit`` is the lowest bit of that index in set 0 of the index register of lane
    ``index_lane``; ``b`` are the lane and item of B for each of its four values.
    """

    a_lane: int
    a_item: int
    index_lane: int
    index_bit: int
    b: tuple[tuple[int, int], tuple[int, int], tuple[int, int], tuple[int, int]]


class ScaledSite(NamedTuple):
    """One product whose factors are scaled, with the lanes that hold the scales."""

    a_lane: int
    a_item: int
    b_lane: int
    b_item: int
    scale_a_lane: int
    scale_b_lane: int


AnySite = Site | SparseSite | ScaledSite


@dataclass(frozen=True)
class Rule:
    """A destination-driven layout rule.

    ``sites(register, lane, items)`` yields, in k order, what element ``register`` of D in lane
    ``lane`` accumulates when each lane holds ``items`` items of A. An element of 32 bits is one
    register; one of 64 bits is a pair, counted once.
    """

    name: str
    sites: Callable[[int, int, int], Iterator[AnySite]]
    sources: tuple[str, ...]


@dataclass(frozen=True)
class WidthRule(Rule):
    """A rule that asks whether the elements of A, and those of B, have eight bits or fewer.

    ``by_width`` makes the plain rule's ``sites`` from the two answers (true: eight bits);
    ``sites`` of this rule itself is that of 8-bit elements.
    """

    by_width: Callable[[bool, bool], Callable[[int, int, int], Iterator[AnySite]]]

    def of(self, a_bits: int, b_bits: int) -> Rule:
        """The plain rule for elements of these widths."""
        return _plain(self, a_bits == 8, b_bits == 8)


@lru_cache(maxsize=64)
def _plain(rule: WidthRule, a_bytes: bool, b_bytes: bool) -> Rule:
    told = " times ".join("8-bit" if whole else "narrow" for whole in (a_bytes, b_bytes))
    return Rule(f"{rule.name}, {told}", rule.by_width(a_bytes, b_bytes), rule.sources)


def _one_block_32x32(register: int, lane: int, items: int) -> Iterator[Site]:
    # d[0:3] hold rows 0-7, d[4:7] rows 8-15, and so on; in each group of four registers
    # lanes 0-31 hold the first four rows and lanes 32-63 the next four.
    row = 8 * (register // 4) + 4 * (lane // 32) + register % 4
    column = lane % 32
    # Lanes 0-31 hold the first k of all rows (columns), lanes 32-63 the following ones.
    for half in range(2):
        for item in range(items):
            yield Site(32 * half + row, item, 32 * half + column, item)


def _one_block_16x16(register: int, lane: int, items: int) -> Iterator[Site]:
    # Sixteen lanes hold four consecutive rows, one per register.
    row = 4 * (lane // 16) + register
    column = lane % 16
    for quarter in range(4):
        for item in range(items):
            yield Site(16 * quarter + row, item, 16 * quarter + column, item)


def _two_blocks_32x32(register: int, lane: int, items: int) -> Iterator[Site]:
    # d[0:15] are the first matrix, d[16:31] the second, each as in the one-block form. The
    # first matrix reads lanes 0-31 of A and B, the second lanes 32-63.
    block, inner = divmod(register, 16)
    row = 8 * (inner // 4) + 4 * (lane // 32) + inner % 4
    column = lane % 32
    for item in range(items):
        yield Site(32 * block + row, item, 32 * block + column, item)


def _four_blocks_16x16(register: int, lane: int, items: int) -> Iterator[Site]:
    # d[0:3] are the first matrix, ..., d[12:15] the fourth; d[0] holds rows 0, 4, 8 and 12.
    # The first matrix reads lanes 0-15 of A and B, ..., the fourth lanes 48-63.
    block, inner = divmod(register, 4)
    row = 4 * (lane // 16) + inner
    column = lane % 16
    for item in range(items):
        yield Site(16 * block + row, item, 16 * block + column, item)


def _sixteen_blocks_4x4(register: int, lane: int, items: int) -> Iterator[Site]:
    # Lanes 0-3 hold the first A, B and D matrix, ..., lanes 60-63 the sixteenth; register r
    # of D is row r.
    block = lane // 4
    for item in range(items):
        yield Site(4 * block + register, item, lane, item)


def _f64_16x16(register: int, lane: int, items: int) -> Iterator[Site]:
    # One k per group of sixteen lanes; register pair e holds rows 4e to 4e + 3, one per group.
    row = 4 * register + lane // 16
    column = lane % 16
    for k in range(4):
        for item in range(items):
            yield Site(16 * k + row, item, 16 * k + column, item)


def _f64_4x4(register: int, lane: int, items: int) -> Iterator[Site]:
    # A and B: one k per group of sixteen lanes, in it four lanes per block. D: one row per
    # group of sixteen lanes, in it four lanes per block.
    row = lane // 16 + register
    block = lane % 16 // 4
    column = lane % 4
    for k in range(4):
        for item in range(items):
            yield Site(16 * k + 4 * block + row, item, 16 * k + 4 * block + column, item)


ONE_BLOCK_32X32 = Rule(
    "32x32, one block",
    _one_block_32x32,
    (
        "lab notes mfma_fp32_32x32x2fp32: lanes 0-31 first column of A, 32-63 second; d[0:3] "
        "rows 0-7, lanes 32-63 of d[0] row 4",
        "CK mfma_f32_32x32x2xf32, 32x32x8f16, 32x32x8bf16_1k, 32x32x4bf16, i32_32x32x8i8, "
        "i32_32x32x16i8, 32x32x16f8f8, 32x32x16f16: group_size 4, 4 groups per block, 32 lanes, "
        "2 input blocks, k_per_blk 1, 4, 4, 2, 4, 8, 8, 8",
        "CK Tile: A=L{KM} or K{4} L{K1M} V{K0}; C/D=M{2, 4} L{M1N} V{M2M0}",
        "MMA-Sim LOAD_A_M32K2, M32K8, M32K4, M32K16; STORE_D_M32N32",
    ),
)
ONE_BLOCK_16X16 = Rule(
    "16x16, one block",
    _one_block_16x16,
    (
        "lab notes README, example 1 (16x16x4f32): lane (x, y) loads A[x][y] and B[y][x], stores "
        "D[4y + i][x] from d[i]",
        "CK mfma_f32_16x16x4xf32, 16x16x16f16, 16x16x16bf16_1k, 16x16x8bf16, i32_16x16x16i8, "
        "i32_16x16x32i8, 16x16x32f8f8, 16x16x32f16, i32_16x16x64i8: group_size 4, one group per "
        "block, 16 lanes, 4 input blocks, k_per_blk 1, 4, 4, 2, 4, 8, 8, 8, 16",
        "CK Tile: A=L{KM} or K{4} L{K1M} V{K0}; C/D=M{4} L{M1N} V{M0}",
        "MMA-Sim LOAD_A_M16K4, M16K16, M16K8, M16K32; STORE_D_M16N16",
    ),
)
TWO_BLOCKS_32X32 = Rule(
    "32x32, two blocks",
    _two_blocks_32x32,
    (
        "CK Tile 32x32x1f32, 32x32x4f16, 32x32x2bf16, i32_32x32x4i8: A=L{BM} V{K}; "
        "C/D=M{2, 4} L{M1N} V{BM2M0}",
        "CK mfma_f32_32x32x1xf32, 32x32x4f16: 2 input and 2 output blocks of 32 lanes, 4 groups "
        "of 4 rows per block",
        "MMA-Sim LOAD_A_M32K1_2B, M32K4_2B, M32K2_2B; STORE_D_M32N32_2B (rows and columns)",
    ),
)
FOUR_BLOCKS_16X16 = Rule(
    "16x16, four blocks",
    _four_blocks_16x16,
    (
        "lab notes mfma_fp32_16x16x1fp32: lanes 0-15 first A, ..., 48-63 fourth; d[0:3] first D, "
        "d[0] rows 0, 4, 8, 12",
        "CK mfma_f32_16x16x1xf32, 16x16x4f16: 4 input and 4 output blocks of 16 lanes",
        "CK Tile 16x16x1f32, 16x16x4f16, i32_16x16x4i8: A=L{BM} V{K}; C/D=M{4} L{M1N} V{BM0}",
        "MMA-Sim LOAD_A_M16K1_4B, M16K4_4B, M16K2_4B; STORE_D_M16N16_4B (rows and columns)",
    ),
)
SIXTEEN_BLOCKS_4X4 = Rule(
    "4x4, sixteen blocks",
    _sixteen_blocks_4x4,
    (
        "lab notes mfma_fp32_4x4x1fp32 and mfma_fp32_4x4x4fp16: lanes 0-3 first A and B, ..., "
        "60-63 sixteenth; a[i] column i; d[i] row i",
        "CK Tile 4x4x1f32, 4x4x4f16, i32_4x4x4i8: A=L{BM} V{K}; C/D=L{BN} V{M}",
        "MMA-Sim LOAD_A_M4K1_16B, M4K4_16B, M4K2_16B; STORE_D_M4N4_16B (rows and columns)",
    ),
)
F64_16X16 = Rule(
    "16x16, f64",
    _f64_16x16,
    (
        "CK mfma_f64_16x16x4f64: group_size 1, 4 groups per block, 16 lanes, 4 input blocks, "
        "k_per_blk 1",
        "MMA-Sim LOAD_A_M16K4, STORE_D_M16N16_F64: element i is row 4i + tid / 16",
        "hip-fpsan MfmaF64_16x16x4.LayoutMatchesHardware",
    ),
)
F64_4X4 = Rule(
    "4x4, four blocks, f64",
    _f64_4x4,
    (
        "MMA-Sim LOAD_A_M4K4_4B: k is tid / 16; STORE_D_M4N4_4B: row is tid / 16, column tid % 4",
        "hip-fpsan MfmaF64_4x4x4.LayoutMatchesHardware: A k = lane / 16, block lane % 16 / 4, row "
        "lane % 4; D row = lane / 16, column lane % 4",
    ),
)
