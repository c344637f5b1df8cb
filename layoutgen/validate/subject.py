"""One instruction as the emulator knows it, with what was observed of it; observed once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from layoutgen import emulator
from layoutgen.validate import calls, codes, product, setting
from layoutgen.validate.codes import IntArray
from layoutgen.validate.geometry import Geometry, derive
from layoutgen.validate.observation import Observation, Parts, Products, kinds_of
from layoutgen.validate.probe import accumulators, observe
from layoutgen.validate.selectors import by_index, by_scales
from layoutgen.validate.setting import PLAIN, Modifiers
from layoutgen.validate.sieve import Sieve, make, observe_with


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
    sieve: Sieve | None = field(default=None, compare=False, repr=False)
    _observed: dict[Modifiers, Observation] = field(default_factory=dict, compare=False, repr=False)
    _results: dict[Modifiers, IntArray] = field(default_factory=dict, compare=False, repr=False)
    _pairs: dict[Modifiers, Products] = field(default_factory=dict, compare=False, repr=False)
    _data: dict[Modifiers, product.Matrices] = field(
        default_factory=dict, compare=False, repr=False
    )

    @property
    def mnemonic(self) -> str:
        """The instruction's name."""
        return self.record.mnemonic

    def with_record(self, record: emulator.Instruction) -> Subject:
        """Return the subject of a mutated record.

        It is probed with the classes of this one, which are measured and not taken for granted:
        see :mod:`layoutgen.validate.sieve`.
        """
        return Subject(self.arch, record, self.told, sieve=self._sieve)

    # --- what it does --------------------------------------------------------------------

    def observation(self, modifiers: Modifiers = PLAIN) -> Observation:
        """Return the map under `modifiers`.

        Raises :class:`layoutgen.validate.observation.ProbeError`.
        """
        if modifiers not in self._observed:
            self._observed[modifiers] = self._observe(self.told(modifiers))
        return self._observed[modifiers]

    def _observe(self, modifiers: Modifiers) -> Observation:
        record, sieve = self.record, self._sieve
        if record.sparse:
            columns, sign = by_index(record, modifiers, sieve)
        else:
            products = self._products(modifiers)
            columns, sign = {"D": products.d, "A": products.a, "B": products.b}, products.sign
            if record.scaled:
                columns = by_scales(record, modifiers, sieve, products)
        parts = Parts.of(self.formed(modifiers))
        c_of_d, c_sign = accumulators(record, modifiers)
        return Observation(parts, np.sort(parts.keys(columns)), c_of_d, sign, c_sign)

    def _products(self, modifiers: Modifiers) -> Products:
        """The products of D, A and B.

        Of a scaled instruction probed once for each pair of formats: which byte of a scale is
        taken is probed by :func:`by_scales`, where no product may come or go.
        """
        if not self.record.scaled:
            return observe_with(self.record, modifiers, self._sieve)
        formats = self._formats(modifiers)
        if formats not in self._pairs:
            self._pairs[formats] = observe_with(self.record, formats, self._sieve)
        return self._pairs[formats]

    @cached_property
    def _sieve(self) -> Sieve:
        """Classes of A's slots, from the map without modifiers, probed slot by slot."""
        if self.sieve is not None:
            return self.sieve
        return make(observe(self.record, self.told(PLAIN)), self.slots("A"))

    def result(self, modifiers: Modifiers = PLAIN) -> IntArray:
        """Return D of the random matrices under `modifiers`, by slot."""
        if modifiers not in self._results:
            data = self.data(modifiers)
            self._results[modifiers] = product.run(self.record, data, self.told(modifiers))
        return self._results[modifiers]

    def data(self, modifiers: Modifiers = PLAIN) -> product.Matrices:
        """Return the random matrices, in the formats that the modifiers choose."""
        formats = self._formats(modifiers)
        if formats not in self._data:
            self._data[formats] = product.matrices(self.formed(formats))
        return self._data[formats]

    # --- what it is ----------------------------------------------------------------------

    @cached_property
    def geometry(self) -> Geometry:
        """The sizes that the map shows.

        Raises :class:`layoutgen.validate.observation.ProbeError`.
        """
        return derive(self.observation())

    @cached_property
    def settings(self) -> tuple[Modifiers, ...]:
        """Every setting of the modifiers that the emulator lets pass."""
        return setting.settings(self.record)

    @cached_property
    def legal(self) -> frozenset[Modifiers]:
        """The same, to look one up."""
        return frozenset(self.settings)

    @cached_property
    def operands(self) -> tuple[str, ...]:
        """The names of the operands."""
        return setting.operands(self.record)

    def acting(self, operand: str, modifiers: Modifiers) -> Modifiers:
        """Return the part of `modifiers` that acts on an operand."""
        return setting.acting(self.record, operand, modifiers)

    def shared(self, operand: str) -> bool:
        """Tell whether under modifiers several elements of an operand may be read from one slot."""
        roles = {"A": self.record.cbsz_role, "B": self.record.blgp_role}
        return roles.get(operand) in ("broadcast", "lanes")

    def _formats(self, modifiers: Modifiers) -> Modifiers:
        chosen = self.record.cbsz_role == "format"
        return Modifiers(cbsz=modifiers.cbsz, blgp=modifiers.blgp) if chosen else PLAIN

    def formed(self, modifiers: Modifiers) -> emulator.Instruction:
        """Return the record with the formats that the modifiers choose."""
        formats = self._formats(modifiers)
        if formats == PLAIN:
            return self.record
        return emulator.with_formats(self.record, formats.cbsz, formats.blgp)

    def width(self, operand: str, modifiers: Modifiers = PLAIN) -> int:
        """Return the bits of an element of an operand."""
        return codes.TYPES[self.format(operand, modifiers)].bits

    def format(self, operand: str, modifiers: Modifiers = PLAIN) -> str:
        """Return the element type of an operand, by the emulator's name."""
        return kinds_of(self.formed(modifiers))[operand][0]

    def slots(self, operand: str, modifiers: Modifiers = PLAIN) -> int:
        """Return how many elements the registers of an operand hold."""
        return codes.slots(*kinds_of(self.formed(modifiers))[operand])

    @cached_property
    def widths(self) -> dict[str, int]:
        """Bits of an element of each operand."""
        return {name: self.width(name) for name in self.operands}

    @cached_property
    def registers(self) -> dict[str, int]:
        """32-bit registers of each operand in a lane."""
        return {name: kinds_of(self.record)[name][1] for name in self.operands}

    @cached_property
    def formats(self) -> dict[str, str]:
        """Element type of each operand, by the emulator's names."""
        return {name: self.format(name) for name in self.operands}

    def refuses(self, modifiers: Modifiers) -> bool:
        """Tell whether the emulator refuses a setting, by running it."""
        given = {x: np.zeros((self.registers[x], codes.LANES), dtype=np.uint32) for x in "ABC"}
        try:
            calls.run(self.record, given, modifiers)
        except emulator.EmulatorError:
            return True
        return False
