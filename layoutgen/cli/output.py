"""Where answers go: standard output, or a file that is never left half-written."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from layoutgen.cli.errors import Fault

if TYPE_CHECKING:
    from layoutgen.cli.tabular import Grid

Columns: TypeAlias = tuple[str, ...]
Rows: TypeAlias = Sequence[Sequence[object]]

FORMATS = ("text", "json", "csv", "markdown", "rst", "asciidoc", "html")
"""Formats of an answer that is a table."""
SUFFIXES = {
    ".json": "json",
    ".csv": "csv",
    ".md": "markdown",
    ".rst": "rst",
    ".adoc": "asciidoc",
    ".html": "html",
    ".txt": "text",
}


def chosen_format(options: argparse.Namespace, formats: Sequence[str]) -> str:
    """Return ``--format``, or what the suffix of ``-o`` says, or the first of `formats`.

    A suffix that names no format is the user's own; one of a format that is not among `formats`
    is refused.
    """
    if options.format:
        return str(options.format)
    if options.output is None:
        return formats[0]
    suffix = options.output.suffix.lower()
    by_suffix = SUFFIXES.get(suffix, formats[0])
    if by_suffix not in formats:
        offered = " or ".join(formats)
        raise Fault(
            f"{options.output} has the suffix {suffix!r}: this answer is {offered} "
            "(give another suffix, or --format)"
        )
    return by_suffix


def draw(options: argparse.Namespace, form: str, columns: Columns, rows: Rows) -> str:
    """Return a table in a format other than JSON; text for a terminal is fitted to it."""
    from layoutgen.cli.tabular import Grid

    return draw_grid(options, form, Grid(columns, rows))


def draw_grid(options: argparse.Namespace, form: str, grid: Grid) -> str:
    """Return `grid` in a format other than JSON; text for a terminal is fitted to it."""
    from layoutgen.cli.tabular import RENDERERS, for_terminal

    if form == "text" and options.output is None and sys.stdout.isatty():
        return for_terminal(grid)
    return RENDERERS[form](grid)


def emit(options: argparse.Namespace, text: str) -> None:
    """Print `text`, or write it to the file of ``-o``."""
    if options.output is None:
        sys.stdout.write(text)
    else:
        write(options.output, text.encode())


def write(path: Path, content: bytes) -> None:
    """Write `content` through a temporary file beside `path`; keep an equal file untouched.

    What is no regular file, such as a pipe or a device, is written to and not replaced.
    """
    from layoutgen.manifest import real
    from layoutgen.writing import write_file

    if path.is_dir():
        raise Fault(f"cannot write {path}: it is a folder")
    if not path.parent.is_dir():
        raise Fault(f"cannot write {path}: there is no folder {path.parent}")
    try:
        if path.exists() and not path.is_file():
            path.write_bytes(content)
        else:
            write_file(real(path), content)
    except OSError as failure:
        raise Fault(f"cannot write {path}: {failure.strerror or failure}") from None
