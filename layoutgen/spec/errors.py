"""What can be wrong with a specification, and how it is told.

Every problem is a :class:`Diagnostic` with a stable code; all problems of a run are told at once
by one :class:`SpecError`.  :data:`CODES` says what each code means.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

Code: TypeAlias = Literal[
    "spec-folder",
    "spec-file",
    "spec-too-large",
    "spec-too-many",
    "spec-encoding",
    "spec-character",
    "spec-empty",
    "spec-syntax",
    "spec-depth",
    "spec-documents",
    "spec-alias",
    "spec-tag",
    "spec-key",
    "spec-duplicate-key",
    "spec-ambiguous",
    "spec-no-value",
    "spec-kind",
    "spec-unknown-field",
    "spec-missing-field",
    "spec-type",
    "spec-value",
    "spec-repeated",
    "spec-redefined",
    "spec-unknown-name",
    "spec-digit-unknown",
    "spec-digit-twice",
    "spec-digit-unused",
    "spec-size",
    "spec-mnemonic",
    "spec-elements-per-lane",
    "spec-cycles",
    "spec-coexec",
    "spec-modifier",
    "spec-arguments",
    "spec-evidence",
    "spec-hazard",
    "spec-contradiction",
]

CODES: dict[Code, str] = {
    "spec-folder": "A folder of specifications is missing, is no folder or has no .yaml file.",
    "spec-file": "A file cannot be read: no regular file, no permission, a loop of links.",
    "spec-too-large": "A file is larger than any specification needs to be.",
    "spec-too-many": "A file has more problems than are listed; the rest is left out.",
    "spec-encoding": "A file is not UTF-8.",
    "spec-character": "A file holds a character that controls, is not seen or turns the writing.",
    "spec-empty": "A file holds no data, or comments only.",
    "spec-syntax": "A file is not YAML.",
    "spec-depth": "Lists and mappings are nested deeper than any specification needs.",
    "spec-documents": "A file holds more than one YAML document.",
    "spec-alias": "An anchor (&) or alias (*): a specification writes every value out.",
    "spec-tag": "A YAML tag (!): values have the type that their field asks for.",
    "spec-key": "A key that is no plain text, such as a number or a word that YAML reads as true.",
    "spec-duplicate-key": "A key stands twice in one mapping.",
    "spec-ambiguous": "A value that versions of YAML read differently: octal, base 60, yes, dates.",
    "spec-no-value": "A key or list entry without a value.",
    "spec-kind": "The first key of a file must say its kind.",
    "spec-unknown-field": "A field that this kind of mapping does not have.",
    "spec-missing-field": "A field that must be there is not.",
    "spec-type": "A value of the wrong type.",
    "spec-value": "A value of the right type that is not allowed.",
    "spec-repeated": "An entry stands twice in one list.",
    "spec-redefined": "A name is defined twice: folders can add to others, not replace.",
    "spec-unknown-name": "A name that is defined in no file.",
    "spec-digit-unknown": "A list names a digit that `digits` does not declare.",
    "spec-digit-twice": "A digit stands twice among the coordinates, or twice in lane and item.",
    "spec-digit-unused": "A digit is declared but not used, or used on one side only.",
    "spec-size": "Sizes of digits do not multiply to what they must: rows, columns, k, lanes.",
    "spec-mnemonic": "The name of an instruction does not follow the convention.",
    "spec-elements-per-lane": "A number of elements per lane with which blocks or k are not whole.",
    "spec-cycles": "Cycles are no multiple of a pass, which takes four, or not fewer when narrow.",
    "spec-coexec": "More cycles of co-execution than the instruction takes.",
    "spec-modifier": "A modifier that an operand cannot have, or without what it needs.",
    "spec-arguments": "Arguments of a builtin that are not the operands of its family.",
    "spec-evidence": "There are layouts that no evidence is about.",
    "spec-hazard": "Wait states that are not one for each number of passes.",
    "spec-contradiction": "A stated quantity differs from the one that follows from the rest.",
}
"""Every code and what it stands for."""

MAX_SHOWN = 160
"""Longer source lines are cut to about this many characters round the caret."""


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One problem: where it is (lines and columns count from 1), what it is, what would be right.

    `path` is the file as the user named it, `source_line` the text of the line, `hint` a further
    sentence or an empty string.
    """

    path: str
    line: int
    column: int
    code: Code
    message: str
    source_line: str = ""
    hint: str = ""

    @property
    def where(self) -> str:
        """The place as editors understand it: ``path:line:column``."""
        return f"{printable(self.path)}:{self.line}:{self.column}"

    def __str__(self) -> str:
        """Return the message with its place and code, the source line, a caret, and the hint."""
        report = [f"{self.where}: error: {printable(self.message)} [{self.code}]"]
        if self.source_line.strip():
            shown, before = _window(self.source_line, self.column - 1)
            report += [f"    {shown}", f"    {_blank(before)}^"]
        if self.hint:
            report.append(f"    {printable(self.hint)}")
        return "\n".join(report)


class SpecError(Exception):
    """Specifications that do not hold; ``str()`` is the complete report."""

    def __init__(self, diagnostics: tuple[Diagnostic, ...]) -> None:
        """Keep the problems in the order in which they are to be told."""
        super().__init__(diagnostics)
        self.diagnostics = diagnostics

    def __str__(self) -> str:
        """Return every problem of the run, one after another."""
        return "\n".join(str(d) for d in self.diagnostics)


def quoted(value: object, limit: int = 60) -> str:
    """Return `value` in single quotes, cut if it is long."""
    text = str(value)
    return f"'{text if len(text) <= limit else text[: limit - 1] + '…'}'"


def listed(names: list[str] | tuple[str, ...], last: str = "and") -> str:
    """Return names as a person lists them: ``a, b and c``."""
    return f" {last} ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))


def printable(text: str) -> str:
    """Return `text` with control characters as pictures and undecodable bytes escaped."""
    safe = text.encode("utf-8", "backslashreplace").decode("utf-8")
    return "".join(_picture(c) for c in safe)


def _picture(character: str) -> str:
    if character.isprintable() or character in "\t\xa0\u3000":
        return character
    return chr(0x2400 + ord(character)) if character < " " else "\N{REPLACEMENT CHARACTER}"


def _window(line: str, index: int) -> tuple[str, str]:
    """Return what to show of a line, and the part of that which lies before `index`."""
    start, end = 0, len(line)
    if len(line) > MAX_SHOWN:
        start = max(0, min(index - MAX_SHOWN // 2, len(line) - MAX_SHOWN))
        end = start + MAX_SHOWN
    left, right = "…" * (start > 0), "…" * (end < len(line))
    text = printable(line)
    return f"{left}{text[start:end].rstrip()}{right}", left + text[start:index]


def _blank(text: str) -> str:
    """Return white space as wide as `text` in a terminal."""
    from unicodedata import combining, east_asian_width

    def width(character: str) -> int:
        if combining(character):
            return 0
        return 2 if east_asian_width(character) in "WF" else 1

    return "".join("\t" if c == "\t" else " " * width(c) for c in text)
