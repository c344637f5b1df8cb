"""The 27 matrix instructions of gfx90a (CDNA2, MI200).

gfx908's twenty, the five bf16 forms with four elements of A and B per lane (``_1k``), and two
of f64. Blocks, registers and types: AMD Instinct MI200 ISA, chapter 7, and the builtins' types
(Clang). The f64 forms take no cbsz, abid or blgp here.
"""

from layoutgen.emulator import gfx908, numerics
from layoutgen.emulator.formats import BF16, F32, F64
from layoutgen.emulator.instructions import Instruction
from layoutgen.emulator.tables import Dense, dense

_ISA = "AMD Instinct MI200 ISA, 4 February 2022, chapter 7 and 12.10"
_RAN = ("MMA-Sim kernels, mfma_cdna1.hip and mfma_cdna2.hip, ran on MI200",)
_WITNESSES = {"f32": _RAN, "f16": _RAN, "bf16": _RAN, "f64": _RAN}
_NUMERICS = {
    "f64": numerics.CDNA2_F64,
    "f32": numerics.CDNA2_F32,
    "f16": numerics.CDNA2_F16,
    "bf16": numerics.CDNA2_BF16,
    "i8": numerics.I8_WRAPPING,
}

_BF16_1K_ROWS = (
    Dense("v_mfma_f32_32x32x4bf16_1k", (32, 32, 4), 2, BF16, BF16, F32, 2, 32),
    Dense("v_mfma_f32_16x16x4bf16_1k", (16, 16, 4), 4, BF16, BF16, F32, 2, 16),
    Dense("v_mfma_f32_4x4x4bf16_1k", (4, 4, 4), 16, BF16, BF16, F32, 2, 4),
    Dense("v_mfma_f32_32x32x8bf16_1k", (32, 32, 8), 1, BF16, BF16, F32, 2, 16),
    Dense("v_mfma_f32_16x16x16bf16_1k", (16, 16, 16), 1, BF16, BF16, F32, 2, 4),
)
_F64_ROWS = (
    Dense("v_mfma_f64_16x16x4f64", (16, 16, 4), 1, F64, F64, F64, 2, 8, "none"),
    Dense("v_mfma_f64_4x4x4f64", (4, 4, 4), 4, F64, F64, F64, 2, 2, "none"),
)


def instructions() -> dict[str, Instruction]:
    """The table, by mnemonic."""
    in_fours = _NUMERICS | {"bf16": numerics.CDNA2_BF16_1K}
    return dense("gfx90a", (*gfx908.ROWS, *_F64_ROWS), _NUMERICS, _ISA, _WITNESSES) | dense(
        "gfx90a", _BF16_1K_ROWS, in_fours, _ISA, _WITNESSES
    )
