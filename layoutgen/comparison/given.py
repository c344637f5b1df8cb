"""What a table states, whatever it was written as: which element lies in which slot."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import prod
from typing import TYPE_CHECKING

from layoutgen.model import REGISTER_BITS, Operand

if TYPE_CHECKING:
    from layoutgen.digits import IntArray

MAX_REGISTERS = 512
"""More registers than a lane has: a larger number is a slip and not a layout."""


class TableError(ValueError):
    """A table that cannot be read; the text says where and what would be right."""


@dataclass(frozen=True, eq=False)
class Given:
    """A table as rows of (coordinates…, lane, start), start being the first bit in the lane.

    `coordinates` and `lanes` say how far each may go; `notes` are faults that rows cannot show,
    `remarks` how the table was taken.
    """

    rows: IntArray = field(repr=False)
    coordinates: dict[str, int]
    lanes: int
    notes: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()

    @cached_property
    def elements(self) -> IntArray:
        """For each row its element as one number: the place in the order of coordinates."""
        import numpy as np

        shape = tuple(self.coordinates.values())
        columns = tuple(self.rows[:, : len(shape)].T)
        found: IntArray = np.ravel_multi_index(columns, shape).astype(np.int64)
        return found

    @cached_property
    def slots(self) -> IntArray:
        """For each row its slot as one number."""
        found: IntArray = self.rows[:, -2] * self.span + self.rows[:, -1]
        return found

    @property
    def span(self) -> int:
        """How many starts there may be in a lane."""
        return MAX_REGISTERS * REGISTER_BITS

    @cached_property
    def codes(self) -> IntArray:
        """Every pair of element and slot as one number, sorted: equal tables have equal codes."""
        import numpy as np

        return np.unique(self.elements * (self.lanes * self.span) + self.slots)

    @property
    def complete(self) -> bool:
        """Whether every element is there at least once."""
        import numpy as np

        return len(np.unique(self.elements)) == prod(self.coordinates.values())

    def with_rows(self, rows: IntArray) -> Given:
        """Return a table of the same operand with other rows."""
        return Given(rows, self.coordinates, self.lanes)


def of_operand(operand: Operand) -> Given:
    """Return what our own table states, under the operand's modifiers."""
    return Given(rows_of(operand), operand.layout.shape, operand.layout.lanes)


def rows_of(operand: Operand) -> IntArray:
    """Return our own table as rows of (coordinates…, lane, start)."""
    import numpy as np

    table = operand.table()
    start = table[:, -3] * REGISTER_BITS + table[:, -2]
    return np.column_stack([table[:, :-3], start])


def given(
    operand: Operand,
    rows: Iterable[Sequence[int]],
    notes: tuple[str, ...] = (),
    remarks: tuple[str, ...] = (),
) -> Given:
    """Return a table of `operand` from rows of (coordinates…, lane, start)."""
    import numpy as np

    array = np.array(list(rows), dtype=np.int64).reshape(-1, len(operand.layout.shape) + 2)
    return Given(array, operand.layout.shape, operand.layout.lanes, notes, remarks)


def starts(operand: Operand, lanes: int, count: int, where: str) -> list[int]:
    """Return the first bit of every value of a lane; values leave holes out."""
    if lanes != operand.layout.lanes:
        raise TableError(f"{where}: {lanes} lanes, but a wavefront has {operand.layout.lanes}")
    width = operand.format.bits
    if count * width > MAX_REGISTERS * REGISTER_BITS:
        raise TableError(
            f"{where}: {count} values of {width} bits in a lane, "
            f"but {operand.name} has {operand.elements_per_lane}"
        )
    layout = operand.layout
    held = [n for n in range(layout.items) if layout.inverse(0, n) is not None]
    items = held[:count] if count <= len(held) else range(count)
    return [item * width for item in items]
