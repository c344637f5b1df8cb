"""Which column of a table is which of ours, and which rows are about the operand."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from layoutgen.comparison.given import TableError
from layoutgen.model import REGISTER_BITS, Instruction, Operand

Row = tuple[int, Sequence[Any]]
"""A line number, 0 where there is none, and the cells."""

NAMES = {
    "block": "b",
    "m": "i",
    "n": "j",
    "thread": "lane",
    "tid": "lane",
    "reg": "register",
    "vgpr": "register",
    "agpr": "register",
}
"""Other names of our columns; rows and columns are those of the operand's matrix."""
OPERAND, INSTRUCTION = "operand", "instruction"
"""Columns that tell what a row is about, in a table of several operands."""


def named(operand: Operand, columns: Sequence[str]) -> list[str]:
    """Return `columns` by our names, where they are other names of the operand's columns."""
    row, column, *_ = (*(name for name in operand.layout.shape if name != "b"), "")
    others = {**NAMES, "row": row, "column": column, "col": column}
    return [c if c in operand.columns else others.get(c) or c for c in columns]


def of_operand(
    operand: Operand, inst: Instruction | None, columns: list[str], rows: Iterable[Row], where: str
) -> tuple[list[str], list[Row]]:
    """Return the columns and rows about `operand`, from a table that may have others as well.

    Columns of other operands, which are empty in all these rows, are left out.
    """
    listed = list(rows)
    if not {OPERAND, INSTRUCTION} & set(columns):
        return columns, listed
    about: dict[str, tuple[str, ...]] = {OPERAND: (operand.name,)}
    if inst is not None:
        about[INSTRUCTION] = (inst.mnemonic, inst.name, *inst.aliases)
    heads = [(columns.index(name), known) for name, known in about.items() if name in columns]
    kept = [
        (n, row)
        for n, row in listed
        if len(row) != len(columns) or all(row[at] in known for at, known in heads)
    ]
    if not kept:
        of = f" of {inst.mnemonic}" if inst else ""
        raise TableError(f"{where}: no row is about {operand.name}{of}")
    use = [
        at
        for at, name in enumerate(columns)
        if name not in (OPERAND, INSTRUCTION)
        and (
            name in operand.columns
            or any(row[at : at + 1] not in ([""], [None]) for _, row in kept)
        )
    ]
    return [columns[at] for at in use], [
        (n, [row[at] for at in use] if len(row) == len(columns) else row) for n, row in kept
    ]


def check(operand: Operand, columns: Sequence[str], where: str) -> None:
    """Raise :class:`TableError` unless `columns` are the operand's, those needed at least."""
    known = operand.columns
    ours = ", ".join(known)
    for column in columns:
        if column not in known:
            raise TableError(f"{where}: no column {column!r}: {operand.name} has {ours}")
        if columns.count(column) > 1:
            raise TableError(f"{where}: column {column!r} stands twice")
    sizes = operand.layout.shape
    packed = operand.format.bits % REGISTER_BITS != 0
    optional = {c for c in known if sizes.get(c) == 1} | {"width"} | ({"bit"} - {"bit" * packed})
    for column in known:
        if column not in columns and column not in optional:
            raise TableError(f"{where}: column {column!r} is missing: {operand.name} has {ours}")
