"""One way to call the emulator: a record, registers and the three fields of modifiers."""

from __future__ import annotations

from layoutgen import emulator
from layoutgen.emulator import Modifiers
from layoutgen.validate.codes import Registers


def run(
    record: emulator.Instruction, a: Registers, b: Registers, c: Registers, modifiers: Modifiers
) -> Registers:
    """Return D's registers.

    Raises :class:`layoutgen.emulator.EmulatorError` for what it refuses.
    """
    cbsz, abid, blgp = modifiers
    return emulator.run(record, a, b, c, cbsz, abid, blgp)


def settings(record: emulator.Instruction) -> tuple[Modifiers, ...]:
    """Return every setting of cbsz, abid and blgp that the emulator lets pass."""
    legal = emulator.legal_modifiers(record.arch, record.mnemonic)
    return tuple(dict.fromkeys(Modifiers(m.cbsz, m.abid, m.blgp) for m in legal))
