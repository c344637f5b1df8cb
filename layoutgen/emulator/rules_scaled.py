"""Which products the f8f6f4 instructions of gfx950 accumulate, and who scales them.

Every lane holds 32 elements of A and 32 of B, whatever their width. Where an element's k sits
depends on its width alone, and A and B may differ in width:

* 8 bits: two runs of sixteen k. The first registers hold sixteen k per lane group, counted over
  all lane groups; the second registers go on from there.
* 6 and 4 bits: 32 consecutive k.

A scale is one byte for a row of A (a column of B) and 32 consecutive k; the lanes are counted by
k first, so with 8-bit data a lane does not hold the elements that its scale belongs to.

Sources:

* *CK mx_mfma_op*: ``ROCm/composable_kernel``, ``test/mx_mfma_op``: loads per lane for FP8, BF8,
  FP6, BF6 and FP4, with the scales, tests on gfx950 against a host reference with random scales
  (``MXMFMA.MXFP8MFMA16x16x128`` to ``MXFP4MFMA32x32x64``); ``scale_mapping_16x16x128.txt`` and
  ``_32x32x64.txt`` are logs of gfx950 runs that name the lane whose scale reached each FP8
  element.
* *hip-fpsan*: ``tests/mfma_gfx950_scaled_test.cpp``: on MI350, FP8 and BF8 with a scale per
  block; 8-bit times 6- and 4-bit data both ways with uniform scales, which pins the two orders
  of k against each other. (For 6- and 4-bit data on both sides its software names k in runs of
  sixteen; its run on hardware had uniform scales and could not tell.)
* *CK*: ``xdlops_gemm.hpp``, ``mfma_scale_f32_16x16x128f8f6f4``, ``_32x32x64f8f6f4``: k_per_blk
  32, 4 and 2 input blocks.
"""

from collections.abc import Callable, Iterator

from layoutgen.emulator.rules import AnySite, ScaledSite, Site, WidthRule

Sites = Callable[[int, int, int], Iterator[AnySite]]
_SCALED_BY_ONE_BYTE = 32


def _k_position(k: int, size: int, in_bytes: bool) -> tuple[int, int]:
    """First lane and item of an element's k, for ``size`` rows (or columns)."""
    groups = 64 // size
    if in_bytes:
        run, inside = divmod(k, 16 * groups)
        return size * (inside // 16), 16 * run + inside % 16
    return size * (k // 32), k % 32


def _row_and_column(register: int, lane: int, size: int) -> tuple[int, int]:
    if size == 16:
        return 4 * (lane // 16) + register, lane % 16
    return 8 * (register // 4) + 4 * (lane // 32) + register % 4, lane % 32


def _products(size: int, depth: int, a_bytes: bool, b_bytes: bool) -> Sites:
    def sites(register: int, lane: int, items: int) -> Iterator[Site]:
        row, column = _row_and_column(register, lane, size)
        for k in range(depth):
            a_lane, a_item = _k_position(k, size, a_bytes)
            b_lane, b_item = _k_position(k, size, b_bytes)
            yield Site(a_lane + row, a_item, b_lane + column, b_item)

    return sites


def _scaled_products(size: int, depth: int, a_bytes: bool, b_bytes: bool) -> Sites:
    products = _products(size, depth, a_bytes, b_bytes)

    def sites(register: int, lane: int, items: int) -> Iterator[ScaledSite]:
        row, column = _row_and_column(register, lane, size)
        for k, site in enumerate(products(register, lane, items)):
            first = size * (k // _SCALED_BY_ONE_BYTE)
            assert isinstance(site, Site)
            yield ScaledSite(*site, first + row, first + column)

    return sites


def _rule(name: str, size: int, depth: int, *, scaled: bool, sources: tuple[str, ...]) -> WidthRule:
    make = _scaled_products if scaled else _products

    def by_width(a_bytes: bool, b_bytes: bool) -> Sites:
        return make(size, depth, a_bytes, b_bytes)

    return WidthRule(name, by_width(True, True), sources, by_width)


_FPSAN_16 = "hip-fpsan ScaledMfma16x16x128_*: LayoutMatchesHardware, PerBlockScale, Mixed8xSub"
_FPSAN_32 = "hip-fpsan ScaledMfma32x32x64_*: LayoutMatchesHardware, PerBlockScale, mixed widths"
_CK_16 = "CK mx_mfma_op: register mapping for 16x128, FP8 and FP4; scale_mapping_16x16x128.txt"
_CK_32 = "CK mx_mfma_op: register mapping for 32x64, FP8 and FP4; scale_mapping_32x32x64.txt"
_GEOMETRY_16 = "CK mfma_f32_16x16x128f8f6f4: 16 lanes, 4 input blocks, k_per_blk 32"
_GEOMETRY_32 = "CK mfma_f32_32x32x64f8f6f4: 32 lanes, 2 input blocks, k_per_blk 32"

F8F6F4_16X16 = _rule(
    "16x16x128 f8f6f4", 16, 128, scaled=False, sources=(_CK_16, _FPSAN_16, _GEOMETRY_16)
)
F8F6F4_32X32 = _rule(
    "32x32x64 f8f6f4", 32, 64, scaled=False, sources=(_CK_32, _FPSAN_32, _GEOMETRY_32)
)
SCALED_16X16 = _rule(
    "16x16x128 f8f6f4, scaled", 16, 128, scaled=True, sources=(_CK_16, _FPSAN_16, _GEOMETRY_16)
)
SCALED_32X32 = _rule(
    "32x32x64 f8f6f4, scaled", 32, 64, scaled=True, sources=(_CK_32, _FPSAN_32, _GEOMETRY_32)
)
