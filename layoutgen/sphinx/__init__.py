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
    from layoutgen.sphinx.assets import setup_assets
    from layoutgen.sphinx.c_domain import setup_c_domain
    from layoutgen.sphinx.config import setup_config
    from layoutgen.sphinx.directives import setup_directives
    from layoutgen.sphinx.domain import setup_domain
    from layoutgen.sphinx.epub import setup_epub
    from layoutgen.sphinx.images import setup_images
    from layoutgen.sphinx.latex import setup_latex
    from layoutgen.sphinx.paper import setup_paper
    from layoutgen.sphinx.pictures import setup_pictures
    from layoutgen.sphinx.reading import setup_reading
    from layoutgen.sphinx.references import setup_references
    from layoutgen.sphinx.translation import setup_translation

    setup_translation(app)
    setup_config(app)
    setup_domain(app)
    setup_c_domain(app)
    setup_directives(app)
    setup_reading(app)
    setup_references(app)
    setup_pictures(app)
    setup_images(app)
    setup_assets(app)
    setup_epub(app)
    setup_latex(app)
    setup_paper(app)
    return {
        "version": __version__,
        "env_version": 1,
        "parallel_read_safe": True,
        "parallel_write_safe": True,
    }
