"""What is gathered while a shared page is read for one instruction."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from layoutgen.validate import read_tables, truth
from layoutgen.validate.artefacts import rst
from layoutgen.validate.evidence import Claim, Modified, TableSet, Value
from layoutgen.validate.findings import Finding
from layoutgen.validate.setting import PLAIN, Modifiers
from layoutgen.validate.subject import Subject
from layoutgen.validate.tables import OperandTable
from layoutgen.validate.words import names

KIND = "rst"
_DOUBLE = 64
_TILE = re.compile(r"(\d+)×(\d+) tiles?(?: of (\w+))?")


@dataclass
class Shared:
    """A shared page, read for one instruction.

    `slug` is the name of the instruction's own page, `base` the tables of its operands, which
    are checked by themselves, `modified` those under modifiers.  `links` are the pages that the
    last paragraph with links leads to, `operand` what the last figure shows, `lanes` the lanes
    that each blgp code reads.
    """

    subject: Subject
    page: rst.Page
    slug: str
    base: Mapping[str, OperandTable]
    links: tuple[str, ...] = ()
    operand: str = ""
    modified: Modified = field(default_factory=dict)
    lanes: dict[Modifiers, read_tables.LaneMap] = field(default_factory=dict)
    sets: list[TableSet] = field(default_factory=list)
    claims: list[Claim] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)

    @property
    def short(self) -> str:
        """The mnemonic without ``v_``, as pages list instructions."""
        return self.subject.mnemonic.removeprefix("v_")

    def find(self, line: int, subject: str, says: str, against: str) -> None:
        """Take a finding."""
        where, name = self.page.where(line), self.subject.mnemonic
        self.findings.append(Finding("L1", KIND, name, where, subject, says, against))

    def claim(self, name: str, value: Value, line: int) -> None:
        """Take a fact that the page states of the instruction."""
        self.claims.append(Claim(name, value, KIND, self.page.where(line)))

    @property
    def called(self) -> frozenset[str]:
        """The names under which pages list the instruction."""
        builtin = truth.builtin_of(self.subject.arch, self.subject.mnemonic) or ""
        return frozenset({self.short, builtin.removeprefix("__builtin_amdgcn_")})

    def listed(self, found: Collection[str]) -> bool:
        """Tell whether the instruction is one of those that are listed."""
        return bool(self.called & set(found))

    def mine(self, cell: rst.Cell) -> bool:
        """Tell whether a row is about this instruction: by its link, or by a name in its text."""
        link = cell.link.rpartition("/")[2]
        return self.slug == link or self.listed(names(cell.text))

    def of_tile(self, section: tuple[str, ...]) -> bool:
        """Tell whether a section is about the tile shape of the instruction."""
        match = _TILE.search(section[-1]) if section else None
        sizes = self.subject.geometry
        if match is None or (match[3] == "FP64") != (self.subject.widths["D"] == _DOUBLE):
            return False
        return (int(match[1]), int(match[2])) == (sizes.m, sizes.n)

    def add(self, name: str, tables: Mapping[str, OperandTable]) -> None:
        """Take tables of this page, with the base's for the operands that it lacks."""
        self.sets.append(TableSet(f"{self.page.path.stem}, {name}", KIND, {**self.base, **tables}))

    def under(
        self, name: str, tables: Mapping[tuple[str, Modifiers], tuple[OperandTable, int]]
    ) -> None:
        """Take tables under modifiers, each with its line; without modifiers nothing may move."""
        modified = {}
        for (operand, modifiers), (table, line) in tables.items():
            if modifiers != PLAIN:
                modified[operand, modifiers] = table
            elif (table.rows != self.base[operand].rows).any():
                says = f"reads {operand} elsewhere than it lies"
                self.find(line, "no modifier", says, "nothing moves without one")
        self.sets.append(TableSet(f"{self.page.path.stem}, {name}", KIND, self.base, modified))

    def under_blocks(
        self, maps: Mapping[Modifiers, tuple[read_tables.BlockMap, int]], name: str
    ) -> None:
        """Take the blocks of A that blocks read, by cbsz and abid."""
        tables = {}
        for modifiers, (source, line) in maps.items():
            where = self.page.where(line)
            changed = read_tables.under_blocks(self.base["A"], source, where)
            tables["A", modifiers] = changed, line
        self.under(name, tables)
