"""Scenes as PDF and PNG, through matplotlib: the only file that imports it.

One pixel of a scene is 1/96 inch, so a text of n pixels has 0.75·n points.  Both kinds of file
have the light colours: they are for paper and for programs that cannot show SVG.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Literal

from matplotlib import rc_context, rcdefaults, rcParams
from matplotlib.collections import PatchCollection, PolyCollection
from matplotlib.figure import Figure
from matplotlib.patches import Polygon

from layoutgen.figures.palette import LIGHT, Palette
from layoutgen.figures.scene import Line, Scene

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PIXELS_PER_INCH = 96
POINTS = 72 / PIXELS_PER_INCH
PNG_SCALE = 2
SETTINGS: dict[Any, Any] = {
    "font.family": ["DejaVu Sans"],
    "pdf.fonttype": 42,
    "text.parse_math": False,
}
"""Over matplotlib's defaults, whatever the user's own are.  TrueType in PDF, so that its text can
be searched; a dollar sign is no mathematics.
"""

WIDTHS: dict[Line, float] = {"rule": 1.0, "outline": 1.5, "focus": 2.5}


def render(scene: Scene, suffix: Literal["pdf", "png"], palette: Palette = LIGHT) -> bytes:
    """Return `scene` as a PDF or PNG file; the same scene gives the same bytes."""
    with rc_context():
        rcdefaults()
        rcParams.update(SETTINGS)
        size = (scene.width / PIXELS_PER_INCH, scene.height / PIXELS_PER_INCH)
        picture = Figure(figsize=size, facecolor=palette.page)
        axes = picture.add_axes((0, 0, 1, 1))
        axes.set_xlim(0, scene.width)
        axes.set_ylim(scene.height, 0)
        axes.set_axis_off()
        _cells(axes, scene, palette)
        _strokes(axes, scene, palette)
        _texts(axes, scene, palette)
        file = io.BytesIO()
        dates = {"CreationDate": None, "ModDate": None} if suffix == "pdf" else {}
        metadata = {"Title": scene.title, **dates}
        picture.savefig(file, format=suffix, dpi=PIXELS_PER_INCH * PNG_SCALE, metadata=metadata)
        return file.getvalue()


def _cells(axes: Axes, scene: Scene, palette: Palette) -> None:
    """Draw all cells and samples of a group as one collection."""
    by_group: dict[int, list[list[tuple[float, float]]]] = {}
    for group, x, y, width, height in _rectangles(scene):
        corners = [(x, y), (x + width, y), (x + width, y + height), (x, y + height)]
        by_group.setdefault(group % len(palette.fills), []).append(corners)
    for group, polygons in sorted(by_group.items()):
        fill, edge = palette.fills[group], palette.edges[group]
        axes.add_collection(
            PolyCollection(polygons, facecolors=fill, edgecolors=edge, linewidths=POINTS)
        )


def _rectangles(scene: Scene) -> Iterator[tuple[int, float, float, float, float]]:
    for grid in scene.grids:
        for cell in grid.cells:
            yield cell.group, cell.x + 0.5, cell.y + 0.5, grid.width - 1, grid.height - 1
    for box in scene.boxes:
        yield box.group, box.x + 0.5, box.y + 0.5, box.width - 1, box.height - 1


def _strokes(axes: Axes, scene: Scene, palette: Palette) -> None:
    colours: dict[Line, str] = {
        "rule": palette.rule,
        "outline": palette.outline,
        "focus": palette.focus,
    }
    for line, colour in colours.items():
        shapes = [
            Polygon([(x + 0.5, y + 0.5) for x, y in stroke.points], closed=stroke.closed)
            for stroke in scene.strokes
            if stroke.line == line
        ]
        width = WIDTHS[line] * POINTS
        axes.add_collection(
            PatchCollection(shapes, facecolors="none", edgecolors=colour, linewidths=width)
        )


def _texts(axes: Axes, scene: Scene, palette: Palette) -> None:
    for grid in scene.grids:
        for cell in grid.cells:
            for spot, label in zip(grid.spots, cell.labels, strict=True):
                x, y = cell.x + spot.x + 0.5, cell.y + spot.y + 0.5
                _text(axes, x, y, label, spot.size, palette.ink)
    for text in scene.texts:
        colour = palette.soft if text.tone == "soft" else palette.ink
        weight = "bold" if text.tone == "strong" else "normal"
        align = {"start": "left", "middle": "center", "end": "right"}[text.anchor]
        _text(axes, text.x, text.y, text.text, text.size, colour, align, weight)


def _text(
    axes: Axes,
    x: float,
    y: float,
    text: str,
    size: float,
    colour: str,
    align: str = "center",
    weight: str = "normal",
) -> None:
    axes.text(
        x, y, text, fontsize=size * POINTS, color=colour, ha=align, va="baseline", weight=weight
    )
