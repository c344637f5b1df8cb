"""The instruction record and the tables of mnemonics, one per architecture.

To add an architecture: a module like :mod:`layoutgen.emulator.gfx908` with ``instructions()``,
its name in ``_TABLES``, and whatever is new of formats (``formats.py``), layout rules
(``rules*.py``) and published arithmetic (``numerics.py``).
"""

import dataclasses
import difflib
import importlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from types import MappingProxyType
from typing import Literal, TypeAlias

from layoutgen.emulator.errors import EmulatorError
from layoutgen.emulator.formats import F8F6F4, Format
from layoutgen.emulator.models import Numerics
from layoutgen.emulator.rules import Rule, WidthRule

# What the cbsz field (and with it abid) does: share one block's A, choose A's format, choose
# the index set, nothing.
CbszRole: TypeAlias = Literal["broadcast", "format", "index", "none"]
# What the blgp field does: move B between lanes, negate A, B and C, choose B's format, nothing.
BlgpRole: TypeAlias = Literal["lanes", "negate", "format", "none"]

# Architecture to the module of this package that holds its table.
_TABLES = {"gfx908": "gfx908", "gfx90a": "gfx90a", "gfx942": "gfx942", "gfx950": "gfx950"}


@dataclass(frozen=True)
class Instruction:
    """One matrix instruction, as the emulator knows it.

    ``a_registers``, ``b_registers`` and ``d_registers`` count 32-bit registers per lane (C has
    as many as D); ``items`` counts the elements of A packed in one lane. ``m``, ``n`` and ``k``
    are per block, ``k`` the dense one; the emulator computes from ``rule`` alone and never
    from them.

    Sparse instructions (``index_sets`` not 0) take an index register with that many sets. The
    f8f6f4 instructions (role ``format``) stand here with code 0 for A and for B; see
    :func:`with_formats`. ``witnesses`` names who ran this very instruction.
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
    cbsz_role: CbszRole = "broadcast"
    blgp_role: BlgpRole = "lanes"
    index_sets: int = 0
    scaled: bool = False
    witnesses: tuple[str, ...] = ()

    @property
    def c_registers(self) -> int:
        """Registers per lane of C: as many as of D."""
        return self.d_registers

    @property
    def d_elements(self) -> int:
        """Elements per lane of D; one of 64 bits is a pair of registers."""
        return self.d_registers * 32 // self.d_format.bits

    @property
    def sparse(self) -> bool:
        """Whether A is compressed and an index register says which k it holds."""
        return self.index_sets > 0

    @property
    def sources(self) -> tuple[str, ...]:
        """Where every fact of this record comes from."""
        return (self.source, *self.witnesses, *self.rule.sources, self.numerics.source)


@lru_cache(maxsize=1024)
def with_formats(instruction: Instruction, cbsz: int = 0, blgp: int = 0) -> Instruction:
    """The record with the formats that the codes choose; any other instruction as it is.

    Formats change the registers that A and B take, and where k sits.
    """
    if instruction.cbsz_role != "format":
        return instruction
    a_format, b_format = F8F6F4[cbsz], F8F6F4[blgp]
    rule = instruction.rule
    if isinstance(rule, WidthRule):
        rule = rule.of(a_format.bits, b_format.bits)
    return dataclasses.replace(
        instruction,
        a_format=a_format,
        b_format=b_format,
        a_registers=instruction.items * a_format.bits // 32,
        b_registers=instruction.items * b_format.bits // 32,
        rule=rule,
    )


def architectures() -> tuple[str, ...]:
    """The architectures the emulator knows."""
    return tuple(_TABLES)


def mnemonics(arch: str) -> tuple[str, ...]:
    """The mnemonics of an architecture, in the order of its table.

    Raises:
        EmulatorError: unknown architecture.
    """
    return tuple(_table(arch))


def instruction(arch: str, mnemonic: str) -> Instruction:
    """The record of one instruction.

    Raises:
        EmulatorError: unknown architecture or mnemonic; names the nearest known ones.
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
