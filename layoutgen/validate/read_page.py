"""What the page of one builtin says: tables, formulas, modifiers, facts and sentences."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from layoutgen.validate import prose, read_tables
from layoutgen.validate.artefacts import rst
from layoutgen.validate.artefacts.formula import equations
from layoutgen.validate.evaluated import Printed, forward, inverse
from layoutgen.validate.evidence import Evidence, TableSet
from layoutgen.validate.observation import kinds_of
from layoutgen.validate.read_fields import KIND, READERS, Told
from layoutgen.validate.sections import about
from layoutgen.validate.setting import PLAIN, Modifiers
from layoutgen.validate.subject import Subject
from layoutgen.validate.tables import OperandTable
from layoutgen.validate.words import Unreadable

_SUM = re.compile(r"\\sum_\{[kc]=0\}\^\{(\d+)\}")
_KERNEL = re.compile(r"^(?:extern \"C\" )?__global__ ", re.MULTILINE)


@dataclass
class _Reader(Told):
    """Goes through a page, part by part."""

    forward: dict[str, OperandTable] = field(default_factory=dict)
    inverse: dict[str, OperandTable] = field(default_factory=dict)
    by_code: dict[str, dict[tuple[str, Modifiers], OperandTable]] = field(
        default_factory=lambda: {"tables": {}, "forward": {}, "inverse": {}}
    )
    examples: list[tuple[str, Modifiers, re.Match[str], int]] = field(default_factory=list)
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
        self.modified |= self.by_code["tables"]
        sets = (
            TableSet("tables of the page", KIND, self.tables, self.modified),
            TableSet("formulas of the page", KIND, self.forward, self.by_code["forward"]),
            TableSet(
                "formulas of the page, from registers", KIND, self.inverse, self.by_code["inverse"]
            ),
        )
        counts = {
            ("L1", KIND, "pages"): 1,
            ("L1", KIND, "tables"): sum(isinstance(p, rst.Table) for p in self.page.parts),
            ("L1", KIND, "formulas"): sum(isinstance(p, rst.Formula) for p in self.page.parts),
            ("L0", KIND, "sentences"): self.read,
            ("L0", KIND, "sentences unread"): len(self.unread),
        }
        return Evidence(sets, tuple(self.claims), tuple(self.findings), counts)

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
            case rst.Figure() | rst.Request():
                pass  # read as a file: see read_figure

    def _table(self, table: rst.Table) -> None:
        own: dict[str, Callable[[rst.Table], None]] = {
            "layout-bands": self._bands,
            "layout-packing": self._packing,
            "layout-cbsz": self._broadcasts,
            "layout-blgp": self._patterns,
            "layout-waits": self._waits,
        }
        for name in table.classes:
            if name in READERS:
                READERS[name](self, table)
                return
            if name in own:
                own[name](table)
                return
        self.find(table.line, f"table '{table.caption}'", "is read by no check", "unchecked")

    def _bands(self, table: rst.Table) -> None:
        operand = read_tables.operand_of(table)
        told, codes_told = self._section(table.section)
        if told and operand != told:
            says = f"is about {operand}"
            where = table.section[-1]
            self.find(table.line, f"table '{table.caption}'", says, f"under '{where}'")
        packed = read_tables.packing(self._packing_of(table)) if self._packed(table) else {}
        for modifiers in codes_told:
            found = read_tables.bands(self.page, table, operand, self.subject, packed, modifiers)
            self._take("tables", operand, modifiers, found)

    def _take(self, kind: str, operand: str, modifiers: Modifiers, table: OperandTable) -> None:
        """Keep a table: the plain one, or that of another format."""
        if modifiers == PLAIN:
            plain = {"tables": self.tables, "forward": self.forward, "inverse": self.inverse}
            plain[kind][operand] = table
        else:
            self.by_code[kind][operand, modifiers] = table

    def _section(self, section: tuple[str, ...]) -> tuple[str, list[Modifiers]]:
        return about(self.subject, section)

    def _packed(self, table: rst.Table) -> bool:
        return any(
            isinstance(p, rst.Table)
            and p.section == table.section
            and "layout-packing" in p.classes
            for p in self.page.parts
        )

    def _packing_of(self, table: rst.Table) -> rst.Table:
        for part in self.page.parts:
            if not isinstance(part, rst.Table) or part.section != table.section:
                continue
            if "layout-packing" in part.classes:
                return part
        raise Unreadable("no table tells where the items of a lane lie")

    def _waits(self, table: rst.Table) -> None:
        """Held against the facts with the page of hazards."""
        self.unread += [table.caption]

    def _packing(self, table: rst.Table) -> None:
        """Used with the merged table of its section."""

    def _formula(self, part: rst.Formula) -> None:
        if match := _SUM.search(part.latex):
            sparse = "\\kappa" in part.latex
            self.claim("A.columns" if sparse else "k", int(match[1]) + 1, part.line)
            return
        operand, settings = self._section(part.section)
        if not operand:
            if "A_{b,i,0}" in part.latex and "B_{b,0,j}" in part.latex:
                self.claim("k", 1, part.line)
                return
            self.find(part.line, "formula", "is read by no check", part.latex)
            return
        found = equations(part.latex)
        where = self.page.where(part.line)
        printed = Printed({name: text for name, (text, _) in found.items()}, where)
        kind, make = ("forward", forward) if "lane" in found else ("inverse", inverse)
        for modifiers in settings:
            table = make(self.subject, operand, printed, KIND, modifiers)
            self._take(kind, operand, modifiers, table)

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
        operand, settings = self._section(part.section)
        text = part.text
        if example := prose.EXAMPLE.search(text):
            self.examples.append((operand, settings[0], example, part.line))
            text = text.replace(example[0], "")
        facts, unread = prose.stated(text, operand)
        self.read += len(facts) + bool(example)
        self.unread += unread
        for fact in facts:
            _, _, name = fact.field.partition(".")
            if settings[0] != PLAIN and name == "registers":
                wanted = kinds_of(self.subject.formed(settings[0]))[operand][1]
                if fact.value != wanted:
                    says, against = f"says {fact.value}", f"the emulator takes {wanted}"
                    self.find(part.line, fact.field, says, against, "L0")
                continue
            self.claim(fact.field, fact.value, part.line)

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
        for operand, modifiers, match, line in self.examples:
            table = self.tables.get(operand)
            if modifiers != PLAIN:
                table = self.by_code["tables"].get((operand, modifiers))
            if table is None:
                continue
            pairs = dict(pair.split(" = ") for pair in match["element"].split(", "))
            wanted = [int(pairs[name]) for name in table.coordinates]
            rows = table.rows[(table.rows[:, :3] == wanted).all(axis=1)]
            found = rows[:, 3:].tolist()
            if prose.example_slot(match) not in found:
                against = f"the table above has lane, register, bit, width {found}"
                self.find(line, f"example of {operand}", match[0], against)


def read(subject: Subject, page: rst.Page) -> Evidence:
    """Return what the page of a builtin says of its instruction."""
    return _Reader(subject, page).whole()


def _renamed(table: OperandTable, operand: str) -> OperandTable:
    return OperandTable(operand, table.coordinates, table.rows, table.artefact, table.where)
