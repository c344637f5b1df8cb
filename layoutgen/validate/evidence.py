"""What artefacts say of one instruction: tables, tables under modifiers, and single facts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from layoutgen.validate.findings import Finding
from layoutgen.validate.setting import Modifiers
from layoutgen.validate.tables import OperandTable

Modified: TypeAlias = Mapping[tuple[str, Modifiers], OperandTable]
"""Tables by operand and the modifiers that it is read under."""

Value: TypeAlias = int | float | str | tuple[int, ...] | tuple[str, ...]


@dataclass(frozen=True)
class Claim:
    """A fact that an artefact states: `field` is a name that :mod:`.truth` knows."""

    field: str
    value: Value
    artefact: str
    where: str


@dataclass(frozen=True, eq=False)
class TableSet:
    """Tables of A, B, C and D from one kind of artefact.

    `modified` are tables under modifiers from the same artefact.  `complete` says that it has
    one for every legal setting, so that all combinations can be checked.
    """

    name: str
    artefact: str
    tables: Mapping[str, OperandTable]
    modified: Modified = field(default_factory=dict)
    complete: bool = False


@dataclass(frozen=True, eq=False)
class Evidence:
    """All that was read of one instruction; `findings` are what could not be read."""

    sets: tuple[TableSet, ...] = ()
    claims: tuple[Claim, ...] = ()
    findings: tuple[Finding, ...] = ()
    counts: Mapping[tuple[str, str, str], int] = field(default_factory=dict)


def merged(*parts: Evidence) -> Evidence:
    """Return all of `parts` as one."""
    counts: dict[tuple[str, str, str], int] = {}
    for part in parts:
        for key, number in part.counts.items():
            counts[key] = counts.get(key, 0) + number
    return Evidence(
        tuple(one for part in parts for one in part.sets),
        tuple(one for part in parts for one in part.claims),
        tuple(one for part in parts for one in part.findings),
        counts,
    )
