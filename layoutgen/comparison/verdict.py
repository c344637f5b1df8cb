"""Hold a table against the layout of an operand: equal, or in which way not."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias

from layoutgen.comparison.given import Given, of_operand, rows_of
from layoutgen.comparison.mistakes import RENAMED, Mistake, mistakes
from layoutgen.comparison.reading import read_any
from layoutgen.comparison.reordered import TRANSPOSED
from layoutgen.disputes import OtherReading, other_readings
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
    is what went wrong, where that is recognised, and `renamed` the same as `k_order` for the
    coordinate whose other order is the mistake.  `disputes` are other readings of sources that
    disagree: all there are, if the table is the layout, else those that make the table.
    """

    instruction: Instruction = field(repr=False)
    operand: Operand = field(repr=False)
    table: Given = field(repr=False)
    verdict: Verdict
    elements: int
    agreeing: int
    k_order: tuple[int, ...] = ()
    mistake: Mistake | None = None
    renamed: tuple[str, tuple[int, ...]] | None = None
    disputes: tuple[OtherReading, ...] = ()

    @property
    def equal(self) -> bool:
        """Whether the table is the layout."""
        return self.verdict == "equal"

    @property
    def notes(self) -> tuple[str, ...]:
        """What else is wrong with the table."""
        return self.table.notes

    @property
    def remarks(self) -> tuple[str, ...]:
        """How the table was taken, where it may be taken in several ways."""
        return self.table.remarks

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
    :class:`~layoutgen.comparison.TableError` for what is no table of the operand, and TypeError for
    what is neither text, a path nor rows.

    >>> import layoutgen
    >>> inst = layoutgen.arch("gfx908")["v_mfma_f32_32x32x2f32"]
    >>> layoutgen.compare(inst, "D", "((32,2),(4,4)):((1,128),(32,256))").verdict
    'transposed'
    """
    if not isinstance(inst, Instruction):
        raise TypeError(
            "compare takes an instruction, such as "
            f"layoutgen.arch('gfx908')['v_mfma_f32_32x32x2f32'], not {inst!r}"
        )
    what = inst.operand(operand, **modifiers)
    return compared(inst, what, read_any(what, table, inst), others=others)


def compared(
    inst: Instruction,
    operand: Operand,
    table: Given,
    *,
    arch: Architecture | None = None,
    others: Iterable[Architecture] | None = None,
) -> Comparison:
    """Hold a table that was read already against `operand`.

    `arch` is the architecture of `inst`; if not given, it is looked for among those of the
    package.  It knows where sources disagree.
    """
    import numpy as np

    right = of_operand(operand)
    home = arch or _home(inst)
    others_say = _elsewhere(home, inst, operand) if home else []
    if np.array_equal(table.codes, right.codes):
        total = len(np.unique(right.elements))
        verdict: Verdict = "different" if table.notes else "equal"
        return Comparison(inst, operand, table, verdict, total, total, disputes=tuple(others_say))
    ours, theirs = places(right), places(table)
    agreeing = sum(theirs.get(element) == slots for element, slots in ours.items())
    mistake, renamed = _recognised(inst, operand, table, others), None
    order = _renamed("k", operand, table, right)
    verdict, free = "different", not inst.operands.keys() - ON_ITS_OWN
    if order and free and not table.notes:
        verdict = "k-order"
    elif mistake and mistake.name == TRANSPOSED and not table.notes:
        verdict = "transposed"
    elif mistake is None and (renamed := _one_renamed(operand, table, right)):
        mistake = Mistake(RENAMED[renamed[0]], table.rows)
    return Comparison(
        inst,
        operand,
        table,
        verdict,
        len(ours),
        agreeing,
        order if verdict == "k-order" else (),
        mistake,
        renamed,
        tuple(other for other in others_say if _made_by(table, rows_of(other.operand))),
    )


def _elsewhere(arch: Architecture, inst: Instruction, operand: Operand) -> list[OtherReading]:
    """Return the readings by which some element of `operand` lies elsewhere."""
    right = of_operand(operand)
    return [
        other
        for other in other_readings(arch, inst, operand)
        if not _made_by(right, rows_of(other.operand))
    ]


def places(table: Given) -> dict[int, frozenset[int]]:
    """Return the slots of every element of a table."""
    found: dict[int, set[int]] = {}
    for element, slot in zip(table.elements.tolist(), table.slots.tolist(), strict=True):
        found.setdefault(element, set()).add(slot)
    return {element: frozenset(slots) for element, slots in found.items()}


def _one_renamed(
    operand: Operand, table: Given, right: Given
) -> tuple[str, tuple[int, ...]] | None:
    """Return the coordinate that is all that differs, with the order of its values."""
    orders = ((name, _renamed(name, operand, table, right)) for name in RENAMED)
    return next(((name, order) for name, order in orders if order), None)


def _renamed(name: str, operand: Operand, table: Given, right: Given) -> tuple[int, ...]:
    """Return for each value of a coordinate in `table` ours in its place, if it alone differs.

    Every value must stand for one of ours, and no two for the same: then every element is there.
    """
    import numpy as np

    if operand.reroute or name not in right.coordinates or len(table.codes) != len(right.codes):
        return ()
    ours, theirs = _by_slot(right), _by_slot(table)
    column = list(right.coordinates).index(name)
    pairs = np.unique(np.stack([theirs[:, column], ours[:, column]]), axis=1)
    rest = [n for n in range(ours.shape[1]) if n != column]
    size = right.coordinates[name]
    bijective = all(len(np.unique(values)) == size for values in pairs)
    if pairs.shape[1] != size or not bijective or not (theirs[:, rest] == ours[:, rest]).all():
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

    if not table.complete and (
        len(table.codes) < ENOUGH or np.isin(table.codes, of_operand(operand).codes).all()
    ):
        return None  # too little to tell, or not all is there but what is there is right
    known = mistakes(inst, operand, _known() if others is None else others)
    return next((mistake for mistake in known if _made_by(table, mistake.rows)), None)


def _made_by(table: Given, rows: IntArray) -> bool:
    """Tell whether `table` has these rows, or if it is not complete, a part of them."""
    import numpy as np

    codes = table.with_rows(rows).codes
    if np.array_equal(codes, table.codes):
        return True
    return not table.complete and bool(np.isin(table.codes, codes).all())


def _home(inst: Instruction) -> Architecture | None:
    """Return the architecture of `inst`, if it is one of the package."""
    return next((arch for arch in _known() if arch.find(inst.name) == inst), None)


def _known() -> Iterable[Architecture]:
    from layoutgen.spec import Catalogue

    return Catalogue().architectures.values()
