"""The usual mistakes, made on purpose from the digits of the right layout, each with its name.

A wrong table is most often the right one with one thing exchanged: digits in another order, a
digit left out, a digit counted backwards, rows for columns, or the rule of another instruction or
architecture.  Every such table is made here, and the one that a user has is then known by name.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING

from layoutgen.comparison.bent import bent
from layoutgen.comparison.elsewhere import Rule, rules_of
from layoutgen.comparison.given import rows_of
from layoutgen.comparison.reordered import other_k, reordered, swapped
from layoutgen.digits import Digit, Layout
from layoutgen.model import REGISTER_BITS, Architecture, Instruction, Operand
from layoutgen.modifiers import Modifiers, Reroute

if TYPE_CHECKING:
    from layoutgen.digits import IntArray

BYTE = 8
BLOCKS = "wrong block order: blocks renamed"
RENAMED = {"b": BLOCKS, "i": "rows renamed", "j": "columns renamed", "group": "groups renamed"}
"""By coordinate: the mistake of a table that is right but for the names of its values."""


@dataclass(frozen=True, eq=False)
class Mistake:
    """A wrong layout: what went wrong, in words; its rows; and its digits, if it is a layout.

    `rows` are (coordinates…, lane, start), start being the first bit in the lane.  `source` is
    where the rule stands that was taken, if not in the specifications.
    """

    name: str
    rows: IntArray = field(repr=False)
    layout: Layout | None = field(default=None, repr=False)
    source: str = ""


def mistakes(
    inst: Instruction, operand: Operand, others: Iterable[Architecture] = ()
) -> Iterator[Mistake]:
    """Yield wrong layouts of `operand`, the most usual ones first.

    `others` are architectures whose rules may have been used instead.
    """
    plain = inst.operands[operand.name]
    if operand.reroute:
        yield from _of_modifiers(inst, operand)
        return
    if operand.modifiers != Modifiers():
        yield from _of_modifiers(inst, operand)
    width = operand.format.bits
    each = "every element counted as one register"
    if width != REGISTER_BITS:
        yield Mistake(each, _rows(operand.layout, REGISTER_BITS))
    yield from _spread(operand)
    for name, layout, source in _layouts(operand, others):
        yield Mistake(name, _rows(layout, width), layout, source)
        if width != REGISTER_BITS:
            yield Mistake(f"{name}, and {each}", _rows(layout, REGISTER_BITS), layout, source)
    for given in inst.rules.combinations():
        access = inst.rules.access(operand.name, given)
        if access.reroute or access.hole or access.code:
            read = inst.operand(operand.name, **asdict(given))
            yield Mistake(f"read under {given}, not as laid out", rows_of(read))
    for name, rows in bent(plain.layout, width):
        yield Mistake(name, rows)


def _spread(operand: Operand) -> Iterator[Mistake]:
    """Yield narrow elements with room between them: one in each byte, or none that straddles."""
    width = operand.format.bits
    if width < BYTE:
        yield Mistake("every element counted as one byte", _rows(operand.layout, BYTE))
    if fits := REGISTER_BITS % width and REGISTER_BITS // width:
        rows = _rows(operand.layout, 1)
        rows[:, -1] = rows[:, -1] // fits * REGISTER_BITS + rows[:, -1] % fits * width
        yield Mistake(f"{fits} elements in each register, so that none straddles", rows)


def _of_modifiers(inst: Instruction, operand: Operand) -> Iterator[Mistake]:
    yield Mistake("the modifiers are ignored", rows_of(inst.operands[operand.name]))
    others: list[tuple[str, Reroute | None]] = []
    if operand.name == "A":
        others.append(("the global reading of cbsz", inst.rules.global_reading(operand.modifiers)))
    for name, reroute in others:
        yield Mistake(name, rows_of(replace(operand, reroute=reroute)))
    for given in inst.rules.combinations():
        read = inst.operand(operand.name, **asdict(given))
        if given != operand.modifiers:
            yield Mistake(f"read under {given or 'no modifiers'}", rows_of(read))


def _layouts(operand: Operand, others: Iterable[Architecture]) -> Iterator[tuple[str, Layout, str]]:
    """Yield other layouts that may have been taken for the one of `operand`."""
    layout = operand.layout
    for name, other in (*other_k(layout), *swapped(layout)):
        yield name, other, ""
    yield from _elsewhere(operand, others)
    for name, other in (*_packed(layout), *reordered(layout)):
        yield name, other, ""


def _elsewhere(
    operand: Operand, others: Iterable[Architecture]
) -> Iterator[tuple[str, Layout, str]]:
    """Yield the layouts of other instructions and architectures, and of GPUs not specified here.

    Two that are the same layout have one name, which tells both.
    """
    rules = {_key(rule.layout): rule for rule in reversed(rules_of(operand.name, operand.layout))}
    seen = {_key(operand.layout)}
    for arch in others:
        for inst in arch.values():
            other = inst.operands.get(operand.name)
            if other and _could_be(other.layout, operand.layout):
                if (key := _key(other.layout)) in seen:
                    continue
                seen.add(key)
                rule = rules.get(key)
                name = f"the layout of {operand.name} of {inst.mnemonic} on {arch.name}"
                told = "; also " + _rule_name(rule) if rule else ""
                yield (
                    f"{name}{_taken(other, operand)}{told}",
                    other.layout,
                    rule.source if rule else "",
                )
    for key, rule in reversed(rules.items()):
        if key not in seen:
            yield _rule_name(rule), rule.layout, rule.source


def _rule_name(rule: Rule) -> str:
    return f"the rule of {rule.name}"


def _taken(other: Operand, operand: Operand) -> str:
    """Tell of the type that the layout of another instruction is for."""
    if other.format.bits == operand.format.bits:
        return ""
    return f": {other.format.title} rows used for {operand.format.title}"


def _key(layout: Layout) -> bytes:
    """Return what is the same for layouts that put every element into the same slots."""
    return layout.table().tobytes()


def _packed(layout: Layout) -> Iterator[tuple[str, Layout]]:
    """Yield the layout with all k, or all groups, of a row in one lane instead of in several."""
    line = "column" if "j" in layout.coordinates else "row"
    for name, words in (("k", "all k"), ("group", "all groups")):
        digits = layout.coordinates.get(name, ())
        if not any(digit in layout.lane and digit.size > 1 for digit in digits):
            continue
        item = (*digits, *(d for d in layout.item if d not in digits and d not in layout.holes))
        lane = tuple(digit for digit in layout.lane if digit not in digits)
        copies = tuple(
            Digit(f"copy of {d.name}", d.size) if d in digits else d for d in layout.lane
        )
        told = f"{words} of a {line} in one lane"
        yield told, Layout(layout.coordinates, lane, item)
        yield f"{told}, and copies in the others", Layout(layout.coordinates, copies, item)


def _could_be(other: Layout, layout: Layout) -> bool:
    return other.shape == layout.shape and other.lanes <= layout.lanes


def _rows(layout: Layout, width: int) -> IntArray:
    rows = layout.table().copy()
    rows[:, -1] *= width
    return rows
