"""A file as it was read: its lines, its data, and the place of every key and value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from layoutgen.spec.errors import Code, Diagnostic, SpecError, quoted

Path: TypeAlias = tuple[str | int, ...]
"""The way to a value from the top: keys of mappings, and positions in lists."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A place in a file; line and column count from 1."""

    line: int
    column: int


@dataclass(frozen=True)
class Source:
    """The text of a file, split into lines, under the name that the user gave."""

    path: str
    lines: tuple[str, ...]

    def problem(self, code: Code, mark: Mark, message: str, hint: str = "") -> Diagnostic:
        """Return a diagnostic at `mark`."""
        place = (self.path, mark.line, mark.column)
        return Diagnostic(*place, code, message, self.line(mark), hint)

    def line(self, mark: Mark) -> str:
        """Return the text of a line; it is empty past the end."""
        return self.lines[mark.line - 1] if mark.line <= len(self.lines) else ""

    def fail(self, code: Code, mark: Mark, message: str, hint: str = "") -> SpecError:
        """Return an error of one diagnostic at `mark`."""
        return SpecError((self.problem(code, mark, message, hint),))


@dataclass(frozen=True)
class Document(Source):
    """The data of a file with the marks of keys and of values by their paths.

    `problems` are those found so far: values in `refused` are None for that reason, and
    mappings in `gaps` lack what stood under a refused key.
    """

    data: Mapping[str, Any]
    keys: Mapping[Path, Mark]
    values: Mapping[Path, Mark]
    problems: tuple[Diagnostic, ...] = ()
    refused: frozenset[Path] = frozenset()
    gaps: frozenset[Path] = frozenset()

    @property
    def kind(self) -> str:
        """The first key, which says what kind of file it is."""
        return next(iter(self.data))

    def excuses(self, at: Path) -> bool:
        """Whether the value at a path, or one that it is part of, is refused already."""
        return any(at[:length] in self.refused for length in range(len(at) + 1))

    def mark(self, at: Path, *, key: bool = False) -> Mark:
        """Return the place of a value, or of its key where it has one.

        What the file leaves out, because it has a default, is at the place of what it belongs to.
        """
        while at not in self.values and at:
            at = at[:-1]
        return self.keys.get(at, self.values[at]) if key else self.values[at]

    def at(
        self, code: Code, at: Path, message: str, *, key: bool = False, hint: str = ""
    ) -> Diagnostic:
        """Return a diagnostic at the value, or the key, of a path."""
        return self.problem(code, self.mark(at, key=key), message, hint)


def describe(value: Any) -> str:
    """Say in words what a value is: ``the number 3``, ``a list``."""
    match value:
        case bool():
            return f"the boolean {str(value).lower()}"
        case int() | float():
            return f"the number {value}"
        case str():
            return f"the text {quoted(value)}" if value.strip() else "an empty text"
        case list():
            return "a list" if value else "an empty list"
        case dict():
            return "a mapping" if value else "an empty mapping"
        case _:
            return "nothing"
