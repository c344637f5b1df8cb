"""Checks of all files together: every name is defined once, and what is named is there.

What belongs to tiles and to instructions stands in :mod:`layoutgen.spec.checks_tile` and
:mod:`layoutgen.spec.checks_instruction`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path as FilePath
from typing import Any

from layoutgen.model import nearest
from layoutgen.spec.checks_instruction import Known, check_instructions
from layoutgen.spec.checks_tile import DIGIT_LISTS, check_tile
from layoutgen.spec.document import Document, Path
from layoutgen.spec.errors import Diagnostic, quoted
from layoutgen.spec.schema import (
    ArchitectureFile,
    DisagreementsFile,
    File,
    FormatsFile,
    FormatSpec,
    TileFile,
)


@dataclass(frozen=True)
class Checked:
    """A file of the right shape: its path, the document with its marks, and the data."""

    path: FilePath
    document: Document
    file: File


Places = dict[tuple[str, str], tuple[Document, Path]]
"""Where a name of a kind is defined."""

NOUNS = {
    "tile": "tile",
    "architecture": "architecture",
    "formats": "element type",
    "sources": "source",
    "disagreements": "disagreement",
}


def check_together(files: Sequence[Checked], incomplete: frozenset[str]) -> Iterator[Diagnostic]:
    """Yield what is wrong in files that have the right shape.

    Names of the kinds in `incomplete` are not missed: a file that was to define them is
    already refused.
    """
    places: Places = {}
    for checked in files:
        yield from _define(places, checked)
        yield from _repeats(checked.document, (), checked.document.data)
    known: dict[str, list[str]] = {kind: [] for kind in NOUNS}
    for kind, name in places:
        known[kind].append(name)
    tiles: dict[str, tuple[Document, TileFile]] = {}
    formats: dict[str, FormatSpec] = {}
    for checked in files:
        for kind, name, at in _references(checked.file):
            if name not in known[kind] and kind not in incomplete:
                message = f"there is no {NOUNS[kind]} {quoted(name)}{nearest(name, known[kind])}"
                yield checked.document.at("spec-unknown-name", at, message)
        if isinstance(checked.file, DisagreementsFile):
            yield from _check_readings(checked.document, checked.file)
        if isinstance(checked.file, FormatsFile):
            formats.update(checked.file.formats)
        if isinstance(checked.file, TileFile) and checked.file.tile not in tiles:
            problems = list(check_tile(checked.document, checked.file))
            yield from problems
            if problems:
                incomplete |= {"tile"}
            else:
                tiles[checked.file.tile] = checked.document, checked.file
    architectures = [
        (checked.document, checked.file)
        for checked in files
        if isinstance(checked.file, ArchitectureFile)
    ]
    yield from check_instructions(architectures, Known(tiles, formats, incomplete))


def _define(places: Places, checked: Checked) -> Iterator[Diagnostic]:
    """Note where the names of a file are defined; yield those that are defined already."""
    document, kind = checked.document, checked.file.kind
    for name, at in _definitions(checked.file):
        if (kind, name) not in places:
            places[kind, name] = document, at
            continue
        first, there = places[kind, name]
        mark = first.mark(there, key=_keyed(kind))
        message = f"the {NOUNS[kind]} {quoted(name)} is defined already"
        hint = (
            f"the first is in {first.path}:{mark.line}:{mark.column}; "
            "files can add to others, not replace"
        )
        yield document.at("spec-redefined", at, message, key=_keyed(kind), hint=hint)


def _keyed(kind: str) -> bool:
    """Whether the definitions of a kind are the keys of a mapping."""
    return kind not in ("tile", "architecture")


def _definitions(file: File) -> Iterator[tuple[str, Path]]:
    """Yield every name that a file defines, and where."""
    if isinstance(file, ArchitectureFile):
        yield file.architecture, (file.kind,)
        yield from ((alias, ("aliases", n)) for n, alias in enumerate(file.aliases))
    elif isinstance(file, TileFile):
        yield file.tile, (file.kind,)
    else:
        yield from ((name, (file.kind, name)) for name in file.names)


def _references(file: File) -> Iterator[tuple[str, str, Path]]:
    """Yield every name that a file takes from another: its kind, the name, and where it stands."""
    if isinstance(file, TileFile):
        for operand in "ABD":
            for n, key in enumerate(file.layouts[operand].sources):
                yield "sources", key, ("layouts", operand, "sources", n)
    if isinstance(file, ArchitectureFile):
        for n, key in enumerate(file.sources):
            yield "sources", key, ("sources", n)
        for n, key in enumerate(file.disagreements):
            yield "disagreements", key, ("disagreements", n)


def _check_readings(document: Document, file: DisagreementsFile) -> Iterator[Diagnostic]:
    for key, spec in file.disagreements.items():
        at: Path = ("disagreements", key)
        names = [reading.name for reading in spec.readings]
        for n, name in enumerate(names):
            if name in names[:n]:
                message = f"a reading {quoted(name)} is there already"
                yield document.at("spec-repeated", (*at, "readings", n, "name"), message)
        if spec.followed not in names:
            message = (
                f"{quoted(key)} has no reading {quoted(spec.followed)}"
                f"{nearest(spec.followed, names)}; there are {', '.join(names)}"
            )
            yield document.at("spec-unknown-name", (*at, "followed"), message)


def _repeats(document: Document, at: Path, data: Any) -> Iterator[Diagnostic]:
    """Yield entries that stand twice in a list of names; lists of digits have their own check."""
    if isinstance(data, Mapping):
        for name, value in data.items():
            if not (document.kind == "tile" and name in DIGIT_LISTS) and name != "aliases":
                yield from _repeats(document, (*at, name), value)
    elif isinstance(data, list):
        for n, value in enumerate(data):
            if isinstance(value, str) and value in data[:n]:
                message = f"{quoted(value)} stands twice in {quoted(at[-1])}"
                yield document.at("spec-repeated", (*at, n), message)
            yield from _repeats(document, (*at, n), value)
