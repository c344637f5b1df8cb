"""Which architectures and operands use a number format, and the pairs of a sparse index."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations

from layoutgen import emulator
from layoutgen.emulator.formats import F8F6F4
from layoutgen.validate.artefacts import rst
from layoutgen.validate.findings import Finding
from layoutgen.validate.formats_told import FORMATS
from layoutgen.validate.observation import kinds_of
from layoutgen.validate.truth import TITLES
from layoutgen.validate.words import names, number

KIND = "rst"


def used(page: rst.Page, table: rst.Table) -> Iterator[Finding | None]:
    """Bits, operands and targets of each format, and that no format is missing.

    A page may be about some architectures only: those that its rows name.
    """
    told = {row[0].text: row[1:] for row in table.rows}
    archs = {name for row in table.rows for name in names(row[-1].text)}
    every = {t: {a: by[a] for a in by if a in archs} for t, by in uses().items()}
    for title in sorted(title for title, by_arch in every.items() if by_arch and title not in told):
        against = "the emulator has instructions with it"
        yield Finding("L0", KIND, "", page.where(table.line), title, "is not listed", against)
    for title, (bits, operands, targets) in told.items():
        mine = every.get(title, {})
        wanted_operands = {name.replace("_", " ") for found in mine.values() for name in found}
        for cell, says, wanted in (
            (bits, number(bits.text), FORMATS[title].bits),
            (operands, set(names(operands.text)), wanted_operands),
            (targets, list(names(targets.text)), list(mine)),
        ):
            if says == wanted:
                yield None
                continue
            against = f"the emulator has {wanted if isinstance(wanted, int) else sorted(wanted)}"
            where = page.where(cell.line)
            yield Finding("L0", KIND, "", where, title, f"says {cell.text}", against)


@lru_cache(maxsize=1)
def uses() -> dict[str, dict[str, set[str]]]:
    """Return the operands that have a format, by its title and the architecture."""
    found: dict[str, dict[str, set[str]]] = {}
    for arch in emulator.architectures():
        for mnemonic in emulator.mnemonics(arch):
            for operand, kind in _kinds(emulator.instruction(arch, mnemonic)):
                if TITLES[kind] in FORMATS:
                    by_arch = found.setdefault(TITLES[kind], {})
                    by_arch.setdefault(arch, set()).add(operand)
    return found


def _kinds(record: emulator.Instruction) -> Iterator[tuple[str, str]]:
    """Every format that an operand can have, whatever a code chooses."""
    codes = range(len(F8F6F4)) if record.cbsz_role == "format" else (None,)
    for code in codes:
        formed = record if code is None else emulator.with_formats(record, code, code)
        for operand, (kind, _) in kinds_of(formed).items():
            yield operand, kind


def pairs(page: rst.Page, table: rst.Table) -> Iterator[Finding | None]:
    """Two numbers of two bits, the first one low: all pairs of different k of four, each once."""
    wanted = list(combinations(range(4), 2))
    for row, (first, second) in zip(table.rows, wanted, strict=True):
        code = first | second << 2
        texts = (str(first), str(second), f"{code:04b}", str(code),
                 f"4q + {first} and 4q + {second}")  # fmt: skip
        for cell, text, name in zip(row, texts, table.header, strict=True):
            if cell.text == text:
                yield None
                continue
            where, says = page.where(cell.line), f"says {cell.text}"
            yield Finding("L0", KIND, "", where, f"pair of indices, {name}", says, f"it is {text}")
