"""Tables as a user has them: what kind of text it is, and the rows in it.

CSV and JSON with the columns of ``layoutgen table``; bases of a linear layout as JSON or as Triton
prints them; a CuTe layout.  The kind is told by the text, not by the name of the file.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

from layoutgen.comparison.bases import bases_in, from_bases
from layoutgen.comparison.cute_text import from_cute, is_cute
from layoutgen.comparison.given import MAX_REGISTERS, Given, TableError, given
from layoutgen.comparison.json_text import line_of_row, loads
from layoutgen.model import REGISTER_BITS, Operand

MAX_BYTES = 16 << 20
"""Larger than any table of a wavefront, with room for comments and spaces."""

SLOT_COLUMNS = ("lane", "register", "bit", "width")

Row = tuple[int, Sequence[Any]]
"""A line number, 0 where there is none, and the cells."""


def read_file(operand: Operand, path: str | PathLike[str]) -> Given:
    """Return the table in a file; raises :class:`TableError`, and OSError if it cannot be read."""
    where = Path(path)
    if where.is_dir():
        raise TableError(f"{path}: this is a folder, not a table")
    with where.open("rb") as file:
        content = file.read(MAX_BYTES + 1)
    return read_text(operand, content, str(path))


def read_text(operand: Operand, content: str | bytes, name: str = "table") -> Given:
    """Return the table in `content`; `name` is what errors call it.

    Raises :class:`TableError`, located ``name:line: …``, for what is no table of `operand`.
    """
    if len(content) > MAX_BYTES:
        raise TableError(f"{name}:1: larger than {MAX_BYTES >> 20} MiB: no table of one operand is")
    text = _decoded(content, name) if isinstance(content, bytes) else content
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise TableError(f"{name}:{line}: this is no text: it has a zero byte")
    bare = text.strip()
    if not bare:
        raise TableError(f"{name}:1: the table is empty")
    if bare[0] in "{[":
        return _from_json(operand, text, name)
    if is_cute(bare):
        return from_cute(operand, bare, f"{name}:1")
    if bases := bases_in(text, f"{name}:1"):
        return from_bases(operand, bases, f"{name}:1")
    return _from_csv(operand, text, name)


def read_rows(operand: Operand, rows: Iterable[Sequence[int]], name: str = "table") -> Given:
    """Return the table in rows of the operand's columns, such as ``operand.table()``."""
    numbered = ((0, list(row)) for row in rows)
    return _from_rows(operand, operand.columns, numbered, name, heading=0)


def _decoded(content: bytes, name: str) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise TableError(f"{name}:{line}: this is no text in UTF-8") from None


def _from_csv(operand: Operand, text: str, name: str) -> Given:
    lines = list(enumerate(text.splitlines(), start=1))
    kept = [(n, line) for n, line in lines if line.strip() and not line.lstrip().startswith("#")]
    if not kept:
        raise TableError(f"{name}:1: the table is empty")
    reader = csv.reader((line for _, line in kept), skipinitialspace=True, strict=True)
    cells: list[tuple[int, Sequence[Any]]] = []
    while True:
        try:
            row = next(reader, None)
        except csv.Error as error:
            raise TableError(f"{name}:{kept[reader.line_num - 1][0]}: {error}") from None
        if row is None:
            break
        cells.append((kept[reader.line_num - 1][0], row))
    (line, heading), *rows = cells
    return _from_rows(operand, [c.strip().lower() for c in heading], rows, name, heading=line)


