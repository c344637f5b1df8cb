"""Write what a validation proved into the package, for pages to tell: no dates, no times."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from layoutgen import proofs
from layoutgen.validate.report import ArchReport, InstructionReport, Report

SCHEMA_VERSION = 1


class NothingProved(ValueError):
    """A report with findings cannot be recorded as a proof."""


def documents(report: Report) -> dict[str, dict[str, Any]]:
    """Return the record of every architecture of a report, by its name."""
    return {arch.arch: _document(report, arch) for arch in report.archs}


def write(report: Report) -> list[Path]:
    """Write the records; raises :class:`NothingProved` if anything was found."""
    if not report.holds:
        raise NothingProved("the validation found something, so there is no proof to record")
    written = []
    for arch, document in documents(report).items():
        path = proofs.record_file(arch)
        text = json.dumps(document, indent=1, ensure_ascii=False) + "\n"
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
        written.append(path)
    return written


def _document(report: Report, arch: ArchReport) -> dict[str, Any]:
    return {
        "schema_version": SCHEMA_VERSION,
        "arch": arch.arch,
        "counts": [asdict(count) for count in arch.counts],
        "witnesses": [asdict(witness) for witness in report.witnesses],
        "instructions": {inst.mnemonic: _instruction(inst) for inst in arch.instructions},
        "mutants": [asdict(row) for row in report.kills],
    }


def _instruction(inst: InstructionReport) -> dict[str, Any]:
    tools = sorted({tool for found in inst.witnesses.values() for tool in found})
    return {
        "sizes": inst.sizes,
        "settings": inst.settings,
        "products": inst.products,
        "labels": inst.labels,
        "runs": inst.runs,
        "witnesses": tools,
        "unwitnessed": list(inst.unwitnessed),
    }
