"""What mutants are made of: one instruction with its tables, and what a mutant is."""

from __future__ import annotations

import random
import zlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from layoutgen.validate import labels, legs
from layoutgen.validate.evidence import Evidence, TableSet
from layoutgen.validate.findings import Tally
from layoutgen.validate.setting import PLAIN, Modifiers
from layoutgen.validate.subject import Subject
from layoutgen.validate.tables import COORDINATES, OperandTable
from layoutgen.validate.witnesses.label import ANY

if TYPE_CHECKING:
    from layoutgen.model import Instruction

MOST_SETTINGS = 4
"""So many changed settings are checked for a mutant of the modifiers."""


@dataclass(frozen=True, eq=False)
class Mutant:
    """A deliberate fault.

    `kills` runs the legs and returns those that found it.  `equivalent` is decided by comparing
    tables, `decidable` is false for a renaming of what no witness speaks of.
    """

    kind: str
    name: str
    kills: Callable[[], set[str]]
    equivalent: bool = False
    decidable: bool = True


@dataclass(frozen=True)
class Verdict:
    """What became of a mutant; `by` are the legs that found it."""

    kind: str
    name: str
    equivalent: bool
    decidable: bool
    by: tuple[str, ...]


@dataclass(frozen=True)
class Bench:
    """An instruction, as the emulator and as the model know it."""

    subject: Subject
    inst: Instruction
    random: random.Random = field(compare=False)

    @classmethod
    def of(cls, subject: Subject, inst: Instruction) -> Bench:
        """Return the bench of an instruction; its random choices are the same on every run."""
        return cls(subject, inst, random.Random(zlib.crc32(inst.mnemonic.encode())))

    @property
    def name(self) -> str:
        """The mnemonic."""
        return self.inst.mnemonic

    @cached_property
    def plain(self) -> dict[str, OperandTable]:
        """The tables of all operands, without modifiers."""
        return {name: self.table(name, PLAIN) for name in self.inst.operands}

    def table(self, name: str, modifiers: Modifiers) -> OperandTable:
        """Return a table of the model."""
        operand = self.inst.operand(name, **modifiers._asdict())
        return OperandTable(
            name, COORDINATES[name], operand.table(), "mutant", lambda row: f"row {row}",
            negated=operand.negated,
        )  # fmt: skip

    @cached_property
    def modified(self) -> dict[tuple[str, Modifiers], OperandTable]:
        """The tables of every operand for the settings that act on it."""
        keys = dict.fromkeys(
            (name, self.subject.acting(name, m))
            for name in self.inst.operands
            for m in self.subject.settings
        )
        return {(name, m): self.table(name, m) for name, m in keys if m != PLAIN}

    def run(
        self,
        tables: Mapping[str, OperandTable],
        modified: Mapping[tuple[str, Modifiers], OperandTable] | None = None,
        subject: Subject | None = None,
    ) -> set[str]:
        """Run the legs over tables, and return those that found something."""
        evidence = Evidence((TableSet("mutant", "mutant", tables, modified or {}),))
        return found(legs.run(subject or self.subject, evidence, ("L1", "L2", "L3")))

    def witnessed(self, operands: Iterable[str], coordinate: str = "") -> bool:
        """Tell whether a witness speaks of one of the operands, and of its blocks if asked."""
        arch = self.subject.arch
        spoken = [name for name in operands if self._spoken(name)]
        found = [w for name in spoken for w in labels.witnesses_of(arch, self.name, name)]
        return any(coordinate != "b" or one.labels[0].block != ANY for one in found)

    def _spoken(self, operand: str) -> bool:
        """Tell whether a witness has the labels that an operand has by itself.

        Where all of them are known to disagree, none can see another renaming.
        """
        kind = self.subject.formats[operand]
        return (
            labels.compare(self.subject.arch, self.name, self.plain[operand], kind).agreeing != ()
        )


def found(tally: Tally) -> set[str]:
    """Return the legs that found something."""
    return {finding.leg for finding in tally.findings}


def judge(mutant: Mutant) -> Verdict:
    """Run a mutant, unless it is equivalent."""
    by = () if mutant.equivalent else tuple(sorted(mutant.kills()))
    return Verdict(mutant.kind, mutant.name, mutant.equivalent, mutant.decidable, by)
