"""Tables of shared pages about formats, indices, scales and passes, for one instruction."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from layoutgen.validate import assembly, read_fields
from layoutgen.validate.artefacts import rst
from layoutgen.validate.codes import LANES, IntArray
from layoutgen.validate.evidence import TableSet
from layoutgen.validate.setting import PLAIN, Modifiers
from layoutgen.validate.shared_base import KIND, Shared
from layoutgen.validate.tables import OperandTable
from layoutgen.validate.words import names, number, span

_LANES, _SCALED = "Lanes", "k of their scale"
_HELD = re.compile(r"k held with (\d+)-bit data")


def fields(page: Shared, table: rst.Table) -> None:
    """Read what a field chooses: as on the page of an instruction that has such a field."""
    record = page.subject.record
    concerned = {
        "layout-negation": record.blgp_role == "negate",
        "layout-formats": record.cbsz_role == "format",
        "layout-bytes": record.scaled,
        "layout-sets": page.subject.mnemonic in table.caption.split(),
    }
    if not any(concerned[name] for name in table.classes if name in concerned):
        return
    told = read_fields.read_table(page.subject, page.page, table, page.base)
    page.claims += told.claims
    page.findings += told.findings
    written = assembly.of_table(page.subject, page.page, table)
    page.findings += [one for one in written if one is not None]
    page.sets += [TableSet(f"{page.page.path.stem}, {one.name}", KIND, page.base, one.modified)
                  for one in told.sets if one.modified]  # fmt: skip


def passes(page: Shared, table: rst.Table) -> None:
    """Read how many passes the instruction takes; with few bits, where that differs."""
    for _, count, listed in table.rows:
        for name in names(listed.text):
            called, _, bits = name.partition(" with ")
            if called in page.called:
                field = "narrow passes" if bits.startswith("at most") else "passes"
                page.claim(field, number(count.text), count.line)


def index(page: Shared, table: rst.Table) -> None:
    """Read pairs of a lane, bits of a set, and how many sets there are."""
    if not page.subject.record.sparse:
        return
    for builtins, *cells in table.rows:
        if not page.listed(names(builtins.text)):
            continue
        slots = page.subject.observation(PLAIN).columns["index"] // LANES
        pairs = int(slots.max()) - int(slots.min()) + 1
        sets = len({m.abid for m in page.subject.settings if m.cbsz == 0})
        wanted = (pairs, pairs * page.subject.width("index"), sets)
        for cell, name, value in zip(cells, table.header[1:], wanted, strict=True):
            if number(cell.text) != value:
                says, against = f"says {cell.text}", f"the emulator reads {value}"
                page.find(cell.line, f"index, {name}", says, against)


def coverage(page: Shared, table: rst.Table) -> None:
    """Read which k a lane's scale is for, and which k of A or B the lane holds."""
    sizes = page.subject.geometry
    if not page.subject.record.scaled or f"{sizes.m}×{sizes.n}×{sizes.k}" not in table.section:
        return
    for operand in re.findall(r"\b[AB]\b", table.caption):
        for row in table.rows:
            cells = dict(zip(table.header, row, strict=True))
            lanes = span(cells.pop(_LANES).text)
            for name, wanted in _k_of(page, operand, lanes, cells):
                told = {k for part in cells[name].text.split(", ") for k in span(part)}
                if told != wanted:
                    says = f"says {cells[name].text}"
                    against = f"the tables have {', '.join(map(str, sorted(wanted)))}"
                    at = f"{operand}, lanes {lanes[0]}–{lanes[-1]}, {name}"
                    page.find(cells[name].line, at, says, against)


def _k_of(
    page: Shared, operand: str, lanes: range, columns: dict[str, rst.Cell]
) -> Iterator[tuple[str, set[int]]]:
    """The k that the tables of an operand and of its scales give, by the column's name."""
    scales = page.base[f"scale_{operand.lower()}"]
    at = scales.coordinates.index("group")
    groups = {int(row[at]) for row in _of_lanes(scales, lanes)}
    each = page.subject.geometry.k // (int(scales.rows[:, at].max()) + 1)
    yield _SCALED, {each * group + k for group in groups for k in range(each)}
    field = "cbsz" if operand == "A" else "blgp"
    for name in columns:
        if match := _HELD.fullmatch(name):
            alone = [m for m in page.subject.settings if m == _only(field, m)]
            wide = [m for m in alone if page.subject.width(operand, m) == int(match[1])]
            table = page.base[operand] if PLAIN in wide else page.modified[operand, wide[0]]
            at = table.coordinates.index("k")
            yield name, {int(row[at]) for row in _of_lanes(table, lanes)}


def _only(field: str, modifiers: Modifiers) -> Modifiers:
    return PLAIN._replace(**{field: getattr(modifiers, field)})


def _of_lanes(table: OperandTable, lanes: range) -> IntArray:
    found: IntArray = table.rows[np.isin(table.rows[:, 3], list(lanes))]
    return found
