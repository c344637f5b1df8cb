"""From elements to the C type of a builtin's argument, and from its result to elements.

There are three ways for a lane's share to be put together, by the widths alone.  Where the carrier
is as wide as an element, it is a vector of elements.  Bytes that fill their carrier make a vector
of bytes.  Everything else (elements of 4 or 6 bits, the index of a sparse A, a scale in its byte)
is shifted into words.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from layoutgen.expr import Expr, Var, add, const, floordiv, mod, scale
from layoutgen.operand import REGISTER_BITS
from layoutgen.printing import C, render
from layoutgen.snippets.memory import Array, factor

BYTE = 8
WIDTH = 80
"""So long may a statement of a loop be."""


@dataclass(frozen=True)
class Packing:
    """How one lane's share of an array is loaded: the variable's type, and code."""

    array: Array

    @property
    def element(self) -> str:
        """C type of the elements of the variable."""
        if self._as_carried:
            return self.array.operand.c_element.c_type
        return self.array.element if self._bytes else "unsigned"

    @property
    def count(self) -> int:
        """How many of them the variable has."""
        operand = self.array.operand
        if self._bytes:
            return self.array.items
        return operand.c_count * operand.c_element.bits // self._element_bits

    @property
    def type(self) -> str:
        """Name of the variable's type."""
        if self._as_carried:
            return self.array.operand.c_type
        return self.element if self.count == 1 else f"v{self.count}{VECTORS[self.element]}"

    @property
    def argument(self) -> str:
        """The variable as an argument of the builtin."""
        variable, wanted = self.array.variable, self.array.operand.c_type
        if self._as_carried:
            return variable
        cast = "static_cast<" if self.count == 1 else "__builtin_bit_cast("
        return f"{cast}{wanted}{'>(' if self.count == 1 else ', '}{variable})"

    def load(self) -> Iterator[str]:
        """Yield the lines that load the variable."""
        array = self.array
        if array.items == 1:
            yield f"// {array.name}: {', '.join(array.assignments)}"
            yield f"const {self.type} {array.variable} = {self._placed(array.at(array.texts))};"
            return
        zero = " = 0" if self.count == 1 else " = {}"
        yield f"{self.type} {array.variable}{'' if self._whole else zero};"
        yield from loop(array, self._store())

    @property
    def _as_carried(self) -> bool:
        return self.array.operand.c_element.bits == self.array.operand.format.bits

    @property
    def _bytes(self) -> bool:
        operand = self.array.operand
        full = self.array.items * BYTE == operand.c_count * operand.c_element.bits
        return not self._as_carried and operand.format.bits == BYTE and full

    @property
    def _whole(self) -> bool:
        return self._as_carried or self._bytes

    @property
    def _element_bits(self) -> int:
        return self.array.operand.c_element.bits if self._as_carried else REGISTER_BITS

    @property
    def _start(self) -> Expr:
        """The bit where an item begins; holes are the slowest digits of the item."""
        operand = self.array.operand
        item = Var("item", self.array.items) if self.array.items > 1 else const(0)
        layout = operand.layout
        held = sum(p.stride * layout.fixed.get(p.digit.name, 0) for p in layout.places)
        return scale(add(item, const(held)), operand.format.bits)

    def _placed(self, value: str) -> str:
        """Return a single item in its place."""
        if self._whole:
            return value
        shift = render(self._start, C)
        return value if shift == "0" else f"static_cast<unsigned>({value}) << {shift}"

    def _store(self) -> Iterator[str]:
        variable, value = self.array.variable, self.array.at()
        if self._whole:
            yield f"{variable}[item] = {value};"
            return
        width, start = self.array.operand.format.bits, self._start
        shift = render(mod(start, REGISTER_BITS), C)
        if self.count == 1:
            yield f"{variable} |= static_cast<unsigned>({value}) << {factor(shift)};"
            return
        word = render(floordiv(start, REGISTER_BITS), C)
        if REGISTER_BITS % width == 0:
            yield f"{variable}[{word}] |= static_cast<unsigned>({value}) << {factor(shift)};"
            return
        yield f"const unsigned long long code = {value};"
        yield f"const unsigned long long bits = code << {factor(shift)};"
        yield f"{variable}[{word}] |= static_cast<unsigned>(bits);"
        yield f"{variable}[{word} + 1] |= static_cast<unsigned>(bits >> {REGISTER_BITS});"


VECTORS = {"unsigned": "uint", "unsigned char": "uchar", "signed char": "char"}
"""What the name of a vector calls its elements, where no carrier has a name for it."""


def store(array: Array) -> Iterator[str]:
    """Yield the lines that store the variable of `array`, which is carried as it is."""
    if array.items == 1:
        yield f"// {array.name}: {', '.join(array.assignments)}"
        yield f"{array.at(array.texts)} = {array.variable};"
        return
    yield from loop(array, [f"{array.at()} = {array.variable}[item];"])


def loop(array: Array, body: Iterator[str] | list[str]) -> Iterator[str]:
    """Yield a loop over the items of a lane; `body` may use their coordinates by name."""
    yield f"for (int item = 0; item < {array.items}; ++item) {{"
    for assignment in array.assignments:
        yield from (f"  {line}" for line in _wrapped(f"const int {assignment};"))
    yield from (f"  {line}" for line in body)
    yield "}"


def _wrapped(line: str) -> Iterator[str]:
    """Yield a line in pieces that fit the page, broken between the terms of a sum."""
    first, *rest = line.split(" + ")
    for term in rest:
        if len(first) + len(term) + 3 > WIDTH:
            yield f"{first} +"
            first = f"    {term}"
        else:
            first += f" + {term}"
    yield first
