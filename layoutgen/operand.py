"""Operands of an instruction: where every element lies, and what a register holds."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, SupportsIndex

from layoutgen.digits import Layout, in_range
from layoutgen.facts import Provenance
from layoutgen.formats import Carrier, NumberFormat
from layoutgen.modifiers import Modifiers, Reroute

if TYPE_CHECKING:
    from layoutgen.digits import IntArray
    from layoutgen.formulas import Formulas

REGISTER_BITS = 32


@dataclass(frozen=True, slots=True)
class Slot:
    """Where an element lives: lane, first 32-bit register, bit in that register, width in bits."""

    lane: int
    register: int
    bit: int
    width: int

    @property
    def registers(self) -> range:
        """The registers that hold at least one bit of the element."""
        return range(self.register, self.register + 1 + (self.bit + self.width - 1) // 32)


@dataclass(frozen=True, slots=True)
class Element:
    """An element of an operand by its coordinates, and the bit where it starts.

    The bit counts from the lowest of the register that was asked for, or of the first one.
    """

    b: int
    i: int | None = None
    j: int | None = None
    k: int | None = None
    group: int | None = None
    bit: int = 0
    width: int = 0

    @property
    def coordinates(self) -> dict[str, int]:
        """The coordinates that this operand has, by name."""
        named = {"b": self.b, "i": self.i, "k": self.k, "j": self.j, "group": self.group}
        return {name: value for name, value in named.items() if value is not None}


@dataclass(frozen=True)
class Operand:
    """One matrix operand of an instruction, as laid out or as read under modifiers.

    `carrier` and `c_count` are the C type of the builtin's argument; both follow from the format
    where the instruction does not say otherwise.  `alignment`: the number of its first register
    is a multiple of it.  `negated`: the multiplier takes every element with its sign changed.
    `variant` names the layout among those that the tile has for this operand; empty is the usual.
    """

    name: str
    format: NumberFormat
    layout: Layout
    provenance: Provenance
    register_files: tuple[str, ...] = ("v",)
    modifiers: Modifiers = field(default_factory=Modifiers)
    reroute: Reroute | None = None
    carrier: Carrier | None = None
    alignment: int = 1
    negated: bool = False
    c_bits: int | None = None
    variant: str = ""

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the table's columns: the coordinates, then lane, register, bit, width."""
        return (*self.layout.shape, "lane", "register", "bit", "width")

    @property
    def elements_per_lane(self) -> int:
        """How many elements each lane holds."""
        return self.layout.held

    @property
    def registers(self) -> int:
        """How many 32-bit registers of each lane the operand takes."""
        return -(-self.layout.items * self.format.bits // REGISTER_BITS)

    @property
    def c_element(self) -> Carrier:
        """The C type of which one or several carry one lane's share."""
        return self.carrier or self.format.carrier

    @property
    def c_count(self) -> int:
        """How many C elements carry one lane's share."""
        bits = self.c_bits or self.layout.items * self.format.bits
        return bits // self.c_element.bits

    @property
    def c_type(self) -> str:
        """Name of the C type that carries one lane's share."""
        return self.c_element.alias(self.c_count)

    def __hash__(self) -> int:
        """Hash by name, format and modifiers; equal operands have the same."""
        return hash((self.name, self.format, self.modifiers))

    def locate(self, **coordinates: SupportsIndex) -> list[Slot]:
        """Return the slots of one element, one per copy; under modifiers, where it is read from.

        A coordinate that can only be 0, such as the block where there is one, may be left out.
        Raises :class:`~layoutgen.digits.LayoutError` for a missing, unknown or out-of-range
        coordinate.
        """
        return [self._slot(lane, item) for lane, item in self.layout.forward(**coordinates)]

    def elements(self, lane: SupportsIndex, register: SupportsIndex | None = None) -> list[Element]:
        """Return the elements that touch one 32-bit register of one lane, lowest bit first.

        Without a register: every element of the lane once; its bit counts from the lowest bit of
        the first register, so that ``bit // 32`` is the register where it begins.
        Under modifiers: the elements for which the multiplier reads that register; a broadcast
        gives several, and a register that is never read gives none.
        An element that began in the register before has a negative bit.
        Raises :class:`~layoutgen.digits.LayoutError` for a lane or register out of range.

        >>> import layoutgen
        >>> D = layoutgen.arch("gfx942")["v_mfma_f32_16x16x16_f16"].operand("D")
        >>> [(element.i, element.j, element.bit // 32) for element in D.elements(lane=37)]
        [(8, 5, 0), (9, 5, 1), (10, 5, 2), (11, 5, 3)]
        """
        held = in_range("lane", lane, self.layout.lanes)
        width = self.format.bits
        low, end = 0, self.registers * REGISTER_BITS
        if register is not None:
            low = in_range("register", register, self.registers) * REGISTER_BITS
            end = low + REGISTER_BITS
        items = range(low // width, min(-(-end // width), self.layout.items))
        readers = self.reroute.readers(held) if self.reroute else [held]
        found = ((self.layout.inverse(reader, item), item) for item in items for reader in readers)
        return [
            Element(**coordinates, bit=item * width - low, width=width)
            for coordinates, item in found
            if coordinates is not None
        ]

    def table(self) -> IntArray:
        """Return every element as a row of :attr:`columns`: an (n, 7) array of int64."""
        import numpy as np

        rows = self.layout.table()
        lane, start = rows[:, -2], rows[:, -1] * self.format.bits
        table = np.empty((len(rows), len(self.columns)), dtype=np.int64)
        table[:, :-4] = rows[:, :-2]
        table[:, -4] = self.reroute.lane(lane) if self.reroute else lane
        table[:, -3] = start // REGISTER_BITS
        table[:, -2] = start % REGISTER_BITS
        table[:, -1] = self.format.bits
        return table

    @cached_property
    def formulas(self) -> Formulas:
        """The formulas of both directions, with the modifiers that are set."""
        from layoutgen.formulas import formulas

        return formulas(self.layout, self.format.bits, self.reroute)

    def _slot(self, lane: int, item: int) -> Slot:
        start = item * self.format.bits
        source = self.reroute.lane(lane) if self.reroute else lane
        return Slot(source, start // REGISTER_BITS, start % REGISTER_BITS, self.format.bits)
