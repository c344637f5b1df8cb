"""The 68 matrix instructions of gfx950 (CDNA4, MI350): 40 dense, of them four f8f6f4; 28 sparse.

All of gfx942's but xf32, wide-K forms, f8f6f4 with and without scales, and sparse forms of
doubled K. Blocks, registers, types and modifiers: AMD Instinct CDNA4 ISA, chapter 7, and the
builtins' types (Clang; the builtins of f8f6f4 take eight registers whatever the format, the
instructions 8, 6 or 4). fp8 and bf8 are the OCP encodings. How sums are rounded is not
published.
"""

from layoutgen.emulator import gfx942, numerics, rules_scaled
from layoutgen.emulator.formats import BF8, BF16, F16, F32, FP8, I8, I32
from layoutgen.emulator.instructions import Instruction
from layoutgen.emulator.rules import Rule
from layoutgen.emulator.tables import (
    Dense,
    Sparse,
    dense,
    eight_bit_dense,
    eight_bit_sparse,
    sparse,
)

_ISA = "AMD Instinct CDNA4 ISA, chapter 7"
_RAN = ("hip-fpsan amdgcn_mfma.hpp: pinned to MI350 by LayoutMatchesHardware",)
_WITNESSES = dict.fromkeys(("f64", "f16", "bf16", FP8.name, BF8.name), _RAN)
_SPARSE_WITNESSES = dict.fromkeys(
    ("f16", "bf16", FP8.name, BF8.name),
    ("hip-fpsan amdgcn_smfmac.hpp: one-hot probes and LayoutMatchesHardware on MI350",),
)
_NAMES = ("f64", "f32", "f16", "bf16", FP8.name, BF8.name)
_NUMERICS = dict.fromkeys(_NAMES, numerics.CDNA4_UNPUBLISHED) | {"i8": numerics.I8_WRAPPING}

_WIDE = (
    Dense("v_mfma_f32_16x16x32_f16", (16, 16, 32), 1, F16, F16, F32, 4, 4, "none"),
    Dense("v_mfma_f32_32x32x16_f16", (32, 32, 16), 1, F16, F16, F32, 4, 16, "none"),
    Dense("v_mfma_f32_16x16x32_bf16", (16, 16, 32), 1, BF16, BF16, F32, 4, 4, "none"),
    Dense("v_mfma_f32_32x32x16_bf16", (32, 32, 16), 1, BF16, BF16, F32, 4, 16, "none"),
    Dense("v_mfma_i32_16x16x64_i8", (16, 16, 64), 1, I8, I8, I32, 4, 4, "none"),
    Dense("v_mfma_i32_32x32x32_i8", (32, 32, 32), 1, I8, I8, I32, 4, 16, "none"),
)
_DOUBLED = (
    Sparse("v_smfmac_f32_16x16x64_f16", (16, 16, 64), F16, F16, F32, 4, 8, 4, 2),
    Sparse("v_smfmac_f32_32x32x32_f16", (32, 32, 32), F16, F16, F32, 4, 8, 16, 2),
    Sparse("v_smfmac_f32_16x16x64_bf16", (16, 16, 64), BF16, BF16, F32, 4, 8, 4, 2),
    Sparse("v_smfmac_f32_32x32x32_bf16", (32, 32, 32), BF16, BF16, F32, 4, 8, 16, 2),
    Sparse("v_smfmac_i32_16x16x128_i8", (16, 16, 128), I8, I8, I32, 4, 8, 4, 1),
    Sparse("v_smfmac_i32_32x32x64_i8", (32, 32, 64), I8, I8, I32, 4, 8, 16, 1),
)
_EIGHT_BITS = {"bf8": BF8, "fp8": FP8}
_FP8_ROWS = eight_bit_dense(_EIGHT_BITS)
_FP8_SPARSE_ROWS = eight_bit_sparse(
    _EIGHT_BITS, ((16, 64, 2, 2), (32, 32, 2, 2), (16, 128, 4, 1), (32, 64, 4, 1))
)


def _f8f6f4(mnemonic: str, size: int, depth: int, rule: Rule, *, scaled: bool) -> Instruction:
    return Instruction(
        arch="gfx950",
        mnemonic=mnemonic,
        m=size,
        n=size,
        k=depth,
        blocks=1,
        a_format=FP8,
        b_format=FP8,
        d_format=F32,
        a_registers=8,
        b_registers=8,
        d_registers=size * size // 64,
        items=32,
        rule=rule,
        numerics=numerics.CDNA4_UNPUBLISHED,
        source=_ISA,
        cbsz_role="format",
        blgp_role="format",
        scaled=scaled,
        witnesses=(
            "CK test/mx_mfma_op on gfx950",
            "hip-fpsan tests/mfma_gfx950_scaled_test.cpp on MI350",
        ),
    )


_F8F6F4 = (
    ("v_mfma_f32_16x16x128_f8f6f4", 16, 128, rules_scaled.F8F6F4_16X16, False),
    ("v_mfma_f32_32x32x64_f8f6f4", 32, 64, rules_scaled.F8F6F4_32X32, False),
    ("v_mfma_scale_f32_16x16x128_f8f6f4", 16, 128, rules_scaled.SCALED_16X16, True),
    ("v_mfma_scale_f32_32x32x64_f8f6f4", 32, 64, rules_scaled.SCALED_32X32, True),
)


def instructions() -> dict[str, Instruction]:
    """The table, by mnemonic."""
    rows = (*gfx942.SHARED, *_FP8_ROWS, *_WIDE)
    sparse_rows = (*gfx942.SHARED_SPARSE, *_DOUBLED, *_FP8_SPARSE_ROWS)
    f8f6f4 = {row[0]: _f8f6f4(*row[:4], scaled=row[4]) for row in _F8F6F4}
    return (
        dense("gfx950", rows, _NUMERICS, _ISA, _WITNESSES)
        | f8f6f4
        | sparse("gfx950", sparse_rows, _NUMERICS, _ISA, _SPARSE_WITNESSES)
    )
