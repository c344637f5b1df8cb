"""The report of a validation: plain frozen data, in a fixed order, without times."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from layoutgen.validate.findings import LEGS, Finding

SCHEMA_VERSION = 1


@dataclass(frozen=True, order=True)
class Count:
    """How many things of one kind a leg compared in one kind of artefact."""

    leg: str
    artefact: str
    what: str
    number: int


@dataclass(frozen=True)
class InstructionReport:
    """What was checked of one instruction.

    `sizes` were derived from the emulator's map.  `products` are summed over all `settings` of
    the modifiers, under each of which random matrices were run, too.  `witnesses` has the tools
    that speak of each operand, `labels` how many elements they name.
    """

    mnemonic: str
    sizes: str
    settings: int
    products: int
    labels: int
    witnesses: Mapping[str, tuple[str, ...]]
    findings: int

    @property
    def unwitnessed(self) -> tuple[str, ...]:
        """Operands that no witness speaks of."""
        return tuple(name for name, tools in self.witnesses.items() if not tools)


@dataclass(frozen=True)
class Witness:
    """A tool whose layouts were written down: its version, and when."""

    tool: str
    version: str
    date: str


@dataclass(frozen=True)
class ArchReport:
    """The report of one architecture."""

    arch: str
    counts: tuple[Count, ...]
    instructions: tuple[InstructionReport, ...]
    findings: tuple[Finding, ...]

    def total(self, leg: str) -> int:
        """Return how many things a leg compared."""
        return sum(count.number for count in self.counts if count.leg == leg and compared(count))


@dataclass(frozen=True)
class KillRow:
    """Mutants of one kind: how many, equivalent ones, killed ones, and by which leg.

    A mutant that several legs kill counts for each of them.  `undecided` are renamings that no
    witness speaks of, and digits of sentences that no check reads; `survivors` are named.
    """

    kind: str
    total: int
    equivalent: int
    undecided: int
    killed: int
    by: Mapping[str, int]
    survivors: tuple[str, ...] = ()
    instructions: int = 0
    """Of so many instructions mutants of all kinds were made."""


@dataclass(frozen=True)
class Report:
    """All of a validation.  `absent` are kinds of artefacts that the folder does not have."""

    archs: tuple[ArchReport, ...]
    absent: tuple[str, ...]
    witnesses: tuple[Witness, ...]
    kills: tuple[KillRow, ...] = ()

    @property
    def findings(self) -> tuple[Finding, ...]:
        """All findings."""
        return tuple(finding for arch in self.archs for finding in arch.findings)

    @property
    def survivors(self) -> tuple[str, ...]:
        """Mutants that were not noticed."""
        return tuple(name for row in self.kills for name in row.survivors)

    @property
    def holds(self) -> bool:
        """Whether nothing was found."""
        return not self.findings and not self.survivors


def compared(count: Count) -> bool:
    """Tell whether a count is of compared things, not of what was left unread."""
    return "unread" not in count.what


def nothing_checked(arch: str, counts: Iterable[Count], legs: Iterable[str]) -> list[Finding]:
    """Return a finding for each leg that compared nothing."""
    done = {count.leg for count in counts if count.number and compared(count)}
    return [
        Finding(leg, "run", "", arch, LEGS[leg], "nothing was checked", "that proves nothing")
        for leg in legs
        if leg not in done
    ]  # fmt: skip


def as_document(report: Report) -> dict[str, Any]:
    """Return the report as a JSON document."""
    return {
        "schema_version": SCHEMA_VERSION,
        "holds": report.holds,
        "architectures": [
            {
                "arch": arch.arch,
                "legs": {
                    leg: {
                        "title": title,
                        "counts": [
                            {"artefact": c.artefact, "what": c.what, "number": c.number}
                            for c in arch.counts
                            if c.leg == leg
                        ],
                        "findings": sum(f.leg == leg for f in arch.findings),
                    }
                    for leg, title in LEGS.items()
                    if leg != "L4"
                },
                "instructions": [
                    {**asdict(inst), "unwitnessed": list(inst.unwitnessed)}
                    for inst in arch.instructions
                ],
                "findings": [asdict(finding) for finding in arch.findings],
            }
            for arch in report.archs
        ],
        "absent": list(report.absent),
        "witnesses": [asdict(witness) for witness in report.witnesses],
        "mutants": [asdict(row) for row in report.kills],
    }
