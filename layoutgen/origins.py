"""What makes an element of D: the elements of C, A and B, of the index and of the scales."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, SupportsIndex

from layoutgen.digits import LayoutError, whole
from layoutgen.model import Instruction, Operand

PAIRS = {low | high << 2: (low, high) for high in range(4) for low in range(high)}
"""The values of an index pair, and the two of four k that it says are stored, the lower first."""


@dataclass(frozen=True, slots=True)
class Origin:
    """An element that takes part in an element of D, of an operand as read under modifiers."""

    operand: Operand
    element: dict[str, int]

    def __hash__(self) -> int:
        """Hash by operand and element; equal origins have the same."""
        return hash((self.operand, frozenset(self.element.items())))


def origins(
    inst: Instruction,
    *,
    i: SupportsIndex,
    j: SupportsIndex,
    b: SupportsIndex = 0,
    pairs: SupportsIndex | Iterable[SupportsIndex] | None = None,
    **modifiers: Any,
) -> list[Origin]:
    """Return what makes ``D[i][j]`` of block `b`: C, then for every k what is multiplied.

    Of a sparse A the `pairs`, one for each group of four k or one for all, say which k are stored;
    without them all four B of a group are listed, of which the index chooses two.  Raises
    :class:`~layoutgen.digits.LayoutError` for what is no pair, or an element outside of D.

    >>> import layoutgen
    >>> inst = layoutgen.arch("gfx942")["v_smfmac_f32_16x16x32_f16"]
    >>> [(o.operand.name, o.element["k"]) for o in origins(inst, i=3, j=7, pairs=13)[2:6]]
    [('A', 0), ('B', 1), ('A', 1), ('B', 3)]
    """
    read = {name: inst.operand(name, **modifiers) for name in inst.operands}
    read["D"].locate(b=b, i=i, j=j)  # refuses what is out of range
    block, row, column = whole("b", b), whole("i", i), whole("j", j)
    elements = _elements(inst, row, column, _pairs(inst, pairs))
    return [Origin(read[name], {"b": block, **at}) for name, at in elements]


def _elements(
    inst: Instruction, i: int, j: int, pairs: Sequence[int | None]
) -> Iterator[tuple[str, dict[str, int]]]:
    yield "C", {"i": i, "j": j}
    width = inst.k // len(pairs)
    for group, pair in enumerate(pairs):
        if inst.sparse:
            yield "index", {"i": i, "group": group}
        if "scale_a" in inst.operands:
            yield "scale_a", {"i": i, "group": group}
            yield "scale_b", {"group": group, "j": j}
        stored = inst.operands["A"].layout.shape["k"] // len(pairs)
        of_b = range(width) if pair is None else PAIRS[pair]
        if inst.sparse and pair is None:  # any two of them
            yield from (("A", {"i": i, "k": group * stored + n}) for n in range(stored))
            yield from (("B", {"k": group * width + n, "j": j}) for n in of_b)
            continue
        for n, k in enumerate(of_b):
            yield "A", {"i": i, "k": group * stored + n}
            yield "B", {"k": group * width + k, "j": j}


def _pairs(
    inst: Instruction, given: SupportsIndex | Iterable[SupportsIndex] | None
) -> Sequence[int | None]:
    """Return a pair, or None, for each group of k."""
    extra = next((o for o in inst.operands.values() if "group" in o.layout.shape), None)
    groups = extra.layout.shape["group"] if extra else 1
    if given is None:
        return [None] * groups
    if not inst.sparse:
        raise LayoutError(f"{inst.mnemonic} has no index: its A is not sparse")
    listed = given if isinstance(given, Iterable) else [given] * groups
    each = [whole("index", pair) for pair in listed]
    if len(each) != groups:
        raise LayoutError(
            f"{len(each)} pairs, but there are {groups} groups of k: one, or {groups}"
        )
    for pair in each:
        if pair not in PAIRS:
            known = ", ".join(f"{value} for k {x} and {y}" for value, (x, y) in PAIRS.items())
            raise LayoutError(f"index {pair} is not a pair of ascending positions: {known}")
    return each
