"""``layoutgen compare``: a table of your own, held against a layout."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from layoutgen.cli.errors import Fault
from layoutgen.cli.output import chosen_format, emit
from layoutgen.cli.parser import Parser, add_common, add_modifiers, add_subject, number
from layoutgen.cli.subject import Subject, catalogue, subject
from layoutgen.cli.tabular import Grid, text
from layoutgen.cli.words import element_name, slot_name

if TYPE_CHECKING:
    from layoutgen.comparison import Comparison, Difference, Given
    from layoutgen.model import Architecture, Slot

DESCRIPTION = """\
Hold a table of your own against the layout of an operand, and tell how they differ.

TABLE is a file, '-' for standard input, or a CuTe layout in quotes:
  CSV or JSON with the columns of 'layoutgen table', in any order
  bases of a linear layout: as Triton prints them, or JSON with 'register' and 'lane'
  a CuTe layout of (thread, value), as of 'layoutgen export --format cute'

equal        exit code 0
k order      another order of k, right if A and B share it: exit code 1, or 0 with
             --allow-k-order
transposed   rows and columns swapped, as if A and B were exchanged: exit code 1
different    with the first differences, and the usual mistake if it is one: exit code 1

Several tables, such as one for each direction, are also held against one another."""
EXAMPLES = """\
  layoutgen compare gfx908 v_mfma_f32_32x32x2f32 D '((32,2),(4,4)):((32,4),(1,8))'
  layoutgen compare gfx908 v_mfma_f32_32x32x2f32 D mine.csv
  layoutgen compare gfx908 v_mfma_f32_32x32x2f32 D forward.csv inverse.csv
  layoutgen compare gfx908 v_mfma_f32_32x32x2f32 D mine.csv --format json"""

FORMATS = ("text", "json")
FIRST = 5
"""Differences that are shown."""


def configure(parser: Parser) -> None:
    """Add the arguments of ``compare``."""
    add_subject(parser)
    parser.add_argument("tables", metavar="TABLE", nargs="+", help="what to compare")
    parser.add_argument(
        "--allow-k-order", action="store_true", help="another order of k is no finding"
    )
    parser.add_argument(
        "--limit",
        type=number,
        default=FIRST,
        metavar="N",
        help=f"differences to show; default: {FIRST}",
    )
    add_modifiers(parser)
    add_common(parser, FORMATS)


def run(options: argparse.Namespace) -> int:
    """Print the verdicts."""
    what = subject(options)
    if options.limit < 0:
        raise Fault(f"--limit {options.limit} is out of range: 0 or more")
    from layoutgen.comparison import compared

    given = [(name, _read(what, table)) for name, table in _named(options.tables)]
    found = [
        (
            name,
            compared(
                what.instruction, what.operand, table, arch=what.arch, others=_others(options, what)
            ),
        )
        for name, table in given
    ]
    form = chosen_format(options, FORMATS)
    answer = _json(what, found, options.limit) if form == "json" else _text(what, found, options)
    emit(options, answer)
    allowed = {"equal", "k-order"} if options.allow_k_order else {"equal"}
    return 0 if all(c.verdict in allowed for _, c in found) and not _disagreeing(found) else 1


def _others(options: argparse.Namespace, what: Subject) -> Iterator[Architecture]:
    """Yield the architectures whose rules may have been used, the right one first."""
    yield what.arch
    yield from (a for a in catalogue(options).architectures.values() if a.name != what.arch.name)


def _named(tables: list[str]) -> Iterator[tuple[str, str]]:
    for table in tables:
        inline = table.lstrip().startswith("(") and not Path(table).exists()
        yield "standard input" if table == "-" else "the layout" if inline else table, table


def _read(what: Subject, table: str) -> Given:
    from layoutgen.comparison import MAX_BYTES, TableError, read_file, read_text

    try:
        if table == "-":
            content = sys.stdin.buffer.read(MAX_BYTES + 1)
            return read_text(what.operand, content, "standard input", what.instruction)
        if table.lstrip().startswith("(") and not Path(table).exists():
            return read_text(what.operand, table, "TABLE")
        return read_file(what.operand, table, what.instruction)
    except TableError as error:
        raise Fault(str(error)) from None


Found = list[tuple[str, "Comparison"]]


def _disagreeing(found: Found) -> list[tuple[str, str]]:
    """Return the pairs of tables that do not say the same."""
    import numpy as np

    (first, one), *rest = found
    return [
        (first, name)
        for name, other in rest
        if not np.array_equal(one.table.codes, other.table.codes)
    ]


def _text(what: Subject, found: Found, options: argparse.Namespace) -> str:
    lines: list[str] = []
    for name, comparison in found:
        lines += _verdict(what, name, comparison, options)
    for one, other in _disagreeing(found):
        lines.append(f"{one} and {other} do not describe the same layout")
    if len(found) > 1 and not _disagreeing(found):
        lines.append(f"all {len(found)} tables describe the same layout")
    return "".join(f"{line}\n" for line in lines)


def _verdict(what: Subject, name: str, c: Comparison, options: argparse.Namespace) -> Iterator[str]:
    if c.verdict == "equal":
        yield f"equal: {name} is {what.title}, {c.elements} elements"
        return
    if c.verdict == "k-order":
        yield (
            f"equal up to the order of k: {name} is {what.title} with k renamed, which is right "
            "if A and B share it"
        )
        yield f"  k of the table: {' '.join(map(str, range(len(c.k_order))))}"
        yield f"  k in its place: {' '.join(map(str, c.k_order))}"
    elif c.verdict == "transposed":
        exchanged = ", as if A and B were exchanged" if what.operand.name in "CD" else ""
        yield f"transposed: {name} is {what.title} with rows and columns swapped{exchanged}"
    else:
        yield (
            f"different: {name} agrees with {what.title} in {c.agreeing} of {c.elements} elements"
        )
    if c.mistake and c.verdict != "transposed":
        yield f"recognised: {c.mistake.name}"
    yield from _faults(c)
    if c.verdict != "k-order":
        yield from _differences(what, c.differences(options.limit))
        yield from _formulas(what, c)


def _faults(c: Comparison) -> Iterator[str]:
    yield from c.notes
    if c.missing:
        yield f"{c.missing} of {c.elements} elements are not in the table"
    if c.colliding and not c.operand.reroute:
        yield f"{c.colliding} slots hold several elements"


def _differences(what: Subject, differences: list[Difference]) -> Iterator[str]:
    if differences:
        rows = [
            (element_name(what.operand, d.element), _slots(what, d.given), _slots(what, d.right))
            for d in differences
        ]
        yield from text(Grid(("element", "table", "right"), rows)).splitlines()


def _slots(what: Subject, slots: tuple[Slot, ...]) -> str:
    return ", ".join(slot_name(what.operand, slot) for slot in slots) or "nowhere"


def _formulas(what: Subject, c: Comparison) -> Iterator[str]:
    if c.mistake is None or c.mistake.layout is None:
        return
    from layoutgen.formulas import formulas
    from layoutgen.printing import TEXT, render

    width = what.operand.format.bits
    both = (("table", c.mistake.layout), ("right", what.operand.layout))
    for name, layout in both:
        forward = formulas(layout, width).forward
        equations = (f"{n} = {render(e, TEXT)}" for n, e in forward.items())
        yield f"{name}: {', '.join(equations)}"


def _json(what: Subject, found: Found, limit: int) -> str:
    from layoutgen.export import documents

    head = documents.heading(what.arch, what.instruction, what.operand)
    agree = {"agree": not _disagreeing(found)} if len(found) > 1 else {}
    comparisons = [_document(name, c, limit) for name, c in found]
    return documents.dumps({**head, "comparisons": comparisons, **agree})


def _document(name: str, c: Comparison, limit: int) -> dict[str, Any]:
    return {
        "table": name,
        "verdict": c.verdict,
        "elements": c.elements,
        "agreeing": c.agreeing,
        "missing": c.missing,
        "colliding": c.colliding,
        "k_order": list(c.k_order) or None,
        "mistake": c.mistake.name if c.mistake else None,
        "notes": list(c.notes),
        "differences": [
            {
                "element": d.element,
                "table": [asdict(slot) for slot in d.given],
                "right": [asdict(slot) for slot in d.right],
            }
            for d in c.differences(limit)
        ],
    }
