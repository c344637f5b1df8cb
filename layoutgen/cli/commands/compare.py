"""``layoutgen compare``: a table of your own, held against a layout."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from layoutgen.cli import screen
from layoutgen.cli.arguments import number
from layoutgen.cli.errors import Fault
from layoutgen.cli.output import chosen_format, emit
from layoutgen.cli.parser import Parser, add_common, add_modifiers, add_subject
from layoutgen.cli.subject import Subject, catalogue, modifiers, subject

if TYPE_CHECKING:
    from layoutgen.comparison import Comparison, Given
    from layoutgen.model import Architecture

DESCRIPTION = """\
Hold a table of your own against the layout of an operand, and tell how they
differ.

TABLE is a file, '-' for standard input, or a layout in quotes:
  CSV, Markdown, aligned text or JSON with the columns of 'layoutgen table', in
  any order; row, column, block, thread, tid, vgpr and agpr are understood, too,
  and registers as v3, a3 or v[2:3]
  bases of a linear layout: as Triton prints them, or JSON with 'register' and
  'lane'
  a CuTe layout of (thread, value): as of 'layoutgen export --format cute', or as
  in C++, Layout<Shape<...>, Stride<...>>

equal        exit code 0
k order      another order of k, right if A and B share it: exit code 1, or 0
             with --allow-k-order, or if tables of A and B show that they do
transposed   rows and columns swapped, as if A and B were exchanged: exit code 1
different    with the first differences, and the usual mistake if it is one:
             exit code 1

