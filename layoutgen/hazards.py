"""Wait states that an instruction asks for: those of the hazards that it is the first part of."""

from __future__ import annotations

import re
from dataclasses import dataclass

from layoutgen.facts import Hazard
from layoutgen.model import CYCLES_PER_PASS, Architecture, Instruction

F32 = "F32 MFMA"
"""Instructions on F32 are told apart on some architectures; elsewhere they are XDL as well."""


@dataclass(frozen=True, slots=True)
class Wait:
    """Wait states between an instruction and what comes after it."""

    hazard: Hazard
    states: int

    @property
    def then(self) -> str:
        """What the second instruction does."""
        return self.hazard.then

    @property
    def told(self) -> str:
        """What the second instruction does, with the operand's name for *it*."""
        operand = "its C" if " reads C" in self.hazard.first else "D"
        return re.sub(r"\bit\b", operand, self.hazard.then)


def waits(arch: Architecture, inst: Instruction, **modifiers: int) -> list[Wait]:
    """Return the wait states after `inst`, in the order of the specification.

    They depend on the passes, and those on the formats that `modifiers` choose.

    >>> import layoutgen
    >>> gfx950 = layoutgen.arch("gfx950")
    >>> found = waits(gfx950, gfx950["v_mfma_f32_16x16x32_f16"])
    >>> [w.states for w in found if "VMEM" in w.then]
    [8]
    """
    passes = inst.cycles_under(**modifiers) // CYCLES_PER_PASS
    names = classes(arch, inst)
    mine = [h for h in arch.hazards if _subject(h) in names]
    found = ((hazard, hazard.wait(passes)) for hazard in mine)
    return [Wait(hazard, states) for hazard, states in found if states is not None]


def before(arch: Architecture) -> list[Wait]:
    """Return the wait states that lie before any matrix instruction: after VALU, and the like."""
    others = [
        h for h in arch.hazards if not any(word in h.first for word in ("MFMA", "XDL", "F64"))
    ]
    return [Wait(hazard, hazard.waits[0]) for hazard in others]


def classes(arch: Architecture, inst: Instruction) -> set[str]:
    """Return what the hazards of `arch` call `inst`: MFMA, and XDL, F32 MFMA or F64 16×16×4.

    XDL are all that do not compute in F64, and on architectures that tell F32 apart not in F32.
    """
    kind = inst.operands["A"].format.name
    if kind == "f64":
        return {"MFMA", f"F64 {inst.m}×{inst.n}×{inst.k}"}
    if kind == "f32" and any(_subject(hazard) == F32 for hazard in arch.hazards):
        return {"MFMA", F32}
    return {"MFMA", "XDL"}


def _subject(hazard: Hazard) -> str:
    return hazard.first.partition(" writes ")[0].partition(" reads ")[0]
