"""Mutants of the emulator: its rule replaced in the record, or other modifiers handed to it.

The emulator itself is not touched: it runs any record that it is given.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from layoutgen.validate.codes import LANES
from layoutgen.validate.mutants.bench import MOST_SETTINGS, Bench, Mutant
from layoutgen.validate.setting import Modifiers
from layoutgen.validate.subject import Subject
from layoutgen.validate.tables import OperandTable

Changed = dict[tuple[str, Modifiers], OperandTable]

Sites = Callable[[int, int, int], Any]
"""Register of D, lane, items of A → the products that are accumulated there."""


def mutants(bench: Bench) -> Iterator[Mutant]:
    """Yield the mutants of the emulator for one instruction."""
    sites: Sites = bench.subject.record.rule.sites
    last = bench.subject.record.d_registers - 1
    yield _rule(bench, "emulator: D's lanes exchanged", lambda r, lane, n: sites(r, lane ^ 1, n))
    yield _rule(
        bench, "emulator: D's registers reversed", lambda r, lane, n: sites(last - r, lane, n)
    )
    yield _rule(
        bench, "emulator: lanes of B exchanged", lambda r, lane, n: _b_lanes(sites(r, lane, n))
    )
    yield _rule(bench, "emulator: k of A reversed", lambda r, lane, n: _k_of_a(sites(r, lane, n)))
    yield _rule(
        bench,
        "emulator: order of the sum reversed",
        lambda r, lane, n: reversed(list(sites(r, lane, n))),
    )
    yield _rule(
        bench, "emulator: A and B exchanged", lambda r, lane, n: _exchanged(sites(r, lane, n))
    )
    yield from _settings(bench)


def _b_lanes(sites: Any) -> Iterator[Any]:
    for site in sites:
        yield site._replace(b_lane=site.b_lane ^ 1)


def _k_of_a(sites: Any) -> Iterator[Any]:
    known = list(sites)
    for site, other in zip(known, reversed(known), strict=True):
        yield site._replace(a_lane=other.a_lane, a_item=other.a_item)


def _exchanged(sites: Any) -> Iterator[Any]:
    for site in sites:
        yield type(site)(site.b_lane, site.b_item, site.a_lane, site.a_item)


def _rule(bench: Bench, kind: str, sites: Sites) -> Mutant:
    """Another rule; equivalent if every D slot accumulates the same products, in any order."""
    record = bench.subject.record
    changed = replace(record, rule=replace(record.rule, name=kind, sites=sites))

    def products(of: Sites) -> list[list[Any]]:
        registers, items = range(record.d_registers), record.items
        return [sorted(of(r, lane, items)) for r in registers for lane in range(LANES)]

    def kills() -> set[str]:
        return bench.run(bench.plain, subject=Subject(bench.subject.arch, changed))

    same = products(record.rule.sites) == products(sites)
    return Mutant(kind, bench.name, kills, equivalent=same)


def _settings(bench: Bench) -> Iterator[Mutant]:
    """The emulator is told other modifiers than the tables are for."""
    changes: tuple[tuple[str, Callable[[Modifiers], Modifiers]], ...] = (
        ("emulator: abid ignored", lambda m: m._replace(abid=0)),
        ("emulator: neighbouring codes swapped", lambda m: m._replace(blgp=m.blgp ^ (m.blgp > 1))),
    )
    for kind, change in changes:
        told = Subject(bench.subject.arch, bench.subject.record, change)
        touched = [(n, m) for n, m in bench.modified if change(m) != m]
        some = {key: bench.modified[key] for key in touched[-MOST_SETTINGS:]}
        yield Mutant(kind, bench.name, _kills(bench, some, told), equivalent=not touched)


def _kills(bench: Bench, some: Changed, told: Subject) -> Callable[[], set[str]]:
    return lambda: bench.run(bench.plain, some, told)
