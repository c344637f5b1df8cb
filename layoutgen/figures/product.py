"""The product view: A to the left, B above, D at their crossing, and one element followed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from layoutgen.figures import words
from layoutgen.figures.canvas import PADDING, SMALL, TINY, WIDTH, Canvas, lane_groups
from layoutgen.figures.cells import CellText, Row, plan
from layoutgen.figures.margins import DROP, LINE
from layoutgen.figures.metrics import text_width
from layoutgen.figures.panel import Panel, panels
from layoutgen.tables.bands import bands

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from layoutgen.figures.scene import Scene
    from layoutgen.model import Operand

EXAMPLE = {"i": 5, "j": 3}
"""The element of D that is followed, within the tile's size."""
GAP = 26
"""Between A and D, with room for the ticks of B."""


@dataclass(frozen=True)
class Parts:
    """The three panels, with rows of A on those of D, and columns of B on those of D."""

    a: Panel
    b: Panel
    d: Panel

    @property
    def width(self) -> float:
        """Width of all with what stands between and around."""
        beside = max(_right_of_b(self.b), _right_of_d(self.d))
        return 20 + self.a.xs[-1] + GAP + self.d.xs[-1] + beside


def product(operands: Mapping[str, Operand], heading: str, *, block: int = 0) -> Scene:
    """Return the product view of one block; A, B and D as read under their modifiers."""
    parts = _fitting(operands, block)
    canvas = Canvas()
    canvas.heading(
        heading, ["D[i][j] = C[i][j] + Σ A[i][k]·B[k][j], summed over k", *_shown(parts)]
    )
    canvas.legend(lane_groups(operands["D"].layout.lanes))
    canvas.y += 12
    _draw(canvas, parts)
    canvas.y += 12
    story = _story(operands, block, _example(operands["D"]))
    canvas.paragraph([story], 11)
    rules = " ".join(f"{name}: {words.rule(operands[name])}" for name in "ABD")
    description = (
        f"A to the left, B above, D at their crossing; rows of A are rows of D, columns of B are "
        f"columns of D. {' '.join(_shown(parts))} {story} {rules}"
    )
    return canvas.scene(heading, description)


def _fitting(operands: Mapping[str, Operand], block: int) -> Parts:
    """Return the panels with lane and register in each cell, or with one of them."""
    full = _parts(operands, block, {"A": "both", "B": "both", "D": "both"})
    if full.width <= WIDTH:
        return full
    return _parts(operands, block, {"A": "lane", "B": "lane", "D": "register"})


def _parts(operands: Mapping[str, Operand], block: int, texts: Mapping[str, CellText]) -> Parts:
    rows: dict[str, list[Row]] = {name: operands[name].table().tolist() for name in "ABD"}
    least = {"B": 18.0, "D": 18.0, "A": 18.0}
    for _ in range(2):
        plans = {n: plan(operands[n], rows[n], texts[n], 200, least[n]) for n in "ABD"}
        least["B"] = least["D"] = max(plans["B"].width, plans["D"].width)

    def panel(name: str) -> Panel:
        found = panels(operands[name], [block], plans[name], bands(operands[name]), rows[name])
        return found[0]

    d = panel("D")
    a, b = panel("A"), panel("B")
    return Parts(
        replace(a, shared_rows=tuple(d.ys), shared_columns=_tight(a.size("k"), a.plan.width)),
        replace(b, shared_columns=tuple(d.xs), shared_rows=_tight(b.size("k"), b.plan.height)),
        d,
    )


def _tight(count: int, extent: float) -> tuple[float, ...]:
    return (*(n * (extent + 1) for n in range(count)), count * (extent + 1) - 1)


def _draw(canvas: Canvas, parts: Parts) -> None:
    a, b, d = parts.a, parts.b, parts.d
    left_a, top_b = PADDING + 20, canvas.y + 2 * LINE
    left_d = left_a + a.xs[-1] + GAP
    top_d = top_b + b.ys[-1] + 10 + 3 * LINE + 6
    for panel, left, top in ((a, left_a, top_d), (b, left_d, top_b), (d, left_d, top_d)):
        panel.draw(canvas, left, top)
    _head(canvas, b, left_d, top_b - LINE, "B")
    _ticks_across(canvas, b, left_d, top_b)
    _ticks_down(canvas, b, left_d, top_b)
    _right_side(canvas, b, left_d, top_b, registers=b.plan.text == "lane")
    _lanes_above(canvas, a, left_a, top_d)
    _head(canvas, a, left_a, top_d - 2 * LINE - 6, "A")
    _ticks_across(canvas, a, left_a, top_d)
    _ticks_down(canvas, a, left_a, top_d)
    _head(canvas, d, left_d, top_d - 1, "D")
    _right_side(canvas, d, left_d, top_d, registers=False)
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


def _head(canvas: Canvas, panel: Panel, x: float, y: float, name: str) -> None:
    text = {"both": "lane and register", "lane": "lane", "register": "register"}[panel.plan.text]
    canvas.text(x, y - 4, name, SMALL, tone="strong")
    canvas.text(x + 12, y - 4, text, TINY, tone="soft")


def _ticks_across(canvas: Canvas, panel: Panel, left: float, top: float) -> None:
    canvas.text(left - 6, top - 4, f"{panel.across}→", TINY, "end", "soft")
    for n, x in enumerate(panel.xs[:-1]):
        canvas.text(left + x + panel.cell_width / 2, top - 4, str(n), TINY, "middle", "soft")


def _ticks_down(canvas: Canvas, panel: Panel, left: float, top: float) -> None:
    for n, y in enumerate(panel.ys[:-1]):
        middle = top + y + panel.plan.height / 2 + DROP
        canvas.text(left - 6, middle, str(n), TINY, "end", "soft")


def _lanes_above(canvas: Canvas, panel: Panel, left: float, top: float) -> None:
    if not panel.banded:
        return
    for band in panel.bands:
        start = left + panel.xs[band.listed[0]]
        stop = left + panel.xs[band.listed[-1]] + panel.cell_width
        text = words.span(band.lanes)
        canvas.bracket_above(top - LINE - 1, start, stop)
        canvas.text((start + stop) / 2, top - LINE - 8, text, TINY, "middle")


def _right_side(canvas: Canvas, panel: Panel, left: float, top: float, *, registers: bool) -> None:
    x = left + panel.xs[-1] + 6
    names = panel.registers_along(panel.down) if registers else None
    if names:
        for name, y in zip(names, panel.ys[:-1], strict=True):
            canvas.text(x, top + y + panel.plan.height / 2 + DROP, name, TINY)
        x += max(text_width(name, TINY) for name in names) + 6
    if not panel.banded:
        return
    for n, band in enumerate(panel.bands):
        start = top + panel.ys[band.listed[0]]
        stop = top + panel.ys[band.listed[-1]] + panel.plan.height
        canvas.bracket_right(x - 1, start, stop)
        text = words.span(band.lanes)
        canvas.text(x + 8, (start + stop) / 2 + DROP, text if n else words.lanes(band.lanes), SMALL)


def _right_of_b(panel: Panel) -> float:
    names = panel.registers_along(panel.down) if panel.plan.text == "lane" else None
    return (12 + max(text_width(n, TINY) for n in names) if names else 6) + 72


def _right_of_d(panel: Panel) -> float:
    return 78


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
