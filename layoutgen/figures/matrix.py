"""The matrix view: an operand as matrices, one panel for each block."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from layoutgen.figures import words
from layoutgen.figures.canvas import PADDING, WIDTH, Canvas
from layoutgen.figures.cells import CellText, Plan, Row, fits_both, plan, width_of_bits
from layoutgen.figures.inside import held, inside
from layoutgen.figures.margins import Margins, arrange, arrangement
from layoutgen.figures.panel import Panel, panels
from layoutgen.figures.runs import runs
from layoutgen.tables.bands import bands

if TYPE_CHECKING:
    from layoutgen.figures.scene import Scene
    from layoutgen.model import Operand

FEW_CELLS = 512
"""Up to so many cells, all blocks are shown unless one is asked for."""

SMALL_FROM = 4
"""More panels than this are small ones."""


def matrix(
    operand: Operand,
    heading: str,
    *,
    blocks: Sequence[int],
    cell: CellText | None = None,
    notes: Sequence[str] = (),
) -> Scene:
    """Return the matrix view of `blocks`; a cell shows what `cell` says, or what suits.

    `notes` are sentences for the end.
    """
    gathered = runs(operand)
    rows: list[Row] = gathered.operand.table().tolist()
    chosen = _plan(gathered.operand, blocks, rows, cell)
    small = len(blocks) > SMALL_FROM
    shown = [
        Margins(panel, titled=operand.layout.shape["b"] > 1, small=small)
        for panel in panels(gathered, blocks, chosen, bands(gathered.operand), rows)
    ]
    each, width = arrangement(shown, WIDTH)
    canvas = Canvas(width)
    canvas.heading(heading, [_subtitle(operand, blocks), *words.formulas(operand)])
    canvas.legend(operand.layout.lanes)
    canvas.y += 10
    arrange(canvas, PADDING, shown, each)
    canvas.y += 10
    if gathered.count > 1:
        canvas.y += 6
        inside(canvas, gathered)
        canvas.y += 8
    told = " ".join([*_notes(operand, blocks, chosen, shown[0].panel), *notes])
    canvas.paragraph([told], 11)
    description = _description(operand, blocks, shown[0].panel)
    return canvas.scene(heading, " ".join([description, words.rule(operand), *notes]))


def shown_blocks(operand: Operand, block: int | str | None) -> tuple[int, ...]:
    """Return the blocks to show: one, ``"all"``, or (None) all where they are small."""
    count = operand.layout.shape["b"]
    if block is None:
        size = operand.layout.lanes * operand.elements_per_lane
        block = "all" if size <= FEW_CELLS else 0
    return tuple(range(count)) if block == "all" else (int(block),)


def cell_text(operand: Operand) -> CellText:
    """Return what the cells show in the figure of an operand where nothing else is asked for."""
    shown = runs(operand).operand
    return _plan(shown, shown_blocks(operand, None), shown.table().tolist(), None).text


def _plan(
    operand: Operand, blocks: Sequence[int], rows: Sequence[Row], cell: CellText | None
) -> Plan:
    shape, copies = operand.layout.shape, len(operand.layout.copies)
    room = (WIDTH - 60) / (shape[operand.columns[2]] * copies) - 4
    if cell is None:
        few = len(rows) // shape["b"] <= FEW_CELLS
        packed = len(blocks) > SMALL_FROM and operand.format.bits < words.REGISTER_BITS
        if few and not packed and fits_both(operand, rows, room):
            cell = "both"
        else:
            cell = "register" if operand.name in "CD" else "lane"
    least: float = 20 if cell == "register" else 18
    if cell == "lane":
        least = max(least, width_of_bits(operand, rows))
    return plan(operand, rows, cell, min(room, 96), least)


def _subtitle(operand: Operand, blocks: Sequence[int]) -> str:
    count = operand.layout.shape["b"]
    if count == 1:
        return words.held(operand)
    which = "all shown" if len(blocks) == count else f"block {blocks[0]} shown"
    return f"{words.held(operand)}; {which}"


def _notes(operand: Operand, blocks: Sequence[int], chosen: Plan, panel: Panel) -> list[str]:
    kind, run = words.register_kind(operand), panel.runs.count
    kind += "s" if panel.operand.format.bits > words.REGISTER_BITS else ""
    told = {"register": f"the {kind}", "lane": "the lane", "both": f"the lane and the {kind}"}
    of = "its element" if run == 1 else f"its {run} elements"
    notes = [f"A cell gives {told[chosen.text]} of {of}; its colour, the group of 16 lanes."]
    if chosen.text == "register" and panel.banded and all(b.along[0] == 0 for b in panel.bands):
        along = panel.across if panel.listed == panel.down else panel.down
        notes.append(f"Its lane: the first of the band + {along}.")
    if len(blocks) < operand.layout.shape["b"] and (shift := words.block_shift(operand)):
        notes.append(f"Block b {shift}.")
    if panel.packed:
        notes.append("An outline goes round neighbours that share a register.")
    return notes


def _description(operand: Operand, blocks: Sequence[int], panel: Panel) -> str:
    down, across = (words.axis(name) for name in operand.columns[1:3])
    text, found = panel.plan.text, panel.runs
    of = "element" if found.count == 1 else f"elements, {held(found)}"
    return (
        f"{_subtitle(operand, blocks)}. A matrix with {down} down and {across} across; each cell "
        f"shows {'lane and register' if text == 'both' else f'the {text}'} of its {of}; its "
        "colour is the group of 16 lanes."
    )
