"""The product view: A to the left, B above, D at their crossing, and one element followed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from layoutgen.figures import words
from layoutgen.figures.canvas import PADDING, SMALL, TINY, WIDTH, Canvas
from layoutgen.figures.cells import CellText, Plan, Row, plan
from layoutgen.figures.margins import DROP, LINE, register_runs
from layoutgen.figures.metrics import text_width
from layoutgen.figures.panel import Panel, panels
from layoutgen.figures.runs import Runs, runs
from layoutgen.tables.bands import bands

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from layoutgen.figures.scene import Scene
    from layoutgen.model import Operand

EXAMPLE = {"i": 5, "j": 3}
"""The element of D that is followed, within the tile's size."""
GAP = 14
"""Between A and D, besides the ticks."""
BETWEEN_LABELS = 5
"""Least room between two labels in a line."""

LEFT, RIGHT = 20, 52
"""Room for the ticks of A, and for the lanes of rows."""


@dataclass(frozen=True)
class Parts:
    """The three panels, with rows of A on those of D, and columns of B on those of D."""

    a: Panel
    b: Panel
    d: Panel

    @property
    def width(self) -> float:
        """Width of all with what stands between and around."""
        return LEFT + self.a.xs[-1] + self.gap + self.d.xs[-1] + RIGHT

    @property
    def ticks(self) -> float:
        """Room for the numbers of the rows of B and of D."""
        every = ((p.tick(p.down, p.size(p.down) - 1)) for p in (self.b, self.d))
        return max(text_width(tick, TINY) for tick in every)

    @property
    def gap(self) -> float:
        """Room between A and D."""
        return GAP + self.ticks


def product(
    operands: Mapping[str, Operand],
    heading: str,
    law: str,
    *,
    block: int = 0,
    notes: Sequence[str] = (),
) -> Scene:
    """Return the product view of one block; A, B and D as read under their modifiers.

    `law` is what is computed, `notes` are sentences for the end.
    """
    parts = _fitting(operands, block)
    canvas = Canvas(parts.width)
    canvas.heading(heading, [law, *_shown(parts)])
    canvas.legend(operands["D"].layout.lanes)
    canvas.y += 12
    _draw(canvas, parts)
    canvas.y += 12
    story = _story(operands, block, _example(operands["D"]))
    canvas.paragraph([" ".join([story, *notes])], 11)
    rules = " ".join(f"{name}: {words.rule(operands[name])}" for name in "ABD")
    description = (
        f"A to the left, B above, D at their crossing; rows of A are rows of D, columns of B are "
        f"columns of D. {law}."
    )
    parts_of_it = [description, *_shown(parts), story, rules, *notes]
    return canvas.scene(heading, " ".join(parts_of_it))


def _fitting(operands: Mapping[str, Operand], block: int) -> Parts:
    """Return the panels with lane and register in each cell, or with one of them."""
    shown = {name: runs(operand) for name, operand in operands.items()}
    full = _parts(shown, block, {"A": "both", "B": "both", "D": "both"})
    if full.width <= WIDTH:
        return full
    return _parts(shown, block, {"A": "lane", "B": "lane", "D": "register"})


def _parts(shown: Mapping[str, Runs], block: int, texts: Mapping[str, CellText]) -> Parts:
    operands = {name: found.operand for name, found in shown.items()}
    rows: dict[str, list[Row]] = {name: operands[name].table().tolist() for name in "ABD"}

    def planned(name: str, least: float = 18) -> Plan:
        return plan(operands[name], rows[name], texts[name], WIDTH, least)

    common = max(planned("B").width, planned("D").width)
    plans = {"A": planned("A"), "B": planned("B", common), "D": planned("D", common)}

    def panel(name: str) -> Panel:
        table = bands(operands[name])
        return panels(shown[name], [block], plans[name], table, rows[name])[0]

    a, b, d = (panel(name) for name in "ABD")
    plans["A"] = planned("A", max(a.plan.width, _room_for_bands(a)))
    a = panel("A")
    return Parts(
        replace(a, shared_rows=tuple(d.ys), shared_columns=_tight(a.size("k"), a.plan.width)),
        replace(b, shared_columns=tuple(d.xs), shared_rows=_tight(b.size("k"), b.plan.height)),
        d,
    )


def _room_for_bands(panel: Panel) -> float:
    """Return how wide columns must be for the lanes that stand above their bands."""
    if not panel.banded:
        return 0
    return max(
        (text_width(words.span(band.lanes), TINY) + BETWEEN_LABELS) / len(band.listed)
        for band in panel.bands
    )


def _tight(count: int, extent: float) -> tuple[float, ...]:
    return (*(n * (extent + 1) for n in range(count)), count * (extent + 1) - 1)


def _draw(canvas: Canvas, parts: Parts) -> None:
    a, b, d = parts.a, parts.b, parts.d
    left_a, top_b = PADDING + LEFT, canvas.y + 2 * LINE
    left_d = left_a + a.xs[-1] + parts.gap
    over_a = LINE if a.plan.text == "lane" else 0
    top_d = top_b + b.ys[-1] + 8 + 3 * LINE + over_a + 6
    for panel, left, top in ((a, left_a, top_d), (b, left_d, top_b), (d, left_d, top_d)):
        panel.draw(canvas, left, top)
        _ticks_down(canvas, panel, left, top)
    _head(canvas, b, left_d, top_b - LINE)
    _ticks_across(canvas, b, left_d, top_b)
    _registers_beside(canvas, b, left_d - 12 - parts.ticks, top_b)
    _lanes_beside(canvas, b, left_d, top_b)
    _head(canvas, a, left_a, top_d - 2 * LINE - over_a - 6)
    _ticks_across(canvas, a, left_a, top_d)
    _registers_above(canvas, a, left_a, top_d - LINE)
    _lanes_above(canvas, a, left_a, top_d - LINE - over_a)
    _head(canvas, d, left_d, top_d - 1)
    _lanes_beside(canvas, d, left_d, top_d)
    _follow(canvas, parts, (left_a, top_b, left_d, top_d))
    canvas.y = top_d + d.ys[-1]


