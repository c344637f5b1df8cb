"""The formulas of a layout in both directions, as expression trees.

Forward: lane, register and bit of an element, from its coordinates.  Inverse: coordinates, from
lane, register and bit.  An item of `width` bits is bit ``item · width`` of the operand; register
``bit // 32`` is the first that holds it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from layoutgen.expr import Expr, Var, add, const, floordiv, mod, scale

if TYPE_CHECKING:
    from layoutgen.digits import Layout
    from layoutgen.modifiers import Reroute

REGISTER_BITS = 32


@dataclass(frozen=True, slots=True)
class Formulas:
    """Named expressions: `forward` in the coordinates, `inverse` in lane, register and bit."""

    forward: dict[str, Expr]
    inverse: dict[str, Expr]


def formulas(layout: Layout, width: int, reroute: Reroute | None = None) -> Formulas:
    """Return the formulas of `layout` with elements of `width` bits.

    With a `reroute` the forward lane is the one that the multiplier reads from; the inverse
    stays that of the register file.
    """
    return Formulas(_forward(layout, width, reroute), _inverse(layout, width))


def coordinates(layout: Layout, lane: Expr, item: Expr) -> dict[str, Expr]:
    """Return the coordinates of the element in a slot of `layout`, by name."""
    source = {"lane": lane, "item": item}
    parts: dict[str, list[Expr]] = {name: [] for name in layout.shape}
    for place in layout.places:
        if place.coordinate is not None:
            value = mod(floordiv(source[place.side], place.stride), place.digit.size)
            parts[place.coordinate].append(scale(value, place.weight))
    return {name: add(*terms) for name, terms in parts.items()}


def _forward(layout: Layout, width: int, reroute: Reroute | None) -> dict[str, Expr]:
    parts: dict[str, list[Expr]] = {"lane": [], "item": []}
    for place in layout.places:
        if place.coordinate is None:
            value = const(layout.fixed.get(place.digit.name, 0))
        else:
            coordinate = Var(place.coordinate, layout.shape[place.coordinate])
            value = mod(floordiv(coordinate, place.weight), place.digit.size)
        parts[place.side].append(scale(value, place.stride))
    lane, item = add(*parts["lane"]), add(*parts["item"])
    start = scale(item, width)
    return {
        "lane": reroute.expression(lane) if reroute else lane,
        "register": scale(floordiv(start, max(width, REGISTER_BITS)), max(1, width // 32)),
        "bit": mod(start, REGISTER_BITS),
    }


def _inverse(layout: Layout, width: int) -> dict[str, Expr]:
    registers = -(-layout.items * width // REGISTER_BITS)
    bit = Var("bit", REGISTER_BITS)
    start = add(scale(Var("register", registers), REGISTER_BITS), bit)
    return coordinates(layout, Var("lane", layout.lanes), floordiv(start, width))
