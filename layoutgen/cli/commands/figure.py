"""``layoutgen figure``: a picture of a layout as SVG, PDF or PNG."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal

from layoutgen.cli.arguments import file, number
from layoutgen.cli.errors import Fault
from layoutgen.cli.output import write
from layoutgen.cli.parser import Parser, add_modifiers, add_sources, add_subject
from layoutgen.cli.subject import Subject, idle, modifiers, option_of, subject, within

if TYPE_CHECKING:
    from layoutgen.figures.request import Suffix

DESCRIPTION = """\
Draw the layout of an operand.

--view matrix     the matrix; a cell names the register and lane of its element
--view registers  the register file, all blocks: lanes across, registers down
--view product    A to the left, B above, D at their crossing

The suffix of FILE says the format: .svg, .pdf or .png."""
EXAMPLES = """\
  layoutgen figure gfx908 v_mfma_f32_32x32x1f32 D -o accumulator.svg
  layoutgen figure gfx908 v_mfma_i32_16x16x16i8 A --view registers -o a.svg
  layoutgen figure gfx908 v_mfma_f32_16x16x4f16 D --block all -o blocks.svg
  layoutgen figure gfx908 v_mfma_f32_16x16x4f16 A --cbsz 2 --abid 1 -o broadcast.svg"""

SUFFIXES: tuple[Suffix, ...] = ("svg", "pdf", "png")
VIEWS = ("matrix", "registers", "product")
CELLS = ("register", "lane", "both")


def configure(parser: Parser) -> None:
    """Add the arguments of ``figure``."""
    add_subject(parser)
    parser.add_argument("--view", choices=VIEWS, default="matrix", help="default: matrix")
    parser.add_argument(
        "-b", "--block", type=_block, metavar="N", help="the block to show, or 'all' of them"
    )
    parser.add_argument(
        "--cell", choices=CELLS, help="what a cell of the matrix says; default: what has room"
    )
    parser.add_argument(
        "--plain", action="store_true", help="SVG without the data of each cell: a smaller file"
    )
    add_modifiers(parser)
    parser.add_argument(
        "-f", "--format", choices=SUFFIXES, metavar="FORMAT", help="instead of the suffix of FILE"
    )
    parser.add_argument(
        "-o",
        "--output",
        type=file,
        metavar="FILE",
        required=True,
        help="write to FILE; a dash stands for standard output",
    )
    add_sources(parser)


def run(options: argparse.Namespace) -> int:
    """Draw the figure and write it."""
    suffix = _suffix(options)
    _refuse_what_does_nothing(options, suffix)
    what = subject(options)
    given = modifiers(options, what.instruction)
    if options.view != "product":
        _refuse_idle(what, given)
    if isinstance(options.block, int):
        within(what, "block", options.block, what.instruction.blocks)
    from layoutgen.figures.request import figure, render

    scene = figure(
        what.instruction,
        what.operand.name,
        view=options.view,
        block=options.block,
        cell=options.cell,
        heading=None,
        **given,
    )
    content = render(scene, suffix, plain=options.plain)
    if str(options.output) == "-":
        sys.stdout.buffer.write(content)
    else:
        write(options.output, content)
    return 0


def _suffix(options: argparse.Namespace) -> Suffix:
    """Return the format; an unknown one is refused before anything is drawn."""
    given = options.format or options.output.suffix.lower().removeprefix(".")
    if str(options.output) == "-" and not options.format:
        return "svg"
    for suffix in SUFFIXES:
        if given == suffix:
            return suffix
    named = f"has the suffix {options.output.suffix!r}" if given else "has no suffix"
    raise Fault(f"{options.output} {named}: a figure is .svg, .pdf or .png (or give --format)")


def _refuse_what_does_nothing(options: argparse.Namespace, suffix: Suffix) -> None:
    if options.cell and options.view != "matrix":
        raise Fault(f"--cell is for --view matrix: --view {options.view} has one kind of cell")
    if options.block is not None and options.view == "registers":
        raise Fault("--view registers shows all blocks: leave --block out")
    if options.block == "all" and options.view == "product":
        raise Fault("--view product shows one block: give --block its number")
    if options.plain and suffix != "svg":
        raise Fault(f"--plain is for SVG: a {suffix.upper()} has no data of cells")


def _refuse_idle(what: Subject, given: Mapping[str, int]) -> None:
    if idle_ones := idle(what.instruction, what.operand.name, given):
        option, name = option_of(idle_ones[0]), what.operand.name
        raise Fault(f"{option} does not change where {name} is read from: leave it out")


def _block(text: str) -> int | Literal["all"]:
    """Return the number of a block, or ``all``."""
    return "all" if text == "all" else number(text)
