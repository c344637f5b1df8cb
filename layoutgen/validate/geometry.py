"""M, N, K and the number of blocks, derived from an observed map alone."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from layoutgen.validate.codes import IntArray
from layoutgen.validate.observation import Observation, ProbeError
from layoutgen.validate.tables import COORDINATES

_MNEMONIC = re.compile(r"v_\w+?_[a-z]+\d+_(\d+)x(\d+)x(\d+)_?(?:(\d+)b_)?")


@dataclass(frozen=True)
class Geometry:
    """The sizes of an instruction: `blocks` products of m×k by k×n.

    `stored` counts the k of A: fewer than those of B where A is sparse.  `group` is how many k
    share a pair of indices or a scale; 0 where there is neither.
    """

    m: int
    n: int
    k: int
    blocks: int
    stored: int
    group: int = 0

    def __str__(self) -> str:
        """Return the sizes as a mnemonic writes them, with the blocks."""
        return f"{self.m}x{self.n}x{self.k}, {self.blocks} block{'s' * (self.blocks > 1)}"

    def sizes(self, operand: str) -> dict[str, int]:
        """Return how many values each coordinate of an operand takes."""
        found = {"b": self.blocks, "i": self.m, "j": self.n}
        found["k"] = self.stored if operand == "A" else self.k
        return found | ({"group": self.k // self.group} if self.group else {})

    def shape(self, operand: str) -> tuple[int, ...]:
        """Return the same in the order of the table's columns."""
        sizes = self.sizes(operand)
        return tuple(sizes[name] for name in COORDINATES[operand])


def derive(observed: Observation) -> Geometry:
    """Return the sizes that the map itself shows.

    D slots that read the same A slots are of one row, those that read the same B slots of one
    column; rows and columns that meet in D make a block.  Raises :class:`ProbeError` where rows
    or columns overlap, or where a block is not a full rectangle.
    """
    a = _read(observed, "A")
    b = _read(observed, "B")
    stored, k = a.shape[1], b.shape[1]
    row = _classes(a, "rows", "A")
    column = _classes(b, "columns", "B")
    if len(np.unique(np.stack([row, column]), axis=1).T) != observed.d_slots:
        raise ProbeError("two D slots hold the same row and column")
    block = _components(row, column)
    shapes = {
        (len(np.unique(row[block == one])), len(np.unique(column[block == one])))
        for one in range(int(block.max()) + 1)
    }
    if len(shapes) != 1:
        raise ProbeError(f"blocks have different shapes: {sorted(shapes)}")
    m, n = shapes.pop()
    blocks = int(block.max()) + 1
    if m * n * blocks != observed.d_slots:
        raise ProbeError(f"{blocks} blocks of {m}x{n} do not fill the {observed.d_slots} D slots")
    return Geometry(m, n, k, blocks, stored, _group(observed, k))


def _read(observed: Observation, operand: str) -> IntArray:
    """The slots of an operand that each D slot reads: one row for each D slot, sorted."""
    columns = observed.columns
    slots = observed.parts.counts[operand]
    d, slot = np.divmod(np.unique(columns["D"] * slots + columns[operand]), slots)
    count = np.bincount(d, minlength=observed.d_slots)
    if len(set(count.tolist())) != 1 or not count[0]:
        raise ProbeError("D slots accumulate different numbers of products")
    return slot.reshape(-1, int(count[0]))


def _group(observed: Observation, k: int) -> int:
    """How many k of a D slot share one slot of the index or of a scale."""
    name = next((n for n in ("index", "scale_a") if n in observed.parts.counts), None)
    if name is None:
        return 0
    return k // len(_read(observed, name)[0])


def named(mnemonic: str) -> tuple[int, int, int, int | None]:
    """Return m, n, k and, where the mnemonic tells it, the number of blocks.

    Raises ValueError for a mnemonic of another form.
    """
    match = _MNEMONIC.match(mnemonic)
    if match is None:
        raise ValueError(f"{mnemonic} does not name its sizes")
    m, n, k = (int(match[group]) for group in (1, 2, 3))
    return m, n, k, int(match[4]) if match[4] else None


def _classes(sets: IntArray, what: str, operand: str) -> IntArray:
    """Number the distinct slot sets; refuse sets that overlap without being equal."""
    distinct, number = np.unique(sets, axis=0, return_inverse=True)
    members, uses = np.unique(distinct, return_counts=True)
    if (uses > 1).any():
        slot = int(members[uses > 1][0])
        raise ProbeError(f"two {what} share slot {slot} of {operand}, and not all of their slots")
    return number.reshape(-1)


def _components(row: IntArray, column: IntArray) -> IntArray:
    """For every D slot, the connected component of its row and its column, numbered from 0."""
    label = row.copy()
    while True:
        by_column = np.full(column.max() + 1, label.max())
        np.minimum.at(by_column, column, label)
        spread = by_column[column]
        by_row = np.full(row.max() + 1, label.max())
        np.minimum.at(by_row, row, spread)
        merged = by_row[row]
        if np.array_equal(merged, label):
            return np.unique(label, return_inverse=True)[1].reshape(-1)
        label = merged
