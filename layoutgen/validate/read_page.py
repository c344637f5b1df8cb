"""What the page of one builtin says: tables, formulas, modifiers, facts and sentences."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from layoutgen.validate import prose, read_tables
from layoutgen.validate.artefacts import rst
from layoutgen.validate.artefacts.formula import equations
from layoutgen.validate.codes import LANES
from layoutgen.validate.evaluated import Printed, forward, inverse
from layoutgen.validate.evidence import Claim, Evidence, TableSet, Value
from layoutgen.validate.findings import Finding
from layoutgen.validate.observation import kinds_of
from layoutgen.validate.sections import about
from layoutgen.validate.setting import PLAIN, Modifiers, describe
from layoutgen.validate.subject import Subject
from layoutgen.validate.tables import OperandTable
from layoutgen.validate.truth import TITLES
from layoutgen.validate.words import Unreadable, names, number, span

KIND = "rst"
_FIELDS = ("cbsz", "abid", "blgp", "neg", "op_sel_a", "op_sel_b")
_SUM = re.compile(r"\\sum_\{[kc]=0\}\^\{(\d+)\}")
_KERNEL = re.compile(r"^(?:extern \"C\" )?__global__ ", re.MULTILINE)


@dataclass
class _Reader:
    """Goes through a page, part by part."""

    subject: Subject
    page: rst.Page
    tables: dict[str, OperandTable] = field(default_factory=dict)
    forward: dict[str, OperandTable] = field(default_factory=dict)
    inverse: dict[str, OperandTable] = field(default_factory=dict)
    by_code: dict[str, dict[tuple[str, Modifiers], OperandTable]] = field(
        default_factory=lambda: {"tables": {}, "forward": {}, "inverse": {}}
    )
    modified: dict[tuple[str, Modifiers], OperandTable] = field(default_factory=dict)
    claims: list[Claim] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
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
            case rst.Figure() | rst.Request():
                pass  # read as a file: see read_figure

    def _table(self, table: rst.Table) -> None:
        readers: dict[str, Callable[[rst.Table], None]] = {
            "layout-bands": self._bands,
            "layout-packing": self._packing,
            "layout-facts": self._facts,
            "layout-parameters": self._parameters,
            "layout-cbsz": self._broadcasts,
            "layout-blgp": self._patterns,
            "layout-negation": self._negation,
            "layout-formats": self._formats,
            "layout-sets": self._selected,
            "layout-bytes": self._selected,
            "layout-waits": self._waits,
        }
        for name in table.classes:
            if name in readers:
                readers[name](table)
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

    # --- tables of facts -----------------------------------------------------------------

    def _facts(self, table: rst.Table) -> None:
        for name, value in table.rows:
            for claimed, found in _property(name.text, value.text):
                self.claim(claimed, found, value.line)

    def _parameters(self, table: rst.Table) -> None:
        for cells in table.rows:
            name, kind, registers, content = cells
            if name.text in _FIELDS:
                self._legal(name.text, content)
                continue
            operand = "D" if name.text == "result" else name.text
            operand = operand.upper() if len(operand) == 1 else operand
            self.claim(f"{operand}.c_type", kind.text, kind.line)
            count = number(registers.text.split(" ")[0])
            self.claim(f"{operand}.registers", count, registers.line)
            share = re.match(r"(\d+) × (.+?)(?:, which .*)?$", content.text)
            if share is None:
                raise Unreadable(f"{content.text!r} does not tell the share of {operand}")
            self.claim(f"{operand}.elements", int(share[1]), content.line)
            if titled := re.fullmatch(r"(.+?) of ([ABCD])", share[2].replace("of scale of", "of")):
                if titled[2] != operand[-1].upper():
                    raise Unreadable(f"{content.text!r} does not tell the share of {operand}")
                if not titled[1].startswith("the format"):
                    self.claim(f"{operand}.title", titled[1], content.line)

    def _legal(self, name: str, cell: rst.Cell) -> None:
        if cell.text == "0 to 2^cbsz − 1":
            for cbsz in sorted({s.cbsz for s in self.subject.settings}):
                self.claim(f"abid with cbsz {cbsz}", tuple(range(2**cbsz)), cell.line)
        elif with_cbsz := re.fullmatch(r"([\d to]+) with cbsz 0, else 0", cell.text):
            self.claim("abid with cbsz 0", tuple(span(with_cbsz[1])), cell.line)
            self.claim("abid with cbsz 1", (0,), cell.line)
        else:
            negates = self.subject.record.blgp_role == "negate"
            field = "neg" if name == "blgp" and negates else name
            self.claim(field, tuple(span(cell.text)), cell.line)

    def _negation(self, table: rst.Table) -> None:
        """Signs of A, B and C by mask."""
        for mask, *signs in (row[:4] for row in table.rows):
            modifiers = Modifiers(neg=number(mask.text))
            for operand, sign in zip("ABC", signs, strict=True):
                plain = self.tables.get("D" if operand == "C" else operand)
                if plain is not None and modifiers != PLAIN:
                    where = self.page.where(sign.line)
                    self.modified[operand, modifiers] = OperandTable(
                        operand, plain.coordinates, plain.rows, KIND, _always(where),
                        negated=sign.text in ("−", "-"),
                    )  # fmt: skip

    def _formats(self, table: rst.Table) -> None:
        """Formats by code: title, bits and registers."""
        operand = read_tables.operand_of(table)
        name = "cbsz" if operand == "A" else "blgp"
        self.claim(name, tuple(number(row[0].text) for row in table.rows), table.line)
        for code, title, bits, registers in (row[:4] for row in table.rows):
            modifiers = Modifiers(**{name: number(code.text)})
            kind, count = kinds_of(self.subject.formed(modifiers))[operand]
            wanted = (TITLES[kind], self.subject.width(operand, modifiers), count)
            found = (title.text, number(bits.text), len(span(registers.text)))
            if registers.text.isdigit():
                found = (*found[:2], number(registers.text))
            if found != wanted:
                says = ", ".join(map(str, found))
                against = f"the emulator has {', '.join(map(str, wanted))}"
                self.find(code.line, f"{name} {code.text}", says, against)

    def _selected(self, table: rst.Table) -> None:
        """Bits of the index, or of a scale, by the fields that choose them."""
        operand = "index" if "layout-sets" in table.classes else read_tables.operand_of(table)
        for *fields, bits in (
            (*row[: 2 if operand == "index" else 1], row[-1]) for row in table.rows
        ):
            cell = table.rows[0][0]
            chosen = bits if operand == "index" else None
            if chosen is None:
                row = next(r for r in table.rows if r[0] is fields[0])
                chosen = row[1]
            for modifiers in self._settings_of(operand, fields):
                slots = self.subject.observation(modifiers).columns[operand] // LANES
                width = self.subject.width(operand)
                wanted = range(int(slots.min()) * width, (int(slots.max()) + 1) * width)
                if span(chosen.text) != wanted:
                    says = f"bits {chosen.text} with {describe(modifiers) or 'no modifier'}"
                    against = f"the emulator reads bits {wanted.start}–{wanted.stop - 1}"
                    self.find(chosen.line or cell.line, operand, says, against)

    def _settings_of(self, operand: str, fields: Sequence[rst.Cell]) -> list[Modifiers]:
        if operand != "index":
            return [Modifiers(**{f"op_sel_{operand[-1]}": number(fields[0].text)})]
        return [
            Modifiers(cbsz=cbsz, abid=abid)
            for cbsz in span(fields[0].text)
            for abid in span(fields[1].text)
        ]

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
            bits = span(match["bits"]) if match["bits"] else range(32)
            width = len(bits)
            if match["more"]:
                width += int(match["last"]) + 1 if match["last"] else 32
            told = [int(match["lane"]), int(match["register"]), bits.start, width]
            if not (rows[:, 3:] == told).all(axis=1).any():
                found = rows[:, 3:].tolist()
                against = f"the table above has lane, register, bit, width {found}"
                self.find(line, f"example of {operand}", match[0], against)


def read(subject: Subject, page: rst.Page) -> Evidence:
    """Return what the page of a builtin says of its instruction."""
    return _Reader(subject, page).whole()


def read_table(
    subject: Subject, page: rst.Page, table: rst.Table, base: Mapping[str, OperandTable]
) -> Evidence:
    """Return what one table says, on whatever page; `base` are tables of the operands."""
    reader = _Reader(subject, page, tables=dict(base))
    reader._table(table)
    sets = (TableSet(table.caption, KIND, base, reader.modified),)
    return Evidence(sets, tuple(reader.claims), tuple(reader.findings))


def _always(where: str) -> Callable[[int], str]:
    return lambda _: where


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
