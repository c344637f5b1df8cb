"""The cells of a matrix: what each of them says, and how large it must be for that."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from layoutgen.figures import words
from layoutgen.figures.canvas import LANE_GROUP
from layoutgen.figures.metrics import text_width
from layoutgen.figures.scene import Cell, Grid, Spot

if TYPE_CHECKING:
    from layoutgen.figures.runs import Runs
    from layoutgen.model import Operand

CellText: TypeAlias = Literal["register", "lane", "both"]
Row: TypeAlias = Sequence[int]
"""A row of :meth:`Operand.table`: b, row, column of the matrix, lane, register, bit, width."""

Placed: TypeAlias = tuple[float, float, Row]
"""A row of the table with the corner of its cell."""

NUMBER = 10.5
NAME = 9.5
MARGIN = 2
"""Room between a label and the edge of its cell."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What cells say and how large they are; `text` tells which of lane and register they show."""

    text: CellText
    width: float
    height: float
    spots: tuple[Spot, ...]
    labels: Callable[[Row], tuple[str, ...]]


def plan(
    operand: Operand, rows: Sequence[Row], text: CellText, room: float, least: float = 18
) -> Plan:
    """Return the plan for `text` in cells that are `least` to `room` pixels wide.

    With both, the lane stands beside the register, or above it where they do not fit.
    """
    prefix = words.letter(operand)

    def name(row: Row) -> str:
        return words.register(row[-3], row[-2], row[-1], prefix)

    def number(row: Row) -> str:
        return str(row[-3]) if row[-1] == words.REGISTER_BITS else name(row)

    names = _widest(map(name, rows), NAME)
    lanes = _widest((str(row[-4]) for row in rows), NUMBER)
    single = (Spot(0, 12.5, NUMBER),)
    if text == "lane":
        return _plan(text, lanes, least, 17, single, lambda row: (str(row[-4]),))
    if text == "register":
        wide = _widest(map(number, rows), NUMBER)
        return _plan(text, wide, least, 17, single, lambda row: (number(row),))

    def both(row: Row) -> tuple[str, ...]:
        return str(row[-4]), name(row)

    width = _whole(max(least, lanes + names + 4 * MARGIN + 6))
    if width <= room:
        spots = (
            Spot(_whole(2 * MARGIN + lanes / 2), 12.5, NUMBER),
            Spot(_whole(width - 2 * MARGIN - names / 2), 12.5, NAME),
        )
        return Plan(text, width, 17, spots, both)
    stacked = (Spot(0, 12, 11), Spot(0, 23, NAME))
    inner = max(names, lanes)
    ample = min(inner + 2 * MARGIN, max(room - 2 * MARGIN, inner))
    return _plan(text, ample, least, 28, stacked, both)


def fits_both(operand: Operand, rows: Sequence[Row], room: float) -> bool:
    """Tell whether lane and register fit in cells of `room` pixels, one above the other."""
    return plan(operand, rows, "both", 0).width <= room


def width_of_bits(operand: Operand, rows: Sequence[Row]) -> float:
    """Return how wide columns must be for the bits above them, where elements in a row share
    a register; else 0.
    """
    if len(rows) < 2 or rows[0][-4:-2] != rows[1][-4:-2]:
        return 0
    names = (words.bits(row[-3], row[-2], row[-1], "").partition("[")[2] for row in rows)
    return _widest(names, NAME) + 7


def title(runs: Runs, row: Row) -> str:
    """Return what a cell's title says: lane, register with bits, coordinates, block."""
    _, one, other = runs.operand.columns[:3]
    where = words.bits(row[-3], row[-2], row[-1], words.letter(runs.operand))
    at = f"{one} {runs.label(one, row[1])} {other} {runs.label(other, row[2])}"
    return f"lane {row[-4]}, {where}, {at} block {row[0]}"


def grid(runs: Runs, plan: Plan, placed: Sequence[Placed]) -> Grid:
    """Return the cells for rows of the table of `runs` that stand at (x, y)."""
    cells = tuple(
        Cell(x, y, row[-4] // LANE_GROUP, plan.labels(row), runs.values(row), title(runs, row))
        for x, y, row in placed
    )
    facts = [("operand", runs.operand.name)]
    if runs.count > 1:
        facts.append(("run", str(runs.count)))
    return Grid(runs.operand.columns, plan.width, plan.height, plan.spots, cells, tuple(facts))


def _plan(
    text: CellText,
    inner: float,
    least: float,
    height: float,
    spots: tuple[Spot, ...],
    labels: Callable[[Row], tuple[str, ...]],
) -> Plan:
    width = _whole(max(least, inner + 2 * MARGIN))
    centred = tuple(spot._replace(x=width / 2) for spot in spots)
    return Plan(text, width, height, centred, labels)


def _widest(labels: Iterable[str], size: float) -> float:
    return max(text_width(label, size) for label in set(labels))


def _whole(width: float) -> int:
    return int(width + 0.999)
