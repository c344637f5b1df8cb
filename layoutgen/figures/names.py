"""Names of the figure files: one stem for each distinct picture, stable and readable."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from layoutgen.model import Instruction


def accumulator(inst: Instruction) -> str:
    """Return the stem of the accumulator of a tile shape: ``mfma-layout-32x32``."""
    return f"mfma-layout-{inst.tile}"


def operand(inst: Instruction, name: str) -> str:
    """Return the stem of A or B: ``mfma-a-32x32x8-4x16bit``; C and D are the accumulator."""
    if name in "CD":
        return accumulator(inst)
    bits = inst.operands[name].format.bits
    per_lane = inst.operands[name].elements_per_lane
    return f"mfma-{name.lower()}-{inst.tile}x{inst.k}-{per_lane}x{bits}bit"


def registers(inst: Instruction) -> str:
    """Return the stem of the register-file view of the accumulator, all blocks."""
    return f"mfma-registers-{inst.tile}"


def product(inst: Instruction) -> str:
    """Return the stem of the product view: A left, B above, D at their crossing."""
    return f"mfma-product-{inst.tile}"


def blgp(code: int) -> str:
    """Return the stem of the lane pattern of one blgp code."""
    return f"mfma-blgp-{code}"


def cbsz(inst: Instruction, value: int) -> str:
    """Return the stem of the broadcasts of one cbsz value, all abid, for a block count."""
    return f"mfma-cbsz-{value}-of-{inst.blocks}-blocks"
