"""What tables of fields and facts say of one instruction, on its own page or on a shared one."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from layoutgen.validate import read_tables
from layoutgen.validate.artefacts import rst
from layoutgen.validate.codes import LANES
from layoutgen.validate.evidence import Claim, Evidence, TableSet, Value
from layoutgen.validate.findings import Finding
from layoutgen.validate.observation import kinds_of
from layoutgen.validate.setting import PLAIN, Modifiers, describe
from layoutgen.validate.subject import Subject
from layoutgen.validate.tables import OperandTable
from layoutgen.validate.truth import TITLES
from layoutgen.validate.words import Unreadable, names, number, span

KIND = "rst"
_FIELDS = ("cbsz", "abid", "blgp", "neg", "op_sel_a", "op_sel_b")


@dataclass
class Told:
    """What is gathered of a page about one instruction.

    `tables` are those of the operands, `modified` those under modifiers.
    """

    subject: Subject
    page: rst.Page
    tables: dict[str, OperandTable] = field(default_factory=dict)
    modified: dict[tuple[str, Modifiers], OperandTable] = field(default_factory=dict)
    claims: list[Claim] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)

    def find(self, line: int, subject: str, says: str, against: str, leg: str = "L1") -> None:
        """Take a finding."""
        where = self.page.where(line)
        name = self.subject.mnemonic
        self.findings.append(Finding(leg, KIND, name, where, subject, says, against))

    def claim(self, name: str, value: Value, line: int) -> None:
        """Take a fact that the page states."""
        self.claims.append(Claim(name, value, KIND, self.page.where(line)))


def _facts(told: Told, table: rst.Table) -> None:
    for name, value in table.rows:
        for claimed, found in _property(name.text, value.text):
            told.claim(claimed, found, value.line)


def _parameters(told: Told, table: rst.Table) -> None:
    for cells in table.rows:
        name, kind, registers, content = cells
        if name.text in _FIELDS:
            _legal(told, name.text, content)
            continue
        operand = "D" if name.text == "result" else name.text
        operand = operand.upper() if len(operand) == 1 else operand
        told.claim(f"{operand}.c_type", kind.text, kind.line)
        count = number(registers.text.split(" ")[0])
        told.claim(f"{operand}.registers", count, registers.line)
        share = re.match(r"(\d+) × (.+?)(?:, which .*)?$", content.text)
        if share is None:
            raise Unreadable(f"{content.text!r} does not tell the share of {operand}")
        told.claim(f"{operand}.elements", int(share[1]), content.line)
        if titled := re.fullmatch(r"(.+?) of ([ABCD])", share[2].replace("of scale of", "of")):
            if titled[2] != operand[-1].upper():
                raise Unreadable(f"{content.text!r} does not tell the share of {operand}")
            if not titled[1].startswith("the format"):
                told.claim(f"{operand}.title", titled[1], content.line)


def _legal(told: Told, name: str, cell: rst.Cell) -> None:
    if cell.text == "0 to 2^cbsz − 1":
        for cbsz in sorted({s.cbsz for s in told.subject.settings}):
            told.claim(f"abid with cbsz {cbsz}", tuple(range(2**cbsz)), cell.line)
    elif with_cbsz := re.fullmatch(r"([\d to]+) with cbsz 0, else 0", cell.text):
        told.claim("abid with cbsz 0", tuple(span(with_cbsz[1])), cell.line)
        told.claim("abid with cbsz 1", (0,), cell.line)
    else:
        negates = told.subject.record.blgp_role == "negate"
        field = "neg" if name == "blgp" and negates else name
        told.claim(field, tuple(span(cell.text)), cell.line)


def _negation(told: Told, table: rst.Table) -> None:
    """Signs of A, B and C by mask."""
    for mask, *signs in (row[:4] for row in table.rows):
        modifiers = Modifiers(neg=number(mask.text))
        for operand, sign in zip("ABC", signs, strict=True):
            plain = told.tables.get("D" if operand == "C" else operand)
            if plain is not None and modifiers != PLAIN:
                where = told.page.where(sign.line)
                told.modified[operand, modifiers] = OperandTable(
                    operand, plain.coordinates, plain.rows, KIND, always(where),
                    negated=sign.text in ("−", "-"),
                )  # fmt: skip


def _formats(told: Told, table: rst.Table) -> None:
    """Formats by code: title, bits and registers."""
    operand = read_tables.operand_of(table)
    name = "cbsz" if operand == "A" else "blgp"
    told.claim(name, tuple(number(row[0].text) for row in table.rows), table.line)
    for code, title, bits, registers in (row[:4] for row in table.rows):
        modifiers = Modifiers(**{name: number(code.text)})
        kind, count = kinds_of(told.subject.formed(modifiers))[operand]
        wanted = (TITLES[kind], told.subject.width(operand, modifiers), count)
        found = (title.text, number(bits.text), len(span(registers.text)))
        if registers.text.isdigit():
            found = (*found[:2], number(registers.text))
        if found != wanted:
            says = ", ".join(map(str, found))
            against = f"the emulator has {', '.join(map(str, wanted))}"
            told.find(code.line, f"{name} {code.text}", says, against)


def _selected(told: Told, table: rst.Table) -> None:
    """Bits of the index, or of a scale, by the fields that choose them."""
    operand = "index" if "layout-sets" in table.classes else read_tables.operand_of(table)
    for *fields, bits in ((*row[: 2 if operand == "index" else 1], row[-1]) for row in table.rows):
        cell = table.rows[0][0]
        chosen = bits if operand == "index" else None
        if chosen is None:
            row = next(r for r in table.rows if r[0] is fields[0])
            chosen = row[1]
        for modifiers in _settings_of(operand, fields):
            slots = told.subject.observation(modifiers).columns[operand] // LANES
            width = told.subject.width(operand)
            wanted = range(int(slots.min()) * width, (int(slots.max()) + 1) * width)
            if span(chosen.text) != wanted:
                says = f"bits {chosen.text} with {describe(modifiers) or 'no modifier'}"
                against = f"the emulator reads bits {wanted.start}–{wanted.stop - 1}"
                told.find(chosen.line or cell.line, operand, says, against)


def _settings_of(operand: str, fields: Sequence[rst.Cell]) -> list[Modifiers]:
    if operand != "index":
        return [Modifiers(**{f"op_sel_{operand[-1]}": number(fields[0].text)})]
    return [
        Modifiers(cbsz=cbsz, abid=abid)
        for cbsz in span(fields[0].text)
        for abid in span(fields[1].text)
    ]


READERS: Mapping[str, Callable[[Told, rst.Table], None]] = {
    "layout-facts": _facts,
    "layout-parameters": _parameters,
    "layout-negation": _negation,
    "layout-formats": _formats,
    "layout-sets": _selected,
    "layout-bytes": _selected,
}
"""What reads a table, by its class."""


def read_table(
    subject: Subject, page: rst.Page, table: rst.Table, base: Mapping[str, OperandTable]
) -> Evidence:
    """Return what one table of fields says; `base` are tables of the operands."""
    told = Told(subject, page, dict(base))
    for name in table.classes:
        if name in READERS:
            READERS[name](told, table)
    sets = (TableSet(table.caption, KIND, base, told.modified),)
    return Evidence(sets, tuple(told.claims), tuple(told.findings))


def always(where: str) -> Callable[[int], str]:
    """Return what gives one place for every row."""
    return lambda _: where


def _property(name: str, value: str) -> Iterator[tuple[str, Value]]:
    """The claims of one row of the table of facts."""
    simple = {"Instruction": "mnemonic", "LLVM intrinsic": "intrinsic", "Checked": "proof"}
    counted = {
        "Blocks": "blocks",
        "Operations": "ops",
        "Operations per cycle and CU": "per_cu",
    }
    if name in simple:
        yield simple[name], value
    elif name in counted:
        yield counted[name], float(value) if "." in value else number(value)
    elif name == "Opcode":
        match = re.fullmatch(r"(\d+) \(VOP3P-MAI\)", value)
        if match is None:
            raise Unreadable(f"{value!r} does not tell opcode and encoding")
        yield "opcode", int(match[1])
    elif name.startswith("Spelling on"):
        yield "spellings", names(value)
    elif name == "Cycles with at most 6 bits":
        yield "narrow cycles", number(value.split(" ")[0])
    elif name == "Targets":
        yield "targets", names(value)
    elif name == "M × N × K":
        yield "shape", tuple(int(size) for size in value.split("×"))
    elif name == "Cycles":
        match = re.fullmatch(r"(\d+) \((\w+) pass(?:es)?\)", value)
        if match is None:
            raise Unreadable(f"{value!r} does not tell cycles and passes")
        yield "cycles", int(match[1])
        yield "passes", number(match[2])
    elif name == "VALU co-execution cycles" and value[:1].isdigit():
        yield "coexec", number(value.split(" ")[0])
