"""Pages read back: reStructuredText through docutils, cut into parts in order of the page.

Sphinx's directives and roles stand for their content here; a part keeps its section and its line.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar, TypeAlias

from docutils import nodes
from docutils.core import publish_doctree
from docutils.parsers.rst import Directive, directives, roles


@dataclass(frozen=True)
class Cell:
    """The text of one table cell, and its line; `link` is what its first reference leads to."""

    text: str
    line: int
    link: str = ""


@dataclass(frozen=True)
class Table:
    """A table with its caption, its classes, and its rows below the header."""

    caption: str
    classes: tuple[str, ...]
    header: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    section: tuple[str, ...]
    line: int


@dataclass(frozen=True)
class Formula:
    """A displayed formula, as LaTeX."""

    latex: str
    section: tuple[str, ...]
    line: int


@dataclass(frozen=True)
class Figure:
    """A figure: the address of its file, alternative text and caption."""

    uri: str
    alt: str
    caption: str
    section: tuple[str, ...]
    line: int


@dataclass(frozen=True)
class Request:
    """A figure that the build draws: of which instruction and operand, how, with its texts."""

    instruction: str
    options: Mapping[str, str]
    caption: str
    section: tuple[str, ...]
    line: int


@dataclass(frozen=True)
class Signature:
    """The declaration of a C function, from its directive or from a block of code."""

    text: str
    section: tuple[str, ...]
    line: int


@dataclass(frozen=True)
class Paragraph:
    """A paragraph, list item or term; formulas within it stand as LaTeX."""

    text: str
    section: tuple[str, ...]
    line: int
    links: tuple[str, ...] = ()


Part: TypeAlias = Table | Formula | Figure | Request | Signature | Paragraph


@dataclass(frozen=True)
class Page:
    """A page: its file and its parts."""

    path: Path
    parts: tuple[Part, ...]

    def where(self, line: int) -> str:
        """Return a place on the page: ``gfx908/f32-32x32x1f32.rst:120``."""
        return f"{self.path}:{line}"


@lru_cache(maxsize=64)
def read_page(path: Path, shown: Path) -> Page:
    """Return the parts of the page in `path`; findings name it as `shown`."""
    return parse_page(shown, path.read_text(encoding="utf-8"))


def parse_page(path: Path, text: str) -> Page:
    """Return the parts of a page with this text."""
    settings = {
        "report_level": 5,
        "halt_level": 5,
        "file_insertion_enabled": False,
        "raw_enabled": False,
        "doctitle_xform": False,
        "syntax_highlight": "none",
        "_disable_config": True,
    }
    with _stand_ins():
        document = publish_doctree(text, source_path=str(path), settings_overrides=settings)
    return Page(path, tuple(_parts(document, ())))


def _parts(node: nodes.Element, section: tuple[str, ...]) -> Iterator[Part]:
    inner = section
    for child in node.children:
        if not isinstance(child, nodes.Element):
            continue
        match child:
            case nodes.title():
                inner = (*section, child.astext())
            case nodes.section():
                yield from _parts(child, inner)
            case nodes.table():
                yield _table(child, inner)
            case nodes.math_block():
                yield Formula(child.astext(), inner, _line(child))
            case nodes.figure():
                yield _figure(child, inner)
            case nodes.container() if "request" in child:
                caption = " ".join(p.astext() for p in child.findall(nodes.paragraph))
                instruction, options = child["request"]
                yield Request(instruction, options, caption, inner, _line(child))
            case nodes.literal_block():
                yield Signature(child.astext(), inner, _line(child))
            case nodes.rubric():
                inner = (*section, child.astext())
            case nodes.paragraph() | nodes.term():
                yield Paragraph(_text(child), inner, _line(child), _links(child))
            case nodes.comment() | nodes.meta() | nodes.target() | nodes.substitution_definition():
                pass
            case _:
                yield from _parts(child, inner)


def _table(node: nodes.table, section: tuple[str, ...]) -> Table:
    caption = next((t.astext() for t in node.findall(nodes.title)), "")
    head, body = next(node.findall(nodes.thead), None), next(node.findall(nodes.tbody))
    header = tuple(e.astext() for e in head.findall(nodes.entry)) if head is not None else ()
    rows = tuple(
        tuple(Cell(_text(e), _line(e), next(iter(_links(e)), "")) for e in row.findall(nodes.entry))
        for row in body.findall(nodes.row)
    )
    line = min((cell.line for row in rows for cell in row), default=_line(node))
    return Table(caption, tuple(node["classes"]), header, rows, section, line)


def _figure(node: nodes.figure, section: tuple[str, ...]) -> Figure:
    image = next(node.findall(nodes.image))
    caption = next((c.astext() for c in node.findall(nodes.caption)), "")
    return Figure(image["uri"], image.get("alt", ""), caption, section, _line(node) or _line(image))


def _line(node: nodes.Element) -> int:
    """Return the first line that this node or one below it knows."""
    for each in node.findall():
        if (line := each.line) is not None:
            return line
    parent = node.parent
    while parent is not None:
        if parent.line is not None:
            return int(parent.line)
        parent = parent.parent
    return 0


def _text(node: nodes.Element) -> str:
    """Return the text on one line, a superscript as ``^x``."""
    raised = list(node.findall(nodes.superscript))
    for each in raised:
        each.insert(0, nodes.Text("^"))
    text = " ".join(node.astext().split())
    for each in raised:
        each.pop(0)
    return text


def _links(node: nodes.Element) -> tuple[str, ...]:
    return tuple(str(n["target"]) for n in node.findall(nodes.inline) if n.get("target"))


# --- Sphinx's markup, as far as pages use it --------------------------------------------------


class _Through(Directive):
    """A directive whose content is read as part of the page."""

    has_content = True
    optional_arguments = 100
    final_argument_whitespace = True
    option_spec: ClassVar[Any] = None

    def run(self) -> list[nodes.Node]:
        container = nodes.container()
        self.state.nested_parse(self.content, self.content_offset, container)
        return [container]


class _Function(_Through):
    """``c:function``: its argument is a signature."""

    option_spec: ClassVar[Any] = dict.fromkeys(
        ("no-index", "noindex", "no-contents-entry", "no-index-entry", "no-typesetting"),
        directives.flag,
    )

    def run(self) -> list[nodes.Node]:
        block = nodes.literal_block("", " ".join(self.arguments))
        block.line = self.lineno
        block["classes"].append("signature")
        return [block, *super().run()]


class _Described(_Through):
    """``lg:builtin``: an object of the domain; its argument is its name."""

    option_spec: ClassVar[Any] = _Function.option_spec


class _Asked(_Through):
    """``layout-figure``: a figure that is drawn when the site is built."""

    option_spec: ClassVar[Any] = dict.fromkeys(
        ("operand", "view", "title", "loading", "align", "alt", "name", "class", "width",
         "cbsz", "abid", "blgp", "neg", "op_sel_a", "op_sel_b"),
        directives.unchanged,
    )  # fmt: skip

    def run(self) -> list[nodes.Node]:
        container = nodes.container()
        self.state.nested_parse(self.content, self.content_offset, container)
        container["request"] = (" ".join(self.arguments), dict(self.options))
        container.line = self.lineno
        return [container]


class _Nothing(Directive):
    """A directive without anything to read."""

    has_content = True
    optional_arguments = 100
    final_argument_whitespace = True
    option_spec: ClassVar[Any] = dict.fromkeys(
        ("hidden", "maxdepth", "titlesonly", "glob", "caption"), directives.unchanged
    )

    def run(self) -> list[nodes.Node]:
        return []


def _reference(
    name: str, rawtext: str, text: str, lineno: int, inliner: Any, options: Any = None,
    content: Any = None,
) -> tuple[list[nodes.Node], list[nodes.system_message]]:  # fmt: skip
    """A role whose text is shown; ``title <target>`` shows the title."""
    shown, target = text, text
    if text.endswith(">") and " <" in text:
        shown, target = text[:-1].rsplit(" <", 1)
    return [nodes.inline(rawtext, shown.replace("\x00", ""), target=target)], []


_DIRECTIVES: dict[str, Any] = {
    "c:function": _Function,
    "layout-figure": _Asked,
    **dict.fromkeys(("lg:builtin", "lg:instruction"), _Described),
    **dict.fromkeys(
        ("c:type", "grid", "grid-item-card", "tab-set", "tab-item", "dropdown"), _Through
    ),
    **dict.fromkeys(("toctree", "index", "currentmodule", "only", "layoutgen"), _Nothing),
}
_ROLES = ("ref", "doc", "any", "numref", "c:func", "c:type", "py:func", "term", "download")


@contextmanager
def _stand_ins() -> Iterator[None]:
    """Put stand-ins into docutils' registries, and take them out again."""
    known: dict[str, Any] = vars(directives)["_directives"]
    named: dict[str, Any] = vars(roles)["_roles"]
    kept = [(registry, dict(registry)) for registry in (known, named)]
    known.update(_DIRECTIVES)
    named.update(dict.fromkeys(_ROLES, _reference))
    try:
        yield
    finally:
        for registry, before in kept:
            registry.clear()
            registry.update(before)
