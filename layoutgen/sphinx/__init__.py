"""The Sphinx extension ``layoutgen.sphinx``: one ``setup_<component>(app)`` per component.

MathML formulas are an extension of their own, :mod:`layoutgen.sphinx.mathml`: Sphinx makes the
only renderer that an extension registers the default one, and loading this package must not
change how a project's other pages show their formulas.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from layoutgen import __version__

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.util.typing import ExtensionMetadata


def setup(app: Sphinx) -> ExtensionMetadata:
    """Register every component of the extension."""
    return {"version": __version__, "parallel_read_safe": True, "parallel_write_safe": True}
