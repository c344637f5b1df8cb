"""Rows of numbers, checked one by one, and what they state about an operand."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial

from layoutgen.comparison.columns import Row, check, named, of_operand
from layoutgen.comparison.given import MAX_REGISTERS, Given, TableError, given
from layoutgen.comparison.numbers import check_registers, whole
from layoutgen.model import REGISTER_BITS, Instruction, Operand

Piece = tuple[tuple[int, ...], int]
"""A row (coordinates…, lane, start), and how many bits it says."""


def from_rows(
    operand: Operand,
    columns: Sequence[str],
    rows: Iterable[Row],
    name: str,
    *,
    heading: int,
    inst: Instruction | None = None,
    locate: Callable[[int], int] | None = None,
) -> Given:
    """Return the table in `rows`; `locate` gives the line of a row, which else is its number."""
    at_heading = f"{name}:{heading}" if heading else name
    ours, kept = of_operand(operand, inst, named(operand, columns), rows, at_heading)
    check(operand, ours, at_heading)

    def place(number: int) -> str:
        line = locate(number) if locate else number
        return f"{name}:{line}" if line else name

    pieces = _checked(operand, ours, kept, place)
    if not pieces:
        raise TableError(f"{at_heading}: there are no rows")
    bits = operand.format.bits
    if whole := _joined(pieces, bits):
        widths = sorted({width for _, width in pieces})
        told = ", ".join(map(str, widths))
        what = "halves" if widths == [bits // 2] else "pieces"
        return given(operand, whole, (), (f"its elements are written as {what} of {told} bits",))
    wrong = dict.fromkeys(width for _, width in pieces if width != bits)
    if "width" not in ours:
        wrong = {}
    notes = (f"the table says {width} bits, an element has {bits}" for width in wrong)
    return given(operand, (row for row, _ in pieces), tuple(notes))


def _checked(
    operand: Operand, columns: Sequence[str], rows: Iterable[Row], place: Callable[[int], str]
) -> list[Piece]:
    """Return the numbers of every row; a table without widths may hold whole registers."""
    limits = {
        **operand.layout.shape,
        "lane": operand.layout.lanes,
        "register": MAX_REGISTERS,
        "bit": REGISTER_BITS,
        "width": 1 << 16,
    }
    order = [columns.index(c) if c in columns else None for c in operand.columns]
    least = min(operand.format.bits, REGISTER_BITS)
    found: list[Piece] = []
    first: dict[tuple[int, ...], int] = {}
    for number, cells in rows:
        if len(cells) != len(columns):
            raise TableError(
                f"{place(number)}: {len(cells)} entries, but there are {len(columns)} columns: "
                f"{', '.join(columns)}"
            )
        at_row = partial(place, number)
        values = [whole(cell, c, limits[c], at_row) for cell, c in zip(cells, columns, strict=True)]
        *at, lane, register, bit, width = (0 if n is None else values[n] for n in order)
        bits = width if "width" in columns else operand.format.bits
        check_registers(cells[columns.index("register")], bit, bits, at_row)
        row = (*at, lane, register * REGISTER_BITS + bit)
        if (before := first.setdefault(row, number)) != number:
            line = place(before).rpartition(":")[2]
            raise TableError(f"{at_row()}: the same row as in line {line}")
        found.append((row, width if "width" in columns else least))
    return found


def _joined(pieces: list[Piece], bits: int) -> list[tuple[int, ...]]:
    """Return whole elements, if every one is written as pieces side by side; else nothing."""
    if all(width >= bits for _, width in pieces):
        return []
    whole: list[tuple[int, ...]] = []
    element: tuple[int, ...] = ()
    end = left = 0
    for row, width in sorted(pieces):
        if not left:
            whole.append(row)
            element, end, left = row[:-1], row[-1], bits
        if row[:-1] != element or row[-1] != end or width > left:
            return []
        end, left = end + width, left - width
    return whole if not left else []
