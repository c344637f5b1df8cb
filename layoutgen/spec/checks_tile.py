"""Checks of a tile file by itself: digits are declared, used once on either side, and fit."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

from layoutgen.model import nearest
from layoutgen.spec.document import Document, Path
from layoutgen.spec.errors import Diagnostic, listed, quoted
from layoutgen.spec.schema import LayoutSpec, TileFile

DIGIT_LISTS = ("b", "i", "j", "k", "lane", "item")
"""The lists of digits of a layout."""


def check_tile(document: Document, file: TileFile) -> Iterator[Diagnostic]:
    """Yield what is wrong with the digits of each operand, and with the shape.

    Of each operand only the first kind of fault is told: a digit that stands twice, say, makes
    sizes wrong as well.
    """
    faults = False
    for operand in "ABD":
        at, spec = ("layouts", operand), file.layouts[operand]
        for check in (_undeclared, _twice, _unused):
            if problems := list(check(document, at, spec)):
                yield from problems
                faults = True
                break
    if not faults:
        yield from _sizes(document, file)


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


def _sizes(document: Document, file: TileFile) -> Iterator[Diagnostic]:
    """Yield rows and columns that differ from the tile's, where all their sizes are numbers.

    Where all operands agree with each other, the name of the tile is to blame.
    """
    rows, columns = (int(part) for part in file.tile.split("x"))
    blamed: list[str] = []
    for name, what, wanted in (("i", "rows", rows), ("j", "columns", columns)):
        found = dict(_products(file, name))
        wrong = {operand: value for operand, value in found.items() if value != wanted}
        if len(found) > 1 and len(wrong) == len(found) and len(set(wrong.values())) == 1:
            blamed.append(f"{next(iter(wrong.values()))} {what}")
            continue
        for operand, value in wrong.items():
            spec = file.layouts[operand]
            message = (
                f"{quoted(name)} of {quoted(operand)} has {value} values "
                f"({product_text(spec, spec.coordinates[name])}); tile {file.tile} has "
                f"{wanted} {what}"
            )
            yield document.at("spec-size", ("layouts", operand, name), message)
    if blamed:
        message = f"tile {file.tile} has {listed(blamed)} after the digits of all its operands"
        yield document.at("spec-size", ("tile",), message)


def _products(file: TileFile, name: str) -> Iterator[tuple[str, int]]:
    """Yield operands and how many values a coordinate of theirs has, if that is a number."""
    for operand in "ABD":
        spec = file.layouts[operand]
        if name in spec.coordinates:
            sizes = [spec.digits[digit] for digit in spec.coordinates[name]]
            numbers = [size for size in sizes if isinstance(size, int)]
            if len(numbers) == len(sizes):
                yield operand, prod(numbers)
