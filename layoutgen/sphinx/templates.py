"""The templates of the reference pages, for what directives put on a page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from layoutgen.model import Architecture
    from layoutgen.sphinx.library import Library

IMAGES = "layoutgen-figure:"
"""What the address of a figure begins with, before a picture takes its place."""

ORPHAN = ":orphan:\n"


def render(
    template: str, library: Library, archs: Sequence[Architecture], context: Mapping[str, object]
) -> str:
    """Return one template, by its file name, as reStructuredText."""
    from layoutgen.pages.environment import render as fill
    from layoutgen.pages.rst import Rst
    from layoutgen.pages.site import page_environment
    from layoutgen.pages.trees import AMD

    alts = {stem: "" for arch in archs for stem in library.gallery(arch.name)}
    environment = page_environment(alts, replace(AMD, image=IMAGES, common_image=IMAGES))
    environment.globals["common_link"] = Rst(
        ":ref:`the common parameters <mfma-common-parameters>`"
    )
    text = fill(environment, template, {"images": IMAGES, **context})
    return text.replace(ORPHAN, "", 1)


def macro(call: str, context: Mapping[str, object]) -> str:
    """Return what one macro of the reference gives: ``formulas(operand)``."""
    from layoutgen.pages.site import page_environment
    from layoutgen.pages.trees import AMD

    name = call.partition("(")[0]
    source = f'{{% from "macros.rst.j2" import {name} with context %}}{{{{ {call} }}}}'
    return page_environment({}, AMD).from_string(source).render(dict(context))
