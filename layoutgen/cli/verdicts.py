"""What ``layoutgen compare`` says about one table, in lines that fit the terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from layoutgen.cli.screen import WIDTH, wrapped
from layoutgen.cli.subject import Subject
from layoutgen.cli.tabular import Grid, text
from layoutgen.cli.words import element_name, slot_name

if TYPE_CHECKING:
    from layoutgen.comparison import Comparison, Difference
    from layoutgen.model import Reading, Slot

INDENT = "  "
MOST_SLOTS = 3
"""Slots of an element that are told one by one."""


def verdict(what: Subject, name: str, c: Comparison, limit: int, columns: int) -> Iterator[str]:
    """Yield what there is to say about a table, `limit` differences among it."""
    yield from folded(_heading(what, name, c), columns)
    for remark in c.remarks:
        yield from folded(f"note: {remark}", columns)
    if c.verdict == "equal":
        return
    if c.k_order:
        yield from _order("k", c.k_order, columns)
    if c.mistake and c.verdict != "transposed":
        source = f" ({c.mistake.source})" if c.mistake.source else ""
        yield from folded(f"recognised: {c.mistake.name}{source}", columns)
    if c.renamed:
        yield from _order(*c.renamed, columns)
    yield from _faults(c)
    if c.verdict != "k-order":
        yield from _differences(what, c.differences(limit))
        yield from _formulas(what, c, columns)


def disputed(c: Comparison, columns: int) -> Iterator[str]:
    """Yield what sources say who do not agree about the layout, and which of it the table is."""
    for dispute in c.disputes:
        entry = dispute.disagreement
        this, other = dispute.reading, dispute.followed
        name = "followed here"
        if c.equal:
            this, other, name = other, this, "others"
        yield from folded(f"sources disagree: {entry.title[0].lower()}{entry.title[1:]}", columns)
        yield from _reading("this table", this, columns)
        yield from _reading(name, other, columns)
        yield from folded(f"settled by: {entry.settled_by}", columns, INDENT)


def folded(line: str, columns: int, indent: str = "") -> list[str]:
    """Return `line` folded at spaces, the lines after the first further in."""
    return wrapped(indent, line, len(indent + INDENT), columns)


def _heading(what: Subject, name: str, c: Comparison) -> str:
    match c.verdict:
        case "equal":
            return f"equal: {name} is {what.title}, {c.elements} elements"
        case "k-order":
            return (
                f"equal up to the order of k: {name} is {what.title} with k renamed, which is "
                "right if A and B share it"
            )
        case "transposed":
            exchanged = ", as if A and B were exchanged" if what.operand.name in "CD" else ""
            return f"transposed: {name} is {what.title} with rows and columns swapped{exchanged}"
        case "different":
            return (
                f"different: {name} agrees with {what.title} in {c.agreeing} of {c.elements} "
                "elements"
            )


def _order(name: str, order: tuple[int, ...], columns: int) -> Iterator[str]:
    """Yield two rows of numbers, the values of the table above ours in their place."""
    above, below = f"{INDENT}{name} of the table:", f"{INDENT}{name} in its place:"
    digits = len(str(len(order) - 1))
    count = max((min(columns, WIDTH) - len(above)) // (digits + 1), 1)
    for start in range(0, len(order), count):
        stop = min(start + count, len(order))
        for label, numbers in ((above, range(start, stop)), (below, order[start:stop])):
            yield label + "".join(f" {number:{digits}}" for number in numbers)


def _reading(name: str, reading: Reading, columns: int) -> list[str]:
    return folded(f"{name}: {reading.claim} ({reading.who})", columns, INDENT)


def _faults(c: Comparison) -> Iterator[str]:
    yield from c.notes
    if c.missing:
        yield f"{c.missing} of {c.elements} elements are not in the table"
    if c.colliding and not c.operand.reroute:
        yield f"{c.colliding} slots hold several elements"


def _differences(what: Subject, differences: list[Difference]) -> Iterator[str]:
    rows: list[tuple[str, str, str]] = []
    for difference in differences:
        given, right = (list(_slots(what, s)) for s in (difference.given, difference.right))
        name = element_name(what.operand, difference.element)
        for at in range(max(len(given), len(right))):
            cells = [column[at] if at < len(column) else "" for column in ([name], given, right)]
            rows.append((cells[0], cells[1], cells[2]))
    if rows:
        yield from text(Grid(("element", "table", "right"), rows)).splitlines()


def _slots(what: Subject, slots: tuple[Slot, ...]) -> Iterator[str]:
    """Yield the lines of a cell: one for each slot, or part of one, and how many more there are."""
    if not slots:
        yield "nowhere"
    for slot in slots[:MOST_SLOTS]:
        *parts, last = slot_name(what.operand, slot).split(", ")
        yield from (f"{part}," for part in parts)
        yield last
    if more := slots[MOST_SLOTS:]:
        yield f"and {len(more)} more"


def _formulas(what: Subject, c: Comparison, columns: int) -> Iterator[str]:
    if c.mistake is None or c.mistake.layout is None:
        return
    from layoutgen.formulas import formulas
    from layoutgen.printing import TEXT, render

    bits = what.operand.format.bits
    for name, layout in (("table", c.mistake.layout), ("right", what.operand.layout)):
        forward = formulas(layout, bits).forward
        equations = [f"{n} = {render(e, TEXT)}" for n, e in forward.items()]
        yield from _in_lines(f"{name}: ", equations, columns)


def _in_lines(label: str, equations: Iterable[str], columns: int) -> Iterator[str]:
    """Yield equations after a label, as many in each line as fit."""
    line = ""
    for equation in equations:
        longer = f"{line}, {equation}" if line else f"{label}{equation}"
        if line and len(longer) >= columns:
            yield f"{line},"
            longer = " " * len(label) + equation
        line = longer
    yield line
