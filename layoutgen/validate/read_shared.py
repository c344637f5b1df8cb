"""What pages about several instructions say of one of them: the architecture's page, and that
of the common parameters.

Only what concerns the instruction is taken: rows that lead to its page or name it, tables for
its number of blocks or its tile, formulas below a paragraph that leads to it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from layoutgen.emulator import Modifiers
from layoutgen.validate import read_tables
from layoutgen.validate.artefacts import rst
from layoutgen.validate.artefacts.formula import equations, parse
from layoutgen.validate.evaluated import Printed, forward, inverse
from layoutgen.validate.evidence import PLAIN, Claim, Evidence, TableSet, Value
from layoutgen.validate.findings import Finding
from layoutgen.validate.subject import Subject
from layoutgen.validate.tables import OperandTable
from layoutgen.validate.words import Unreadable, names, number, numbers, span

KIND = "rst"
_GROUP = "2^{\\text{cbsz}}"
_TILE = re.compile(r"(\d+)×(\d+) tiles?")
_EXAMPLE = re.compile(
    r"(v_\w+) with cbsz (\d+) and abid (\d+): blocks 0 to \d+ read blocks ([\d, ]+) of A\. "
    r"The element b = (\d+), i = (\d+), k = (\d+) lies in lane (\d+); "
    r"the multiplier reads lane (\d+) for it, where b = (\d+) lies\."
)


@dataclass
class _Shared:
    """Goes through a shared page for one instruction."""

    subject: Subject
    page: rst.Page
    slug: str
    base: Mapping[str, OperandTable]
    links: tuple[str, ...] = ()
    operand: str = ""
    sets: list[TableSet] = field(default_factory=list)
    claims: list[Claim] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)

    def whole(self) -> Evidence:
        section: tuple[str, ...] = ()
        for part in self.page.parts:
            if part.section != section:
                section, self.links, self.operand = part.section, (), ""
            try:
                self._part(part)
            except (ValueError, LookupError, TypeError, ArithmeticError) as error:
                self.find(part.line, "content", "cannot be read", str(error))
        return Evidence(tuple(self.sets), tuple(self.claims), tuple(self.findings))

    def find(self, line: int, subject: str, says: str, against: str) -> None:
        where, name = self.page.where(line), self.subject.mnemonic
        self.findings.append(Finding("L1", KIND, name, where, subject, says, against))

    def claim(self, name: str, value: Value, line: int) -> None:
        self.claims.append(Claim(name, value, KIND, self.page.where(line)))

    def _part(self, part: rst.Part) -> None:
        match part:
            case rst.Figure():
                if named := re.match(r"([AB]) of (v_\w+)", part.caption):
                    self.operand = named[1]
                    self.links = (self.slug,) if named[2] == self.subject.mnemonic else ("other",)
            case rst.Paragraph():
                self._paragraph(part)
            case rst.Formula():
                self._formula(part)
            case rst.Table():
                for reader in _readers(part):
                    reader(self, part)

    def _mine(self, cell: rst.Cell) -> bool:
        """Whether a row is about this instruction: by its link, or by a name in its text."""
        return cell.link == self.slug or self.subject.mnemonic.removeprefix("v_") in names(
            cell.text
        )

    # --- formulas and sentences ----------------------------------------------------------

    def _paragraph(self, part: rst.Paragraph) -> None:
        if part.links:
            self.links = part.links
        if (example := _EXAMPLE.search(part.text)) and example[1] == self.subject.mnemonic:
            self._example(example, part.line)
        for block, registers in re.findall(r"block (\d+) in (?:acc)?VGPRs (\d+–\d+)", part.text):
            if self._of_tile(part.section):
                self._block(int(block), span(registers), part.line)

    def _block(self, block: int, registers: range, line: int) -> None:
        rows = self.base["D"].rows
        found = set(rows[rows[:, 0] == block, 4].tolist())
        if found and found != set(registers):
            against = f"it lies in registers {min(found)}–{max(found)}"
            self.find(line, f"block {block} of D", f"says {registers[0]}–{registers[-1]}", against)

    def _example(self, match: re.Match[str], line: int) -> None:
        cbsz, abid = int(match[2]), int(match[3])
        source = numbers(match[4])
        b, i, k, lies, reads, lives = (int(match[n]) for n in range(5, 11))
        self._under_blocks({Modifiers(cbsz=cbsz, abid=abid): (source, line)}, "example")
        for block, lane in ((b, lies), (lives, reads)):
            rows = self.base["A"].rows
            mine = rows[(rows[:, :3] == [block, i, k]).all(axis=1)]
            if source[b] != lives or lane not in mine[:, 3].tolist():
                self.find(line, "example", match[0], f"A[b={block}, i={i}, k={k}] lies elsewhere")

    def _formula(self, part: rst.Formula) -> None:
        if _GROUP in part.latex:
            if part.latex.replace(" ", "").startswith("s(b)="):
                self._group_formula(part)
            return
        found = equations(part.latex)
        if self.slug not in self.links or not {"lane", "i", "j", "k"} & set(found):
            return
        printed = Printed({n: text for n, (text, _) in found.items()}, self.page.where(part.line))
        make = forward if "lane" in found else inverse
        operand = self.operand or "D"
        self._add("formulas", {operand: make(self.subject, operand, printed, KIND)})

    def _group_formula(self, part: rst.Formula) -> None:
        """``s(b)``, the block of A that block b reads, for every cbsz and abid."""
        function = parse(part.latex.partition("=")[2].replace(_GROUP, " group "))
        maps = {}
        for cbsz, abid in sorted({(s.cbsz, s.abid) for s in self.subject.settings}):
            blocks = range(self.subject.geometry.blocks)
            source = tuple(function({"group": 2**cbsz, "b": b, "abid": abid}) for b in blocks)
            maps[Modifiers(cbsz=cbsz, abid=abid)] = (source, part.line)
        self._under_blocks(maps, "formula")

    def _of_tile(self, section: tuple[str, ...]) -> bool:
        match = _TILE.search(section[-1]) if section else None
        sizes = self.subject.geometry
        return match is not None and (int(match[1]), int(match[2])) == (sizes.m, sizes.n)

    def _add(self, name: str, tables: Mapping[str, OperandTable]) -> None:
        """Tables of this page together with the base's for the operands that it lacks."""
        self.sets.append(TableSet(f"{self.page.path.stem}, {name}", KIND, {**self.base, **tables}))

    # --- modifiers -----------------------------------------------------------------------

    def _under_blocks(
        self, maps: Mapping[Modifiers, tuple[tuple[int, ...], int]], name: str
    ) -> None:
        modified = {}
        for modifiers, (source, line) in maps.items():
            changed = read_tables.under_blocks(self.base["A"], source, self.page.where(line))
            self._moved("A", modifiers, changed, line)
            if modifiers != PLAIN:
                modified["A", modifiers] = changed
        self.sets.append(TableSet(f"{self.page.path.stem}, {name}", KIND, self.base, modified))

    def _moved(self, operand: str, modifiers: Modifiers, changed: OperandTable, line: int) -> None:
        if modifiers == PLAIN and (changed.rows != self.base[operand].rows).any():
            says = f"reads {operand} elsewhere than it lies"
            self.find(line, "no modifier", says, "nothing moves without one")

    def _blocks_table(self, table: rst.Table) -> None:
        blocks = re.search(r"(\d+) blocks", " ".join((table.caption, *table.section[-1:])))
        if blocks is None or int(blocks[1]) != self.subject.geometry.blocks:
            return
        maps = read_tables.block_maps(table, int(blocks[1]))
        if "layout-conflict" not in table.classes:
            for cbsz in sorted({m.cbsz for m in maps}):
                abids = tuple(sorted(m.abid for m in maps if m.cbsz == cbsz))
                self.claim(f"abid with cbsz {cbsz}", abids, table.line)
            self.claim("cbsz", tuple(sorted({m.cbsz for m in maps})), table.line)
        else:
            self.claim("disputed cbsz", tuple(sorted({m.cbsz for m in maps})), table.line)
            self._global(table)
        self._under_blocks(maps, table.caption)

    def _global(self, table: rst.Table) -> None:
        """The reading that is not followed: lane l reads lane l mod S + S·abid, S = 64 / 2^cbsz."""
        blocks = self.subject.geometry.blocks
        for cbsz, abid, _, other in table.rows:
            shared = blocks // 2 ** number(cbsz.text)
            wanted = tuple(b % shared + shared * number(abid.text) for b in range(blocks))
            if numbers(other.text) != wanted:
                says, against = f"says {other.text}", f"the rule gives {wanted}"
                self.find(other.line, f"global reading, cbsz {cbsz.text}", says, against)

    def _lanes_table(self, table: rst.Table) -> None:
        named = re.search(r"v_mfma\w+", table.caption)
        if named is not None and named[0] != self.subject.mnemonic:
            return
        maps = read_tables.lane_maps(table, self.base["B"])
        self.claim("blgp", tuple(sorted(m.blgp for m in maps)), table.line)
        modified = {}
        for modifiers, (lanes, line) in maps.items():
            changed = read_tables.under_lanes(self.base["B"], lanes, self.page.where(line))
            self._moved("B", modifiers, changed, line)
            if modifiers != PLAIN:
                modified["B", modifiers] = changed
        self.sets.append(TableSet(f"{self.page.path.stem}, blgp", KIND, self.base, modified))

    # --- tables of facts -----------------------------------------------------------------

    def _legal(self, table: rst.Table) -> None:
        for blocks, cbsz, abid, blgp in table.rows:
            if number(blocks.text) != self.subject.geometry.blocks:
                continue
            self.claim("cbsz", tuple(span(cbsz.text)), cbsz.line)
            self.claim("blgp", tuple(span(blgp.text)), blgp.line)
            for part in abid.text.split(";"):
                values, _, which = part.strip().partition(" with cbsz ")
                self.claim(f"abid with cbsz {which or 0}", tuple(span(values)), abid.line)

    def _bands(self, table: rst.Table) -> None:
        operand = read_tables.operand_of(table)
        mine = self._of_tile(table.section) if operand == "D" else self.slug in self.links
        if not mine:
            return
        packed = {}
        if self.subject.widths[operand] < 32:
            wanted = f"{TITLES[self.subject.formats[operand]]} elements"
            packed = next(
                read_tables.packing(p) for p in self.page.parts
                if isinstance(p, rst.Table)
                and "layout-packing" in p.classes and wanted in p.caption
            )  # fmt: skip
        found = read_tables.bands(self.page, table, operand, self.subject, packed)
        self._add(table.caption, {operand: found})

    def _rows(self, table: rst.Table, columns: Mapping[str, str]) -> Iterator[tuple[str, rst.Cell]]:
        for cells in table.rows:
            if self._mine(cells[0]):
                for name, cell in zip(table.header[1:], cells[1:], strict=True):
                    if name in columns:
                        yield columns[name], cell

    def _numbers(self, table: rst.Table) -> None:
        columns = {
            "Ops": "ops", "Cycles": "cycles", "Passes": "passes", "Ops/cycle/CU": "per_cu",
            "VALU co-execution cycles": "coexec", "Blocks": "blocks", "e": "A.elements",
            "accVGPRs per lane": "D.registers",
        }  # fmt: skip
        for name, cell in self._rows(table, columns):
            self.claim(name, float(cell.text) if "." in cell.text else number(cell.text), cell.line)
        for name, cell in self._rows(table, {"A and B": "A.c_type", "C and D": "D.c_type"}):
            self.claim(name, cell.text, cell.line)
        for _, cell in self._rows(table, {"64·e / (M·K)": ""}):
            terms = [int(n) for n in re.findall(r"\d+", cell.text)]
            sizes, e = self.subject.geometry, self.subject.slots("A") // 64
            if terms != [64, e, sizes.m, sizes.k]:
                against = f"it is 64·{e} / ({sizes.m}·{sizes.k})"
                self.find(cell.line, "block count", f"says {cell.text}", against)

    def _inputs(self, table: rst.Table) -> None:
        """Lanes of A and of B as formulas, in a row of builtins."""
        name = self.subject.mnemonic.removeprefix("v_")
        for builtins, a, b in table.rows:
            listed = [n.removeprefix("__builtin_amdgcn_") for n in names(builtins.text)]
            if name not in listed:
                continue
            for operand, cell in (("A", a), ("B", b)):
                lane = {"lane": cell.text}
                table_of = forward(
                    self.subject, operand, Printed(lane, self.page.where(cell.line)), KIND
                )
                self._lanes_agree(operand, table_of, cell)

    def _lanes_agree(self, operand: str, told: OperandTable, cell: rst.Cell) -> None:
        mine = {tuple(row[:3]): row[3] for row in self.base[operand].rows.tolist()}
        wrong = [row for row in told.rows.tolist() if mine.get(tuple(row[:3])) != row[3]]
        if wrong:
            where = ", ".join(map(str, wrong[0][:3]))
            says = f"{cell.text} gives lane {wrong[0][3]} for {operand}({where})"
            against = f"the table of {operand} has lane {mine.get(tuple(wrong[0][:3]))}"
            self.find(cell.line, f"lane of {operand}", says, against)

    def _affected(self, table: rst.Table) -> None:
        """Where a disagreement matters: values of cbsz, or the k of an instruction."""
        for builtin, values in table.rows:
            if not self._mine(builtin):
                continue
            if match := re.fullmatch(r"cbsz ([\d, and]+), every abid", values.text):
                found = tuple(int(n) for n in re.findall(r"\d+", match[1]))
                self.claim("disputed cbsz", found, values.line)
            elif match := re.fullmatch(r"k (\d+ to \d+)", values.text):
                self.claim("k", len(span(match[1])), values.line)
            else:
                raise Unreadable(f"{values.text!r} does not tell where it matters")

    def _targets(self, table: rst.Table) -> None:
        for targets, count, builtins in table.rows:
            listed = names(builtins.text)
            if number(count.text) != len(listed):
                says = f"says {count.text}"
                self.find(count.line, "count of builtins", says, f"{len(listed)} are listed")
            if self.subject.mnemonic.removeprefix("v_") in listed:
                self.claim("targets", names(targets.text), targets.line)


