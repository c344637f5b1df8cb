"""Text that is read as itself in a cell of a Markdown, RST or AsciiDoc table.

Only what would be markup is escaped, so that names such as ``v_mfma_f32_4x4x1f32`` and ``D[5][3]``
stay as they are.  A cell has no line breaks.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable

_PAIRS = re.compile(r"[*`~$#^+]|(?<![^\W_])_+|_+(?!\w)|__+")
"""Marks that take two to mean something; one underscore inside a word is none."""

_MARKDOWN = re.compile(r"\\(?=[!-/:-@\[-`{-~])|\||<(?=[A-Za-z/!?])|&(?=#?\w+;)|(?<=\])\(")
_MARKDOWN_PAIRS = "*`~$_"

_RST = re.compile(r"[\\`]|(?<![^\W_])[*|]|_+(?!\w)|(?<=:):")
_RST_BLOCK = re.compile(
    r"[-*+\u2022\u2023\u2043](?:\s|$)|[-+][A-Za-z0-9](?![0-9.])|--[A-Za-z0-9]|/[A-Z]|\+[-=]"
    r"|:|\.\.(?:\s|$)|>{3}"
)
_RST_ADDRESS = re.compile(
    r"(?<![A-Za-z0-9.+-])(?=[A-Za-z0-9.+-]*?[A-Za-z]{2})[A-Za-z0-9.+-]+:(?=\S)|(?<=\S)@(?=\S)"
)
"""Ends with what makes an address of plain text; ``v0:1`` is none."""
_RST_ENUMERATOR = re.compile(r"\(?(?:[A-Za-z]|[0-9]+|[ivxlcdmIVXLCDM]+|#)([.)])(?=\s|$)")

_MACROS = (
    *("link", "xref", "image", "icon", "kbd", "btn", "menu", "pass", "stem", "math", "mailto"),
    *("footnote", "footnoteref", "indexterm", "indexterm2", "anchor"),
)
_ASCIIDOC = re.compile(
    r"\\(?=\S)|\||&(?=#?\w+;)|\{(?=\w)|\[(?=\[)|\((?=\(|(?:C|R|TM)\))|<(?=[-<=])|(?<=[-=])>"
    r"|-(?=-)|\.(?=\.\.)|^=|(?<= )\+$|:(?=//)|(?<=\S)@(?=\S)|"
    + "|".join(f"(?<={name}):" for name in _MACROS)
)
_ASCIIDOC_PAIRS = "*`~$#^+_"


def markdown(text: str) -> str:
    """Return `text` for a cell of a GitHub-flavoured table."""
    return _written(text, _places(text, _MARKDOWN) | _pairs(text, _MARKDOWN_PAIRS), _backslash)


def rst(text: str) -> str:
    """Return `text` for a cell of a table of reStructuredText; an empty one is a backslash."""
    text = text.strip()
    if not text.strip("\\ "):
        # An empty first cell would go on with the row above, backslashes alone be a transition.
        return "\\" if not text else "\\ " + _written(text, _places(text, _RST), _backslash)
    places = _places(text, _RST) | {found.end() - 1 for found in _RST_ADDRESS.finditer(text)}
    if _RST_BLOCK.match(text) or not any(map(str.isalnum, text)):
        places.add(0)
    if found := _RST_ENUMERATOR.match(text):
        places.add(found.start(1))
    return _written(text, places, _backslash)


def asciidoc(text: str) -> str:
    """Return `text` for a cell of an AsciiDoc table.

    A backslash is only taken away where markup follows it, so characters are named by number.
    """
    text = text.strip()
    places = _places(text, _ASCIIDOC) | _pairs(text, _ASCIIDOC_PAIRS)
    return _written(text, places, lambda mark: f"&#{ord(mark)};")


def _places(text: str, marks: re.Pattern[str]) -> set[int]:
    return {n for found in marks.finditer(text) for n in range(*found.span())}


def _pairs(text: str, marks: str) -> set[int]:
    """Return where marks stand that have a partner in `text`."""
    found = [run for run in _PAIRS.finditer(text) if run[0][0] in marks]
    count = Counter(run[0][0] for run in found)
    return {n for run in found if count[run[0][0]] > 1 for n in range(*run.span())}


def _written(text: str, places: set[int], write: Callable[[str], str]) -> str:
    if not places:
        return text
    return "".join(write(c) if n in places else c for n, c in enumerate(text))


def _backslash(mark: str) -> str:
    return f"\\{mark}"
