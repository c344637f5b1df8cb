"""The twenty matrix instructions of gfx908 (CDNA1, MI100).

Blocks, registers and types: AMD Instinct MI100 ISA, 12.10 (VOP3P instructions). That table
prints K as 1 for 32X32X4F16 and 32X32X4I8, and BF16 for D of 4X4X2BF16; the mnemonics, the
register counts and the builtins' types (Clang) say otherwise. A and B sit in archVGPRs or
accVGPRs, C and D in accVGPRs; the arithmetic does not depend on the file.
"""

from layoutgen.emulator import numerics
from layoutgen.emulator.formats import BF16, F16, F32, I8, I32
from layoutgen.emulator.instructions import Instruction
from layoutgen.emulator.tables import Dense, dense

_ISA = "AMD Instinct MI100 ISA, 14 December 2020, 12.10"
_RAN = ("MMA-Sim kernels, mfma_cdna1.hip, ran on MI100",)
_WITNESSES = {"f32": _RAN, "f16": _RAN, "bf16": _RAN}
_NUMERICS = {
    "f32": numerics.CDNA1_F32,
    "f16": numerics.CDNA1_F16,
    "bf16": numerics.CDNA1_BF16,
    "i8": numerics.I8_WRAPPING,
}

# mnemonic, (m, n, k), blocks, formats of A, B, D; registers of A (and of B), of D
ROWS = (
    Dense("v_mfma_f32_32x32x1f32", (32, 32, 1), 2, F32, F32, F32, 1, 32),
    Dense("v_mfma_f32_16x16x1f32", (16, 16, 1), 4, F32, F32, F32, 1, 16),
    Dense("v_mfma_f32_4x4x1f32", (4, 4, 1), 16, F32, F32, F32, 1, 4),
    Dense("v_mfma_f32_32x32x2f32", (32, 32, 2), 1, F32, F32, F32, 1, 16),
    Dense("v_mfma_f32_16x16x4f32", (16, 16, 4), 1, F32, F32, F32, 1, 4),
    Dense("v_mfma_f32_32x32x4f16", (32, 32, 4), 2, F16, F16, F32, 2, 32),
    Dense("v_mfma_f32_16x16x4f16", (16, 16, 4), 4, F16, F16, F32, 2, 16),
    Dense("v_mfma_f32_4x4x4f16", (4, 4, 4), 16, F16, F16, F32, 2, 4),
    Dense("v_mfma_f32_32x32x8f16", (32, 32, 8), 1, F16, F16, F32, 2, 16),
    Dense("v_mfma_f32_16x16x16f16", (16, 16, 16), 1, F16, F16, F32, 2, 4),
    Dense("v_mfma_i32_32x32x4i8", (32, 32, 4), 2, I8, I8, I32, 1, 32),
    Dense("v_mfma_i32_16x16x4i8", (16, 16, 4), 4, I8, I8, I32, 1, 16),
    Dense("v_mfma_i32_4x4x4i8", (4, 4, 4), 16, I8, I8, I32, 1, 4),
    Dense("v_mfma_i32_32x32x8i8", (32, 32, 8), 1, I8, I8, I32, 1, 16),
    Dense("v_mfma_i32_16x16x16i8", (16, 16, 16), 1, I8, I8, I32, 1, 4),
    Dense("v_mfma_f32_32x32x2bf16", (32, 32, 2), 2, BF16, BF16, F32, 1, 32),
    Dense("v_mfma_f32_16x16x2bf16", (16, 16, 2), 4, BF16, BF16, F32, 1, 16),
    Dense("v_mfma_f32_4x4x2bf16", (4, 4, 2), 16, BF16, BF16, F32, 1, 4),
    Dense("v_mfma_f32_32x32x4bf16", (32, 32, 4), 1, BF16, BF16, F32, 1, 16),
    Dense("v_mfma_f32_16x16x8bf16", (16, 16, 8), 1, BF16, BF16, F32, 1, 4),
)


def instructions() -> dict[str, Instruction]:
    """The table, by mnemonic."""
    return dense("gfx908", ROWS, _NUMERICS, _ISA, _WITNESSES)
