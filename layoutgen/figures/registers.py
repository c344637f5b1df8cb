"""The register-file view: lanes across, registers down, and in each cell the element it holds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from layoutgen.figures import words
from layoutgen.figures.canvas import LANE_GROUP, PADDING, SMALL, TINY, WIDTH, Canvas
from layoutgen.figures.cells import Row, title
from layoutgen.figures.margins import DROP
from layoutgen.figures.metrics import text_width
from layoutgen.figures.runs import Runs
from layoutgen.figures.scene import Cell, Grid, Spot

if TYPE_CHECKING:
    from layoutgen.figures.scene import Scene
    from layoutgen.model import Operand

NARROWEST, AMPLE, HEIGHT = 13, 18, 17
"""Widths of a cell where room is short and where it is not, and the height of a row."""

MARGIN = 3.5
"""Least room between a label and the edge of its cell."""

NUMBER = 10.5
HEAD = 9
GROUP_GAP = 2
BLOCK_GAP = 18
ROOM = PADDING + WIDTH
"""How far to the right lanes may reach."""


@dataclass(frozen=True)
class RegisterFile:
    """The slots of an operand, and which coordinates follow from the lane or the item alone."""

    operand: Operand

    @cached_property
    def slots(self) -> Mapping[tuple[int, int], list[Row]]:
        """The elements of each (lane, item); several where a broadcast reads a slot often."""
        found: dict[tuple[int, int], list[Row]] = {}
        for row in self.operand.table().tolist():
            item = (row[-3] * words.REGISTER_BITS + row[-2]) // row[-1]
            found.setdefault((row[-4], item), []).append(row)
        return found

    @cached_property
    def coordinates(self) -> tuple[str, ...]:
        """Coordinates that take more than one value."""
        return tuple(name for name, size in self.operand.layout.shape.items() if size > 1)

    @cached_property
    def of_lane(self) -> dict[str, dict[int, int]]:
        """Coordinates that follow from the lane alone, with their values by lane."""
        return self._following(0)

    @cached_property
    def of_item(self) -> dict[str, dict[int, int]]:
        """Coordinates that follow from the item alone, with their values by item."""
        return {n: v for n, v in self._following(1).items() if n not in self.of_lane}

    @cached_property
    def in_cells(self) -> tuple[str, ...]:
        """Coordinates that cells say: what follows from neither, or the last of those that do."""
        free = [n for n in self.coordinates if n not in self.of_lane and n not in self.of_item]
        named = [n for n in (*self.of_item, *reversed(self.of_lane)) if n != "b"]
        return tuple(free or named[:1] or self.operand.columns[1:2])

    @cached_property
    def above(self) -> tuple[str, ...]:
        """Coordinates that stand above each lane."""
        return tuple(name for name in self.of_lane if name not in self.in_cells)

    def label(self, rows: Sequence[Row]) -> str:
        """Return what the cell of a slot with these elements says."""
        return ",".join(_values(row[self._index(name)] for row in rows) for name in self.in_cells)

    def name(self, item: int) -> str:
        """Return an item's register, with bits where it is packed, and what follows from it."""
        width = self.operand.format.bits
        start = item * width
        number, bit = divmod(start, words.REGISTER_BITS)
        shown = [name for name in self.of_item if name != "b" and name not in self.in_cells]
        follows = "".join(f" {name} {self.of_item[name].get(item, '')}" for name in shown)
        return words.register(number, bit, width, words.letter(self.operand)) + follows

    def _following(self, part: int) -> dict[str, dict[int, int]]:
        found: dict[str, dict[int, int]] = {}
        for name in self.coordinates:
            index = self._index(name)
            values: dict[int, set[int]] = {}
            for slot, rows in self.slots.items():
                values.setdefault(slot[part], set()).update(row[index] for row in rows)
            if all(len(several) == 1 for several in values.values()):
                found[name] = {at: several.pop() for at, several in values.items()}
        return found

    def _index(self, name: str) -> int:
        return self.operand.columns.index(name)


def registers(operand: Operand, heading: str, *, notes: Sequence[str] = ()) -> Scene:
    """Return the register-file view of all blocks of `operand`; empty slots are not read.

    `notes` are sentences for the end.
    """
    view = RegisterFile(operand)
    canvas = Canvas()
    # With modifiers, the inverse formulas tell what a register holds, not who reads it.
    inverse = [", ".join(words.inverse(operand, view.coordinates))]
    rule = words.formulas(operand) if operand.reroute else inverse
    canvas.heading(heading, [words.held(operand), *rule])
    canvas.legend(operand.layout.lanes)
    canvas.y += 12
    _draw(canvas, view)
    canvas.y += 10
    canvas.paragraph([" ".join([_notes(view), *notes])], 11)
    return canvas.scene(heading, " ".join([_description(view), words.rule(operand), *notes]))


