"""Checks of a tile file by itself: digits are declared, used once on either side, and fit."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

from layoutgen.model import nearest
from layoutgen.spec.errors import Diagnostic, listed, quoted
from layoutgen.spec.reader import Document, Path
from layoutgen.spec.schema import LayoutSpec, TileFile

DIGIT_LISTS = ("b", "i", "j", "k", "lane", "item")
"""The lists of digits of a layout."""


def check_tile(document: Document, file: TileFile) -> Iterator[Diagnostic]:
    """Yield what is wrong with the digits of each operand.

    Of each operand only the first kind of fault is told: a digit that stands twice, say, makes
    sizes wrong as well.
    """
    rows, columns = (int(part) for part in file.tile.split("x"))
    for operand in "ABD":
        at = ("layouts", operand)
        spec = file.layouts[operand]
        for check in (_undeclared, _twice, _unused):
            if problems := list(check(document, at, spec)):
                yield from problems
                break
        else:
            yield from _sizes(document, at, spec, {"i": rows, "j": columns}, file.tile)


def product_text(spec: LayoutSpec, digits: tuple[str, ...]) -> str:
    """Return the sizes of digits as a product: ``sub·half·band = 4·2·4``."""
    if not digits:
        return "no digits"
    sizes = "·".join(str(spec.digits[d]) for d in digits)
    return f"{'·'.join(digits)} = {sizes}"


def _entries(spec: LayoutSpec, side: str) -> Iterator[tuple[str, Path]]:
    """Yield the digits of one side, coordinates or slots, and where each stands."""
    slots = {"lane": spec.lane, "item": spec.item}
    for name, digits in (spec.coordinates if side == "coordinates" else slots).items():
        yield from ((digit, (name, n)) for n, digit in enumerate(digits))


def _undeclared(document: Document, at: Path, spec: LayoutSpec) -> Iterator[Diagnostic]:
    for side in ("coordinates", "slots"):
        for digit, where in _entries(spec, side):
            if digit not in spec.digits:
                near = nearest(digit, list(spec.digits))
                message = f"digit {quoted(digit)} is not declared in 'digits'{near}"
                yield document.at("spec-digit-unknown", (*at, *where), message)


def _twice(document: Document, at: Path, spec: LayoutSpec) -> Iterator[Diagnostic]:
    for side, what in (("coordinates", "the coordinates"), ("slots", "lane and item")):
        first: dict[str, Path] = {}
        for digit, where in _entries(spec, side):
            if digit in first:
                message = (
                    f"digit {quoted(digit)} stands twice in {what}: the first is in "
                    f"{quoted(first[digit][0])}"
                )
                yield document.at("spec-digit-twice", (*at, *where), message)
            first.setdefault(digit, where)


def _unused(document: Document, at: Path, spec: LayoutSpec) -> Iterator[Diagnostic]:
    cut = dict(_entries(spec, "coordinates"))
    slots = dict(_entries(spec, "slots"))
    for digit in spec.digits:
        if digit in cut and digit not in slots:
            message = f"digit {quoted(digit)} stands neither in lane nor in item"
            yield document.at("spec-digit-unused", (*at, *cut[digit]), message)
        elif digit not in cut and digit in slots and slots[digit][0] == "item":
            message = (
                f"digit {quoted(digit)} of item stands in no coordinate: it belongs in "
                f"{listed([quoted(c) for c in spec.coordinates], 'or')}"
            )
            yield document.at("spec-digit-unused", (*at, *slots[digit]), message)
        elif digit not in cut and digit not in slots:
            message = f"digit {quoted(digit)} is declared but stands in no list"
            yield document.at("spec-digit-unused", (*at, "digits", digit), message, key=True)


def _sizes(
    document: Document, at: Path, spec: LayoutSpec, shape: dict[str, int], tile: str
) -> Iterator[Diagnostic]:
    """Yield rows and columns that differ from the tile's, where all their sizes are numbers."""
    for name, wanted in shape.items():
        digits = spec.coordinates.get(name)
        if digits is None:
            continue
        sizes = [spec.digits[d] for d in digits]
        numbers = [size for size in sizes if isinstance(size, int)]
        if len(numbers) == len(sizes) and prod(numbers) != wanted:
            what = "rows" if name == "i" else "columns"
            message = (
                f"{quoted(name)} of {quoted(at[-1])} has {prod(numbers)} values "
                f"({product_text(spec, digits)}); tile {tile} has {wanted} {what}"
            )
            yield document.at("spec-size", (*at, name), message)
