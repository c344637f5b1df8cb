"""Generated reStructuredText as nodes, in a page of any markup.

The pages of the reference and the directives share their texts: templates and functions of
:mod:`layoutgen.pages` that give reStructuredText.  Here it is read apart from the page around it,
so that the page may be Markdown and its own roles, labels and headings stay out of it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from copy import copy
from functools import cache
from itertools import chain, count
from typing import TYPE_CHECKING, Any

from docutils import nodes
from docutils.frontend import get_default_settings
from docutils.parsers.rst import Parser, states
from docutils.statemachine import string2lines
from docutils.utils import new_document
from sphinx import addnodes
from sphinx.util.docutils import LoggingReporter
from sphinx.util.nodes import make_id

if TYPE_CHECKING:
    from sphinx.environment import BuildEnvironment

OPTIONAL = "layoutgen_optional"
"""Marks a reference in generated text: without a target its text stays, and no warning comes."""

LEVEL = "layoutgen_level"
"""Marks a heading that is so many levels below the section that it stands in."""

OURS = "layoutgen"
"""Marks tables and descriptions that the extension made: its stylesheet keeps them on the page."""

TAB_WIDTH = 8
_WORD = re.compile(r"[^\W\d_]{2}")


def parse(text: str, env: BuildEnvironment, source: str, line: int) -> list[nodes.Element]:
    """Return `text` as nodes that claim to stand at `line` of `source`."""
    settings = copy(_settings())
    settings.env = env
    document = new_document(source, settings)
    document.reporter = LoggingReporter.from_reporter(document.reporter)
    document.reporter.report_level = 2
    machine = states.RSTStateMachine(state_classes=states.state_classes, initial_state="Body")
    machine.run(string2lines(text, TAB_WIDTH, convert_whitespace=True), document)
    for element in document.findall(nodes.Element):
        element.source, element.line = source, line
    for table in document.findall(nodes.table):
        table[OURS] = True
    leave_untranslated(document)
    return [node for node in document.children if isinstance(node, nodes.Element)]


def leave_untranslated(found: nodes.Element) -> None:
    """Keep from the translators what has no words: formulas, and cells of numbers and names."""
    for block in found.findall(nodes.math_block):
        block["translatable"] = False
    for cell in found.findall(nodes.entry):
        for text in cell.findall(nodes.paragraph):
            if not any(_WORD.search(part) for part in _prose(text)):
                text["translatable"] = False


def _prose(text: nodes.paragraph) -> Iterator[str]:
    """Yield the parts of a text that are no literals and no formulas."""
    for part in text.findall(nodes.Text):
        if not isinstance(part.parent, nodes.literal | nodes.math):
            yield str(part)


@cache
def _settings() -> Any:
    return get_default_settings(Parser)


def flatten(found: list[nodes.Element], level: int = 1) -> list[nodes.Element]:
    """Turn sections into headings outside of the table of contents: a directive has no sections."""
    flat: list[nodes.Element] = []
    for node in found:
        if isinstance(node, nodes.section):
            title, *rest = node.children
            assert isinstance(title, nodes.title), "a section begins with its title"
            rubric = nodes.rubric(title.rawsource, "", *title.children)
            rubric.source, rubric.line = node.source, node.line
            rubric[LEVEL] = level
            flat += [rubric, *flatten([n for n in rest if isinstance(n, nodes.Element)], level + 1)]
        else:
            if isinstance(node, nodes.rubric):
                node[LEVEL] = level
            flat.append(node)
    return flat


def take_labels(
    found: list[nodes.Element], env: BuildEnvironment, document: nodes.document
) -> dict[str, str]:
    """Take ids and names away, which could be on the page already; return the labels that were
    there, each with its new id.
    """
    labels: dict[str, str] = {}
    for top in found:
        for node in top.findall(nodes.Element):
            names = node["names"] if isinstance(node, nodes.target) else []
            for attribute in ("ids", "names", "dupnames"):
                node[attribute] = []
            for name in names:
                labels[name] = make_id(env, document, "", name)
                node["ids"].append(labels[name])
                document.set_id(node)
    return labels


def name_headings(found: list[nodes.Element], document: nodes.document, prefix: str) -> None:
    """Give each heading an address of its own on the page: its words after `prefix`."""
    for node in found:
        if isinstance(node, nodes.rubric):
            wanted = nodes.make_id(f"{prefix} {node.astext()}")
            numbered = (f"{wanted}-{n}" for n in count(2))
            free = (name for name in chain([wanted], numbered) if name not in document.ids)
            node["ids"].append(next(free))
            document.set_id(node)


def relax(found: list[nodes.Element]) -> None:
    """Mark all references as optional."""
    for top in found:
        for node in top.findall(addnodes.pending_xref):
            node[OPTIONAL] = True


def link_literals(
    found: list[nodes.Element], target: Callable[[str], tuple[str, str] | None]
) -> None:
    """Make links of the literals for which `target` gives a role and a name."""
    for top in found:
        for literal in list(top.findall(nodes.literal)):
            if isinstance(literal.parent, addnodes.pending_xref):
                continue
            if wanted := target(literal.astext()):
                literal.replace_self(reference(*wanted, literal.deepcopy()))


def reference(role: str, name: str, text: nodes.Node) -> addnodes.pending_xref:
    """Return an optional reference into the domain."""
    return addnodes.pending_xref(
        "",
        text,
        refdomain="lg",
        reftype=role,
        reftarget=name,
        refexplicit=True,
        refwarn=False,
        **{OPTIONAL: True},
    )
