"""Every figure of an architecture: one for each distinct picture, in a stable order."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from layoutgen.figures import modifiers, names, words
from layoutgen.figures.request import figure

if TYPE_CHECKING:
    from layoutgen.figures.scene import Scene
    from layoutgen.model import Architecture, Instruction

DEEPEST = 16
"""The product view shows the instruction with most k up to this: deeper ones are too wide."""

MOST_NAMED = 3
"""So many instructions are named in an alternative text; more are counted."""


@dataclass(frozen=True)
class Figure:
    """A figure of the gallery: the stem of its file, its alternative text, and how it is made."""

    stem: str
    alt: str
    build: Callable[[], Scene]


def gallery(arch: Architecture) -> dict[str, Figure]:
    """Return the figures of `arch` by their stems: accumulators, A and B, register files,
    products, then what the modifiers do.
    """
    found = [
        *_accumulators(arch),
        *_inputs(arch),
        *_register_files(arch),
        *_products(arch),
        *_patterns(arch),
        *_broadcasts(arch),
    ]
    return {figure.stem: figure for figure in found}


def _accumulators(arch: Architecture) -> Iterator[Figure]:
    for stem, users in _users(arch, names.accumulator).items():
        inst = _multiblock(users)
        head = f"Accumulator (C and D) of a {inst.m}×{inst.n} tile"
        alt = _alt(arch, users, f"accumulator (C and D) of a {inst.m}×{inst.n} tile", inst, "D")
        yield Figure(stem, alt, partial(figure, inst, "D", heading=head))


def _inputs(arch: Architecture) -> Iterator[Figure]:
    for letter in "AB":
        for stem, users in _users(arch, partial(names.operand, name=letter)).items():
            inst = users[0]
            shape = f"{inst.m}×{inst.n}×{inst.k}"
            operand = inst.operands[letter]
            head = f"{letter} of a {shape} product, {operand.format.bits}-bit elements"
            alt = _alt(arch, users, head, inst, letter)
            yield Figure(stem, alt, partial(figure, inst, letter, heading=head))


def _register_files(arch: Architecture) -> Iterator[Figure]:
    for stem, users in _users(arch, names.registers).items():
        inst = _multiblock(users)
        what = f"accumulator registers of a {inst.m}×{inst.n} tile"
        rule = "; ".join(words.inverse(inst.operands["D"]))
        alt = (
            f"{arch.name}, {what}, {inst.blocks} blocks: element in each lane and register. {rule}."
        )
        head = f"Accumulator registers of a {inst.m}×{inst.n} tile"
        yield Figure(stem, alt, partial(figure, inst, "D", view="registers", heading=head))


def _products(arch: Architecture) -> Iterator[Figure]:
    for stem, users in _users(arch, names.product).items():
        inst = max((u for u in users if u.k <= DEEPEST), key=lambda u: u.k, default=users[0])
        head = f"A, B and D of a {inst.m}×{inst.n}×{inst.k} product"
        lanes = "; ".join(f"{n}: {words.formulas(inst.operands[n])[0]}" for n in "ABD")
        alt = f"{arch.name}, {inst.mnemonic}: A left, B above, D at their crossing. {lanes}."
        yield Figure(stem, alt, partial(figure, inst, "D", view="product", heading=head))


def _patterns(arch: Architecture) -> Iterator[Figure]:
    users = [inst for inst in arch.values() if len(inst.rules.blgp_codes) > 1]
    for code in users[0].rules.blgp_codes if users else ():
        rule = modifiers.pattern(users[0], code)
        alt = f"{arch.name}, blgp {code}: the lane of B that each lane reads. {rule}"
        yield Figure(names.blgp(code), alt, partial(modifiers.blgp, users[0], code))


def _broadcasts(arch: Architecture) -> Iterator[Figure]:
    seen = set()
    for inst in arch.values():
        for value in inst.rules.cbsz[1:]:
            stem = names.cbsz(inst, value)
            if stem not in seen:
                seen.add(stem)
                rule = modifiers.sharing(inst, value)
                alt = f"{arch.name}, cbsz {value} of {inst.blocks} blocks, all abid. {rule}"
                yield Figure(stem, alt, partial(modifiers.cbsz, inst, value))


def _users(arch: Architecture, name: Callable[[Instruction], str]) -> dict[str, list[Instruction]]:
    found: dict[str, list[Instruction]] = {}
    for inst in arch.values():
        found.setdefault(name(inst), []).append(inst)
    return found


def _multiblock(users: list[Instruction]) -> Instruction:
    """Return the form with most blocks: the others are its block 0."""
    return max(users, key=lambda inst: inst.blocks)


def _alt(
    arch: Architecture, users: list[Instruction], what: str, inst: Instruction, letter: str
) -> str:
    if len(users) <= MOST_NAMED:
        of = words.listing(user.mnemonic for user in users)
    else:
        of = f"{len(users)} instructions"
    rule = "; ".join(words.formulas(inst.operands[letter]))
    return f"{arch.name}, {what}, {of}: lane and register of each element. {rule}."
