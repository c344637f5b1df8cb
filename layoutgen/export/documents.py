"""Tables and instructions as JSON documents, with a schema version."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from layoutgen.disputes import touching
from layoutgen.formulas import Formulas
from layoutgen.model import CYCLES_PER_PASS, Architecture, Instruction, Operand
from layoutgen.printing import PYTHON, Notation, render

SCHEMA_VERSION = 1
"""Raised when a key changes its meaning or goes; new keys may come without."""

Document = dict[str, Any]


def heading(arch: Architecture, inst: Instruction, operand: Operand) -> Document:
    """Return what every document about an operand begins with."""
    return {
        "schema_version": SCHEMA_VERSION,
        "arch": arch.name,
        "instruction": inst.mnemonic,
        "operand": operand.name,
        "wave": arch.wave,
        "modifiers": operand.modifiers.as_dict(),
    }


def table(
    arch: Architecture,
    inst: Instruction,
    operand: Operand,
    rows: Iterable[Iterable[int]] | None = None,
) -> Document:
    """Return the layout of an operand: all its elements, or only `rows`, by `columns`."""
    kept = operand.table().tolist() if rows is None else [list(row) for row in rows]
    return {**heading(arch, inst, operand), "columns": list(operand.columns), "rows": kept}


def architecture(arch: Architecture) -> Document:
    """Return what is known about an architecture, without its instructions."""
    return {
        "arch": arch.name,
        "aliases": list(arch.aliases),
        "title": arch.title,
        "series": arch.series,
        "wave": arch.wave,
        "matrix_cores_per_cu": arch.matrix_cores_per_cu,
        "instructions": len(arch),
    }


def summary(inst: Instruction) -> Document:
    """Return an instruction in short, for a list of them."""
    return {
        "instruction": inst.mnemonic,
        "builtin": inst.builtin,
        "aliases": list(inst.aliases),
        "m": inst.m,
        "n": inst.n,
        "k": inst.k,
        "blocks": inst.blocks,
        "types": {name: operand.format.name for name, operand in inst.operands.items()},
        "registers": {name: operand.registers for name, operand in inst.operands.items()},
        "cycles": inst.cycles,
    }


def instruction(
    arch: Architecture,
    inst: Instruction,
    modifiers: Mapping[str, int] | None = None,
    notation: Notation = PYTHON,
) -> Document:
    """Return all that is known about an instruction; formulas are those under `modifiers`.

    In the formulas, `register` and `bit` are as in the columns of :func:`table`.
    """
    operands = {name: inst.operand(name, **(modifiers or {})) for name in inst.operands}
    cycles = inst.cycles_under(**(modifiers or {}))
    sources = {s.id: s for o in operands.values() for s in o.provenance.sources}
    return {
        "schema_version": SCHEMA_VERSION,
        "arch": arch.name,
        "instruction": inst.mnemonic,
        "builtin": inst.builtin,
        "llvm_intrinsic": inst.llvm_intrinsic,
        "aliases": list(inst.aliases),
        "targets": list(inst.targets),
        "m": inst.m,
        "n": inst.n,
        "k": inst.k,
        "blocks": inst.blocks,
        "wave": arch.wave,
        "operands": {name: _operand(operand, notation) for name, operand in operands.items()},
        "ops": inst.ops,
        "cycles": cycles,
        "passes": cycles // CYCLES_PER_PASS,
        "coexec_cycles": inst.coexec_cycles,
        "ops_per_cycle_per_cu": inst.ops * arch.matrix_cores_per_cu / cycles,
        "modifiers": inst.rules.legal(),
        "signature": inst.signature,
        "provenance": {
            name: {
                "grade": operand.provenance.grade,
                "by": operand.provenance.by,
                "sources": [source.id for source in operand.provenance.sources],
            }
            for name, operand in operands.items()
        },
        "sources": {key: {"title": s.title, "url": s.url} for key, s in sources.items()},
        "disagreements": [
            {"id": d.id, "title": d.title, "followed": d.followed} for d in touching(arch, inst)
        ],
    }


def dumps(document: Document) -> str:
    """Return `document` as JSON: indented, and each row of a table on one line."""
    rows = document.get("rows")
    if rows is None:
        return json.dumps(document, indent=2, ensure_ascii=False) + "\n"
    head = json.dumps({k: v for k, v in document.items() if k != "rows"}, ensure_ascii=False)
    lines = ",\n".join(map(json.dumps, rows))
    return f'{head[:-1]}, "rows": [\n{lines}\n]}}\n'


def formulas_in(formulas: Formulas, notation: Notation) -> dict[str, dict[str, str]]:
    """Return the formulas of both directions as text in `notation`."""
    return {
        "forward": {name: render(e, notation) for name, e in formulas.forward.items()},
        "inverse": {name: render(e, notation) for name, e in formulas.inverse.items()},
    }


def _operand(operand: Operand, notation: Notation) -> Document:
    return {
        "type": operand.format.name,
        "bits": operand.format.bits,
        "c_type": operand.c_type,
        "elements_per_lane": operand.elements_per_lane,
        "registers": operand.registers,
        "register_files": list(operand.register_files),
        "coordinates": operand.layout.shape,
        "formulas": formulas_in(operand.formulas, notation),
    }
