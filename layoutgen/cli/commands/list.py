"""``layoutgen list``: architectures, or the instructions of one."""

from __future__ import annotations

import argparse

from layoutgen.cli.output import chosen_format, emit
from layoutgen.cli.parser import Parser, add_common
from layoutgen.cli.subject import architecture, catalogue
from layoutgen.cli.tabular import FORMATS, Grid, on_terminal, render
from layoutgen.model import Architecture, Instruction

DESCRIPTION = """\
List the architectures, or the matrix instructions of one architecture.

reg A, B, D: 32-bit registers of each lane; cycles: from issue to issue."""
EXAMPLES = """\
  layoutgen list
  layoutgen list gfx908
  layoutgen list mi100 --format json"""

WITH = ("text", "json", *list(FORMATS)[1:])
"""Formats of this command."""

ARCHITECTURE_COLUMNS = ("architecture", "other names", "title", "series", "wave", "instructions")
INSTRUCTION_COLUMNS = (
    "instruction", "tile", "k", "blocks", "A, B", "C, D", "reg A", "reg B", "reg D", "cycles",
)  # fmt: skip


def configure(parser: Parser) -> None:
    """Add the arguments of ``list``."""
    parser.add_argument("arch", metavar="ARCH", nargs="?", help="list the instructions of ARCH")
    add_common(parser, WITH)


def run(options: argparse.Namespace) -> int:
    """Print the list."""
    form = chosen_format(options, WITH)
    if options.arch is None:
        archs = list(catalogue(options).architectures.values())
        text = _json_archs(archs) if form == "json" else _draw(options, form, _grid_archs(archs))
    else:
        arch = architecture(options)
        text = _json_arch(arch) if form == "json" else _draw(options, form, _grid_arch(arch))
    emit(options, text)
    return 0


def _draw(options: argparse.Namespace, form: str, grid: Grid) -> str:
    return render(grid, form, terminal=on_terminal(options.output))


def _grid_archs(archs: list[Architecture]) -> Grid:
    rows = [(a.name, ", ".join(a.aliases), a.title, a.series, a.wave, len(a)) for a in archs]
    return Grid(ARCHITECTURE_COLUMNS, rows)


def _grid_arch(arch: Architecture) -> Grid:
    return Grid(INSTRUCTION_COLUMNS, [_row(inst) for inst in arch.values()])


def _row(inst: Instruction) -> tuple[object, ...]:
    a, b, d = (inst.operands[name] for name in "ABD")
    types = a.format.name if a.format == b.format else f"{a.format.name}, {b.format.name}"
    sizes = (a.registers, b.registers, d.registers)
    return (
        inst.mnemonic, inst.tile, inst.k, inst.blocks, types, d.format.name, *sizes, inst.cycles
    )  # fmt: skip


def _json_archs(archs: list[Architecture]) -> str:
    from layoutgen.export import documents

    return documents.dumps(
        {
            "schema_version": documents.SCHEMA_VERSION,
            "architectures": [documents.architecture(arch) for arch in archs],
        }
    )


def _json_arch(arch: Architecture) -> str:
    from layoutgen.export import documents

    return documents.dumps(
        {
            "schema_version": documents.SCHEMA_VERSION,
            "arch": arch.name,
            "instructions": [documents.summary(inst) for inst in arch.values()],
        }
    )
