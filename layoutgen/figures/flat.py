"""A scene in the order of painting, for files that keep nothing of its cells but how they look."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from layoutgen.figures.scene import Line, Scene, Text

PIXELS_PER_INCH = 96
"""What a pixel of a scene is, as in CSS."""

POINTS = 72 / PIXELS_PER_INCH
"""Points in a pixel."""

WIDTHS: dict[Line, float] = {"rule": 1.0, "outline": 1.5, "focus": 2.5}
"""Widths of strokes in pixels, in the order of painting."""


class Rectangle(NamedTuple):
    """A cell or sample of a colour, without the half of its outline that lies outside."""

    x: float
    y: float
    width: float
    height: float


def rectangles(scene: Scene) -> dict[int, list[Rectangle]]:
    """Return all cells and samples of each group of lanes; none lies on another."""
    groups: dict[int, list[Rectangle]] = {}
    for grid in scene.grids:
        for cell in grid.cells:
            place = Rectangle(cell.x + 0.5, cell.y + 0.5, grid.width - 1, grid.height - 1)
            groups.setdefault(cell.group, []).append(place)
    for box in scene.boxes:
        place = Rectangle(box.x + 0.5, box.y + 0.5, box.width - 1, box.height - 1)
        groups.setdefault(box.group, []).append(place)
    return dict(sorted(groups.items()))


def texts(scene: Scene) -> Iterator[Text]:
    """Yield the labels of cells, and the other texts."""
    for grid in scene.grids:
        for cell in grid.cells:
            for spot, label in zip(grid.spots, cell.labels, strict=True):
                yield Text(cell.x + spot.x + 0.5, cell.y + spot.y + 0.5, label, spot.size, "middle")
    yield from scene.texts
