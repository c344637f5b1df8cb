"""What the JSON tables say of an instruction."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from layoutgen.validate import truth
from layoutgen.validate.artefacts.formula import FormulaError
from layoutgen.validate.evaluated import Printed, forward, inverse
from layoutgen.validate.evidence import Claim, Evidence, TableSet
from layoutgen.validate.findings import Finding
from layoutgen.validate.setting import PLAIN, Modifiers
from layoutgen.validate.subject import Subject
from layoutgen.validate.tables import COORDINATES, SLOT_COLUMNS, OperandTable

KIND = "json"


def read(subject: Subject, path: Path, shown: Path) -> Evidence:
    """Return what the file in `path` says of the instruction; findings name it as `shown`."""
    try:
        return from_document(subject, shown, json.loads(path.read_text(encoding="utf-8")))
    except (ValueError, LookupError, TypeError) as error:
        text = f"{type(error).__name__}: {error}"
        return Evidence(findings=(_unread(subject, str(shown), text),))


def from_document(subject: Subject, path: Path, document: Mapping[str, Any]) -> Evidence:
    """Return what a document says of the instruction; raises for one of another form."""
    plain: dict[str, OperandTable] = {}
    modified: dict[tuple[str, Modifiers], OperandTable] = {}
    claims = [Claim("mnemonic", document["instruction"], KIND, str(path))]
    findings = []
    for number, one in enumerate(document["tables"]):
        where = f"{path}, table {number}"
        name, modifiers = one["operand"], Modifiers(**one["modifiers"])
        claims.append(Claim("mnemonic", one["instruction"], KIND, where))
        wanted = [*COORDINATES[name], *SLOT_COLUMNS]
        if one["columns"] != wanted:
            findings.append(_unread(subject, where, f"columns are {one['columns']}, not {wanted}"))
            continue
        table = _table(name, one["rows"], where, bool(one.get("negated")))
        if modifiers == PLAIN:
            plain[name] = table
        else:
            modified[name, modifiers] = table
    sets = [TableSet("JSON tables", KIND, plain, modified, complete=True)]
    claims += _claims(document["facts"], f"{path}, facts")
    sets += _formulas(subject, document["facts"]["operands"], f"{path}, facts", findings)
    counts = {("L1", KIND, "tables"): len(document["tables"])}
    return Evidence(tuple(sets), tuple(claims), tuple(findings), counts)


def _table(name: str, rows: list[list[int]], where: str, negated: bool) -> OperandTable:
    array = np.array(rows, dtype=np.int64).reshape(-1, 7)
    return OperandTable(
        name, COORDINATES[name], array, KIND, lambda n: f"{where}, row {n}", negated=negated
    )


def _claims(facts: Mapping[str, Any], where: str) -> Iterator[Claim]:
    """Facts of ``layoutgen show``."""
    names = {
        "m": "m", "n": "n", "k": "k", "blocks": "blocks", "ops": "ops", "cycles": "cycles",
        "passes": "passes", "coexec_cycles": "coexec", "ops_per_cycle_per_cu": "per_cu",
        "builtin": "builtin", "instruction": "mnemonic", "signature": "signature",
        "llvm_intrinsic": "intrinsic",
    }  # fmt: skip
    for key, field in names.items():
        yield Claim(field, facts[key], KIND, f"{where}, {key}")
    yield Claim("targets", tuple(facts["targets"]), KIND, f"{where}, targets")
    others = tuple(name for name in facts["aliases"] if name.startswith("v_"))
    yield Claim("spellings", others, KIND, f"{where}, aliases")
    for name, values in facts["modifiers"].items():
        yield Claim(name, tuple(values), KIND, f"{where}, modifiers.{name}")
    if facts["opcode"] is not None:
        yield Claim("opcode", facts["opcode"], KIND, f"{where}, opcode")
    if told := facts["arithmetic"]:
        text = truth.subnormals(told["subnormal_inputs"], told["subnormal_results"])
        yield Claim("subnormals", text, KIND, f"{where}, arithmetic")
    parts = {"type": "type", "bits": "bits", "c_type": "c_type", "registers": "registers",
             "elements_per_lane": "elements"}  # fmt: skip
    for operand, entry in facts["operands"].items():
        place = f"{where}, operands.{operand}"
        for key, field in parts.items():
            yield Claim(f"{operand}.{field}", entry[key], KIND, f"{place}.{key}")
        shape = entry["coordinates"]
        down, across = (shape[coordinate] for coordinate in COORDINATES[operand][1:])
        yield Claim(f"{operand}.rows", down, KIND, f"{place}.coordinates")
        yield Claim(f"{operand}.columns", across, KIND, f"{place}.coordinates")
        yield Claim("blocks", shape["b"], KIND, f"{place}.coordinates")


def _formulas(
    subject: Subject, operands: Mapping[str, Any], where: str, findings: list[Finding]
) -> Iterator[TableSet]:
    for direction, make in (("forward", forward), ("inverse", inverse)):
        tables = {}
        for name, entry in operands.items():
            place = f"{where}, operands.{name}.formulas.{direction}"
            try:
                printed = Printed(entry["formulas"][direction], place)
                tables[name] = make(subject, name, printed, KIND)
            except FormulaError as error:
                findings.append(_unread(subject, place, str(error)))
        yield TableSet(f"JSON formulas, {direction}", KIND, tables)


def _unread(subject: Subject, where: str, text: str) -> Finding:
    return Finding("L1", KIND, subject.mnemonic, where, "content", "cannot be read", text)
