"""Tables and instructions as JSON documents, with a schema version."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from layoutgen.alike import made_by
from layoutgen.assembly import assembly
from layoutgen.disputes import touching
from layoutgen.facts import Arithmetic, Disagreement, Hazard
from layoutgen.formats import NumberFormat
from layoutgen.formulas import Formulas
from layoutgen.hazards import waits
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
    """Return the layout of an operand: all its elements, or only `rows`, by `columns`.

    `negated` is true where the multiplier takes the operand with its sign changed.
    """
    kept = operand.table().tolist() if rows is None else [list(row) for row in rows]
    sign = {"negated": True} if operand.negated else {}
    return {**heading(arch, inst, operand), **sign, "columns": list(operand.columns), "rows": kept}


def architecture(arch: Architecture) -> Document:
    """Return what is known about an architecture, without its instructions."""
    return {
        "arch": arch.name,
        "aliases": list(arch.aliases),
        "title": arch.title,
        "series": arch.series,
        "wave": arch.wave,
        "matrix_cores_per_cu": arch.matrix_cores_per_cu,
        "register_alignment": arch.register_alignment,
        "unified_registers": arch.unified_registers,
        "instructions": len(arch),
    }


def architecture_in_full(arch: Architecture) -> Document:
    """Return all that is known about an architecture but its instructions."""
    from layoutgen.tables.rates import peaks

    return {
        **architecture(arch),
        "gpus": [
            {"name": g.name, "compute_units": g.compute_units, "clock_ghz": g.clock_ghz}
            for g in arch.gpus
        ],
        "exec_ignored": arch.exec_ignored,
        "overflow": arch.overflow or None,
        "arithmetic": [
            {
                "formats": list(entry.formats),
                **arithmetic(entry),
                "grade": entry.provenance.grade,
                "by": entry.provenance.by,
                "sources": [source.id for source in entry.provenance.sources],
            }
            for entry in arch.arithmetic
        ],
        "formats": {name: number_format(f) for name, f in arch.formats.items()},
        "peaks": [
            {
                "gpu": peak.gpu.name,
                "format": peak.format.name,
                "sparse": peak.sparse,
                "ops_per_cycle_per_cu": peak.per_cu,
                "tera_ops": peak.tera_ops,
            }
            for peak in peaks(arch)
        ],
        "hazards": [hazard(h) for h in arch.hazards],
        "disagreements": [disagreement(d) for d in arch.disagreements],
        "sources": {s.id: {"title": s.title, "url": s.url} for s in arch.sources},
    }


def arithmetic(entry: Arithmetic) -> Document:
    """Return what becomes of subnormal numbers, in A and B and in C and D, and the rounding."""
    return {
        "subnormal_inputs": entry.inputs,
        "subnormal_results": entry.results,
        "rounding": entry.rounding,
    }


def disagreement(entry: Disagreement) -> Document:
    """Return a place where sources differ."""
    return {
        "id": entry.id,
        "title": entry.title,
        "question": entry.question,
        "about": entry.about,
        "readings": [{"name": r.name, "claim": r.claim, "who": r.who} for r in entry.readings],
        "followed": entry.followed,
        "settled_by": entry.settled_by,
    }


def hazard(entry: Hazard) -> Document:
    """Return wait states: one number, or one for each number of passes."""
    by_passes = {str(n): entry.wait(n) for n in entry.passes}
    return {"first": entry.first, "then": entry.then, "states": by_passes or entry.waits[0]}


def number_format(entry: NumberFormat) -> Document:
    """Return what is known about an element type; integers have no encoding."""
    e = entry.encoding
    if e is None:
        return {"title": entry.title, "bits": entry.bits, "encoding": None}
    return {
        "title": entry.title,
        "bits": entry.bits,
        "encoding": {
            "sign": int(e.signed),
            "exponent": e.exponent,
            "mantissa": e.mantissa,
            "bias": e.bias,
            "precision": e.mantissa if e.precision is None else e.precision,
            "max": e.max,
            "min_normal": e.min_normal,
            "min_subnormal": e.min_subnormal,
            "nans": [[codes.start, codes.stop - 1] for codes in e.nans],
            "infinities": list(e.infinities),
            "negative_zero": e.negative_zero,
        },
    }


def summary(inst: Instruction, modifiers: Mapping[str, int] | None = None) -> Document:
    """Return an instruction in short, for a list of them, in the formats of `modifiers`."""
    given = modifiers or {}
    operands = {name: inst.operand(name, **given) for name in inst.operands}
    return {
        "instruction": inst.mnemonic,
        "builtin": inst.builtin,
        "aliases": list(inst.aliases),
        "m": inst.m,
        "n": inst.n,
        "k": inst.k,
        "blocks": inst.blocks,
        "types": {name: operand.format.name for name, operand in operands.items()},
        "registers": {name: operand.registers for name, operand in operands.items()},
        "cycles": inst.cycles_under(**given),
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
    told = arch.arithmetic_of(inst, **(modifiers or {}))
    return {
        "schema_version": SCHEMA_VERSION,
        "arch": arch.name,
        "instruction": inst.mnemonic,
        "kind": inst.kind,
        "builtin": inst.builtin,
        "made_by": _made_by(arch, inst),
        "llvm_intrinsic": inst.llvm_intrinsic,
        "aliases": list(inst.aliases),
        "targets": list(inst.targets),
        "m": inst.m,
        "n": inst.n,
        "k": inst.k,
        "blocks": inst.blocks,
        "wave": arch.wave,
        "assembly": assembly(inst, **(modifiers or {})),
        "opcode": inst.opcode,
        "operands": {name: operand_facts(operand, notation) for name, operand in operands.items()},
        "ops": inst.ops,
        "cycles": cycles,
        "passes": cycles // CYCLES_PER_PASS,
        "coexec_cycles": inst.coexec_cycles,
        "ops_per_cycle_per_cu": inst.ops * arch.matrix_cores_per_cu / cycles,
        "arithmetic": arithmetic(told) if told else None,
        "modifiers": inst.rules.legal(),
        "formats_by_code": {
            name: [operand.format.name for operand in each]
            for name, each in inst.alternatives.items()
        },
        "wait_states": [
            {"first": w.hazard.first, "then": w.then, "states": w.states}
            for w in waits(arch, inst, **(modifiers or {}))
        ],
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


def _made_by(arch: Architecture, inst: Instruction) -> str | None:
    """Return the builtin of which the compiler makes an instruction that has none of its own."""
    maker = None if inst.builtin else made_by(inst, arch)
    return maker.builtin if maker else None


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


def operand_facts(operand: Operand, notation: Notation = PYTHON) -> Document:
    """Return what is known about an operand: type, sizes, where it may lie, formulas."""
    return {
        "type": operand.format.name,
        "bits": operand.format.bits,
        "c_type": operand.c_type,
        "elements_per_lane": operand.elements_per_lane,
        "registers": operand.registers,
        "register_files": list(operand.register_files),
        "alignment": operand.alignment,
        "negated": operand.negated,
        "coordinates": operand.layout.shape,
        "formulas": formulas_in(operand.formulas, notation),
    }
