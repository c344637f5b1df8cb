"""Runs: where there are many k, a cell stands for all of them that fill whole registers of a lane.

A run is a digit less: the lowest digit of the item is cut, and what it counted is one wide
element.  So an operand of runs is an operand, and is laid out and drawn like any other.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import gcd, lcm
from typing import TYPE_CHECKING

from layoutgen.digits import Digit
from layoutgen.figures.words import REGISTER_BITS

if TYPE_CHECKING:
    from layoutgen.figures.cells import Row
    from layoutgen.model import Operand

MOST = 16
"""Up to so many k (or groups) have a cell each; a page has no room for more."""


@dataclass(frozen=True)
class Runs:
    """An operand whose elements are runs of `count` elements of `bits` bits along `along`."""

    operand: Operand
    along: str = ""
    count: int = 1
    bits: int = 0

    def values(self, row: Row) -> tuple[int, ...]:
        """Return the numbers of the first element of a run, from its row of the table."""
        if self.count == 1:
            return tuple(row)
        at = self.operand.columns.index(self.along)
        return (*row[:at], row[at] * self.count, *row[at + 1 : -1], self.bits)

    def label(self, name: str, value: int) -> str:
        """Return what a title says of a coordinate: a number, or the range of a run."""
        if self.count == 1 or name != self.along:
            return str(value)
        return f"{value * self.count}–{(value + 1) * self.count - 1}"


def runs(operand: Operand) -> Runs:
    """Return `operand` as runs where it has too many k for a cell each, else as it is."""
    along = next((name for name in operand.layout.shape if name not in ("b", "i", "j")), "")
    if operand.layout.shape.get(along, 0) <= MOST:
        return Runs(operand)
    whole = lcm(operand.format.bits, REGISTER_BITS) // operand.format.bits
    count = gcd(whole, _lowest(operand, along))
    return Runs(_cut(operand, along, count), along, count, operand.format.bits)


def _lowest(operand: Operand, along: str) -> int:
    """Return how many elements in a row of each lane are consecutive, by the lowest digit."""
    for place in operand.layout.places:
        if (place.coordinate, place.weight, place.side, place.stride) == (along, 1, "item", 1):
            return place.digit.size
    return 1


def _cut(operand: Operand, along: str, count: int) -> Operand:
    """Return `operand` with `count` of its elements as one, by the lowest digit of the item."""
    layout = operand.layout
    name = layout.coordinates[along][0].name

    def cut(digits: tuple[Digit, ...]) -> tuple[Digit, ...]:
        return tuple(Digit(d.name, d.size // count) if d.name == name else d for d in digits)

    coordinates = {**layout.coordinates, along: cut(layout.coordinates[along])}
    return replace(
        operand,
        layout=replace(layout, coordinates=coordinates, item=cut(layout.item)),
        format=replace(operand.format, bits=operand.format.bits * count),
    )
