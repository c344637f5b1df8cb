"""The documentation of this extension, from its own declarations; for the project's own site.

``layoutgen-example`` shows a piece of reStructuredText: what it gives, its source, and the same
in MyST.  The others print what :mod:`.config`, :mod:`.problems` and the directives declare.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import fields
from textwrap import indent
from typing import TYPE_CHECKING

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from layoutgen import __version__
from layoutgen.sphinx.config import PREFIX, Settings, default
from layoutgen.sphinx.directives import DIRECTIVES, OBJECTS
from layoutgen.sphinx.problems import DESCRIPTIONS

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.util.typing import ExtensionMetadata

_DIRECTIVE = re.compile(r"\.\. ([a-z:-]+)::(?: (.*))?")
_OPTION = re.compile(r"   (:[a-z-]+:.*)")
_ROLE = re.compile(r"(?<!`):([a-z]+(?::[a-z]+)*):`")


def to_myst(text: str) -> str:
    """Return reStructuredText made of paragraphs, roles and unnested directives as MyST."""
    return "\n".join(_myst_lines(text.splitlines())).rstrip("\n") + "\n"


def _myst_lines(lines: list[str]) -> Iterator[str]:
    inside = False
    blank = 0
    for line in lines:
        if not line.strip():
            blank += 1
            continue
        if inside and not line.startswith("   "):
            yield "```"
            inside = False
        yield from [""] * blank
        blank = 0
        if opened := _DIRECTIVE.fullmatch(line):
            inside = True
            yield f"```{{{opened[1]}}} {opened[2] or ''}".rstrip()
        elif inside and (option := _OPTION.fullmatch(line)):
            yield option[1]
        else:
            yield _ROLE.sub(r"{\1}`", line.removeprefix("   ") if inside else line)
    if inside:
        yield "```"


class Example(SphinxDirective):
    """Shows its content as it looks, and its source in both markups."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        """Return what the content gives, and the two sources under tabs."""
        source = "\n".join(self.content)
        tabs = (("reStructuredText", "rst", source), ("MyST", "markdown", to_myst(source)))
        text = ".. tab-set::\n\n" + "".join(
            f"   .. tab-item:: {title}\n\n      .. code-block:: {language}\n\n"
            f"{indent(code, ' ' * 9)}\n\n"
            for title, language, code in tabs
        )
        return [*self.parse_content_to_nodes(), *self.parse_text_to_nodes(text)]


class Generated(SphinxDirective):
    """Prints what the extension declares."""

    optional_arguments = 1

    def text(self) -> str:
        """Return reStructuredText."""
        raise NotImplementedError

    def run(self) -> list[nodes.Node]:
        """Return the text as nodes."""
        return self.parse_text_to_nodes(self.text())


class SettingsList(Generated):
    """Prints the values of ``conf.py``."""

    def text(self) -> str:
        """Return an entry for each value."""
        return "\n".join(
            f".. confval:: {PREFIX}{f.name}\n   :type: {f.metadata['type']}\n"
            f"   :default: ``{default(f)!r}``\n\n   {f.metadata['description']}\n"
            for f in fields(Settings)
        )


class OptionList(Generated):
    """Prints the options of the directive that its argument names."""

    def text(self) -> str:
        """Return a table of options."""
        directive = {**DIRECTIVES, **{f"lg:{n}": d for n, d in OBJECTS.items()}}[self.arguments[0]]
        rows = ((f"``:{n}:``", o.takes, o.about) for n, o in directive.options_declared.items())
        return _table(("Option", "Takes", "What it does"), rows)


class WarningList(Generated):
    """Prints the kinds of warnings."""

    def text(self) -> str:
        """Return a table of subtypes."""
        rows = ((f"``layoutgen.{name}``", text) for name, text in DESCRIPTIONS.items())
        return _table(("Warning", "What it says"), rows)


def _table(header: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    lines = [".. list-table::", "   :header-rows: 1", "   :widths: auto", ""]
    for row in (header, *rows):
        lines += [f"   {'  -' if n else '* -'} {cell}" for n, cell in enumerate(row)]
    return "\n".join(lines) + "\n"


def setup(app: Sphinx) -> ExtensionMetadata:
    """Register the directives."""
    app.add_directive("layoutgen-example", Example)
    app.add_directive("layoutgen-settings", SettingsList)
    app.add_directive("layoutgen-options", OptionList)
    app.add_directive("layoutgen-warnings", WarningList)
    return {"version": __version__, "parallel_read_safe": True, "parallel_write_safe": True}
