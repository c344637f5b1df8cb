"""Expression trees as LaTeX, C, Python and plain text: one walk, one notation each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from layoutgen.expr import Atom, Expr, FloorDiv, Mod, Sum, Var


@dataclass(frozen=True, slots=True)
class Notation:
    """How one language writes a product, a floored quotient, a remainder and a variable."""

    times: str
    plus: str
    divide: Callable[[str, int], str]
    remainder: str
    names: Mapping[str, str] = field(default_factory=dict)
    brackets: tuple[type, ...] = (Sum,)
    """Dividends that need brackets."""
    encloses: bool = False
    """The quotient brings its own brackets, so it needs none as a factor."""


LATEX = Notation(
    times=r"\,",
    plus=" + ",
    divide=lambda x, n: rf"\left\lfloor \frac{{{x}}}{{{n}}} \right\rfloor",
    remainder=r" \bmod ",
    names={"lane": "L", "register": "G", "bit": r"\text{bit}"},
    brackets=(),
    encloses=True,
)
TEXT = Notation(
    times="·",
    plus=" + ",
    divide=lambda x, n: f"⌊{x}/{n}⌋",
    remainder=" mod ",
    brackets=(Sum, Mod),
    encloses=True,
)
C = Notation(
    times=" * ",
    plus=" + ",
    divide=lambda x, n: f"{x} / {n}",
    remainder=" % ",
    names={"register": "reg"},  # "register" is a keyword of C
)
PYTHON = Notation(times=" * ", plus=" + ", divide=lambda x, n: f"{x} // {n}", remainder=" % ")


def render(expr: Expr, notation: Notation) -> str:
    """Return `expr` in `notation`; in C every variable is an unsigned or non-negative int."""
    if isinstance(expr, Sum):
        if not expr.terms:
            return str(expr.constant)
        pieces = [
            _term(factor, atom, notation, alone=len(expr.terms) == 1 and not expr.constant)
            for factor, atom in expr.terms
        ]
        if expr.constant:
            pieces.append(str(expr.constant))
        return notation.plus.join(pieces)
    return _atom(expr, notation)


def _term(factor: int, atom: Atom, notation: Notation, *, alone: bool) -> str:
    if factor == 1:
        text = _atom(atom, notation)
        return f"({text})" if isinstance(atom, Mod) and not alone else text
    return f"{factor}{notation.times}{_bracketed(atom, notation)}"


def _atom(atom: Atom, notation: Notation) -> str:
    match atom:
        case Var(name, _):
            return notation.names.get(name, name)
        case FloorDiv(operand, divisor):
            inner = render(operand, notation)
            if isinstance(operand, notation.brackets):
                inner = f"({inner})"
            return notation.divide(inner, divisor)
        case Mod(operand, modulus):
            inner = render(operand, notation)
            if isinstance(operand, Sum | Mod):
                inner = f"({inner})"
            return f"{inner}{notation.remainder}{modulus}"


def _bracketed(atom: Atom, notation: Notation) -> str:
    text = _atom(atom, notation)
    bare = isinstance(atom, Var) or (isinstance(atom, FloorDiv) and notation.encloses)
    return text if bare else f"({text})"
