"""``layoutgen locate``: from an element to its register and lane."""

from __future__ import annotations

import argparse

from layoutgen.cli import remarks
from layoutgen.cli.answers import Marks, element_document, element_rows, turned_name
from layoutgen.cli.errors import Fault
from layoutgen.cli.notation import asked
from layoutgen.cli.output import FORMATS, chosen_format, draw, emit
from layoutgen.cli.parser import (
    COORDINATES,
    Parser,
    add_behind,
    add_common,
    add_coordinates,
    add_element,
    add_modifiers,
    add_place,
    add_subject,
    coordinate_options,
)
from layoutgen.cli.subject import (
    Subject,
    base_of,
    check_place,
    sources,
    transposed,
    within,
)
from layoutgen.cli.words import Base, described
from layoutgen.model import Operand

DESCRIPTION = """\
Tell in which register, lane and bits an element of an operand lies.

'a21 lane 39' is the accVGPR at offset 21 of the operand's registers, in lane 39; v stands for
an archVGPR.  Narrow elements come with their bits: 'v0 lane 35 [15:8]'.  With modifiers, the
answer is the register and lane that the multiplier reads the element from.

k of a sparse A counts what A stores.  An index or a scale belongs to a group of k: give --group,
or -k for the group that a k of the whole product is in."""
EXAMPLES = """\
  layoutgen locate gfx908 v_mfma_f32_32x32x1f32 D -i 13 -j 7 -b 1
  layoutgen locate gfx942 v_mfma_f32_32x32x8_f16 'D[5][3]'
  layoutgen locate gfx908 v_mfma_i32_16x16x16i8 A -i 3 -k 9
  layoutgen locate gfx908 v_mfma_f32_16x16x4f16 A -i 3 -k 1 -b 2 --cbsz 2 --abid 1
  layoutgen locate gfx908 v_mfma_f32_4x4x4f16 D -i 1 -j 2 -b 5 --sources
  layoutgen locate gfx90a v_mfma_f32_16x16x16f16 D -i 6 -j 3 --base a[4:7]
  layoutgen locate gfx942 v_smfmac_f32_16x16x32_f16 index -i 3 -k 13 --abid 1
  layoutgen locate gfx942 v_smfmac_f32_16x16x32_f16 D -i 3 -j 7 --sources --index 4
  layoutgen locate gfx950 v_mfma_scale_f32_16x16x128_f8f6f4 scale_b --group 2 -j 5 --op-sel 0,1"""


def configure(parser: Parser) -> None:
    """Add the arguments of ``locate``."""
    add_subject(parser)
    add_element(parser)
    parser.positional = "an element is given as -i 5 -j 3 (and -k, -b), or as 'D[5][3]'"
    add_coordinates(parser)
    add_place(parser)
    add_modifiers(parser)
    add_behind(parser)
    add_common(parser, FORMATS)


def run(options: argparse.Namespace) -> int:
    """Print the slots of one element."""
    what = asked(options)
    check_place(options, what)
    base = base_of(options, what)
    coordinates = _coordinates(what, options)
    found = [(what.operand, coordinates)]
    if options.sources:
        found += sources(options, what, coordinates)
    else:
        remarks.on_idle(options, what)
    remarks.on_elements(options, what, found)
    emit(options, _answer(options, what, found, base))
    return 0


def _coordinates(what: Subject, options: argparse.Namespace) -> dict[str, int]:
    shape = what.operand.layout.shape
    given = {name: getattr(options, name) for name in COORDINATES}
    if "group" in shape and given["k"] is not None:
        given["group"] = _group(what, given)
        given["k"] = None
    its = ", ".join(coordinate_options(name)[0] for name in shape)
    for name, value in given.items():
        if value is not None and name not in shape:
            option = coordinate_options(name)[0]
            raise Fault(f"{what.title} has no {option}: its coordinates are {its}")
    given = transposed(options, given)
    for name, size in shape.items():
        if given[name] is None and name not in ("b", "k", "group"):
            raise Fault(f"-{name} is missing: {what.title} needs it, 0 to {size - 1}")
    return {name: within(what, name, given[name] or 0, size) for name, size in shape.items()}


def _group(what: Subject, given: dict[str, int | None]) -> int:
    """Return the group that a k of the product is in."""
    if given["group"] is not None:
        raise Fault("--group and -k say the same: give one of them")
    k = within(what, "k", given["k"] or 0, what.instruction.k)
    return k * what.operand.layout.shape["group"] // what.instruction.k


def _answer(
    options: argparse.Namespace,
    what: Subject,
    found: list[tuple[Operand, dict[str, int]]],
    base: Base | None,
) -> str:
    form = chosen_format(options, FORMATS)
    (operand, at), *behind = found
    marks = Marks(base, options.transpose, what.instruction.sparse)
    if form == "text":
        lines = _first(options, operand, at, base)
        lines += [x for op, e in behind for x in described(op, e, marks.of_source(op).base)]
        return "".join(f"{line}\n" for line in lines)
    if form == "json":
        from layoutgen.export import documents

        head = documents.heading(what.arch, what.instruction, what.operand)
        sources_of = [element_document(op, e, marks.of_source(op)) for op, e in behind]
        more = {"sources": sources_of} if options.sources else {}
        if others := remarks.other_slots(what, operand, at):
            more["other_readings"] = others
        return documents.dumps({**head, **element_document(operand, at, marks), **more})
    rows = ((op, element, n == 0) for n, (op, element) in enumerate(found))
    return draw(options, form, *element_rows(rows, marks))


def _first(
    options: argparse.Namespace, operand: Operand, at: dict[str, int], base: Base | None
) -> list[str]:
    """Return the lines of the element that was asked for, under the name by which it was."""
    lines = described(operand, at, base)
    if not options.transpose:
        return lines
    return [f"{turned_name(operand, at)} = {line}" for line in lines]
