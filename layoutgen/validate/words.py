"""Numbers, ranges and names as pages and figures write them."""

from __future__ import annotations

import re

NUMBERS = {
    word: value
    for value, word in enumerate(
        ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
    )
}
NUMBER = rf"(?:\d+|{'|'.join(NUMBERS)})"
"""A pattern for a number in digits or as a word."""

_SPAN = re.compile(r"(?:[var])?(\d+)(?:\s*(?:–|to)\s*[var]?(\d+))?")
_REGISTER = re.compile(r"([var])(?:(\d+)(?:\[(\d+):(\d+)\])?|\[(\d+):(\d+)\])")


class Unreadable(ValueError):
    """A text that is not of the form that stands there; the text says what was expected."""


def number(text: str) -> int:
    """Return a number in digits or as a word."""
    word = text.strip().lower()
    if word in NUMBERS:
        return NUMBERS[word]
    if not word.isdigit():
        raise Unreadable(f"{text!r} is no number")
    return int(word)


def span(text: str) -> range:
    """Return the range of ``0–31``, ``a0–a3``, ``0 to 7`` or ``4``."""
    match = _SPAN.fullmatch(text.strip())
    if match is None:
        raise Unreadable(f"{text!r} is no range")
    first, last = int(match[1]), int(match[2] or match[1])
    return range(first, last + 1)


def numbers(text: str) -> tuple[int, ...]:
    """Return the numbers of ``0, 0, 2, 2``."""
    parts = text.split(",")
    if not all(part.strip().isdigit() for part in parts):
        raise Unreadable(f"{text!r} is no list of numbers")
    return tuple(map(int, parts))


def register(text: str) -> tuple[int, int, int]:
    """Return register, bit and width of ``a5``, ``v0[31:16]`` or ``v[2:3]``."""
    match = _REGISTER.fullmatch(text.strip())
    if match is None:
        raise Unreadable(f"{text!r} is no register")
    if match[5]:
        first, last = int(match[5]), int(match[6])
        return first, 0, 32 * (last - first + 1)
    if match[3]:
        return int(match[2]), int(match[4]), int(match[3]) - int(match[4]) + 1
    return int(match[2]), 0, 32


def names(text: str) -> tuple[str, ...]:
    """Return the items of ``a, b and c``."""
    return tuple(
        part.strip() for part in re.split(r",\s*|\s+and\s+|\s+or\s+", text) if part.strip()
    )


def has_number(text: str) -> bool:
    """Tell whether a sentence states a number, in digits or as a word."""
    return re.search(rf"\d|\b(?:{'|'.join(list(NUMBERS)[2:])})\b", text) is not None
