"""Figures read back: the numbers of every cell, and all that a reader sees or hears of it.

A cell is a ``<g>`` that has a ``<title>``.  The value of a ``data-`` attribute is that of the
nearest element, from the cell outwards, that has it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from xml.etree import ElementTree

_NAMESPACE = "{http://www.w3.org/2000/svg}"
_TRANSLATE = re.compile(r"translate\(\s*(-?[\d.]+)(?:[\s,]+(-?[\d.]+))?\s*\)")
_FRAMES = ("outline", "focus", "differs")
_CORNER = re.compile(r"M\s*(-?[\d.]+)[\s,]*(-?[\d.]+)\s*h\s*(-?[\d.]+)\s*v\s*(-?[\d.]+)")


@dataclass(frozen=True)
class Label:
    """A text of a cell, and where it stands."""

    text: str
    x: float
    y: float


@dataclass(frozen=True, eq=False)
class Cell:
    """One cell: its numbers, its title, its texts, the class of its colour, and its box."""

    data: dict[str, str]
    title: str
    labels: tuple[Label, ...]
    classes: tuple[str, ...]
    x: float
    y: float
    width: float
    height: float

    @property
    def middle(self) -> tuple[float, float]:
        """The middle of the cell."""
        return self.x + self.width / 2, self.y + self.height / 2

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {n: int(v) for n, v in self.data.items() if v.lstrip("-").isdigit()}

    def number(self, name: str) -> int | None:
        """Return a number of the cell, or None."""
        return self._numbers.get(name)


@dataclass(frozen=True)
class Text:
    """A text outside of the cells."""

    text: str
    x: float
    y: float
    anchor: str
    classes: tuple[str, ...]


@dataclass(frozen=True)
class Sample:
    """A box of the legend: the class of its colour, and its corner."""

    classes: tuple[str, ...]
    x: float
    y: float


@dataclass(frozen=True)
class Frame:
    """A closed line round cells: its kind, and the box that it fills."""

    kind: str
    left: float
    top: float
    right: float
    bottom: float

    def holds(self, cell: Cell) -> bool:
        """Tell whether the middle of a cell is inside."""
        x, y = cell.middle
        return self.left < x < self.right and self.top < y < self.bottom


@dataclass(frozen=True, eq=False)
class FigureFile:
    """A figure: title, description, cells, texts, samples of colour, and frames round cells."""

    path: Path
    title: str
    description: str
    cells: tuple[Cell, ...]
    texts: tuple[Text, ...]
    samples: tuple[Sample, ...]
    frames: tuple[Frame, ...]

    def where(self, cell: Cell) -> str:
        """Return the place of a cell: file, and the cell by its title."""
        return f"{self.path}, cell '{cell.title}'"


@lru_cache(maxsize=256)
def read_figure(path: Path, shown: Path) -> FigureFile:
    """Return the figure in `path`; findings name it as `shown`.

    Raises ValueError for what is no SVG.
    """
    return parse_figure(shown, path.read_bytes())


def parse_figure(path: Path, content: bytes) -> FigureFile:
    """Return the figure with this content."""
    try:
        root = ElementTree.fromstring(content)
    except ElementTree.ParseError as error:
        raise ValueError(f"{path}: is no SVG: {error}") from None
    start = _Place({}, 0.0, 0.0, ())
    cells, texts, samples = [], [], []
    frames: list[Frame] = []
    for node, place in _walk(root, start):
        tag = node.tag.removeprefix(_NAMESPACE)
        if tag == "g" and node is not root and node.find(f"{_NAMESPACE}title") is not None:
            cells.append(_cell(node, place))
        elif tag == "text":
            text = "".join(node.itertext())
            at = place.x + _float(node, "x"), place.y + _float(node, "y")
            texts.append(Text(text, *at, node.get("text-anchor", "start"), place.classes))
        elif tag == "path" and node.get("class") in _FRAMES:
            frames += _frames(node)
        elif tag == "rect" and place.classes and place.classes[-1] != "page":
            at = place.x + _float(node, "x"), place.y + _float(node, "y")
            samples.append(Sample(place.classes, *at))
    return FigureFile(
        path,
        root.findtext(f"{_NAMESPACE}title") or "",
        root.findtext(f"{_NAMESPACE}desc") or "",
        tuple(cells),
        tuple(texts),
        tuple(samples),
        tuple(frames),
    )


@dataclass(frozen=True)
class _Place:
    """What an element inherits: numbers, shift, classes."""

    data: dict[str, str]
    x: float
    y: float
    classes: tuple[str, ...]

    def within(self, node: ElementTree.Element) -> _Place:
        own = {k.removeprefix("data-"): v for k, v in node.attrib.items() if k.startswith("data-")}
        shift = _TRANSLATE.search(node.get("transform", ""))
        x, y = (float(shift[1]), float(shift[2] or 0)) if shift else (0.0, 0.0)
        classes = (*self.classes, *node.get("class", "").split())
        return _Place({**self.data, **own} if own else self.data, self.x + x, self.y + y, classes)


def _walk(node: ElementTree.Element, above: _Place) -> Iterator[tuple[ElementTree.Element, _Place]]:
    place = above.within(node)
    yield node, place
    is_cell = node.tag == f"{_NAMESPACE}g" and node.find(f"{_NAMESPACE}title") is not None
    if is_cell:
        return
    for child in node:
        yield from _walk(child, place)


def _cell(node: ElementTree.Element, place: _Place) -> Cell:
    labels = tuple(
        Label("".join(t.itertext()), place.x + _float(t, "x"), place.y + _float(t, "y"))
        for t in node.iter(f"{_NAMESPACE}text")
    )
    box = (place.x, place.y, 0.0, 0.0)
    for path in node.iter(f"{_NAMESPACE}path"):
        if corner := _CORNER.match(path.get("d", "")):
            x, y, width, height = map(float, corner.groups())
            box = (place.x + x, place.y + y, width, height)
    title = node.findtext(f"{_NAMESPACE}title") or ""
    return Cell(place.data, title, labels, place.classes, *box)


def _frames(node: ElementTree.Element) -> Iterator[Frame]:
    """The closed pieces of a path, as boxes."""
    for piece in node.get("d", "").split("M")[1:]:
        if piece.endswith("z"):
            numbers = [float(n) for n in re.findall(r"-?[\d.]+", piece)]
            x, y = numbers[::2], numbers[1::2]
            yield Frame(node.get("class", ""), min(x), min(y), max(x), max(y))


def _float(node: ElementTree.Element, name: str) -> float:
    return float(node.get(name, 0))
