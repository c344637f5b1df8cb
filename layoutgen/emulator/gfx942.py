"""The 46 matrix instructions of gfx942 (CDNA3, MI300): 32 dense, 14 sparse.

Blocks, registers, types and modifiers: AMD Instinct MI300 ISA, chapter 7, and the builtins'
types (Clang). Only the f32 and the multi-block forms take blgp, the f64 forms take three
negations in its place. fp8 and bf8 are the FNUZ encodings.
"""

from layoutgen.emulator import numerics
from layoutgen.emulator.formats import BF8_FNUZ, BF16, F16, F32, F64, FP8_FNUZ, I8, I32, XF32
from layoutgen.emulator.instructions import Instruction
from layoutgen.emulator.tables import (
    Dense,
    Sparse,
    dense,
    eight_bit_dense,
    eight_bit_sparse,
    sparse,
)

_ISA = "AMD Instinct MI300 ISA, 4 August 2023, chapter 7"
_RAN = (
    "MMA-Sim kernels, mfma_cdna3.hip, ran on MI300",
    "hip-fpsan tests/mfma_cdna3_*: LayoutMatchesHardware on MI300",
)
_FLOATS = ("f64", "f32", "xf32", "f16", "bf16", FP8_FNUZ.name, BF8_FNUZ.name)
_WITNESSES = dict.fromkeys(_FLOATS, _RAN)
_SPARSE_WITNESSES = dict.fromkeys(
    ("f16", "bf16", FP8_FNUZ.name, BF8_FNUZ.name),
    ("hip-fpsan tests/smfmac_cdna3_test.cpp: LayoutMatchesHardware on MI300",),
)
_NUMERICS = {
    "f64": numerics.CDNA3_F64,
    "f32": numerics.CDNA3_F32,
    "xf32": numerics.CDNA3_XF32,
    "f16": numerics.CDNA3_16BIT,
    "bf16": numerics.CDNA3_16BIT,
    FP8_FNUZ.name: numerics.CDNA3_8BIT,
    BF8_FNUZ.name: numerics.CDNA3_8BIT,
    "i8": numerics.I8_WRAPPING,
}
_SPARSE_NUMERICS = dict.fromkeys(_NUMERICS, numerics.CDNA3_SPARSE) | {"i8": numerics.I8_WRAPPING}

# All but xf32 and the 8-bit floating-point ones stand in gfx950's table as well.
SHARED = (
    Dense("v_mfma_f32_32x32x1_2b_f32", (32, 32, 1), 2, F32, F32, F32, 1, 32),
    Dense("v_mfma_f32_16x16x1_4b_f32", (16, 16, 1), 4, F32, F32, F32, 1, 16),
    Dense("v_mfma_f32_4x4x1_16b_f32", (4, 4, 1), 16, F32, F32, F32, 1, 4),
    Dense("v_mfma_f32_32x32x2_f32", (32, 32, 2), 1, F32, F32, F32, 1, 16),
    Dense("v_mfma_f32_16x16x4_f32", (16, 16, 4), 1, F32, F32, F32, 1, 4),
    Dense("v_mfma_f32_32x32x4_2b_f16", (32, 32, 4), 2, F16, F16, F32, 2, 32),
    Dense("v_mfma_f32_16x16x4_4b_f16", (16, 16, 4), 4, F16, F16, F32, 2, 16),
    Dense("v_mfma_f32_4x4x4_16b_f16", (4, 4, 4), 16, F16, F16, F32, 2, 4),
    Dense("v_mfma_f32_32x32x8_f16", (32, 32, 8), 1, F16, F16, F32, 2, 16, "none"),
    Dense("v_mfma_f32_16x16x16_f16", (16, 16, 16), 1, F16, F16, F32, 2, 4, "none"),
    Dense("v_mfma_i32_32x32x4_2b_i8", (32, 32, 4), 2, I8, I8, I32, 1, 32),
    Dense("v_mfma_i32_16x16x4_4b_i8", (16, 16, 4), 4, I8, I8, I32, 1, 16),
    Dense("v_mfma_i32_4x4x4_16b_i8", (4, 4, 4), 16, I8, I8, I32, 1, 4),
    Dense("v_mfma_i32_32x32x16_i8", (32, 32, 16), 1, I8, I8, I32, 2, 16, "none"),
    Dense("v_mfma_i32_16x16x32_i8", (16, 16, 32), 1, I8, I8, I32, 2, 4, "none"),
    Dense("v_mfma_f32_32x32x4_2b_bf16", (32, 32, 4), 2, BF16, BF16, F32, 2, 32),
    Dense("v_mfma_f32_16x16x4_4b_bf16", (16, 16, 4), 4, BF16, BF16, F32, 2, 16),
    Dense("v_mfma_f32_4x4x4_16b_bf16", (4, 4, 4), 16, BF16, BF16, F32, 2, 4),
    Dense("v_mfma_f32_32x32x8_bf16", (32, 32, 8), 1, BF16, BF16, F32, 2, 16, "none"),
    Dense("v_mfma_f32_16x16x16_bf16", (16, 16, 16), 1, BF16, BF16, F32, 2, 4, "none"),
    Dense("v_mfma_f64_16x16x4_f64", (16, 16, 4), 1, F64, F64, F64, 2, 8, "negate"),
    Dense("v_mfma_f64_4x4x4_4b_f64", (4, 4, 4), 4, F64, F64, F64, 2, 2, "negate"),
)
_XF32_ROWS = (
    Dense("v_mfma_f32_16x16x8_xf32", (16, 16, 8), 1, XF32, XF32, F32, 2, 4, "none"),
    Dense("v_mfma_f32_32x32x4_xf32", (32, 32, 4), 1, XF32, XF32, F32, 2, 16, "none"),
)
SHARED_SPARSE = (
    Sparse("v_smfmac_f32_16x16x32_f16", (16, 16, 32), F16, F16, F32, 2, 4, 4, 4),
    Sparse("v_smfmac_f32_32x32x16_f16", (32, 32, 16), F16, F16, F32, 2, 4, 16, 4),
    Sparse("v_smfmac_f32_16x16x32_bf16", (16, 16, 32), BF16, BF16, F32, 2, 4, 4, 4),
    Sparse("v_smfmac_f32_32x32x16_bf16", (32, 32, 16), BF16, BF16, F32, 2, 4, 16, 4),
    Sparse("v_smfmac_i32_16x16x64_i8", (16, 16, 64), I8, I8, I32, 2, 4, 4, 2),
    Sparse("v_smfmac_i32_32x32x32_i8", (32, 32, 32), I8, I8, I32, 2, 4, 16, 2),
)
_EIGHT_BITS = {"bf8": BF8_FNUZ, "fp8": FP8_FNUZ}
_FP8_ROWS = eight_bit_dense(_EIGHT_BITS)
_FP8_SPARSE_ROWS = eight_bit_sparse(_EIGHT_BITS, ((16, 64, 2, 2), (32, 32, 2, 2)))


def instructions() -> dict[str, Instruction]:
    """The table, by mnemonic."""
    rows = (*SHARED, *_XF32_ROWS, *_FP8_ROWS)
    sparse_rows = (*SHARED_SPARSE, *_FP8_SPARSE_ROWS)
    return dense("gfx942", rows, _NUMERICS, _ISA, _WITNESSES) | sparse(
        "gfx942", sparse_rows, _SPARSE_NUMERICS, _ISA, _SPARSE_WITNESSES
    )
