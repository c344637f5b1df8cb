"""Mutants of tables: elements in wrong places, and renamings that no run can see."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

import numpy as np

from layoutgen.validate.codes import REGISTER_BITS, IntArray
from layoutgen.validate.mutants.bench import Bench, Mutant
from layoutgen.validate.tables import OperandTable

Change = Callable[[OperandTable], IntArray]


def mutants(bench: Bench) -> Iterator[Mutant]:
    """Yield the mutants of the tables of one instruction."""
    for operand in "ABCD":
        kind = "two slots swapped" if operand in "AB" else f"two slots of {operand} swapped"
        yield _mutant(bench, kind, operand, _swapped(bench))
    for operand in bench.subject.operands[4:]:
        yield _mutant(bench, f"two slots of {operand} swapped", operand, _swapped(bench))
    for operand in (*"ABD", *bench.subject.operands[4:]):
        yield _mutant(bench, "lane xor 1", operand, lambda t: _with(t, lane=t.rows[:, 3] ^ 1))
        yield _mutant(bench, "a digit moved", operand, _digit_moved)
    yield _mutant(bench, "half the group", "D", _half_group(bench))
    yield _mutant(bench, "order of k in one operand", "A", _renamed("k", _reverse(bench, "k")))
    yield _mutant(bench, "order of k in one operand", "B", _renamed("k", _reverse(bench, "k")))
    yield _mutant(bench, "D transposed", "D", _transposed)
    yield _taken_from_b(bench)
    yield from _renamings(bench)


def _mutant(bench: Bench, kind: str, operand: str, change: Change) -> Mutant:
    """One operand's table changed."""
    tables = {**bench.plain, operand: bench.plain[operand].with_rows(change(bench.plain[operand]))}
    name = f"{operand} of {bench.name}"
    return Mutant(kind, name, lambda: bench.run(tables), equivalent=_same(bench.plain, tables))


def _same(one: Mapping[str, OperandTable], other: Mapping[str, OperandTable]) -> bool:
    """Whether all tables have the same rows, in any order."""
    return all(
        np.array_equal(_sorted(t.rows), _sorted(other[name].rows)) for name, t in one.items()
    )


def _sorted(rows: IntArray) -> IntArray:
    return rows[np.lexsort(rows.T)]


def _with(table: OperandTable, **columns: IntArray) -> IntArray:
    rows = table.rows.copy()
    names = (*table.coordinates, "lane", "register", "bit", "width")
    for name, values in columns.items():
        rows[:, names.index(name)] = values
    return rows


def _swapped(bench: Bench) -> Change:
    def change(table: OperandTable) -> IntArray:
        rows = table.rows.copy()
        one, other = bench.random.sample(range(len(rows)), 2)
        rows[[one, other], 3:] = rows[[other, one], 3:]
        return rows

    return change


def _digit_moved(table: OperandTable) -> IntArray:
    """The lowest bits of lane and item change places; with one item, bits 0 and 4 of the lane."""
    rows = table.rows
    lane, item = rows[:, 3], (rows[:, 4] * REGISTER_BITS + rows[:, 5]) // rows[:, 6]
    if item.max() == 0:
        low, high = lane & 1, lane >> 4 & 1
        return _with(table, lane=lane - low - 16 * high + high + 16 * low)
    low, other = lane & 1, item & 1
    start = (item - other + low) * rows[:, 6]
    return _with(
        table, lane=lane - low + other, register=start // REGISTER_BITS, bit=start % REGISTER_BITS
    )


def _half_group(bench: Bench) -> Change:
    """Rows in groups of half the size: two neighbouring bits of the row change places."""
    upper = 2 if bench.inst.m > 4 else 1

    def change(table: OperandTable) -> IntArray:
        i = table.rows[:, 1]
        low, high = i >> (upper - 1) & 1, i >> upper & 1
        moved = i + (high - low) * (1 << (upper - 1)) + (low - high) * (1 << upper)
        return _with(table, i=moved)

    return change


def _transposed(table: OperandTable) -> IntArray:
    return _with(table, i=table.rows[:, 2], j=table.rows[:, 1])


def _taken_from_b(bench: Bench) -> Mutant:
    """A laid out as B is, with rows for columns: the same table where the shapes are alike."""
    b = bench.plain["B"].rows
    rows = np.column_stack([b[:, 0], b[:, 2], b[:, 1], b[:, 3:]])
    tables = {**bench.plain, "A": bench.plain["A"].with_rows(rows)}
    same = _same(bench.plain, tables)
    return Mutant("A as B", f"A of {bench.name}", lambda: bench.run(tables), equivalent=same)


# --- renamings --------------------------------------------------------------------------------


def _reverse(bench: Bench, name: str) -> Callable[[IntArray], IntArray]:
    last = bench.subject.geometry.sizes("B")[name] - 1
    return lambda values: last - values


def _renamed(name: str, rename: Callable[[IntArray], IntArray]) -> Change:
    def change(table: OperandTable) -> IntArray:
        at = table.coordinates.index(name)
        return _with(table, **{name: rename(table.rows[:, at])})

    return change


def _renamings(bench: Bench) -> Iterator[Mutant]:
    """Names exchanged in every operand that has them: the map stays the same."""
    for name, what in (("i", "rows"), ("j", "columns"), ("k", "k"), ("b", "blocks")):
        touched = [x for x, table in bench.plain.items() if name in table.coordinates]
        yield _renaming(bench, f"{what} renamed", name, touched, _reverse(bench, name))
        yield _renaming(bench, f"{what} renamed", name, touched, _two_swapped)


def _two_swapped(values: IntArray) -> IntArray:
    """0 and 1 exchanged."""
    return np.where(values < 2, 1 - values, values) if values.max() else values


def _renaming(
    bench: Bench,
    kind: str,
    name: str,
    touched: Iterable[str],
    rename: Callable[[IntArray], IntArray],
) -> Mutant:
    change = _renamed(name, rename)
    operands = tuple(touched)
    tables = dict(bench.plain)
    for operand in operands:
        tables[operand] = tables[operand].with_rows(change(tables[operand]))
    modified = {
        key: table.with_rows(change(table)) if name in table.coordinates else table
        for key, table in list(bench.modified.items())[:2]
    }
    return Mutant(
        kind,
        f"{name} in {', '.join(operands)} of {bench.name}",
        lambda: bench.run(tables, modified),
        equivalent=_same(bench.plain, tables),
        decidable=bench.witnessed(operands, name),
    )
