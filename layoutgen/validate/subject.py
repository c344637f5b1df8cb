"""One instruction as the emulator knows it, with what was observed of it; observed once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from layoutgen import emulator
from layoutgen.emulator import Modifiers
from layoutgen.validate import calls, codes, product
from layoutgen.validate.codes import IntArray
from layoutgen.validate.geometry import Geometry, derive
from layoutgen.validate.probe import Observation, observe
from layoutgen.validate.sieve import Sieve, make, observe_with

PLAIN = Modifiers()


def _unchanged(modifiers: Modifiers) -> Modifiers:
    return modifiers


@dataclass(frozen=True)
class Subject:
    """An instruction to hold artefacts against.

    `record` is the emulator's; a mutated one (another rule) shows whether a wrong emulator
    would be noticed, and so does `told`, which changes the modifiers that it is told.
    """

    arch: str
    record: emulator.Instruction
    told: Callable[[Modifiers], Modifiers] = _unchanged
    _observed: dict[Modifiers, Observation] = field(default_factory=dict, compare=False, repr=False)
    _results: dict[Modifiers, IntArray] = field(default_factory=dict, compare=False, repr=False)

    @property
    def mnemonic(self) -> str:
        """The instruction's name."""
        return self.record.mnemonic

    def observation(self, modifiers: Modifiers = PLAIN) -> Observation:
        """Return the map under `modifiers`; raises :class:`layoutgen.validate.probe.ProbeError`."""
        if modifiers not in self._observed:
            self._observed[modifiers] = self._observe(modifiers)
        return self._observed[modifiers]

    def _observe(self, modifiers: Modifiers) -> Observation:
        if modifiers == PLAIN:
            return observe(self.record, self.told(modifiers))
        told = self.told(modifiers)
        return observe_with(self.record, told, self.observation(), self._sieve)

    @cached_property
    def _sieve(self) -> Sieve:
        return make(self.record, self.observation())

    def result(self, modifiers: Modifiers = PLAIN) -> IntArray:
        """Return D of the random matrices under `modifiers`, by slot."""
        if modifiers not in self._results:
            self._results[modifiers] = product.run(self.record, self.data, self.told(modifiers))
        return self._results[modifiers]

    @cached_property
    def data(self) -> product.Matrices:
        """The random matrices."""
        return product.matrices(self.record)

    @cached_property
    def geometry(self) -> Geometry:
        """The sizes that the map shows; raises :class:`layoutgen.validate.probe.ProbeError`."""
        return derive(self.observation())

    @cached_property
    def settings(self) -> tuple[Modifiers, ...]:
        """Every setting of the modifiers that the emulator lets pass."""
        return calls.settings(self.record)

    @property
    def widths(self) -> dict[str, int]:
        """Bits of an element of each operand."""
        a, b, d = (
            f.bits for f in (self.record.a_format, self.record.b_format, self.record.d_format)
        )
        return {"A": a, "B": b, "C": d, "D": d}

    @property
    def registers(self) -> dict[str, int]:
        """32-bit registers of each operand in a lane."""
        r = self.record
        return {"A": r.a_registers, "B": r.b_registers, "C": r.c_registers, "D": r.d_registers}

    @property
    def formats(self) -> dict[str, str]:
        """Element type of each operand."""
        r = self.record
        d = r.d_format.name
        return {"A": r.a_format.name, "B": r.b_format.name, "C": d, "D": d}

    def slots(self, operand: str) -> int:
        """Return how many elements the registers of an operand hold."""
        return codes.slots(self.formats[operand], self.registers[operand])

    def refuses(self, modifiers: Modifiers) -> bool:
        """Tell whether the emulator refuses a setting, by running it."""
        a, b, c = (np.zeros((self.registers[x], codes.LANES), dtype=np.uint32) for x in "ABC")
        try:
            calls.run(self.record, a, b, c, modifiers)
        except emulator.EmulatorError:
            return True
        return False
