"""Tables as a user has them: what kind of text it is, and the rows in it.

CSV, a table of Markdown, aligned text and JSON with the columns of ``layoutgen table``; bases of
a linear layout as JSON or as Triton prints them; a CuTe layout.  The kind is told by the text,
not by the name of the file.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

from layoutgen.comparison.bases import bases_in, from_bases
from layoutgen.comparison.columns import Row
from layoutgen.comparison.cute_text import from_cute, is_cute
from layoutgen.comparison.given import Given, TableError
from layoutgen.comparison.json_text import line_of_row, loads
from layoutgen.comparison.kinds import READ, is_attribute, is_path, is_there, other_format
from layoutgen.comparison.rows import from_rows
from layoutgen.comparison.separated import cells
from layoutgen.model import Instruction, Operand

MAX_BYTES = 16 << 20
"""Larger than any table of a wavefront, with room for comments and spaces."""


def read_file(
    operand: Operand, path: str | PathLike[str], inst: Instruction | None = None
) -> Given:
    """Return the table in a file; raises :class:`TableError`, and OSError if it cannot be read."""
    where = Path(path)
    if where.is_dir():
        raise TableError(f"{path}: this is a folder, not a table")
    with where.open("rb") as file:
        content = file.read(MAX_BYTES + 1)
    return read_text(operand, content, str(path), inst)


def read_text(
    operand: Operand, content: str | bytes, name: str = "table", inst: Instruction | None = None
) -> Given:
    """Return the table in `content`; `name` is what errors call it.

    Of a table of several instructions and operands, rows about `operand` of `inst` are taken.

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
    if other := other_format(bare):
        raise TableError(f"{name}:1: this looks like {other}: {READ}")
    if bare[0] in "{[" and not is_attribute(bare):
        return _from_json(operand, text, name, inst)
    if is_cute(bare):
        return from_cute(operand, bare, f"{name}:1")
    if bases := bases_in(text, f"{name}:1"):
        return from_bases(operand, bases, f"{name}:1")
    if is_attribute(bare):
        raise TableError(
            f"{name}:1: no bases of a linear layout: write {{register = [[…], …], lane = [[…], …]}}"
        )
    return _from_csv(operand, text, name, inst)


def read_rows(operand: Operand, rows: Iterable[Sequence[int]], name: str = "table") -> Given:
    """Return the table in rows of the operand's columns, such as ``operand.table()``.

    Raises TypeError for what has no rows, and :class:`TableError` for rows that are wrong.
    """
    if isinstance(rows, Mapping | str | bytes) or not isinstance(rows, Iterable):
        raise TypeError(f"a table is text, a Path, or rows of whole numbers, not {rows!r:.60}")
    numbered = ((0, _listed(row)) for row in rows)
    return from_rows(operand, operand.columns, numbered, name, heading=0)


def read_any(
    operand: Operand,
    table: str | bytes | Path | Iterable[Sequence[int]],
    inst: Instruction | None = None,
) -> Given:
    """Return the table in text, in the file at a Path, or in rows."""
    if isinstance(table, Path):
        return read_file(operand, table, inst)
    if not isinstance(table, str | bytes):
        return read_rows(operand, table)
    try:
        return read_text(operand, table, inst=inst)
    except TableError:
        if isinstance(table, bytes) or not is_path(table):
            raise
    if is_there(table):
        raise TableError(f"{table}: this is the name of a file: give Path({table!r}) to read it")
    raise TableError(f"{table}: no such file")


def _listed(row: Iterable[int]) -> list[int]:
    if isinstance(row, str | bytes) or not isinstance(row, Iterable):
        raise TypeError(f"a row of a table is several whole numbers, not {row!r:.60}")
    return list(row)


def _decoded(content: bytes, name: str) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise TableError(f"{name}:{line}: this is no text in UTF-8") from None


def _from_csv(operand: Operand, text: str, name: str, inst: Instruction | None) -> Given:
    lines = cells(text, name)
    if not lines:
        raise TableError(f"{name}:1: the table is empty")
    (line, heading), *rows = lines
    columns = [c.strip().lower() for c in heading]
    return from_rows(operand, columns, rows, name, heading=line, inst=inst)


def _from_json(operand: Operand, text: str, name: str, inst: Instruction | None) -> Given:
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

    return from_rows(
        operand,
        columns,
        numbered(),
        name,
        heading=1,
        inst=inst,
        locate=lambda position: line_of_row(text, path, -position),
    )


def _in_order(row: Mapping[str, Any], columns: Sequence[str]) -> Any:
    return [row[c] for c in columns] if set(row) == set(columns) else row
