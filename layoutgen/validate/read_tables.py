"""Tables of a page as tables of an operand, and as tables under modifiers."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product

import numpy as np

from layoutgen.validate.artefacts.rst import Cell, Page, Table
from layoutgen.validate.codes import REGISTER_BITS
from layoutgen.validate.setting import PLAIN, Modifiers
from layoutgen.validate.subject import Subject
from layoutgen.validate.tables import COORDINATES, OperandTable
from layoutgen.validate.words import Unreadable, number, numbers, span

KIND = "rst"
_HEADERS = {"block": "b", "rows": "i", "columns": "j", "k": "k", "groups": "group",
            "lanes": "lanes", "items": "items",
            "vgprs": "registers", "accvgprs": "registers", "registers": "registers"}  # fmt: skip
_ALONG = {"A": "i", "B": "j", "C": "j", "D": "j", "index": "i", "scale_a": "i", "scale_b": "j"}
"""The coordinate that runs along the lanes of a row of a merged table."""


@dataclass(frozen=True)
class Packed:
    """The register and the bits of an item of a lane."""

    register: int
    bit: int
    width: int


def operand_of(table: Table) -> str:
    """Return the operand that a table is about, by its class."""
    for name in table.classes:
        if name.startswith("operand-"):
            told = name.removeprefix("operand-").replace("-", "_")
            return told.upper() if len(told) == 1 else told
    raise Unreadable("the table does not say which operand it is about")


def packing(table: Table) -> dict[int, Packed]:
    """Return where each item of a lane lies, from a table of items."""
    found = {}
    for items, registers, bits in table.rows:
        places = [span(text) for text in bits.text.split(", ")]
        if len(places) != len(span(items.text)):
            raise Unreadable(f"{len(places)} places for items {items.text}")
        for item, place in zip(span(items.text), places, strict=True):
            found[item] = Packed(span(registers.text).start, place.start, len(place))
        last = (places[-1].stop - 1) // REGISTER_BITS
        if len(span(registers.text)) != 1 + last:
            raise Unreadable(f"bits {bits.text} do not lie in registers {registers.text}")
    return found


def bands(
    page: Page,
    table: Table,
    operand: str,
    subject: Subject,
    packed: Mapping[int, Packed],
    modifiers: Modifiers = PLAIN,
) -> OperandTable:
    """Return the rows of a merged table, one for each element.

    Raises :class:`Unreadable` for a row whose ranges do not fit together.
    """
    header = [_HEADERS.get(name.lower(), "") for name in table.header]
    along = _ALONG[operand]
    listed = next(c for c in COORDINATES[operand][1:] if c != along)
    rows: list[list[int]] = []
    lines: list[int] = []
    for cells in table.rows:
        line = cells[0].line
        values = {h: span(c.text) for h, c in zip(header, cells, strict=True) if h}
        try:
            for row in _elements(values, operand, listed, along, subject, packed, modifiers):
                rows.append(row)
                lines.append(line)
        except (Unreadable, KeyError, ValueError) as error:
            raise Unreadable(f"{page.where(line)}: {error}") from None
    array = np.array(rows, dtype=np.int64).reshape(-1, 7)
    where = _lines(page, lines)
    return OperandTable(operand, COORDINATES[operand], array, KIND, where)


def _lines(page: Page, lines: list[int]) -> Callable[[int], str]:
    return lambda row: page.where(lines[row] if row < len(lines) else 0)


def _elements(
    values: Mapping[str, range],
    operand: str,
    listed: str,
    along: str,
    subject: Subject,
    packed: Mapping[int, Packed],
    modifiers: Modifiers,
) -> Iterator[list[int]]:
    lanes, registers = values["lanes"], values["registers"]
    width = subject.width(operand, modifiers)
    wide = -(-width // REGISTER_BITS)
    items = values.get("items", registers[::wide])
    if len(values[listed]) != len(items):
        raise Unreadable(f"{len(values[listed])} values of {listed} in {len(items)} places")
    across = values.get(along, range(subject.geometry.sizes(operand)[along]))
    if len(across) != len(lanes):
        raise Unreadable(f"{len(across)} values of {along} in {len(lanes)} lanes")
    if packed:
        places = [packed[item] for item in items]
    else:
        first = [wide * item if "items" in values else item for item in items]
        places = [Packed(register, 0, width) for register in first]
    touched = {
        register
        for place in places
        for register in range(
            place.register, place.register + 1 + (place.bit + place.width - 1) // REGISTER_BITS
        )
    }
    if touched != set(registers):
        shown = f"{min(touched)}–{max(touched)}"
        raise Unreadable(f"these items lie in registers {shown}, not in {_shown(registers)}")
    block = values.get("b", range(1))
    for b, (value, place), (other, lane) in product(
        block, zip(values[listed], places, strict=True), zip(across, lanes, strict=True)
    ):
        named = {"b": b, listed: value, along: other}
        coordinates = [named[name] for name in COORDINATES[operand]]
        yield [*coordinates, lane, place.register, place.bit, place.width]


def _shown(values: range) -> str:
    return f"{values[0]}–{values[-1]}" if len(values) > 1 else str(values[0])


# --- modifiers --------------------------------------------------------------------------------

BlockMap = tuple[int, ...]
"""For each block, the block of A that it reads."""


def block_maps(table: Table, blocks: int) -> dict[Modifiers, tuple[BlockMap, int]]:
    """Return, by cbsz and abid, the block of A that each block reads, with the line.

    Reads both kinds: ``blocks 0–1 read block abid; …`` and lists of blocks in order.
    """
    found = {}
    for cbsz, abids, text in (row[:3] for row in table.rows):
        for abid in span(abids.text):
            modifiers = Modifiers(cbsz=number(cbsz.text), abid=abid)
            found[modifiers] = (_block_map(text, blocks, abid), text.line)
    return found


def _block_map(cell: Cell, blocks: int, abid: int) -> BlockMap:
    if cell.text.startswith("each block reads its own"):
        return tuple(range(blocks))
    if cell.text[:1].isdigit():
        listed = numbers(cell.text)
        if len(listed) != blocks:
            raise Unreadable(f"{len(listed)} blocks are listed, there are {blocks}")
        return listed
    source: dict[int, int] = {}
    for part in cell.text.split(";"):
        match = re.fullmatch(
            r"blocks? ([\d–]+) reads? block (?:(\d+) \+ )?abid(?: of A)?", part.strip()
        )
        if match is None:
            raise Unreadable(f"{part.strip()!r} does not say which block is read")
        for block in span(match[1]):
            source[block] = int(match[2] or 0) + abid
    if sorted(source) != list(range(blocks)):
        raise Unreadable(f"blocks {sorted(source)} are told, there are {blocks}")
    return tuple(source[block] for block in range(blocks))


def under_blocks(plain: OperandTable, source: BlockMap, where: str) -> OperandTable:
    """Return A as blocks read it: each block's rows have the slots of the block it reads."""
    names = plain.coordinates
    at = [names.index(name) for name in ("b", "i", "k")]
    slots = {tuple(row[c] for c in at): row[3:] for row in plain.rows.tolist()}
    rows = [
        [*row[:3], *slots[source[row[at[0]]], row[at[1]], row[at[2]]]]
        for row in plain.rows.tolist()
        if (source[row[at[0]]], row[at[1]], row[at[2]]) in slots
    ]
    array = np.array(rows, dtype=np.int64).reshape(-1, 7)
    return OperandTable("A", names, array, plain.artefact, lambda _: where)


