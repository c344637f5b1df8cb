"""Layouts in the notation of CuTe: ``shape:stride`` of (thread, value) → index in the tile.

The index counts the elements of the tile column by column, as CuTe does: the first coordinate
fastest.  For D that is i, then j; for A it is i, then k; for B, which CuTe holds as (N, K), it is
j, then k.  Blocks come last.  `thread` is the lane, `value` the item.
"""

from __future__ import annotations

from dataclasses import dataclass

from layoutgen.digits import Layout, Place
from layoutgen.export.views import Stack, tensor
from layoutgen.model import Operand

Mode = tuple[int, int]
"""Shape and stride."""

REDUCED = ("k", "group")
"""Coordinates that count along the reduction: they follow the row or column."""


@dataclass(frozen=True)
class CuteLayout:
    """The modes of thread and value, each least significant first, and the tile that they index.

    `dims` maps the coordinates to their sizes, the fastest first.
    """

    thread: tuple[Mode, ...]
    value: tuple[Mode, ...]
    dims: dict[str, int]

    def __str__(self) -> str:
        """Return ``(thread, value)`` as shape:stride: ``((32,2),(4,4)):((32,4),(1,8))``."""
        shape, stride = (
            f"({_tuple(self.thread, part)},{_tuple(self.value, part)})" for part in (0, 1)
        )
        return f"{shape}:{stride}"

    def index(self, thread: int, value: int) -> int:
        """Return the index in the tile of the element that `thread` holds as `value`."""
        return _evaluate(self.thread, thread) + _evaluate(self.value, value)


def cute_layout(
    operand: Operand, *, transpose: bool = False, stack: Stack | None = None
) -> CuteLayout:
    """Return the (thread, value) layout of `operand`; `transpose` and `stack` as for a tensor.

    Raises :class:`~layoutgen.digits.LayoutError` under modifiers that change where the operand is
    read.

    >>> import layoutgen
    >>> print(cute_layout(layoutgen.arch("gfx908")["v_mfma_f32_32x32x2f32"].operand("D")))
    ((32,2),(4,4)):((32,4),(1,8))
    """
    layout = tensor(operand, stack=stack)
    dims = index_order(layout, transpose=transpose)
    weights, weight = {}, 1
    for name, size in dims.items():
        weights[name] = weight
        weight *= size
    sides = {
        side: _joined([_mode(p, weights) for p in layout.places if p.side == side])
        for side in ("lane", "item")
    }
    return CuteLayout(sides["lane"], sides["item"], dims)


def index_order(layout: Layout, *, transpose: bool = False) -> dict[str, int]:
    """Return the coordinates by which CuTe counts, fastest first, with their sizes."""
    names = sorted((n for n in layout.shape if n != "b"), key=REDUCED.__contains__)
    order = [*(reversed(names) if transpose else names), *(n for n in layout.shape if n == "b")]
    return {name: layout.shape[name] for name in order}


def _mode(place: Place, weights: dict[str, int]) -> Mode:
    stride = place.weight * weights[place.coordinate] if place.coordinate else 0
    return place.digit.size, stride


def _joined(modes: list[Mode]) -> tuple[Mode, ...]:
    """Leave out modes of size 1 and join those that count on."""
    found: list[Mode] = []
    for size, stride in modes:
        if size == 1:
            continue
        if found and found[-1][0] * found[-1][1] == stride:
            size, stride = found[-1][0] * size, found.pop()[1]
        found.append((size, stride))
    return tuple(found or [(1, 0)])


def _tuple(modes: tuple[Mode, ...], part: int) -> str:
    inner = ",".join(str(mode[part]) for mode in modes)
    return inner if len(modes) == 1 else f"({inner})"


def _evaluate(modes: tuple[Mode, ...], value: int) -> int:
    total = 0
    for size, stride in modes:
        total += value % size * stride
        value //= size
    return total
