"""Before a document is written: figures as the builder needs them.

HTML keeps them, or gets files; EPUB and LaTeX get files; all others get tables.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Literal

from docutils import nodes
from sphinx import addnodes
from sphinx.transforms.post_transforms import SphinxPostTransform

from layoutgen.sphinx.domain import LayoutDomain, layout_domain
from layoutgen.sphinx.entries import ANCHOR
from layoutgen.sphinx.files import FILES, FileType, draw, remove_stale
from layoutgen.sphinx.fragments import LEVEL, OURS
from layoutgen.sphinx.pictures import (
    SIZE,
    TABLE,
    Drawn,
    alternative,
    layout_group,
    layout_picture,
    layout_region,
)
from layoutgen.sphinx.problems import listing, warn
from layoutgen.sphinx.substitutes import substitutes

if TYPE_CHECKING:
    from sphinx.application import Sphinx

_COPIED = ("align", "width", "height", "scale", "classes")
_WITHOUT_STYLE = ("json", "pickle")
HIGHEST = 6
LOADING = {"inline": "embed", "image": "link"}
"""What the option of a figure is called that does what the setting says."""
NARROW = 400
"""A picture up to so many pixels wide shrinks to the width of a phone; a wider one scrolls.  Text
has room beside it on larger screens.
"""
NARROWEST = {"": NARROW, "px": NARROW, "em": NARROW / 16, "rem": NARROW / 16, "%": 50}
"""The same in the units whose size on a page is known."""
_LENGTH = re.compile(rf"(\d+(?:\.\d+)?)({'|'.join(NARROWEST)})")


class PlacePictures(SphinxPostTransform):
    """Puts in the place of every figure what the builder can show."""

    default_priority = 5  # before Sphinx looks for images to copy and to convert

    def run(self, **kwargs: Any) -> None:
        """Go through the figures of one document, and its generated headings."""
        for rubric in self.document.findall(nodes.rubric):
            if LEVEL in rubric:
                rubric["heading-level"] = min(_depth(rubric) + rubric[LEVEL], HIGHEST)
        domain = layout_domain(self.env)
        if domain.builder.format == "html" and not _embedded(domain):
            _wrap_tables(self.document)
            for figure in self.document.findall(nodes.figure):
                _keep_room(figure, domain)
        figures = [f for f in self.document.findall(nodes.figure) if any(f.findall(layout_picture))]
        files = domain.images.setdefault(self.env.docname, set())
        for serial, node in enumerate(list(self.document.findall(layout_picture)), 1):
            way = _way(domain, node)
            if way == "keep":
                node["serial"] = serial
            elif way == "table":
                node.replace_self(substitutes(node, domain, cell=_in_cell(node)))
            else:
                drawn = draw(node.picture, way, domain)
                files.add(drawn.path.name)
                if way == "pdf":
                    _tell_of_signs(node, domain)
                node.replace_self(self._shown(node, drawn, way, domain))
        if domain.builder.format == "man":
            _lift_titles(self.document)
            _open(figures)
        if domain.builder.format == "html":
            _group(figures)

    def _shown(
        self, node: layout_picture, drawn: Drawn, way: FileType, domain: LayoutDomain
    ) -> nodes.Element:
        image = self._image(node, drawn, way)
        if domain.builder.format != "html" or _embedded(domain):
            return image
        # With a width Sphinx makes the image a link to its file, too.
        image.setdefault("width", f"{drawn.width:g}px")
        if drawn.width <= NARROW:
            image["classes"].append("layoutgen-narrow")
        label = node.get("alt") or drawn.title
        return layout_region("", image, classes=["layoutgen-linked"], role="region", label=label)

    def _image(self, node: layout_picture, drawn: Drawn, way: FileType) -> nodes.image:
        uri = str(drawn.path)
        image = nodes.image("", uri=uri, candidates={FILES[way]: uri}, alt=alternative(node, drawn))
        image[SIZE] = (drawn.width, drawn.height)
        for name in _COPIED:
            if name in node:
                image[name] = node[name]
        image["classes"] = [*image["classes"], "layoutgen-image", "dark-light"]
        self.env.images.add_file(self.env.docname, uri)
        return image


def _wrap_tables(document: nodes.document) -> None:
    """Give every table of the extension a region of its own, which scrolls on a phone."""
    for table in [t for t in document.findall(nodes.table) if OURS in t]:
        region = layout_region(classes=[TABLE], role="group", label=_name(table))
        table.parent.replace(table, region)  # replace_self() would copy the ids
        region += table


def _name(table: nodes.table) -> str:
    """Return the title of a table, or what stands at the heads of its columns."""
    titles = [title.astext() for title in table.children if isinstance(title, nodes.title)]
    heads = [cell.astext() for head in table.findall(nodes.thead) for cell in head[0].children]
    return next(iter(titles), ", ".join(filter(None, heads)))


class TakeCopiedIds(SphinxPostTransform):
    """Takes the ids off what a theme has put round a table or an equation of the extension: Furo
    copies them there, and an id stands on a page once.
    """

    default_priority = 600  # after Furo's own

    def run(self, **kwargs: Any) -> None:
        """Go through one document."""
        for node in self.document.findall(nodes.Element):
            if OURS in node and isinstance(node.parent, nodes.container):
                ids = node.parent["ids"]
                node.parent["ids"] = [name for name in ids if name not in node["ids"]]


class KeepFirstAnchors(SphinxPostTransform):
    """Leaves the anchor of a C function to its first description, where all pages become one: the
    same builtin may be described for several architectures.
    """

    default_priority = 600
    builders = ("singlehtml",)

    def run(self, **kwargs: Any) -> None:
        """Go through the whole document."""
        seen: set[str] = set()
        for signature in self.document.findall(addnodes.desc_signature):
            ids = signature["ids"]
            signature["ids"] = [i for i in ids if i not in seen or not i.startswith(ANCHOR)]
            seen.update(ids)


def _lift_titles(document: nodes.document) -> None:
    """Put the titles of the extension's tables in front of them: a title inside of a table is one
    of the page to docutils' writer of man pages.
    """
    for table in [t for t in document.findall(nodes.table) if OURS in t]:
        for title in list(table.findall(nodes.title)):
            table.remove(title)
            lifted = nodes.paragraph("", "", nodes.strong("", "", *title.children))
            table.parent.insert(table.parent.index(table), lifted)


def _tell_of_signs(node: layout_picture, domain: LayoutDomain) -> None:
    from layoutgen.figures.pdf import unfit

    if signs := unfit(domain.library.scene(node.picture)):
        warn("font", f"a PDF file cannot show {listing(signs)} in a title: use other words", node)


def _in_cell(node: nodes.Node) -> bool:
    """Tell whether a figure stands in a cell of a table."""
    parent: nodes.Node | None = node.parent
    while parent is not None and not isinstance(parent, nodes.entry):
        parent = parent.parent
    return parent is not None


def _open(figures: Iterable[nodes.figure]) -> None:
    """Put what figures hold in their place: docutils' writer of man pages runs the caption into the
    table above, and what comes next into the caption.
    """
    for figure in figures:
        found: list[nodes.Node] = []
        for child in figure.children:
            if isinstance(child, nodes.caption):
                found.append(nodes.paragraph("", "", nodes.emphasis("", "", *child.children)))
            else:
                found += child.children if isinstance(child, nodes.legend) else [child]
        figure.replace_self(found)


def _group(figures: Iterable[nodes.figure]) -> None:
    """Make the pictures of a figure without a caption one child: docutils takes the second child
    for a caption, and closes it.
    """
    for figure in figures:
        if not any(isinstance(child, nodes.caption) for child in figure.children):
            pictures = figure.children
            figure.clear()
            figure += layout_group("", *pictures)


def _keep_room(figure: nodes.figure, domain: LayoutDomain) -> None:
    """Mark a figure at a side of the page that leaves no room for text beside it."""
    pictures = list(figure.findall(layout_picture))
    if not pictures or figure.get("align") not in ("left", "right"):
        return
    widths = [figure["width"]] if "width" in figure else [_width(p, domain) for p in pictures]
    if not all(_is_narrow(width) for width in widths):
        figure["classes"].append("layoutgen-wide")


def _width(node: layout_picture, domain: LayoutDomain) -> str:
    """Return the width of a picture on the page; per cent keep the text of a wide one legible."""
    width = str(node.get("width", "%"))
    return f"{domain.library.scene(node.picture).width:g}" if width.endswith("%") else width


def _is_narrow(width: str) -> bool:
    found = _LENGTH.fullmatch(width)
    return found is not None and float(found[1]) <= NARROWEST[found[2]]


def _embedded(domain: LayoutDomain) -> bool:
    """Tell whether pages go into something that has neither our style nor our script: EPUB, help
    systems, data.
    """
    builder: Any = domain.builder
    return bool(builder.embedded) or builder.name in _WITHOUT_STYLE


def _way(domain: LayoutDomain, node: layout_picture) -> Literal["keep", "table"] | FileType:
    """Return what a figure needs in this run.

    What is kept is written into the page, or (gettext) read for its texts.
    """
    builder: Any = domain.builder
    if builder.name == "gettext":
        return "keep"
    if builder.format not in ("html", "latex"):
        return "table"
    inline = node.get("loading") or LOADING[domain.settings.html_figures]
    if builder.format == "html" and inline == "embed" and not _embedded(domain):
        return "keep"
    shown = (kind for kind, mimetype in FILES.items() if mimetype in builder.supported_image_types)
    return next(shown, "table")


def _depth(node: nodes.Node) -> int:
    depth = 0
    while (parent := node.parent) is not None:
        depth += isinstance(parent, nodes.section)
        node = parent
    return depth


def setup_images(app: Sphinx) -> None:
    """Register the transforms, and the removal of stale files."""
    app.add_post_transform(PlacePictures)
    app.add_post_transform(TakeCopiedIds)
    app.add_post_transform(KeepFirstAnchors)
    app.connect("build-finished", remove_stale)
