"""One way to call the emulator: a record, registers by operand, and a setting of the modifiers."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from layoutgen import emulator
from layoutgen.validate.codes import LANES, Registers
from layoutgen.validate.setting import Modifiers, told

FIRST_TWO = 0x44444444
"""An index register whose every nibble says that A stores the first two of four k."""
ONES = 0x7F7F7F7F
"""A register of four scales of 1."""


def run(
    record: emulator.Instruction, registers: Mapping[str, Registers], modifiers: Modifiers
) -> Registers:
    """Return D's registers.

    `registers` has A, B and C, and may have the index or the scales; without them A stores the
    first two of every four k, and scales are 1.  Raises
    :class:`layoutgen.emulator.EmulatorError` for what it refuses.
    """
    a, b, c = (registers[name] for name in "ABC")
    given = told(record, modifiers)
    ones = _filled(ONES) if record.scaled else None
    return emulator.run(
        record,
        a,
        b,
        c,
        *given[:3],
        index=registers.get("index", _filled(FIRST_TWO) if record.sparse else None),
        scale_a=registers.get("scale_a", ones),
        scale_b=registers.get("scale_b", ones),
        op_sel_a=given.op_sel_a,
        op_sel_b=given.op_sel_b,
    )


def _filled(word: int) -> Registers:
    """A register with the same word in all lanes."""
    return np.full((1, LANES), word, dtype=np.uint32)
