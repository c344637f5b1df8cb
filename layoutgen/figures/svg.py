"""Scenes as SVG, through svgwrite: the only file that imports it.

How a program reads the numbers back.  A *cell* is a ``<g>`` that has a ``<title>``.  Its numbers
are ``data-`` attributes named like the columns of :meth:`Operand.table` (``data-lane``,
``data-i``, …).  A number that holds for a whole run of cells, or for a whole grid, stands on the
``<g>`` round them: the value of an attribute is that of the nearest element, from the cell
outwards, that has it.  ``data-lane`` always stands on the cell itself.  A grid also says whose
cells it holds: ``data-operand="D"``.

The file carries its colours in a ``<style>`` with literal values, light ones, and dark ones for
screens that ask for them.  All rules begin with the class of the root, and no element has a
``style`` attribute, so that a page that takes the figure in can leave the ``<style>`` out and use
rules of its own.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise
from typing import Any
from xml.etree.ElementTree import Element, SubElement

from svgwrite import Drawing
from svgwrite.base import BaseElement

from layoutgen.figures.palette import DARK, GROUPS, LIGHT, Palette
from layoutgen.figures.scene import Cell, Grid, Scene

ROOT = "layoutgen-figure"
FONTS = (
    "system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue','Noto Sans','Liberation Sans',"
    "Arial,sans-serif"
)
NO_NAME = "lg-0000000000"
"""Stands for the name of the figure until its content, and with it its name, is known."""
OWN = frozenset({"lane"})
"""Numbers that always stand on the cell itself."""


def render(scene: Scene, *, plain: bool = False, style: bool = True) -> bytes:
    """Return `scene` as an SVG file; the same scene gives the same bytes.

    `plain` leaves out what only serves programs and the pointer: the numbers and the titles of
    cells.  Without `style` the figure takes its colours from the page that it is put into.
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
        _Built(_named("title", scene.title)),
        _Built(_named("desc", scene.description)),
        *([drawing.style(css())] if style else []),
        drawing.rect((0, 0), (width, height), class_="page"),
        *(_Built(_grid(grid, plain=plain)) for grid in scene.grids),
        *_boxes(drawing, scene),
        *_strokes(drawing, scene),
        *_texts(drawing, scene),
    ]
    text: str = drawing.tostring().replace(" />", "/>")
    name = f"lg-{hashlib.sha256(text.encode()).hexdigest()[:10]}"
    return f"{text.replace(NO_NAME, name)}\n".encode()


def css() -> str:
    """Return the rules of a standalone figure: literal colours, light and dark."""
    rules = {
        "": f"font-family:{FONTS};font-variant-numeric:tabular-nums",
        " .strong": "font-weight:600",
        " .strokes": "fill:none",
        " .outline": "stroke-width:1.5",
        " .focus": "stroke-width:2.5",
        " .differs": "stroke-width:2;stroke-dasharray:4 2",
        " g:hover>path": "stroke-width:2.5",
        **_colours(LIGHT),
    }
    return (
        f"{_rules(rules)}@media screen and (prefers-color-scheme:dark){{{_rules(_colours(DARK))}}}"
    )


def _colours(palette: Palette) -> dict[str, str]:
    return {
        " .page": f"fill:{palette.page}",
        " text": f"fill:{palette.ink};stroke:none",
        " .soft": f"fill:{palette.soft}",
        " .rule": f"stroke:{palette.rule}",
        " .outline": f"stroke:{palette.ink}",
        " .focus": f"stroke:{palette.focus}",
        " .differs": f"stroke:{palette.focus}",
        **{
            f" .{_group(group)}": f"fill:{palette.fill(group)};stroke:{palette.edge(group)}"
            for group in (*range(GROUPS), None)
        },
    }


def _rules(rules: dict[str, str]) -> str:
    return "".join(f".{ROOT}{selector}{{{body}}}" for selector, body in rules.items())


def _group(group: int | None) -> str:
    return "blank" if group is None else f"g{group % GROUPS}"


class _Built(BaseElement):  # type: ignore
    """An element that is an ElementTree already: svgwrite's own objects are slow in thousands."""

    elementname = "g"

    def __init__(self, xml: Element) -> None:
        super().__init__(debug=False)
        self.xml = xml

    def get_xml(self) -> Element:
        return self.xml


def _named(tag: str, text: str) -> Element:
    element = Element(tag, id=f"{NO_NAME}-{tag}")
    element.text = text
    return element