LaneMap = Mapping[int, int]
"""For each lane, the lane of B that it reads."""


def lane_maps(table: Table, plain: OperandTable | None) -> dict[Modifiers, tuple[LaneMap, int]]:
    """Return, by blgp, the lane that each lane reads, with the line of the row.

    The cells hold lanes, or what those lanes hold of B (``block 0, columns 0–15``): then
    `plain`, the table of B, tells which lanes that are.
    """
    groups = [span(re.sub(r"[^\d–]", "", name)) for name in table.header[1:]]
    held = [_share(plain, group) for group in groups] if plain is not None else []
    found: dict[Modifiers, tuple[LaneMap, int]] = {}
    for code, *cells in table.rows:
        lanes: dict[int, int] = {}
        for group, cell in zip(groups, cells, strict=True):
            if re.fullmatch(r"[\d–]+", cell.text):
                read = span(cell.text)
            elif cell.text in held:
                read = groups[held.index(cell.text)]
            else:
                raise Unreadable(f"no group of lanes holds {cell.text!r} of B")
            if len(read) != len(group):
                raise Unreadable(f"{len(group)} lanes read {len(read)}")
            lanes.update(zip(group, read, strict=True))
        found[Modifiers(blgp=number(code.text))] = (lanes, code.line)
    return found


def _share(plain: OperandTable, lanes: range) -> str:
    """What lanes hold of B, in the words of the page: coordinates that they do not hold whole."""
    rows = plain.rows
    mine = rows[(rows[:, 3] >= lanes.start) & (rows[:, 3] < lanes.stop)]
    nouns = {"b": ("block", "blocks"), "j": ("column", "columns"), "k": ("k", "k")}
    pieces = []
    for column, name in enumerate(plain.coordinates):
        values, full = np.unique(mine[:, column]), np.unique(rows[:, column])
        if len(values) < len(full):
            noun = nouns[name][len(values) > 1]
            first, last = int(values[0]), int(values[-1])
            pieces.append(f"{noun} {first}" if first == last else f"{noun} {first}–{last}")
    return ", ".join(pieces) if pieces else "everything"


def under_lanes(plain: OperandTable, lanes: LaneMap, where: str) -> OperandTable:
    """Return B as lanes read it: each row's lane is the one that is read for it."""
    rows = plain.rows.copy()
    rows[:, 3] = [lanes[lane] for lane in rows[:, 3].tolist()]
    return OperandTable("B", plain.coordinates, rows, plain.artefact, lambda _: where)
