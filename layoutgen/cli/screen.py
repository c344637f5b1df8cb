"""The width of the screen, and what is folded to it: sentences, lists and command lines."""

from __future__ import annotations

import os
import re
import shutil
import sys

WIDTH = 80
"""Columns where nobody tells how many there are: of a help text or a picture that is stored."""

ENDLESS = 1_000_000
"""Columns of a pipe and of a file: ``grep`` finds whole sentences there."""

LIST_GAP = re.compile(r"(?<=[^\s.:;]) {2,}(?=\S)")
"""What stands between a word of a list and what is said of it, and not between sentences."""


def width() -> int:
    """Return the columns of the terminal: those of ``COLUMNS``, its own, or 80 if there is none."""
    return shutil.get_terminal_size((WIDTH, 24)).columns if _told() else WIDTH


def _told() -> bool:
    """Whether there is somebody who tells the columns."""
    return bool(os.environ.get("COLUMNS") or (sys.stdout is not None and sys.stdout.isatty()))


def room() -> int:
    """Return the columns for sentences of an answer: in a pipe or a file they are not folded."""
    return width() if _told() else ENDLESS


def wrapped(
    label: str, text: str, indent: int | None = None, columns: int | None = None
) -> list[str]:
    """Return `text` behind `label`, folded; what follows is indented below the label's end.

    `indent` gives the spaces before the following lines another number, `columns` the width if it
    is not that of the screen.  A word is never broken.
    """
    import textwrap

    return textwrap.wrap(
        text,
        width=columns or width(),
        initial_indent=label,
        subsequent_indent=" " * (len(label) if indent is None else indent),
        break_long_words=False,
        break_on_hyphens=False,
    )


def answered(label: str, text: str, indent: int | None = None) -> list[str]:
    """Return a sentence of an answer behind `label`, folded as :func:`wrapped` folds, or not."""
    return wrapped(label, text, indent, room())


def filled(text: str) -> str:
    """Return paragraphs filled to the width; the rows of a list stay lines, with what they say."""
    return "\n\n".join("\n".join(_block(block)) for block in text.split("\n\n"))


def _block(block: str) -> list[str]:
    rows: list[tuple[str, str]] = []
    for line in block.splitlines():
        label, text = _row(line)
        if rows and _goes_on(rows[-1][0], label):
            rows[-1] = (rows[-1][0], f"{rows[-1][1]} {text}")
        else:
            rows.append((label, text))
    return [line for label, text in rows for line in wrapped(label, " ".join(text.split()))]


def _goes_on(before: str, label: str) -> bool:
    """Tell whether a line goes on with the row before: below what is said of it, or a sentence."""
    if label.strip():
        return False
    return len(label) >= len(before) if before.strip() else not before and not label


def _row(line: str) -> tuple[str, str]:
    """Return the word of a list, or the indentation, and what is said."""
    start = len(line) - len(line.lstrip())
    gap = LIST_GAP.search(line)
    end = gap.end() if gap else start
    return line[:end], line[end:]


def commands_folded(text: str) -> str:
    """Return examples of command lines, folded so that they can still be pasted into a shell."""
    return "\n".join(_command(line) for line in text.splitlines())


def _command(line: str) -> str:
    if len(line) <= width():
        return line
    indent = line[: len(line) - len(line.lstrip())]
    lines, current = [], indent
    for part in _parts(line):
        if current.strip() and len(current) + len(part) + len(" \\") > width():
            lines.append(f"{current}\\")
            current = f"{indent}    "
        current += f"{part} "
    return "\n".join([*lines, current.rstrip()])


def _parts(line: str) -> list[str]:
    """Return the words of a command line as they are quoted; an option keeps its argument."""
    import shlex

    parts: list[str] = []
    for word in map(shlex.quote, shlex.split(line)):
        if parts and parts[-1].startswith("-") and not word.startswith("-"):
            parts[-1] += f" {word}"
        else:
            parts.append(word)
    return parts
