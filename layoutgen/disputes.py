"""Which places where sources disagree touch an instruction."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from layoutgen.model import Architecture, Disagreement, Instruction

TOUCHES: Mapping[str, Callable[[Instruction], bool]] = {
    "cbsz-groups": lambda inst: any(map(inst.rules.readings_differ, inst.rules.combinations())),
    "k-order": lambda inst: inst.k > 1,
}
"""By a disagreement's key: whether it matters to an instruction.  Others matter to all."""


def touching(arch: Architecture, inst: Instruction) -> list[Disagreement]:
    """Return the disagreements of `arch` that matter to `inst`."""
    return [d for d in arch.disagreements if d.id not in TOUCHES or TOUCHES[d.id](inst)]
