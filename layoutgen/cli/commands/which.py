"""``layoutgen which``: the instructions that suit given types and a tile."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Any

from layoutgen.cli.arguments import number
from layoutgen.cli.errors import Fault
from layoutgen.cli.output import FORMATS, Columns, chosen_format, draw, emit
from layoutgen.cli.parser import Parser, add_common
from layoutgen.cli.subject import catalogue, named
from layoutgen.model import UnknownName
from layoutgen.modifiers import Modifiers

if TYPE_CHECKING:
    from layoutgen.model import Architecture
    from layoutgen.selection import Choice
    from layoutgen.spec import Catalogue

DESCRIPTION = """\
List the instructions that suit given types and a tile, for each architecture the fastest first.

M, N and K are those of the tile that a wavefront computes: multiples of the instruction's own.
An instruction of several blocks computes several parts of the tile at once.

ops: operations per cycle of a compute unit; cycles: of one instruction on one matrix core;
count: instructions for the tile; total: their cycles.  Equally fast ones: those without scales
and with fewer blocks first, then the larger tile.  Where modifiers choose the formats, they are
given with the instruction.

Exit code 1: there is none."""
EXAMPLES = """\
  layoutgen which --a f16
  layoutgen which --a f16 --d f32 -m 64 -n 64 -k 16 gfx908
  layoutgen which --a fp8 --b bf8 gfx942
  layoutgen which --a fp4 --b fp6 -m 32 -n 32 -k 128 gfx950
  layoutgen which --a bf8 --b fp8 -m 16 -n 16 -k 32 --transpose gfx942
  layoutgen which --a bf16 --sparse mi300x
  layoutgen which --a i8 -m 16 -n 16 --format json"""

TYPES = {"a": "type of A", "b": "type of B; default: that of A", "d": "type of C and D"}
SIZES = {"m": "rows of the tile", "n": "columns of the tile", "k": "reduction length of the tile"}
COLUMNS: Columns = (
    "architecture", "instruction", "A", "B", "D", "tile", "k", "blocks", "cycles", "ops"
)  # fmt: skip


def configure(parser: Parser) -> None:
    """Add the arguments of ``which``."""
    parser.add_argument("archs", metavar="ARCH", nargs="*", help="default: all architectures")
    for name, title in TYPES.items():
        help_text = f"{title}: f16, bf16, i8 …" if name == "a" else title
        parser.add_argument(f"--{name}", metavar="TYPE", help=help_text)
    for name, title in SIZES.items():
        parser.add_argument(f"-{name}", type=number, metavar="N", help=title)
    parser.add_argument(
        "--sparse", action="store_true", help="also instructions that want A 2:4 sparse"
    )
    parser.add_argument(
        "--no-scales", action="store_true", help="without instructions that take scales"
    )
    parser.add_argument(
        "--transpose",
        action="store_true",
        help="the tile is wanted transposed: the instruction's A is your B, its rows your columns",
    )
    add_common(parser, FORMATS)


def run(options: argparse.Namespace) -> int:
    """Print the instructions."""
    from layoutgen.selection import which

    for name in SIZES:
        value = getattr(options, name)
        if value is not None and value < 1:
            raise Fault(f"-{name} {value} is out of range: 1 or more")
    specs = catalogue(options)
    archs = [_arch(options, specs, name) for name in options.archs or specs.names]
    asked = {name: getattr(options, name) for name in (*TYPES, *SIZES)}
    found = which(
        archs,
        **asked,
        sparse=options.sparse,
        scaled=not options.no_scales,
        transpose=options.transpose,
    )
    form = chosen_format(options, FORMATS)
    if form == "json":
        emit(options, _json(found, asked))
    elif found:
        emit(options, draw(options, form, *_rows(found, form)))
    if not found:
        print(f"layoutgen: {_none(archs, asked)}", file=sys.stderr)
    return 0 if found else 1


def _arch(options: argparse.Namespace, specs: Catalogue, name: str) -> Architecture:
    """Return an architecture; a type in its place is told by the option that it belongs to."""
    from layoutgen.called import named_format

    try:
        return named(options, specs, name)
    except UnknownName as unknown:
        if any(named_format(arch.formats, name) for arch in specs.architectures.values()):
            raise Fault(f"{name!r} is a type: give it as --a {name}") from None
        raise unknown


def _rows(found: list[Choice], form: str) -> tuple[Columns, list[tuple[object, ...]]]:
    """Return a row for each choice; text leaves out modifiers where no choice has any."""
    whole = any(choice.count is not None for choice in found)
    chosen = form != "text" or any(choice.modifiers for choice in found)
    columns = (*COLUMNS[:2], *(("modifiers",) if chosen else ()), *COLUMNS[2:])
    columns = (*columns, "count", "total") if whole else columns
    rows = []
    for choice in found:
        inst = choice.instruction
        types = (choice.operand(name).format.name for name in "ABD")
        given = Modifiers(**choice.modifiers)
        name = (choice.arch.name, inst.mnemonic, *((str(given),) if chosen else ()))
        row = (*name, *types, inst.tile, inst.k, inst.blocks)
        counted = (choice.count, choice.cycles) if whole else ()
        rows.append((*row, choice.rate.cycles, _whole(choice.rate.per_cu), *counted))
    return columns, rows


def _whole(value: float) -> float:
    return int(value) if value == int(value) else value


def _json(found: list[Choice], asked: dict[str, Any]) -> str:
    from layoutgen.export import documents

    choices = [
        {
            "arch": choice.arch.name,
            **documents.summary(choice.instruction, choice.modifiers),
            "modifiers": dict(choice.modifiers),
            "ops_per_cycle_per_cu": choice.rate.per_cu,
            "count": choice.count,
            "total_cycles": choice.cycles,
        }
        for choice in found
    ]
    return documents.dumps(
        {"schema_version": documents.SCHEMA_VERSION, "asked": asked, "instructions": choices}
    )


def _none(archs: list[Architecture], asked: dict[str, Any]) -> str:
    """Say that nothing suits, and what there would be."""
    from layoutgen.selection import types, which

    names = ", ".join(arch.name for arch in archs)
    by_type = {name: asked[name] for name in TYPES}
    of_type = which(archs, **by_type, sparse=True)
    if not of_type:
        given = ", ".join(f"{name.upper()} {value}" for name, value in by_type.items() if value)
        known = "; ".join(f"{o} may be {', '.join(types(archs, o))}" for o in ("A", "D"))
        return f"no instruction of {names} has {given}: {known}"
    tiles = {f"{c.instruction.tile}x{c.instruction.k}": None for c in of_type}
    return (
        f"no instruction of {names} fits that tile: with these types there are {', '.join(tiles)}"
    )
