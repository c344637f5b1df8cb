"""``layoutgen locate``: from an element to its register and lane."""

from __future__ import annotations

import argparse

from layoutgen.cli.errors import Fault
from layoutgen.cli.output import FORMATS, chosen_format, draw, emit
from layoutgen.cli.parser import (
    COORDINATES,
    Parser,
    add_behind,
    add_common,
    add_coordinates,
    add_modifiers,
    add_subject,
)
from layoutgen.cli.subject import Subject, note, sources, subject, within
from layoutgen.cli.words import described, element_document
from layoutgen.model import Operand

DESCRIPTION = """\
Tell in which register, lane and bits an element of an operand lies.

'a21 lane 39' is the accVGPR at offset 21 of the operand's registers, in lane 39; v stands for
an archVGPR.  Narrow elements come with their bits: 'v0 lane 35 [15:8]'.  With modifiers, the
answer is the register and lane that the multiplier reads the element from."""
EXAMPLES = """\
  layoutgen locate gfx908 v_mfma_f32_32x32x1f32 D -i 13 -j 7 -b 1
  layoutgen locate gfx908 v_mfma_i32_16x16x16i8 A -i 3 -k 9
  layoutgen locate gfx908 v_mfma_f32_16x16x4f16 A -i 3 -k 1 -b 2 --cbsz 2 --abid 1
  layoutgen locate gfx908 v_mfma_f32_4x4x4f16 D -i 1 -j 2 -b 5 --sources"""


def configure(parser: Parser) -> None:
    """Add the arguments of ``locate``."""
    add_subject(parser)
    add_coordinates(parser)
    add_modifiers(parser)
    add_behind(parser)
    add_common(parser, FORMATS)


def run(options: argparse.Namespace) -> int:
    """Print the slots of one element."""
    what = subject(options)
    coordinates = _coordinates(what, options)
    found = [(what.operand, coordinates)]
    if options.sources:
        found += sources(what, coordinates)
    if not options.sources:
        _tell_more(options, what, coordinates)
    emit(options, _answer(options, what, found))
    return 0


def _coordinates(what: Subject, options: argparse.Namespace) -> dict[str, int]:
    shape = what.operand.layout.shape
    given = {name: getattr(options, name) for name in COORDINATES}
    its = ", ".join(f"-{name}" for name in shape)
    for name, value in given.items():
        if value is not None and name not in shape:
            raise Fault(f"{what.title} has no -{name}: its coordinates are {its}")
    for name, size in shape.items():
        if given[name] is None and name not in ("b", "k"):
            raise Fault(f"-{name} is missing: {what.title} needs it, 0 to {size - 1}")
    return {name: within(what, name, given[name] or 0, size) for name, size in shape.items()}


def _tell_more(options: argparse.Namespace, what: Subject, at: dict[str, int]) -> None:
    rules, operand = what.instruction.rules, what.operand
    if operand.reroute is None:
        if str(operand.modifiers):
            note(options, f"{operand.modifiers} changes nothing for {operand.name}")
        return
    other = rules.global_reading(operand.modifiers) if operand.name == "A" else None
    ((lane, _), *_) = operand.layout.forward(**at)
    if other and other.lane(lane) != operand.reroute.lane(lane):
        note(
            options,
            f"sources disagree about cbsz {operand.modifiers.cbsz} with {rules.blocks} blocks: "
            f"some say lane {other.lane(lane)} (see 'layoutgen show')",
        )


def _answer(
    options: argparse.Namespace, what: Subject, found: list[tuple[Operand, dict[str, int]]]
) -> str:
    form = chosen_format(options, FORMATS)
    if form == "text":
        return "".join(f"{line}\n" for pair in found for line in described(*pair))
    if form == "json":
        from layoutgen.export import documents

        head = documents.heading(what.arch, what.instruction, what.operand)
        first, *rest = [element_document(*pair) for pair in found]
        behind = {"sources": rest} if options.sources else {}
        return documents.dumps({**head, **first, **behind})
    rows = [
        (op.name, *(at.get(name, "") for name in "bikj"), s.lane, s.register, s.bit, s.width)
        for op, at in found
        for s in op.locate(**at)
    ]
    columns = ("operand", *"bikj", "lane", "register", "bit", "width")
    return draw(options, form, columns, rows)
