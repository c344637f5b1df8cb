"""Printed formulas, read back: LaTeX, plain text, C and Python, as functions of integers."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, TypeAlias

Function: TypeAlias = Callable[[Mapping[str, Any]], Any]
"""From the values of its variables (integers or integer arrays) to the value of the formula."""


class FormulaError(ValueError):
    """A formula that cannot be read; the text shows the place."""


_TOKEN = re.compile(
    r"\s*(?:(?P<number>\d+)|(?P<name>\\text\{[^}]*\}|[A-Za-z_]\w*)|(?P<sign>//|[-+*/%()⌊⌋·&{}]))"
)
_SPACING = ("\\,", "\\;", "\\ ", "\\left", "\\right", "\\!")
_WORDS = {"\\bmod": " mod ", "\\lfloor": "⌊", "\\rfloor": "⌋", "\\frac": " frac ", "\\cdot": "·",
          "\\times": "·"}  # fmt: skip
_NAMES = {
    "L": "lane",
    "G": "register",
    "reg": "register",
    "VGPR": "register",
    "accVGPR": "register",
}


def equations(text: str) -> dict[str, tuple[str, int]]:
    """Return the right sides of LaTeX equations by their left sides, with the line of each."""
    found = {}
    for line, row in enumerate(text.split("\n")):
        left, equals, right = row.replace("\\\\", "").replace("&=", "=").partition("=")
        if equals:
            found[variable(left.strip())] = (right.strip(), line)
    return found


def variable(text: str) -> str:
    r"""Return the name of a variable: ``lane`` for ``\text{lane}`` and for ``L``."""
    inner = re.fullmatch(r"\\text\{([^}]*)\}", text)
    name = inner[1].strip() if inner else text
    return _NAMES.get(name, name)


def parse(text: str, *, exact: bool = False) -> Function:
    """Return the function that a formula in any of the notations stands for.

    A quotient is floored, as in the notations that have only whole numbers; `exact` leaves it
    a fraction.  Raises :class:`FormulaError`.
    """
    return _Parser(text, "exact" if exact else "/").whole()


class _Parser:
    """Recursive descent: sums of products of atoms; ``mod`` binds like a product."""

    def __init__(self, text: str, quotient: str) -> None:
        self.text = text
        self.quotient = quotient
        prepared = text
        for spacing in _SPACING:
            prepared = prepared.replace(spacing, " ")
        for word, sign in _WORDS.items():
            prepared = prepared.replace(word, sign)
        self.tokens: list[str] = []
        at = 0
        while prepared[at:].strip():
            match = _TOKEN.match(prepared, at)
            if match is None:
                raise FormulaError(f"cannot read {prepared[at:].strip()!r} in {text!r}")
            self.tokens.append(match[0].strip())
            at = match.end()
        self.at = 0

    def whole(self) -> Function:
        function = self._sum()
        if self.at < len(self.tokens):
            raise FormulaError(f"{self.tokens[self.at]!r} is out of place in {self.text!r}")
        return function

    def _peek(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def _take(self, expected: str = "") -> str:
        token = self._peek()
        if not token or (expected and token != expected):
            raise FormulaError(f"{self.text!r} has {token or 'its end'!r} in place of {expected!r}")
        self.at += 1
        return token

    def _sum(self) -> Function:
        total = self._product()
        while self._peek() in ("+", "-"):
            total = _combine(self._take(), total, self._product())
        return total

    def _product(self) -> Function:
        value = self._atom()
        while True:
            token = self._peek()
            if token in ("*", "·", "/", "//", "%", "mod"):
                self._take()
                value = _combine(token, value, self._atom())
            elif token and (token in "(⌊{" or token[0].isalnum() or token[0] == "\\"):
                value = _combine("*", value, self._atom())
            else:
                return value

    def _atom(self) -> Function:
        token = self._take()
        if token.isdigit():
            number = int(token)
            return lambda _: number
        if token == "frac":
            above, below = self._bracketed("{", "}"), self._bracketed("{", "}")
            return _combine(self.quotient, above, below)
        for opening, closing in (("(", ")"), ("⌊", "⌋"), ("{", "}")):
            if token == opening:
                inner = self._sum()
                self._take(closing)
                return inner
        if token[0] == "\\" or token[0].isalpha():
            name = variable(token)
            return lambda values: values[name]
        raise FormulaError(f"{token!r} is out of place in {self.text!r}")

    def _bracketed(self, opening: str, closing: str) -> Function:
        self._take(opening)
        inner = self._sum()
        self._take(closing)
        return inner


def _combine(sign: str, left: Function, right: Function) -> Function:
    match sign:
        case "+":
            return lambda v: left(v) + right(v)
        case "-":
            return lambda v: left(v) - right(v)
        case "*" | "·":
            return lambda v: left(v) * right(v)
        case "exact":
            return lambda v: Fraction(left(v)) / Fraction(_divisor(right(v)))
        case "/" | "//":
            return lambda v: left(v) // _divisor(right(v))
        case _:
            return lambda v: left(v) % _divisor(right(v))


def _divisor(value: Any) -> Any:
    zero = value == 0
    if zero if isinstance(zero, bool) else zero.any():
        raise FormulaError("a division by zero")
    return value
