"""Mutants of the emulator: its rule replaced in the record, or other modifiers handed to it.

The emulator itself is not touched: it runs any record that it is given.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from layoutgen.emulator.rules import Rule, ScaledSite, SparseSite, WidthRule
from layoutgen.validate.codes import LANES, REGISTER_BITS
from layoutgen.validate.mutants.bench import MOST_SETTINGS, Bench, Mutant
from layoutgen.validate.setting import Modifiers
from layoutgen.validate.subject import Subject
from layoutgen.validate.tables import OperandTable

Changed = dict[tuple[str, Modifiers], OperandTable]

Sites = Callable[[int, int, int], Any]
"""Register of D, lane, items of A → the products that are accumulated there."""

Change = Callable[[Sites, int, int, int], Any]
"""The same, from the sites of a rule."""


def mutants(bench: Bench) -> Iterator[Mutant]:
    """Yield the mutants of the emulator for one instruction."""
    record = bench.subject.record
    last = record.d_registers * REGISTER_BITS // record.d_format.bits - 1
    changes: tuple[tuple[str, Change], ...] = (
        ("D's lanes exchanged", lambda s, r, lane, n: s(r, lane ^ 1, n)),
        ("D's registers reversed", lambda s, r, lane, n: s(last - r, lane, n)),
        ("lanes of B exchanged", lambda s, r, lane, n: _b_lanes(s(r, lane, n))),
        ("k of A reversed", lambda s, r, lane, n: _k_of_a(s(r, lane, n))),
        ("order of the sum reversed", lambda s, r, lane, n: reversed(list(s(r, lane, n)))),
        ("A and B exchanged", lambda s, r, lane, n: _exchanged(s(r, lane, n))),
        ("another nibble of the index", lambda s, r, lane, n: _index(s(r, lane, n))),
        ("numbers of a pair exchanged", lambda s, r, lane, n: _half(s(r, lane, n))),
        ("scales of the next row", lambda s, r, lane, n: _scales(s(r, lane, n))),
    )
    for kind, change in changes:
        yield _rule(bench, f"emulator: {kind}", change)
    yield from _settings(bench)


def _b_lanes(sites: Any) -> Iterator[Any]:
    for site in sites:
        if isinstance(site, SparseSite):
            one, two, three, four = ((lane ^ 1, item) for lane, item in site.b)
            yield site._replace(b=(one, two, three, four))
        else:
            yield site._replace(b_lane=site.b_lane ^ 1)


def _k_of_a(sites: Any) -> Iterator[Any]:
    known = list(sites)
    for site, other in zip(known, reversed(known), strict=True):
        yield site._replace(a_lane=other.a_lane, a_item=other.a_item)


def _exchanged(sites: Any) -> Iterator[Any]:
    for site in sites:
        if isinstance(site, SparseSite):
            yield site
        else:
            yield site._replace(
                a_lane=site.b_lane, a_item=site.b_item, b_lane=site.a_lane, b_item=site.a_item
            )


def _index(sites: Any) -> Iterator[Any]:
    """Another nibble of the index is asked."""
    for site in sites:
        sparse = isinstance(site, SparseSite)
        yield site._replace(index_bit=site.index_bit ^ 4) if sparse else site


def _half(sites: Any) -> Iterator[Any]:
    """The other number of the pair is asked."""
    for site in sites:
        sparse = isinstance(site, SparseSite)
        yield site._replace(index_bit=site.index_bit ^ 2) if sparse else site


def _scales(sites: Any) -> Iterator[Any]:
    """The scale of A is taken from the neighbouring row."""
    for site in sites:
        scaled = isinstance(site, ScaledSite)
        yield site._replace(scale_a_lane=site.scale_a_lane ^ 1) if scaled else site


def _rule(bench: Bench, kind: str, change: Change) -> Mutant:
    """Another rule; equivalent if every D slot accumulates the same products, in any order."""
    record = bench.subject.record
    old = record.rule

    def made(sites: Sites) -> Sites:
        return lambda r, lane, n: change(sites, r, lane, n)

    rule: Rule = replace(old, name=kind, sites=made(old.sites))
    if isinstance(old, WidthRule):
        by_width = old.by_width
        rule = WidthRule(kind, made(old.sites), old.sources, lambda a, b: made(by_width(a, b)))
    changed = replace(record, rule=rule)
    elements = record.d_registers * REGISTER_BITS // record.d_format.bits

    def kills() -> set[str]:
        return bench.run(bench.plain, subject=bench.subject.with_record(changed))

    slots = ((r, lane, record.items) for r in range(elements) for lane in range(LANES))
    same = all(sorted(old.sites(*slot)) == sorted(rule.sites(*slot)) for slot in slots)
    return Mutant(kind, bench.name, kills, equivalent=same)


def _settings(bench: Bench) -> Iterator[Mutant]:
    """The emulator is told other modifiers than the tables are for."""
    changes: tuple[tuple[str, Callable[[Modifiers], Modifiers]], ...] = (
        ("emulator: abid ignored", lambda m: m._replace(abid=0)),
        ("emulator: neighbouring codes swapped", lambda m: m._replace(blgp=m.blgp ^ (m.blgp > 1))),
        ("emulator: A is negated for B", lambda m: m._replace(neg=m.neg ^ (m.neg > 0))),
        ("emulator: the first byte of scales", lambda m: m._replace(op_sel_a=0, op_sel_b=0)),
    )
    legal = bench.subject.legal
    for kind, change in changes:
        told = Subject(bench.subject.arch, bench.subject.record, change)
        touched = [(n, m) for n, m in bench.modified if change(m) != m and change(m) in legal]
        some = {key: bench.modified[key] for key in touched[-MOST_SETTINGS:]}
        yield Mutant(kind, bench.name, _kills(bench, some, told), equivalent=not touched)


def _kills(bench: Bench, some: Changed, told: Subject) -> Callable[[], set[str]]:
    return lambda: bench.run(bench.plain, some, told)
