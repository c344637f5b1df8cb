"""What stands round a panel: ticks, names of axes, ranges of lanes, and registers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import TYPE_CHECKING

from layoutgen.figures import words
from layoutgen.figures.canvas import SMALL, TINY, Canvas
from layoutgen.figures.metrics import text_width

if TYPE_CHECKING:
    from layoutgen.figures.panel import Panel

LINE = 14
BETWEEN = 20
DROP = 3.5
"""From the middle of a line of digits down to its baseline."""


@dataclass(frozen=True)
class Margins:
    """A panel with its margins.  `small` panels say the names of their axes in the corner."""

    panel: Panel
    titled: bool
    small: bool

    @cached_property
    def row_registers(self) -> list[str] | None:
        """Register of each row, where cells do not say it and the row has one."""
        panel = self.panel
        return panel.registers_along(panel.down) if panel.plan.text == "lane" else None

    @cached_property
    def column_registers(self) -> list[str] | None:
        """Register of each column, likewise."""
        panel = self.panel
        if panel.plan.text != "lane" or self.row_registers:
            return None
        return panel.registers_along(panel.across)

    @property
    def above(self) -> bool:
        """Whether bands of columns stand above."""
        panel = self.panel
        return panel.banded and panel.listed == panel.across and not self._in_title

    @property
    def beside(self) -> bool:
        """Whether bands of rows stand to the right."""
        panel = self.panel
        return panel.banded and panel.listed == panel.down and not self._in_title

    @property
    def _in_title(self) -> bool:
        return self.small and len(self.panel.bands) == 1

    @property
    def title(self) -> str:
        """What the panel shows: its block, and the lanes where they are one range."""
        if not self._in_title:
            return f"block {self.panel.block}"
        return f"block {self.panel.block}, {words.lanes(self.panel.bands[0].lanes)}"

    # Sizes

    @cached_property
    def left(self) -> float:
        """Room for ticks and for what heads the lines above."""
        heads = [self._corner, *(["lanes"] if self.above else [])]
        heads += ["register"] if self.column_registers else []
        if self.titled and not self.small:
            return max(_widest(heads, TINY), text_width(self.title, SMALL, bold=True)) + 8
        return _widest(heads, TINY) + 8

    @cached_property
    def top(self) -> float:
        """Room for the title and the name of the axis, bands, registers and ticks."""
        lines = 1 + self._register_lines + (0 if self.small and not self.titled else 1)
        return LINE * lines + (LINE + 6 if self.above else 0) + (2 if self.titled else 0)

    @cached_property
    def right(self) -> float:
        """Room for the registers and the bands of rows."""
        room = 0.0
        if self.row_registers:
            room += 8 + _widest([*self.row_registers, "register"], TINY)
        if self.beside:
            room += 14 + _widest([*self._spans, "lanes"], SMALL)
            if self._band_registers:
                room += 12 + _widest([*self._band_registers, "registers"], SMALL)
        return room

    @property
    def width(self) -> float:
        """Width of everything, or of the title where that is wider."""
        title = text_width(self.title, SMALL, bold=True) if self.titled else 0
        return max(self.left + self.panel.xs[-1] + self.right, title)

    @property
    def height(self) -> float:
        """Height of everything."""
        return self.top + self.panel.ys[-1]

    @property
    def _corner(self) -> str:
        panel = self.panel
        return f"{panel.down}↓ {panel.across}→" if self.small else f"{panel.axis(panel.down)} ↓"

    @property
    def _spans(self) -> list[str]:
        return [words.span(band.lanes) for band in self.panel.bands]

    @property
    def _band_registers(self) -> list[str]:
        if self.row_registers or self.panel.plan.text == "both":
            return []
        prefix = words.letter(self.panel.operand)
        return [words.span(band.registers, prefix) for band in self.panel.bands]

    @property
    def _register_lines(self) -> int:
        if not self.column_registers:
            return 0
        return 2 if any("[" in name for name in self.column_registers) else 1

    # Drawing

    def draw(self, canvas: Canvas, x: float, y: float) -> None:
        """Draw the panel and its margins with their top left corner at (x, y)."""
        left, top = x + self.left, y + self.top
        self.panel.draw(canvas, left, top)
        if self.titled:
            canvas.text(x, y + 10, self.title, SMALL, tone="strong")
        if not self.small:
            name = f"{self.panel.axis(self.panel.across)} →"
            canvas.text(left, y + 10, name, TINY, tone="soft")
        self._ticks(canvas, left, top)
        if self.column_registers:
            self._registers_above(canvas, left, top, self.column_registers)
        if self.above:
            self._bands_above(canvas, left, top)
        self._right(canvas, left + self.panel.xs[-1] + 6, top)

    def _ticks(self, canvas: Canvas, left: float, top: float) -> None:
        panel = self.panel
        for n, x in enumerate(panel.xs[:-1]):
            canvas.text(
                left + x + panel.cell_width / 2,
                top - 4,
                panel.tick(panel.across, n),
                TINY,
                "middle",
                "soft",
            )
        for n, y in enumerate(panel.ys[:-1]):
            middle = top + y + panel.plan.height / 2 + DROP
            canvas.text(left - 6, middle, panel.tick(panel.down, n), TINY, "end", "soft")
        canvas.text(left - 6, top - 4, self._corner, TINY, "end", "soft")

    def _bands_above(self, canvas: Canvas, left: float, top: float) -> None:
        panel = self.panel
        y = top - LINE * (1 + self._register_lines)
        canvas.text(left - 6, y - 8, "lanes", TINY, "end", "soft")
        for band, lanes in zip(panel.bands, self._spans, strict=True):
            start = left + panel.xs[band.listed[0]]
            stop = left + panel.xs[band.listed[-1]] + panel.cell_width
            canvas.bracket_above(y - 1, start, stop)
            canvas.text((start + stop) / 2, y - 8, lanes, TINY, "middle")

    def _registers_above(
        self, canvas: Canvas, left: float, top: float, names: Sequence[str]
    ) -> None:
        """Write the registers over their columns, and the bits of each column below them."""
        panel = self.panel
        y = top - 4 - LINE
        high = y - LINE * (self._register_lines - 1)
        canvas.text(left - 6, high, "register", TINY, "end", "soft")
        for head, columns in register_runs(names):
            first, last = panel.xs[columns[0]], panel.xs[columns[-1]] + panel.cell_width
            canvas.text(left + (first + last) / 2, high, head, TINY, "middle")
        for n, name in enumerate(names):
            if "[" in name:
                centre = left + panel.xs[n] + panel.cell_width / 2
                canvas.text(centre, y, name[name.index("[") :], TINY, "middle")

    def _right(self, canvas: Canvas, x: float, top: float) -> None:
        panel = self.panel
        if self.row_registers:
            canvas.text(x, top - 4, "register", TINY, tone="soft")
            for name, y in zip(self.row_registers, panel.ys[:-1], strict=True):
                canvas.text(x, top + y + panel.plan.height / 2 + DROP, name, TINY)
            x += 8 + _widest([*self.row_registers, "register"], TINY)
        if self.beside:
            self._bands_beside(canvas, x, top)

    def _bands_beside(self, canvas: Canvas, x: float, top: float) -> None:
        panel = self.panel
        second = x + 20 + _widest([*self._spans, "lanes"], SMALL)
        canvas.text(x + 8, top - 4, "lanes", TINY, tone="soft")
        if self._band_registers:
            canvas.text(second, top - 4, "registers", TINY, tone="soft")
        for n, band in enumerate(panel.bands):
            start = top + panel.ys[band.listed[0]]
            stop = top + panel.ys[band.listed[-1]] + panel.plan.height
            canvas.bracket_right(x - 1, start, stop)
            middle = (start + stop) / 2 + DROP
            canvas.text(x + 8, middle, self._spans[n], SMALL)
            if self._band_registers:
                canvas.text(second, middle, self._band_registers[n], SMALL)


def arrangement(found: Sequence[Margins], room: float) -> tuple[int, float]:
    """Return how many panels stand side by side, so that lines are evenly filled, and how wide
    that is.
    """
    wide = max(m.width for m in found)
    fit = max(1, int((room + BETWEEN) // (wide + BETWEEN)))
    each = -(-len(found) // -(-len(found) // fit))
    return each, each * (wide + BETWEEN) - BETWEEN


def arrange(canvas: Canvas, left: float, found: Sequence[Margins], each: int) -> None:
    """Draw panels, `each` of them side by side, below what is there."""
    wide, high = max(m.width for m in found), max(m.height for m in found)
    for n, margins in enumerate(found):
        across, down = n % each * (wide + BETWEEN), n // each * (high + BETWEEN)
        margins.draw(canvas, left + across, canvas.y + down)
    canvas.y += -(-len(found) // each) * (high + BETWEEN) - BETWEEN


def register_runs(names: Sequence[str]) -> list[tuple[str, list[int]]]:
    """Return registers without their bits, each with the columns in a row that it heads."""
    runs = groupby(range(len(names)), key=lambda n: names[n].partition("[")[0])
    return [(head, list(columns)) for head, columns in runs]


def _widest(labels: Iterable[str], size: float) -> float:
    return max(text_width(label, size) for label in set(labels))
