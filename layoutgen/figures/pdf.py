"""Scenes as PDF, through reportlab.

A PDF has the light colours: it is for paper.  Its font is DejaVu Sans, which comes with
matplotlib; the file holds what it shows of it, so that its text can be searched and copied.
"""

from __future__ import annotations

import hashlib
import io
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from unicodedata import bidirectional

from reportlab.lib.colors import HexColor
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

from layoutgen.figures.flat import POINTS, WIDTHS, rectangles, texts
from layoutgen.figures.palette import LIGHT, Palette
from layoutgen.figures.scene import Scene, Text

PLAIN, BOLD = "layoutgen-DejaVuSans", "layoutgen-DejaVuSans-Bold"
"""What the fonts are called among those of other users of reportlab."""

LEFT = {"middle": 0.5, "end": 1}
"""How much of a text is left of its anchor."""

EPOCH = "D:19700101000000Z"
"""The date of every file, whatever SOURCE_DATE_EPOCH is."""


def render(scene: Scene, palette: Palette = LIGHT) -> bytes:
    """Return `scene` as a PDF file; the same scene gives the same bytes."""
    _register_fonts()
    file = io.BytesIO()
    size = (scene.width * POINTS, scene.height * POINTS)
    canvas = Canvas(file, size, initialFontName=PLAIN, invariant=True, pageCompression=1, lang="en")
    canvas.setTitle(scene.title)
    canvas.setSubject(scene.description)
    canvas.setAuthor("")
    canvas.setCreator("layoutgen")
    canvas.setDateFormatter(lambda *now: EPOCH)
    canvas._doc.signature = hashlib.md5(usedforsecurity=False)  # had begun with the time
    canvas.scale(POINTS, POINTS)
    _page(canvas, scene, palette)
    _cells(canvas, scene, palette)
    _strokes(canvas, scene, palette)
    _texts(canvas, scene, palette)
    canvas.save()
    return file.getvalue()


def unfit(scene: Scene) -> str:
    """Return the characters of `scene` that a PDF cannot show: its font lacks them, or they are
    written from right to left.
    """
    _register_fonts()
    found = set()
    for text in texts(scene):
        if not text.text.isascii():
            known = pdfmetrics.getFont(_font(text)).face.charToGlyph
            found |= {
                s for s in text.text if ord(s) not in known or bidirectional(s) in ("R", "AL")
            }
    return "".join(sorted(found))


@cache
def _register_fonts() -> None:
    matplotlib = find_spec("matplotlib")
    assert matplotlib is not None
    assert matplotlib.origin is not None
    folder = Path(matplotlib.origin).parent / "mpl-data" / "fonts" / "ttf"
    pdfmetrics.registerFont(TTFont(PLAIN, str(folder / "DejaVuSans.ttf")))
    pdfmetrics.registerFont(TTFont(BOLD, str(folder / "DejaVuSans-Bold.ttf")))


def _page(canvas: Canvas, scene: Scene, palette: Palette) -> None:
    canvas.setFillColor(HexColor(palette.page))
    canvas.rect(0, 0, scene.width, scene.height, stroke=0, fill=1)


def _cells(canvas: Canvas, scene: Scene, palette: Palette) -> None:
    """Draw all cells and samples of a group as one shape."""
    canvas.setLineWidth(1)
    for group, places in rectangles(scene).items():
        canvas.setFillColor(HexColor(palette.fills[group % len(palette.fills)]))
        canvas.setStrokeColor(HexColor(palette.edges[group % len(palette.edges)]))
        path = canvas.beginPath()
        for x, y, width, height in places:
            path.rect(x, scene.height - y - height, width, height)
        canvas.drawPath(path, fill=1)


def _strokes(canvas: Canvas, scene: Scene, palette: Palette) -> None:
    for line, width in WIDTHS.items():
        canvas.setLineWidth(width)
        canvas.setStrokeColor(HexColor(getattr(palette, line)))
        path = canvas.beginPath()
        for stroke in scene.strokes:
            if stroke.line == line:
                (x, y), *others = ((x + 0.5, scene.height - y - 0.5) for x, y in stroke.points)
                path.moveTo(x, y)
                for x, y in others:
                    path.lineTo(x, y)
                if stroke.closed:
                    path.close()
        canvas.drawPath(path)


def _texts(canvas: Canvas, scene: Scene, palette: Palette) -> None:
    """Write all texts as one object: what they have in common is said once."""
    written = canvas.beginText()
    before = None
    for text in texts(scene):
        font, size = _font(text), text.size
        if before != (before := (font, size, text.tone)):
            written.setFont(font, size)
            written.setFillColor(HexColor(palette.soft if text.tone == "soft" else palette.ink))
        left = LEFT[text.anchor] * stringWidth(text.text, font, size) if text.anchor in LEFT else 0
        written.setTextOrigin(text.x - left, scene.height - text.y)
        written.textOut(text.text)
    canvas.drawText(written)


def _font(text: Text) -> str:
    return BOLD if text.tone == "strong" else PLAIN
