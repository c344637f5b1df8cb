"""Scenes as PNG, through matplotlib: the only file that imports it.

A PNG has the light colours: it is for programs that cannot show SVG.
"""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

from matplotlib import rc_context, rcdefaults, rcParams
from matplotlib.collections import PatchCollection, PolyCollection
from matplotlib.figure import Figure
from matplotlib.patches import Polygon

from layoutgen.figures.flat import PIXELS_PER_INCH, POINTS, WIDTHS, rectangles, texts
from layoutgen.figures.palette import LIGHT, Palette
from layoutgen.figures.scene import Scene, Text

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SCALE = 2
"""Pixels of the file for one of the scene, each way."""

SETTINGS: dict[Any, Any] = {"font.family": ["DejaVu Sans"], "text.parse_math": False}
"""Over matplotlib's defaults, whatever the user's own are.  A dollar sign is no mathematics."""

ALIGN = {"start": "left", "middle": "center", "end": "right"}


def render(scene: Scene, palette: Palette = LIGHT) -> bytes:
    """Return `scene` as a PNG file; the same scene gives the same bytes."""
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
        for text in texts(scene):
            _text(axes, text, palette)
        file = io.BytesIO()
        picture.savefig(
            file, format="png", dpi=PIXELS_PER_INCH * SCALE, metadata={"Title": scene.title}
        )
        return file.getvalue()


def _cells(axes: Axes, scene: Scene, palette: Palette) -> None:
    """Draw all cells and samples of a group as one collection."""
    for group, places in rectangles(scene).items():
        corners = [
            [(x, y), (x + width, y), (x + width, y + height), (x, y + height)]
            for x, y, width, height in places
        ]
        fill = palette.fills[group % len(palette.fills)]
        edge = palette.edges[group % len(palette.edges)]
        axes.add_collection(
            PolyCollection(corners, facecolors=fill, edgecolors=edge, linewidths=POINTS)
        )


def _strokes(axes: Axes, scene: Scene, palette: Palette) -> None:
    for line, width in WIDTHS.items():
        shapes = [
            Polygon([(x + 0.5, y + 0.5) for x, y in stroke.points], closed=stroke.closed)
            for stroke in scene.strokes
            if stroke.line == line
        ]
        colour = getattr(palette, line)
        axes.add_collection(
            PatchCollection(shapes, facecolors="none", edgecolors=colour, linewidths=width * POINTS)
        )


def _text(axes: Axes, text: Text, palette: Palette) -> None:
    axes.text(
        text.x,
        text.y,
        text.text,
        fontsize=text.size * POINTS,
        color=palette.soft if text.tone == "soft" else palette.ink,
        ha=ALIGN[text.anchor],
        va="baseline",
        weight="bold" if text.tone == "strong" else "normal",
    )
