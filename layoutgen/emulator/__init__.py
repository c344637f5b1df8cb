"""The reference emulator: if these registers go in, what comes out?

It exists to prove layouts wrong, so it shares nothing with the code that computes them: its own
table of mnemonics, rules written from other sources and in the other direction (for each
destination, the products that it accumulates), raw ``uint32[registers, 64]`` in and out. It
imports nothing of ``layoutgen`` outside this package; a test holds it to that.

* :func:`execute`: one instruction, or a batch of calls at once.
* :func:`execute_in_place`: on one register file, D overwriting C.
* :func:`run`: the same as :func:`execute` for an :class:`Instruction` record.
* :func:`instruction`, :func:`mnemonics`, :func:`architectures`, :func:`legal_modifiers`,
  :func:`with_formats`, :func:`terms`: what it knows.
* :class:`EmulatorError`: refused input.
"""

from layoutgen.emulator.errors import EmulatorError
from layoutgen.emulator.instructions import (
    Instruction,
    architectures,
    instruction,
    mnemonics,
    with_formats,
)
from layoutgen.emulator.machine import (
    execute,
    execute_in_place,
    legal_modifiers,
    run,
    terms,
)
from layoutgen.emulator.modifiers import Modifiers, ScaledModifiers
from layoutgen.emulator.wiring import ScaledTerm, SparseTerm, Term

__all__ = [
    "EmulatorError",
    "Instruction",
    "Modifiers",
    "ScaledModifiers",
    "ScaledTerm",
    "SparseTerm",
    "Term",
    "architectures",
    "execute",
    "execute_in_place",
    "instruction",
    "legal_modifiers",
    "mnemonics",
    "run",
    "terms",
    "with_formats",
]
