"""Where answers go: standard output, or a file that is never left half-written."""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from layoutgen.cli.errors import Fault

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
    """Return ``--format``, or what the suffix of ``-o`` says, or the first of `formats`."""
    if options.format:
        return str(options.format)
    if options.output is None:
        return formats[0]
    by_suffix = SUFFIXES.get(options.output.suffix.lower(), formats[0])
    return by_suffix if by_suffix in formats else formats[0]


def emit(options: argparse.Namespace, text: str) -> None:
    """Print `text`, or write it to the file of ``-o``."""
    if options.output is None:
        sys.stdout.write(text)
    else:
        write(options.output, text.encode())


def write(path: Path, content: bytes) -> None:
    """Write `content` through a temporary file beside `path`; keep an equal file untouched."""
    if path.is_dir():
        raise Fault(f"cannot write {path}: it is a folder")
    try:
        if path.is_file() and path.read_bytes() == content:
            return
        handle, temporary = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(content)
            Path(temporary).chmod(0o666 & ~_umask())
            Path(temporary).replace(path)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise
    except OSError as failure:
        raise Fault(f"cannot write {path}: {failure.strerror}") from None


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
