"""The layouts of readings that are not followed, where sources disagree about a layout.

A disagreement is told in the specifications in words.  Here stands, for each reading that is
about a layout, how its table is made from the one that is followed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

from layoutgen.comparison.given import rows_of
from layoutgen.digits import Layout
from layoutgen.disputes import touching
from layoutgen.facts import Disagreement, Reading
from layoutgen.model import Architecture, Instruction, Operand

if TYPE_CHECKING:
    from layoutgen.digits import IntArray

Rows: TypeAlias = "Callable[[Instruction, Operand], IntArray | None]"
"""The rows (coordinates…, lane, start) of an operand; None if the reading is not about it."""


@dataclass(frozen=True, eq=False)
class Dispute:
    """A reading that is not followed, and what it makes of an operand."""

    disagreement: Disagreement
    reading: Reading
    rows: IntArray

    @property
    def followed(self) -> Reading:
        """The reading that is followed."""
        entry = self.disagreement
        return next(r for r in entry.readings if r.name == entry.followed)


def disputes(arch: Architecture, inst: Instruction, operand: Operand) -> Iterator[Dispute]:
    """Yield the readings by which `operand` lies elsewhere than it does here."""
    import numpy as np

    ours = rows_of(operand)
    for entry in touching(arch, inst):
        for reading in entry.readings:
            make = READINGS.get((entry.id, reading.name))
            rows = make(inst, operand) if make else None
            if rows is not None and not np.array_equal(rows, ours):
                yield Dispute(entry, reading, rows)


def _global(inst: Instruction, operand: Operand) -> IntArray | None:
    """Return A as read with the blocks of the whole wavefront sharing the same lanes."""
    if operand.name != "A" or operand.reroute is None:
        return None
    reroute = inst.rules.global_reading(operand.modifiers)
    return rows_of(replace(operand, reroute=reroute))


def _in_order(names: tuple[str, ...], inst: Instruction, operand: Operand) -> IntArray | None:
    """Return C or D with the lane counted by whole coordinates, in this order."""
    if operand.name not in ("C", "D"):
        return None
    layout = operand.layout
    lane = tuple(digit for name in names for digit in layout.coordinates[name])
    return rows_of(replace(operand, layout=replace(layout, lane=lane)))


def _runs(length: int, inst: Instruction, operand: Operand) -> IntArray | None:
    """Return A, B or the index with runs of `length` k in turn over the groups of lanes.

    k counts what B holds; a sparse A stores two of each four, and the index has one entry for
    four: both are renamed with B.
    """
    name = "group" if operand.name == "index" else "k"
    size = operand.layout.shape.get(name)
    if operand.name not in ("A", "B", "index") or size is None:
        return None
    whole = operand if size == inst.k else inst.operands["B"]
    renamed, each = _in_runs(whole.layout, length), inst.k // size
    rows, column = rows_of(operand), list(operand.layout.shape).index(name)
    unit = 4 // each if size != inst.k else 1
    at = rows[:, column]
    rows[:, column] = renamed[at // unit * unit * each] // each + at % unit
    return _sorted(rows)


def _in_runs(layout: Layout, length: int) -> IntArray:
    """Return for each k its name where runs of `length` go in turn over the groups of lanes."""
    import numpy as np

    k = np.arange(layout.shape["k"])
    at, sizes = {"lane": np.zeros_like(k), "item": np.zeros_like(k)}, {"lane": 1, "item": 1}
    for place in sorted(layout.places, key=lambda place: place.stride):
        if place.coordinate == "k":
            at[place.side] += k // place.weight % place.digit.size * sizes[place.side]
            sizes[place.side] *= place.digit.size
    item, group = at["item"], at["lane"]
    found: IntArray = item % length + length * (group + sizes["lane"] * (item // length))
    return found


def _sorted(rows: IntArray) -> IntArray:
    import numpy as np

    found: IntArray = rows[np.lexsort(rows.T[::-1])]
    return found


READINGS: Mapping[tuple[str, str], Rows] = {
    ("cbsz-groups", "global"): _global,
    ("f64-4x4x4-d", "formula"): partial(_in_order, ("j", "i", "b")),
    ("f8f6f4-chunks", "consecutive"): partial(_runs, 32),
    ("scaled-narrow-k", "runs16"): partial(_runs, 16),
    ("sparse-8-bit-k", "chunks"): partial(_runs, 8),
    ("sparse-8-bit-doubled-k", "chunks16"): partial(_runs, 16),
}
"""By the names of disagreement and reading in the specifications: the table of the reading."""