def _follow(canvas: Canvas, parts: Parts, at: tuple[float, float, float, float]) -> None:
    a, b, d = parts.a, parts.b, parts.d
    left_a, top_b, left_d, top_d = at
    example = _example(d.operand)
    x, y = left_d + d.xs[example["j"]], top_d + d.ys[example["i"]]
    canvas.frame(left_a, y, a.xs[-1], a.plan.height, "focus")
    canvas.frame(x, top_b, b.plan.width, b.ys[-1], "focus")
    canvas.frame(x, y, d.plan.width, d.plan.height, "focus")


def _head(canvas: Canvas, panel: Panel, x: float, y: float) -> None:
    cell = {"both": "lane and register", "lane": "lane", "register": "register"}[panel.plan.text]
    canvas.text(x, y - 4, panel.operand.name, SMALL, tone="strong")
    down, across = panel.axis(panel.down, short=True), panel.axis(panel.across, short=True)
    canvas.text(x + 14, y - 4, f"{down}↓ {across}→ {cell}", TINY, tone="soft")


def _ticks_across(canvas: Canvas, panel: Panel, left: float, top: float) -> None:
    for n, x in enumerate(panel.xs[:-1]):
        canvas.text(
            left + x + panel.cell_width / 2,
            top - 4,
            panel.tick(panel.across, n),
            TINY,
            "middle",
            "soft",
        )


def _ticks_down(canvas: Canvas, panel: Panel, left: float, top: float) -> None:
    for n, y in enumerate(panel.ys[:-1]):
        middle = top + y + panel.plan.height / 2 + DROP
        canvas.text(left - 6, middle, panel.tick(panel.down, n), TINY, "end", "soft")


def _lanes_above(canvas: Canvas, panel: Panel, left: float, y: float) -> None:
    if panel.banded:
        for band in panel.bands:
            start = left + panel.xs[band.listed[0]]
            stop = left + panel.xs[band.listed[-1]] + panel.cell_width
            canvas.bracket_above(y - 1, start, stop)
            canvas.text((start + stop) / 2, y - 8, words.span(band.lanes), TINY, "middle")


def _lanes_beside(canvas: Canvas, panel: Panel, left: float, top: float) -> None:
    x = left + panel.xs[-1] + 5
    if panel.banded:
        for band in panel.bands:
            start = top + panel.ys[band.listed[0]]
            stop = top + panel.ys[band.listed[-1]] + panel.plan.height
            canvas.bracket_right(x, start, stop)
            canvas.text(x + 9, (start + stop) / 2 + DROP, words.span(band.lanes), SMALL)
        canvas.text(x + 9, top - 4, "lanes", TINY, tone="soft")


def _registers_beside(canvas: Canvas, panel: Panel, right: float, top: float) -> None:
    """Write the register of each row of B, in the free corner."""
    names = panel.registers_along(panel.down) if panel.plan.text == "lane" else None
    for name, y in zip(names or (), panel.ys, strict=False):
        canvas.text(right, top + y + panel.plan.height / 2 + DROP, name, TINY, "end")


def _registers_above(canvas: Canvas, panel: Panel, left: float, y: float) -> None:
    """Write the register of each column of A once, over the columns that share it."""
    names = panel.registers_along(panel.across) if panel.plan.text == "lane" else None
    for head, columns in register_runs(names or ()):
        first, last = panel.xs[columns[0]], panel.xs[columns[-1]] + panel.cell_width
        canvas.text(left + (first + last) / 2, y - 4, head, TINY, "middle")


def _shown(parts: Parts) -> list[str]:
    blocks = parts.d.operand.layout.shape["b"]
    if blocks == 1:
        return []
    return [f"Block {parts.d.block} of {blocks}: every block is such a product of its own."]


def _example(operand: Operand) -> dict[str, int]:
    return {name: value % operand.layout.shape[name] for name, value in EXAMPLE.items()}


def _story(operands: Mapping[str, Operand], block: int, at: Mapping[str, int]) -> str:
    """Tell where one element of D is, and where its row of A and its column of B come from."""
    d = operands["D"]
    slot = d.locate(b=block, **at)[0]
    register = words.register(slot.register, slot.bit, slot.width, words.letter(d))
    of_a = _lanes_of(operands["A"], block, "i", at["i"])
    of_b = _lanes_of(operands["B"], block, "j", at["j"])
    return (
        f"Framed: D[{at['i']}][{at['j']}], in lane {slot.lane}, {register}. Its row of A is held "
        f"by {of_a}, its column of B by {of_b}."
    )


def _lanes_of(operand: Operand, block: int, name: str, value: int) -> str:
    depth = operand.layout.shape["k"]
    slots = (s for k in range(depth) for s in operand.locate(b=block, k=k, **{name: value}))
    lanes: Sequence[int] = sorted({slot.lane for slot in slots})
    return f"lane{'s' if len(lanes) > 1 else ''} {words.listing(map(str, lanes))}"
