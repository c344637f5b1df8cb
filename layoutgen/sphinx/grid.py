"""Tables as nodes, for the directives whose tables the reference pages do not have."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from docutils import nodes

from layoutgen.sphinx.fragments import leave_untranslated


def table(
    header: Sequence[str], rows: Iterable[Sequence[nodes.Node | str]], title: str, classes: str
) -> nodes.table:
    """Return a table with a row of headings; widths are left to the builder."""
    made = nodes.table(layoutgen=True, classes=["colwidths-auto", *classes.split()])
    if title:
        made += nodes.title(title, title)
    group = nodes.tgroup("", cols=len(header))
    made += group
    group += [nodes.colspec(colwidth=100 // len(header)) for _ in header]
    group += nodes.thead("", _row(header))
    group += nodes.tbody("", *map(_row, rows))
    leave_untranslated(made)
    return made


def _row(cells: Sequence[nodes.Node | str]) -> nodes.row:
    return nodes.row("", *(nodes.entry("", _paragraph(cell)) for cell in cells))


def _paragraph(cell: nodes.Node | str) -> nodes.paragraph:
    if isinstance(cell, str):
        return nodes.paragraph(cell, cell)
    return nodes.paragraph("", "", cell)
