"""What a check says: findings, and counts of what was compared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

LEGS = {
    "L0": "registers and types",
    "L1": "the bilinear map",
    "L2": "labels",
    "L3": "end to end",
    "L4": "mutants",
}


@dataclass(frozen=True, order=True)
class Finding:
    """One thing that does not hold.

    `where` names the artefact and the place in it; `subject` the element or slot, or the field;
    `says` what stands there, and `against` who says otherwise and what.
    """

    leg: str
    artefact: str
    instruction: str
    where: str
    subject: str
    says: str
    against: str
    modifiers: str = ""

    def __str__(self) -> str:
        """Return the finding on one line that begins with the place."""
        of = f"{self.instruction} {self.modifiers}".strip()
        return f"{self.where}: {self.leg} {of}: {self.subject}: {self.says}; {self.against}"


@dataclass
class Tally:
    """Findings and counts, gathered while checks run; merged and frozen into a report later."""

    findings: list[Finding] = field(default_factory=list)
    counts: Counter[tuple[str, str, str]] = field(default_factory=Counter)

    def count(self, leg: str, artefact: str, what: str, number: int = 1) -> None:
        """Count `number` compared things, named `what`."""
        self.counts[leg, artefact, what] += number

    def add(self, findings: Iterable[Finding]) -> None:
        """Take findings that were not made before."""
        known = set(self.findings)
        self.findings.extend(f for f in dict.fromkeys(findings) if f not in known)

    def merge(self, other: Tally) -> None:
        """Take all of `other`."""
        self.add(other.findings)
        self.counts.update(other.counts)
