"""``layoutgen show``: all that is known about an instruction, on one screen."""

from __future__ import annotations

import argparse
import textwrap
from collections.abc import Iterator
from typing import TYPE_CHECKING

from layoutgen.cli.output import chosen_format, emit
from layoutgen.cli.parser import Parser, add_common, add_modifiers, add_subject
from layoutgen.cli.subject import instruction, modifiers
from layoutgen.cli.tabular import Grid, text
from layoutgen.disputes import touching
from layoutgen.model import Architecture, Instruction, Operand

if TYPE_CHECKING:
    from layoutgen.printing import Notation

DESCRIPTION = """\
Show all that is known about one instruction: names, sizes, registers, rates, legal modifiers,
the formulas of every operand in both directions, and the sources.

'v' is an archVGPR, 'a' an accVGPR.  With modifiers, the forward formulas give the register and
lane that the multiplier reads from."""
EXAMPLES = """\
  layoutgen show gfx908 v_mfma_f32_32x32x1f32
  layoutgen show mi100 __builtin_amdgcn_mfma_i32_16x16x16i8
  layoutgen show gfx908 v_mfma_f32_16x16x4f16 --cbsz 2 --abid 1
  layoutgen show gfx908 v_mfma_f32_32x32x8f16 --notation c
  layoutgen show gfx908 v_mfma_f32_32x32x1f32 --format json"""

WITH = ("text", "json")
"""Formats of this command."""
WIDTH = 100
"""Longest line of the text."""
NOTATIONS = ("text", "c", "python", "latex")


def configure(parser: Parser) -> None:
    """Add the arguments of ``show``."""
    add_subject(parser, operand=False)
    add_modifiers(parser)
    parser.add_argument(
        "--notation",
        choices=NOTATIONS,
        help=f"how formulas are written: {', '.join(NOTATIONS)}; default: text, in JSON python",
    )
    add_common(parser, WITH)


def run(options: argparse.Namespace) -> int:
    """Print the instruction."""
    from layoutgen import printing

    arch, inst = instruction(options)
    set_fields = modifiers(options, inst)
    form = chosen_format(options, WITH)
    name = options.notation or ("python" if form == "json" else "text")
    notation: Notation = getattr(printing, name.upper())
    if form == "json":
        from layoutgen.export import documents

        document = documents.instruction(arch, inst, set_fields, notation)
        emit(options, documents.dumps(document))
    else:
        operands = [inst.operand(name, **set_fields) for name in inst.operands]
        parts = (
            *_heading(arch, inst),
            "",
            text(_registers(operands)),
            *_formulas(operands, notation),
            "",
            *_sources(arch, inst, operands),
        )
        emit(options, "\n".join(parts) + "\n")
    return 0


def _heading(arch: Architecture, inst: Instruction) -> Iterator[str]:
    per_cu = inst.ops * arch.matrix_cores_per_cu // inst.cycles
    blocks = f"{inst.blocks} blocks" if inst.blocks > 1 else "1 block"
    facts = {
        "builtin": inst.signature,
        "other names": ", ".join(filter(None, (inst.llvm_intrinsic, *inst.spellings))),
        "computes": f"D = A·B + C: {inst.m}×{inst.n}, k = {inst.k}, {blocks}, wave {arch.wave}",
        "operations": f"{inst.ops}, {per_cu} per cycle and CU",
        "cycles": _cycles(inst),
        "modifiers": _legal(inst),
        "available": ", ".join(inst.targets),
    }
    yield f"{inst.mnemonic} on {arch.name} ({arch.title}, {arch.series})"
    for name, fact in facts.items():
        if fact:
            yield from _wrapped(f"  {name:<12}", fact)


def _cycles(inst: Instruction) -> str:
    text = f"{inst.cycles} = {inst.passes} passes"
    if inst.narrow is not None:
        bits, cycles = inst.narrow
        text += f", {cycles} with elements of at most {bits} bits"
    if inst.coexec_cycles is None:
        return text
    return f"{text}; VALU work overlaps {inst.coexec_cycles}"


def _legal(inst: Instruction) -> str:
    def one(name: str, values: list[int]) -> str:
        return f"{name} {values[0]} to {values[-1]}" if len(values) > 1 else f"{name} {values[0]}"

    legal = ", ".join(one(name, values) for name, values in inst.rules.legal().items())
    return f"{legal}; abid < 2^cbsz" if len(inst.rules.cbsz) > 1 else legal


def _registers(operands: list[Operand]) -> Grid:
    columns = ("operand", "type", "elements per lane", "registers", "register file", "C type")
    rows = [
        (
            o.name,
            o.format.name,
            o.elements_per_lane,
            o.registers,
            " or ".join(o.register_files),
            o.c_type,
        )
        for o in operands
    ]
    return Grid(columns, rows)


def _formulas(operands: list[Operand], notation: Notation) -> Iterator[str]:
    from layoutgen.export.documents import formulas_in

    laid: dict[tuple[str, str], list[str]] = {}
    for operand in operands:
        both = formulas_in(operand.formulas, notation)
        reads = "read from " if operand.reroute else ""
        stored = "registers hold " if operand.reroute else ""
        forward, inverse = (_equations(both[way], notation) for way in ("forward", "inverse"))
        lines = (f"{reads}{forward}", f"{stored}{inverse}")
        laid.setdefault(lines, []).append(_indexed(operand))
    for (forward, inverse), names in laid.items():
        yield ", ".join(names)
        yield from _wrapped("  ", forward)
        yield from _wrapped("  ", inverse)


def _indexed(operand: Operand) -> str:
    inner = "".join(f"[{name}]" for name in operand.layout.shape if name != "b")
    under = f" under {operand.modifiers}" if operand.reroute else ""
    return f"{operand.name}{inner} of block b{under}"


def _equations(named: dict[str, str], notation: Notation) -> str:
    return ",  ".join(
        f"{notation.names.get(name, name)} = {formula}" for name, formula in named.items()
    )


def _sources(arch: Architecture, inst: Instruction, operands: list[Operand]) -> Iterator[str]:
    known: dict[tuple[str, str], list[str]] = {}
    for operand in operands:
        p = operand.provenance
        titles = "; ".join(source.title for source in p.sources)
        known.setdefault((f"{p.grade} ({p.by})", titles), []).append(operand.name)
    for (grade, titles), names in known.items():
        yield from _wrapped(f"layout of {', '.join(names)}: ", grade)
        yield from _wrapped("  sources: ", titles)
    for d in touching(arch, inst):
        yield f"sources disagree: {d.title[0].lower()}{d.title[1:]}. Here: {d.followed}."


def _wrapped(label: str, fact: str) -> list[str]:
    return textwrap.wrap(
        fact,
        width=WIDTH,
        initial_indent=label,
        subsequent_indent=" " * max(len(label), 4),
        break_long_words=False,
        break_on_hyphens=False,
    )
