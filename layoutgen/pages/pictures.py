"""Figures of a page: the file that shows one, and how the figure directive asks for it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from layoutgen.figures import names, words

if TYPE_CHECKING:
    from layoutgen.model import Architecture, Instruction


@dataclass(frozen=True)
class Picture:
    """A figure: of an operand, or another `view` of an instruction.

    `stem` is the name of its file where figures are files; `title` what stands above it, the
    same for all that have the same layout; `alt` its alternative text.
    """

    arch: str
    instruction: str
    operand: str
    view: str
    modifiers: tuple[tuple[str, int], ...]
    stem: str
    title: str
    alt: str

    @property
    def options(self) -> Iterator[tuple[str, object]]:
        """The options of the figure directive."""
        if self.view in ("matrix", "registers"):
            yield "operand", self.operand
        if self.view != "matrix":
            yield "view", self.view
        yield from self.modifiers
        if self.title:
            yield "title", self.title


def picture(
    arch: Architecture, inst: Instruction, name: str, view: str = "matrix", **modifiers: int
) -> Picture:
    """Return the figure of an operand, in the format that `modifiers` choose, or a `view`."""
    shown = {n: v for n, v in modifiers.items() if v}
    title = _title(inst, name, view, **modifiers)
    fields = tuple(sorted(shown.items()))
    stem = _stem(inst, name, view, modifiers)
    alt = f"{arch.name}, {inst.mnemonic}"
    alt += f" with {' '.join(f'{n} {v}' for n, v in fields)}" if fields else ""
    return Picture(
        arch.name,
        inst.mnemonic,
        name,
        view,
        fields,
        stem,
        title,
        f"{alt}: {_said(inst, name, view, **modifiers)}",
    )


def _stem(inst: Instruction, name: str, view: str, modifiers: dict[str, int]) -> str:
    match view:
        case "registers":
            return names.registers(inst)
        case "product":
            return names.product(inst)
        case "blgp":
            return names.blgp(modifiers["blgp"])
        case "cbsz":
            return names.cbsz(inst, modifiers["cbsz"])
        case _:
            return names.operand(inst, name, **modifiers)


def _title(inst: Instruction, name: str, view: str, **modifiers: int) -> str:
    """Return the title: what is drawn, without the names of those that share it."""
    if view in ("blgp", "cbsz"):
        return ""
    if view == "product":
        return f"{'Sparse p' if inst.sparse else 'P'}roduct {inst.m}×{inst.n}×{inst.k}"
    operand = inst.operand(name, **modifiers)
    what = words.OPERANDS[name]
    wide = f", {operand.format.bits}-bit elements" if name in "ABCD" else ""
    if name in "CD":
        blocks = f" of {inst.blocks} blocks" if inst.blocks > 1 else ""
        head = "Accumulator registers" if view == "registers" else what
        return (
            f"{head} of a {inst.m}×{inst.n} tile{blocks}{wide if operand.format.bits != 32 else ''}"
        )
    sparse = "sparse " if inst.sparse else ""
    return f"{what} of a {sparse}{inst.m}×{inst.n}×{inst.k} product{wide}"


def _said(inst: Instruction, name: str, view: str, **modifiers: int) -> str:
    """Return what the figure shows, in words."""
    match view:
        case "registers":
            return f"{words.OPERANDS[name]}: element in each lane and register."
        case "product":
            return "A left, B above, D at their crossing."
        case "blgp":
            return "the lane of B that each lane reads."
        case "cbsz":
            return "the block of A that each block reads, for every abid."
        case _:
            rule = "; ".join(words.formulas(inst.operand(name, **modifiers)))
            return f"lane and register of each element of {words.OPERANDS[name]}. {rule}."
