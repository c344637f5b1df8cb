"""A figure as data: what stands where, in pixels, with the numbers that every cell stands for.

Nothing here knows about layouts or file formats: views make scenes, and :mod:`.svg`, :mod:`.pdf`
and :mod:`.png` draw them.  The origin is the top left corner; y of a text is its baseline.
Paint order: grids, boxes, strokes, texts.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

Tone: TypeAlias = Literal["ink", "soft", "strong"]
"""Of a text: as usual, lighter for what explains, bold for what heads."""

Line: TypeAlias = Literal["rule", "outline", "focus"]
"""Of a stroke: brackets, what belongs together, an example that is followed."""

Anchor: TypeAlias = Literal["start", "middle", "end"]


class Spot(NamedTuple):
    """Where a label stands in each cell of a grid: from the cell's left and top, centred."""

    x: float
    y: float
    size: float


class Cell(NamedTuple):
    """One cell: its corner, its group of 16 lanes, one label per spot, its numbers, its title."""

    x: float
    y: float
    group: int
    labels: tuple[str, ...]
    values: tuple[int, ...]
    title: str


@dataclass(frozen=True, slots=True)
class Grid:
    """Cells of one size.  `columns` name the values of each cell; `facts` hold for all cells."""

    columns: tuple[str, ...]
    width: float
    height: float
    spots: tuple[Spot, ...]
    cells: tuple[Cell, ...]
    facts: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Box:
    """A sample of a lane group's colour, for legends."""

    x: float
    y: float
    width: float
    height: float
    group: int


@dataclass(frozen=True, slots=True)
class Stroke:
    """A line through points; closed, it goes round something and is never filled."""

    points: tuple[tuple[float, float], ...]
    line: Line
    closed: bool = False


@dataclass(frozen=True, slots=True)
class Text:
    """One line of text."""

    x: float
    y: float
    text: str
    size: float
    anchor: Anchor = "start"
    tone: Tone = "ink"


@dataclass(frozen=True, slots=True)
class Scene:
    """A whole figure, with its title and the description for those who do not see it."""

    width: float
    height: float
    title: str
    description: str
    grids: tuple[Grid, ...]
    boxes: tuple[Box, ...]
    strokes: tuple[Stroke, ...]
    texts: tuple[Text, ...]
