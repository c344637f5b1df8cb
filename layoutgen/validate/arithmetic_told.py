"""What a page says of subnormal numbers and of roundings, by target and format.

Held against the recorded facts, and, where the arithmetic of an architecture is published, against
a run of it in the emulator: a subnormal number goes in, and comes out or does not.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from layoutgen import emulator
from layoutgen.emulator.formats import Format
from layoutgen.validate.artefacts import rst
from layoutgen.validate.findings import Finding
from layoutgen.validate.formats_used import uses
from layoutgen.validate.truth import NAMES, TITLES, arithmetic
from layoutgen.validate.words import names

KIND = "rst"
CLASS = "layout-subnormals"
FLUSHED = "flushed"
COLUMNS = ("Subnormal A, B", "Subnormal C, D", "D is rounded to")
_WIDE = 16
_FACTOR = 4.0
"""A number that all formats have, and by which a subnormal one becomes a normal one."""


def check(page: rst.Page, table: rst.Table) -> Iterator[Finding | None]:
    """Yield a finding, or None, for every fact of the table and for every fact that it lacks."""
    told: dict[str, set[str]] = {}
    for target, formats, *cells in table.rows:
        for title in names(formats.text):
            told.setdefault(target.text, set()).add(title)
            for says, wanted, who in _compared(target.text, title, [c.text for c in cells]):
                subject = f"{target.text}, {title}"
                where, against = page.where(cells[0].line), f"{who} has {wanted}"
                finding = Finding("L0", KIND, "", where, subject, f"says {says}", against)
                yield None if says == wanted else finding
    for arch, titles in told.items():
        for name in sorted(
            set(arithmetic().get(arch, {})) - {NAMES.get(n, n) for n in map(_name, titles)}
        ):
            where, against = page.where(table.line), "the record has it"
            yield Finding("L0", KIND, "", where, f"{arch}, {name}", "is not listed", against)


def _compared(arch: str, title: str, cells: list[str]) -> Iterator[tuple[str, str, str]]:
    """Yield what is said, what is right, and who says so."""
    name = _name(title)
    known = arithmetic().get(arch, {}) if arch in uses().get(title, {}) else {}
    wanted = known.get(NAMES.get(name, name))
    if wanted is None:
        yield title, "no such format", f"the record of {arch}"
        return
    said = dict(zip(COLUMNS, cells, strict=False))
    for column, right in zip(COLUMNS, wanted, strict=True):
        yield f"{column}: {said[column]}", f"{column}: {right}", "the record"
    for column, flushed in zip(COLUMNS, _run(arch, name), strict=False):
        is_said = f"{column}: {FLUSHED if said[column] == FLUSHED else 'kept'}"
        yield is_said, f"{column}: {FLUSHED if flushed else 'kept'}", "a run of the emulator"


def _name(title: str) -> str:
    """Return the emulator's name of a format."""
    return next((name for name, other in TITLES.items() if other == title), title)


@lru_cache(maxsize=64)
def _run(arch: str, name: str) -> tuple[bool, ...]:
    """Whether subnormal A and B, and subnormal C, are flushed; empty where nobody published it.

    The denormal flags of MODE are set to keep.
    """
    every = (emulator.instruction(arch, mnemonic) for mnemonic in emulator.mnemonics(arch))
    published = (one for one in every if one.numerics.summation is not None)
    record = next((one for one in published if one.a_format.name == name), None)
    if record is None:
        return ()
    a, b, c = record.a_format, record.b_format, record.d_format
    least, none = 2.0 ** (a.least_exponent - 1), 2.0 ** (c.least_exponent - 1)
    through = _execute(record, _all(a, least), _all(b, _FACTOR), _all(c, 0.0))
    added = _execute(record, _all(a, 0.0), _all(b, 0.0), _all(c, none))
    return not through.any(), not added.any()


Words = np.ndarray[tuple[int, ...], np.dtype[np.uint32]]


def _execute(record: emulator.Instruction, a: Words, b: Words, c: Words) -> Words:
    return emulator.run(
        record,
        _file(a, record.a_registers),
        _file(b, record.b_registers),
        _file(c, record.c_registers),
        model="numeric",
    )


def _file(words: Words, registers: int) -> Words:
    """Return the registers of all lanes, the words in turn."""
    return np.repeat(np.resize(words, registers)[:, None], 64, axis=1)


def _all(one: Format, value: float) -> Words:
    """Return one or two registers full of a number."""
    if one.bits > _WIDE:
        kind = np.float64 if one.bits > 32 else np.float32
        return np.array([value], dtype=kind).view(np.uint32)
    numbers = one.decode(np.arange(1 << one.bits, dtype=np.uint32))
    code = int(np.flatnonzero(numbers == value)[0])
    return np.array([sum(code << at for at in range(0, 32, one.bits))], dtype=np.uint32)
