"""A layout as one tensor: its digits with the coordinates in another order, or joined.

Other notations name the coordinates of a tensor by their position.  Because a layout is a list
of digits, another order of its coordinates, or blocks side by side in one wide tile, is another
grouping of the same digits.
"""

from __future__ import annotations

from math import prod
from typing import Literal, TypeAlias

from layoutgen.digits import Layout, LayoutError
from layoutgen.model import Operand

Stack: TypeAlias = Literal["rows", "columns"]
"""How blocks make one tile: below one another, or side by side."""

STACKS: tuple[Stack, ...] = ("rows", "columns")


def tensor(operand: Operand, *, transpose: bool = False, stack: Stack | None = None) -> Layout:
    """Return the layout of `operand` with the coordinates of one tensor, and without holes.

    The coordinates are rows and columns, as in the operand's table; `transpose` swaps them.
    Several blocks stay apart as a first coordinate b, unless `stack` puts them into the rows or
    into the columns.  Raises :class:`~layoutgen.digits.LayoutError` for an operand under
    modifiers that change where it is read: what is described here is the register file.
    """
    if operand.reroute:
        raise LayoutError(
            f"{operand.name} under {operand.modifiers} is read from other lanes than it lies in: "
            "this notation describes what registers hold, so leave the modifiers out"
        )
    layout = operand.layout
    cut = dict(layout.coordinates)
    block = cut.pop("b", ())
    names = list(cut)
    if stack:
        joined = names[STACKS.index(stack)]
        cut[joined] = (*cut[joined], *block)
    elif prod(digit.size for digit in block) > 1:
        cut = {"b": block, **cut}
    order = [*(n for n in cut if n not in names), *(reversed(names) if transpose else names)]
    kept = {digit for digits in cut.values() for digit in digits}
    lane = tuple(d for d in layout.lane if d in kept or d not in block)
    item = tuple(d for d in layout.item if d in kept)
    return Layout({name: cut[name] for name in order}, lane, item)
