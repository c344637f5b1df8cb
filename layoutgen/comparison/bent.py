"""Tables in which one digit of a layout is left out, counted backwards, or a bit is flipped."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING

from layoutgen.digits import Layout, Place
from layoutgen.model import REGISTER_BITS

if TYPE_CHECKING:
    from layoutgen.digits import IntArray


def bent(layout: Layout, width: int) -> Iterator[tuple[str, IntArray]]:
    """Yield names and tables: rows of (coordinates…, lane, start) of elements of `width` bits."""
    right = layout.table()

    def slots(name: str, change: Callable[[IntArray], IntArray]) -> tuple[str, IntArray]:
        rows = change(right.copy())
        rows[:, -1] *= width
        return name, rows

    columns = {name: n for n, name in enumerate((*layout.shape, "lane", "item"))}
    for place in layout.places:
        if place.digit.size > 1 and place.coordinate:
            yield from (slots(name, change) for name, change in _of_digit(place, columns, width))
    for side, size in (("lane", layout.lanes), ("item", layout.items)):
        for bit in range(size.bit_length() - 1):
            step = 1 << bit
            if size % (2 * step) == 0:
                yield slots(_flip(side, step, size), _xor(columns[side], step))


def _of_digit(
    place: Place, columns: Mapping[str, int], width: int
) -> Iterator[tuple[str, Callable[[IntArray], IntArray]]]:
    assert place.coordinate is not None
    digit, size = place.digit.name, place.digit.size
    slot, coordinate = columns[place.side], columns[place.coordinate]

    def value(rows: IntArray) -> IntArray:
        found: IntArray = rows[:, slot] // place.stride % size
        return found

    def backwards(rows: IntArray) -> IntArray:
        rows[:, slot] += (size - 1 - 2 * value(rows)) * place.stride
        return rows

    def not_in_slot(rows: IntArray) -> IntArray:
        rows[:, slot] -= value(rows) * place.stride
        return rows

    def not_in_coordinate(rows: IntArray) -> IntArray:
        rows[:, coordinate] -= value(rows) * place.weight
        return rows

    packed = place.side == "item" and place.stride == 1 and width < REGISTER_BITS
    yield (
        (
            "elements packed from the highest bits down"
            if packed and size * width <= REGISTER_BITS
            else f"{digit} counted backwards in {place.side}"
        ),
        backwards,
    )
    yield f"{digit} left out of {place.side}", not_in_slot
    yield f"{digit} left out of {place.coordinate}", not_in_coordinate


def _flip(side: str, step: int, size: int) -> str:
    if side == "item":
        return f"items {step} apart exchanged: item ^ {step}"
    if 2 * step == size:
        return f"lane halves swapped: lane ^ {step}"
    return f"groups of {step} lanes exchanged in pairs: lane ^ {step}"


def _xor(column: int, step: int) -> Callable[[IntArray], IntArray]:
    def change(rows: IntArray) -> IntArray:
        rows[:, column] ^= step
        return rows

    return change
