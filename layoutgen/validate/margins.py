"""Texts round the cells of a figure: axes, bands and names of blocks must fit the cells beside.

Texts of one kind in one line make a series.  A series stands for one quantity of the cells (a
coordinate, the lane, the register, …): the one that most of its texts agree with.  A text of the
series that does not agree with the cells it stands beside is a finding.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from layoutgen.validate.artefacts.svg import Cell, FigureFile, Text
from layoutgen.validate.words import Unreadable, register, span

Values: TypeAlias = frozenset[int | tuple[int, int, int]]

_NAMED = {"block": "b", "b": "b", "abid": "abid", "lanes": "lane", "lane": "lane"}
_BASELINE = 3.5
"""How far below the middle of a row the baseline of its text stands."""
_NEAR = 2.6
_FAR = 80
"""A text this far above a panel does not belong to it."""
_DERIVED = ("lane of 16", "lanes of b", "place", "whole register")


class Panel:
    """Cells that stand together: one operand, block and reading."""

    def __init__(self, cells: tuple[Cell, ...], blocks: int) -> None:
        """Sort the cells into columns and rows."""
        self.cells = cells
        self.blocks = blocks
        self.left = min(cell.x for cell in cells)
        self.right = max(cell.x + cell.width for cell in cells)
        self.top = min(cell.y for cell in cells)
        self.bottom = max(cell.y + cell.height for cell in cells)
        self.names = {name for name in cells[0].data if cells[0].number(name) is not None}
        self._lines: dict[str, dict[float, list[Cell]]] = {
            "x": defaultdict(list),
            "y": defaultdict(list),
        }
        for cell in cells:
            for axis, place in zip("xy", cell.middle, strict=True):
                self._lines[axis][round(place, 1)].append(cell)
        self.places = {axis: sorted(lines) for axis, lines in self._lines.items()}
        self._values: dict[tuple[str, int, str], Values] = {}

    def has_column(self, x: float) -> bool:
        """Tell whether a column stands at `x`."""
        return any(abs(place - x) <= _NEAR for place in self.places["x"])

    def groups(self, axis: str, at: float) -> tuple[range, ...]:
        """Return runs of neighbouring columns (or rows) whose middle is `at`, small ones first."""
        places = self.places[axis]
        found = []
        for first, start in enumerate(places):
            wanted = 2 * at - start
            last = bisect_left(places, wanted - 2 * _NEAR)
            if first <= last < len(places) and abs(places[last] - wanted) <= 2 * _NEAR:
                found.append(range(first, last + 1))
        return tuple(sorted(found, key=len))

    def values(self, axis: str, lines: range, quantity: str) -> Values:
        """Return the values of a quantity in some columns (or rows)."""
        return frozenset().union(*(self._of_line(axis, line, quantity) for line in lines))

    def _of_line(self, axis: str, line: int, quantity: str) -> Values:
        key = (axis, line, quantity)
        if key not in self._values:
            cells = self._lines[axis][self.places[axis][line]]
            self._values[key] = frozenset(v for c in cells for v in self._of_cell(c, quantity))
        return self._values[key]

    def _of_cell(self, cell: Cell, quantity: str) -> Iterator[int | tuple[int, int, int]]:
        match quantity:
            case "lane of 16":
                yield (cell.number("lane") or 0) % 16
            case "lanes of b":
                lanes = 64 // self.blocks
                first = lanes * (cell.number("b") or 0)
                yield from range(first, first + lanes)
            case "place":
                found = tuple(cell.number(name) for name in ("register", "bit", "width"))
                register, bit, width = found
                if register is not None and bit is not None and width is not None:
                    yield register, bit, width * (cell.number("run") or 1)
            case "whole register":
                if (number := cell.number("register")) is not None:
                    yield number, 0, 32
            case _:
                if (number := cell.number(quantity)) is not None:
                    yield number


@dataclass(frozen=True)
class Beside:
    """A text with what it says, and the columns or rows of a panel that it may stand for."""

    text: Text
    said: Values
    name: str
    panel: Panel
    axis: str
    groups: tuple[range, ...]

    def fits(self, quantity: str) -> bool:
        """Tell whether one of the groups has what the text says."""
        return any(self.values(group, quantity) == self.said for group in self.groups)

    def values(self, group: range, quantity: str) -> Values:
        """Return what a group has."""
        return self.panel.values(self.axis, group, quantity)


def check(figure: FigureFile) -> tuple[int, list[tuple[str, str, str]]]:
    """Return how many texts were held against cells, and those that do not fit.

    A misfit is the text with its place, what it says, and what the cells have.
    """
    panels = list(_panels(figure.cells))
    series: dict[tuple[str, str, int, str, int], list[Beside]] = defaultdict(list)
    for text in figure.texts:
        if (parsed := _parsed(text.text)) is None:
            continue
        kind, name, said = parsed
        if (placed := _placed(text, panels)) is not None:
            panel, axis, groups, line = placed
            one = Beside(text, said, name, panel, axis, groups)
            series[kind + name, axis, round(line), text.anchor, id(panel)].append(one)
    checked, misfits = 0, []
    for members in series.values():
        quantity = _quantity(members)
        for one in members:
            checked += 1
            if not one.fits(quantity):
                place = f"text '{one.text.text}' at {one.text.x:g}, {one.text.y:g}"
                has = _shown(one.values(one.groups[0], quantity))
                along = "column" if one.axis == "x" else "row"
                misfits.append(
                    (place, f"says {one.text.text}", f"the {along} has {quantity} {has}")
                )
    return checked, misfits


def _panels(cells: tuple[Cell, ...]) -> Iterator[Panel]:
    """Panels are cells of one operand, part and block, or, for a broadcast, of one reading."""
    found: dict[tuple[str, ...], list[Cell]] = defaultdict(list)
    for cell in cells:
        operand, reading = cell.data.get("operand", ""), cell.data.get("reading", "")
        block = "" if "abid" in cell.data else cell.data.get("b", "")
        found[operand, reading, cell.data.get("part", ""), block].append(cell)
    for members in found.values():
        blocks = len({cell.data.get("b") for cell in members})
        yield Panel(tuple(members), blocks)


def _parsed(text: str) -> tuple[str, str, Values] | None:
    """Kind, named quantity and values of a text; None for one that is no margin text."""
    text = text.strip()
    word, _, rest = text.rpartition(" ")
    if word in _NAMED:
        try:
            return "named ", _NAMED[word], frozenset(span(rest))
        except Unreadable:
            return None
    if match := re.fullmatch(r"\+(\d+)", text):
        return "number", "", frozenset({int(match[1])})
    if text.isdigit():
        return "number", "", frozenset({int(text)})
    try:
        if re.match(r"[va][\d\[]", text) and "–" not in text:
            return "register", "", frozenset({register(text)})
        if re.fullmatch(r"[va]?\d+–[va]?\d+", text):
            return "range" + text[0] * (text[0] in "va"), "", frozenset(span(text))
    except Unreadable:
        return None
    return None


def _placed(text: Text, panels: list[Panel]) -> tuple[Panel, str, tuple[range, ...], float] | None:
    """Where a text stands: above columns (axis x) or beside rows (axis y) of the nearest panel."""
    middle = text.y - _BASELINE
    above = [p for p in panels if p.left - 2 <= text.x <= p.right + 2 and middle <= p.top]
    if text.anchor == "middle" and above:
        panel = min(above, key=lambda p: (p.top - middle, not p.has_column(text.x), p.left))
        groups = panel.groups("x", text.x)
        if groups and panel.top - middle < _FAR:
            return panel, "x", groups, text.y
    beside = [p for p in panels if p.top <= middle <= p.bottom and not p.left < text.x < p.right]
    if beside:
        panel = min(beside, key=lambda p: min(abs(text.x - p.left), abs(text.x - p.right)))
        groups = panel.groups("y", middle)
        if groups:
            return panel, "y", groups, text.x
    return None


def _quantity(members: list[Beside]) -> str:
    """The quantity of the cells that most texts of a series agree with."""
    if members[0].name:
        return members[0].name
    names = sorted({*_DERIVED, *(name for one in members for name in one.panel.names)})
    votes = {name: sum(one.fits(name) for one in members) for name in names}
    best = [name for name in names if votes[name] == max(votes.values())]
    # Among equals, the one that varies most: a constant fits by chance.
    spread = {
        name: len({v for one in members for v in one.values(one.groups[0], name)}) for name in best
    }
    return max(best, key=lambda name: spread[name])


def _shown(values: Values) -> str:
    plain = sorted(v if isinstance(v, int) else v[0] for v in values)
    if len(plain) > 4:
        return f"{plain[0]} to {plain[-1]}"
    return ", ".join(map(str, plain)) or "nothing"
