"""What a text looks like before it is read: a table written out, a path, or another format."""

from __future__ import annotations

import re
from pathlib import Path

from layoutgen.comparison.cute_text import is_cute

READ = (
    "CSV, JSON, a Markdown table or aligned columns, bases of a linear layout, "
    "and a CuTe layout are read"
)
"""The formats there are, for a text that is of another one."""

_ATTRIBUTE = re.compile(r"(?:#\w+\s*=\s*)?#\w+\.\w+\s*<|\{\s*(?:register|reg|lane|warp|block)\s*=")
_MARKUP = re.compile(r"<[a-z!?]", re.IGNORECASE)
_HTML = re.compile(r"<(?:!doctype html|html|head|body|table|thead|tbody|tr|div|p|pre)\b", re.I)
_ASCIIDOC = re.compile(r"^[|,:!]={3,}\s*$", re.MULTILINE)
_PATH = re.compile(r"(?![(\[{<#])(?:[^\n,;|]*[/\\][^\n,;|]*|[^\s,;|]+\.[A-Za-z]\w{0,9})")


def is_attribute(text: str) -> bool:
    """Tell whether `text` begins as an attribute of MLIR, with its ``#ttg.linear<`` or without."""
    return _ATTRIBUTE.match(text) is not None


def is_written_out(text: str) -> bool:
    """Tell whether `text`, an argument, is a layout itself; a file of such a name goes first."""
    bare = text.strip()
    layout = bare.startswith("(") or is_cute(bare) or is_attribute(bare)
    return layout and not is_there(text)


def is_path(text: str) -> bool:
    """Tell whether `text`, which is no table, looks like the path of a file."""
    return _PATH.fullmatch(text.strip()) is not None


def is_there(text: str) -> bool:
    """Tell whether `text` is the path of something; a layout may be too long to be a path."""
    try:
        return Path(text).exists()
    except OSError:
        return False


def other_format(text: str) -> str:
    """Return the format of `text` if it is one that is not read, else nothing."""
    if _MARKUP.match(text):
        return "HTML" if _HTML.match(text) else "XML"
    return "AsciiDoc" if _ASCIIDOC.search(text) else ""
