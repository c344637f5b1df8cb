"""What modifiers do: the lanes that a blgp code reads, the blocks that cbsz and abid share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from layoutgen.expr import Var
from layoutgen.figures import words
from layoutgen.figures.canvas import LANE_GROUP, NARROW, PADDING, SMALL, TINY, Canvas
from layoutgen.figures.margins import DROP
from layoutgen.figures.metrics import text_width
from layoutgen.figures.scene import Cell, Grid, Spot
from layoutgen.printing import TEXT, render
from layoutgen.tables.modifiers import Broadcast, broadcasts

if TYPE_CHECKING:
    from layoutgen.figures.scene import Scene
    from layoutgen.model import Instruction, Operand


def blgp(inst: Instruction, code: int) -> Scene:
    """Return the lane pattern of a blgp code: the lane of B that each lane reads."""
    operand = inst.operand("B", blgp=code)
    lanes = range(operand.layout.lanes)
    source = operand.reroute.lane if operand.reroute else _same
    heading = f"blgp {code}: lanes of B"
    canvas = Canvas(NARROW)
    canvas.heading(heading, [pattern(inst, code)])
    canvas.legend(len(lanes))
    canvas.y += 22
    left = PADDING + text_width("lanes 48–63", TINY) + 8
    for column in range(LANE_GROUP):
        canvas.text(left + 17 * column + 8, canvas.y - 5, str(column), 9, "middle", "soft")
    cells = []
    for lane in lanes:
        row, column = divmod(lane, LANE_GROUP)
        read = source(lane)
        x, y = left + 17 * column, canvas.y + 25 * row
        name = f"lane {lane} reads B from lane {read}"
        cells.append(Cell(x, y, read // LANE_GROUP, (str(read),), (lane, read), name))
    for first in lanes[::LANE_GROUP]:
        y = canvas.y + 25 * (first // LANE_GROUP) + 12 + DROP
        text = words.lanes(range(first, first + LANE_GROUP))
        canvas.text(left - 6, y, text, TINY, "end", "soft")
    facts = (("operand", "B"), ("blgp", str(code)))
    canvas.grid(Grid(("lane", "source"), 16, 24, (Spot(8, 15.5, 9.5),), tuple(cells), facts))
    canvas.y += 25 * len(lanes[::LANE_GROUP]) + 8
    canvas.paragraph(["Row and column: reading lane. In the cell: lane read."], 11)
    description = (
        f"For each of {len(lanes)} lanes, {LANE_GROUP} in a row, the lane that the multiplier "
        f"reads B from under blgp {code}. {pattern(inst, code)}"
    )
    return canvas.scene(heading, description)


def cbsz(inst: Instruction, value: int) -> Scene:
    """Return the broadcasts of one cbsz value: the block of A that each block reads, by abid."""
    shared = 1 << value
    found = [b for b in broadcasts(inst) if b.cbsz == value]
    differ = any(b.differ for b in found)
    heading = f"cbsz {value} with {inst.blocks} blocks: blocks of A"
    local = sharing(inst, value)
    board = _Board(inst)
    canvas = Canvas(board.width)
    canvas.heading(heading, [local])
    canvas.legend(inst.operands["A"].layout.lanes)
    canvas.y += 12
    board.draw(canvas, "local", found, "Local reading, followed here" if differ else "")
    text = local
    if differ:
        size = inst.operands["A"].layout.lanes // shared
        other = f"lane l reads lane l mod {size} + {size}·abid"
        title = f"Global reading: {other}"
        canvas.y += 14
        board.draw(canvas, "global", found, title)
        note = "Outlined: both readings agree; elsewhere they differ."
        text = f"{local} By the global reading, which is not followed, {other}."
    else:
        note = "The local and the global reading of cbsz agree here."
    canvas.y += 8
    canvas.paragraph([f"A cell gives the block of A that is read, and its lanes. {note}"], 11)
    description = (
        f"Blocks b across, abid down; each cell is the block of A that b reads. {text} {note}"
    )
    return canvas.scene(heading, description)


def pattern(inst: Instruction, code: int) -> str:
    """Return what a blgp code does, as a sentence."""
    operand = inst.operand("B", blgp=code)
    lane = Var("lane", operand.layout.lanes)
    formula = render(operand.reroute.expression(lane) if operand.reroute else lane, TEXT)
    return f"Source lane of B = {formula}."


def sharing(inst: Instruction, value: int) -> str:
    """Return what a cbsz value does by the reading that is followed, as a sentence."""
    shared = 1 << value
    if shared == inst.blocks:
        return "All blocks share one block of A: block b reads block abid."
    return (
        f"Groups of {shared} blocks share one block of A: block b reads block "
        f"{shared}·⌊b/{shared}⌋ + abid."
    )


class _Board:
    """Blocks across, abid down."""

    def __init__(self, inst: Instruction) -> None:
        self.lanes = _lanes_of_blocks(inst.operands["A"])
        self.chunk = min(LANE_GROUP, len(self.lanes[0]))
        self.chunks = len(self.lanes[0]) // self.chunk
        self.cell = 36
        self.step = self.chunks * self.cell + (4 if self.chunks > 1 else 1)
        self.left = text_width("abid 15", TINY) + 8
        self.width = self.left + len(self.lanes) * self.step

    def draw(self, canvas: Canvas, reading: str, found: Sequence[Broadcast], title: str) -> None:
        """Draw one reading, below what is there."""
        left = PADDING + self.left
        if title:
            canvas.text(PADDING, canvas.y + 10, title, SMALL, tone="strong")
            canvas.y += 16
        canvas.y += 2 * 13
        for b, lanes in enumerate(self.lanes):
            centre = left + b * self.step + (self.chunks * self.cell - 1) / 2
            canvas.text(centre, canvas.y - 16, f"b {b}", TINY, "middle")
            canvas.text(centre, canvas.y - 4, words.span(lanes), 9, "middle", "soft")
        canvas.text(left - 6, canvas.y - 4, "lanes", 9, "end", "soft")
        cells = []
        for row, broadcast in enumerate(found):
            y = canvas.y + 31 * row
            canvas.text(left - 6, y + 15 + DROP, f"abid {broadcast.abid}", TINY, "end", "soft")
            sources = broadcast.local if reading == "local" else broadcast.other
            for b, source in enumerate(sources):
                cells += self._cells(left + b * self.step, y, b, source, broadcast)
                if reading != "local" and source == broadcast.local[b]:
                    wide = self.chunks * self.cell - 1
                    canvas.frame(left + b * self.step, y, wide, 30, "outline")
        columns = ("b", "cbsz", "abid", "lane", "source", "source-b")
        spots = (Spot(17.5, 13, 11), Spot(17.5, 24.5, 9))
        facts = (("operand", "A"), ("reading", reading))
        canvas.grid(Grid(columns, self.cell - 1, 30, spots, tuple(cells), facts))
        canvas.y += 31 * len(found)

    def _cells(self, x: float, y: float, b: int, source: int, broadcast: Broadcast) -> list[Cell]:
        cells = []
        for n in range(self.chunks):
            first = self.lanes[source][n * self.chunk]
            lanes = range(first, first + self.chunk)
            reader = self.lanes[b][n * self.chunk]
            readers = words.lanes(range(reader, reader + self.chunk))
            name = (
                f"cbsz {broadcast.cbsz}, abid {broadcast.abid}: block {b} ({readers}) reads block "
                f"{source} of A ({words.lanes(lanes)})"
            )
            values = (b, broadcast.cbsz, broadcast.abid, reader, first, source)
            labels = (str(source), words.span(lanes))
            cells.append(Cell(x + n * self.cell, y, first // LANE_GROUP, labels, values, name))
        return cells


def _lanes_of_blocks(operand: Operand) -> list[range]:
    """Return the lanes of each block: they are consecutive where cbsz is legal."""
    found: dict[int, list[int]] = {}
    for row in operand.table().tolist():
        found.setdefault(row[0], []).append(row[-4])
    return [range(min(lanes), max(lanes) + 1) for _, lanes in sorted(found.items())]


def _same(lane: int) -> int:
    return lane
