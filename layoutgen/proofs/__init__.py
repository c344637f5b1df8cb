"""What the last recorded validation found, for pages: one line for each instruction.

``layoutgen validate --record`` writes a file for each architecture; it has no dates and no times,
so that the same code gives the same file.  Nothing here imports the validation.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from layoutgen.model import Architecture

__all__ = ["ProofLine", "proof", "record", "record_file", "sentences"]

HERE = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class ProofLine:
    """What was checked of one instruction.

    `settings` of the modifiers, under each of which all `products` were compared with those that
    the emulator makes; `labels` of elements that `witnesses` agree with; `runs` of random
    matrices whose result was that of numpy.
    """

    mnemonic: str
    settings: int
    products: int
    labels: int
    witnesses: tuple[str, ...]
    unwitnessed: tuple[str, ...]
    runs: int

    def __str__(self) -> str:
        """Return the line in words."""
        text = (
            f"all {self.products} products under {_count(self.settings, 'setting')} of the "
            f"modifiers are those of the emulator; {_count(self.runs, 'random product')} equal "
            "numpy's"
        )
        if self.witnesses:
            text += f"; names of rows, columns, k and blocks as in {' and '.join(self.witnesses)}"
            if self.unwitnessed:
                text += f", except of {' and '.join(self.unwitnessed)}: no witness"
        else:
            text += "; no witness for the names of rows, columns, k and blocks"
        return text


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'s' * (number != 1)}"


def record_file(arch: str) -> Path:
    """Return the file that holds the record of an architecture."""
    return HERE / f"{arch}.json"


@lru_cache(maxsize=8)
def record(arch: str) -> Mapping[str, Any]:
    """Return the whole record of an architecture; empty if there is none."""
    path = record_file(arch)
    if not path.is_file():
        return {}
    document: Mapping[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return document


def proof(arch: str) -> dict[str, ProofLine]:
    """Return the line of every recorded instruction of an architecture, by mnemonic."""
    return {
        mnemonic: ProofLine(
            mnemonic,
            entry["settings"],
            entry["products"],
            entry["labels"],
            tuple(entry["witnesses"]),
            tuple(entry["unwitnessed"]),
            entry["runs"],
        )
        for mnemonic, entry in record(arch).get("instructions", {}).items()
    }


def sentences(archs: Iterable[Architecture]) -> dict[tuple[str, str], str]:
    """Return the lines of all architectures in words, by architecture and mnemonic."""
    return {
        (arch.name, mnemonic): str(line)
        for arch in archs
        for mnemonic, line in proof(arch.name).items()
    }
