"""Wait states of two architectures side by side, whatever words their tables have for them.

One table says ``MFMA takes it as A or B`` where another tells A, B and index, or F32 and F64 apart.
A row therefore stands for all its cases: what kind of instruction comes first and what it does to
its registers, what kind comes next, and how that uses them.  Rows that share a case are compared.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import product
from typing import TypeAlias

from layoutgen.facts import Hazard
from layoutgen.hazards import classes
from layoutgen.model import Architecture, Instruction

Case: TypeAlias = tuple[str, str, str, str]
"""Kind of the first instruction, what it does, kind of the second, how that uses the registers."""
Pair: TypeAlias = tuple[str, Hazard | None, Hazard | None]
"""The cases that two rows share, in words, and both rows; or one row, in its own words."""

MATRIX = ("MFMA", "XDL", "F32", "F64")
"""What the tables call matrix instructions that come second."""
OVERLAPS = ("same", "overlapping")
ROLES = ("A", "B", "C", "index")
USES = {"use it": ["reads it", "writes it"], "uses it": ["reads it", "writes it"]}


def pairs(old: Architecture, new: Architecture) -> list[Pair]:
    """Return the rows of two architectures that have cases in common, in the order of `new`.

    A row without a case on the other side stands alone, beside None.
    """
    before, after = _by_case(old), _by_case(new)
    shared: dict[tuple[Hazard, Hazard], list[Case]] = {}
    for case, row in after.items():
        if case in before:
            shared.setdefault((before[case], row), []).append(case)
    met = {id(row) for pair in shared for row in pair}
    found: list[Pair] = [
        (text, one, other)
        for (one, other), cases in shared.items()
        for text in _told(cases, other, after)
    ]
    came: list[Pair] = [(_words(row), None, row) for row in new.hazards if id(row) not in met]
    gone: list[Pair] = [(_words(row), row, None) for row in old.hazards if id(row) not in met]
    return [*found, *came, *gone]


def _words(row: Hazard) -> str:
    return f"{row.first}, {row.then}"


def _told(cases: list[Case], row: Hazard, every: Mapping[Case, Hazard]) -> list[str]:
    """Return cases of a row in words: those of the row if they are all of it."""
    if len(cases) == sum(other is row for other in every.values()):
        return [_words(row)]
    by_second: dict[tuple[str, str], dict[str, list[str]]] = {}
    for first, does, second, use in cases:
        by_second.setdefault((second, use), {}).setdefault(does, []).append(first)
    by_use: dict[tuple[str, str, str], list[str]] = {}
    for (second, use), firsts in by_second.items():
        for does, kinds in firsts.items():
            by_use.setdefault((_named(kinds), does, use), []).append(second)
    by_both: dict[tuple[str, str, str], list[str]] = {}
    for (first, does, use), seconds in by_use.items():
        by_both.setdefault((first, does, _named(seconds)), []).append(use)
    return [
        f"{first} {does}, {second} {_use(uses, several=' or ' in second)}"
        for (first, does, second), uses in by_both.items()
    ]


def _either(words: Iterable[str]) -> str:
    *others, last = words
    return f"{', '.join(others)} or {last}" if others else last


def _named(kinds: list[str]) -> str:
    """Return kinds of instructions as the tables call them."""
    if set(kinds) == set(MATRIX[1:]):
        return MATRIX[0]
    floats = [kind for kind in kinds if kind in ("F32", "F64")]
    matrix = [f"{_either(floats)} MFMA"] if floats else []
    return _either([*matrix, *(kind for kind in kinds if kind not in floats)])


def _use(uses: list[str], *, several: bool) -> str:
    """Return ways of using registers as the tables tell them."""
    if not uses[0].startswith(ROLES):
        told = "uses it" if uses == USES["uses it"] else _either(uses)
        return re.sub(r"s it\b", " it", told) if several else told
    overlaps = [use.split()[1] for use in uses if " " in use]
    roles = _either(dict.fromkeys(use.split()[0] for use in uses))
    if len(overlaps) != 1:
        return f"takes it as {roles}"
    return f"takes {'the ' if overlaps == ['same'] else ''}{overlaps[0]} registers as {roles}"


def _by_case(arch: Architecture) -> dict[Case, Hazard]:
    return {case: row for row in arch.hazards for case in _cases(arch, row)}


def _cases(arch: Architecture, row: Hazard) -> Iterator[Case]:
    first, verb, what = _parted(row.first)
    mine = (inst for inst in arch.values() if first in classes(arch, inst))
    kinds = list(dict.fromkeys(map(_kind, mine))) or [first]
    for clause in row.then.split(", or "):
        second, *use = _parted(clause)
        others = dict.fromkeys(k for name in _listed(second) for k in _second(arch, name))
        yield from (
            (one, f"{verb} {what}", other, how)
            for one, other, how in product(kinds, others, _uses(" ".join(use)))
        )


def _parted(text: str) -> tuple[str, str, str]:
    """Return who does what: ``XDL``, ``writes``, ``D``."""
    found = re.fullmatch(r"(.+?) (takes|uses?|reads|writes) (.+)", text)
    return (found[1], found[2], found[3]) if found else (text, "", "")


def _listed(text: str) -> list[str]:
    return re.split(r", | or ", text)


def _kind(inst: Instruction) -> str:
    """Return what an instruction computes in, as finely as any table tells it apart."""
    kind = inst.operands["A"].format.name
    if kind == "f64":
        return f"F64 {inst.m}×{inst.n}×{inst.k}"
    return "F32" if kind == "f32" else "XDL"


def _second(arch: Architecture, name: str) -> list[str]:
    """Return the kinds of matrix instructions that `name` stands for; others are what they are."""
    plain = name.removesuffix(" MFMA")
    if plain not in MATRIX:
        return [name]
    every = {_kind(inst).split()[0]: classes(arch, inst) for inst in arch.values()}
    return [kind for kind, called in every.items() if plain == kind or plain in called]


def _uses(what: str) -> list[str]:
    """Return the ways of using registers that ``takes it as A or B`` stands for."""
    head, as_, roles = what.partition(" as ")
    if not as_:
        return list(USES.get(what, (what,)))
    overlaps = [word for word in OVERLAPS if word in head] or OVERLAPS
    return [
        f"{role} {overlap}".rstrip()
        for role in _listed(roles)
        for overlap in (overlaps if role == "C" else ("",))
    ]
