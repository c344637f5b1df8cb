"""Names of the figure files: one stem for each distinct picture, stable and readable.

The stem of a layout says all that the layout follows from: the tile and the name of its layout
there, k, how many elements a lane holds, and how wide they are.  So two layouts that differ have
two stems, and operands that lie alike have one, whatever instruction and architecture has them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from layoutgen.model import Instruction, Operand

USUAL_BITS = 32
"""Width of an accumulator that its stem does not tell."""


def accumulator(inst: Instruction) -> str:
    """Return the stem of the accumulator of a tile shape: ``mfma-layout-32x32``."""
    return f"mfma-layout-{_tile(inst)}"


def operand(inst: Instruction, name: str, **modifiers: int) -> str:
    """Return the stem of an operand: ``mfma-a-32x32x8-4x16bit``; C and D are the accumulator.

    Of `modifiers`, only those that choose the format of the operand make a difference.  Of a
    sparse A, the k that are stored count; of index and scales, their groups.
    """
    if name in "CD":
        return accumulator(inst)
    chosen = inst.operand(name, **modifiers)
    what = name.lower().replace("_", "-")
    depth = next(size for c, size in chosen.layout.shape.items() if c not in "bij")
    return f"mfma-{what}-{inst.tile}x{depth}-{_held(chosen)}{_variant(chosen)}"


def registers(inst: Instruction) -> str:
    """Return the stem of the register-file view of the accumulator, all blocks."""
    return f"mfma-registers-{_tile(inst)}"


def product(inst: Instruction) -> str:
    """Return the stem of the product view: ``mfma-product-32x32x8-4x16bit``.

    A stands left, B above, D at their crossing; the elements of A are named.
    """
    a, kind = inst.operands["A"], "smfmac" if inst.sparse else "mfma"
    return f"{kind}-product-{inst.tile}x{inst.k}-{_held(a)}{_variant(a)}"


def blgp(code: int) -> str:
    """Return the stem of the lane pattern of one blgp code."""
    return f"mfma-blgp-{code}"


def cbsz(inst: Instruction, value: int) -> str:
    """Return the stem of the broadcasts of one cbsz value, all abid, for a block count."""
    return f"mfma-cbsz-{value}-of-{inst.blocks}-blocks"


def _tile(inst: Instruction) -> str:
    """Return what tells accumulators apart; those of fewer blocks are the beginning of others."""
    d = inst.operands["D"]
    bits = "" if d.format.bits == USUAL_BITS else f"-{d.format.bits}bit"
    return f"{inst.tile}{bits}{_variant(d)}"


def _held(operand: Operand) -> str:
    return f"{operand.elements_per_lane}x{operand.format.bits}bit"


def _variant(operand: Operand) -> str:
    return f"-{operand.variant}" if operand.variant else ""
