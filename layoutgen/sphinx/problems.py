"""Warnings of the extension: one kind for each thing that a writer can put right.

Every warning has the type ``layoutgen`` and one of these subtypes, a place, and a message that
says what would be right. ``suppress_warnings = ["layoutgen.name"]`` silences one kind,
``["layoutgen"]`` all of them.
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from typing import TYPE_CHECKING, Literal, TypeAlias

from sphinx.util import logging

if TYPE_CHECKING:
    from docutils.nodes import Node

Subtype: TypeAlias = Literal[
    "ambiguous",
    "config",
    "duplicate",
    "font",
    "math",
    "modifier",
    "name",
    "option",
    "reference",
    "spec",
]

DESCRIPTIONS: dict[Subtype, str] = {
    "ambiguous": "The argument of a directive has no architecture, several have the instruction, "
    "and ``layoutgen_default_arch`` does not choose one of them.",
    "config": "A value in ``conf.py`` has no effect: its name is not one of the extension's, or "
    "it names an architecture that is not there.",
    "duplicate": "An instruction of an architecture is described in two places. The first one "
    "stays the target of references; ``:no-index:`` says that the other is meant to be a copy.",
    "font": "The title of a figure has signs that its PDF file cannot show: the font, DejaVu Sans, "
    "lacks them, or they are written from right to left.",
    "math": "A formula has no MathML; the page shows its source "
    "(``layoutgen.sphinx.mathml`` only).",
    "modifier": "A value of ``cbsz``, ``blgp`` or another field that the instruction does not "
    "take, or that does nothing to what is shown.",
    "name": "A directive names an architecture, an instruction, a tile shape, an operand or a "
    "block that is not there.",
    "option": "An option of a directive is unknown, is missing, has a wrong value, or would do "
    "nothing.",
    "reference": "A role names an instruction or a builtin that no page describes.",
    "spec": "A specification file does not hold. The place is the line in that file.",
}
"""Every subtype and what it stands for."""

logger = logging.getLogger("sphinx.ext.layoutgen")


class Problem(Exception):
    """What a directive cannot do, and why: a message for the writer of the page."""

    def __init__(self, subtype: Subtype, message: str) -> None:
        """Keep the kind and the text."""
        super().__init__(message)
        self.subtype: Subtype = subtype


def warn(subtype: Subtype, message: str, location: str | Node | tuple[str, int] | None) -> None:
    """Log one warning; `location` is a node, a place, or a text such as ``file:line``."""
    logger.warning("%s", message, location=location, type="layoutgen", subtype=subtype)


def nearest(name: str, known: Iterable[str], count: int = 3) -> str:
    """Return ``; nearest: …`` with the names most like `name`, or an empty text."""
    close = get_close_matches(name, list(known), n=count, cutoff=0.6)
    return f"; nearest: {', '.join(close)}" if close else ""


def listing(names: Iterable[str], last: str = "and") -> str:
    """Return ``a, b and c``."""
    *most, final = names
    return f"{', '.join(most)} {last} {final}" if most else final
