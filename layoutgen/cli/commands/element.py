"""``layoutgen element``: from a register and lane to the elements in it."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import asdict, dataclass

from layoutgen.cli import remarks
from layoutgen.cli.answers import (
    SLOT,
    Marks,
    element_document,
    element_rows,
    part_document,
    slot_of,
    turned_name,
)
from layoutgen.cli.arguments import number, register
from layoutgen.cli.errors import Fault
from layoutgen.cli.output import FORMATS, Columns, Rows, chosen_format, draw, emit
from layoutgen.cli.parser import (
    Parser,
    add_behind,
    add_common,
    add_modifiers,
    add_place,
    add_subject,
)
from layoutgen.cli.subject import (
    FILES,
    Subject,
    base_of,
    check_place,
    note,
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
    tuple_name,
)
from layoutgen.model import Element, Operand
from layoutgen.modifiers import Modifiers

MOST_THREADS = 1024
"""Threads of the largest workgroup."""

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


@dataclass(frozen=True)
class Slots:
    """The registers of a lane that are asked for, and the elements in them.

    `names` is the first register of the operand by its file: offsets count from 0.
    """

    what: Subject
    lane: int
    registers: range
    found: Found
    names: Base
    marks: Marks


def run(options: argparse.Namespace) -> int:
    """Print the elements of a slot."""
    what = subject(options)
    check_place(options, what)
    slots = _slots(options, what)
    if not options.sources:
        remarks.on_idle(options, what)
    remarks.on_registers(options, what, slots.lane, slots.registers, slots.names)
    behind = (pair for at in _held(slots) for pair in _behind(options, what, at))
    remarks.on_elements(options, what, behind)
    form = chosen_format(options, FORMATS)
    if form == "text":
        emit(options, "".join(f"{line}\n" for line in _text(options, slots)))
    elif form == "json":
        emit(options, _json(options, slots))
    else:
        emit(options, draw(options, form, *_rows(options, slots)))
    return 0


def _slots(options: argparse.Namespace, what: Subject) -> Slots:
    base = base_of(options, what)
    lane = _lane(what, options)
    registers = _registers(what, options, base)
    found = [(r, e) for r in registers for e in what.operand.elements(lane=lane, register=r)]
    names = base or Base(_file(options, what))
    if base and options.register and options.register[0] not in ("", base.file):
        raise Fault(
            f"--register {options.register[0]}{options.register[1][0]} is none of {what.title}, "
            f"which begins at {base.file}{base.number}"
        )
    return Slots(what, lane, registers, found, names, _marks(options, what, base))


def _marks(options: argparse.Namespace, what: Subject, base: Base | None) -> Marks:
    return Marks(base, options.transpose, what.instruction.sparse)


def _held(slots: Slots) -> list[dict[str, int]]:
    """Return every element once, also one that lies in several registers."""
    return list(map(dict, dict.fromkeys(tuple(e.coordinates.items()) for _, e in slots.found)))


def _behind(
    options: argparse.Namespace, what: Subject, at: dict[str, int]
) -> list[tuple[Operand, dict[str, int]]]:
    """Return the sources of an element, if they are asked for."""
    return sources(options, what, at) if options.sources else []


def _registers(what: Subject, options: argparse.Namespace, base: Base | None) -> range:
    """Return the offsets of the registers that are asked for."""
    count = what.operand.registers
    if options.register is None:
        return range(count)
    _, wanted = options.register
    first = base.number if base else 0
    for end in (wanted[0], wanted[-1]):
        if base and not first <= end < first + count:
            raise Fault(
                f"register {base.file}{end} is none of {what.title}, which lies in "
                f"{base.file}{first} to {base.file}{first + count - 1}"
            )
        within(what, "register", end - first, count)
    return range(wanted.start - first, wanted.stop - first)


def _file(options: argparse.Namespace, what: Subject) -> str:
    """Return the file whose letter registers have: that which was asked for, where they may lie."""
    files = what.operand.register_files
    given = options.register[0] if options.register else ""
    if given and given not in files:
        note(options, f"{what.title} lies in {FILES[files[0]]}s only: {files[0]}, not {given}")
    return given if given in files else files[0]


def _lane(what: Subject, options: argparse.Namespace) -> int:
    wave = what.operand.layout.lanes
    if options.thread is not None:
        if not 0 <= options.thread < MOST_THREADS:
            raise Fault(f"thread {options.thread} is out of range: 0 to {MOST_THREADS - 1}")
        return int(options.thread % wave)
    if options.lane is None:
        raise Fault(f"--lane is missing: {what.title} needs it, 0 to {wave - 1} (or --thread)")
    return within(what, "lane", options.lane, wave)


def _text(options: argparse.Namespace, slots: Slots) -> Iterator[str]:
    what, operand, lane = slots.what, slots.what.operand, slots.lane
    if options.thread is not None:
        wave = options.thread // what.arch.wave
        yield f"thread {options.thread} = wave {wave} lane {lane}"
    for r in slots.registers:
        inside = [e for register, e in slots.found if register == r]
        for e in inside:
            yield f"{part_name(operand, lane, r, e, slots.names)} = {_named(options, what, e)}"
            for source, at in _behind(options, what, e.coordinates):
                base = slots.marks.of_source(source).base
                yield from (f"  {line}" for line in described(source, at, base))
        if not inside:
            under = f" under {operand.modifiers}" if operand.modifiers != Modifiers() else ""
            yield f"{tuple_name(operand, slots.names, r, r)} lane {lane} is not read{under}"


def _named(options: argparse.Namespace, what: Subject, element: Element) -> str:
    """Return an element with what there is to say of it; of a transposed tile, both names."""
    operand, at = what.operand, element.coordinates
    name = f"{element_name(operand, at)}{piece(element)}{reading(operand)}"
    return f"{name} = {turned_name(operand, at)}" if options.transpose else name


def _json(options: argparse.Namespace, slots: Slots) -> str:
    from layoutgen.export import documents

    what, lane = slots.what, slots.lane
    head = documents.heading(what.arch, what.instruction, what.operand)
    thread = {}
    if options.thread is not None:
        thread = {"thread": options.thread, "wave_index": options.thread // what.arch.wave}
    registers = [slots.names.number + r for r in slots.registers]
    one = {"register": registers[0]} if options.register and len(registers) == 1 else {}
    elements = []
    for r, e in slots.found:
        part = part_document(what.operand, lane, r, e, slots.marks, slots.names)
        behind = [
            element_document(source, at, slots.marks.of_source(source))
            for source, at in _behind(options, what, e.coordinates)
        ]
        elements.append({**part, **({"sources": behind} if options.sources else {})})
    return documents.dumps({**head, **thread, "lane": lane, **one, "elements": elements})


def _rows(options: argparse.Namespace, slots: Slots) -> tuple[Columns, Rows]:
    """Return a row for each element: its slot as in a table by slot; with sources, as `locate`."""
    what, marks = slots.what, slots.marks
    if options.sources:
        groups = ([(what.operand, at), *_behind(options, what, at)] for at in _held(slots))
        rows = ((op, at, n == 0) for group in groups for n, (op, at) in enumerate(group))
        return element_rows(rows, marks)
    names = tuple(what.operand.layout.shape)
    each = (
        (
            *asdict(marks.slot(slot_of(slots.lane, r, e))).values(),
            *(e.coordinates[name] for name in names),
            *marks.cells(what.operand, e.coordinates),
        )
        for r, e in slots.found
    )
    return (*SLOT, *names, *marks.columns), list(dict.fromkeys(each))
