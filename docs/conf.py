"""Sphinx configuration: everything is local, so that the pages open from disk without a network."""

from __future__ import annotations

import ast
import contextlib
import importlib
import inspect
import pkgutil
from typing import TYPE_CHECKING, Any

from sphinx.ext.napoleon import Config, GoogleDocstring

import layoutgen

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

project = "layoutgen"
author = "The layoutgen developers"
project_copyright = author  # no year: the same sources give the same pages on any day
version = release = layoutgen.__version__
language = "en"

extensions = [
    "layoutgen.sphinx",
    "layoutgen.sphinx.mathml",
    "layoutgen.sphinx.selfdoc",
    "sphinx.ext.autodoc",
    "sphinx_copybutton",
    "sphinx_design",
]
nitpicky = True
nitpick_ignore_regex = [
    ("py:class", r"(collections\.abc|numpy|pathlib)\..+|Path"),  # no network, no inventories
    (
        "py:class",
        r"Block|CellText|Expr|Folder|IntArray|Suffix|View|layoutgen\.figures\.scene\.Scene",
    ),  # aliases, data
    (r"py:(class|mod)", r"layoutgen\.(emulator|validate)\.\w+(\.\w+)?"),  # inner modules
]
templates_path = ["_templates"]
exclude_patterns = ["_build", "extension/example", "**/_fragments", "**/*.inc.rst"]
highlight_language = "none"

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
maximum_signature_line_length = 80
toc_object_entries_show_parents = "hide"
python_use_unqualified_type_names = True

html_theme = "pydata_sphinx_theme"
html_math_renderer = "mathml"
html_title = "layoutgen"
html_logo = html_favicon = "_static/logo.svg"
html_static_path = ["_static"]
html_css_files = ["layoutgen.css"]
html_last_updated_fmt = None
html_show_sourcelink = False
html_copy_source = False
html_sidebars = {"index": []}
html_theme_options = {
    "logo": {"text": "layoutgen", "alt_text": "layoutgen: home"},
    "navbar_align": "left",
    "navigation_with_keys": False,
    "show_prev_next": True,
    "show_toc_level": 2,
    "collapse_navigation": True,  # else every page lists every other one
    "footer_start": ["copyright"],
    "footer_end": ["layoutgen-version"],
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
}

copybutton_prompt_text = r"\$ |>>> |\.\.\. "
copybutton_prompt_is_regexp = True
copybutton_exclude = ".linenos, .gp, .go"

latex_table_style = ["booktabs"]
latex_elements = {
    # Of drawings in code blocks.
    "preamble": r"""
\usepackage{pmboxdraw}
\sphinxDUC{25BA}{\ensuremath{\blacktriangleright}}
""",
}


def setup(app: Sphinx) -> None:
    app.connect("env-before-read-docs", names_of_types)
    app.connect("autodoc-process-signature", parsable_signature)
    app.connect("autodoc-process-docstring", google_sections)


def names_of_types(app: Sphinx, env: BuildEnvironment, docnames: list[str]) -> None:
    """Give modules the names that they import for types only.

    Autodoc does so for modules that it is the first to import; here that would depend on which
    pages are read before.
    """
    if not any(name.startswith("api/") for name in docnames):
        return
    found = (info.name for info in pkgutil.walk_packages(layoutgen.__path__, "layoutgen."))
    modules = [importlib.import_module(name) for name in found if not name.endswith("__main__")]
    for _ in range(2):  # what the first round defines, the second can import
        for module in modules:
            for node in ast.parse(inspect.getsource(module)).body:
                if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
                    with contextlib.suppress(ImportError):
                        exec(compile(ast.Module(node.body, []), "", "exec"), vars(module))


def parsable_signature(*event: Any) -> tuple[str | None, str | None]:
    """A default factory prints as <factory>, which the parser of signatures does not take."""
    signature, returns = event[5:]
    return signature and signature.replace("<factory>", "..."), returns


def google_sections(app: Sphinx, what: str, *event: Any) -> None:
    """Sections such as "Args:"; on properties Napoleon would take any colon for a type."""
    lines: list[str] = event[-1]
    if what in ("function", "method"):
        lines[:] = GoogleDocstring(lines, Config(napoleon_use_rtype=False), app, what).lines()
