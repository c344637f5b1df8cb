"""What is inside a cell that stands for a run: its elements, and the registers that they fill."""

from __future__ import annotations

from typing import TYPE_CHECKING

from layoutgen.figures.canvas import PADDING, SMALL, TINY, Canvas
from layoutgen.figures.metrics import text_width
from layoutgen.figures.words import REGISTER_BITS, counted

if TYPE_CHECKING:
    from layoutgen.figures.runs import Runs

HEIGHT = 18
WIDEST, NARROWEST = 64, 30
"""Of the box of one element."""

LEFT = PADDING + text_width("begins at bit", TINY) + 10


def inside(canvas: Canvas, found: Runs) -> None:
    """Draw the elements of a cell in a row, lowest bit first, over the registers they lie in."""
    count, bits = found.count, found.bits
    room = (canvas.width - LEFT + PADDING) / count
    wide = int(max(NARROWEST, min(room, WIDEST)))
    canvas.text(PADDING, canvas.y + 10, f"Inside a cell: {held(found)}", SMALL, tone="strong")
    top = canvas.y + 18
    for n in range(count):
        x = LEFT + n * wide
        canvas.frame(x, top, wide + 1, HEIGHT, "rule")
        canvas.text(x + wide / 2, top + 12.5, f"+{n}", SMALL, "middle")
        start = str(n * bits % REGISTER_BITS)
        canvas.text(x + 1, top + HEIGHT + 11, start, TINY)
    canvas.text(LEFT - 8, top + 12.5, found.along, TINY, "end", "soft")
    canvas.text(LEFT - 8, top + HEIGHT + 11, "begins at bit", TINY, "end", "soft")
    canvas.y = top + HEIGHT + 16
    if (total := count * bits) > REGISTER_BITS:
        _registers(canvas, total // REGISTER_BITS, wide * REGISTER_BITS / bits)


def held(found: Runs) -> str:
    """Return what a cell holds: ``16 consecutive k in 3 registers, the lowest bits first``."""
    total = found.count * found.bits
    where = counted(total // REGISTER_BITS, "register")
    if total % REGISTER_BITS:
        where = f"{total} bits of a register"
    noun = found.along if len(found.along) == 1 else f"{found.along}s"
    return f"{found.count} consecutive {noun} in {where}, from the lowest bit on"


def _registers(canvas: Canvas, count: int, wide: float) -> None:
    """Draw a bracket below each register."""
    y = canvas.y + 2
    for n in range(count):
        left, right = LEFT + n * wide + 1, LEFT + (n + 1) * wide - 3
        canvas.stroke(((left, y), (left, y + 4), (right, y + 4), (right, y)))
        canvas.text((left + right) / 2, y + 15, f"register +{n}", TINY, "middle")
    canvas.y = y + 20
