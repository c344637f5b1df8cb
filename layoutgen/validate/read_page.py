"""What the page of one builtin says: tables, formulas, modifiers, facts and sentences."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from layoutgen.validate import prose, read_tables
from layoutgen.validate.artefacts import rst
from layoutgen.validate.artefacts.formula import equations
from layoutgen.validate.evaluated import Printed, forward, inverse
from layoutgen.validate.evidence import Claim, Evidence, TableSet, Value
from layoutgen.validate.findings import Finding
from layoutgen.validate.setting import PLAIN, Modifiers
from layoutgen.validate.subject import Subject
from layoutgen.validate.tables import OperandTable
from layoutgen.validate.words import Unreadable, names, number, span

KIND = "rst"
_SUM = re.compile(r"\\sum_\{k=0\}\^\{(\d+)\}")
_KERNEL = re.compile(r"^(?:extern \"C\" )?__global__ ", re.MULTILINE)
_SECTION = re.compile(r"Layouts? of (A|B|C and D)\b")


@dataclass
class _Reader:
    """Goes through a page, part by part."""

    subject: Subject
    page: rst.Page
    tables: dict[str, OperandTable] = field(default_factory=dict)
    forward: dict[str, OperandTable] = field(default_factory=dict)
    inverse: dict[str, OperandTable] = field(default_factory=dict)
    modified: dict[tuple[str, Modifiers], OperandTable] = field(default_factory=dict)
    claims: list[Claim] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    examples: list[tuple[str, re.Match[str], int]] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)
    read: int = 0

    def whole(self) -> Evidence:
        """Return all that the page says."""
        for part in self.page.parts:
            try:
                self._part(part)
            except (ValueError, LookupError, TypeError, ArithmeticError) as error:
                self.find(part.line, "content", "cannot be read", str(error))
        self._examples()
        for tables in (self.tables, self.forward, self.inverse):
            if "D" in tables:
                tables["C"] = _renamed(tables["D"], "C")
        sets = (
            TableSet("tables of the page", KIND, self.tables, self.modified),
            TableSet("formulas of the page", KIND, self.forward),
            TableSet("formulas of the page, from registers", KIND, self.inverse),
        )
        counts = {
            ("L1", KIND, "pages"): 1,
            ("L1", KIND, "tables"): sum(isinstance(p, rst.Table) for p in self.page.parts),
            ("L1", KIND, "formulas"): sum(isinstance(p, rst.Formula) for p in self.page.parts),
            ("L0", KIND, "sentences"): self.read,
            ("L0", KIND, "sentences unread"): len(self.unread),
        }
        return Evidence(sets, tuple(self.claims), tuple(self.findings), counts)

    def find(self, line: int, subject: str, says: str, against: str, leg: str = "L1") -> None:
        where = self.page.where(line)
        name = self.subject.mnemonic
        self.findings.append(Finding(leg, KIND, name, where, subject, says, against))

    def claim(self, name: str, value: Value, line: int) -> None:
        self.claims.append(Claim(name, value, KIND, self.page.where(line)))

    # --- parts ---------------------------------------------------------------------------

    def _part(self, part: rst.Part) -> None:
        match part:
            case rst.Table():
                self._table(part)
            case rst.Formula():
                self._formula(part)
            case rst.Signature():
                self._signature(part)
            case rst.Paragraph():
                self._paragraph(part)
            case rst.Figure():
                pass  # read as a file: see read_figure

    def _table(self, table: rst.Table) -> None:
        readers: dict[str, Callable[[rst.Table], None]] = {
            "layout-bands": self._bands,
            "layout-packing": self._packing,
            "layout-facts": self._facts,
            "layout-parameters": self._parameters,
            "layout-cbsz": self._broadcasts,
            "layout-blgp": self._patterns,
        }
        for name in table.classes:
            if name in readers:
                readers[name](table)
                return
        self.find(table.line, f"table '{table.caption}'", "is read by no check", "unchecked")

    def _bands(self, table: rst.Table) -> None:
        operand = read_tables.operand_of(table)
        section = _SECTION.search(table.section[-1]) if table.section else None
        if section is not None and operand not in section[1]:
            says = f"is about {operand}"
            self.find(table.line, f"table '{table.caption}'", says, f"under '{section[0]}'")
        packed = {}
        if self.subject.widths[operand] < 32:
            packed = read_tables.packing(self._packing_of(table))
        self.tables[operand] = read_tables.bands(self.page, table, operand, self.subject, packed)

    def _packing_of(self, table: rst.Table) -> rst.Table:
        for part in self.page.parts:
            if not isinstance(part, rst.Table) or part.section != table.section:
                continue
            if "layout-packing" in part.classes:
                return part
        raise Unreadable("no table tells where the items of a lane lie")

    def _packing(self, table: rst.Table) -> None:
        """Used with the merged table of its section."""

    def _formula(self, part: rst.Formula) -> None:
        if match := _SUM.search(part.latex):
            self.claim("k", int(match[1]) + 1, part.line)
            return
        section = _SECTION.search(part.section[-1]) if part.section else None
        if section is None:
            if "A_{b,i,0}" in part.latex and "B_{b,0,j}" in part.latex:
                self.claim("k", 1, part.line)
                return
            self.find(part.line, "formula", "is read by no check", part.latex)
            return
        operand = section[1][-1]
        found = equations(part.latex)
        where = self.page.where(part.line)
        printed = Printed({name: text for name, (text, _) in found.items()}, where)
        if "lane" in found:
            self.forward[operand] = forward(self.subject, operand, printed, KIND)
        else:
            self.inverse[operand] = inverse(self.subject, operand, printed, KIND)

    def _signature(self, part: rst.Signature) -> None:
        if _KERNEL.search(part.text):
            return  # compiled and run by the tests of the kernels
        text = " ".join(part.text.split()).rstrip(";")
        text = text.replace("( ", "(").replace(" )", ")")
        if "const int" in text:
            self.claim("signature", text, part.line)
            return
        call = re.fullmatch(r"(\w+) \w+ = (\w+)\(.*\)", text)
        if call is None:
            raise Unreadable(f"{text!r} is neither a declaration nor a call")
        self.claim("D.c_type", call[1], part.line)
        self.claim("builtin", call[2], part.line)

    def _paragraph(self, part: rst.Paragraph) -> None:
        section = _SECTION.search(part.section[-1]) if part.section else None
        operand = section[1][-1] if section else ""
        text = part.text
        if example := prose.EXAMPLE.search(text):
            self.examples.append((operand, example, part.line))
            text = text.replace(example[0], "")
        facts, unread = prose.stated(text, operand)
        self.read += len(facts) + bool(example)
        self.unread += unread
        for fact in facts:
            self.claim(fact.field, fact.value, part.line)

    # --- tables of facts -----------------------------------------------------------------

    def _facts(self, table: rst.Table) -> None:
        for name, value in table.rows:
            for claimed, found in _property(name.text, value.text):
                self.claim(claimed, found, value.line)

    def _parameters(self, table: rst.Table) -> None:
        for cells in table.rows:
            name, kind, registers, content = cells
            if name.text in ("cbsz", "abid", "blgp"):
                self._legal(name.text, content)
                continue
            operand = "D" if name.text == "result" else name.text.upper()
            self.claim(f"{operand}.c_type", kind.text, kind.line)
            count = number(registers.text.split(" ")[0])
            self.claim(f"{operand}.registers", count, registers.line)
            share = re.fullmatch(r"(\d+) × (\w+) of ([ABCD])", content.text)
            if share is None or share[3] != operand:
                raise Unreadable(f"{content.text!r} does not tell the share of {operand}")
            self.claim(f"{operand}.elements", int(share[1]), content.line)
            self.claim(f"{operand}.title", share[2], content.line)

    def _legal(self, name: str, cell: rst.Cell) -> None:
        if cell.text == "0 to 2^cbsz − 1":
            for cbsz in sorted({s.cbsz for s in self.subject.settings}):
                self.claim(f"abid with cbsz {cbsz}", tuple(range(2**cbsz)), cell.line)
        else:
            self.claim(name, tuple(span(cell.text)), cell.line)

    # --- modifiers -----------------------------------------------------------------------

    def _broadcasts(self, table: rst.Table) -> None:
        plain = self.tables["A"]
        maps = read_tables.block_maps(table, self.subject.geometry.blocks)
        self.claim("cbsz", tuple(sorted({m.cbsz for m in maps})), table.line)
        for cbsz in sorted({m.cbsz for m in maps}):
            abids = tuple(sorted(m.abid for m in maps if m.cbsz == cbsz))
            self.claim(f"abid with cbsz {cbsz}", abids, table.line)
        for modifiers, (source, line) in maps.items():
            where = self.page.where(line)
            changed = read_tables.under_blocks(plain, source, where)
            self._under("A", modifiers, changed, line)

    def _patterns(self, table: rst.Table) -> None:
        plain = self.tables["B"]
        maps = read_tables.lane_maps(table, plain)
        self.claim("blgp", tuple(sorted(m.blgp for m in maps)), table.line)
        for modifiers, (lanes, line) in maps.items():
            changed = read_tables.under_lanes(plain, lanes, self.page.where(line))
            self._under("B", modifiers, changed, line)

    def _under(self, operand: str, modifiers: Modifiers, table: OperandTable, line: int) -> None:
        if modifiers != PLAIN:
            self.modified[operand, modifiers] = table
        elif (table.rows != self.tables[operand].rows).any():
            says = f"reads {operand} elsewhere than it lies"
            self.find(line, "no modifier", says, "nothing moves without one")

    def _examples(self) -> None:
        """The slot of an example is the slot that the table above it gives."""
        for operand, match, line in self.examples:
            table = self.tables.get(operand)
            if table is None:
                continue
            pairs = dict(pair.split(" = ") for pair in match["element"].split(", "))
            wanted = [int(pairs[name]) for name in table.coordinates]
            rows = table.rows[(table.rows[:, :3] == wanted).all(axis=1)]
            bits = span(match["bits"]) if match["bits"] else range(32)
            told = [int(match["lane"]), int(match["register"]), bits.start, len(bits)]
            if not (rows[:, 3:] == told).all(axis=1).any():
                found = rows[:, 3:].tolist()
                against = f"the table above has lane, register, bit, width {found}"
                self.find(line, f"example of {operand}", match[0], against)


def read(subject: Subject, page: rst.Page) -> Evidence:
    """Return what the page of a builtin says of its instruction."""
    return _Reader(subject, page).whole()


def _renamed(table: OperandTable, operand: str) -> OperandTable:
    return OperandTable(operand, table.coordinates, table.rows, table.artefact, table.where)


def _property(name: str, value: str) -> Iterator[tuple[str, Value]]:
    """The claims of one row of the table of facts."""
    simple = {"Instruction": "mnemonic", "LLVM intrinsic": "intrinsic", "Checked": "proof"}
    counted = {"Blocks": "blocks", "Operations": "ops", "Operations per cycle and CU": "per_cu"}
    if name in simple:
        yield simple[name], value
    elif name in counted:
        yield counted[name], float(value) if "." in value else number(value)
    elif name.startswith("Spelling on"):
        yield "spellings", (value,)
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
    elif name == "VALU co-execution cycles":
        yield "coexec", number(value.split(" ")[0])
