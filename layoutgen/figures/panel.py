"""One block of an operand as a matrix: cells, axes, and what its rows and columns share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import TYPE_CHECKING

from layoutgen.figures import words
from layoutgen.figures.canvas import SMALL, TINY, Canvas
from layoutgen.figures.cells import Placed, Plan, Row, grid
from layoutgen.figures.metrics import text_width
from layoutgen.tables.bands import Band, BandTable

if TYPE_CHECKING:
    from layoutgen.model import Operand

GAP = 1
BAND_GAP = 4
LINE = 14


@dataclass(frozen=True)
class Panel:
    """One block: its rows of the table, its merged bands, and how cells are written."""

    operand: Operand
    block: int
    rows: Sequence[Row]
    bands: tuple[Band, ...]
    listed: str
    plan: Plan
    titled: bool

    @property
    def down(self) -> str:
        """Name of the coordinate that runs down."""
        return self.operand.columns[1]

    @property
    def across(self) -> str:
        """Name of the coordinate that runs across."""
        return self.operand.columns[2]

    @cached_property
    def slots(self) -> dict[tuple[int, int], tuple[int, int]]:
        """Lane and first register of each cell (of the last copy, where there are copies)."""
        return {(row[1], row[2]): (row[-4], row[-3]) for row in self.rows}

    @cached_property
    def packed(self) -> str | None:
        """The coordinate along which elements share a register, or None."""
        if self.slots.get((0, 0)) == self.slots.get((0, 1), ()):
            return self.across
        return self.down if self.slots.get((0, 0)) == self.slots.get((1, 0), ()) else None

    @cached_property
    def banded(self) -> bool:
        """Whether the bands are few enough, and each of all lanes across, to be written."""
        size = self.operand.layout.shape[self.listed]
        return len(self.bands) <= size and len({b.listed[0] for b in self.bands}) == len(self.bands)

    def offsets(self, name: str) -> list[float]:
        """Return where each row (or column) starts, and where the last one ends."""
        pitch = (self.plan.height if name == self.down else self.copies_width) + GAP
        edges = {b.listed[0] for b in self.bands} if self.banded and name == self.listed else set()
        if self.packed == name:
            edges = edges | {n for n in range(1, self._size(name)) if not self._shared(name, n)}
        elif self.packed:
            edges = set(range(self._size(name)))
        at = [0.0]
        for n in range(1, self._size(name)):
            at.append(at[-1] + pitch + (BAND_GAP - GAP if n in edges else 0))
        return [*at, at[-1] + pitch - GAP]

    @property
    def copies_width(self) -> float:
        """Width of all copies of an element, side by side."""
        copies = len(self.operand.layout.copies)
        return copies * (self.plan.width + GAP) - GAP

    @cached_property
    def xs(self) -> list[float]:
        """Where columns start; the last one is the width of the matrix."""
        return self.offsets(self.across)

    @cached_property
    def ys(self) -> list[float]:
        """Where rows start; the last one is the height of the matrix."""
        return self.offsets(self.down)

    def _size(self, name: str) -> int:
        return self.operand.layout.shape[name]

    def _shared(self, name: str, n: int) -> bool:
        if name == self.down:
            return self.slots[n, 0] == self.slots[n - 1, 0]
        return self.slots[0, n] == self.slots[0, n - 1]

    # What rows or columns share

    def registers_along(self, name: str) -> list[str] | None:
        """Return the register of each row (or column), or None where it is not one each."""
        index = 1 if name == self.down else 2
        found: dict[int, set[str]] = {}
        for row in self.rows:
            register = words.register(row[-3], row[-2], row[-1], words.letter(self.operand))
            found.setdefault(row[index], set()).add(register)
        if any(len(registers) > 1 for registers in found.values()):
            return None
        return [found[n].pop() for n in range(self._size(name))]

    @cached_property
    def row_registers(self) -> list[str] | None:
        """Register of each row, where cells do not say it and the row shares it."""
        return None if self.plan.text != "lane" else self.registers_along(self.down)

    @cached_property
    def column_registers(self) -> list[str] | None:
        """Register of each column, likewise."""
        if self.plan.text != "lane" or self.row_registers:
            return None
        return self.registers_along(self.across)

    # Margins

    @cached_property
    def left(self) -> float:
        """Room for the ticks and the axis' name."""
        corner = [f"{words.axis(self.down)} ↓"]
        if self._bands_above:
            corner.append("lanes")
        if self.column_registers:
            corner.append("register")
        room = max(text_width(text, TINY) for text in corner)
        if self.titled:
            room = max(room, text_width(f"block {self.block}", SMALL, bold=True))
        return room + 8

    @cached_property
    def top(self) -> float:
        """Room for the axis' name, bands, registers and ticks."""
        header = self._column_lines() if self.column_registers else 0
        return LINE * (2 + header) + (LINE + 6 if self._bands_above else 0)

    @cached_property
    def right(self) -> float:
        """Room for the registers and the bands of rows."""
        room = 0.0
        if self.row_registers:
            room += 10 + max(text_width(t, TINY) for t in [*self.row_registers, "register"])
        if self._bands_beside:
            room += 14 + max(text_width(t, SMALL) for t in [*self._spans(), "lanes"])
            if self._band_registers:
                texts = [*self._band_registers, "registers"]
                room += 12 + max(text_width(t, SMALL) for t in texts)
        return room

    @property
    def width(self) -> float:
        """Width with the margins."""
        return self.left + self.xs[-1] + self.right

    @property
    def height(self) -> float:
        """Height with the margins."""
        return self.top + self.ys[-1]

    @property
    def _bands_above(self) -> bool:
        return self.banded and self.listed == self.across

    @property
    def _bands_beside(self) -> bool:
        return self.banded and self.listed == self.down

    def _spans(self) -> list[str]:
        return [words.span(band.lanes) for band in self.bands]

    @property
    def _band_registers(self) -> list[str]:
        if self.row_registers or self.plan.text == "both":
            return []
        return [words.span(b.registers, words.letter(self.operand)) for b in self.bands]

    def _column_lines(self) -> int:
        return 2 if any("[" in r for r in self.column_registers or ()) else 1

    # Drawing

    def draw(self, canvas: Canvas, x: float, y: float) -> None:
        """Draw the panel with its top left corner at (x, y)."""
        left, top = x + self.left, y + self.top
        self.draw_cells(canvas, left, top)
        self._ticks(canvas, left, top)
        if self._bands_above:
            self._above(canvas, left, top)
        self._beside(canvas, left, top)
        if self.titled:
            canvas.text(x, y + 10, f"block {self.block}", SMALL, tone="strong")
        canvas.reach(x + self.width)

    def draw_cells(self, canvas: Canvas, left: float, top: float) -> None:
        """Draw the cells, and an outline round those that share a register."""
        seen: dict[tuple[int, int], int] = {}
        placed = []
        for row in self.rows:
            copy = seen[row[1], row[2]] = seen.get((row[1], row[2]), -1) + 1
            shift = copy * (self.plan.width + GAP)
            placed.append((left + self.xs[row[2]] + shift, top + self.ys[row[1]], row))
        canvas.grid(grid(self.operand, self.plan, placed))
        if self.packed:
            self._outlines(canvas, placed)

    def _outlines(self, canvas: Canvas, placed: Sequence[Placed]) -> None:
        along, other = (2, 1) if self.packed == self.across else (1, 2)
        ordered = sorted(placed, key=lambda p: (p[2][other], p[2][-4], p[2][along]))
        for _, group in groupby(ordered, key=lambda p: (p[2][other], p[2][-4], p[2][-3])):
            (left, top, _), *_, (right, bottom, _) = shared = list(group)
            if len(shared) > 1:
                wide, high = right - left + self.plan.width, bottom - top + self.plan.height
                canvas.frame(left, top, wide, high, "outline")

    def _ticks(self, canvas: Canvas, left: float, top: float) -> None:
        centre = self.copies_width / 2
        for n, x in enumerate(self.xs[:-1]):
            canvas.text(left + x + centre, top - 4, str(n), TINY, "middle", "soft")
        middle = self.plan.height / 2 + 3.5
        for n, y in enumerate(self.ys[:-1]):
            canvas.text(left - 6, top + y + middle, str(n), TINY, "end", "soft")
        canvas.text(left - 6, top - 4, f"{words.axis(self.down)} ↓", TINY, "end", "soft")
        canvas.text(left, top - self.top + 10, f"{words.axis(self.across)} →", TINY, tone="soft")

    def _above(self, canvas: Canvas, left: float, top: float) -> None:
        y = top - LINE
        if self.column_registers:
            y -= LINE * self._column_lines()
        canvas.text(left - 6, y - 8, "lanes", TINY, "end", "soft")
        for band in self.bands:
            start = left + self.xs[band.listed[0]]
            stop = left + self.xs[band.listed[-1]] + self.copies_width
            canvas.bracket_above(y - 1, start, stop)
            canvas.text((start + stop) / 2, y - 8, words.span(band.lanes), TINY, "middle")

    def _beside(self, canvas: Canvas, left: float, top: float) -> None:
        x = left + self.xs[-1] + 6
        middle = self.plan.height / 2 + 3.5
        if self.row_registers:
            canvas.text(x, top - 4, "register", TINY, tone="soft")
            for name, y in zip(self.row_registers, self.ys[:-1], strict=True):
                canvas.text(x, top + y + middle, name, TINY)
            x += 10 + max(text_width(t, TINY) for t in [*self.row_registers, "register"])
        if self.column_registers:
            self._column_headers(canvas, left, top, self.column_registers)
        if self._bands_beside:
            self._row_bands(canvas, x, top)

    def _row_bands(self, canvas: Canvas, x: float, top: float) -> None:
        second = x + 20 + max(text_width(t, SMALL) for t in [*self._spans(), "lanes"])
        canvas.text(x + 8, top - 4, "lanes", TINY, tone="soft")
        if self._band_registers:
            canvas.text(second, top - 4, "registers", TINY, tone="soft")
        for n, band in enumerate(self.bands):
            start = top + self.ys[band.listed[0]]
            stop = top + self.ys[band.listed[-1]] + self.plan.height
            canvas.bracket_right(x - 1, start, stop)
            middle = (start + stop) / 2 + 3.5
            canvas.text(x + 8, middle, words.span(band.lanes), SMALL)
            if self._band_registers:
                canvas.text(second, middle, self._band_registers[n], SMALL)

    def _column_headers(
        self, canvas: Canvas, left: float, top: float, names: Sequence[str]
    ) -> None:
        y = top - 4 - LINE
        lines = self._column_lines()
        canvas.text(left - 6, y - LINE * (lines - 1), "register", TINY, "end", "soft")
        for name, x in zip(names, self.xs[:-1], strict=True):
            head, bracket, tail = name.partition("[")
            parts = [head, bracket + tail][:lines]
            for n, part in enumerate(reversed(parts)):
                centre = left + x + self.copies_width / 2
                canvas.text(centre, y - n * LINE, part, TINY, "middle")


def panels(
    operand: Operand, blocks: Sequence[int], plan: Plan, table: BandTable, rows: Sequence[Row]
) -> list[Panel]:
    """Return a panel for each of `blocks`."""
    by_block: dict[int, list[Row]] = {block: [] for block in blocks}
    for row in rows:
        if row[0] in by_block:
            by_block[row[0]].append(row)
    titled = operand.layout.shape["b"] > 1
    return [
        Panel(operand, b, found, table.of_block(b), table.listed, plan, titled)
        for b, found in by_block.items()
    ]


def arranged(count: int, width: float, room: float, gap: float) -> int:
    """Return how many panels of one size stand side by side, so that rows are evenly filled."""
    fit = max(1, int((room + gap) // (width + gap)))
    return -(-count // -(-count // fit))