Several tables, such as one for each direction, are also held against one
another.  The name of another operand begins the tables of that one: with A and
B, their orders of k are held against one another."""
EXAMPLES = """\
  layoutgen compare gfx908 v_mfma_f32_32x32x2f32 D mine.csv
  layoutgen compare gfx908 v_mfma_f32_32x32x2f32 D forward.csv inverse.csv
  layoutgen compare gfx908 v_mfma_f32_32x32x2f32 D mine.csv --format json
  layoutgen compare gfx908 v_mfma_f32_16x16x16f16 A a.csv B b.csv
  layoutgen compare gfx908 v_mfma_f32_16x16x4f32 D '((16,4),4):((16,4),1)'"""

FORMATS = ("text", "json")
FIRST = 5
"""Differences that are shown."""


def configure(parser: Parser) -> None:
    """Add the arguments of ``compare``."""
    add_subject(parser)
    parser.add_argument("tables", metavar="TABLE", nargs="+", help="what to compare; see above")
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
    if options.limit < 0:
        raise Fault(f"--limit {options.limit} is out of range: 0 or more")
    given = [
        (what, name, _read(what, table))
        for what, tables in _operands(options)
        for name, table in _named(tables)
    ]
    from layoutgen.comparison import compared

    found = [
        Found(
            what,
            name,
            compared(
                what.instruction,
                what.operand,
                table,
                arch=what.arch,
                others=_others(options, what),
            ),
        )
        for what, name, table in given
    ]
    form = chosen_format(options, FORMATS)
    emit(options, _json(found, options.limit) if form == "json" else _text(found, options))
    shared = _k_shared(found)
    allowed = {"equal", "k-order"} if options.allow_k_order or shared else {"equal"}
    good = all(one.comparison.verdict in allowed for one in found)
    return 0 if good and not _disagreeing(found) and shared is not False else 1


class Found(NamedTuple):
    """A table by its name, what it is about, and what came of it."""

    what: Subject
    name: str
    comparison: Comparison


def _operands(options: argparse.Namespace) -> list[tuple[Subject, list[str]]]:
    """Return the operands, each with its tables: the name of an operand begins those of another."""
    first = subject(options)
    inst, found = first.instruction, [(first, list[str]())]
    names = {name.lower(): name for name in inst.operands}
    for word in options.tables:
        if name := names.get(word.lower()):
            operand = inst.operand(name, **modifiers(options, inst))
            found.append((Subject(first.arch, inst, operand), []))
        else:
            found[-1][1].append(word)
    for what, tables in found:
        if not tables:
            raise Fault(f"there is no TABLE of {what.operand.name}")
    if sum(tables.count("-") for _, tables in found) > 1:
        raise Fault("'-' stands twice: standard input can be read once")
    return found


def _others(options: argparse.Namespace, what: Subject) -> Iterator[Architecture]:
    """Yield the architectures whose rules may have been used, the right one first."""
    yield what.arch
    yield from (a for a in catalogue(options).architectures.values() if a.name != what.arch.name)


def _named(tables: list[str]) -> Iterator[tuple[str, str]]:
    from layoutgen.comparison import is_written_out

    for table in tables:
        name = "the layout" if is_written_out(table) else table
        yield "standard input" if table == "-" else name, table


def _read(what: Subject, table: str) -> Given:
    from layoutgen.comparison import MAX_BYTES, TableError, is_written_out, read_file, read_text

    try:
        if table == "-":
            content = _standard_input(MAX_BYTES + 1)
            return read_text(what.operand, content, "standard input", what.instruction)
        if not table:
            raise Fault("TABLE is empty: give a file, '-', or a layout in quotes")
        if is_written_out(table):
            return read_text(what.operand, table, "TABLE")
        return read_file(what.operand, table, what.instruction)
    except TableError as error:
        raise Fault(f"{error}{_of_another(what, table)}") from None


def _standard_input(size: int) -> bytes:
    if sys.stdin is None:
        raise Fault("'-' is standard input, which is closed")
    return sys.stdin.buffer.read(size)


def _of_another(what: Subject, table: str) -> str:
    """Return a hint if `table` is a table of another operand, which can be asked for."""
    from layoutgen.comparison import TableError, is_there, read_file

    if not is_there(table) or not Path(table).is_file():
        return ""
    for name, operand in what.instruction.operands.items():
        with suppress(TableError):
            read_file(operand, table, what.instruction)
            return f"; it reads as a table of {name}: write {name} before it"
    return ""


def _disagreeing(found: list[Found]) -> list[tuple[str, str]]:
    """Return the pairs of tables of one operand that do not say the same."""
    import numpy as np

    first: dict[str, Found] = {}
    pairs = []
    for one in found:
        other = first.setdefault(one.what.operand.name, one)
        if not np.array_equal(other.comparison.table.codes, one.comparison.table.codes):
            pairs.append((other.name, one.name))
    return pairs


def _k_shared(found: list[Found]) -> bool | None:
    """Tell whether tables of A and B have the same order of k; None if that cannot be told."""
    orders: dict[str, set[tuple[int, ...]]] = {"A": set(), "B": set()}
    for what, _, c in found:
        if what.operand.name in orders:
            if c.verdict not in ("equal", "k-order"):
                return None
            own = tuple(range(c.table.coordinates["k"]))
            orders[what.operand.name].add(c.k_order or own)
    if not all(orders.values()):
        return None
    return len(orders["A"] | orders["B"]) == 1


def _text(found: list[Found], options: argparse.Namespace) -> str:
    from layoutgen.cli.verdicts import disputed, folded, verdict

    columns = screen.ENDLESS if options.output else screen.room()
    lines: list[str] = []
    for what, name, comparison in found:
        lines += verdict(what, name, comparison, options.limit, columns)
        if not (options.quiet and comparison.equal):
            lines += disputed(comparison, columns)
    for told in _together(found):
        lines += folded(told, columns)
    return "".join(f"{line}\n" for line in lines)


def _together(found: list[Found]) -> Iterator[str]:
    """Yield what several tables say together."""
    for one, other in _disagreeing(found):
        yield f"{one} and {other} do not describe the same layout"
    for name in dict.fromkeys(what.operand.name for what, *_ in found):
        count = sum(what.operand.name == name for what, *_ in found)
        if count > 1 and not _disagreeing([one for one in found if one.what.operand.name == name]):
            yield f"all {count} tables describe the same layout"
    if (shared := _k_shared(found)) is not None:
        yield (
            "A and B share their order of k: the product is right"
            if shared
            else "A and B do not have the same order of k: the product is wrong"
        )


def _json(found: list[Found], limit: int) -> str:
    from layoutgen.export import documents

    what = found[0].what
    head = documents.heading(what.arch, what.instruction, what.operand)
    several = len(found) > len({one.what.operand.name for one in found})
    agree = {"agree": not _disagreeing(found)} if several else {}
    shared = _k_shared(found)
    k_shared = {} if shared is None else {"k_shared": shared}
    comparisons = [_document(one, limit) for one in found]
    return documents.dumps({**head, "comparisons": comparisons, **agree, **k_shared})


def _document(found: Found, limit: int) -> dict[str, Any]:
    what, name, c = found
    return {
        "table": name,
        "operand": what.operand.name,
        "verdict": c.verdict,
        "elements": c.elements,
        "agreeing": c.agreeing,
        "missing": c.missing,
        "colliding": c.colliding,
        "k_order": list(c.k_order) or None,
        "renamed": {c.renamed[0]: list(c.renamed[1])} if c.renamed else None,
        "mistake": c.mistake.name if c.mistake else None,
        "source": (c.mistake.source if c.mistake else "") or None,
        "disagreements": [
            {"id": d.disagreement.id, "followed": d.followed.name, "other": d.reading.name}
            for d in c.disputes
        ],
        "notes": list(c.notes),
        "remarks": list(c.remarks),
        "differences": [
            {
                "element": d.element,
                "table": [asdict(slot) for slot in d.given],
                "right": [asdict(slot) for slot in d.right],
            }
            for d in c.differences(limit)
        ],
    }
