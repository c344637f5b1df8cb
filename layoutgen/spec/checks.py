"""Checks of all files together: every name is defined once, and what is named is there.

What belongs to tiles, families and instructions stands in :mod:`layoutgen.spec.checks_tile`,
:mod:`layoutgen.spec.checks_family` and :mod:`layoutgen.spec.checks_instruction`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path as FilePath
from typing import Any

from layoutgen.model import nearest
from layoutgen.spec.checks_family import Known, check_families
from layoutgen.spec.checks_instruction import check_instructions
from layoutgen.spec.checks_tile import DIGIT_LISTS, check_tile
from layoutgen.spec.document import Document, Path
from layoutgen.spec.errors import Diagnostic, quoted
from layoutgen.spec.mnemonic import meant
from layoutgen.spec.schema import DisagreementsFile, File, FormatsFile, FormatSpec, TileFile
from layoutgen.spec.schema_instructions import ArchitectureFile, FamiliesFile, FamilySpec


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
    "families": "family",
    "instruction": "instruction",
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
    if "families" in incomplete:
        incomplete |= {"instruction"}
    known: dict[str, list[str]] = {kind: [] for kind in NOUNS}
    for kind, name in places:
        known[kind].append(name)
    tiles: dict[str, tuple[Document, TileFile]] = {}
    formats: dict[str, FormatSpec] = {}
    families: list[tuple[Document, str, FamilySpec]] = []
    for checked in files:
        yield from _check_references(checked, known, incomplete)
        match checked.file:
            case DisagreementsFile():
                yield from _check_readings(checked.document, checked.file)
            case ArchitectureFile():
                yield from _check_arithmetic(checked.document, checked.file)
            case FormatsFile():
                formats.update(checked.file.formats)
                yield from _check_encodings(checked.document, checked.file)
            case FamiliesFile():
                every = checked.file.families.items()
                families += [(checked.document, key, family) for key, family in every]
            case TileFile() if checked.file.tile not in tiles:
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
    yield from check_families(families, Known(tiles, formats, incomplete))
    yield from check_instructions(architectures, {k: f for _, k, f in families}, formats)


def _define(places: Places, checked: Checked) -> Iterator[Diagnostic]:
    """Note where the names of a file are defined; yield those that are defined already."""
    document = checked.document
    for kind, name, at in _definitions(checked.file):
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
    return kind not in ("tile", "architecture", "instruction")


def _definitions(file: File) -> Iterator[tuple[str, str, Path]]:
    """Yield every name that a file defines: its kind, the name, and where it stands."""
    if isinstance(file, ArchitectureFile):
        yield file.kind, file.architecture, (file.kind,)
        yield from ((file.kind, alias, ("aliases", n)) for n, alias in enumerate(file.aliases))
    elif isinstance(file, TileFile):
        yield file.kind, file.tile, (file.kind,)
    else:
        yield from ((file.kind, name, (file.kind, name)) for name in file.names)
    if isinstance(file, FamiliesFile):
        for key, family in file.families.items():
            for n, name in enumerate(family.instructions):
                if name not in family.instructions[:n]:  # that is told as a repeated entry
                    yield "instruction", name, (file.kind, key, "instructions", n)


def _check_references(
    checked: Checked, known: Mapping[str, list[str]], incomplete: frozenset[str]
) -> Iterator[Diagnostic]:
    """Yield every name that a file takes from another one that does not define it."""
    for kind, name, at in _references(checked.file):
        if name in known[kind] or kind in incomplete:
            continue
        near = nearest(name, known[kind])
        message = f"there is no {NOUNS[kind]} {quoted(name)}{near}"
        hint = (
            f"write {meant(name)}" if kind == "instruction" and meant(name) in known[kind] else ""
        )
        key = kind == "instruction" and isinstance(checked.file, ArchitectureFile)
        yield checked.document.at("spec-unknown-name", at, message, key=key, hint=hint)


def _references(file: File) -> Iterator[tuple[str, str, Path]]:
    """Yield every name that a file takes from another: its kind, the name, and where it stands."""
    match file:
        case ArchitectureFile():
            for name in ("sources", "disagreements"):
                yield from _listed(name, getattr(file, name), (name,))
            for n, evidence in enumerate(file.evidence):
                for name in ("sources", "families"):
                    yield from _listed(name, getattr(evidence, name), ("evidence", n, name))
            for n, arithmetic in enumerate(file.arithmetic):
                for name in ("sources", "formats"):
                    yield from _listed(name, getattr(arithmetic, name), ("arithmetic", n, name))
            for name, format in file.formats.items():
                yield "formats", format, ("formats", name)
            yield from (("instruction", i, ("instructions", i)) for i in file.instructions)
        case FamiliesFile():
            for key, family in file.families.items():
                for operand, format in family.formats.items():
                    yield "formats", format, ("families", key, "formats", operand)
                for n, code in enumerate(family.codes):
                    yield "formats", code.format, ("families", key, "codes", n, "format")
        case DisagreementsFile():
            for key, spec in file.disagreements.items():
                at = ("disagreements", key, "instructions")
                yield from _listed("instruction", spec.instructions, at)


def _listed(kind: str, names: Sequence[str], at: Path) -> Iterator[tuple[str, str, Path]]:
    return ((kind, name, (*at, n)) for n, name in enumerate(names))


def _check_encodings(document: Document, file: FormatsFile) -> Iterator[Diagnostic]:
    """The parts of an encoding are as wide as the element."""
    for key, spec in file.formats.items():
        if (encoding := spec.encoding) is None:
            continue
        sign = encoding.specials != "scale"
        bits = sign + encoding.exponent + encoding.mantissa
        if bits != spec.bits:
            message = (
                f"the encoding of {quoted(key)} has {bits} bits ({int(sign)} + "
                f"{encoding.exponent} + {encoding.mantissa}), and the element {spec.bits}"
            )
            yield document.at("spec-contradiction", ("formats", key, "encoding"), message)


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


def _check_arithmetic(document: Document, file: ArchitectureFile) -> Iterator[Diagnostic]:
    """A format has one entry."""
    seen: list[str] = []
    for n, entry in enumerate(file.arithmetic):
        for m, name in enumerate(entry.formats):
            if name in seen:
                message = f"the arithmetic of {quoted(name)} is told already"
                yield document.at("spec-repeated", ("arithmetic", n, "formats", m), message)
        seen += entry.formats


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
