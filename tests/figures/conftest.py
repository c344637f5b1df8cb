"""Fixtures for figures: the gallery, rendered once, and a reader of the numbers in an SVG."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from xml.etree import ElementTree

import pytest

import layoutgen
from layoutgen.figures.gallery import Figure, gallery
from layoutgen.figures.request import render
from layoutgen.figures.scene import Scene
from layoutgen.model import Architecture

SVG = "{http://www.w3.org/2000/svg}"


REGISTER_BITS = 32


@dataclass(frozen=True)
class ReadCell:
    """A cell as written: its data attributes with those of its ancestors, title and labels."""

    data: dict[str, str]
    title: str
    labels: tuple[str, ...]

    def numbers(self, *names: str) -> tuple[int, ...]:
        return tuple(int(self.data[name]) for name in names)

    def elements(self, *names: str) -> Iterator[tuple[int, ...]]:
        """The numbers of each element of the cell, which may stand for a run of them."""
        numbers = dict(zip(names, self.numbers(*names), strict=True))
        along = next((name for name in ("k", "group") if name in names), "")
        for n in range(int(self.data.get("run", 1))):
            start = numbers["register"] * REGISTER_BITS + numbers["bit"] + n * numbers["width"]
            at = {"register": start // REGISTER_BITS, "bit": start % REGISTER_BITS}
            step = {along: numbers[along] + n} if along else {}
            yield tuple({**numbers, **at, **step}.values())


def read_cells(svg: bytes) -> list[ReadCell]:
    """Read cells as the docstring of layoutgen.figures.svg tells: the nearest value counts."""

    def walk(element: ElementTree.Element, known: dict[str, str]) -> Iterator[ReadCell]:
        own = {k[5:]: v for k, v in element.attrib.items() if k.startswith("data-")}
        known = {**known, **own}
        title = element.find(f"{SVG}title")
        if element.tag == f"{SVG}g" and title is not None:
            assert "lane" in own
            assert element.find(f"{SVG}path") is not None, "every cell has an outline"
            labels = tuple(text.text or "" for text in element.iter(f"{SVG}text"))
            yield ReadCell(known, title.text or "", labels)
        for child in element:
            yield from walk(child, known)

    return list(walk(ElementTree.fromstring(svg), {}))


@pytest.fixture(scope="session")
def cells_of() -> Callable[[bytes], list[ReadCell]]:
    return read_cells


@pytest.fixture(scope="session")
def gfx908() -> Architecture:
    return layoutgen.arch("gfx908")


@pytest.fixture(scope="session")
def archs() -> list[Architecture]:
    return [layoutgen.arch(name) for name in ("gfx908", "gfx90a", "gfx942", "gfx950")]


@pytest.fixture(scope="session")
def figures(archs: list[Architecture]) -> dict[str, Figure]:
    return gallery(*archs)


@pytest.fixture(scope="session")
def scenes(figures: dict[str, Figure]) -> dict[str, Scene]:
    return {stem: figure.build() for stem, figure in figures.items()}


@pytest.fixture(scope="session")
def svgs(scenes: dict[str, Scene]) -> dict[str, bytes]:
    return {stem: render(scene, "svg") for stem, scene in scenes.items()}
