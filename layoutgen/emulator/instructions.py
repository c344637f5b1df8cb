"""The instruction record and the tables of mnemonics, one per architecture.

To add an architecture: a module like :mod:`layoutgen.emulator.gfx908` with ``instructions()``,
its name in ``_TABLES``, and whatever is new of formats (``formats.py``), layout rules
(``rules.py``) and published arithmetic (``models.py``). An operand of a new kind (sparse
index, scales) becomes one more input of ``machine.run``, handed on through ``models.Factors``.
"""

import difflib
import importlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from layoutgen.emulator.errors import EmulatorError
from layoutgen.emulator.formats import Format
from layoutgen.emulator.models import Numerics
from layoutgen.emulator.rules import Rule

# Architecture to the module of this package that holds its table.
_TABLES = {"gfx908": "gfx908"}


@dataclass(frozen=True)
class Instruction:
    """One matrix instruction, as the emulator knows it.

    ``a_registers``, ``b_registers`` and ``d_registers`` count 32-bit registers per lane (C has
    as many as D); ``items`` counts the elements of A, and of B, packed in one lane. ``m``,
    ``n`` and ``k`` are per block; the emulator computes from ``rule`` alone and never from
    them.
    """

    arch: str
    mnemonic: str
    m: int
    n: int
    k: int
    blocks: int
    a_format: Format
    b_format: Format
    d_format: Format
    a_registers: int
    b_registers: int
    d_registers: int
    items: int
    rule: Rule
    numerics: Numerics
    source: str

    @property
    def c_registers(self) -> int:
        """Registers per lane of C: as many as of D."""
        return self.d_registers

    @property
    def sources(self) -> tuple[str, ...]:
        """Where every fact of this record comes from."""
        return (self.source, *self.rule.sources, self.numerics.source)


def architectures() -> tuple[str, ...]:
    """The architectures the emulator knows."""
    return tuple(_TABLES)


def mnemonics(arch: str) -> tuple[str, ...]:
    """The mnemonics of an architecture, in the order of its table.

    Raises :class:`EmulatorError` for an unknown architecture.
    """
    return tuple(_table(arch))


def instruction(arch: str, mnemonic: str) -> Instruction:
    """The record of one instruction.

    Raises :class:`EmulatorError`, with the nearest names, for an unknown architecture or mnemonic.
    """
    table = _table(arch)
    if mnemonic not in table:
        raise EmulatorError(f"{arch} has no instruction {mnemonic!r}{_nearest(mnemonic, table)}")
    return table[mnemonic]


def _table(arch: str) -> Mapping[str, Instruction]:
    if arch not in _TABLES:
        raise EmulatorError(
            f"unknown architecture {arch!r}{_nearest(arch, _TABLES)}; known: {', '.join(_TABLES)}"
        )
    return _load(arch)


@cache
def _load(arch: str) -> Mapping[str, Instruction]:
    module = importlib.import_module(f"layoutgen.emulator.{_TABLES[arch]}")
    return MappingProxyType(module.instructions())


def _nearest(name: str, known: Iterable[str]) -> str:
    matches = difflib.get_close_matches(str(name), list(known), n=3, cutoff=0.5)
    return f"; did you mean {' or '.join(matches)}?" if matches else ""
