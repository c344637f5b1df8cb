"""Which products each destination of a sparse instruction (SMFMAC) accumulates.

A is stored compressed: of every four k, two, with a 2-bit index each. The rules below say
physically what was seen: nibble n of a lane's index set belongs to items 2n and 2n + 1 of A in
the same lane (first index in the lower two bits), and points into four consecutive items of B.
Where those four sit is the whole rule. Terms are listed in the manual's k order.

Sources, beside those of :mod:`layoutgen.emulator.rules`:

* *ISA*: AMD Instinct MI300 and CDNA4 manuals, 7.5.1: tables of B and of the index bits.
* *hip-fpsan*: ``amdgcn_smfmac.hpp`` and its tests: one-hot probes and random data on MI350, the
  gfx942 shapes on MI300. For 8-bit data it names k in another order than the manual, in A and B
  alike: the same products.
* *sparse-trick notes*: "GFX950 SMFMAC Sparse Trick Notes": one-hot probes of ``16x16x64_f16`` and
  ``16x16x128_fp8_fp8`` on gfx950, listed lane group by lane group.
* *CK smfmac_op*: ``ROCm/composable_kernel``, ``test/smfmac_op``: per-lane loads, checked on
  gfx942 against a host GEMM.

The i8 forms were not run by any of them; they share the fp8 layout by width.
"""

from collections.abc import Iterator

from layoutgen.emulator.rules import Rule, SparseSite


def _site(a_lane: int, nibble: int, first: bool, b_lane: int, b_item: int) -> SparseSite:
    half = 0 if first else 1
    candidates = (
        (b_lane, b_item),
        (b_lane, b_item + 1),
        (b_lane, b_item + 2),
        (b_lane, b_item + 3),
    )
    return SparseSite(a_lane, 2 * nibble + half, a_lane, 4 * nibble + 2 * half, candidates)


def _16x16(register: int, lane: int, items: int) -> Iterator[SparseSite]:
    # B's four k are in the lane group of A's, in the same order.
    row, column = 4 * (lane // 16) + register, lane % 16
    for group in range(4):
        for nibble in range(items // 2):
            for first in (True, False):
                b_lane = 16 * group + column
                yield _site(16 * group + row, nibble, first, b_lane, 4 * nibble)


def _32x32(register: int, lane: int, items: int) -> Iterator[SparseSite]:
    row, column = 8 * (register // 4) + 4 * (lane // 32) + register % 4, lane % 32
    for group in range(2):
        for nibble in range(items // 2):
            for first in (True, False):
                b_lane = 32 * group + column
                yield _site(32 * group + row, nibble, first, b_lane, 4 * nibble)


def _16x16_doubled(register: int, lane: int, items: int) -> Iterator[SparseSite]:
    # B holds half of its k in the lower registers of all four lane groups, half in the upper.
    row, column = 4 * (lane // 16) + register, lane % 16
    nibbles = items // 2
    run = nibbles // 2  # groups of four k per lane group and half of B
    for group in range(4):
        for nibble in range(nibbles):
            half, rest = divmod(nibbles * group + nibble, 4 * run)
            b_group, position = divmod(rest, run)
            b_item = 4 * (run * half + position)
            for first in (True, False):
                b_lane = 16 * b_group + column
                yield _site(16 * group + row, nibble, first, b_lane, b_item)


def _32x32_doubled(register: int, lane: int, items: int) -> Iterator[SparseSite]:
    row, column = 8 * (register // 4) + 4 * (lane // 32) + register % 4, lane % 32
    nibbles = items // 2
    run = nibbles // 2
    for group in range(2):
        for nibble in range(nibbles):
            half, rest = divmod(nibbles * group + nibble, 2 * run)
            b_group, position = divmod(rest, run)
            b_item = 4 * (run * half + position)
            for first in (True, False):
                b_lane = 32 * b_group + column
                yield _site(32 * group + row, nibble, first, b_lane, b_item)


SPARSE_16X16 = Rule(
    "16x16, sparse",
    _16x16,
    (
        "ISA tables 34 and 36: 16x16x32, 16x16x64",
        "hip-fpsan smfmac_software_16x16x32 (lane (c / 4) 16 + i, B lane (k / 8) 16 + j, nibble "
        "q % 2) and _16x16x64_fp8 (lane group (q % 8) / 2, bytes 4 (q / 8) + 2 (q % 2), B byte "
        "8 (k / 32) + k % 8, nibble 2 (q / 8) + q % 2)",
        "CK smfmac_op 16x16x32 f16, bf16",
    ),
)
SPARSE_32X32 = Rule(
    "32x32, sparse",
    _32x32,
    (
        "ISA tables 34 and 36: 32x32x16, 32x32x32",
        "hip-fpsan smfmac_software_32x32x16 and _32x32x32_fp8",
        "CK smfmac_op 32x32x16 f16, bf16",
    ),
)
SPARSE_16X16_DOUBLED = Rule(
    "16x16, sparse, doubled K",
    _16x16_doubled,
    (
        "ISA 7.5.1.3: B[64][16] and B[128][16], index bits",
        "hip-fpsan smfmac_software_16x16x64 and _16x16x128_fp8",
        "sparse-trick notes 16x16x64_f16 (A2/G1 <- B4/G2, A4/G3 <- B8/G3) and 16x16x128_fp8_fp8 "
        "(B byte 16 (ag / 2) + 4 ((a % 8) / 2) + a % 2, B group 2 (ag % 2) + a / 8)",
    ),
)
SPARSE_32X32_DOUBLED = Rule(
    "32x32, sparse, doubled K",
    _32x32_doubled,
    (
        "ISA 7.5.1.3: B[32][32] and B[64][32], index bits",
        "hip-fpsan smfmac_software_32x32x32 and _32x32x64_fp8",
    ),
)
