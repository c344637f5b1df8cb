"""What stands in the place of a figure where there are no pictures: tables that say the same."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from docutils import nodes

from layoutgen.sphinx.fragments import parse
from layoutgen.sphinx.pictures import Picture, alternative, layout_picture

if TYPE_CHECKING:
    from layoutgen.model import Operand
    from layoutgen.sphinx.domain import LayoutDomain


def substitutes(node: layout_picture, domain: LayoutDomain, *, cell: bool) -> list[nodes.Element]:
    """Return the tables that say what the figure shows, under its name.

    A figure of the reference has its tables beside it, and no table stands in the `cell` of
    another: a sentence takes its place.
    """
    scene = domain.library.scene(node.picture)
    if node.picture.stem or cell:
        text = alternative(node, scene)
        return [nodes.paragraph(text, text)]
    found: list[nodes.Element] = []
    for text in _texts(node.picture, domain, node.get("alt") or scene.title):
        found += parse(text, domain.env, node.source or "", node.line or 0)
    return found


def _texts(picture: Picture, domain: LayoutDomain, title: str) -> Iterator[str]:
    """Yield the tables as reStructuredText, each with its title."""
    from layoutgen.pages import blocks

    inst = domain.library.arch(picture.arch)[picture.instruction]
    fields = dict(picture.modifiers)
    if picture.view == "blgp":
        yield blocks.lane_patterns(inst, title, fields["blgp"])
    elif picture.view == "cbsz":
        yield blocks.broadcasts(inst, title, fields["cbsz"])
    else:
        names = "ABD" if picture.view == "product" else (picture.operand,)
        for name in names:
            operand = inst.operand(name, **fields)
            block = _block(picture, operand)
            which = [name] if len(names) > 1 else []
            if block is not None and inst.blocks > 1:
                which.append(f"block {block}")
            yield blocks.bands(operand, ", ".join([title, *which]), block)
            if operand.format.bits % 32:
                yield blocks.packing(operand, f"Items of one lane of {name}")


def _block(picture: Picture, operand: Operand) -> int | None:
    """Return the block that the figure shows, or None if it shows all."""
    from layoutgen.figures.matrix import shown_blocks

    if picture.view == "registers":
        return None
    if picture.view == "product":
        return picture.block if isinstance(picture.block, int) else 0
    shown = shown_blocks(operand, picture.block)
    return shown[0] if len(shown) == 1 else None
