"""``layoutgen export``: layouts in the notation of other programs."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from layoutgen.cli.errors import Fault
from layoutgen.cli.output import emit, write
from layoutgen.cli.parser import Parser, add_modifiers, add_output, add_sources
from layoutgen.cli.subject import architecture, instruction, modifiers, operand_of, option_of
from layoutgen.export.tables import ORDERS
from layoutgen.export.views import STACKS

if TYPE_CHECKING:
    from layoutgen.export.tables import By
    from layoutgen.model import Architecture, Instruction, Operand

DESCRIPTION = """\
Write layouts for another program: all of an architecture, of an instruction, or one operand.

--format linear-layout  bases over GF(2) as Triton prints them; register counts elements
--format cute           shape:stride of (thread, value) to the index in the tile, first
                        coordinate fastest: i, j for D; i, k for A; j, k for B; then b
--format cpp            C++17 and HIP header: constexpr functions in both directions
--format numpy          index arrays of one operand, .npz or .npy, for gather and scatter
--format csv            all tables as one, by element or by slot
--format json           everything, with a schema: facts, digits, formulas, bases"""
EXAMPLES = """\
  layoutgen export gfx908 v_mfma_f32_32x32x2f32 D --format linear-layout --transpose
  layoutgen export gfx908 v_mfma_f32_32x32x8f16 --format cute
  layoutgen export gfx908 -o layouts.hpp
  layoutgen export gfx908 v_mfma_f32_16x16x16f16 A -o a.npz
  layoutgen export gfx908 --format json -o gfx908.json
  layoutgen export gfx908 --by slot -o gfx908.csv
  layoutgen export gfx950 v_mfma_f32_16x16x128_f8f6f4 A --cbsz 4 --format linear-layout
  layoutgen export --schema"""

FORMATS = ("linear-layout", "cute", "cpp", "numpy", "csv", "json")
SUFFIXES = {
    **dict.fromkeys((".h", ".hh", ".hpp", ".hxx"), "cpp"),
    **dict.fromkeys((".npz", ".npy"), "numpy"),
    ".csv": "csv",
    ".json": "json",
    ".cute": "cute",
}


def configure(parser: Parser) -> None:
    """Add the arguments of ``export``."""
    parser.add_argument("arch", metavar="ARCH", nargs="?", help="the architecture")
    parser.add_argument(
        "instruction", metavar="INSTRUCTION", nargs="?", help="default: all instructions of ARCH"
    )
    parser.add_argument(
        "operand",
        metavar="OPERAND",
        nargs="?",
        help="A, B, C, D; index, scale_a, scale_b where they exist; default: all of INSTRUCTION",
    )
    parser.add_argument(
        "-f",
        "--format",
        choices=FORMATS,
        metavar="FORMAT",
        help=f"{', '.join(FORMATS)}; default: what the suffix of -o says",
    )
    parser.add_argument(
        "--transpose",
        action="store_true",
        help="linear-layout, cute: of a product with A and B exchanged",
    )
    parser.add_argument(
        "--stack",
        choices=STACKS,
        help="linear-layout, cute: the blocks as one tile, below one another or side by side",
    )
    parser.add_argument("--by", choices=ORDERS, help="csv: the order of the rows; default: element")
    parser.add_argument("--tables", action="store_true", help="json: add the rows of every table")
    parser.add_argument("--schema", action="store_true", help="print the JSON Schema of json")
    add_modifiers(parser)
    add_output(parser)
    add_sources(parser)


def run(options: argparse.Namespace) -> int:
    """Write the export."""
    if options.schema:
        from layoutgen.export.architecture import schema_text

        emit(options, schema_text())
        return 0
    if options.arch is None:
        raise Fault("ARCH is missing: see 'layoutgen list' for the architectures")
    form = _format(options)
    _refuse_what_does_nothing(options, form)
    arch, instructions = _chosen(options)
    if form == "numpy":
        _numpy(options, instructions)
    else:
        emit(options, WRITERS[form](options, arch, instructions))
    return 0


def _format(options: argparse.Namespace) -> str:
    suffix = "" if options.output is None else options.output.suffix.lower()
    found = options.format or SUFFIXES.get(suffix)
    if found is None:
        raise Fault(f"--format is missing: one of {', '.join(FORMATS)}")
    return str(found)


def _refuse_what_does_nothing(options: argparse.Namespace, form: str) -> None:
    tensors = form in ("linear-layout", "cute")
    for name, given, serves in (
        ("--transpose", options.transpose, tensors),
        ("--stack", options.stack, tensors),
        ("--by", options.by, form == "csv"),
        ("--tables", options.tables, form == "json"),
    ):
        if given and not serves:
            raise Fault(f"{name} does nothing for --format {form}")
    given = sorted(modifiers(options))
    if given and form == "cpp":
        raise Fault(
            f"{option_of(given[0])} does nothing for --format cpp: it has operands as they lie, in "
            "every format and with every set"
        )
    if given and options.instruction is None:
        raise Fault(f"{option_of(given[0])} is about an instruction: give INSTRUCTION")
    if form == "numpy":
        if options.operand is None:
            raise Fault("--format numpy is for one operand: give INSTRUCTION and OPERAND")
        if options.output is None:
            raise Fault("--format numpy is binary: give -o FILE.npz or -o FILE.npy")


def _chosen(options: argparse.Namespace) -> tuple[Architecture, list[Instruction]]:
    if options.instruction is None:
        arch = architecture(options)
        return arch, list(arch.values())
    arch, inst = instruction(options)
    return arch, [inst]


def _operands(options: argparse.Namespace, inst: Instruction) -> list[Operand]:
    given = modifiers(options, inst)
    names = inst.operands if options.operand is None else [operand_of(inst, options.operand)]
    return [inst.operand(name, **given) for name in names]


def _linear(options: argparse.Namespace, _: Architecture, chosen: list[Instruction]) -> str:
    from layoutgen.export.linear import linear_layout

    return _tensors(
        options,
        chosen,
        lambda o: str(linear_layout(o, transpose=options.transpose, stack=options.stack)),
    )


def _cute(options: argparse.Namespace, _: Architecture, chosen: list[Instruction]) -> str:
    from layoutgen.export.cute import cute_layout

    return _tensors(
        options,
        chosen,
        lambda o: str(cute_layout(o, transpose=options.transpose, stack=options.stack)),
    )


def _tensors(
    options: argparse.Namespace, chosen: list[Instruction], write_one: Callable[[Operand], str]
) -> str:
    """Return one operand bare, and several each under its name."""
    found = [(inst, operand) for inst in chosen for operand in _operands(options, inst)]
    if len(found) == 1:
        return write_one(found[0][1]) + "\n"
    return "".join(
        f"{operand.name} of {inst.mnemonic}:\n{write_one(operand)}\n" for inst, operand in found
    )


def _cpp(options: argparse.Namespace, arch: Architecture, chosen: list[Instruction]) -> str:
    from layoutgen.export.cpp import header

    operands = None if options.operand is None else [operand_of(chosen[0], options.operand)]
    return header(arch, chosen, operands=operands)


def _modifiers(options: argparse.Namespace, chosen: list[Instruction]) -> dict[str, Any]:
    """Return the modifiers of the instruction; of a whole architecture there are none."""
    return {} if options.instruction is None else modifiers(options, chosen[0])


def _csv(options: argparse.Namespace, arch: Architecture, chosen: list[Instruction]) -> str:
    from layoutgen.export.tables import csv_tables

    operands = None if options.operand is None else [operand_of(chosen[0], options.operand)]
    by: By = options.by or "element"
    return csv_tables(arch, chosen, operands=operands, by=by, modifiers=_modifiers(options, chosen))


def _json(options: argparse.Namespace, arch: Architecture, chosen: list[Instruction]) -> str:
    from layoutgen.export.architecture import architecture_document, dumps

    operands = None if options.operand is None else [operand_of(chosen[0], options.operand)]
    return dumps(
        architecture_document(
            arch,
            chosen,
            operands=operands,
            tables=options.tables,
            modifiers=_modifiers(options, chosen),
        )
    )


def _numpy(options: argparse.Namespace, chosen: list[Instruction]) -> None:
    from layoutgen.export.arrays import npy, npz

    (operand,) = _operands(options, chosen[0])
    suffix = options.output.suffix.lower()
    if suffix not in (".npz", ".npy"):
        raise Fault(f"{options.output}: numpy files are .npz (all arrays) or .npy (gather)")
    write(options.output, npz(operand) if suffix == ".npz" else npy(operand))


WRITERS: dict[str, Callable[[argparse.Namespace, Architecture, list[Instruction]], str]] = {
    "linear-layout": _linear,
    "cute": _cute,
    "cpp": _cpp,
    "csv": _csv,
    "json": _json,
}
