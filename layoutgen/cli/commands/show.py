"""``layoutgen show``: all that is known about an instruction, or an architecture, on one screen."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from layoutgen.cli.arguments import number
from layoutgen.cli.errors import Fault
from layoutgen.cli.output import chosen_format, emit
from layoutgen.cli.parser import Parser, add_common, add_modifiers, add_subject
from layoutgen.cli.subject import LAST_REGISTER, architecture, instruction, modifiers, option_of

if TYPE_CHECKING:
    from layoutgen.printing import Notation

DESCRIPTION = """\
Show all that is known about one instruction: names, assembly, sizes, registers and where they
may begin, rates, legal modifiers and what they do, wait states, the formulas of every operand in
both directions, the sources, and where they disagree; with -v, who says what.

'v' is an archVGPR, 'a' an accVGPR.  With modifiers, sizes, cycles and formulas are those under
them: the forward formulas give the register and lane that the multiplier reads from.

Without INSTRUCTION, the architecture: its registers, number formats, peak rates, and where
sources disagree."""
EXAMPLES = """\
  layoutgen show gfx908 v_mfma_f32_32x32x1f32
  layoutgen show mi100 __builtin_amdgcn_mfma_i32_16x16x16i8
  layoutgen show gfx908 v_mfma_f32_16x16x4f16 --cbsz 2 --abid 1
  layoutgen show gfx950 v_mfma_scale_f32_16x16x128_f8f6f4 --cbsz 4 --blgp 2
  layoutgen show gfx942 v_mfma_f32_32x32x8_f16 --notation c
  layoutgen show gfx908 v_mfma_f32_32x32x1f32 --format json
  layoutgen show gfx950
  layoutgen show gfx90a --arch-vgprs 100 --acc-vgprs 60"""

WITH = ("text", "json")
"""Formats of this command."""
NOTATIONS = ("text", "c", "python", "latex")
COUNTS = {"arch_vgprs": "archVGPRs", "acc_vgprs": "accVGPRs"}


def configure(parser: Parser) -> None:
    """Add the arguments of ``show``."""
    add_subject(parser, operand=False, optional=True)
    add_modifiers(parser)
    parser.add_argument(
        "--notation",
        choices=NOTATIONS,
        help=f"how formulas are written: {', '.join(NOTATIONS)}; default: text, in JSON python",
    )
    group = parser.add_argument_group("registers of a wavefront, without INSTRUCTION")
    for name, title in COUNTS.items():
        group.add_argument(
            option_of(name),
            type=number,
            metavar="N",
            help=f"{title} of a wavefront; tells the registers it takes in all",
        )
    add_common(parser, WITH)


def run(options: argparse.Namespace) -> int:
    """Print the instruction, or the architecture."""
    if options.instruction is None:
        emit(options, _architecture(options))
    else:
        emit(options, _instruction(options))
    return 0


def _instruction(options: argparse.Namespace) -> str:
    from layoutgen import printing

    arch, inst = instruction(options)
    for name in COUNTS:
        if getattr(options, name) is not None:
            raise Fault(f"{option_of(name)} is about the architecture: leave INSTRUCTION out")
    set_fields = modifiers(options, inst)
    form = chosen_format(options, WITH)
    name = options.notation or ("python" if form == "json" else "text")
    notation: Notation = getattr(printing, name.upper())
    if form == "json":
        from layoutgen.export import documents

        return documents.dumps(documents.instruction(arch, inst, set_fields, notation))
    from layoutgen.cli.sheet import sheet

    lines = sheet(arch, inst, set_fields, notation, who=options.verbose)
    return "\n".join(lines) + "\n"


def _architecture(options: argparse.Namespace) -> str:
    arch = architecture(options)
    if given := [option_of(name) for name in modifiers(options)]:
        raise Fault(f"{given[0]} is about an instruction: give INSTRUCTION")
    counts = [getattr(options, name) for name in COUNTS]
    for name, count in zip(COUNTS, counts, strict=True):
        if count is not None and not 0 <= count <= LAST_REGISTER + 1:
            raise Fault(f"{option_of(name)} {count} is out of range: 0 to {LAST_REGISTER + 1}")
    asked = None if counts == [None, None] else (counts[0] or 0, counts[1] or 0)
    if chosen_format(options, WITH) == "json":
        from layoutgen.export import documents

        document = documents.architecture_in_full(arch)
        if asked:
            needed = arch.registers_needed(*asked)
            names = ("arch_vgprs", "acc_vgprs", "needed")
            document["registers"] = dict(zip(names, (*asked, needed), strict=True))
        return documents.dumps({"schema_version": documents.SCHEMA_VERSION, **document})
    from layoutgen.cli.arch_sheet import arch_sheet

    return "\n".join(arch_sheet(arch, asked, who=options.verbose)) + "\n"
