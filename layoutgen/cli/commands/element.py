"""``layoutgen element``: from a register and lane to the elements in it."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from layoutgen.cli.answers import (
    SLOT,
    Marks,
    element_document,
    element_rows,
    part_document,
    slot_of,
    turned_name,
)
from layoutgen.cli.errors import Fault
from layoutgen.cli.output import FORMATS, Columns, Rows, chosen_format, draw, emit
from layoutgen.cli.parser import (
    Parser,
    add_behind,
    add_common,
    add_modifiers,
    add_place,
    add_subject,
    number,
    register,
)
from layoutgen.cli.subject import (
    Subject,
    base_of,
    check_place,
    sources,
    subject,
    within,
)
from layoutgen.cli.words import (
    Base,
    described,
    element_name,
    part_name,
    piece,
    reading,
)
from layoutgen.model import Element
from layoutgen.modifiers import Modifiers

DESCRIPTION = """\
Tell which elements of an operand lie in a register of a lane, or in all registers of a lane.

A packed register holds several elements; each comes with its bits.  Of an element that lies in
several registers it is told which of its bits are here.  With modifiers, the answer is the
elements for which the multiplier reads this register: several under a broadcast, and none where
it is not read at all."""
EXAMPLES = """\
  layoutgen element gfx908 v_mfma_f32_32x32x1f32 D --lane 37 --register 6
  layoutgen element gfx908 v_mfma_f32_16x16x4f16 D --lane 50 --register a9
  layoutgen element gfx908 v_mfma_i32_16x16x16i8 A --lane 35
  layoutgen element gfx908 v_mfma_f32_32x32x1f32 D --thread 165 --register 6
  layoutgen element gfx908 v_mfma_f32_4x4x4f16 A --lane 5 --cbsz 2 --abid 1
  layoutgen element gfx942 v_mfma_f32_16x16x16_f16 D --lane 37 --register a6 --base a[4:7]
  layoutgen element gfx950 v_mfma_f32_16x16x128_f8f6f4 A --lane 0 --register 1 --cbsz 2"""

Found = list[tuple[int, Element]]
"""Registers with an element in each."""


def configure(parser: Parser) -> None:
    """Add the arguments of ``element``."""
    add_subject(parser)
    parser.positional = "a register is given as --lane 37 --register 6"
    group = parser.add_argument_group("slot")
    where = group.add_mutually_exclusive_group()
    where.add_argument("-l", "--lane", type=number, metavar="N", help="lane of the wavefront")
    where.add_argument(
        "-t", "--thread", type=number, metavar="N", help="flat thread id in the workgroup instead"
    )
    group.add_argument(
        "-r",
        "--register",
        type=register,
        metavar="N",
        help="offset in the operand's registers: 6, v6, a6 or v[2:3]; default: all of the lane",
    )
    add_place(parser)
    add_modifiers(parser)
    add_behind(parser)
    add_common(parser, FORMATS)


def run(options: argparse.Namespace) -> int:
    """Print the elements of a slot."""
    what = subject(options)
    check_place(options, what)
    base = base_of(options, what)
    lane = _lane(what, options)
    registers = _registers(what, options, base)
    found = [(r, e) for r in registers for e in what.operand.elements(lane=lane, register=r)]
    form = chosen_format(options, FORMATS)
    if form == "text":
        emit(options, "".join(f"{line}\n" for line in _text(options, what, lane, registers, found)))
    elif form == "json":
        emit(options, _json(options, what, lane, registers, found))
    else:
        emit(options, draw(options, form, *_rows(options, what, lane, found)))
    return 0


def _registers(what: Subject, options: argparse.Namespace, base: Base | None) -> range:
    """Return the offsets of the registers that are asked for."""
    count = what.operand.registers
    if options.register is None:
        return range(count)
    first = base.number if base else 0
    for end in (options.register[0], options.register[-1]):
        if base and not first <= end < first + count:
            raise Fault(
                f"register {base.file}{end} is none of {what.title}, which lies in "
                f"{base.file}{first} to {base.file}{first + count - 1}"
            )
        within(what, "register", end - first, count)
    return range(options.register.start - first, options.register.stop - first)


def _lane(what: Subject, options: argparse.Namespace) -> int:
    wave = what.operand.layout.lanes
    if options.thread is not None:
        if options.thread < 0:
            raise Fault(f"thread {options.thread} is out of range: thread ids begin with 0")
        return int(options.thread % wave)
    if options.lane is None:
        raise Fault(f"--lane is missing: {what.title} needs it, 0 to {wave - 1} (or --thread)")
    return within(what, "lane", options.lane, wave)


def _text(
    options: argparse.Namespace, what: Subject, lane: int, registers: range, found: Found
) -> Iterator[str]:
    operand, base = what.operand, base_of(options, what)
    if options.thread is not None:
        wave = options.thread // what.arch.wave
        yield f"thread {options.thread} = wave {wave} lane {lane}"
    for r in registers:
        inside = [e for register, e in found if register == r]
        for e in inside:
            yield f"{part_name(operand, lane, r, e, base)} = {_named(options, what, e)}"
            if options.sources:
                for pair in sources(options, what, e.coordinates):
                    yield from (f"  {line}" for line in described(*pair))
        if not inside:
            under = f" under {operand.modifiers}" if operand.modifiers != Modifiers() else ""
            file, first = (base.file, base.number) if base else (operand.register_files[0], 0)
            yield f"{file}{first + r} lane {lane} is not read{under}"


def _named(options: argparse.Namespace, what: Subject, element: Element) -> str:
    """Return an element with what there is to say of it; of a transposed tile, both names."""
    operand, at = what.operand, element.coordinates
    name = f"{element_name(operand, at)}{piece(element)}{reading(operand)}"
    return f"{name} = {turned_name(operand, at)}" if options.transpose else name


def _json(
    options: argparse.Namespace, what: Subject, lane: int, registers: range, found: Found
) -> str:
    from layoutgen.export import documents

    head = documents.heading(what.arch, what.instruction, what.operand)
    marks = _marks(options, what)
    thread = {}
    if options.thread is not None:
        thread = {"thread": options.thread, "wave_index": options.thread // what.arch.wave}
    first = marks.base.number if marks.base else 0
    one = {"register": first + registers[0]} if options.register and len(registers) == 1 else {}
    elements = [
        {
            **part_document(what.operand, lane, r, e, marks),
            **_sources_document(options, what, e),
        }
        for r, e in found
    ]
    return documents.dumps({**head, **thread, "lane": lane, **one, "elements": elements})


def _sources_document(
    options: argparse.Namespace, what: Subject, element: Element
) -> dict[str, Any]:
    if not options.sources:
        return {}
    pairs = sources(options, what, element.coordinates)
    return {"sources": [element_document(*pair) for pair in pairs]}


def _rows(
    options: argparse.Namespace, what: Subject, lane: int, found: Found
) -> tuple[Columns, Rows]:
    """Return a row for each element: its slot as in a table by slot; with sources, as `locate`."""
    operand, marks = what.operand, _marks(options, what)
    if options.sources:
        elements = dict.fromkeys(tuple(e.coordinates.items()) for _, e in found)
        return element_rows(
            [
                (op, at, op is operand)
                for element in map(dict, elements)
                for op, at in ((operand, element), *sources(options, what, element))
            ],
            marks,
        )
    names = tuple(operand.layout.shape)
    rows = (
        (
            *asdict(marks.slot(slot_of(lane, r, e))).values(),
            *(e.coordinates[name] for name in names),
            *marks.cells(operand, e.coordinates),
        )
        for r, e in found
    )
    return (*SLOT, *names, *marks.columns), list(dict.fromkeys(rows))


def _marks(options: argparse.Namespace, what: Subject) -> Marks:
    return Marks(base_of(options, what), options.transpose)
