"""Layouts with the digits of the right one in another order, or coordinates exchanged."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations, permutations

from layoutgen.digits import Digit, Layout

MOST_DIGITS = 5
"""Lists of more digits are not permuted: 120 orders are enough."""
TRANSPOSED = "rows and columns swapped"


def swapped(layout: Layout) -> Iterator[tuple[str, Layout]]:
    """Yield the layout with two coordinates of the same size exchanged."""
    for one, two in combinations(layout.coordinates, 2):
        if layout.shape[one] == layout.shape[two] > 1:
            cut = {**layout.coordinates, one: layout.coordinates[two], two: layout.coordinates[one]}
            name = f"{one} and {two} swapped" if "b" in (one, two) else TRANSPOSED
            yield name, replace(layout, coordinates=cut)


def other_k(layout: Layout) -> Iterator[tuple[str, Layout]]:
    """Yield the layout in which a lane holds consecutive k, where it holds several chunks."""
    for name in ("k", "group"):
        digits = layout.coordinates.get(name, ())
        own = [digit for digit in layout.item if digit in digits]
        taken = (*own, *(digit for digit in digits if digit not in own))
        if taken != digits:
            cut = {**layout.coordinates, name: taken}
            yield (
                f"a lane's {name} taken as consecutive: its chunks are ignored",
                replace(layout, coordinates=cut),
            )


def reordered(layout: Layout) -> Iterator[tuple[str, Layout]]:
    """Yield the layout with the digits of one list in another order, or two exchanged."""
    for name, digits in layout.coordinates.items():
        for order in _orders(digits):
            cut = {**layout.coordinates, name: order}
            yield _told(name, digits, order), replace(layout, coordinates=cut)
    for side, digits in (("item", layout.item), ("lane", layout.lane)):
        for order in _orders(digits):
            changed = replace(layout, item=order) if side == "item" else replace(layout, lane=order)
            block = _moved(digits, order)
            wrong = "wrong block order, " if block in layout.coordinates.get("b", ()) else ""
            yield f"{wrong}{_told(side, digits, order)}", changed
    for one in layout.lane:
        for two in layout.item:
            if one.size == two.size > 1:
                lane = tuple(two if digit == one else digit for digit in layout.lane)
                item = tuple(one if digit == two else digit for digit in layout.item)
                name = f"{one.name} and {two.name} exchanged between lane and item"
                yield name, replace(layout, lane=lane, item=item)


def _orders(digits: tuple[Digit, ...]) -> Iterator[tuple[Digit, ...]]:
    """Yield every other order of the digits that count, orders with one digit moved first."""
    counting = tuple(digit for digit in digits if digit.size > 1)
    idle = tuple(digit for digit in digits if digit.size == 1)
    if 1 < len(counting) <= MOST_DIGITS:
        found = [order for order in permutations(counting) if order != counting]
        for order in sorted(found, key=lambda order: _moved(counting, order) is None):
            yield (*order, *idle)


def _moved(digits: tuple[Digit, ...], order: tuple[Digit, ...]) -> Digit | None:
    """Return the one digit without which both lists are the same, a block digit if it can be."""
    counting = [digit for digit in digits if digit.size > 1]
    alone = [digit for digit in counting if _without(digit, digits) == _without(digit, order)]
    return max(alone, key=lambda d: d.name == "block", default=None)


def _without(digit: Digit, digits: tuple[Digit, ...]) -> list[Digit]:
    return [d for d in digits if d != digit and d.size > 1]


def _told(name: str, right: tuple[Digit, ...], wrong: tuple[Digit, ...]) -> str:
    return f"{name} = {_number(wrong)} instead of {_number(right)}"


def _number(digits: tuple[Digit, ...]) -> str:
    """Return a number by its digits: ``sub + 4·half + 8·band``."""
    parts, weight = [], 1
    for digit in digits:
        if digit.size > 1:
            parts.append(digit.name if weight == 1 else f"{weight}·{digit.name}")
            weight *= digit.size
    return " + ".join(parts)
