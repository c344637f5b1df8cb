"""Operands in memory: row-major arrays, and the index expressions that lead into them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from layoutgen.expr import Expr, Var, const
from layoutgen.formulas import coordinates
from layoutgen.printing import C, render

if TYPE_CHECKING:
    from layoutgen.model import Instruction
    from layoutgen.operand import Operand

NAMES = {"b": "block"}
"""What the code calls a coordinate: ``b`` is the variable that holds B."""


@dataclass(frozen=True)
class Array:
    """An operand of `inst` as a row-major array in memory, one matrix after the other."""

    inst: Instruction
    operand: Operand

    @property
    def name(self) -> str:
        """Name of the pointer: ``A``, ``Index``, ``ScaleA``."""
        return self.operand.name.title().replace("_", "")

    @property
    def variable(self) -> str:
        """Name of the variable with one lane's share: ``a``, ``index``, ``scale_a``."""
        return self.operand.name.lower()

    @property
    def element(self) -> str:
        """C type of an element in memory; a code narrower than its carrier has a byte."""
        carrier = self.operand.c_element
        if carrier.bits == self.operand.format.bits:
            return carrier.c_type
        whole_numbers = self.operand.format.encoding is None and not self.grouped
        return "signed char" if whole_numbers else "unsigned char"

    @property
    def grouped(self) -> bool:
        """Whether an element belongs to a group of k: an index or a scale."""
        return "group" in self.operand.layout.shape

    @property
    def items(self) -> int:
        """How many elements one lane holds."""
        return self.operand.layout.held

    @property
    def coordinates(self) -> dict[str, Expr]:
        """The coordinates of an item in a lane, without those that are always 0."""
        layout = self.operand.layout
        item = Var("item", self.items) if self.items > 1 else const(0)
        found = coordinates(layout, Var("lane", layout.lanes), item)
        return {name: found[name] for name, size in layout.shape.items() if size > 1}

    def at(self, values: Mapping[str, str] | None = None) -> str:
        """Return the element at some coordinates, by default at the variables of their names."""
        index = ""
        for name in self.coordinates:
            value = values[name] if values else NAMES.get(name, name)
            index = f"{self._extent(name)} * {factor(index)} + {value}" if index else value
        return f"{self.name}[{index or 0}]"

    @property
    def texts(self) -> dict[str, str]:
        """The coordinates of an item in C."""
        return {name: render(value, C) for name, value in self.coordinates.items()}

    @property
    def assignments(self) -> list[str]:
        """What is assigned to the variable of each coordinate: ``i = lane % 32``."""
        return [f"{NAMES.get(name, name)} = {text}" for name, text in self.texts.items()]

    def _extent(self, name: str) -> str:
        """Return how many values a coordinate takes, in terms of M, N and K."""
        if name in "ij":
            return {"i": "M", "j": "N"}[name]
        per = self.inst.k // self.operand.layout.shape[name]
        return "K" if per == 1 else f"(K / {per})"


def factor(text: str) -> str:
    """Return a C expression as a factor of a product."""
    return text if text.isalnum() else f"({text})"
