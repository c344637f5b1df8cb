"""reStructuredText as text: escaping, headings, tables.  Markup is a string type of its own."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from markupsafe import Markup as Rst

__all__ = [
    "Rst",
    "code",
    "escape",
    "fill",
    "heading",
    "link",
    "list_table",
    "math",
    "math_block",
    "merge",
    "one_line",
    "prose",
]

_BREAKABLE = re.compile(r"[^\S\u00a0\u202f]+")
"""White space but spaces that do not break: docutils takes more characters for ends of lines."""

_SPECIAL = re.compile(r"[\\*`|]|_(?![^\W_])")
_LETTERS = "A-Za-z0-9.+-"
_SCHEME = re.compile(
    rf"(?<![{_LETTERS}])(?=[0-9.+-]*[A-Za-z])([{_LETTERS}]+):(?=\S|$)"  # in linear time
)
"""What docutils could take for the beginning of an address, such as ``https:``."""
_MAIL = re.compile(r"(?<=\S)@(?=\S)")
_ENUMERATOR = re.compile(r"^(\(?(?:[A-Za-z]|[0-9]+|[ivxlcdmIVXLCDM]+|#))([.)])(?=\s|$)")


def escape(text: object) -> Rst:
    """Return `text` so that it is read as itself; markup (:class:`Rst`) stays as it is.

    Inline markup, substitutions, references and bare addresses lose their meaning, and so does
    what would make a list, a field, a directive or a literal block of a paragraph.  White space is
    joined.
    """
    if isinstance(text, Rst):
        return text
    found = _SPECIAL.sub(r"\\\g<0>", _one_line(str(text)))
    found = _MAIL.sub(r"\@", _SCHEME.sub(r"\1\:", found))
    found = _ENUMERATOR.sub(r"\1\\\2", found)
    if found and not found.strip("\\"):
        found = f"\\ {found}"  # a line of backslashes alone would be a transition
    elif found and not found[0].isalnum() and found[0] != "\\":
        found = f"\\{found}"
    return Rst(found.replace("::", ":\\:"))


_POWER = re.compile(r"(?<![\w^])(\w+)\^(\w+)(?![\w^])(?=(\s|$)?)")


def prose(text: object) -> Rst:
    """Return text of a specification, in which ``2^cbsz`` stands for a power."""
    return Rst(_POWER.sub(_power, str(escape(text))))


def _power(found: re.Match[str]) -> str:
    end = "" if found[3] is not None else r"\ "
    return rf"{found[1]}\ :sup:`{found[2]}`{end}"


def one_line(text: object) -> Rst:
    """Return `text` unescaped on one line, for places that RST does not read as markup."""
    return Rst(_one_line(str(text)))


def code(text: str) -> Rst:
    """Return `text` as an inline literal; where it cannot be one, as escaped text."""
    text = _one_line(text)
    return escape(text) if "`" in text or not text else Rst(f"``{text}``")


def math(latex: str) -> Rst:
    """Return an inline formula."""
    return Rst(f":math:`{latex}`")


def math_block(rows: Iterable[tuple[str, str]]) -> Rst:
    """Return a formula of several rows, ``left = right`` each, aligned at the equals sign."""
    lines = " \\\\\n".join(f"   {left} &= {right}" for left, right in rows)
    return Rst(f".. math::\n\n{lines}\n")


def fill(pattern: str, **parts: object) -> Rst:
    """Return markup with names in braces replaced by `parts`, which are escaped."""
    return Rst(pattern.format_map({name: escape(part) for name, part in parts.items()}))


_OPENING = re.compile(r"(\\.)|<")


def link(role: str, title: object, target: str) -> Rst:
    """Return a reference with a title of its own."""
    shown = _OPENING.sub(lambda found: found[1] or r"\<", str(escape(title)))
    return Rst(f":{role}:`{shown} <{target}>`")


def heading(text: object, underline: str) -> Rst:
    """Return a section title."""
    title = escape(text)
    return Rst(f"{title}\n{underline * max(3, len(title))}")


def list_table(
    header: Sequence[object],
    rows: Iterable[Sequence[object]],
    title: object = "",
    classes: str = "",
) -> Rst:
    """Return a table; every cell is one line of text, or markup."""
    lines = [f".. list-table:: {escape(title)}".rstrip(), "   :header-rows: 1", "   :widths: auto"]
    if classes:
        lines.append(f"   :class: {classes}")
    lines.append("")
    for row in (header, *rows):
        lines += [
            f"   {'* -' if n == 0 else '  -'} {escape(cell)}".rstrip() for n, cell in enumerate(row)
        ]
    return Rst("\n".join(lines) + "\n")


def merge(parts: Iterable[object], glue: str = ", ", last: str = " and ") -> Rst:
    """Return an enumeration: ``a, b and c``."""
    items = [escape(part) for part in parts]
    if len(items) < 2:
        return Rst("".join(items))
    return Rst(f"{glue.join(items[:-1])}{last}{items[-1]}")


def _one_line(text: str) -> str:
    return _BREAKABLE.sub(" ", text).strip()
