"""JSON from a user: errors with their line, and the line on which a row stands."""

from __future__ import annotations

import json
from typing import Any, NoReturn

from layoutgen.comparison.given import TableError

_SPACE = " \t\r\n"


def loads(text: str, name: str) -> Any:
    """Return the data of `text`; raises :class:`TableError` with the line of what is wrong."""

    def refuse(word: str) -> NoReturn:
        line = text.count("\n", 0, text.index(word)) + 1
        raise TableError(f"{name}:{line}: {word} is not a number of JSON")

    try:
        return json.loads(text, parse_constant=refuse)
    except json.JSONDecodeError as error:
        raise TableError(f"{name}:{error.lineno}: no JSON: {error.msg}") from None
    except RecursionError:
        raise TableError(f"{name}:1: no table: brackets in brackets without end") from None
    except TableError:
        raise
    except ValueError:  # a number of more digits than Python reads
        raise TableError(f"{name}:1: no table: a number of thousands of digits") from None


def line_of_row(text: str, path: tuple[str, ...], position: int) -> int:
    """Return the line of entry `position` of the list at `path` in `text`, which is good JSON."""
    decoder = json.JSONDecoder()
    at = _skip(text, 0)
    for key in path:
        at = _value_of(text, at, key, decoder)
    at = _skip(text, at + 1)
    for _ in range(position):
        _, at = decoder.raw_decode(text, at)
        at = _skip(text, _skip(text, at) + 1)  # the comma
    return text.count("\n", 0, at) + 1


def _value_of(text: str, at: int, key: str, decoder: json.JSONDecoder) -> int:
    """Return where the value of the last `key` of the object at `at` begins."""
    found, at = at, _skip(text, at + 1)
    while text[at] != "}":
        name, at = decoder.raw_decode(text, at)
        at = _skip(text, _skip(text, at) + 1)  # the colon
        if name == key:
            found = at
        _, at = decoder.raw_decode(text, at)
        at = _skip(text, at)
        if text[at] == ",":
            at = _skip(text, at + 1)
    return found


def _skip(text: str, at: int) -> int:
    while text[at] in _SPACE:
        at += 1
    return at
