"""Figures as nodes: what is to be drawn is kept, and drawn when a page is written."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from html import escape
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from docutils import nodes
from sphinx import addnodes

from layoutgen.sphinx.domain import layout_domain
from layoutgen.sphinx.translation import _

if TYPE_CHECKING:
    from pathlib import Path

    from sphinx.application import Sphinx
    from sphinx.writers.html5 import HTML5Translator

    from layoutgen.figures.request import Block
    from layoutgen.figures.scene import Scene
    from layoutgen.sphinx.library import Library

_NAME = re.compile(r'id="(lg-[0-9a-f]+)-title"')
TABLE = "layoutgen-table"
"""The class of a region that holds a table."""
SIZE = "layoutgen_size"
"""Where an image has the width and height of its figure, in pixels."""
PIXELS = re.compile(r"(\d+(?:\.\d+)?)(?:px)?")


@dataclass(frozen=True)
class Picture:
    """One figure: of an operand, or (by its `stem`) one of the reference's own.

    `view` is one of those of :func:`layoutgen.figures.request.figure`, or ``blgp`` and ``cbsz``
    for what these modifiers do.  `digest` tells what is drawn: pictures that have it in common
    are one.
    """

    arch: str
    instruction: str = ""
    operand: str = "D"
    view: str = "matrix"
    block: Block = None
    cell: str = "auto"
    modifiers: tuple[tuple[str, int], ...] = ()
    title: str = ""
    stem: str = ""
    digest: str = ""

    def scene(self, library: Library) -> Scene:
        """Return what is to be drawn."""
        if self.stem:
            return library.figure(self.arch, self.stem).build()
        inst = library.arch(self.arch)[self.instruction]
        fields: dict[str, Any] = dict(self.modifiers)
        if self.view in ("blgp", "cbsz"):
            from layoutgen.figures import modifiers

            draw = {"blgp": modifiers.blgp, "cbsz": modifiers.cbsz}[self.view]
            return draw(inst, fields[self.view])
        from layoutgen.figures.request import figure

        return figure(
            inst,
            self.operand,
            view=cast("Any", self.view),
            block=self.block,
            cell=None if self.cell == "auto" else cast("Any", self.cell),
            heading=self.title or None,
            **fields,
        )


class layout_picture(nodes.General, nodes.Element, addnodes.translatable):  # noqa: N801
    """A figure that is not drawn yet; `alt` is what the writer of the page gave, or empty."""

    def preserve_original_messages(self) -> None:
        """Keep the alternative text for the translators."""
        if self.get("alt"):
            self["original_alt"] = self["alt"]

    def apply_translated_message(self, original_message: str, translated_message: str) -> None:
        """Take the translated alternative text."""
        if original_message == self.get("original_alt"):
            self["alt"] = translated_message

    def extract_original_messages(self) -> Sequence[str]:
        """Return the texts to translate."""
        return [self["original_alt"]] if self.get("original_alt") else []

    @property
    def picture(self) -> Picture:
        """What is to be drawn."""
        return cast("Picture", self["picture"])


class layout_region(nodes.General, nodes.Element):  # noqa: N801
    """Holds what may be wider than the page; `label` names it, `role` says what it is."""


class layout_group(nodes.General, nodes.Element):  # noqa: N801
    """Holds the pictures of a figure; it leaves no trace on a page."""


class Drawn(NamedTuple):
    """A picture in a file of its own, and what is to be known of it."""

    path: Path
    title: str
    description: str
    width: float
    height: float


def alternative(node: layout_picture, shown: Scene | Drawn) -> str:
    """Return the alternative text of a figure: the writer's own, or what the figure says."""
    return cast("str", node.get("alt")) or f"{shown.title}. {shown.description}"


def visit_region(self: HTML5Translator, node: layout_region) -> None:
    """Open the region, which the keyboard can scroll."""
    label, classes = escape(node["label"]), escape(" ".join(node["classes"]))
    self.body.append(
        f'<div class="{classes}" role="{node["role"]}" tabindex="0" aria-label="{label}">'
    )


def depart_region(self: HTML5Translator, node: layout_region) -> None:
    """Close the region."""
    self.body.append("</div>\n")


def visit_group(self: HTML5Translator, node: layout_group) -> None:
    """Write nothing round the pictures."""


def visit_inline(self: HTML5Translator, node: layout_picture) -> None:
    """Write the figure into the page, in a region of its own that scrolls where it is narrow."""
    scene = layout_domain(self.builder.env).library.scene(node.picture)
    name = node.get("alt") or scene.title
    classes = escape(" ".join(["layoutgen-picture", *node["classes"]]))
    hint = escape(_("Arrow keys move from cell to cell."))
    self.body.append(
        f'<div class="{classes}" role="region" tabindex="0" aria-label="{escape(name)}"'
        f' data-hint="{hint}"{_style(node, scene)}>'
    )
    self.body.append(inline_svg(scene, node.get("serial", 1), node.get("alt", "")))
    self.body.append("</div>\n")
    raise nodes.SkipNode


def inline_svg(scene: Scene, serial: int, alt: str = "") -> str:
    """Return the figure for a page; `serial` is its number there and makes its ids unique."""
    from layoutgen.figures import svg

    shown = replace(scene, title=alt) if alt else scene
    text = svg.render(shown, style=False).decode().rstrip("\n")
    found = _NAME.search(text)
    assert found, "every figure has a title"
    return text.replace(found[1], f"{found[1]}-{serial}")


def _style(node: layout_picture, scene: Scene) -> str:
    """Return the natural width of the picture, and the one that the directive asks for."""
    style = f"--lg-natural:{scene.width:g}px"
    if width := str(node.get("width", "")):
        pixels = PIXELS.fullmatch(width)
        style += f";--lg-width:{f'{pixels[1]}px' if pixels else escape(width)}"
    return f' style="{style}"'


def setup_pictures(app: Sphinx) -> None:
    """Register the node; where no page is written as HTML, others take its place before."""
    app.add_node(layout_picture, html=(visit_inline, None))
    app.add_node(layout_group, html=(visit_group, visit_group))
    app.add_node(layout_region, html=(visit_region, depart_region))
