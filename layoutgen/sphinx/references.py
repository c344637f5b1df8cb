"""References without a target: silent in generated text, helpful where a person wrote them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sphinx.util.nodes import make_refnode

from layoutgen.sphinx.domain import LayoutDomain, layout_domain, missing
from layoutgen.sphinx.fragments import OPTIONAL

if TYPE_CHECKING:
    from docutils.nodes import Element, Node, TextElement
    from sphinx.addnodes import pending_xref
    from sphinx.application import Sphinx
    from sphinx.domains import Domain
    from sphinx.environment import BuildEnvironment

AFTER_INTERSPHINX = 900


def _resolve(
    app: Sphinx, env: BuildEnvironment, node: pending_xref, contnode: TextElement
) -> Node | None:
    """Resolve a reference of generated text to a topic, or leave its text."""
    if OPTIONAL not in node:
        return None
    places = layout_domain(env).topics.get(node["reftarget"], {})
    if not places:
        return contnode
    docname = min(places)
    return make_refnode(app.builder, node["refdoc"], docname, places[docname], contnode)


def _warn(app: Sphinx, domain: Domain | None, node: Element) -> bool | None:
    """Warn in our own words of a name that no page describes."""
    if isinstance(domain, LayoutDomain):
        missing(domain, node)
        return True
    return None


def setup_references(app: Sphinx) -> None:
    """Listen to references that Sphinx and intersphinx could not resolve."""
    app.connect("missing-reference", _resolve, priority=AFTER_INTERSPHINX)
    app.connect("warn-missing-reference", _warn)
