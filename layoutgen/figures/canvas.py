"""Collecting the parts of a scene, from top to bottom, and the furniture that figures share."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from layoutgen.figures.metrics import text_width
from layoutgen.figures.scene import Anchor, Box, Grid, Line, Scene, Stroke, Text, Tone

PADDING = 16
HEADING = 15
BODY = 11.5
SMALL = 10
TINY = 9.5
WIDTH, NARROW = 868, 336
"""Room for content in the text column of a page, and on a phone, without the padding."""
LANE_GROUP = 16


class Canvas:
    """Parts of a scene so far, and how far down and to the right they reach."""

    def __init__(self, width: float = WIDTH) -> None:
        """Start at the top left, inside the padding; texts are wrapped at `width`, or NARROW."""
        self.width = max(width, NARROW)
        self.y: float = PADDING
        self.right: float = PADDING
        self.grids: list[Grid] = []
        self.boxes: list[Box] = []
        self.strokes: list[Stroke] = []
        self.texts: list[Text] = []

    def text(
        self,
        x: float,
        y: float,
        text: str,
        size: float = SMALL,
        anchor: Anchor = "start",
        tone: Tone = "ink",
    ) -> None:
        """Put one line of text with its baseline at y."""
        self.texts.append(Text(x, y, text, size, anchor, tone))
        share = {"start": 1.0, "middle": 0.5, "end": 0.0}[anchor]
        self.reach(x + share * text_width(text, size, bold=tone == "strong"))

    def stroke(
        self, points: Iterable[tuple[float, float]], line: Line = "rule", *, closed: bool = False
    ) -> None:
        """Draw a line through `points`."""
        self.strokes.append(Stroke(tuple(points), line, closed))

    def frame(self, x: float, y: float, width: float, height: float, line: Line) -> None:
        """Draw a rectangle on the edges of what is that large."""
        right, bottom = x + width - 1, y + height - 1
        corners = ((x, y), (right, y), (right, bottom), (x, bottom))
        self.stroke(corners, line, closed=True)

    def bracket_right(self, x: float, top: float, bottom: float) -> None:
        """Draw a bracket to the right of something."""
        self.stroke(((x, top), (x + 4, top), (x + 4, bottom - 1), (x, bottom - 1)))

    def bracket_above(self, y: float, left: float, right: float) -> None:
        """Draw a bracket above something."""
        self.stroke(((left, y), (left, y - 4), (right - 1, y - 4), (right - 1, y)))

    def grid(self, grid: Grid) -> None:
        """Put the cells of a grid."""
        self.grids.append(grid)
        self.reach(max(cell.x for cell in grid.cells) + grid.width)

    def reach(self, x: float) -> None:
        """Note that something reaches to x."""
        self.right = max(self.right, x)

    def heading(self, text: str, lines: Sequence[str] = ()) -> None:
        """Put the heading and, below it, lines that explain."""
        self.text(PADDING, self.y + 12, text, HEADING, tone="strong")
        self.y += 20
        self.paragraph(lines)
        self.y += 6

    def paragraph(self, parts: Sequence[str], size: float = BODY) -> None:
        """Put `parts` one after the other, wrapped between parts and between words."""
        for line in wrapped(parts, size, self.width):
            self.text(PADDING, self.y + size, line, size, tone="soft")
            self.y += size + 5

    def legend(self, lanes: int) -> None:
        """Put a row of colour samples: the groups of 16 among `lanes` lanes."""
        x = PADDING + text_width("lanes", BODY) + 10
        self.text(PADDING, self.y + 10.5, "lanes", BODY)
        for first in range(0, lanes, LANE_GROUP):
            group, name = first // LANE_GROUP, f"{first}–{first + LANE_GROUP - 1}"
            step = 18 + text_width(name, BODY) + 16
            self.boxes.append(Box(x, self.y, 12, 12, group))
            self.text(x + 18, self.y + 10.5, name, BODY)
            x += step
        self.y += 18

    def scene(self, title: str, description: str) -> Scene:
        """Return the finished scene with even padding."""
        return Scene(
            width=_even(self.right + PADDING),
            height=_even(self.y + PADDING),
            title=title,
            description=description,
            grids=tuple(self.grids),
            boxes=tuple(self.boxes),
            strokes=tuple(self.strokes),
            texts=tuple(self.texts),
        )


def wrapped(parts: Sequence[str], size: float, width: float) -> list[str]:
    """Return lines no wider than `width`; a part is only broken where it is too wide itself."""
    lines: list[str] = []
    for part in parts:
        line = ""
        for word in part.split(" "):
            longer = f"{line} {word}" if line else word
            if line and text_width(longer, size) > width:
                lines.append(line)
                longer = word
            line = longer
        lines.append(line)
    return lines


def _even(value: float) -> int:
    return -(-int(value + 0.999) // 2) * 2
