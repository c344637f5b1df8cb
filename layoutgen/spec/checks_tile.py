"""Checks of a tile file by itself: digits are declared, used once on either side, and fit."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

from layoutgen.model import nearest
from layoutgen.spec.document import Document, Path
from layoutgen.spec.errors import Diagnostic, listed, quoted
from layoutgen.spec.schema import COORDINATES, LayoutSpec, TileFile

DIGIT_LISTS = ("b", "i", "j", "k", "group", "lane", "item", "holes")
"""The lists of digits of a layout."""


def operand_of(layout: str) -> str:
    """Return the operand that a layout is of: ``B`` of ``B-chunks8``."""
    return layout.partition("-")[0]


def check_tile(document: Document, file: TileFile) -> Iterator[Diagnostic]:
    """Yield what is wrong with the digits of each operand, and with the shape.

    Of each layout only the first kind of fault is told: a digit that stands twice, say, makes
    sizes wrong as well.
    """
    faults = False
    if missing := [operand for operand in "ABD" if operand not in file.layouts]:
        verb = "is" if len(missing) == 1 else "are"
        message = f"{listed([quoted(m) for m in missing])} {verb} missing from 'layouts'"
        yield document.at("spec-missing-field", ("layouts",), message, key=True)
        faults = True
    for name, spec in file.layouts.items():
        for check in (_coordinates, _undeclared, _twice, _holes, _unused):
            if problems := list(check(document, ("layouts", name), spec)):
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


def _coordinates(document: Document, at: Path, spec: LayoutSpec) -> Iterator[Diagnostic]:
    """Yield coordinates that the operand does not have, or those that are not there."""
    wanted = COORDINATES[operand_of(str(at[-1]))]
    for name in spec.coordinates:
        if name not in wanted:
            message = f"{quoted(at[-1])} has no field {quoted(name)}: it has {listed(wanted)}"
            yield document.at("spec-unknown-field", (*at, name), message, key=True)
    for name in wanted:
        if name not in spec.coordinates:
            message = f"{quoted(name)} is missing from {quoted(at[-1])}"
            yield document.at("spec-missing-field", at, message, key=True)


def _entries(spec: LayoutSpec, side: str) -> Iterator[tuple[str, Path]]:
    """Yield the digits of one side, coordinates or slots, and where each stands."""
    slots = {"lane": spec.lane, "item": spec.item}
    for name, digits in (spec.coordinates if side == "coordinates" else slots).items():
        yield from ((digit, (name, n)) for n, digit in enumerate(digits))


def _undeclared(document: Document, at: Path, spec: LayoutSpec) -> Iterator[Diagnostic]:
    holes = [(digit, ("holes", n)) for n, digit in enumerate(spec.holes)]
    for digit, where in [*_entries(spec, "coordinates"), *_entries(spec, "slots"), *holes]:
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


def _holes(document: Document, at: Path, spec: LayoutSpec) -> Iterator[Diagnostic]:
    cut = dict(_entries(spec, "coordinates"))
    slots = dict(_entries(spec, "slots"))
    for n, digit in enumerate(spec.holes):
        if digit in cut or slots.get(digit, ("",))[0] != "item":
            why = "stands in a coordinate" if digit in cut else "does not stand in item"
            message = f"digit {quoted(digit)} cannot be a hole: it {why}"
            yield document.at("spec-digit-unused", (*at, "holes", n), message)


def _unused(document: Document, at: Path, spec: LayoutSpec) -> Iterator[Diagnostic]:
    cut = dict(_entries(spec, "coordinates"))
    slots = dict(_entries(spec, "slots"))
    for digit in spec.digits:
        if digit in spec.holes:
            continue
        if digit in cut and digit not in slots:
            message = f"digit {quoted(digit)} stands neither in lane nor in item"
            yield document.at("spec-digit-unused", (*at, *cut[digit]), message)
        elif digit not in cut and digit in slots and slots[digit][0] == "item":
            message = (
                f"digit {quoted(digit)} of item stands in no coordinate: it belongs in "
                f"{listed([quoted(c) for c in spec.coordinates], 'or')}"
            )
            hint = "a digit that a modifier fixes is named under 'holes'"
            yield document.at("spec-digit-unused", (*at, *slots[digit]), message, hint=hint)
        elif digit not in cut and digit not in slots:
            message = f"digit {quoted(digit)} is declared but stands in no list"
            yield document.at("spec-digit-unused", (*at, "digits", digit), message, key=True)


def _sizes(document: Document, file: TileFile) -> Iterator[Diagnostic]:
    """Yield rows and columns that differ from the tile's, where all their sizes are numbers.

    Where all layouts agree with each other, the name of the tile is to blame.
    """
    rows, columns = (int(part) for part in file.tile.split("x"))
    blamed: list[str] = []
    for name, what, wanted in (("i", "rows", rows), ("j", "columns", columns)):
        found = dict(_products(file, name))
        wrong = {layout: value for layout, value in found.items() if value != wanted}
        if len(found) > 1 and len(wrong) == len(found) and len(set(wrong.values())) == 1:
            blamed.append(f"{next(iter(wrong.values()))} {what}")
            continue
        for layout, value in wrong.items():
            spec = file.layouts[layout]
            message = (
                f"{quoted(name)} of {quoted(layout)} has {value} values "
                f"({product_text(spec, spec.coordinates[name])}); tile {file.tile} has "
                f"{wanted} {what}"
            )
            yield document.at("spec-size", ("layouts", layout, name), message)
    if blamed:
        message = f"tile {file.tile} has {listed(blamed)} after the digits of all its operands"
        yield document.at("spec-size", ("tile",), message)


def _products(file: TileFile, name: str) -> Iterator[tuple[str, int]]:
    """Yield layouts and how many values a coordinate of theirs has, if that is a number."""
    for layout, spec in file.layouts.items():
        if name in spec.coordinates:
            sizes = [spec.digits[digit] for digit in spec.coordinates[name]]
            numbers = [size for size in sizes if isinstance(size, int)]
            if len(numbers) == len(sizes):
                yield layout, prod(numbers)
