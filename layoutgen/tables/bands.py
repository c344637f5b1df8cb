"""Row-to-lane tables: the table of an operand with what lies together merged into ranges.

One mechanism serves every operand.  Along the lanes runs one coordinate (the column of D, the
row of A); the other one is listed.  Elements with consecutive coordinates in consecutive lanes
make a run; runs with consecutive listed coordinates in consecutive items of the same lanes make
a band.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from layoutgen.digits import IntArray
    from layoutgen.model import Operand

REGISTER_BITS = 32


@dataclass(frozen=True, slots=True)
class Band:
    """Elements that lie together.

    `listed` are the values of the listed coordinate, one for each of the `items` of a lane;
    `along` the values of the other one, one for each of the `lanes`.
    """

    block: int
    listed: range
    along: range
    lanes: range
    items: range
    width: int

    @property
    def registers(self) -> range:
        """The 32-bit registers that hold the items."""
        first = self.items.start * self.width // REGISTER_BITS
        return range(first, -(-self.items.stop * self.width // REGISTER_BITS))


@dataclass(frozen=True, slots=True)
class Shift:
    """What one block adds to the lanes and the items of the block before."""

    lanes: int
    items: int


@dataclass(frozen=True, slots=True)
class BandTable:
    """The bands of an operand, in order of block and listed coordinate.

    `listed` and `along` name the coordinates; `whole` tells that every band spans all of
    `along`, so that it need not be shown.
    """

    operand: str
    listed: str
    along: str
    width: int
    whole: bool
    bands: tuple[Band, ...]

    @property
    def packed(self) -> bool:
        """Whether items are narrower than a register."""
        return self.width < REGISTER_BITS

    @property
    def blocks(self) -> int:
        """How many blocks there are."""
        return self.bands[-1].block + 1

    def of_block(self, block: int) -> tuple[Band, ...]:
        """Return the bands of one block."""
        return tuple(band for band in self.bands if band.block == block)

    @property
    def shift(self) -> Shift | None:
        """What each block adds to the one before, or None where that is not one constant."""
        steps: set[Shift | None] = set()
        for before, after in pairwise(self.of_block(b) for b in range(self.blocks)):
            if [(b.listed, b.along) for b in before] != [(b.listed, b.along) for b in after]:
                return None
            steps |= {
                Shift(y.lanes.start - x.lanes.start, y.items.start - x.items.start)
                for x, y in zip(before, after, strict=True)
            }
        return steps.pop() if len(steps) == 1 else None


@dataclass(frozen=True, slots=True)
class Packed:
    """Where one item of a lane lies: the registers it touches, and its bits in the first."""

    item: int
    registers: range
    bits: range


def bands(operand: Operand) -> BandTable:
    """Return the merged table of `operand`; under modifiers, of where elements are read from."""
    names = list(operand.layout.shape)
    along = next(p.coordinate for p in operand.layout.places if p.coordinate not in (None, "b"))
    listed = next(name for name in names if name not in ("b", along))
    assert along is not None, "the next() above skips it"
    width = operand.format.bits
    found = _merge(_runs(operand.table(), [names.index(n) for n in ("b", listed, along)], width))
    full = operand.layout.shape[along]
    whole = all(len(band.along) == full for band in found)
    return BandTable(operand.name, listed, along, width, whole, found)


def packing(operand: Operand) -> tuple[Packed, ...]:
    """Return where each item of a lane lies, in order."""
    width = operand.format.bits
    return tuple(
        Packed(
            item,
            range(item * width // REGISTER_BITS, -(-(item + 1) * width // REGISTER_BITS)),
            range(item * width % REGISTER_BITS, item * width % REGISTER_BITS + width),
        )
        for item in range(operand.elements_per_lane)
    )


def by_slot(operand: Operand) -> IntArray:
    """Return the whole table of `operand` in order of lane, register and bit."""
    import numpy as np

    rows = operand.table()
    return rows[np.lexsort((rows[:, -2], rows[:, -3], rows[:, -4]))]


def _runs(table: IntArray, columns: list[int], width: int) -> Iterator[Band]:
    """Yield runs: one listed value and one item, consecutive lanes; in order of listed value."""
    import numpy as np

    item = (table[:, -3] * REGISTER_BITS + table[:, -2]) // width
    block, listed, along = (table[:, column] for column in columns)
    keys = np.stack([block, listed, item, along, table[:, -4]])
    keys = keys[:, np.lexsort((keys[4], keys[2], keys[1], keys[0]))]
    steps = np.diff(keys)
    breaks = (steps[:3] != 0).any(axis=0) | (steps[3:] != 1).any(axis=0)
    starts = [0, *(np.flatnonzero(breaks) + 1).tolist(), keys.shape[1]]
    for start, stop in pairwise(starts):
        b, value, place, first, lane = keys[:, start].tolist()
        count = stop - start
        yield Band(
            b,
            range(value, value + 1),
            range(first, first + count),
            range(lane, lane + count),
            range(place, place + 1),
            width,
        )


def _merge(runs: Iterator[Band]) -> tuple[Band, ...]:
    """Merge runs of the same lanes with consecutive listed values and items."""
    done: list[Band] = []
    opened: dict[tuple[int, range, range], int] = {}
    for run in runs:
        key = (run.block, run.along, run.lanes)
        last = done[opened[key]] if key in opened else None
        if last and (last.listed.stop, last.items.stop) == (run.listed.start, run.items.start):
            done[opened[key]] = replace(
                last,
                listed=range(last.listed.start, run.listed.stop),
                items=range(last.items.start, run.items.stop),
            )
        else:
            opened[key] = len(done)
            done.append(run)
    return tuple(sorted(done, key=lambda b: (b.block, b.listed[0], b.along[0], b.lanes[0])))
