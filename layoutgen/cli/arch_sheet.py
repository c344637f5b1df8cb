"""All that is known about an architecture, as the lines of one screen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from layoutgen.cli.sheet import EXEC_IGNORED, arithmetic_text, labelled, readings
from layoutgen.model import Architecture, Disagreement
from layoutgen.tables.rates import Peak, peaks

EXEC_UNTOLD = "the sources do not say what becomes of lanes that EXEC turns off"


def arch_sheet(
    arch: Architecture, counts: tuple[int, int] | None, *, who: bool = False
) -> Iterator[str]:
    """Yield the lines about `arch`; `counts` are archVGPRs and accVGPRs of a wavefront.

    Where sources disagree the claims are told; with `who` also who makes them.
    """
    kinds = Counter(inst.kind for inst in arch.values())
    by_kind = ", ".join(f"{count} {kind}" for kind, count in kinds.items())
    facts: dict[str, str | list[str]] = {
        "other names": ", ".join(arch.aliases),
        "instructions": f"{len(arch)}: {by_kind}; 'layoutgen list {arch.name}' names them",
        "wavefront": f"{arch.wave} lanes; {arch.matrix_cores_per_cu} matrix cores in a CU",
        "registers": [_files(arch), _alignment(arch), _needed(arch, counts)],
        "formats": [f"{f.name}: {f.title}, {f.bits} bits" for f in arch.formats.values()],
        "subnormals": [f"{', '.join(e.formats)}: {arithmetic_text(e)}" for e in arch.arithmetic],
        "EXEC": EXEC_IGNORED if arch.exec_ignored else EXEC_UNTOLD,
        "peak rates": [_peak(peak) for peak in peaks(arch)],
        "wait states": f"'layoutgen hazards {arch.name}' lists them",
        "disagreeing": [line for entry in arch.disagreements for line in _disputed(entry, who=who)],
        "sources": [source.title for source in arch.sources],
    }
    yield f"{arch.name} ({arch.title}, {arch.series})"
    yield from labelled(facts, 14)


def _files(arch: Architecture) -> str:
    if not arch.unified_registers:
        return (
            "archVGPRs (v) and accVGPRs (a) are two files: of the numbers that a wavefront has of "
            "each, the larger counts"
        )
    return (
        "archVGPRs (v) and accVGPRs (a) are one file: a wavefront takes the sum of both, "
        "archVGPRs rounded up to a multiple of 4"
    )


def _alignment(arch: Architecture) -> str:
    if arch.register_alignment == 1:
        return "an operand of several registers may begin at any register"
    return (
        "an operand of several registers begins at a multiple of "
        f"{arch.register_alignment}: v0, v{arch.register_alignment} …"
    )


def _needed(arch: Architecture, counts: tuple[int, int] | None) -> str:
    if counts is None:
        return ""
    needed = arch.registers_needed(*counts)
    return f"{counts[0]} archVGPRs and {counts[1]} accVGPRs: {needed} registers in all"


def _disputed(entry: Disagreement, *, who: bool) -> Iterator[str]:
    yield entry.title
    yield from (f"  {label}: {claim}" for label, claim in readings(entry, who=who))


def _peak(peak: Peak) -> str:
    sparse = ", A sparse" if peak.sparse else ""
    return (
        f"{peak.gpu.name}: {peak.format.name}{sparse} {peak.tera_ops:.1f}·10¹² per second, "
        f"{peak.per_cu:g} per cycle and CU"
    )