def _draw(canvas: Canvas, view: RegisterFile) -> None:
    """Draw the lanes, in as many parts, one below the other, as the width of a page asks for."""
    labels = {slot: view.label(rows) for slot, rows in view.slots.items()}
    width = _cell_width(labels.values())
    heads = ["lane", *view.above]
    names = [view.name(item) for item in range(view.operand.layout.items)]
    left = PADDING + max(_widest(names, TINY), _widest(heads, TINY)) + 4
    each = view.operand.layout.lanes
    while each > LANE_GROUP and left + each * (width + GROUP_GAP / LANE_GROUP) > ROOM:
        each //= 2
        width = max(width, AMPLE)
    spot = Spot((width - 1) / 2, 12, NUMBER)
    for part, first in enumerate(range(0, view.operand.layout.lanes, each)):
        canvas.y += 8 if first else 0
        at = {first + n: left + n * width + n // LANE_GROUP * GROUP_GAP for n in range(each)}
        _heads(
            canvas, view, heads, left - 3.5, {lane: x + width / 2 - 0.5 for lane, x in at.items()}
        )
        cells = tuple(_part(canvas, view, labels, width, left - 3.5, at))
        facts = [("operand", view.operand.name)]
        if each < view.operand.layout.lanes:
            facts.append(("part", str(part)))
        columns, high = view.operand.columns, HEIGHT - 1
        canvas.reach(max(at.values()) + width - 1)
        if cells:  # else nothing of this part is read
            canvas.grid(Grid(columns, width - 1, high, (spot,), cells, tuple(facts)))


def _part(
    canvas: Canvas,
    view: RegisterFile,
    labels: Mapping[tuple[int, int], str],
    width: float,
    right: float,
    at: Mapping[int, float],
) -> list[Cell]:
    """Draw the registers of some lanes, which stand `at` their places, and return the cells."""
    cells: list[Cell] = []
    for item in range(view.operand.layout.items):
        if _starts_block(view, item):
            canvas.y += BLOCK_GAP
            block = f"block {view.of_item['b'][item]}"
            canvas.text(PADDING, canvas.y - 5, block, SMALL, tone="strong")
        middle = canvas.y + HEIGHT / 2 + DROP - 0.5
        canvas.text(right, middle, view.name(item), TINY, "end", "soft")
        for lane, x in at.items():
            if rows := view.slots.get((lane, item)):
                cells += _cells(view, rows, labels[lane, item], x, canvas.y)
            else:
                canvas.frame(x, canvas.y, width - 1, HEIGHT - 1, "rule")
        canvas.y += HEIGHT
    return cells


def _cell_width(labels: Iterable[str]) -> int:
    widest = _widest(labels, NUMBER)
    return max(NARROWEST, int(widest + 2 * MARGIN))


def _cells(view: RegisterFile, rows: Sequence[Row], label: str, x: float, y: float) -> list[Cell]:
    """Return one cell for each element of a slot; the last one, which is on top, is labelled."""
    return [
        Cell(
            x,
            y,
            row[-4] // LANE_GROUP,
            (label if row is rows[-1] else "",),
            tuple(row),
            title(Runs(view.operand), row),
        )
        for row in rows
    ]


def _heads(
    canvas: Canvas,
    view: RegisterFile,
    heads: Sequence[str],
    right: float,
    centres: Mapping[int, float],
) -> None:
    """Write the number of each lane, and below it the coordinates that follow from the lane."""
    for head in heads:
        canvas.y += 12
        canvas.text(right, canvas.y - 3, head, TINY, "end", "soft")
        for lane, x in centres.items():
            value = lane if head == "lane" else view.of_lane[head].get(lane)
            if value is not None:
                canvas.text(x, canvas.y - 3, str(value), HEAD, "middle", "soft")


def _starts_block(view: RegisterFile, item: int) -> bool:
    blocks = view.of_item.get("b")
    return blocks is not None and (item == 0 or blocks.get(item) != blocks.get(item - 1))


def _notes(view: RegisterFile) -> str:
    what = words.listing(words.axis(name) for name in view.in_cells)
    if view.operand.reroute:
        return f"A cell gives {what} of the elements that are read from it. Empty: not read."
    held = f"A cell gives {what} of the element that the register of this lane holds"
    if not view.above:
        return f"{held}."
    stands = "stands" if len(view.above) == 1 else "stand"
    return f"{held}; {words.listing(map(words.axis, view.above))} {stands} above it."


def _description(view: RegisterFile) -> str:
    operand = view.operand
    return (
        f"{words.held(operand)}. The register file: {operand.layout.lanes} lanes across, the "
        f"{words.register_kind(operand)}s of the operand down. {_notes(view)}"
    )


def _values(values: Iterable[int]) -> str:
    found = sorted(set(values))
    if len(found) > 1 and found[-1] - found[0] == len(found) - 1:
        return words.span(range(found[0], found[-1] + 1))
    return "|".join(map(str, found[:2])) + ("…" if len(found) > 2 else "")


def _widest(labels: Iterable[str], size: float) -> float:
    return max(text_width(label, size) for label in set(labels))
