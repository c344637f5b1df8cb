"""A whole architecture as one JSON document: facts, layouts as digits, formulas, and tables.

The document has a schema, :data:`SCHEMA_FILE`, and a `schema_version`, which is raised when a key
changes its meaning or goes.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from layoutgen import __version__
from layoutgen.digits import Digit, LayoutError
from layoutgen.export import documents
from layoutgen.export.cute import cute_layout
from layoutgen.export.linear import linear_layout
from layoutgen.model import Architecture, Instruction, Operand

SCHEMA_FILE = Path(__file__).with_name("architecture.schema.json")
SCHEMA_ID = "urn:layoutgen:architecture:1"
WIDTH = 100

Document = dict[str, Any]


def architecture_document(
    arch: Architecture,
    instructions: Iterable[Instruction] | None = None,
    *,
    operands: Iterable[str] | None = None,
    tables: bool = False,
    modifiers: Mapping[str, Any] | None = None,
) -> Document:
    """Return all that is known about `arch` as JSON data.

    `instructions` and `operands` keep only those.  `tables` adds the rows of every operand.
    With `modifiers`, which all `instructions` must have, operands are as they are read under them.
    """
    chosen = list(arch.values() if instructions is None else instructions)
    kept = None if operands is None else set(operands)
    given = modifiers or {}
    described = [_instruction(arch, inst, kept, given, tables=tables) for inst in chosen]
    sources = {source.id: source for source in arch.sources}
    for inst in chosen:
        for operand in inst.operands.values():
            sources |= {source.id: source for source in operand.provenance.sources}
    return {
        "schema": SCHEMA_ID,
        "schema_version": documents.SCHEMA_VERSION,
        "generator": f"layoutgen {__version__}",
        **{k: v for k, v in documents.architecture(arch).items() if k != "instructions"},
        "gpus": [
            {"name": g.name, "compute_units": g.compute_units, "clock_ghz": g.clock_ghz}
            for g in arch.gpus
        ],
        "sources": {key: {"title": s.title, "url": s.url} for key, s in sorted(sources.items())},
        "hazards": [documents.hazard(h) for h in arch.hazards],
        "formats": {name: documents.number_format(f) for name, f in arch.formats.items()},
        "disagreements": [documents.disagreement(d) for d in arch.disagreements],
        "instructions": described,
    }


def dumps(document: Document) -> str:
    """Return `document` as JSON text: what is short on one line, such as a row of a table."""
    return _text(document, 0) + "\n"


def schema_text() -> str:
    """Return the JSON Schema (draft 2020-12) of the document."""
    return SCHEMA_FILE.read_text(encoding="utf-8")


def _instruction(
    arch: Architecture,
    inst: Instruction,
    kept: set[str] | None,
    given: Mapping[str, Any],
    *,
    tables: bool,
) -> Document:
    facts = documents.instruction(arch, inst, given)
    for key in ("schema_version", "arch", "wave", "sources"):
        del facts[key]
    facts["disagreements"] = [entry["id"] for entry in facts["disagreements"]]
    names = [name for name in inst.operands if kept is None or name in kept]
    facts["operands"] = {
        name: {
            **facts["operands"][name],
            **_layout(inst.operand(name, **given), tables=tables),
            **_by_code(inst, name, tables=tables),
        }
        for name in names
    }
    facts["provenance"] = {name: facts["provenance"][name] for name in names}
    return facts


def _by_code(inst: Instruction, name: str, *, tables: bool) -> Document:
    """Return an operand in every format that a modifier chooses, by its code."""
    each = inst.alternatives.get(name, ())
    described = [{**documents.operand_facts(o), **_layout(o, tables=tables)} for o in each]
    return {"by_code": described} if described else {}


def _layout(operand: Operand, *, tables: bool) -> Document:
    layout = operand.layout
    rows = {"columns": list(operand.columns), "rows": operand.table().tolist()} if tables else {}
    return {
        "layout": {
            "coordinates": {name: _digits(cut) for name, cut in layout.coordinates.items()},
            "lane": _digits(layout.lane),
            "item": _digits(layout.item),
            "fixed": dict(layout.fixed),
        },
        "linear_layout": _bases(operand),
        "cute": _cute(operand),
        **rows,
    }


def _bases(operand: Operand) -> Document | None:
    try:
        return linear_layout(operand).as_dict()
    except LayoutError:  # a size that is no power of two, or another lane is read
        return None


def _cute(operand: Operand) -> str | None:
    try:
        return str(cute_layout(operand))
    except LayoutError:  # another lane is read
        return None


def _digits(digits: Iterable[Digit]) -> list[Document]:
    return [{"digit": d.name, "size": d.size} for d in digits]


def _text(value: Any, depth: int) -> str:
    """Return `value` on one line if it fits, else each entry on a line of its own."""
    if not isinstance(value, dict | list) or all(type(entry) is int for entry in value):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, dict):
        parts = [f"{json.dumps(key)}: {_text(entry, depth + 1)}" for key, entry in value.items()]
    else:
        parts = [_text(entry, depth + 1) for entry in value]
    left, right = "{}" if isinstance(value, dict) else "[]"
    length = sum(map(len, parts)) + 2 * len(parts) + 2 * depth
    if length <= WIDTH and not any("\n" in part for part in parts):
        return f"{left}{', '.join(parts)}{right}"
    inner = "  " * (depth + 1)
    lines = f",\n{inner}".join(parts)
    return f"{left}\n{inner}{lines}\n{inner[2:]}{right}"
