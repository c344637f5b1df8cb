"""Tables as comma-separated values: one operand, or every operand in one clean table.

A row is formatted by one pattern, repeated for the whole table: that is as fast as Python gets.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from layoutgen.model import REGISTER_BITS, Architecture, Instruction, Operand

if TYPE_CHECKING:
    from layoutgen.digits import IntArray

By: TypeAlias = Literal["element", "slot"]

ORDERS: tuple[By, ...] = ("element", "slot")
SLOT = ("lane", "register", "bit", "width")


def csv_table(operand: Operand, *, by: By = "element") -> str:
    """Return the table of `operand` with a heading.

    `by` element, the order of coordinates; or by slot, the order of lane, register and bit, with
    these columns in front.

    >>> import layoutgen
    >>> D = layoutgen.arch("gfx908")["v_mfma_f32_4x4x1f32"].operand("D")
    >>> csv_table(D, by="slot").splitlines()[:2]
    ['lane,register,bit,width,b,i,j', '0,0,0,32,0,0,0']
    """
    columns = _ordered(operand.columns, by)
    return f"{','.join(columns)}\n{_lines(operand, columns, by)}"


def csv_tables(
    arch: Architecture,
    instructions: Iterable[Instruction] | None = None,
    *,
    operands: Iterable[str] | None = None,
    by: By = "element",
    modifiers: Mapping[str, Any] | None = None,
) -> str:
    """Return the tables of all operands of `arch` as one, headed instruction, operand, b, …

    A coordinate that an operand does not have is empty.  `instructions` and `operands` keep only
    those.  With `modifiers` the rows say where operands are read from.
    """
    chosen = list(arch.values() if instructions is None else instructions)
    kept = None if operands is None else set(operands)
    found = [
        (inst, inst.operand(name, **(modifiers or {})))
        for inst in chosen
        for name in inst.operands
        if kept is None or name in kept
    ]
    names = dict.fromkeys(name for _, operand in found for name in operand.layout.shape)
    columns = _ordered((*names, *SLOT), by)
    parts = [f"instruction,operand,{','.join(columns)}\n"]
    parts += [
        _lines(operand, columns, by, lead=f"{inst.mnemonic},{operand.name},")
        for inst, operand in found
    ]
    return "".join(parts)


def by_slot(operand: Operand, rows: IntArray) -> IntArray:
    """Return the order of `rows` by lane, register and bit."""
    import numpy as np

    lane, register, bit = (rows[:, operand.columns.index(name)] for name in SLOT[:3])
    place = (lane * operand.registers + register) * REGISTER_BITS + bit
    return np.argsort(place, kind="stable")


def _ordered(columns: tuple[str, ...], by: By) -> tuple[str, ...]:
    others = tuple(name for name in columns if name not in SLOT)
    return (*SLOT, *others) if by == "slot" else (*others, *SLOT)


def _lines(operand: Operand, columns: Sequence[str], by: By, lead: str = "") -> str:
    rows = operand.table()
    if by == "slot":
        rows = rows[by_slot(operand, rows)]
    held = [operand.columns.index(name) for name in columns if name in operand.columns]
    pattern = ",".join("%d" if name in operand.columns else "" for name in columns)
    return f"{lead}{pattern}\n" * len(rows) % tuple(rows[:, held].ravel().tolist())
