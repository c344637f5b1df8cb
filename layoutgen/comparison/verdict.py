"""Hold a table against the layout of an operand: equal, or in which way not."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias

from layoutgen.comparison.given import Given, of_operand
from layoutgen.comparison.mistakes import TRANSPOSED, Mistake, mistakes
from layoutgen.comparison.reading import read_file, read_rows, read_text
from layoutgen.model import REGISTER_BITS, Architecture, Instruction, Operand, Slot

if TYPE_CHECKING:
    from layoutgen.digits import IntArray

Verdict: TypeAlias = Literal["equal", "k-order", "transposed", "different"]

ON_ITS_OWN = {"A", "B", "C", "D"}
"""With no other operand than these the order of k is free, if A and B share it."""
ENOUGH = 16
"""Rows of an incomplete table from which a mistake can be told."""


@dataclass(frozen=True)
class Difference:
    """An element, the slots where the other table has it, and the slots where it lies."""

    element: dict[str, int]
    given: tuple[Slot, ...]
    right: tuple[Slot, ...]


@dataclass(frozen=True, eq=False)
class Comparison:
    """A table held against the layout of `operand`.

    `agreeing` counts the elements, of `elements`, whose slots are the same.  `k_order` tells for
    every k of the table which k of ours lies there; it is set for the verdict k-order.  `mistake`
    is what went wrong, where that is recognised.
    """

    instruction: Instruction
    operand: Operand
    table: Given
    verdict: Verdict
    elements: int
    agreeing: int
    k_order: tuple[int, ...] = ()
    mistake: Mistake | None = None

    @property
    def equal(self) -> bool:
        """Whether the table is the layout."""
        return self.verdict == "equal"

    @property
    def notes(self) -> tuple[str, ...]:
        """What else there is to say about the table."""
        return self.table.notes

    @property
    def missing(self) -> int:
        """How many elements of the operand are not in the table."""
        return len(self._places[1].keys() - self._places[0].keys())

    @property
    def colliding(self) -> int:
        """How many slots the table gives to several elements."""
        import numpy as np

        pairs = np.unique(np.stack([self.table.slots, self.table.elements]), axis=1)
        _, counts = np.unique(pairs[0], return_counts=True)
        return int((counts > 1).sum())

    def differences(self, count: int | None = None) -> list[Difference]:
        """Return the first `count` elements that lie elsewhere, or all of them."""
        given, right = self._places
        wrong = [e for e in sorted(given.keys() | right.keys()) if given.get(e) != right.get(e)]
        return [
            Difference(
                self._coordinates(element),
                self._slots(given.get(element, ())),
                self._slots(right.get(element, ())),
            )
            for element in wrong[:count]
        ]

    @cached_property
    def _places(self) -> tuple[dict[int, frozenset[int]], dict[int, frozenset[int]]]:
        return places(self.table), places(of_operand(self.operand))

    def _coordinates(self, element: int) -> dict[str, int]:
        found = {}
        for name, size in reversed(self.table.coordinates.items()):
            element, found[name] = divmod(element, size)
        return {name: found[name] for name in self.table.coordinates}

    def _slots(self, codes: Iterable[int]) -> tuple[Slot, ...]:
        width, pairs = self.operand.format.bits, (divmod(c, self.table.span) for c in sorted(codes))
        return tuple(
            Slot(lane, start // REGISTER_BITS, start % REGISTER_BITS, width)
            for lane, start in pairs
        )


def compare(
    inst: Instruction,
    operand: str,
    table: str | bytes | Path | Iterable[Sequence[int]],
    *,
    others: Iterable[Architecture] | None = None,
    **modifiers: int,
) -> Comparison:
    """Hold `table` against an operand of `inst`, as read under `modifiers`.

    `table` is text (CSV, JSON, bases of a linear layout, a CuTe layout), the path of a file with
    such text, or rows in the operand's columns.  `others` are architectures whose rules may have
    been used by mistake: those of the package, if not given.  Raises
    :class:`~layoutgen.comparison.TableError` for what is no table of the operand.

    >>> import layoutgen
    >>> inst = layoutgen.arch("gfx908")["v_mfma_f32_32x32x2f32"]
    >>> layoutgen.compare(inst, "D", "((32,2),(4,4)):((1,128),(32,256))").verdict
    'transposed'
    """
    what = inst.operand(operand, **modifiers)
    if isinstance(table, str | bytes):
        given = read_text(what, table)
    elif isinstance(table, Path):
        given = read_file(what, table)
    else:
        given = read_rows(what, table)
    return compared(inst, what, given, others=others)


def compared(
    inst: Instruction,
    operand: Operand,
    table: Given,
    *,
    others: Iterable[Architecture] | None = None,
) -> Comparison:
    """Hold a table that was read already against `operand`."""
    import numpy as np

    right = of_operand(operand)
    if np.array_equal(table.codes, right.codes):
        total = len(np.unique(right.elements))
        verdict: Verdict = "different" if table.notes else "equal"
        return Comparison(inst, operand, table, verdict, total, total)
    ours, theirs = places(right), places(table)
    agreeing = sum(theirs.get(element) == slots for element, slots in ours.items())
    mistake = _recognised(inst, operand, table, others)
    order = _k_order(operand, table, right)
    verdict, free = "different", not inst.operands.keys() - ON_ITS_OWN
    if order and free and not table.notes:
        verdict = "k-order"
    elif mistake and mistake.name == TRANSPOSED and not table.notes:
        verdict = "transposed"
    k_order = order if verdict == "k-order" else ()
    return Comparison(inst, operand, table, verdict, len(ours), agreeing, k_order, mistake)


def places(table: Given) -> dict[int, frozenset[int]]:
    """Return the slots of every element of a table."""
    found: dict[int, set[int]] = {}
    for element, slot in zip(table.elements.tolist(), table.slots.tolist(), strict=True):
        found.setdefault(element, set()).add(slot)
    return {element: frozenset(slots) for element, slots in found.items()}


def _k_order(operand: Operand, table: Given, right: Given) -> tuple[int, ...]:
    """Return for each k of `table` the k of ours in its place, if k is all that differs."""
    import numpy as np

    if operand.reroute or "k" not in right.coordinates or len(table.codes) != len(right.codes):
        return ()
    ours, theirs = _by_slot(right), _by_slot(table)
    column = list(right.coordinates).index("k")
    pairs = np.unique(np.stack([theirs[:, column], ours[:, column]]), axis=1)
    rest = [n for n in range(ours.shape[1]) if n != column]
    size = right.coordinates["k"]
    bijective = pairs.shape[1] == size and len(np.unique(pairs[1])) == size
    if not bijective or not (theirs[:, rest] == ours[:, rest]).all():
        return ()
    return tuple(pairs[1].tolist())


def _by_slot(table: Given) -> IntArray:
    import numpy as np

    rows: IntArray = table.rows[np.lexsort((table.elements, table.slots))]
    return rows


def _recognised(
    inst: Instruction,
    operand: Operand,
    table: Given,
    others: Iterable[Architecture] | None,
) -> Mistake | None:
    """Return the mistake that makes this table, or the part of it that the table has."""
    import numpy as np

    part = not table.complete
    if part and (
        len(table.codes) < ENOUGH or np.isin(table.codes, of_operand(operand).codes).all()
    ):
        return None  # too little to tell, or not all is there but what is there is right
    for mistake in mistakes(inst, operand, _known() if others is None else others):
        codes = table.with_rows(mistake.rows).codes
        if np.array_equal(codes, table.codes):
            return mistake
        if part and np.isin(table.codes, codes).all():
            return mistake
    return None


def _known() -> Iterable[Architecture]:
    from layoutgen.spec import Catalogue

    return Catalogue().architectures.values()