def _from_json(operand: Operand, text: str, name: str) -> Given:
    document = loads(text, name)
    if isinstance(document, list) and document and all(isinstance(r, dict) for r in document):
        columns = list(document[0])
        listed: list[Any] = [_in_order(row, columns) for row in document]
        path: tuple[str, ...] = ()
    elif isinstance(document, dict) and isinstance(document.get("rows"), list):
        columns = document.get("columns", [])
        listed, path = document["rows"], ("rows",)
    elif isinstance(document, dict) and (bases := bases_in(document, f"{name}:1")):
        return from_bases(operand, bases, f"{name}:1")
    elif isinstance(document, dict) and isinstance(document.get("cute"), str):
        return from_cute(operand, document["cute"], f"{name}:1")
    else:
        raise TableError(
            f"{name}:1: neither rows with columns, nor register and lane bases: write "
            '{"columns": […], "rows": [[…], …]} or {"register": [[…], …], "lane": [[…], …]}'
        )
    if not isinstance(columns, list) or not all(isinstance(c, str) for c in columns):
        raise TableError(f"{name}:1: columns is not a list of names")

    def numbered() -> Iterator[Row]:
        for position, row in enumerate(listed):
            if not isinstance(row, list):
                raise TableError(f"{name}:{line_of_row(text, path, position)}: this row is no list")
            yield -position, row

    return _from_rows(
        operand,
        columns,
        numbered(),
        name,
        heading=1,
        locate=lambda position: line_of_row(text, path, -position),
    )


def _in_order(row: Mapping[str, Any], columns: Sequence[str]) -> Any:
    return [row[c] for c in columns] if set(row) == set(columns) else row


def _from_rows(
    operand: Operand,
    columns: Sequence[str],
    rows: Iterable[Row],
    name: str,
    *,
    heading: int,
    locate: Any = None,
) -> Given:
    """Check rows one by one; `locate` gives the line of a row, which else is its number."""
    at_heading = f"{name}:{heading}" if heading else name
    _check_columns(operand, columns, at_heading)
    limits = {
        **operand.layout.shape,
        "lane": operand.layout.lanes,
        "register": MAX_REGISTERS,
        "bit": REGISTER_BITS,
        "width": 1 << 16,
    }
    order = [columns.index(c) if c in columns else None for c in operand.columns]
    found: list[list[int]] = []
    first: dict[tuple[int, ...], int] = {}
    notes: dict[str, None] = {}
    for number, cells in rows:

        def place(number: int = number) -> str:
            line = locate(number) if locate else number
            return f"{name}:{line}" if line else name

        if len(cells) != len(columns):
            raise TableError(
                f"{place()}: {len(cells)} entries, but there are {len(columns)} columns: "
                f"{', '.join(columns)}"
            )
        values = [
            _number(cell, c, limits[c], place) for cell, c in zip(cells, columns, strict=True)
        ]
        *at, lane, register, bit, width = (0 if n is None else values[n] for n in order)
        if "width" in columns and width != operand.format.bits:
            notes.setdefault(f"the table says {width} bits, an element has {operand.format.bits}")
        row = [*at, lane, register * REGISTER_BITS + bit]
        if (before := first.setdefault(tuple(row), number)) != number:
            line = locate(before) if locate else before
            raise TableError(f"{place()}: the same row as in line {line}")
        found.append(row)
    if not found:
        raise TableError(f"{at_heading}: there are no rows")
    return given(operand, found, tuple(notes))


def _check_columns(operand: Operand, columns: Sequence[str], where: str) -> None:
    known = operand.columns
    ours = ", ".join(known)
    for column in columns:
        if column not in known:
            raise TableError(f"{where}: no column {column!r}: {operand.name} has {ours}")
        if columns.count(column) > 1:
            raise TableError(f"{where}: column {column!r} stands twice")
    sizes = operand.layout.shape
    packed = operand.format.bits % REGISTER_BITS != 0
    optional = {c for c in known if sizes.get(c) == 1} | {"width"} | ({"bit"} - {"bit" * packed})
    for column in known:
        if column not in columns and column not in optional:
            raise TableError(f"{where}: column {column!r} is missing: {operand.name} has {ours}")


def _number(cell: Any, column: str, limit: int, place: Any) -> int:
    """Return a cell as a number; `place` gives the location when something is wrong."""
    value: Any = cell
    if isinstance(cell, str):
        bare = cell.strip()
        value = int(bare) if re.fullmatch(r"[+-]?[0-9]{1,9}", bare) else cell
    elif hasattr(cell, "__index__") and not isinstance(cell, bool):
        value = cell.__index__()
    if type(value) is not int:
        raise TableError(f"{place()}: column {column!r}: {cell!r} is not a whole number")
    if not 0 <= value < limit:
        raise TableError(f"{place()}: column {column!r}: {value} is out of range: 0 to {limit - 1}")
    return value
