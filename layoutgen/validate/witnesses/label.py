"""What every witness is read as: labels."""

from __future__ import annotations

from dataclasses import dataclass

LANES = 64
ANY = -1
"""The block of a label that does not tell its block."""


@dataclass(frozen=True, order=True)
class Label:
    """Item ``item`` of lane ``lane`` is the element (``row``, ``col``) of block ``block``."""

    lane: int
    item: int
    block: int
    row: int
    col: int


@dataclass(frozen=True)
class Witness:
    """What one tool says of one operand of one instruction."""

    tool: str
    version: str
    name: str
    types: tuple[str, ...]
    """Element types of lhs, rhs and acc as the tool spells them; empty where it has none."""
    labels: tuple[Label, ...]
