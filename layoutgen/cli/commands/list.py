"""``layoutgen list``: architectures, or the instructions of one."""

from __future__ import annotations

import argparse

from layoutgen.cli.output import FORMATS, Columns, chosen_format, draw, emit
from layoutgen.cli.parser import Parser, add_common
from layoutgen.cli.subject import architecture, catalogue, named
from layoutgen.model import Architecture, Instruction

DESCRIPTION = """\
List the architectures, or the matrix instructions of one architecture.

reg A, B, D: 32-bit registers of each lane; cycles: from issue to issue."""
EXAMPLES = """\
  layoutgen list
  layoutgen list gfx908
  layoutgen list mi100 --format json"""

ARCHITECTURE_COLUMNS: Columns = (
    "architecture",
    "other names",
    "title",
    "series",
    "wave",
    "instructions",
)
INSTRUCTION_COLUMNS: Columns = (
    "instruction", "tile", "k", "blocks", "A, B", "C, D", "reg A", "reg B", "reg D", "cycles",
)  # fmt: skip


def configure(parser: Parser) -> None:
    """Add the arguments of ``list``."""
    parser.add_argument("arch", metavar="ARCH", nargs="?", help="list the instructions of ARCH")
    add_common(parser, FORMATS)


def run(options: argparse.Namespace) -> int:
    """Print the list."""
    form = chosen_format(options, FORMATS)
    if options.arch is None:
        specs = catalogue(options)
        archs = [named(options, specs, name) for name in specs.names]
        columns, rows = ARCHITECTURE_COLUMNS, [_arch_row(arch) for arch in archs]
        text = _json_archs(archs) if form == "json" else draw(options, form, columns, rows)
    else:
        arch = architecture(options)
        columns, rows = INSTRUCTION_COLUMNS, [_row(inst) for inst in arch.values()]
        text = _json_arch(arch) if form == "json" else draw(options, form, columns, rows)
    emit(options, text)
    return 0


def _arch_row(arch: Architecture) -> tuple[object, ...]:
    names = ", ".join(arch.aliases)
    return arch.name, names, arch.title, arch.series, arch.wave, len(arch)


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
