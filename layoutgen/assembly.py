"""An instruction as a line of assembly, with registers of the right sizes."""

from __future__ import annotations

from typing import Any

from layoutgen.model import Instruction

ORDER = ("D", "A", "B", "C", "index", "scale_a", "scale_b")
IN_PLACE = "C"
"""The operand that a sparse instruction does not name: it is D."""


def assembly(inst: Instruction, **modifiers: Any) -> str:
    """Return `inst` as the assembler takes it, operands in registers one after another.

    D and C are the same registers; tuples begin where the architecture lets them.

    >>> import layoutgen
    >>> assembly(layoutgen.arch("gfx90a")["v_mfma_f32_16x16x16f16"], cbsz=0)
    'v_mfma_f32_16x16x16f16 v[0:3], v[4:5], v[6:7], v[0:3]'
    """
    given = inst.rules.check(modifiers)
    named: dict[str, str] = {}
    free = {"v": 0, "a": 0}
    for name in (o for o in ORDER if o in inst.operands):
        if name == IN_PLACE:
            named[name] = named["D"]
            continue
        operand = inst.operand(name, **modifiers)
        file = operand.register_files[0]
        first = -(-free[file] // operand.alignment) * operand.alignment
        free[file] = first + operand.registers
        last = free[file] - 1
        named[name] = f"{file}{first}" if first == last else f"{file}[{first}:{last}]"
    if inst.sparse:
        del named[IN_PLACE]
    return f"{inst.mnemonic} {', '.join(named.values())} {given}".rstrip()