def _grid(grid: Grid, *, plain: bool) -> Element:
    """Return the cells of a grid: rows, in them runs of one group, and in those the cells."""
    attributes = {"class": "cells", "text-anchor": "middle"}
    attributes["font-size"] = _num(grid.spots[0].size)
    if not plain:
        attributes.update({f"data-{name}": value for name, value in grid.facts})
    known = _put_common(attributes, grid, grid.cells, {}, plain)
    root = Element("g", attributes)
    for (y, _), row in groupby(grid.cells, key=lambda cell: (cell.y, cell.values[:1])):
        cells = list(row)
        left = min(cell.x for cell in cells)
        place = f"translate({_num(left + 0.5)} {_num(y + grid.spots[0].y + 0.5)})"
        attributes = {"transform": place}
        row_known = _put_common(attributes, grid, cells, known, plain)
        line = SubElement(root, "g", attributes)
        for group, run in groupby(cells, key=lambda cell: cell.group):
            shifted = [cell._replace(x=cell.x - left) for cell in run]
            _run(line, grid, shifted, group, row_known, plain)
    return root


def _run(
    line: Element,
    grid: Grid,
    run: Sequence[Cell],
    group: int | None,
    known: dict[str, int],
    plain: bool,
) -> None:
    attributes = {"class": _group(group)}
    element = SubElement(line, "g", attributes)
    outline = _outline(grid)
    if plain:
        starts = [run[0].x, *(after.x - before.x for before, after in pairwise(run))]
        path = "".join(f"m{_num(x)} 0{outline}" for x in starts)
        up = _num(-grid.spots[0].y)
        SubElement(element, "path", {"d": f"M0 {up}{path}"})
        for cell in run:
            _labels(element, grid, cell)
        return
    known = _put_common(element.attrib, grid, run, known, plain)
    own = [(f"data-{n}", at) for at, n in enumerate(grid.columns) if n not in known]
    up = f" {_num(-grid.spots[0].y)}".replace(" -", "-")
    for cell in run:
        node = SubElement(element, "g", {name: str(cell.values[at]) for name, at in own})
        SubElement(node, "title").text = cell.title
        SubElement(node, "path", {"d": f"M{_num(cell.x)}{up}{outline}"})
        _labels(node, grid, cell)


def _outline(grid: Grid) -> str:
    wide, high = _num(grid.width - 1), _num(grid.height - 1)
    return f"h{wide}v{high}h-{wide}z"


def _labels(node: Element, grid: Grid, cell: Cell) -> None:
    first = grid.spots[0]
    for spot, label in zip(grid.spots, cell.labels, strict=True):
        if not label:
            continue
        text = SubElement(node, "text", {"x": _num(cell.x + spot.x)})
        if spot.y != first.y:
            text.set("y", _num(spot.y - first.y))
        if spot.size != first.size:
            text.set("font-size", _num(spot.size))
        if spot.tone != "ink":
            text.set("class", spot.tone)
        text.text = label


def _put_common(
    attributes: dict[str, str],
    grid: Grid,
    cells: Sequence[Cell],
    known: dict[str, int],
    plain: bool,
) -> dict[str, int]:
    """Write the numbers that all `cells` share; return them with those known before."""
    if plain:
        return {}
    found = _common(grid, cells)
    attributes.update({f"data-{n}": str(v) for n, v in found.items() if n not in known})
    return known | found


def _common(grid: Grid, cells: Sequence[Cell]) -> dict[str, int]:
    """Return the numbers that all `cells` share, save those that stand on each cell anyway."""
    columns = zip(*(cell.values for cell in cells), strict=True)
    return {
        name: values[0]
        for name, values in zip(grid.columns, columns, strict=True)
        if name not in OWN and values.count(values[0]) == len(values)
    }


def _boxes(drawing: Drawing, scene: Scene) -> Iterator[Any]:
    for box in scene.boxes:
        corner = (_num(box.x + 0.5), _num(box.y + 0.5))
        size = (_num(box.width - 1), _num(box.height - 1))
        yield drawing.rect(corner, size, class_=_group(box.group))


def _strokes(drawing: Drawing, scene: Scene) -> Iterator[Any]:
    """Yield one path for all strokes of a kind."""
    paths: dict[str, list[str]] = {}
    for stroke in scene.strokes:
        (x, y), *rest = stroke.points
        steps = "".join(f"L{_num(x)} {_num(y)}" for x, y in rest)
        end = "z" if stroke.closed else ""
        paths.setdefault(stroke.line, []).append(f"M{_num(x)} {_num(y)}{steps}{end}")
    for line, pieces in paths.items():
        yield drawing.path("".join(pieces), class_=line, fill="none")


def _texts(drawing: Drawing, scene: Scene) -> Iterator[Any]:
    for text in scene.texts:
        extra = {} if text.tone == "ink" else {"class_": text.tone}
        if text.anchor != "start":
            extra["text_anchor"] = text.anchor
        place = (_num(text.x), _num(text.y))
        yield drawing.text(text.text, place, font_size=_num(text.size), **extra)


def _num(value: float) -> str:
    """Return a number with at most two decimals, without needless zeros."""
    if value == int(value):
        return str(int(value))
    return f"{value:.2f}".rstrip("0").rstrip(".")
