"""Wait states of two architectures side by side, whatever words their tables have for them.

One table says ``MFMA takes it as A or B`` where another tells A, B and index, or F32 and F64 apart.
A row therefore stands for all its cases: what kind of instruction comes first and what it does to
its registers, what kind comes next, and how that uses them.  Rows that share a case are compared.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product
from typing import TypeAlias

from layoutgen.facts import Hazard
from layoutgen.hazards import classes
from layoutgen.model import Architecture, Instruction

Case: TypeAlias = tuple[str, str, str, str]
"""Kind of the first instruction, what it does, kind of the second, how that uses the registers."""
Pair: TypeAlias = tuple[Hazard | None, Hazard | None]

MATRIX = ("MFMA", "XDL", "F32", "F64")
"""What the tables call matrix instructions that come second."""
OVERLAPS = ("same", "overlapping")
USES = {"use it": ("reads it", "writes it"), "uses it": ("reads it", "writes it")}


def pairs(old: Architecture, new: Architecture) -> list[Pair]:
    """Return the rows of two architectures that have cases in common, in the order of `new`.

    A row without a case on the other side stands alone, beside None.
    """
    before, after = _by_case(old), _by_case(new)
    found = {(before[case], row): None for case, row in after.items() if case in before}
    met = {id(row) for pair in found for row in pair}
    came: list[Pair] = [(None, row) for row in new.hazards if id(row) not in met]
    gone: list[Pair] = [(row, None) for row in old.hazards if id(row) not in met]
    return [*found, *came, *gone]


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
