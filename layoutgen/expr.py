"""Integer expressions of lanes, registers and coordinates, simplified as a person would write them.

An expression is a variable with a known range, a sum of multiples, a floored quotient or a
remainder by a constant.  The functions :func:`add`, :func:`scale`, :func:`floordiv` and
:func:`mod` build only simplified trees: they use the ranges to drop a remainder that does
nothing and a quotient that is always zero, and they join ``8·⌊x/8⌋ + x mod 8`` to ``x``.
:mod:`layoutgen.printing` writes trees as LaTeX, C, Python and plain text.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import gcd
from typing import Any, TypeAlias


@dataclass(frozen=True, slots=True)
class Var:
    """A variable that takes the values 0 … size-1."""

    name: str
    size: int


@dataclass(frozen=True, slots=True)
class FloorDiv:
    """``⌊operand / divisor⌋``."""

    operand: Expr
    divisor: int


@dataclass(frozen=True, slots=True)
class Mod:
    """``operand mod modulus``."""

    operand: Expr
    modulus: int


@dataclass(frozen=True, slots=True)
class Sum:
    """``Σ factor·atom + constant``; atoms are distinct, largest factor first."""

    terms: tuple[tuple[int, Atom], ...]
    constant: int = 0


Atom: TypeAlias = Var | FloorDiv | Mod
Expr: TypeAlias = Atom | Sum


def const(value: int) -> Expr:
    """Return the constant `value` as an expression."""
    return Sum((), value)


def bounds(expr: Expr) -> tuple[int, int]:
    """Return the smallest interval, both ends included, that is known to hold every value."""
    match expr:
        case Var(_, size):
            return 0, size - 1
        case FloorDiv(operand, divisor):
            low, high = bounds(operand)
            return low // divisor, high // divisor
        case Mod(operand, modulus):
            low, high = bounds(operand)
            if low // modulus == high // modulus:
                return low % modulus, high % modulus
            return 0, modulus - 1
        case Sum(terms, constant):
            ends = [sorted(factor * end for end in bounds(atom)) for factor, atom in terms]
            return constant + sum(e[0] for e in ends), constant + sum(e[1] for e in ends)


def add(*parts: Expr) -> Expr:
    """Return the sum of `parts`, with digits of one number joined again."""
    constant = 0
    factors: dict[Atom, int] = {}
    for part in parts:
        terms, offset = _linear(part)
        constant += offset
        for factor, atom in terms:
            factors[atom] = factors.get(atom, 0) + factor
    factors = {atom: factor for atom, factor in factors.items() if factor}
    while (joined := _join_once(factors)) is not None:
        return add(const(constant), *joined)
    return _sum(((factor, atom) for atom, factor in factors.items()), constant)


def scale(expr: Expr, factor: int) -> Expr:
    """Return ``factor · expr``."""
    terms, constant = _linear(expr)
    return _sum(((factor * f, atom) for f, atom in terms), factor * constant)


def floordiv(expr: Expr, divisor: int) -> Expr:
    """Return ``⌊expr / divisor⌋`` for a divisor of at least 1."""
    if divisor == 1:
        return expr
    terms, constant = _linear(expr)
    whole = _sum(((f // divisor, a) for f, a in terms if f % divisor == 0), constant // divisor)
    rest = _sum(((f, a) for f, a in terms if f % divisor), constant % divisor)
    low, high = bounds(rest)
    if low >= 0 and high < divisor:
        return whole
    if split := _split_by_step(rest, divisor):
        step, coarse, _ = split
        return add(whole, floordiv(coarse, divisor // step))
    match rest:
        case FloorDiv(operand, inner):
            return add(whole, floordiv(operand, inner * divisor))
        case Mod(operand, modulus) if modulus % divisor == 0:
            return add(whole, mod(floordiv(operand, divisor), modulus // divisor))
        case _:
            return add(whole, FloorDiv(rest, divisor))


def mod(expr: Expr, modulus: int) -> Expr:
    """Return ``expr mod modulus`` for a modulus of at least 1."""
    terms, constant = _linear(expr)
    rest = _sum(((f % modulus, a) for f, a in terms), constant % modulus)
    low, high = bounds(rest)
    if low >= 0 and high < modulus:
        return rest
    if split := _split_by_step(rest, modulus):
        step, coarse, fine = split
        return add(scale(mod(coarse, modulus // step), step), fine)
    match rest:
        case Mod(operand, inner) if inner % modulus == 0:
            return mod(operand, modulus)
        case _:
            return Mod(rest, modulus)


def evaluate(expr: Expr, values: Mapping[str, Any]) -> Any:
    """Return the value of `expr`; `values` maps variable names to ints or integer arrays."""
    match expr:
        case Var(name, _):
            return values[name]
        case FloorDiv(operand, divisor):
            return evaluate(operand, values) // divisor
        case Mod(operand, modulus):
            return evaluate(operand, values) % modulus
        case Sum(terms, constant):
            return constant + sum(factor * evaluate(atom, values) for factor, atom in terms)


def variables(expr: Expr) -> frozenset[str]:
    """Return the names of the variables that `expr` depends on."""
    match expr:
        case Var(name, _):
            return frozenset({name})
        case FloorDiv(operand, _) | Mod(operand, _):
            return variables(operand)
        case Sum(terms, _):
            return frozenset().union(*(variables(atom) for _, atom in terms))


def _linear(expr: Expr) -> tuple[tuple[tuple[int, Atom], ...], int]:
    if isinstance(expr, Sum):
        return expr.terms, expr.constant
    return ((1, expr),), 0


def _sum(terms: Iterable[tuple[int, Atom]], constant: int) -> Expr:
    kept = tuple(sorted((t for t in terms if t[0]), key=lambda t: (-t[0], _key(t[1]))))
    if len(kept) == 1 and constant == 0 and kept[0][0] == 1:
        return kept[0][1]
    return Sum(kept, constant)


def _key(atom: Atom) -> str:
    return repr(atom)


def _split_by_step(expr: Expr, base: int) -> tuple[int, Expr, Expr] | None:
    """Write `expr` as ``step·coarse + fine`` with 0 ≤ fine < step, 1 < step and step | base."""
    terms, constant = _linear(expr)
    for step in sorted({gcd(f, base) for f, _ in terms if gcd(f, base) > 1}, reverse=True):
        coarse = [(f // step, a) for f, a in terms if f % step == 0]
        fine = _sum(((f, a) for f, a in terms if f % step), constant % step)
        low, high = bounds(fine)
        if low >= 0 and high < step:
            return step, _sum(coarse, constant // step), fine
    return None


def _join_once(factors: Mapping[Atom, int]) -> list[Expr] | None:
    """Join ``f·(y mod n) + f·n·⌊y/n⌋`` to ``f·y``, or the same with ``⌊y/n⌋ mod m``."""
    for low, factor in factors.items():
        if not isinstance(low, Mod):
            continue
        above = floordiv(low.operand, low.modulus)
        for high, high_factor in factors.items():
            if high_factor != factor * low.modulus:
                continue
            if high == above:
                whole = low.operand
            elif isinstance(high, Mod) and high.operand == above:
                whole = mod(low.operand, low.modulus * high.modulus)
            else:
                continue
            rest = [scale(a, f) for a, f in factors.items() if a not in (low, high)]
            return [scale(whole, factor), *rest]
    return None
