"""What the last recorded validation found, for pages: one line for each instruction.

``layoutgen validate --mutate --record`` writes a file for each architecture and one about the
faults that were made; they have no dates and no times, so that the same code gives the same files.
Nothing here imports the validation.
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

__all__ = ["MUTANTS", "ProofLine", "mutants", "proof", "record", "record_file", "sentences"]

HERE = Path(__file__).parent
MUTANTS = HERE / "mutants.json"
"""What became of the faults that were made, over all architectures."""


@dataclass(frozen=True, slots=True)
class ProofLine:
    """What was checked of one instruction.

    `products` over all `settings` of the modifiers that are those of the emulator, and as many
    random matrices whose product was numpy's; `labels` of elements that `witnesses` agree with,
    which speak of all operands but the `unwitnessed`.
    """

    mnemonic: str
    settings: int
    products: int
    labels: int
    witnesses: tuple[str, ...]
    unwitnessed: tuple[str, ...]

    def __str__(self) -> str:
        """Return the line in words."""
        settings = f" under all {self.settings} settings of the modifiers"
        text = (
            f"all products{settings if self.settings > 1 else ''} are those of the emulator "
            f"({self.products} in all), and random matrices give numpy's result"
        )
        if not self.witnesses:
            return f"{text}; no witness for the names of rows, columns, k and blocks"
        text += f"; {self.labels} elements are named as in {_listed(self.witnesses)}"
        if self.unwitnessed:
            text += f" (no witness for {_listed(self.unwitnessed)})"
        return text


def _listed(names: tuple[str, ...]) -> str:
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last


def record_file(arch: str) -> Path:
    """Return the file that holds the record of an architecture."""
    return HERE / f"{arch}.json"


def record(arch: str) -> Mapping[str, Any]:
    """Return the whole record of an architecture; empty if there is none."""
    return _read(record_file(arch))


def mutants() -> Mapping[str, Any]:
    """Return the record of the faults that were made; empty if there is none."""
    return _read(MUTANTS)


@lru_cache(maxsize=8)
def _read(path: Path) -> Mapping[str, Any]:
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
