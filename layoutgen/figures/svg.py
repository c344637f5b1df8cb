"""Scenes as SVG, through svgwrite: the only file that imports it.

How a program reads the numbers back.  A *cell* is a ``<g>`` that has a ``<title>``.  Its numbers
are ``data-`` attributes named like the columns of :meth:`Operand.table` (``data-lane``,
``data-i``, …).  A number that holds for a whole run of cells, or for a whole grid, stands on the
``<g>`` round them: the value of an attribute is that of the nearest element, from the cell
outwards, that has it.  ``data-lane`` always stands on the cell itself.  A grid also says whose
cells it holds: ``data-operand="D"``.

A cell may stand for a *run* of elements along k (or group): ``data-run="16"``.  Its numbers are
those of the first; element n of the run has k + n, and begins n·width bits further on in the same
lane.  Without ``data-run`` a cell is one element.

Figures of modifiers have other numbers: for blgp the
``source`` that a ``lane`` reads; for cbsz the block ``source-b`` that block ``b`` reads under
``cbsz`` and ``abid``, the first ``lane`` that reads and the first ``source`` lane, and in
``data-reading`` whether that is the local or the global reading.

The file carries its colours in a ``<style>`` with literal values, light ones, and dark ones for
screens that ask for them.  All rules begin with the class of the root, and no element has a
``style`` attribute, so that a page that takes the figure in can leave the ``<style>`` out and use
rules of its own.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from html import escape
from itertools import groupby, pairwise
from typing import Any
from xml.etree.ElementTree import Element

from svgwrite import Drawing
from svgwrite.base import BaseElement

from layoutgen.figures.palette import DARK, GROUPS, LIGHT, Palette
from layoutgen.figures.scene import Cell, Grid, Scene

ROOT = "layoutgen-figure"
FONTS = (
    "-apple-system,'Segoe UI',Roboto,'Helvetica Neue','Noto Sans','Liberation Sans',"
    "Arial,sans-serif"
)
NO_NAME = "lg-0000000000"
"""Stands for the name of the figure until its content, and with it its name, is known."""
OWN = frozenset({"lane"})
"""Numbers that always stand on the cell itself."""


def render(scene: Scene, *, plain: bool = False, style: bool | str = True) -> bytes:
    """Return `scene` as an SVG file; the same scene gives the same bytes.

    `plain` leaves out what only serves programs and the pointer: the numbers and the titles of
    cells.  Without `style` the figure takes its colours from the page that it is put into; a
    text is put in the place of :func:`css`.
    """
    width, height = _num(scene.width), _num(scene.height)
    drawing = Drawing(
        None,
        size=(width, height),
        viewBox=f"0 0 {width} {height}",
        debug=False,
        class_=ROOT,
        role="img",
        aria_labelledby=f"{NO_NAME}-title",
        aria_describedby=f"{NO_NAME}-desc",
    )
    drawing.elements = [
        _Named("title", scene.title),
        _Named("desc", scene.description),
        *([drawing.style(css() if style is True else style)] if style else []),
        drawing.rect((0, 0), (width, height), class_="page"),
        drawing.g(id=f"{NO_NAME}-cells"),
        *_boxes(drawing, scene),
        *_strokes(drawing, scene),
        *_texts(drawing, scene),
    ]
    cells = "".join(_grid(grid, plain=plain) for grid in scene.grids)
    text: str = drawing.tostring().replace(" />", "/>")
    text = text.replace(f'<g id="{NO_NAME}-cells"/>', cells)
    name = f"lg-{hashlib.sha256(text.encode()).hexdigest()[:10]}"
    return f"{text.replace(NO_NAME, name)}\n".encode()


def css(light: Palette = LIGHT, dark: Palette = DARK) -> str:
    """Return the rules of a standalone figure: literal colours, light and dark."""
    darker = _rules(_colours(dark))
    return f"{rules(light)}@media screen and (prefers-color-scheme:dark){{{darker}}}"


def rules(palette: Palette) -> str:
    """Return the rules of a figure in one palette, whose colours may be any CSS values."""
    shape = {
        "": f"font-family:{FONTS};font-variant-numeric:tabular-nums",
        " text": "stroke:none;forced-color-adjust:none",
        " .strong": "font-weight:600",
        " .outline": "stroke-width:1.5",
        " .focus": "stroke-width:2.5",
        " .cells g:hover>path": "stroke-width:2.5",
    }
    return f"{_rules(shape)}{_rules(_colours(palette))}"


def _colours(palette: Palette) -> dict[str, str]:
    return {
        " .page": f"fill:{palette.page}",
        " text": f"fill:{palette.ink}",
        " .soft": f"fill:{palette.soft}",
        " .rule": f"stroke:{palette.rule}",
        " .outline": f"stroke:{palette.outline}",
        " .focus": f"stroke:{palette.focus}",
        **{
            f" .g{group}": f"fill:{palette.fills[group]};stroke:{palette.edges[group]}"
            for group in range(GROUPS)
        },
    }


def _rules(rules: dict[str, str]) -> str:
    return "".join(f".{ROOT}{selector}{{{body}}}" for selector, body in rules.items())


def _group(group: int) -> str:
    return f"g{group % GROUPS}"


class _Named(BaseElement):  # type: ignore[misc]
    """The title or the description of the figure, which the root refers to."""

    def __init__(self, tag: str, text: str) -> None:
        super().__init__(debug=False)
        self.xml = Element(tag, id=f"{NO_NAME}-{tag}")
        self.xml.text = text

    def get_xml(self) -> Element:
        """Return the element."""
        return self.xml


# Cells are written as text: there are thousands, and svgwrite takes 100 µs for an object.


def _grid(grid: Grid, *, plain: bool) -> str:
    """Return the cells of a grid: rows, in them runs of one group, and in those the cells."""
    facts = "" if plain else "".join(f' data-{n}="{escape(v)}"' for n, v in grid.facts)
    shared, known = ("", frozenset[str]()) if plain else _shared(grid, grid.cells, frozenset())
    rows = (
        _row(grid, list(cells), known, plain)
        for _, cells in groupby(grid.cells, key=lambda cell: cell.y)
    )
    size = _num(grid.spots[0].size)
    head = f'<g class="cells" font-size="{size}" text-anchor="middle"{facts}{shared}>'
    return f"{head}{''.join(rows)}</g>"


def _row(grid: Grid, cells: Sequence[Cell], known: frozenset[str], plain: bool) -> str:
    left = min(cell.x for cell in cells)
    shared, known = ("", known) if plain else _shared(grid, cells, known)
    place = f"{_num(left + 0.5)} {_num(cells[0].y + grid.spots[0].y + 0.5)}"
    runs = []
    for group, members in groupby(cells, key=lambda cell: cell.group):
        run = list(members)
        if plain:
            runs.append(f'<g class="{_group(group)}">{_plain_run(grid, run, left)}</g>')
        else:
            own, known_here = _shared(grid, run, known)
            inner = _run(grid, run, left, known_here)
            runs.append(f'<g class="{_group(group)}"{own}>{inner}</g>')
    return f'<g transform="translate({place})"{shared}>{"".join(runs)}</g>'


def _run(grid: Grid, run: Sequence[Cell], left: float, known: frozenset[str]) -> str:
    own = [(name, at) for at, name in enumerate(grid.columns) if name not in known]
    up = f" {_num(-grid.spots[0].y)}".replace(" -", "-")
    outline = f"{up}{_outline(grid)}"
    parts = []
    for cell in run:
        data = "".join([f' data-{name}="{cell.values[at]}"' for name, at in own])
        path = f'<path d="M{_num(cell.x - left)}{outline}"/>'
        title = f"<title>{escape(cell.title, quote=False)}</title>"
        parts.append(f"<g{data}>{title}{path}{_labels(grid, cell, left)}</g>")
    return "".join(parts)


def _plain_run(grid: Grid, run: Sequence[Cell], left: float) -> str:
    steps = [run[0].x - left, *(after.x - before.x for before, after in pairwise(run))]
    outlines = "".join(f"m{_num(step)} 0{_outline(grid)}" for step in steps)
    path = f'<path d="M0 {_num(-grid.spots[0].y)}{outlines}"/>'
    return path + "".join(_labels(grid, cell, left) for cell in run)


def _outline(grid: Grid) -> str:
    wide, high = _num(grid.width - 1), _num(grid.height - 1)
    return f"h{wide}v{high}h-{wide}z"


def _labels(grid: Grid, cell: Cell, left: float) -> str:
    first = grid.spots[0]
    parts = []
    for spot, label in zip(grid.spots, cell.labels, strict=True):
        if label:
            y = f' y="{_num(spot.y - first.y)}"' if spot.y != first.y else ""
            size = f' font-size="{_num(spot.size)}"' if spot.size != first.size else ""
            x = _num(cell.x - left + spot.x)
            parts.append(f'<text x="{x}"{y}{size}>{escape(label, quote=False)}</text>')
    return "".join(parts)


def _shared(grid: Grid, cells: Sequence[Cell], known: frozenset[str]) -> tuple[str, frozenset[str]]:
    """Return the attributes that all `cells` share and that are not yet `known`, and their names.

    What always stands on the cell itself is left out.
    """
    columns = zip(*(cell.values for cell in cells), strict=True)
    found = {
        name: values[0]
        for name, values in zip(grid.columns, columns, strict=True)
        if name not in OWN and name not in known and values.count(values[0]) == len(values)
    }
    return "".join(f' data-{n}="{v}"' for n, v in found.items()), known | found.keys()


# Furniture, through svgwrite


def _boxes(drawing: Drawing, scene: Scene) -> Iterator[Any]:
    for box in scene.boxes:
        corner = (_num(box.x + 0.5), _num(box.y + 0.5))
        size = (_num(box.width - 1), _num(box.height - 1))
        yield drawing.rect(corner, size, class_=_group(box.group))


def _strokes(drawing: Drawing, scene: Scene) -> Iterator[Any]:
    """Yield one path for all strokes of a kind."""
    paths: dict[str, list[str]] = {}
    for stroke in scene.strokes:
        (x, y), *rest = [(x + 0.5, y + 0.5) for x, y in stroke.points]
        steps = "".join(f"L{_num(x)} {_num(y)}" for x, y in rest)
        end = "z" if stroke.closed else ""
        paths.setdefault(stroke.line, []).append(f"M{_num(x)} {_num(y)}{steps}{end}")
    for line, pieces in paths.items():
        yield drawing.path("".join(pieces), class_=line, fill="none")


def _texts(drawing: Drawing, scene: Scene) -> Iterator[Any]:
    for text in scene.texts:
        extra: dict[str, str] = {} if text.tone == "ink" else {"class_": text.tone}
        if text.anchor != "start":
            extra["text_anchor"] = text.anchor
        place = (_num(text.x), _num(text.y))
        yield drawing.text(text.text, place, font_size=_num(text.size), **extra)


def _num(value: float) -> str:
    """Return a number with at most two decimals, without needless zeros."""
    whole = int(value)
    if value == whole:
        return str(whole)
    return f"{value:.2f}".rstrip("0").rstrip(".")
