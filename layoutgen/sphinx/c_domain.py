"""Builtins as C functions, so that a project without this extension can refer to them too."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from sphinx.domains.c import CDomain
from sphinx.util.nodes import make_refnode

from layoutgen.sphinx.domain import layout_domain

if TYPE_CHECKING:
    from docutils.nodes import Element, reference
    from sphinx.addnodes import pending_xref
    from sphinx.application import Sphinx
    from sphinx.builders import Builder
    from sphinx.environment import BuildEnvironment

PREFIX = "__builtin_amdgcn_"
_FUNCTION_ROLES = ("func", "identifier", "expr", "texpr")


class CDomainWithBuiltins(CDomain):
    """Sphinx's C domain, which also has the builtins that pages describe.

    A function that a page declares itself goes before.
    """

    def get_objects(self) -> Iterator[tuple[str, str, str, str, str, int]]:
        """Yield what C has, then the builtins that are not among it."""
        declared = set()
        for found in super().get_objects():
            declared.add(found[0])
            yield found
        for name, entry in layout_domain(self.env).builtins.items():
            if name not in declared:
                yield name, name, "function", entry.docname, entry.anchor, 1

    def resolve_xref(
        self,
        env: BuildEnvironment,
        fromdocname: str,
        builder: Builder,
        typ: str,
        target: str,
        node: pending_xref,
        contnode: Element,
    ) -> reference | None:
        """Return the link to a C object, or to a builtin."""
        found = super().resolve_xref(env, fromdocname, builder, typ, target, node, contnode)
        if found is not None or typ not in _FUNCTION_ROLES or not target.startswith(PREFIX):
            return found
        entry = layout_domain(env).lookup.find(target, fromdocname)
        if entry is None or not entry.builtin:
            return None
        return make_refnode(
            builder, fromdocname, entry.docname, entry.anchor, contnode, entry.builtin
        )


def setup_c_domain(app: Sphinx) -> None:
    """Put the domain in the place of Sphinx's own."""
    app.add_domain(CDomainWithBuiltins, override=True)
