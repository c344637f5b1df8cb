"""What a figure has to say of an operand besides its layout: k of a sparse A, groups, sets."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from layoutgen.model import Instruction, Operand

SCALED = {"scale_a": "row i of A", "scale_b": "column j of B"}


def meaning(inst: Instruction, operand: Operand) -> Iterator[str]:
    """Yield the sentences that the figure of an operand of `inst` needs; often none."""
    shape = operand.layout.shape
    if operand.name == "A" and inst.sparse:
        of, kept = _group(inst)
        yield f"Of a sparse A, k counts what is stored: {kept} of every {of}."
    if operand.name == "index":
        of, kept = _group(inst)
        yield (
            f"Group q tells which {kept} of the k from {of}q to {of}q+{of - 1} row i of A stores: "
            f"{operand.format.bits // kept} bits for each, the lower k in the lower bits."
        )
    if operand.name in SCALED:
        of = inst.k // shape["group"]
        yield (
            f"Group g holds one {operand.format.title} scale: for the k from {of}g to "
            f"{of}g+{of - 1} of {SCALED[operand.name]}."
        )
    if operand.negated:
        yield "The multiplier takes every element with its sign changed."
    for hole in operand.layout.holes:
        if hole.size > 1:
            field = inst.rules.fields_for(operand.name)[-1]
            chosen = operand.layout.fixed[hole.name]
            yield f"Shown: {hole.name} {chosen} of {hole.size}, which {field} chooses."


def law(inst: Instruction) -> str:
    """Return what the instruction computes, as the product view writes it."""
    if inst.sparse:
        of, _ = _group(inst)
        return (
            f"D[i][j] = C[i][j] + Σ A[i][s]·B[k(s)][j], summed over the stored s; the index tells "
            f"k(s), one of the {of} k of its group"
        )
    if "scale_a" in inst.operands:
        return (
            "D[i][j] = C[i][j] + Σ A[i][k]·B[k][j], summed over k, each times the scales of its k"
        )
    return "D[i][j] = C[i][j] + Σ A[i][k]·B[k][j], summed over k"


def _group(inst: Instruction) -> tuple[int, int]:
    """Return of how many k a sparse A stores how many."""
    of = inst.k // inst.operands["index"].layout.shape["group"]
    return of, of * inst.operands["A"].layout.shape["k"] // inst.k
