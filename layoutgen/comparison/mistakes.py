"""The usual mistakes, made on purpose from the digits of the right layout, each with its name.

A wrong table is most often the right one with one thing exchanged: digits in another order, a
digit left out, a digit counted backwards, rows for columns, or the rule of another instruction or
architecture.  Every such table is made here, and the one that a user has is then known by name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from itertools import combinations, permutations
from typing import TYPE_CHECKING

from layoutgen.comparison.given import rows_of
from layoutgen.digits import Digit, Layout, Place
from layoutgen.model import REGISTER_BITS, Architecture, Instruction, Operand
from layoutgen.modifiers import Modifiers, Reroute

if TYPE_CHECKING:
    from layoutgen.digits import IntArray

BYTE = 8
MOST_DIGITS = 5
"""Lists of more digits are not permuted: 120 orders are enough."""
TRANSPOSED = "rows and columns swapped"


@dataclass(frozen=True, eq=False)
class Mistake:
    """A wrong layout: what went wrong, in words; its rows; and its digits, if it is a layout.

    `rows` are (coordinates…, lane, start), start being the first bit in the lane.
    """

    name: str
    rows: IntArray
    layout: Layout | None = None


def mistakes(
    inst: Instruction, operand: Operand, others: Iterable[Architecture] = ()
) -> Iterator[Mistake]:
    """Yield wrong layouts of `operand`, the most usual ones first.

    `others` are architectures whose rules may have been used instead.
    """
    plain = inst.operands[operand.name]
    if operand.reroute:
        yield from _of_modifiers(inst, operand)
        return
    if operand.modifiers != Modifiers():
        yield from _of_modifiers(inst, operand)
    width = operand.format.bits
    each = "every element counted as one register"
    if width != REGISTER_BITS:
        yield Mistake(each, _rows(operand.layout, REGISTER_BITS))
    yield from _spread(operand)
    for name, layout in _layouts(operand, others):
        yield Mistake(name, _rows(layout, width), layout)
        if width != REGISTER_BITS:
            yield Mistake(f"{name}, and {each}", _rows(layout, REGISTER_BITS), layout)
    for given in inst.rules.combinations():
        access = inst.rules.access(operand.name, given)
        if access.reroute or access.hole or access.code:
            read = inst.operand(operand.name, **asdict(given))
            yield Mistake(f"read under {given}, not as laid out", rows_of(read))
    yield from _bent(plain)


def _spread(operand: Operand) -> Iterator[Mistake]:
    """Yield narrow elements with room between them: one in each byte, or none that straddles."""
    width = operand.format.bits
    if width < BYTE:
        yield Mistake("every element counted as one byte", _rows(operand.layout, BYTE))
    if fits := REGISTER_BITS % width and REGISTER_BITS // width:
        rows = _rows(operand.layout, 1)
        rows[:, -1] = rows[:, -1] // fits * REGISTER_BITS + rows[:, -1] % fits * width
        yield Mistake(f"{fits} elements in each register, so that none straddles", rows)


def _of_modifiers(inst: Instruction, operand: Operand) -> Iterator[Mistake]:
    yield Mistake("the modifiers are ignored", rows_of(inst.operands[operand.name]))
    others: list[tuple[str, Reroute | None]] = []
    if operand.name == "A":
        others.append(("the global reading of cbsz", inst.rules.global_reading(operand.modifiers)))
    for name, reroute in others:
        yield Mistake(name, rows_of(replace(operand, reroute=reroute)))
    for given in inst.rules.combinations():
        read = inst.operand(operand.name, **asdict(given))
        if given != operand.modifiers:
            yield Mistake(f"read under {given or 'no modifiers'}", rows_of(read))


def _layouts(operand: Operand, others: Iterable[Architecture]) -> Iterator[tuple[str, Layout]]:
    """Yield other layouts that may have been taken for the one of `operand`."""
    layout = operand.layout
    yield from _other_k(layout)
    yield from _swapped(layout)
    seen = [layout]
    for arch in others:
        for inst in arch.values():
            other = inst.operands.get(operand.name)
            if other and _could_be(other.layout, layout) and other.layout not in seen:
                seen.append(other.layout)
                taken = ""
                if other.format.bits != operand.format.bits:
                    taken = f": {other.format.title} rows used for {operand.format.title}"
                yield (
                    f"the layout of {operand.name} of {inst.mnemonic} on {arch.name}{taken}",
                    other.layout,
                )
    yield from _reordered(layout)


def _could_be(other: Layout, layout: Layout) -> bool:
    return other.shape == layout.shape and other.lanes <= layout.lanes


def _swapped(layout: Layout) -> Iterator[tuple[str, Layout]]:
    """Yield the layout with two coordinates of the same size exchanged."""
    for one, two in combinations(layout.coordinates, 2):
        if layout.shape[one] == layout.shape[two] > 1:
            cut = {**layout.coordinates, one: layout.coordinates[two], two: layout.coordinates[one]}
            name = f"{one} and {two} swapped" if "b" in (one, two) else TRANSPOSED
            yield name, replace(layout, coordinates=cut)


def _other_k(layout: Layout) -> Iterator[tuple[str, Layout]]:
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


def _reordered(layout: Layout) -> Iterator[tuple[str, Layout]]:
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


def _bent(operand: Operand) -> Iterator[Mistake]:
    """Yield tables in which one digit is left out, or counted backwards, or a bit is flipped."""
    layout, width = operand.layout, operand.format.bits
    right = layout.table()

    def slots(name: str, change: Callable[[IntArray], IntArray]) -> Mistake:
        rows = change(right.copy())
        rows[:, -1] *= width
        return Mistake(name, rows)

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


def _rows(layout: Layout, width: int) -> IntArray:
    rows = layout.table().copy()
    rows[:, -1] *= width
    return rows
