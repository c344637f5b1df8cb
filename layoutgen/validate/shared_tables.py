"""Tables of shared pages, as far as they concern one instruction."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from layoutgen.validate import read_tables, shared_chosen, shared_comparison
from layoutgen.validate.artefacts import rst
from layoutgen.validate.codes import LANES, REGISTER_BITS
from layoutgen.validate.evaluated import Printed, forward
from layoutgen.validate.shared_base import KIND, Shared
from layoutgen.validate.tables import OperandTable
from layoutgen.validate.truth import TITLES
from layoutgen.validate.words import Unreadable, names, number, numbers, span


def blocks_read(page: Shared, table: rst.Table) -> None:
    """Read which block of A each block reads, by cbsz and abid."""
    if page.subject.record.cbsz_role != "broadcast":
        return
    told = re.search(r"(\d+) blocks", " ".join((table.caption, *table.section[-1:])))
    if told is None or int(told[1]) != page.subject.geometry.blocks:
        return
    maps = read_tables.block_maps(table, int(told[1]))
    values = tuple(sorted({m.cbsz for m in maps}))
    if "layout-conflict" in table.classes:
        page.claim("disputed cbsz", values, table.line)
        _global(page, table)
    else:
        page.claim("cbsz", values, table.line)
        for cbsz in values:
            abids = tuple(sorted(m.abid for m in maps if m.cbsz == cbsz))
            page.claim(f"abid with cbsz {cbsz}", abids, table.line)
    page.under_blocks(maps, table.caption)


def _global(page: Shared, table: rst.Table) -> None:
    """The reading that is not followed: lane l reads lane l mod S + S·abid, S = 64 / 2^cbsz."""
    blocks = page.subject.geometry.blocks
    for cbsz, abid, _, other in table.rows:
        shared = blocks // 2 ** number(cbsz.text)
        wanted = tuple(b % shared + shared * number(abid.text) for b in range(blocks))
        if numbers(other.text) != wanted:
            says, against = f"says {other.text}", f"the rule gives {wanted}"
            page.find(other.line, f"global reading, cbsz {cbsz.text}", says, against)


def lanes_read(page: Shared, table: rst.Table) -> None:
    """Read which lanes of B, or which part of it, lanes read, by blgp."""
    if page.subject.record.blgp_role != "lanes":
        return
    named = re.search(r"v_mfma\w+", table.caption)
    if named is not None and named[0] != page.subject.mnemonic:
        return
    maps = read_tables.lane_maps(table, page.base["B"])
    page.claim("blgp", tuple(sorted(m.blgp for m in maps)), table.line)
    page.lanes.update({modifiers: lanes for modifiers, (lanes, _) in maps.items()})
    tables = {}
    for modifiers, (lanes, line) in maps.items():
        changed = read_tables.under_lanes(page.base["B"], lanes, page.page.where(line))
        tables["B", modifiers] = changed, line
    page.under("blgp", tables)


def legal(page: Shared, table: rst.Table) -> None:
    """Read legal values, in the row that names the instruction."""
    for cells in table.rows:
        row = dict(zip(table.header, cells, strict=True))
        targets = names(row["Targets"].text) if "Targets" in row else (page.subject.arch,)
        listed = names(row["Builtins"].text)
        if page.subject.arch not in targets or not page.listed(listed):
            continue
        if "Blocks" in row and row["Blocks"].text.isdigit():
            page.claim("blocks", number(row["Blocks"].text), row["Blocks"].line)
        for name, cell in row.items():
            if name not in FIELDS or cell.text in ("", "–", "—", "none"):
                continue
            _legal_values(page, name, cell)


FIELDS = ("cbsz", "abid", "blgp", "neg", "op_sel_a", "op_sel_b")


def _legal_values(page: Shared, name: str, cell: rst.Cell) -> None:
    for part in cell.text.split(";"):
        values, _, which = part.strip().partition(" with cbsz ")
        if re.fullmatch(r"[\d to–]+", values) is None:
            continue
        field = name if name != "abid" else f"abid with cbsz {which.partition(',')[0] or 0}"
        page.claim(field, tuple(span(values)), cell.line)


def bands(page: Shared, table: rst.Table) -> None:
    """Read a merged table of a tile, or of A or B of an instruction."""
    operand = read_tables.operand_of(table)
    mine = page.of_tile(table.section) if operand == "D" else page.slug in page.links
    if not mine or (operand != "D" and page.subject.record.cbsz_role == "format"):
        return
    packed: Mapping[int, read_tables.Packed] = {}
    if page.subject.widths[operand] < REGISTER_BITS:
        packed = _packing(page, table, operand)
    found = read_tables.bands(page.page, table, operand, page.subject, packed)
    page.add(table.caption, {operand: found})


def _packing(page: Shared, table: rst.Table, operand: str) -> Mapping[int, read_tables.Packed]:
    """Where the items of a lane lie: from the table below, or the one of this element type."""
    every = [
        part
        for part in page.page.parts
        if isinstance(part, rst.Table) and "layout-packing" in part.classes
    ]
    below = [one for one in every if one.section == table.section and one.line > table.line]
    held = page.subject.slots(operand) // LANES
    typed = [one for one in every if _is_of(one, held, page.subject.formats[operand])]
    mine = typed or sorted(below, key=lambda one: one.line)
    return read_tables.packing(mine[0]) if mine else {}


def _is_of(table: rst.Table, held: int, format: str) -> bool:
    """Whether a table of items is that of so many elements of a type in a lane."""
    told = re.fullmatch(r".*: (\d+) (.+) elements", table.caption)
    if told is None or int(told[1]) != held:
        return False
    return TITLES[format] in re.split(r", | or ", told[2])


def facts(page: Shared, table: rst.Table) -> None:
    """Read numbers and types of the instruction from its row."""
    columns = {
        "Ops": "ops", "Cycles": "cycles", "Passes": "passes", "Ops/cycle/CU": "per_cu",
        "VALU co-execution cycles": "coexec", "Blocks": "blocks", "e": "A.elements",
        "accVGPRs per lane": "D.registers",
    }  # fmt: skip
    for name, cell in _rows(page, table, columns):
        if re.fullmatch(r"[\d.]+", cell.text) is None:
            continue  # not published, or by the formats
        page.claim(name, float(cell.text) if "." in cell.text else number(cell.text), cell.line)
    for name, cell in _rows(page, table, {"A and B": "A.c_type", "C and D": "D.c_type"}):
        page.claim(name, cell.text, cell.line)
    for _, cell in _rows(page, table, {"64·e / (M·K)": ""}):
        terms = [int(n) for n in re.findall(r"\d+", cell.text)]
        sizes, e = page.subject.geometry, page.subject.slots("A") // 64
        if terms != [64, e, sizes.m, sizes.k]:
            against = f"it is 64·{e} / ({sizes.m}·{sizes.k})"
            page.find(cell.line, "block count", f"says {cell.text}", against)


NARROW = "at most 6 bits"


def _rows(
    page: Shared, table: rst.Table, columns: Mapping[str, str]
) -> Iterator[tuple[str, rst.Cell]]:
    for cells in table.rows:
        if page.mine(cells[0]) and NARROW not in cells[0].text:
            for name, cell in zip(table.header[1:], cells[1:], strict=True):
                if name in columns:
                    yield columns[name], cell


def inputs(page: Shared, table: rst.Table) -> None:
    """Read the lanes of A and of B as formulas, in the row of the instruction."""
    for builtins, *cells in table.rows:
        listed = [name.removeprefix("__builtin_amdgcn_") for name in names(builtins.text)]
        if page.short not in listed:
            continue
        for operand, cell in zip("AB", cells, strict=True):
            printed = Printed({"lane": cell.text}, page.page.where(cell.line))
            _lanes_agree(page, operand, forward(page.subject, operand, printed, KIND), cell)


def _lanes_agree(page: Shared, operand: str, told: OperandTable, cell: rst.Cell) -> None:
    mine = {tuple(row[:3]): row[3] for row in page.base[operand].rows.tolist()}
    wrong = [row for row in told.rows.tolist() if mine.get(tuple(row[:3])) != row[3]]
    if wrong:
        where = ", ".join(map(str, wrong[0][:3]))
        says = f"{cell.text} gives lane {wrong[0][3]} for {operand}({where})"
        against = f"the table of {operand} has lane {mine.get(tuple(wrong[0][:3]))}"
        page.find(cell.line, f"lane of {operand}", says, against)


def affected(page: Shared, table: rst.Table) -> None:
    """Read where a disagreement matters: values of cbsz, or the k of an instruction."""
    for builtin, values in table.rows:
        if not page.mine(builtin):
            continue
        if match := re.fullmatch(r"cbsz ([\d, and]+), every abid", values.text):
            found = tuple(int(n) for n in re.findall(r"\d+", match[1]))
            page.claim("disputed cbsz", found, values.line)
        elif match := re.fullmatch(r"k (\d+ to \d+)", values.text):
            page.claim("k", len(span(match[1])), values.line)
        else:
            raise Unreadable(f"{values.text!r} does not tell where it matters")


def targets(page: Shared, table: rst.Table) -> None:
    """Read which targets have the instruction."""
    for cells, count, builtins in table.rows:
        listed = names(builtins.text)
        if number(count.text) != len(listed):
            says, against = f"says {count.text}", f"{len(listed)} are listed"
            page.find(count.line, "count of builtins", says, against)
        if page.short in listed:
            page.claim("targets", names(cells.text), cells.line)


Reader = Callable[[Shared, rst.Table], None]

_BY_CLASS: dict[str, Reader] = {
    "layout-cbsz": blocks_read,
    "layout-broadcast": blocks_read,
    "layout-conflict": blocks_read,
    "layout-blgp": lanes_read,
    "layout-legal": legal,
    "layout-bands": bands,
    "layout-throughput": facts,
    "layout-block-count": facts,
    "layout-builtins": facts,
    "layout-inputs": inputs,
    "layout-negation": shared_chosen.fields,
    "layout-formats": shared_chosen.fields,
    "layout-bytes": shared_chosen.fields,
    "layout-sets": shared_chosen.fields,
    "layout-passes": shared_chosen.passes,
    "layout-index": shared_chosen.index,
    "layout-coverage": shared_chosen.coverage,
    "layout-where": shared_comparison.where,
    "layout-spellings": shared_comparison.spellings,
    "layout-changes": shared_comparison.changes,
}
_BY_HEADER: dict[tuple[str, ...], Reader] = {
    ("Targets", "Count", "Builtins"): targets,
    ("Builtin", "Where it matters"): affected,
}


def readers(table: rst.Table) -> Iterator[Reader]:
    """Yield what reads a table."""
    if table.header in _BY_HEADER:
        yield _BY_HEADER[table.header]
    for name in table.classes:
        if name in _BY_CLASS:
            yield _BY_CLASS[name]


def is_read(table: rst.Table) -> bool:
    """Tell whether some check reads a table of a shared page."""
    elsewhere = {"layout-packing", "layout-peak", "layout-hazards"} & set(table.classes)
    return bool(elsewhere) or any(True for _ in readers(table))
