"""One block of an operand as a matrix of cells: where they stand, and what they share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import TYPE_CHECKING

from layoutgen.figures import words
from layoutgen.figures.cells import Placed, Plan, Row, grid

if TYPE_CHECKING:
    from layoutgen.figures.canvas import Canvas
    from layoutgen.figures.runs import Runs
    from layoutgen.model import Operand
    from layoutgen.tables.bands import Band, BandTable

GAP = 1
WIDE_GAP = 4
"""Between cells: as a rule, and where a band or a register ends."""


@dataclass(frozen=True)
class Panel:
    """One block: its rows of the table, its merged bands, and how its cells are written."""

    runs: Runs
    block: int
    rows: Sequence[Row]
    bands: tuple[Band, ...]
    listed: str
    plan: Plan
    shared_rows: tuple[float, ...] = ()
    shared_columns: tuple[float, ...] = ()
    """Where rows and columns start that must line up with those of another panel."""

    @property
    def operand(self) -> Operand:
        """The operand that is shown: its elements are the cells."""
        return self.runs.operand

    @property
    def down(self) -> str:
        """Name of the coordinate that runs down."""
        return self.operand.columns[1]

    @property
    def across(self) -> str:
        """Name of the coordinate that runs across."""
        return self.operand.columns[2]

    def size(self, name: str) -> int:
        """Return how many rows (or columns) there are."""
        return self.operand.layout.shape[name]

    def tick(self, name: str, n: int) -> str:
        """Return what stands at a row (or column): its number, or that of the first in a run."""
        return str(n * self.runs.count if name == self.runs.along else n)

    def axis(self, name: str, *, short: bool = False) -> str:
        """Return the name of a coordinate, with what it counts, and of what its ticks are."""
        first = f", first of {self.runs.count}" if name == self.runs.along else ""
        return f"{name if short else words.axis(name)}{first}"

    @cached_property
    def packed(self) -> str | None:
        """The coordinate along which elements share a register, or None."""
        slots = self._slots
        if slots[0, 0] == slots.get((0, 1)):
            return self.across
        return self.down if slots[0, 0] == slots.get((1, 0)) else None

    @cached_property
    def banded(self) -> bool:
        """Whether each band is a range of whole rows (or columns), so that margins can say it."""
        starts = [band.listed[0] for band in self.bands]
        return len(set(starts)) == len(starts) and len(starts) <= self.size(self.listed)

    @cached_property
    def xs(self) -> Sequence[float]:
        """Where columns start; the last one is the width of the matrix."""
        return self.shared_columns or self._starts(self.across, self.cell_width)

    @cached_property
    def ys(self) -> Sequence[float]:
        """Where rows start; the last one is the height of the matrix."""
        return self.shared_rows or self._starts(self.down, self.plan.height)

    @property
    def cell_width(self) -> float:
        """Width of all copies of an element, side by side."""
        return len(self.operand.layout.copies) * (self.plan.width + GAP) - GAP

    def registers_along(self, name: str) -> list[str] | None:
        """Return the register of each row (or column), or None where one has several."""
        index = self.operand.columns.index(name)
        found: dict[int, set[str]] = {}
        for row in self.rows:
            register = words.register(row[-3], row[-2], row[-1], words.letter(self.operand))
            found.setdefault(row[index], set()).add(register)
        if any(len(registers) > 1 for registers in found.values()):
            return None
        return [found[n].pop() for n in range(self.size(name))]

    def draw(self, canvas: Canvas, left: float, top: float) -> None:
        """Draw the cells, and an outline round neighbours that share a register."""
        copies: dict[tuple[int, int], int] = {}
        placed: list[Placed] = []
        for row in self.rows:
            copy = copies[row[1], row[2]] = copies.get((row[1], row[2]), -1) + 1
            shift = copy * (self.plan.width + GAP)
            placed.append((left + self.xs[row[2]] + shift, top + self.ys[row[1]], row))
        canvas.grid(grid(self.runs, self.plan, placed))
        if self.packed and not self.shared_rows and not self.shared_columns:
            self._outline(canvas, placed)

    def _outline(self, canvas: Canvas, placed: Sequence[Placed]) -> None:
        along, other = (2, 1) if self.packed == self.across else (1, 2)
        ordered = sorted(placed, key=lambda p: (p[2][other], p[2][-4], p[2][along]))
        neighbours = groupby(
            enumerate(ordered),
            key=lambda p: (p[1][2][other], p[1][2][-4:-2], p[1][2][along] - p[0]),
        )
        for _, group in neighbours:
            (left, top, _), *_, (right, bottom, _) = shared = [one for _, one in group]
            if len(shared) > 1:
                wide, high = right - left + self.plan.width, bottom - top + self.plan.height
                canvas.frame(left, top, wide, high, "outline")

    def _starts(self, name: str, extent: float) -> list[float]:
        edges: set[int] = set()
        if self.banded and name == self.listed:
            edges = {band.listed[0] for band in self.bands}
        if self.packed == name:
            edges |= {n for n in range(1, self.size(name)) if not self._shared(name, n)}
        elif self.packed:
            edges = set(range(self.size(name)))
        at = [0.0]
        for n in range(1, self.size(name)):
            at.append(at[-1] + extent + (WIDE_GAP if n in edges else GAP))
        return [*at, at[-1] + extent]

    @cached_property
    def _slots(self) -> dict[tuple[int, int], tuple[int, int]]:
        """Lane and first register of each cell (of the last copy, where there are copies)."""
        return {(row[1], row[2]): (row[-4], row[-3]) for row in self.rows}

    def _shared(self, name: str, n: int) -> bool:
        here, before = ((n, 0), (n - 1, 0)) if name == self.down else ((0, n), (0, n - 1))
        return self._slots[here] == self._slots[before]


def panels(
    runs: Runs, blocks: Sequence[int], plan: Plan, table: BandTable, rows: Sequence[Row]
) -> list[Panel]:
    """Return a panel for each of `blocks`; `rows` is the whole table of `runs`."""
    by_block: dict[int, list[Row]] = {block: [] for block in blocks}
    for row in rows:
        if row[0] in by_block:
            by_block[row[0]].append(row)
    return [
        Panel(runs, b, found, table.of_block(b), table.listed, plan)
        for b, found in by_block.items()
    ]
