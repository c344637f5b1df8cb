"""Lines with cells: CSV with any usual separator, a table of Markdown, or aligned columns."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator

from layoutgen.comparison.given import TableError

SEPARATORS = ",;\t"
_RULE = re.compile(r"(?=.*(--|==))[\s|:+=-]+")

Line = tuple[int, list[str]]
"""The number of a line, and its cells."""


def cells(text: str, name: str) -> list[Line]:
    """Return the cells of every line that is no comment, the heading first.

    The heading tells how cells are kept apart.  Raises :class:`TableError` for a quotation mark
    that is not closed.
    """
    lines = list(enumerate(text.splitlines(), start=1))
    kept = [(n, line) for n, line in lines if line.strip() and not line.lstrip().startswith("#")]
    kept = kept[next((at for at, (_, line) in enumerate(kept) if not _is_rule(line)), 0) :]
    if not kept:
        return []
    heading = kept[0][1].strip()
    if heading.startswith("|"):
        return [(n, _between_bars(line)) for n, line in kept if not _is_rule(line)]
    separator = max(SEPARATORS, key=heading.count)
    if separator not in heading and len(heading.split()) > 1:
        return [(n, line.split()) for n, line in kept if not _is_rule(line)]
    return list(_separated(kept, separator, name))


def _is_rule(line: str) -> bool:
    """Tell whether a line is a rule below or above the heading."""
    return _RULE.fullmatch(line) is not None


def _between_bars(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def _separated(kept: list[tuple[int, str]], separator: str, name: str) -> Iterator[Line]:
    reader = csv.reader(
        (line for _, line in kept), delimiter=separator, skipinitialspace=True, strict=True
    )
    while True:
        try:
            row = next(reader, None)
        except csv.Error as error:
            raise TableError(f"{name}:{kept[reader.line_num - 1][0]}: {error}") from None
        if row is None:
            return
        yield kept[reader.line_num - 1][0], row
