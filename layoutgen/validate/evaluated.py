"""Tables from printed formulas: every element, or every slot, put into them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from layoutgen.validate.artefacts.formula import FormulaError, parse
from layoutgen.validate.codes import LANES, REGISTER_BITS, IntArray
from layoutgen.validate.setting import PLAIN, Modifiers
from layoutgen.validate.subject import Subject
from layoutgen.validate.tables import COORDINATES, OperandTable


@dataclass(frozen=True)
class Printed:
    """Formulas by the name of what they give, and where they are printed."""

    formulas: Mapping[str, str]
    where: str


def forward(
    subject: Subject, operand: str, printed: Printed, artefact: str, modifiers: Modifiers = PLAIN
) -> OperandTable:
    """Return the table that formulas for lane, register and bit give.

    Without a formula for the bit it is 0.  Raises :class:`FormulaError`.
    """
    names = COORDINATES[operand]
    grid = np.indices(subject.geometry.shape(operand)).reshape(3, -1)
    values = dict(zip(names, grid, strict=True))
    found = [_value(printed, name, values, grid.shape[1]) for name in ("lane", "register", "bit")]
    width = np.full(grid.shape[1], subject.width(operand, modifiers))
    rows = np.column_stack([*grid, *found, width]).astype(np.int64)
    return OperandTable(operand, names, rows, artefact, lambda _: printed.where)


def inverse(
    subject: Subject, operand: str, printed: Printed, artefact: str, modifiers: Modifiers = PLAIN
) -> OperandTable:
    """Return the table that formulas for the coordinates give, over all slots that are read.

    Of index and scales a modifier chooses a part of the register.  A coordinate without a formula
    is 0.  Raises :class:`FormulaError`.
    """
    width = subject.width(operand, modifiers)
    item, lane = np.divmod(read_slots(subject, operand, modifiers), LANES)
    register, bit = np.divmod(item * width, REGISTER_BITS)
    values = {"lane": lane, "register": register, "bit": bit}
    names = COORDINATES[operand]
    found = [_value(printed, name, values, len(lane)) for name in names]
    rows = np.column_stack([*found, lane, register, bit, np.full(len(lane), width)])
    return OperandTable(operand, names, rows.astype(np.int64), artefact, lambda _: printed.where)


def read_slots(subject: Subject, operand: str, modifiers: Modifiers) -> IntArray:
    """Return all slots of a matrix, and those of index and scales that are read."""
    if operand in "ABCD":
        return np.arange(subject.slots(operand, modifiers))
    return np.unique(subject.observation().columns[operand])


def _value(printed: Printed, name: str, values: Mapping[str, IntArray], count: int) -> IntArray:
    text = printed.formulas.get(name, "0")
    try:
        value = parse(text)(values)
    except KeyError as unknown:
        raise FormulaError(f"{name} = {text}: {unknown} is no variable here") from None
    return np.broadcast_to(np.asarray(value, dtype=np.int64), (count,))
