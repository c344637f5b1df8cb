"""Numbers, ranges and names as a reader sees them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from layoutgen.model import Architecture, Instruction, Operand
    from layoutgen.tables import Share

HEADERS = {"b": "Block", "i": "Rows", "j": "Columns", "k": "k", "group": "Groups"}
"""Column titles of the coordinates."""

NOUNS = {"b": "block", "i": "row", "j": "column", "k": "k", "group": "group"}
PLURALS = {"b": "blocks", "i": "rows", "j": "columns", "k": "k", "group": "groups"}

NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


def span(values: range) -> str:
    """Return a range with both ends included: ``0–31``, or ``4`` for one value."""
    return str(values.start) if len(values) == 1 else f"{values.start}–{values[-1]}"


def count(value: int, noun: str, plural: str = "") -> str:
    """Return a number with its noun: ``two blocks``, ``16 blocks``, ``1 024 …`` stays digits."""
    return f"{number(value)} {noun if value == 1 else plural or noun + 's'}"


def number(value: int) -> str:
    """Return a small number as a word, another one in digits."""
    return NUMBERS[value] if 0 <= value < len(NUMBERS) else str(value)


def passes(value: int) -> str:
    """Return a number of passes: ``8 passes``."""
    return f"{value} pass" if value == 1 else f"{value} passes"


def size(tile: str) -> str:
    """Return a tile shape with multiplication signs: ``32×32``."""
    return tile.replace("x", "×")


def shape(inst: Instruction) -> str:
    """Return ``32×32×8``."""
    return f"{inst.m}×{inst.n}×{inst.k}"


def register_name(operand: Operand) -> str:
    """Return what the registers of an operand are called: ``accVGPR`` where it must be one."""
    return "accVGPR" if operand.register_files == ("a",) else "VGPR"


def register_files(operand: Operand) -> str:
    """Return the register files that may hold the operand: ``archVGPRs or accVGPRs``."""
    names = {"v": "archVGPRs", "a": "accVGPRs"}
    return " or ".join(names[file] for file in operand.register_files)


UNITS = {"index": "index pair", "scale_a": "scale", "scale_b": "scale"}
"""What an element of an operand is called, where it is no element of a matrix."""


def unit(operand: Operand) -> str:
    """Return what one element of the operand is called."""
    return UNITS.get(operand.name, "element")


def share(part: Share, full: dict[str, int]) -> str:
    """Return what a group of lanes holds: ``block 1, columns 0–15``; whole extents are left out.

    `full` are the sizes of the coordinates.
    """
    pieces = [
        f"{NOUNS[name] if len(values) == 1 else PLURALS[name]} {span(values)}"
        for name, values in part.coordinates
        if len(values) < full[name]
    ]
    return ", ".join(pieces) if pieces else "everything"


def listing(values: Iterable[int]) -> str:
    """Return numbers in a row: ``0, 0, 2, 2``."""
    return ", ".join(map(str, values))


def decimal(value: float) -> str:
    """Return a number with one decimal place: ``184.6``."""
    return f"{value:.1f}"


def whole(value: float) -> str:
    """Return a number without a fraction where it has none: ``256``, ``22.5``."""
    return f"{value:g}"


def plain_name(title: str) -> str:
    """Return a title as a part of labels and file names: small letters, digits, hyphens."""
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")


def plain_names(archs: Sequence[Architecture]) -> dict[str, tuple[str, ...]]:
    """Return, for each architecture, names that no other one has: its own, and its title where
    that is not taken: ``gfx908, cdna``.
    """
    taken = {arch.name for arch in archs}
    found: dict[str, tuple[str, ...]] = {}
    for arch in archs:
        title = plain_name(arch.title)
        found[arch.name] = (arch.name, *([title] if title and title not in taken else []))
        taken.add(title)
    return found
