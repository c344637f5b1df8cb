"""``layoutgen hazards``: wait states that must lie between instructions."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from layoutgen.cli.output import FORMATS, Columns, Rows, chosen_format, draw, emit
from layoutgen.cli.parser import Parser, add_common, add_modifiers, add_subject
from layoutgen.cli.subject import architecture, instruction, modifiers, note

if TYPE_CHECKING:
    from layoutgen.facts import Hazard
    from layoutgen.model import Architecture

DESCRIPTION = """\
List the wait states (independent instructions, or s_nop) that must lie between a matrix
instruction and what uses its registers, by the passes of the first; or those after INSTRUCTION.

XDL are matrix instructions of all types but F64, and where F32 has rows of its own, F32."""
EXAMPLES = """\
  layoutgen hazards gfx942
  layoutgen hazards gfx950 --format markdown
  layoutgen hazards gfx950 v_mfma_f32_16x16x32_f16
  layoutgen hazards gfx950 v_mfma_f32_16x16x128_f8f6f4 --cbsz 4 --blgp 4"""


def configure(parser: Parser) -> None:
    """Add the arguments of ``hazards``."""
    add_subject(parser, operand=False, optional=True)
    add_modifiers(parser)
    add_common(parser, FORMATS)


def run(options: argparse.Namespace) -> int:
    """Print the wait states."""
    if options.instruction is None:
        arch = architecture(options)
        columns, rows = _table(arch)
        for entry in arch.disagreements:
            if entry.about == "wait states":
                title = f"{entry.title[0].lower()}{entry.title[1:]}"
                note(options, f"sources disagree: {title} ('layoutgen show {arch.name} -v')")
    else:
        from layoutgen.disputes import touching
        from layoutgen.hazards import waits

        arch, inst = instruction(options)
        found = waits(arch, inst, **modifiers(options, inst))
        columns = ("first", "then", "wait states")
        rows = [(w.hazard.first, w.hazard.then, w.states) for w in found]
        for entry in touching(arch, inst):
            if entry.about == "wait states":
                for reading in entry.readings:
                    note(options, f"{entry.title}: {reading.claim} Says: {reading.who}")
    form = chosen_format(options, FORMATS)
    emit(options, _json(arch, rows) if form == "json" else draw(options, form, columns, rows))
    return 0


def _table(arch: Architecture) -> tuple[Columns, Rows]:
    passes = sorted({n for hazard in arch.hazards for n in hazard.passes})
    heads = (f"{n} passes" for n in passes)
    rows = [(h.first, h.then, *(_wait(h, n) for n in passes)) for h in arch.hazards]
    return ("first", "then", *heads), rows


def _wait(hazard: Hazard, passes: int) -> int | str:
    found = hazard.wait(passes)
    return "" if found is None else found


def _json(arch: Architecture, rows: Rows) -> str:
    from layoutgen.export import documents

    head = {"schema_version": documents.SCHEMA_VERSION, "arch": arch.name}
    if rows and len(rows[0]) == 3 and isinstance(rows[0][-1], int):
        after = [{"first": r[0], "then": r[1], "states": r[2]} for r in rows]
        return documents.dumps({**head, "wait_states": after})
    return documents.dumps({**head, "hazards": [documents.hazard(h) for h in arch.hazards]})
