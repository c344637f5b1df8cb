"""The report as text for a terminal."""

from __future__ import annotations

from collections.abc import Iterator

from layoutgen.validate.findings import LEGS
from layoutgen.validate.report import ArchReport, KillRow, Report

ARTEFACTS = {
    "emulator": "the emulator itself",
    "interface": "Python interface",
    "json": "tables as JSON",
    "rst": "pages",
    "svg": "figures",
}
_MOST = 60
"""So many findings are printed; the rest is counted."""


def render(report: Report) -> str:
    """Return the report as text, findings first and the verdict last."""
    lines: list[str] = []
    for arch in report.archs:
        lines += [*_findings(arch), *_summary(arch), *_gaps(arch), ""]
    lines += report.absent
    if report.kills:
        lines += [*_mutated(report), *kill_matrix(report.kills), ""]
    tools = ", ".join(f"{w.tool} {w.version} ({w.date})" for w in report.witnesses)
    lines.append(f"Witnesses for labels: {tools}.")
    lines.append(_verdict(report))
    return "\n".join(lines) + "\n"


def _verdict(report: Report) -> str:
    if report.holds:
        return "Everything that was checked holds."
    said = [f"{len(report.findings)} findings"] if report.findings else []
    if report.survivors:
        said.append(f"{len(report.survivors)} mutants were not noticed")
    return f"It does not hold: {', '.join(said)}."


def _findings(arch: ArchReport) -> Iterator[str]:
    for finding in arch.findings[:_MOST]:
        yield str(finding)
    if len(arch.findings) > _MOST:
        yield f"… and {len(arch.findings) - _MOST} more findings; --format json has all"
    if arch.findings:
        yield ""


def _summary(arch: ArchReport) -> Iterator[str]:
    settings = sum(inst.settings for inst in arch.instructions)
    yield (
        f"{arch.arch}: {len(arch.instructions)} instructions, {settings} settings of the modifiers"
    )
    for leg, title in LEGS.items():
        counts = [count for count in arch.counts if count.leg == leg]
        if not counts:
            continue
        found = sum(finding.leg == leg for finding in arch.findings)
        yield f"  {leg} {title}: {found or 'no'} finding{'s' * (found != 1)}"
        for artefact, name in ARTEFACTS.items():
            mine = [f"{c.number:,} {c.what}" for c in counts if c.artefact == artefact and c.number]
            if mine:
                yield f"     {name}: {', '.join(mine)}"


def _gaps(arch: ArchReport) -> Iterator[str]:
    """Operands that no witness speaks of: their names of rows, columns, k and blocks are ours."""
    gaps = [
        f"{inst.mnemonic} ({', '.join(inst.unwitnessed)})"
        for inst in arch.instructions
        if inst.unwitnessed
    ]
    if gaps:
        yield f"  No witness for the labels of: {'; '.join(gaps)}"


def _mutated(report: Report) -> Iterator[str]:
    """Tell which instructions stand for the others."""
    every = sum(len(arch.instructions) for arch in report.archs)
    some = max(row.instructions for row in report.kills)
    if 0 < some < every:
        yield f"Mutants of {some} of the {every} instructions: one of each family and architecture"


def kill_matrix(rows: tuple[KillRow, ...]) -> Iterator[str]:
    """Yield the kill matrix: kinds of mutants down, legs across."""
    legs = sorted({leg for row in rows for leg in row.by}, key=lambda leg: (leg != "spec", leg))
    wide = max(len(row.kind) for row in rows)
    head = ("mutants", "equivalent", "undecided", "killed", *legs)
    yield f"L4 mutants{'':<{wide - 7}}" + "".join(f"{name:>12}" for name in head)
    for row in rows:
        numbers = (row.total, row.equivalent, row.undecided, row.killed)
        by = (row.by.get(leg, 0) for leg in legs)
        yield f"   {row.kind:<{wide}}" + "".join(f"{n:>12}" for n in (*numbers, *by))
    total, equivalent, undecided, killed = (
        sum(getattr(row, name) for row in rows)
        for name in ("total", "equivalent", "undecided", "killed")
    )
    decidable = total - equivalent - undecided
    yield f"   {killed} of {decidable} mutants that differ and can be decided were killed"
    for row in rows:
        for name in row.survivors:
            yield f"   not noticed: {row.kind}: {name}"
