"""The table of one operand, wherever it was read from, and the same as an array of slots."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from layoutgen.validate.codes import LANES, REGISTER_BITS, IntArray

SLOT_COLUMNS = ("lane", "register", "bit", "width")
COORDINATES = {
    "A": ("b", "i", "k"),
    "B": ("b", "k", "j"),
    "C": ("b", "i", "j"),
    "D": ("b", "i", "j"),
    "index": ("b", "i", "group"),
    "scale_a": ("b", "i", "group"),
    "scale_b": ("b", "group", "j"),
}


@dataclass(frozen=True, eq=False)
class OperandTable:
    """Which slot holds which element, as an artefact says it.

    `rows` has the columns of `coordinates`, then lane, register, bit and width.  `artefact` is
    the kind of file; `where` tells the place of a row in words: file, line, cell.
    """

    operand: str
    coordinates: tuple[str, ...]
    rows: IntArray
    artefact: str
    where: Callable[[int], str]
    modifiers: str = ""
    negated: bool = False

    def with_rows(self, rows: IntArray) -> OperandTable:
        """Return the same table with other rows, each in the place of the old one."""
        return replace(self, rows=rows)

    def element(self, row: int) -> str:
        """Return the element of a row in words: ``A[b=0, i=3, k=1]``."""
        named = zip(self.coordinates, self.rows[row].tolist(), strict=False)
        return f"{self.operand}[{', '.join(f'{name}={value}' for name, value in named)}]"

    def slot_of(self, row: int) -> str:
        """Return the slot of a row in words."""
        lane, register, bit, width = self.rows[row, -4:].tolist()
        if width % REGISTER_BITS == 0 and bit == 0:
            return f"lane {lane}, register {register}"
        return f"lane {lane}, register {register}, bits {bit}-{bit + width - 1}"

    def blocks(self) -> IntArray:
        """Return the blocks that the table shows."""
        return np.unique(self.rows[:, self.coordinates.index("b")])


@dataclass(frozen=True, eq=False)
class SlotArray:
    """A table as arrays over its coordinates: the slot, and the row that says so; -1 for none."""

    table: OperandTable
    slot: IntArray
    row: IntArray


@dataclass(frozen=True)
class Fault:
    """A row of a table that cannot be right whatever the map is, or an element without a row."""

    row: int | None
    subject: str
    says: str
    wanted: str


def arrange(
    table: OperandTable, shape: tuple[int, ...], width: int, slots: int, *, shared: bool = False
) -> tuple[SlotArray, list[Fault]]:
    """Return `table` as arrays over its coordinates, `shape` values of each, and faults of form.

    `shared` allows several elements in one slot, as under a broadcast.  Only blocks that the
    table shows need to be complete.
    """
    coordinates = COORDINATES[table.operand]
    slot = np.full(shape, -1, dtype=np.int64)
    row = np.full(shape, -1, dtype=np.int64)
    faults = list(_malformed(table, coordinates, shape, width, slots))
    bad = {fault.row for fault in faults}
    good = np.array([n for n in range(len(table.rows)) if n not in bad], dtype=np.int64)
    rows = table.rows[good]
    element = np.ravel_multi_index(tuple(rows[:, :3].T), shape)
    place = (rows[:, 4] * REGISTER_BITS + rows[:, 5]) // width * LANES + rows[:, 3]
    faults += _twice(table, good, element, "stands twice: also")
    if not shared:
        faults += _twice(table, good, place, "shares its slot with")
    slot.reshape(-1)[element] = place
    row.reshape(-1)[element] = good
    shown = np.isin(np.arange(shape[0]), table.blocks())
    lost = np.argwhere((row < 0) & shown.reshape(-1, *[1] * (len(shape) - 1)))
    for where in lost.tolist():
        named = ", ".join(f"{n}={v}" for n, v in zip(coordinates, where, strict=True))
        faults.append(Fault(None, f"{table.operand}[{named}]", "is missing", "the map needs it"))
    return SlotArray(table, slot, row), faults


def _malformed(
    table: OperandTable,
    coordinates: tuple[str, ...],
    shape: tuple[int, ...],
    width: int,
    slots: int,
) -> Iterator[Fault]:
    if table.coordinates != coordinates:
        raise ValueError(f"{table.operand} has {coordinates}, not {table.coordinates}")
    rows = table.rows
    registers = slots * width // REGISTER_BITS // LANES
    limits = (*shape, LANES, registers, REGISTER_BITS)
    names = (*coordinates, "lane", "register", "bit")
    for column, (name, limit) in enumerate(zip(names, limits, strict=True)):
        for n in np.flatnonzero((rows[:, column] < 0) | (rows[:, column] >= limit)).tolist():
            wanted = f"{name} is 0 to {limit - 1}"
            yield Fault(n, table.element(n), f"{name} is {rows[n, column]}", wanted)
    start = rows[:, 4] * REGISTER_BITS + rows[:, 5]
    for n in np.flatnonzero((rows[:, 6] != width) | (start % width != 0)).tolist():
        says = f"{rows[n, 6]} bits from bit {rows[n, 5]}"
        yield Fault(n, table.element(n), says, f"elements have {width} bits, side by side")


def _twice(table: OperandTable, rows: IntArray, key: IntArray, text: str) -> Iterator[Fault]:
    order = np.argsort(key, kind="stable")
    for at in np.flatnonzero(np.diff(key[order]) == 0).tolist():
        first, second = int(rows[order[at]]), int(rows[order[at + 1]])
        says = f"at {table.slot_of(second)}"
        other = f"{text} {table.element(first)} at {table.slot_of(first)} ({table.where(first)})"
        yield Fault(second, table.element(second), says, f"it {other}")
