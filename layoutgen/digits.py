"""The layout algebra: a layout regroups the digits of coordinates into a lane and an item.

Cut every coordinate of a matrix operand (``b``, ``i``, ``j``, ``k``) into mixed-radix digits,
and list the same digits again, in another order: that makes the lane, and the item (the
position among the elements which that lane holds).  All lists are least significant first.

Two kinds of digit stand on the slot side only: a *replica* in the lane (every value of it holds
a copy) and a *hole* in the item (fixed to one value, the others hold nothing).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import product
from math import prod
from operator import index
from typing import TYPE_CHECKING, Any, Literal, SupportsIndex

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    IntArray = NDArray[np.int64]


class LayoutError(ValueError):
    """Digits that do not make a layout, or a coordinate or slot outside of one."""


@dataclass(frozen=True, slots=True)
class Digit:
    """One digit: a name that is unique in its layout, and how many values it takes."""

    name: str
    size: int


@dataclass(frozen=True, slots=True)
class Place:
    """Where a digit stands: its weight in its coordinate, and its weight in the lane or item."""

    digit: Digit
    coordinate: str | None
    weight: int
    side: Literal["lane", "item"]
    stride: int


@dataclass(frozen=True)
class Layout:
    """A bijection between the coordinates of an operand and its (lane, item) slots.

    `coordinates` maps the names, in the order of the table's columns, to their digits.
    `fixed` gives the value of every hole.  Raises :class:`LayoutError` unless each digit of a
    coordinate stands exactly once in `lane` or `item`.
    """

    coordinates: Mapping[str, tuple[Digit, ...]]
    lane: tuple[Digit, ...]
    item: tuple[Digit, ...]
    fixed: Mapping[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Refuse a digit that is used twice, or not at all, or that does not fit its place."""
        cut = [d for digits in self.coordinates.values() for d in digits]
        slots = [*self.lane, *self.item]
        for where, digits in (("coordinates", cut), ("lane and item", slots)):
            names = [d.name for d in digits]
            if twice := sorted({n for n in names if names.count(n) > 1}):
                raise LayoutError(f"digit {twice[0]!r} stands twice in {where}")
        if lost := [d.name for d in cut if d not in slots]:
            raise LayoutError(f"digit {lost[0]!r} stands neither in lane nor in item")
        for digit in self.item:
            if digit not in cut and not 0 <= self.fixed.get(digit.name, -1) < digit.size:
                raise LayoutError(f"item digit {digit.name!r} belongs to no coordinate")

    @cached_property
    def places(self) -> tuple[Place, ...]:
        """Every digit of the lane and the item, with its weights on both sides."""
        cut: dict[Digit, tuple[str | None, int]] = {
            digit: (name, weight)
            for name, digits in self.coordinates.items()
            for digit, weight in _weighted(digits)
        }
        sides: tuple[tuple[Literal["lane", "item"], tuple[Digit, ...]], ...] = (
            ("lane", self.lane),
            ("item", self.item),
        )
        return tuple(
            Place(digit, *cut.get(digit, (None, 0)), side, stride)
            for side, digits in sides
            for digit, stride in _weighted(digits)
        )

    @cached_property
    def shape(self) -> dict[str, int]:
        """How many values each coordinate takes, in the order of the columns."""
        return {name: prod(d.size for d in digits) for name, digits in self.coordinates.items()}

    @property
    def lanes(self) -> int:
        """How many lanes the layout spans."""
        return prod(d.size for d in self.lane)

    @property
    def items(self) -> int:
        """How many items a lane holds, holes included."""
        return prod(d.size for d in self.item)

    @property
    def held(self) -> int:
        """How many elements a lane holds: the items that are no holes."""
        return prod(p.digit.size for p in self.places if p.side == "item" and p.coordinate)

    @property
    def holes(self) -> tuple[Digit, ...]:
        """The digits of the item that are fixed."""
        return tuple(digit for digit in self.item if digit.name in self.fixed)

    def fix(self, value: int) -> Layout:
        """Return the layout with every hole fixed to `value`."""
        return replace(self, fixed=dict.fromkeys(self.fixed, value))

    def __hash__(self) -> int:
        """Hash by the digits of lane and item; equal layouts have the same."""
        return hash((self.lane, self.item))

    def forward(self, **coordinates: SupportsIndex) -> list[tuple[int, int]]:
        """Return the (lane, item) slots of one element, one for each replica.

        A coordinate that can only be 0, such as the only block's, may be left out.
        Raises :class:`LayoutError` for a missing, unknown or out-of-range coordinate.
        """
        if unknown := [n for n in coordinates if n not in self.shape]:
            raise LayoutError(f"no coordinate {unknown[0]!r}: there are {', '.join(self.shape)}")
        wanted = {}
        for name, size in self.shape.items():
            if size > 1 and name not in coordinates:
                raise LayoutError(f"coordinate {name!r} is missing")
            wanted[name] = in_range(name, coordinates.get(name, 0), size)
        at = {"lane": 0, "item": 0}
        for place in self.places:
            if place.coordinate is not None:
                value = wanted[place.coordinate] // place.weight % place.digit.size
            else:
                value = self.fixed.get(place.digit.name, 0)
            at[place.side] += place.stride * value
        return [(at["lane"] + offset, at["item"]) for offset in self.copies]

    def inverse(self, lane: SupportsIndex, item: SupportsIndex) -> dict[str, int] | None:
        """Return the coordinates of the element in a slot, or None where a hole leaves none.

        Raises :class:`LayoutError` for a lane or item out of range.
        """
        at = {
            "lane": in_range("lane", lane, self.lanes),
            "item": in_range("item", item, self.items),
        }
        found = dict.fromkeys(self.shape, 0)
        for place in self.places:
            value = at[place.side] // place.stride % place.digit.size
            if place.coordinate is not None:
                found[place.coordinate] += place.weight * value
            elif place.side == "item" and value != self.fixed[place.digit.name]:
                return None
        return found

    @cached_property
    def copies(self) -> tuple[int, ...]:
        """Lane offsets of the copies of an element: (0,) without a replica digit."""
        free = [p for p in self.places if p.side == "lane" and p.coordinate is None]
        steps = [[p.stride * v for v in range(p.digit.size)] for p in free]
        return tuple(sorted(sum(combination) for combination in product(*steps)))

    def table(self) -> IntArray:
        """Return all elements as rows of (coordinates…, lane, item), in order of coordinates.

        The array is made once, and cannot be written to.
        """
        return self._table

    @cached_property
    def _table(self) -> IntArray:
        import numpy as np

        grid = np.indices(tuple(self.shape.values())).reshape(len(self.shape), -1)
        columns = dict(zip(self.shape, grid, strict=True))
        at: dict[str, Any] = {"lane": np.zeros_like(grid[0]), "item": np.zeros_like(grid[0])}
        for place in self.places:
            if place.coordinate is not None:
                value = columns[place.coordinate] // place.weight % place.digit.size
                at[place.side] = at[place.side] + place.stride * value
            else:
                at[place.side] = at[place.side] + place.stride * self.fixed.get(place.digit.name, 0)
        rows = np.stack([*grid, at["lane"], at["item"]], axis=1)
        copies = np.array(self.copies)
        repeated = np.repeat(rows, len(copies), axis=0)
        repeated[:, -2] += np.tile(copies, len(rows))
        repeated.flags.writeable = False
        return repeated

    def bases(self) -> dict[str, list[tuple[int, ...]]]:
        """Return the linear-layout bases over GF(2): where each bit of lane and item points.

        A basis is a tuple in the order of the coordinates; a replica or hole bit is all zeros.
        Raises :class:`LayoutError` if a digit's size is no power of two.
        """
        found: dict[str, list[tuple[int, ...]]] = {"item": [], "lane": []}
        names = list(self.shape)
        for place in self.places:
            bits = place.digit.size.bit_length() - 1
            if place.digit.size != 1 << bits:
                raise LayoutError(
                    f"digit {place.digit.name!r} has {place.digit.size} values: linear layouts "
                    "need powers of two"
                )
            for bit in range(bits):
                step = place.weight << bit
                found[place.side].append(tuple(step * (n == place.coordinate) for n in names))
        return found


def _weighted(digits: tuple[Digit, ...]) -> Iterator[tuple[Digit, int]]:
    weight = 1
    for digit in digits:
        yield digit, weight
        weight *= digit.size


def in_range(name: str, value: SupportsIndex, size: int) -> int:
    """Return `value` as an int; raise :class:`LayoutError` unless it is in 0 … size-1."""
    found = whole(name, value)
    if not 0 <= found < size:
        raise LayoutError(f"{name} {found} is out of range: 0 to {size - 1}")
    return found


def whole(name: str, value: SupportsIndex) -> int:
    """Return `value` as an int; raise :class:`LayoutError` if it is no whole number."""
    try:
        return int(index(value))
    except TypeError:
        raise LayoutError(f"{name} {value!r} is no whole number") from None
