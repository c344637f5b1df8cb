"""A strict reader of JSON: whole numbers in a range, texts of a bounded length, and their place."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from layoutgen.spec.errors import printable, quoted

LONGEST = 256
"""So many characters a text may have: the name of a GPU has fewer."""
DIGITS = 1000
"""So many digits of a number are read: one with more is out of every range by these alone."""


class DeviceFileError(ValueError):
    """A text that is no output of the program; the message says what is wrong with it."""


@dataclass(frozen=True)
class Node:
    """A value, and its place in the document: ``$.runs[3].lists[0][17]``."""

    value: Any
    path: str = "$"

    def error(self, told: str) -> DeviceFileError:
        """Return what to raise for this value."""
        return DeviceFileError(f"{self.path}: {told}")

    def get(self, name: str) -> Node | None:
        """Return a field of an object, if it is there."""
        fields = self._object()
        return Node(fields[name], f"{self.path}.{name}") if name in fields else None

    def field(self, name: str) -> Node:
        """Return a field of an object."""
        if (found := self.get(name)) is None:
            raise self.error(f"{name!r} is missing")
        return found

    def fields(self, most: int) -> Iterator[tuple[str, Node]]:
        """Yield names and values of an object with not more than `most` of them."""
        fields = self._object()
        if len(fields) > most:
            raise self.error(f"{len(fields)} fields, and at most {most} are known")
        for key, value in fields.items():
            name = quoted(printable(key[:LONGEST]))[1:-1]
            yield name, Node(value, f"{self.path}.{name}")

    def entries(self) -> Iterator[Node]:
        """Yield what stands in a list."""
        return (self.entry(n) for n in range(len(self.array())))

    def entry(self, number: int) -> Node:
        """Return what stands in a list at one place."""
        return Node(self.array()[number], f"{self.path}[{number}]")

    def array(self) -> list[Any]:
        """Return the list that the value must be."""
        if not isinstance(self.value, list):
            raise self.error(f"{shown(self.value)} is no list")
        return self.value

    def text(self) -> str:
        """Return a text, with signs for characters that a terminal would obey."""
        if not isinstance(self.value, str):
            raise self.error(f"{shown(self.value)} is no text")
        if len(self.value) > LONGEST:
            raise self.error(f"a text of {len(self.value)} characters: at most {LONGEST}")
        # Of the signs that are left as they are, a tab is none that a name may have.
        return printable(self.value).replace("\t", "\N{SYMBOL FOR HORIZONTAL TABULATION}")

    def whole(self, what: str, among: range) -> int:
        """Return a whole number that is `among` those that are a `what`."""
        if type(self.value) is not int or self.value not in among:
            right = f"a whole number from {among.start} to {among.stop - 1}" if among else "none"
            raise self.error(f"{shown(self.value)} is no {what}: {right}")
        return self.value

    def wholes(self, what: str, among: range) -> list[int]:
        """Return a list of such numbers."""
        found = self.array()
        # Which is wrong is asked only where one is: there may be millions.
        if not set(map(type, found)) <= {int} or (
            found and not (min(found) in among and max(found) in among)
        ):
            return [entry.whole(what, among) for entry in self.entries()]
        return found

    def _object(self) -> dict[str, Any]:
        if not isinstance(self.value, dict):
            raise self.error(f"{shown(self.value)} is no object")
        return self.value


def shown(value: object) -> str:
    """Return a value in few words."""
    if isinstance(value, list | dict):
        return "a list" if isinstance(value, list) else "an object"
    if isinstance(value, str):
        return quoted(printable(value[:LONGEST]))
    return quoted(json.dumps(value))[1:-1]


def load(text: str) -> Node:
    """Return the document that a text is."""
    try:
        return Node(json.loads(text, parse_int=lambda digits: int(digits[:DIGITS])))
    except json.JSONDecodeError as error:
        raise DeviceFileError(f"line {error.lineno}, column {error.colno}: {error.msg}") from None
    except RecursionError:
        raise DeviceFileError("lists and objects are nested deeper than in any output") from None
