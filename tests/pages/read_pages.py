"""Generated pages read back: tables and paragraphs by page, with docutils alone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from docutils import nodes
from docutils.core import publish_doctree
from docutils.parsers.rst import Directive, directives, roles

Row = dict[str, str]


@dataclass(frozen=True)
class Table:
    """A table: its title, its classes, its rows by the titles of their columns."""

    title: str
    classes: tuple[str, ...]
    rows: tuple[Row, ...]


class Through(Directive):
    """A directive whose content is a part of the page."""

    has_content = True
    optional_arguments = 100
    final_argument_whitespace = True

    class _Any(dict[str, Any]):
        def __missing__(self, name: str) -> Any:
            return directives.unchanged

    option_spec = _Any()

    def run(self) -> list[nodes.Node]:
        container = nodes.container()
        self.state.nested_parse(self.content, self.content_offset, container)
        return [container]


class Nothing(Through):
    """A directive that says nothing."""

    def run(self) -> list[nodes.Node]:
        return []


def _role(name: str, raw: str, text: str, *_: Any, **__: Any) -> Any:
    shown = text[:-1].rsplit(" <", 1)[0] if text.endswith(">") and " <" in text else text
    return [nodes.inline(raw, shown)], []


DIRECTIVES: dict[str, Any] = {
    **dict.fromkeys(("layout-figure", "lg:builtin", "lg:instruction", "c:type"), Through),
    **dict.fromkeys(("toctree", "literalinclude"), Nothing),
}
ROLES: dict[str, Any] = dict.fromkeys(("ref", "doc", "download"), _role)


@contextmanager
def stand_ins() -> Iterator[None]:
    """Know the names of Sphinx and of the extension for a while."""
    known = [(vars(directives)["_directives"], DIRECTIVES), (vars(roles)["_roles"], ROLES)]
    before = [(registry, dict(registry)) for registry, _ in known]
    for registry, added in known:
        registry.update(added)
    try:
        yield
    finally:
        for registry, kept in before:
            registry.clear()
            registry.update(kept)


@dataclass(frozen=True)
class Read:
    """A page as docutils reads it."""

    document: nodes.Element

    @property
    def tables(self) -> list[Table]:
        return [_table(node) for node in self.document.findall(nodes.table)]

    def table(self, kind: str) -> Table:
        return next(t for t in self.tables if kind in t.classes)

    def every(self, kind: str) -> list[Table]:
        return [t for t in self.tables if kind in t.classes]

    @property
    def words(self) -> str:
        return " ".join(plain(node) for node in self.document.findall(nodes.paragraph))

    def section(self, title: str) -> Read:
        found = next(
            s for s in self.document.findall(nodes.section) if s.children[0].astext() == title
        )
        return Read(found)


def plain(node: nodes.Node) -> str:
    return " ".join(node.astext().split()).replace("−", "-")


def _table(node: nodes.table) -> Table:
    title = next((t.astext() for t in node.findall(nodes.title)), "")
    lines = [[plain(cell) for cell in row.findall(nodes.entry)] for row in node.findall(nodes.row)]
    rows = tuple(dict(zip(lines[0], line, strict=True)) for line in lines[1:])
    return Table(title, tuple(node["classes"]), rows)


def read(text: str) -> Read:
    """Return a page; the markup must be sound but for names that Sphinx resolves."""
    settings = {"report_level": 3, "halt_level": 3, "_disable_config": True}
    with stand_ins():
        return Read(publish_doctree(text, settings_overrides=settings))


def numbers(text: str) -> Iterator[int]:
    """Yield the whole numbers in a text."""
    yield from map(int, re.findall(r"\d+", text))
