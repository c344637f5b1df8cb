"""Pages of paper, before LaTeX writes them: columns that hold their words, figures that fit.

Names of instructions cannot be broken: in columns of equal width, which are Sphinx's, they would
stand over their neighbours.  A figure cannot be broken either, nor can most tables.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from docutils import nodes
from sphinx import addnodes
from sphinx.transforms.post_transforms import SphinxPostTransform

from layoutgen.figures.flat import POINTS
from layoutgen.sphinx.pictures import SIZE

if TYPE_CHECKING:
    from sphinx.application import Sphinx

LINE, PAGE = 469, 640
"""Width and height of Sphinx's pages without their margins, in points."""

SPACE = 13
"""The space between two columns, in points."""

FONT, LEADING = 10, 12
"""The size of text, and the distance of its lines, in points."""

TEXT, HEAD_TEXT = "Times-Roman", "Helvetica-Bold"
"""Fonts as wide as those of Sphinx's preamble."""

TYPEWRITER = 5.25
"""The width of all signs of its typewriter."""

LONG = 20
"""How many lines a table may have that is not broken at the end of a page."""

BESIDE = 0.6
"""How wide, of a line, a figure may be that stands at a side of text."""

OUR_CLASSES = "layout-"
"""How the classes of generated tables begin, on pages and from directives."""


class Need(NamedTuple):
    """How wide the longest word and the whole of something are, in points."""

    word: float
    text: float


Rows: TypeAlias = list[list[Need]]


class SetTables(SphinxPostTransform):
    """Gives the generated tables the columns that their words ask for, and breaks the long ones."""

    default_priority = 300
    formats = ("latex",)

    def run(self, **kwargs: Any) -> None:
        """Go through the tables of a document."""
        for table in list(self.document.findall(nodes.table)):
            rows = _rows(table)
            if rows and any(name.startswith(OUR_CLASSES) for name in table["classes"]):
                columns = widths(_columns(rows))
                spec = "".join(rf"\X{{{round(width)}}}{{{LINE}}}" for width in columns)
                place = table.parent.index(table)
                table.parent.insert(place, addnodes.tabular_col_spec(spec=spec))
                if _lines(rows, columns) > LONG:
                    table["classes"].append("longtable")


class FitFigures(SphinxPostTransform):
    """Makes pictures of a figure so small that it stands on one page, unless a size is given.

    A wide figure does not stand at a side: no text has room beside it.
    """

    default_priority = 301
    formats = ("latex",)

    def run(self, **kwargs: Any) -> None:
        """Go through the figures of a document."""
        for figure in self.document.findall(nodes.figure):
            images = list(figure.findall(nodes.image))
            if images and all(SIZE in image and not _sized(image) for image in images):
                room = PAGE - LEADING * (2 + sum(_paragraph_lines(figure)))
                for image, share in zip(images, shares(_sizes(images), room), strict=True):
                    if share:
                        image["width"] = f"{100 * share:.1f}%"
                if max(width for width, _ in _sizes(images)) > BESIDE * LINE:
                    figure["align"] = "center"


def widths(columns: list[Need]) -> list[float]:
    """Return the widths of columns in points, with the space between them.

    Where the texts do not fit side by side, each column has its longest word, and what is left is
    shared in proportion to what the texts lack.
    """
    room = LINE - SPACE * len(columns)
    words, lacks = sum(need.word for need in columns), sum(n.text - n.word for n in columns)
    share = min(1, max(0, room - words) / lacks) if lacks else 0
    found = [need.word + share * (need.text - need.word) for need in columns]
    scale = min(1, room / sum(found))
    return [SPACE + scale * width for width in found]


def shares(sizes: list[tuple[float, float]], room: float) -> list[float | None]:
    """Return the widths of pictures, as shares of a line, with which they stand in `room`.

    `sizes` are width and height.  None is a picture that may stay as it is.
    """
    natural = [min(1.0, LINE / width) for width, _ in sizes]
    height = sum(size[1] * scale for size, scale in zip(sizes, natural, strict=True))
    if height <= room:
        return [None] * len(sizes)
    scale = room / height
    return [scale * min(width, LINE) / LINE for width, _ in sizes]


def _columns(rows: Rows) -> list[Need]:
    """Return what each column needs."""
    columns = zip(*rows, strict=True)
    return [Need(*(max(needs) for needs in zip(*column, strict=True))) for column in columns]


def _lines(rows: Rows, columns: list[float]) -> int:
    """Return about how many lines a table takes."""
    texts = [[need.text for need in row] for row in rows]
    room = [width - SPACE for width in columns]
    return sum(max(math.ceil(t / w) for t, w in zip(row, room, strict=True)) for row in texts)


def _rows(table: nodes.table) -> Rows:
    """Return what each cell needs; no rows where cells are merged."""
    rows = [list(_cells(row)) for row in table.findall(nodes.row)]
    return rows if len({len(row) for row in rows}) == 1 else []


def _cells(row: nodes.row) -> Iterator[Need]:
    head = isinstance(row.parent, nodes.thead)
    for entry in row.findall(nodes.entry):
        needs = [_measure(paragraph, head=head) for paragraph in entry.findall(nodes.paragraph)]
        least = Need(TYPEWRITER, TYPEWRITER)
        yield Need(*(max(values) for values in zip(least, *needs, strict=True)))


def _measure(paragraph: nodes.paragraph, *, head: bool) -> Need:
    word = longest = whole = 0.0
    for part in paragraph.findall(nodes.Text):
        for sign in part.astext():
            width = _width(sign, part.parent, head=head)
            whole += width
            word = 0 if sign in " \n" else word + width
            longest = max(longest, word)
            if sign == "-":
                word = 0
    return Need(longest, whole)


def _width(sign: str, parent: nodes.Element | None, *, head: bool) -> float:
    from reportlab.pdfbase.pdfmetrics import stringWidth

    if isinstance(parent, nodes.literal):
        return TYPEWRITER
    width: float = stringWidth(sign, HEAD_TEXT if head else TEXT, FONT)
    return width


def _sized(image: nodes.image) -> bool:
    return any(name in image for name in ("width", "height", "scale"))


def _sizes(images: list[nodes.image]) -> list[tuple[float, float]]:
    return [(POINTS * image[SIZE][0], POINTS * image[SIZE][1]) for image in images]


def _paragraph_lines(figure: nodes.figure) -> Iterator[int]:
    """Yield how many lines caption and paragraphs of a figure take."""
    for part in (*figure.findall(nodes.caption), *figure.findall(nodes.paragraph)):
        yield 1 + math.ceil(len(part.astext()) * TYPEWRITER / LINE)


def setup_paper(app: Sphinx) -> None:
    """Register what is done for LaTeX."""
    app.add_post_transform(SetTables)
    app.add_post_transform(FitFigures)