TITLES = {"f32": "FP32", "f16": "FP16", "bf16": "BF16", "i8": "INT8", "i32": "INT32"}

_TABLES: dict[str, Callable[[_Shared, rst.Table], None]] = {
    "layout-cbsz": _Shared._blocks_table,
    "layout-broadcast": _Shared._blocks_table,
    "layout-conflict": _Shared._blocks_table,
    "layout-blgp": _Shared._lanes_table,
    "layout-legal": _Shared._legal,
    "layout-bands": _Shared._bands,
    "layout-throughput": _Shared._numbers,
    "layout-block-count": _Shared._numbers,
    "layout-builtins": _Shared._numbers,
    "layout-inputs": _Shared._inputs,
}
_BY_HEADER: dict[tuple[str, ...], Callable[[_Shared, rst.Table], None]] = {
    ("Targets", "Count", "Builtins"): _Shared._targets,
    ("Builtin", "Where it matters"): _Shared._affected,
}


def _readers(table: rst.Table) -> Iterator[Callable[[_Shared, rst.Table], None]]:
    if table.header in _BY_HEADER:
        yield _BY_HEADER[table.header]
    for name in table.classes:
        if name in _TABLES:
            yield _TABLES[name]


def is_read(table: rst.Table) -> bool:
    """Tell whether some check reads a table of a shared page."""
    elsewhere = {"layout-packing", "layout-peak"} & set(table.classes)
    return bool(elsewhere) or any(True for _ in _readers(table))


def read(subject: Subject, page: rst.Page, slug: str, base: Mapping[str, OperandTable]) -> Evidence:
    """Return what a shared page says of the instruction.

    `slug` is the name of the instruction's own page, `base` the tables of its operands, which
    are checked by themselves: tables under modifiers are made from them.
    """
    return _Shared(subject, page, slug, base).whole()
