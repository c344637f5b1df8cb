"""What is said beside a figure: formulas, sizes and names in alternative texts and captions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from layoutgen import emulator
from layoutgen.validate import read_figure
from layoutgen.validate.artefacts import rst
from layoutgen.validate.evidence import Evidence
from layoutgen.validate.findings import Finding
from layoutgen.validate.observation import kinds_of
from layoutgen.validate.sections import about
from layoutgen.validate.setting import PLAIN, Modifiers, describe
from layoutgen.validate.subject import Subject
from layoutgen.validate.tables import OperandTable
from layoutgen.validate.words import number


def misfits(
    subject: Subject, page: rst.Page, part: rst.Figure, table: OperandTable, modifiers: Modifiers
) -> Iterator[Finding]:
    """What a page says beside a file that instructions of the same layout share."""
    users = _users(subject, table.operand, subject.width(table.operand, modifiers))
    told = _Told(subject, page, part.line, part.alt, part.caption)
    yield from told.formulas(table)
    yield from told.names(users, table.operand, modifiers)


def of_request(
    subject: Subject, page: rst.Page, part: rst.Request, told: Evidence
) -> Iterator[Finding]:
    """What a page says beside a figure that it asks the build for, and what it asks for.

    `told` is what the page says else: its tables are those that formulas are put to.
    """
    operand, settings = about(subject, part.section)
    asked = part.options.get("operand", "")
    given = {name: number(part.options[name]) for name in PLAIN._fields if name in part.options}
    modifiers = Modifiers(**given)
    beside = _Told(subject, page, part.line, part.options.get("alt", ""), part.caption)
    own = f"{subject.arch}.{subject.mnemonic}"
    if part.instruction != own:
        yield beside.find("figure", f"asks for {part.instruction}", f"the page is about {own}")
        return
    if operand and asked != operand:
        says = f"asks for {asked or 'no operand'} under '{part.section[-1]}'"
        yield beside.find("figure", says, f"the section is about {operand}")
        return
    if operand and modifiers not in settings:
        right = ", or ".join(describe(one) or "no modifier" for one in settings)
        yield beside.find("figure", f"asks for {describe(modifiers) or 'no modifier'}", right)
        return
    yield from beside.fields(modifiers)
    if asked:
        table = _table(told, asked, modifiers)
        if table is None:
            yield beside.find("figure", f"asks for {asked}", "the page has no table of it")
            return
        yield from beside.formulas(table)
        title = _Told(subject, page, part.line, part.options.get("title", ""), "")
        for text in (beside, title):
            yield from text.names([subject.record], asked, modifiers)


@dataclass(frozen=True)
class _Told:
    """The texts beside a figure, and where they stand."""

    subject: Subject
    page: rst.Page
    line: int
    text: str
    caption: str

    def find(self, what: str, says: str, against: str) -> Finding:
        where, name = self.page.where(self.line), self.subject.mnemonic
        return Finding("L1", "rst", name, where, f"alternative text, {what}", says, against)

    def formulas(self, table: OperandTable) -> Iterator[Finding]:
        """Formulas of the text, put to all rows; and the axes that the caption names."""
        for name, text in read_figure.alternative(self.text):
            wrong = read_figure.misfit(name, text, table)
            if wrong is not None:
                yield self.find(f"{name} = {text}", *wrong)
        axes = re.search(r"[Rr]ows are (\w+)(?: of k)?, columns are (\w+)", self.caption)
        told = tuple(name.removesuffix("s") for name in axes.groups()) if axes else ()
        if axes is not None and told != table.coordinates[1:]:
            right = " and ".join(table.coordinates[1:])
            yield self.find(
                "caption", f"says rows {axes[1]}, columns {axes[2]}", f"they are {right}"
            )

    def names(
        self, users: Sequence[emulator.Instruction], operand: str, modifiers: Modifiers
    ) -> Iterator[Finding]:
        """Sizes, widths, mnemonics and architectures are those of an instruction of `users`."""
        g = self.subject.geometry
        for pattern, wanted in (
            (r"\d+×\d+×\d+", {f"{g.m}×{g.n}×{g.k}", f"{g.m}×{g.n}×{g.stored}", *_sizes(users)}),
            (r"(?<!×)\b\d+×\d+\b(?!×)", {f"{g.m}×{g.n}"}),
            (r"(\d+)-bit elements", {str(self.subject.width(operand, modifiers))}),
            (r"\bv_\w+", {record.mnemonic for record in users}),
            (r"\bgfx\w+", {record.arch for record in users}),
        ):
            for said in re.findall(pattern, self.text):
                if said not in wanted:
                    right = ", ".join(sorted(wanted))
                    yield self.find("names and sizes", f"says {said}", f"it is {right}")

    def fields(self, modifiers: Modifiers) -> Iterator[Finding]:
        """``with cbsz 2``, of the text or the caption, is what the figure is asked for."""
        for text in (self.text, self.caption):
            for name, value in re.findall(r"\b(cbsz|abid|blgp|neg|op_sel_[ab]) (\d+)", text):
                right = getattr(modifiers, name)
                if int(value) != right:
                    yield self.find(name, f"says {value}", f"the figure is that of {right}")


def _table(told: Evidence, operand: str, modifiers: Modifiers) -> OperandTable | None:
    """The table of an operand that the first set has."""
    for one in told.sets[:1]:
        if modifiers != PLAIN:
            return one.modified.get((operand, modifiers))
        return one.tables.get(operand)
    return None


def _users(subject: Subject, operand: str, width: int) -> list[emulator.Instruction]:
    """The instructions of all architectures whose operand a figure may show.

    For all the emulator knows: those of the same tile, whose elements are of the same width, and
    of A, B, index and scales as many in a lane.
    """

    def key(record: emulator.Instruction) -> tuple[object, ...]:
        tile = (record.m, record.n)
        if operand in "CD":
            return (*tile, record.d_format.bits)
        kinds = kinds_of(record)
        if operand not in kinds:
            return (*tile, operand)
        chosen = record.cbsz_role == "format" or kinds[operand][1] * 32 // width
        return (*tile, chosen)

    every = (
        emulator.instruction(arch, mnemonic)
        for arch in emulator.architectures()
        for mnemonic in emulator.mnemonics(arch)
    )
    return [record for record in every if key(record) == key(subject.record)]


def _sizes(users: Iterable[emulator.Instruction]) -> set[str]:
    found = set()
    for record in users:
        stored = record.k // 2 if record.sparse else record.k
        found |= {f"{record.m}×{record.n}×{k}" for k in (record.k, stored)}
    return found
