"""Checks that need more than one field, or more than one file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path as FilePath

from layoutgen.spec.errors import Diagnostic
from layoutgen.spec.reader import Document
from layoutgen.spec.schema import File


@dataclass(frozen=True)
class Checked:
    """A file of the right shape: its path, the document with its marks, and the data."""

    path: FilePath
    document: Document
    file: File


def check_together(files: Sequence[Checked], incomplete: frozenset[str]) -> Iterator[Diagnostic]:
    """Yield what is wrong."""
    yield from ()
