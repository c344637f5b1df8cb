"""Operands that lie alike, on any architectures: one picture serves them all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

from layoutgen.actions import FIELD_OF_FORMAT
from layoutgen.figures import names, words
from layoutgen.figures.notes import meaning
from layoutgen.figures.request import FigureError

if TYPE_CHECKING:
    from layoutgen.model import Architecture, Instruction, Operand

Digits: TypeAlias = tuple[object, ...]


@dataclass(frozen=True)
class User:
    """An operand of an instruction on an architecture, in one of its formats."""

    arch: str
    inst: Instruction
    name: str
    code: int = 0

    @property
    def operand(self) -> Operand:
        """The operand itself, in the format of the code."""
        every = self.inst.alternatives.get(self.name)
        return every[self.code] if every else self.inst.operands[self.name]

    @property
    def modifiers(self) -> tuple[tuple[str, int], ...]:
        """The field that chooses the format, unless its value is 0."""
        return ((FIELD_OF_FORMAT[self.name], self.code),) if self.code else ()

    @property
    def size(self) -> str:
        """What it belongs to: ``32×32×8``, ``sparse 32×32×16``; of an accumulator the tile."""
        inst = self.inst
        if self.name in "CD":
            return f"{inst.m}×{inst.n}"
        return f"{'sparse ' if inst.sparse else ''}{inst.m}×{inst.n}×{inst.k}"


@dataclass(frozen=True)
class Shared:
    """A layout with all who use it.  `best` is the one that is drawn: that with most blocks."""

    stem: str
    users: tuple[User, ...]

    @property
    def best(self) -> User:
        """The user whose picture shows what those of all others show."""
        return max(self.users, key=lambda user: user.inst.blocks)

    @property
    def operand(self) -> Operand:
        """The operand, with the letter of registers that is right for all users."""
        letters = {words.letter(user.operand) for user in self.users}
        own = self.best.operand
        return own if len(letters) == 1 else replace(own, register_files=(words.NEUTRAL,))

    @property
    def archs(self) -> tuple[str, ...]:
        """The architectures that use it."""
        return tuple(dict.fromkeys(user.arch for user in self.users))

    @property
    def what(self) -> str:
        """What it is, for titles: ``A of a 32×32×16 or sparse 32×32×32 product, …``."""
        name, bits = self.best.name, self.best.operand.format.bits
        sizes = list(dict.fromkeys(user.size for user in self.users))
        if name in "CD":
            wide = "" if bits == names.USUAL_BITS else f", {bits}-bit elements"
            return f"{words.OPERANDS[name]} of a {sizes[0]} tile{wide}"
        of = f"{words.OPERANDS[name]} of a {words.listing(sizes, 'or')} product"
        return f"{of}, {bits}-bit elements" if name in "AB" else of

    @property
    def notes(self) -> list[str]:
        """What it means, which architectures use it, and the register files it may lie in."""
        files: dict[tuple[str, ...], list[str]] = {}
        for user in self.users:
            files.setdefault(user.operand.register_files, []).append(user.arch)
        told = dict.fromkeys(
            text for user in self.users for text in meaning(user.inst, user.operand)
        )
        fewer = len({user.inst.blocks for user in self.users}) > 1
        return [
            *told,
            *(["Instructions of fewer blocks have the first ones."] if fewer else []),
            f"Used on {words.listing(self.archs)}.",
            words.files({held: tuple(dict.fromkeys(on)) for held, on in files.items()}),
        ]


def layouts(archs: Sequence[Architecture]) -> list[Shared]:
    """Return every distinct layout of `archs`: accumulators, A, B, index, then scales.

    Raises :class:`FigureError` where two layouts would have one name.
    """
    found: dict[str, dict[Digits, list[User]]] = {}
    for name in ("D", "A", "B", "index", "scale_a", "scale_b"):
        for user in _users(archs, name):
            stem = names.operand(user.inst, name, **dict(user.modifiers))
            found.setdefault(stem, {}).setdefault(digits(user.operand), []).append(user)
    for stem, pictures in found.items():
        if len(pictures) > 1:
            one, other, *_ = ((users[0], users[0].inst) for users in pictures.values())
            told = (f"{u.name} of {inst.mnemonic} on {u.arch}" for u, inst in (one, other))
            raise FigureError(f"two layouts have one name, {stem}: {words.listing(told)}")
    return [
        Shared(stem, tuple(users))
        for stem, pictures in found.items()
        for users in pictures.values()
    ]


def digits(operand: Operand) -> Digits:
    """Return what the picture of `operand` follows from: its digits, and the width of elements.

    The size of an accumulator's block is left out: with fewer blocks it is the beginning of the
    same picture.
    """
    layout = operand.layout
    places = tuple(
        (
            place.coordinate,
            place.weight,
            0 if operand.name in "CD" and place.coordinate == "b" else place.digit.size,
            place.side,
            place.stride,
            layout.fixed.get(place.digit.name),
        )
        for place in layout.places
        if place.digit.size > 1 or (operand.name in "CD" and place.coordinate == "b")
    )
    return operand.columns, operand.format.bits, places


def _users(archs: Sequence[Architecture], name: str) -> Iterator[User]:
    for arch in archs:
        for inst in arch.values():
            if name not in inst.operands:
                continue
            for code in range(len(inst.alternatives.get(name, ())) or 1):
                yield User(arch.name, inst, name, code)
