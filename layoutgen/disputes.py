"""Which places where sources disagree touch an instruction."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from layoutgen.model import Architecture, Disagreement, Instruction

TOUCHES: Mapping[str, Callable[[Instruction], bool]] = {
    "cbsz-groups": lambda inst: any(map(inst.rules.readings_differ, inst.rules.combinations())),
    "k-order": lambda inst: inst.k > 1 and not inst.sparse and not inst.alternatives,
    "write-after-read": lambda inst: inst.operands["A"].format.name != "f64",
}
"""By a disagreement's key: whether it matters to an instruction, where that follows from it."""


def touching(arch: Architecture, inst: Instruction) -> list[Disagreement]:
    """Return the disagreements of `arch` that matter to `inst`.

    One that names instructions is about these; another is about those that it applies to, or
    about all.
    """
    return [d for d in arch.disagreements if touches(d, inst)]


def touches(disagreement: Disagreement, inst: Instruction) -> bool:
    """Tell whether a disagreement matters to `inst`."""
    if disagreement.instructions:
        return inst.name in disagreement.instructions
    applies = TOUCHES.get(disagreement.id)
    return applies is None or applies(inst)
