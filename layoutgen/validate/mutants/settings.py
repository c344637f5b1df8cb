"""Mutants of the modifiers: what is read from where, and what is legal."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from layoutgen.actions import Broadcast, LanePattern
from layoutgen.validate.codes import LANES, IntArray
from layoutgen.validate.mutants.bench import MOST_SETTINGS, Bench, Mutant, found
from layoutgen.validate.setting import Modifiers
from layoutgen.validate.tables import OperandTable
from layoutgen.validate.work import legality

if TYPE_CHECKING:
    from layoutgen.model import Instruction

Changed = dict[tuple[str, Modifiers], OperandTable]


def mutants(bench: Bench) -> Iterator[Mutant]:
    """Yield the mutants of the modifiers of one instruction."""
    yield _mutant(bench, "abid ignored", _read_as(bench, lambda m: m._replace(abid=0)))
    yield _mutant(bench, "cbsz ignored", _read_as(bench, lambda m: m._replace(cbsz=0, abid=0)))
    yield _mutant(bench, "global reading of cbsz", _global(bench))
    yield _mutant(bench, "blgp turned the other way", _turned(bench))
    for code in (1, 2, 3, 4, 5, 6):
        yield _mutant(
            bench, "neighbouring codes of blgp swapped", _neighbours(bench, code), str(code)
        )
    yield from _legality(bench)


def _mutant(bench: Bench, kind: str, tables: Changed, suffix: str = "") -> Mutant:
    """Some tables under modifiers replaced; equivalent if all of them are as before."""
    differing = {
        key: table
        for key, table in tables.items()
        if not np.array_equal(table.rows, bench.modified[key].rows)
    }
    some = dict(list(differing.items())[:MOST_SETTINGS])
    name = f"{bench.name} {suffix}".strip()
    return Mutant(kind, name, lambda: bench.run(bench.plain, some), equivalent=not differing)


def _read_as(bench: Bench, other: Callable[[Modifiers], Modifiers]) -> Changed:
    return {(name, m): bench.table(name, other(m)) for name, m in bench.modified if name == "A"}


def _relaned(table: OperandTable, lanes: IntArray) -> OperandTable:
    rows = table.rows.copy()
    rows[:, 3] = lanes[rows[:, 3]]
    return table.with_rows(rows)


def _global(bench: Bench) -> Changed:
    """Lane l reads lane l mod S + S·abid, S = 64 / 2^cbsz."""
    lane = np.arange(LANES)
    changed = {}
    for name, m in bench.modified:
        if name == "A" and bench.subject.shared("A"):
            shared = LANES >> m.cbsz
            changed[name, m] = _relaned(bench.plain["A"], lane % shared + shared * m.abid)
    return changed


def _turned(bench: Bench) -> Changed:
    """Lanes are moved the other way: whoever was read reads."""
    changed = {}
    for name, m in bench.modified:
        if name == "B" and m.blgp == 3:
            back = (np.arange(LANES) - 16) % LANES
            changed[name, m] = _relaned(bench.plain["B"], back)
    return changed


def _neighbours(bench: Bench, code: int) -> Changed:
    one, other = Modifiers(blgp=code), Modifiers(blgp=code + 1)
    known: Mapping[tuple[str, Modifiers], OperandTable] = bench.modified
    if ("B", one) not in known or ("B", other) not in known:
        return {}
    return {("B", one): known["B", other], ("B", other): known["B", one]}


def _legality(bench: Bench) -> Iterator[Mutant]:
    """More, or fewer, values are legal."""
    rules = bench.inst.rules
    doubled = (
        replace(a, blocks=2 * a.blocks) if isinstance(a, Broadcast) else a for a in rules.actions
    )
    without = (a for a in rules.actions if not isinstance(a, LanePattern))
    for kind, changed in (
        ("one more cbsz is legal", replace(rules, actions=tuple(doubled))),
        ("blgp is not legal", replace(rules, actions=tuple(without))),
    ):
        kills = _legality_kills(bench, replace(bench.inst, rules=changed))
        yield Mutant(kind, bench.name, kills, equivalent=changed == rules)


def _legality_kills(bench: Bench, inst: Instruction) -> Callable[[], set[str]]:
    return lambda: found(legality(bench.subject, inst))
