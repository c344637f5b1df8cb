"""The layouts of one instruction as parts of its page: operands, in each of their formats."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from layoutgen.pages import blocks, fields, words
from layoutgen.pages.rst import Rst, code, escape, merge

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from layoutgen.model import Instruction, Operand

TITLES = {
    "A": "A",
    "B": "B",
    "index": "the index",
    "scale_a": "the scales of A",
    "scale_b": "the scales of B",
    "C": "C and D",
    "D": "C and D",
}
"""What the pages call the operands; C lies as D does."""

ORDER = ("A", "B", "index", "scale_a", "scale_b", "D")
"""Operands in the order of their sections."""


@dataclass(frozen=True)
class Part:
    """A section about one layout: its title, what is said first, the operand, the figure."""

    title: str
    introduction: Rst
    name: str
    operand: Operand
    caption: Rst
    modifiers: Mapping[str, int] = field(default_factory=dict)

    @property
    def of(self) -> str:
        """What the operand is called in titles of tables."""
        return TITLES[self.name]


def parts(inst: Instruction, only_block: str = "") -> list[Part]:
    """Return a part for each layout: an operand with formats to choose from has several.

    `only_block` is added to the caption of the accumulator.
    """
    return [part for name in ORDER if name in inst.operands for part in _of(inst, name, only_block)]


def _of(inst: Instruction, name: str, only_block: str) -> Iterator[Part]:
    rows, columns = AXES[name]
    shown = f"Rows are {rows}, columns are {columns}; colours are groups of 16 lanes."
    caption = f"Layout of {TITLES[name]}. {shown}"
    if name not in inst.alternatives:
        operand = inst.operands[name]
        tail = only_block if name == "D" else ""
        text = _introduction(inst, name, operand)
        yield Part(f"Layout of {TITLES[name]}", text, name, operand, Rst(caption + tail))
        return
    for members, formats in fields.codes(inst, name):
        chosen = {fields.field_of(inst, name): members[0]}
        operand = inst.alternatives[name][members[0]]
        bits = f"{operand.format.bits}-bit formats"
        (what,) = chosen
        which = merge(members)
        told = Rst(
            f"{_introduction(inst, name, operand)} This is so for "
            f"{merge(escape(f.title) for f in formats)}, with {code(what)} {which}."
        )
        yield Part(
            f"Layout of {TITLES[name]}, {bits}",
            told,
            name,
            operand,
            Rst(f"Layout of {TITLES[name]} with {bits}. {shown}"),
            {n: v for n, v in chosen.items() if v},
        )


AXES = {
    "A": ("i", "k"),
    "B": ("k", "j"),
    "index": ("i", "groups of k"),
    "scale_a": ("i", "groups of k"),
    "scale_b": ("groups of k", "j"),
    "D": ("i", "j"),
}
"""What runs down and what across in a figure."""


def _introduction(inst: Instruction, name: str, operand: Operand) -> Rst:
    """Return what an operand is, how large it is, and what a lane holds."""
    shape = operand.layout.shape
    each = " in each block" if inst.blocks > 1 else ""
    rows, columns = (shape[c] for c in shape if c != "b")
    size = f"{words.count(rows, 'row')} and {words.count(columns, 'column')}"
    lane = f"A lane holds {blocks.held(operand)}."
    of = inst.k // shape["group"] if "group" in shape else 0
    match name:
        case "D":
            same = " They are the same registers." if inst.sparse else ""
            return Rst(f"*C* and *D* have {size}{each}, and lie alike.{same} {lane}")
        case "A" if inst.sparse:
            kept = columns * _group(inst) // inst.k
            return Rst(
                f"*A* is stored with {size}: of every {words.number(_group(inst))} *k* the "
                f"{words.number(kept)} that the index names. In this section *k* counts what is "
                f"stored: {kept}q to {kept}q + {kept - 1} belong to the dense *k* from "
                f"{_group(inst)}q to {_group(inst)}q + {_group(inst) - 1}. {lane}"
            )
        case "index":
            bits = operand.format.bits // 2
            return Rst(
                f"For each row of *A* and each group of {of} *k* the index has a pair of numbers "
                f"from 0 to {of - 1}: which of the {of} *k* are stored. The lower {bits} bits of "
                f"a pair belong to the first stored element, the upper {bits} to the second, and "
                f"the first number is less than the second. That makes {words.count(rows, 'row')} "
                f"and {words.count(columns, 'group')}. {lane}"
            )
        case "scale_a" | "scale_b":
            what = "row of *A*" if name == "scale_a" else "column of *B*"
            groups = words.count(columns if name == "scale_a" else rows, "group")
            return Rst(
                f"There is a scale for each {what} and each {of} *k* in a row; group g is about "
                f"the *k* from {of}g to {of}g + {of - 1}. That makes {groups} of *k*. "
                f" {lane} The other bytes of the register are not read."
            )
    return Rst(f"*{name}* has {size}{each}. {lane}")


def _group(inst: Instruction) -> int:
    """Return how many dense k a pair of indices is about."""
    return inst.k // inst.operands["index"].layout.shape["group"]
