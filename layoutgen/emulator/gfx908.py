"""The twenty matrix instructions of gfx908 (CDNA1, MI100).

Blocks, registers and types: AMD Instinct MI100 ISA, 12.10 (VOP3P instructions). That table
prints K as 1 for 32X32X4F16 and 32X32X4I8, and BF16 for D of 4X4X2BF16; the mnemonics, the
register counts and the builtins' types (Clang) say otherwise. A and B sit in archVGPRs or
accVGPRs, C and D in accVGPRs; the arithmetic does not depend on the file.
"""

from layoutgen.emulator import models, rules
from layoutgen.emulator.formats import BF16, F16, F32, I8, I32, Format
from layoutgen.emulator.instructions import Instruction

_ISA = "AMD Instinct MI100 ISA, 14 December 2020, 12.10"

_SHAPES = {
    (32, 32, 1): rules.ONE_BLOCK_32X32,
    (16, 16, 1): rules.ONE_BLOCK_16X16,
    (32, 32, 2): rules.TWO_BLOCKS_32X32,
    (16, 16, 4): rules.FOUR_BLOCKS_16X16,
    (4, 4, 16): rules.SIXTEEN_BLOCKS_4X4,
}
_NUMERICS = {
    F32: models.CDNA1_F32,
    F16: models.CDNA1_F16,
    BF16: models.CDNA1_BF16,
    I8: models.I8_WRAPPING,
}

# mnemonic, (m, n, k), blocks, format of A and B, of D; registers of A and B, of D; items
_ROWS: tuple[tuple[str, tuple[int, int, int], int, Format, Format, int, int, int], ...] = (
    ("v_mfma_f32_32x32x1f32", (32, 32, 1), 2, F32, F32, 1, 32, 1),
    ("v_mfma_f32_16x16x1f32", (16, 16, 1), 4, F32, F32, 1, 16, 1),
    ("v_mfma_f32_4x4x1f32", (4, 4, 1), 16, F32, F32, 1, 4, 1),
    ("v_mfma_f32_32x32x2f32", (32, 32, 2), 1, F32, F32, 1, 16, 1),
    ("v_mfma_f32_16x16x4f32", (16, 16, 4), 1, F32, F32, 1, 4, 1),
    ("v_mfma_f32_32x32x4f16", (32, 32, 4), 2, F16, F32, 2, 32, 4),
    ("v_mfma_f32_16x16x4f16", (16, 16, 4), 4, F16, F32, 2, 16, 4),
    ("v_mfma_f32_4x4x4f16", (4, 4, 4), 16, F16, F32, 2, 4, 4),
    ("v_mfma_f32_32x32x8f16", (32, 32, 8), 1, F16, F32, 2, 16, 4),
    ("v_mfma_f32_16x16x16f16", (16, 16, 16), 1, F16, F32, 2, 4, 4),
    ("v_mfma_i32_32x32x4i8", (32, 32, 4), 2, I8, I32, 1, 32, 4),
    ("v_mfma_i32_16x16x4i8", (16, 16, 4), 4, I8, I32, 1, 16, 4),
    ("v_mfma_i32_4x4x4i8", (4, 4, 4), 16, I8, I32, 1, 4, 4),
    ("v_mfma_i32_32x32x8i8", (32, 32, 8), 1, I8, I32, 1, 16, 4),
    ("v_mfma_i32_16x16x16i8", (16, 16, 16), 1, I8, I32, 1, 4, 4),
    ("v_mfma_f32_32x32x2bf16", (32, 32, 2), 2, BF16, F32, 1, 32, 2),
    ("v_mfma_f32_16x16x2bf16", (16, 16, 2), 4, BF16, F32, 1, 16, 2),
    ("v_mfma_f32_4x4x2bf16", (4, 4, 2), 16, BF16, F32, 1, 4, 2),
    ("v_mfma_f32_32x32x4bf16", (32, 32, 4), 1, BF16, F32, 1, 16, 2),
    ("v_mfma_f32_16x16x8bf16", (16, 16, 8), 1, BF16, F32, 1, 4, 2),
)


def instructions() -> dict[str, Instruction]:
    """The table, by mnemonic."""
    return {
        mnemonic: Instruction(
            arch="gfx908",
            mnemonic=mnemonic,
            m=shape[0],
            n=shape[1],
            k=shape[2],
            blocks=blocks,
            a_format=source,
            b_format=source,
            d_format=target,
            a_registers=ab_registers,
            b_registers=ab_registers,
            d_registers=d_registers,
            items=items,
            rule=_SHAPES[shape[0], shape[1], blocks],
            numerics=_NUMERICS[source],
            source=_ISA,
        )
        for mnemonic, shape, blocks, source, target, ab_registers, d_registers, items in _ROWS
    }
