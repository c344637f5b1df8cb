"""Write what a validation proved into the package, for pages to tell: no dates, no times."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from layoutgen import proofs
from layoutgen.validate.report import ArchReport, Count, InstructionReport, KillRow, Report

SCHEMA_VERSION = 1

TOLD = ("facts", "products", "settings", "refused settings", "cells", "labels", "elements of D",
        "runs", "pages", "figures", "tables", "formulas")  # fmt: skip
"""The counts that are recorded: not those that change with the wording of a page."""


class NothingProved(ValueError):
    """A report with findings cannot be recorded as a proof."""


def documents(report: Report) -> dict[str, dict[str, Any]]:
    """Return the record of every architecture of a report, by its name."""
    return {arch.arch: _document(report, arch) for arch in report.archs}


def mutants(report: Report) -> dict[str, Any]:
    """Return the record of the faults that were made, over all architectures of a report."""
    return {
        "schema_version": SCHEMA_VERSION,
        "instructions": max((row.instructions for row in report.kills), default=0),
        "kinds": [_row(row) for row in report.kills],
    }


def write(report: Report) -> list[Path]:
    """Write the records; raises :class:`NothingProved` if anything was found."""
    if not report.holds:
        raise NothingProved("the validation found something, so there is no proof to record")
    written = []
    files = {proofs.record_file(arch): made for arch, made in documents(report).items()}
    for path, document in (*files.items(), (proofs.MUTANTS, mutants(report))):
        text = json.dumps(document, indent=1, ensure_ascii=False) + "\n"
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
        written.append(path)
    return written


def _document(report: Report, arch: ArchReport) -> dict[str, Any]:
    return {
        "schema_version": SCHEMA_VERSION,
        "arch": arch.arch,
        "counts": [asdict(count) for count in arch.counts if _told(count)],
        "witnesses": [asdict(witness) for witness in report.witnesses],
        "instructions": {inst.mnemonic: _instruction(inst) for inst in arch.instructions},
    }


def _told(count: Count) -> bool:
    return count.what in TOLD and (count.artefact, count.what) != ("rst", "facts")


def _row(row: KillRow) -> dict[str, Any]:
    """A kind of mutants; which digit of a page or figure is changed depends on its text."""
    told: dict[str, Any] = {"kind": row.kind, "mutants": row.total}
    if not row.kind.startswith(("page", "figure", "JSON")):
        told |= {"equivalent": row.equivalent, "undecided": row.undecided, "killed": row.killed}
        told["by"] = list(row.by)
    return told


def _instruction(inst: InstructionReport) -> dict[str, Any]:
    tools = sorted({tool for found in inst.witnesses.values() for tool in found})
    return {
        "sizes": inst.sizes,
        "settings": inst.settings,
        "products": inst.products,
        "labels": inst.labels,
        "witnesses": tools,
        "unwitnessed": list(inst.unwitnessed),
    }
