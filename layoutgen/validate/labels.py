"""Leg L2: the labels of the tables equal the labels of witnesses.

A product is the same whatever its rows, columns, k and blocks are called, as long as A, B, C and
D agree: no run can tell.  Compilers that use the instructions have names for them, and those
were written down (:mod:`layoutgen.validate.witnesses`).
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np

from layoutgen.validate.codes import REGISTER_BITS, IntArray
from layoutgen.validate.findings import Finding
from layoutgen.validate.tables import COORDINATES, OperandTable
from layoutgen.validate.witnesses.label import ANY, Witness
from layoutgen.validate.witnesses.reading import as_array, find

KNOWN_FILE = Path(__file__).parent / "witnesses" / "known.json"
SHOWN = 4
_NOTHING = -2

# Coordinates of an operand in the order of a witness's block, row and column.
_ORDER = COORDINATES

MLIR_TYPES = {
    "fp8_e4m3fnuz": "f8E4M3FNUZ",
    "bf8_e5m2fnuz": "f8E5M2FNUZ",
    "fp8_e4m3": "f8E4M3FN",
    "bf8_e5m2": "f8E5M2",
    "fp6_e2m3": "f6E2M3FN",
    "bf6_e3m2": "f6E3M2FN",
    "fp4_e2m1": "f4E2M1FN",
}
"""What a witness calls the formats that codes choose; where codes choose, it must be the same."""


@dataclass(frozen=True)
class KnownDisagreement:
    """A witness that is known to say otherwise, with the reason why we do not follow it."""

    arch: str
    instruction: str
    operand: str
    tool: str
    reason: str
    type: str = ""
    """The element type that it is about, as the tool calls it; any without."""


@lru_cache(maxsize=1)
def known_disagreements() -> tuple[KnownDisagreement, ...]:
    """Return the list of disagreements that are known and explained."""
    document = json.loads(KNOWN_FILE.read_text(encoding="utf-8"))
    return tuple(KnownDisagreement(**entry) for entry in document["disagreements"])


@dataclass(frozen=True)
class Verdict:
    """What the witnesses of one operand say of a table."""

    labels: int
    agreeing: tuple[str, ...]
    findings: tuple[Finding, ...]


def witnesses_of(arch: str, instruction: str, operand: str) -> tuple[Witness, ...]:
    """Return the witnesses that speak of an operand."""
    return _find(arch, instruction, operand)


def compare(
    arch: str,
    instruction: str,
    table: OperandTable,
    kind: str = "",
    known: Sequence[KnownDisagreement] | None = None,
) -> Verdict:
    """Hold a table against every witness of its operand, and of its element type `kind`.

    A disagreement that is not known is a finding, and so is a known one that is no more.
    """
    labels = 0
    agreeing: list[str] = []
    findings: list[Finding] = []
    for witness, wanted in _arrays(arch, instruction, table.operand):
        spoken = _type_of(witness, table.operand)
        if spoken in MLIR_TYPES.values() and spoken != MLIR_TYPES.get(kind, spoken):
            continue
        name = f"{witness.tool} {witness.version}"
        expected = [
            d
            for d in (known_disagreements() if known is None else known)
            if (d.arch, d.instruction, d.operand, d.tool)
            == (arch, instruction, table.operand, witness.tool)
            and d.type in ("", spoken)
        ]
        differing = _differences(table, wanted)
        labels += len(table.rows)
        if not differing:
            agreeing.append(witness.tool)
        if bool(differing) == bool(expected):
            continue
        if expected:
            findings.append(_vanished(table, instruction, name, expected[0]))
        for row, text in differing[:SHOWN]:
            said = f"at {table.slot_of(row)}"
            where = table.where(row)
            against = f"{name} ({witness.name}) has there {text}"
            findings.append(
                Finding("L2", table.artefact, instruction, where, table.element(row), said, against)
            )
        if len(differing) > SHOWN:
            row = differing[SHOWN][0]
            rest = f"{len(differing) - SHOWN} more elements of {table.operand}"
            where = table.where(row)
            findings.append(
                Finding("L2", table.artefact, instruction, where, rest, "differ", f"{name} differs")
            )
    return Verdict(labels, tuple(dict.fromkeys(agreeing)), tuple(findings))


def _type_of(witness: Witness, operand: str) -> str:
    """The element type of an operand of which a witness speaks, as it calls it."""
    at = {"A": 0, "B": 1}.get(operand)
    return witness.types[at] if at is not None and witness.types else ""


@lru_cache(maxsize=256)
def _find(arch: str, instruction: str, operand: str) -> tuple[Witness, ...]:
    return find(arch, instruction, operand)


@lru_cache(maxsize=256)
def _arrays(arch: str, instruction: str, operand: str) -> tuple[tuple[Witness, IntArray], ...]:
    """Each witness with its labels: lane, item, block, row, column."""
    return tuple((one, as_array(one.labels)) for one in _find(arch, instruction, operand))


def _differences(table: OperandTable, labels: IntArray) -> list[tuple[int, str]]:
    """Rows whose slot has another label, with that label in words."""
    names = _ORDER[table.operand]
    rows = table.rows
    item = (rows[:, 4] * REGISTER_BITS + rows[:, 5]) // rows[:, 6].clip(1)
    lanes, items = int(labels[:, 0].max()) + 1, int(labels[:, 1].max()) + 1
    at = np.full((lanes, items, 3), _NOTHING, dtype=np.int64)
    at[labels[:, 0], labels[:, 1]] = labels[:, 2:]
    inside = (rows[:, 3] >= 0) & (rows[:, 3] < lanes) & (item >= 0) & (item < items)
    found = np.full((len(rows), 3), _NOTHING, dtype=np.int64)
    found[inside] = at[rows[inside, 3], item[inside]]
    columns = [table.coordinates.index(name) for name in names]
    told = found != ANY
    told[~inside] = True
    wrong = np.flatnonzero(((found != rows[:, columns]) & told).any(axis=1))
    texts = []
    for row in wrong.tolist():
        pairs = zip(names, found[row].tolist(), strict=True)
        named = ", ".join(f"{name}={value}" for name, value in pairs if value != ANY)
        texts.append((row, f"{table.operand}[{named}]" if inside[row] else "nothing"))
    return texts


def _vanished(
    table: OperandTable, instruction: str, tool: str, known: KnownDisagreement
) -> Finding:
    return Finding(
        "L2",
        table.artefact,
        instruction,
        KNOWN_FILE.name,
        f"{known.operand}, {known.tool}",
        f"listed as a disagreement: {known.reason}",
        f"{tool} agrees with the table",
    )
