"""What a plain YAML scalar is, where all versions of YAML agree; the others are refused.

YAML 1.1 and 1.2 read ``017``, ``1:20``, ``yes`` and others differently.  A specification is
read by people and by editors of either version, so such scalars must be written another way.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeAlias

Scalar: TypeAlias = str | int | float | bool | None

QUOTE = "put it in quotes if text is meant"


class Ambiguous(ValueError):
    """A plain scalar that is not what it seems: `reading` says how it is read, `remedy` how out."""

    def __init__(self, reading: str, remedy: str = QUOTE) -> None:
        """Keep both halves of the message."""
        super().__init__(reading, remedy)
        self.reading = reading
        self.remedy = remedy


def resolve(text: str) -> Scalar:
    """Return the value of a plain (unquoted) scalar.

    Whole numbers and fractions are decimal; true, false and null as in every YAML; all else is
    text.  Raises :class:`Ambiguous`.
    """
    if _NULL.fullmatch(text):
        return None
    if _BOOLEAN.fullmatch(text):
        return text.lower() == "true"
    if _WHOLE.fullmatch(text):
        return int(text)
    if _FRACTION.fullmatch(text):
        return float(text)
    for pattern, refuse in _ODD:
        if pattern.fullmatch(text):
            raise refuse(text)
    return text


def _boolean(text: str) -> Ambiguous:
    value = text.lower() in ("yes", "on")
    return Ambiguous(f"the boolean {value} in YAML 1.1", f'put it in quotes: "{text}"')


def _octal(text: str) -> Ambiguous:
    digits = text.lower().replace("_", "").replace("o", "")
    if not set(digits) <= set("01234567+-"):
        return Ambiguous("text, though it looks like a number", _decimal(int(digits)))
    octal, plain = int(digits, 8), int(digits)
    if "o" in text.lower():
        return Ambiguous("octal in YAML 1.2 and text in YAML 1.1", _decimal(octal))
    return Ambiguous(f"octal in YAML 1.1, that is {octal}", _decimal(octal, plain))


def _based(text: str) -> Ambiguous:
    base = "hexadecimal" if "x" in text.lower() else "binary"
    return Ambiguous(f"a {base} number", _decimal(int(text.replace("_", ""), 0)))


def _underscored(text: str) -> Ambiguous:
    plain = text.replace("_", "")
    return Ambiguous(f"{plain} in YAML 1.1 and text in YAML 1.2", f"write {plain}, or {QUOTE}")


def _sexagesimal(text: str) -> Ambiguous:
    value = 0
    for part in re.split(":", re.sub(r"[-+_]|\..*", "", text)):
        value = value * 60 + int(part)
    return Ambiguous(f"a number of base 60 in YAML 1.1, that is {value}", _decimal(value))


def _decimal(*values: int) -> str:
    return f"write {' or '.join(str(v) for v in values)}, or {QUOTE}"


def _fixed(reading: str, remedy: str = QUOTE) -> Callable[[str], Ambiguous]:
    return lambda text: Ambiguous(reading, remedy)


_NULL = re.compile(r"~|null|Null|NULL|")
_BOOLEAN = re.compile(r"true|True|TRUE|false|False|FALSE")
_WHOLE = re.compile(r"-?(0|[1-9][0-9]{0,17})")
_FRACTION = re.compile(r"-?(0|[1-9][0-9]{0,17})\.[0-9]{1,18}")
_PLAIN_NUMBER = f"write the number as 5 or 0.5, or {QUOTE}"
_ODD: tuple[tuple[re.Pattern[str], Callable[[str], Ambiguous]], ...] = tuple(
    (re.compile(pattern), refuse)
    for pattern, refuse in (
        (r"(?i:yes|no|on|off)", _boolean),
        (r"[-+]?0[oO]?[0-9_]{0,18}[0-9]", _octal),
        (r"[-+]?0[xX][0-9a-fA-F_]{0,18}[0-9a-fA-F]|[-+]?0[bB][01_]{0,60}[01]", _based),
        (r"(?=.*_)-?[0-9][0-9_]{0,36}[0-9](\.[0-9_]{0,18}[0-9])?", _underscored),
        (r"[-+]?[0-9][0-9_]{0,18}(:[0-5]?[0-9]){1,6}(\.[0-9_]{0,18})?", _sexagesimal),
        (r"[-+]?\.(?i:inf)|\.(?i:nan)", _fixed("no finite number")),
        (
            r"[-+]?([0-9]{1,18}(\.[0-9]*)?|\.[0-9]+)([eE][-+]?[0-9]{1,4})?",
            _fixed("a number in some versions of YAML and text in others", _PLAIN_NUMBER),
        ),
        (r"[-+]?[0-9][0-9_]*(\.[0-9_]*)?", _fixed("a number too long to be meant")),
        (r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}([Tt ].*)?", _fixed("a date in YAML 1.1")),
        (r"<<|=", _fixed("a special key in YAML 1.1")),
    )
)
