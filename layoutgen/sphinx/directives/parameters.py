"""``layout-parameters``: what cbsz, abid and blgp do, with tables, figures and examples."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from docutils import nodes

from layoutgen.sphinx import facts
from layoutgen.sphinx.directives import options as opt
from layoutgen.sphinx.directives.base import LayoutDirective
from layoutgen.sphinx.directives.builtin import place_pictures
from layoutgen.sphinx.fragments import parse
from layoutgen.sphinx.templates import render

if TYPE_CHECKING:
    from collections.abc import Mapping

    from layoutgen.sphinx.directives.options import Option


class Parameters(LayoutDirective):
    """Explains the modifiers of one architecture, or of several."""

    example: ClassVar[str] = "gfx908"
    options_declared: ClassVar[Mapping[str, Option]] = {**opt.NO_INDEX, **opt.COMMON}

    def build(self) -> list[nodes.Node]:
        """Return the text of the reference's page, without its title."""
        from layoutgen.pages import common

        names = self.arguments[0].replace(",", " ").split() if self.arguments else []
        archs = self.library.archs(names, self.domain_lg.settings.default_arch)
        self.depend(*map(facts.whole, archs))
        text = render("common-parameters.rst.j2", self.library, archs, common.context(archs))
        found = self.adopt(_below_title(parse(text, self.env, *self.place())), archs)
        place_pictures(found, self.library, archs)
        container = nodes.container("", *found, classes=["layout-parameters"])
        return [self.finish(container)]


def _below_title(found: list[nodes.Element]) -> list[nodes.Element]:
    """Return the labels of a page and what stands below its title."""
    labels = [node for node in found if isinstance(node, nodes.target)]
    (page,) = (node for node in found if isinstance(node, nodes.section))
    return [*labels, *(n for n in page.children[1:] if isinstance(n, nodes.Element))]
