"""Stylesheet and script of inline figures: made for the project's palette, loaded where needed."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from docutils import nodes

from layoutgen.figures.palette import Palette
from layoutgen.sphinx.domain import NAME, layout_domain
from layoutgen.sphinx.fragments import OURS
from layoutgen.sphinx.pictures import TABLE, layout_picture, layout_region

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sphinx.application import Sphinx

    from layoutgen.sphinx.config import Settings

STYLESHEET = "layoutgen-figures.css"
SCRIPT = "layoutgen-figures.js"
_ASSETS = Path(__file__).parent / "assets"


def stylesheet(settings: Settings) -> str:
    """Return the rules of inline figures, in the colours of the project.

    Every colour is a variable of the page.  Themes say which scheme they show in the attribute
    ``data-theme`` of ``html`` (pydata-sphinx-theme and those built on it) or of ``body`` (Furo,
    where ``auto`` leaves it to the reader's system); a page that says nothing is light.
    """
    from layoutgen.figures import svg

    light, dark = _declarations(settings.light), _declarations(settings.dark)
    schemes = [
        f":root,[data-theme=light]{{{light}}}",
        f"@media screen{{[data-theme=dark]{{{dark}}}}}",
        f"@media screen and (prefers-color-scheme:dark){{body[data-theme=auto]{{{dark}}}}}",
        f"@media print{{:root,[data-theme]{{{light}}}}}",
    ]
    rules = (_ASSETS / STYLESHEET).read_text("utf-8")
    return "\n".join([*schemes, svg.rules(_variables()), rules])


def _declarations(palette: Palette) -> str:
    return "".join(f"{name}:{value};" for name, value in _colours(palette)).rstrip(";")


def _colours(palette: Palette) -> Iterator[tuple[str, str]]:
    """Yield the name of the variable and the value of every colour."""
    for declared in fields(Palette):
        value = getattr(palette, declared.name)
        if isinstance(value, str):
            yield f"--lg-{declared.name}", value
        else:
            for n, one in enumerate(value):
                yield f"--lg-{declared.name.removesuffix('s')}-{n}", one


def _variables() -> Palette:
    """Return a palette whose colours are the variables."""
    names: dict[str, Any] = {}
    for declared in fields(Palette):
        name = declared.name
        if name in ("fills", "edges"):
            names[name] = tuple(f"var(--lg-{name.removesuffix('s')}-{n})" for n in range(4))
        else:
            names[name] = f"var(--lg-{name})"
    return Palette(**names)


def _write(app: Sphinx) -> None:
    """Write both files where HTML pages load them from, once in a process."""
    domain = layout_domain(app.env)
    if domain.has_assets:
        return
    from layoutgen.writing import write_file

    folder = Path(app.outdir) / "_static"
    write_file(folder / STYLESHEET, stylesheet(domain.settings).encode())
    write_file(folder / SCRIPT, (_ASSETS / SCRIPT).read_bytes())
    domain.has_assets = True


def _load(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: nodes.document
) -> None:
    """Load the stylesheet on pages that have something of ours, the script for what it enlivens."""
    if doctree is None:
        return
    if any(_is_ours(node) for node in doctree.findall(nodes.Element)):
        _write(app)
        app.add_css_file(STYLESHEET)
    if any(_is_live(node) for node in doctree.findall(nodes.Element)):
        app.add_js_file(SCRIPT, loading_method="defer")


def _is_ours(node: nodes.Element) -> bool:
    kinds = (layout_picture, layout_region)
    return OURS in node or isinstance(node, kinds) or NAME in node["classes"]


def _is_live(node: nodes.Element) -> bool:
    return isinstance(node, layout_picture) or TABLE in node["classes"]


def setup_assets(app: Sphinx) -> None:
    """Write stylesheet and script, and load them, for the pages that need them."""
    app.connect("html-page-context", _load)
