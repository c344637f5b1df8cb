"""A table as text, CSV, Markdown, RST, AsciiDoc or HTML; on a terminal it is drawn by rich."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

GAP = "  "
_BREAKS = re.compile("[\t-\r\x1c-\x1f\x85\u2028\u2029]+")
"""What would end a line or move what follows it: tabs and line breaks."""


@dataclass(frozen=True)
class Grid:
    """Columns and rows; the first `keys` columns tell rows apart and are repeated on folding."""

    columns: tuple[str, ...]
    rows: Sequence[Sequence[object]]
    keys: int = 1

    @property
    def cells(self) -> list[list[str]]:
        """The heading and the rows as strings, each of one line."""
        return [[_BREAKS.sub(" ", str(cell)) for cell in row] for row in (self.columns, *self.rows)]

    def transposed(self) -> Grid:
        """Return the grid with its rows as columns."""
        turned = list(zip(*self.cells, strict=True))
        return Grid(tuple(turned[0]), turned[1:], keys=1)


def text(grid: Grid) -> str:
    """Return aligned columns, numbers to the right."""
    widths = _widths(grid)
    right = _numeric(grid)
    return "".join(
        GAP.join(
            cell.rjust(width) if r else cell.ljust(width)
            for cell, width, r in zip(line, widths, right, strict=True)
        ).rstrip()
        + "\n"
        for line in grid.cells
    )


def csv(grid: Grid) -> str:
    """Return comma-separated values with one heading line."""
    import csv

    file = io.StringIO()
    csv.writer(file, lineterminator="\n").writerows([grid.columns, *grid.rows])
    return file.getvalue()


def markdown(grid: Grid) -> str:
    """Return a GitHub-flavoured table."""
    from layoutgen.cli import escapes

    rule = ["---:" if right else "---" for right in _numeric(grid)]
    head, *body = [[escapes.markdown(cell) for cell in line] for line in grid.cells]
    return "".join(f"| {' | '.join(line)} |\n" for line in (head, rule, *body))


def rst(grid: Grid) -> str:
    """Return a simple table of reStructuredText; docutils counts wide characters as two."""
    from unicodedata import east_asian_width

    from layoutgen.cli import escapes

    def width(cell: str) -> int:
        return (
            len(cell)
            if cell.isascii()
            else len(cell) + sum(east_asian_width(c) in "WF" for c in cell)
        )

    cells = [[escapes.rst(cell) for cell in line] for line in grid.cells]
    widths = [max(map(width, column)) for column in zip(*cells, strict=True)]
    rule = GAP.join("=" * most for most in widths) + "\n"
    lines = [
        GAP.join(
            cell + " " * (most - width(cell)) for cell, most in zip(line, widths, strict=True)
        ).rstrip()
        + "\n"
        for line in cells
    ]
    return "".join([rule, lines[0], rule, *lines[1:], rule])


def asciidoc(grid: Grid) -> str:
    """Return an AsciiDoc table."""
    from layoutgen.cli import escapes

    cells = [[escapes.asciidoc(cell) for cell in line] for line in grid.cells]
    head, *body = ["".join(f"|{cell} " for cell in line).rstrip() for line in cells]
    return "\n".join(["[%header]", "|===", head, "", *body, "|==="]) + "\n"


def html(grid: Grid) -> str:
    """Return an HTML table."""
    from html import escape

    def row(tag: str, line: Sequence[str]) -> str:
        return "<tr>" + "".join(f"<{tag}>{escape(cell)}</{tag}>" for cell in line) + "</tr>\n"

    head, *body = grid.cells
    rows = "".join(row("td", line) for line in body)
    return f"<table>\n<thead>\n{row('th', head)}</thead>\n<tbody>\n{rows}</tbody>\n</table>\n"


RENDERERS: dict[str, Callable[[Grid], str]] = {
    "text": text,
    "csv": csv,
    "markdown": markdown,
    "rst": rst,
    "asciidoc": asciidoc,
    "html": html,
}


def for_terminal(grid: Grid) -> str:
    """Return text drawn by rich, folded to the width of the terminal."""
    from rich.console import Console
    from rich.table import Table

    from layoutgen.cli import screen

    width = screen.width()
    console = Console(width=width, markup=False, highlight=False, emoji=False)
    with console.capture() as captured:
        for count, piece in enumerate(fold(grid, width)):
            if count:
                console.print()
            table = Table(
                box=None, pad_edge=False, header_style="bold", padding=(0, len(GAP), 0, 0)
            )
            for name, right in zip(piece.columns, _numeric(piece), strict=True):
                table.add_column(name, justify="right" if right else "left", overflow="fold")
            for row in piece.cells[1:]:
                table.add_row(*row)
            console.print(table)
    return captured.get()


def fold(grid: Grid, width: int) -> Iterator[Grid]:
    """Yield pieces of `grid` that fit into `width`, each with the key columns in front."""
    widths = _widths(grid)
    fixed = sum(widths[: grid.keys]) + len(GAP) * grid.keys
    start = grid.keys
    while start < len(widths):
        stop, used = start, fixed
        while stop < len(widths) and (stop == start or used + widths[stop] <= width):
            used += widths[stop] + len(GAP)
            stop += 1
        kept = [*range(grid.keys), *range(start, stop)]
        yield Grid(
            tuple(grid.columns[n] for n in kept),
            [[row[n] for n in kept] for row in grid.rows],
            grid.keys,
        )
        start = stop


def _widths(grid: Grid) -> list[int]:
    return [max(map(len, column)) for column in zip(*grid.cells, strict=True)]


def _numeric(grid: Grid) -> list[bool]:
    return [
        all(isinstance(cell, int | float) for cell in column)
        for column in zip(*grid.rows, strict=True)
    ] or [False] * len(grid.columns)
