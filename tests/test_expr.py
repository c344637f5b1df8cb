"""Expressions keep their value under simplification, and read as a person would write them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from layoutgen.expr import Expr, Var, add, bounds, const, evaluate, floordiv, mod, scale, variables
from layoutgen.printing import LATEX, PYTHON, TEXT, C, render

X, Y = Var("x", 60), Var("y", 7)


@st.composite
def pairs(draw: st.DrawFn, depth: int = 4) -> tuple[Expr, str]:
    """An expression built through the simplifier, and the same as unsimplified Python text."""
    if depth == 0 or draw(st.integers(0, 3)) == 0:
        return draw(
            st.one_of(
                st.sampled_from([(X, "x"), (Y, "y")]),
                st.integers(0, 40).map(lambda n: (const(n), str(n))),
            )
        )
    left, text = draw(pairs(depth=depth - 1))
    n = draw(st.integers(1, 12))
    match draw(st.sampled_from(["div", "mod", "scale", "add"])):
        case "div":
            return floordiv(left, n), f"(({text}) // {n})"
        case "mod":
            return mod(left, n), f"(({text}) % {n})"
        case "scale":
            return scale(left, n), f"(({text}) * {n})"
        case _:
            right, other = draw(pairs(depth=depth - 1))
            return add(left, right), f"(({text}) + ({other}))"


@given(pairs(), st.integers(0, 59), st.integers(0, 6))
def test_simplifying_keeps_the_value(pair: tuple[Expr, str], x: int, y: int) -> None:
    expr, text = pair
    wanted = eval(text, {}, {"x": x, "y": y})
    assert evaluate(expr, {"x": x, "y": y}) == wanted
    low, high = bounds(expr)
    assert low <= wanted <= high


@given(pairs(), st.integers(0, 59), st.integers(0, 6))
def test_python_and_c_text_mean_the_expression(pair: tuple[Expr, str], x: int, y: int) -> None:
    expr, text = pair
    wanted = eval(text, {}, {"x": x, "y": y})
    assert eval(render(expr, PYTHON), {}, {"x": x, "y": y}) == wanted
    c_text = render(expr, C)
    assert eval(c_text.replace("/", "//"), {}, {"x": x, "y": y}) == wanted


@given(pairs())
def test_text_names_only_the_variables_that_matter(pair: tuple[Expr, str]) -> None:
    expr, _ = pair
    assert {name for name in ("x", "y") if name in render(expr, TEXT)} == variables(expr)


L, G, I = Var("lane", 64), Var("register", 32), Var("i", 32)  # noqa: E741


@pytest.mark.parametrize(
    ("expr", "text"),
    [
        (mod(Y, 7), "y"),
        (floordiv(Y, 7), "0"),
        (floordiv(X, 1), "x"),
        (scale(X, 1), "x"),
        (add(scale(floordiv(X, 8), 8), mod(X, 8)), "x"),
        (add(scale(mod(floordiv(X, 4), 5), 4), mod(X, 4)), "x mod 20"),
        (floordiv(floordiv(X, 4), 3), "⌊x/12⌋"),
        (mod(mod(X, 24), 8), "x mod 8"),
        (floordiv(mod(X, 24), 8), "⌊x/8⌋ mod 3"),
        (mod(add(scale(X, 8), Y), 16), "8·(x mod 2) + y"),
        (floordiv(add(scale(X, 8), Y), 16), "⌊x/2⌋"),
        (scale(mod(floordiv(I, 4), 2), 32), "32·(⌊i/4⌋ mod 2)"),
        (add(X, scale(X, 2)), "3·x"),
        (const(5), "5"),
    ],
)
def test_written_as_a_person_would(expr: Expr, text: str) -> None:
    assert render(expr, TEXT) == text


def test_latex() -> None:
    row = add(scale(mod(floordiv(G, 4), 4), 8), scale(floordiv(L, 32), 4), mod(G, 4))
    assert render(row, LATEX) == (
        r"8\,(\left\lfloor \frac{G}{4} \right\rfloor \bmod 4)"
        r" + 4\,\left\lfloor \frac{L}{32} \right\rfloor + (G \bmod 4)"
    )


@pytest.mark.parametrize(("modulus", "divisor"), [(24, 5), (10, 4), (9, 6), (24, 8), (7, 9)])
def test_a_quotient_of_a_remainder_is_right_whether_or_not_one_divides_the_other(
    modulus: int, divisor: int
) -> None:
    quotient = floordiv(mod(X, modulus), divisor)
    for x in range(X.size):
        assert evaluate(quotient, {"x": x}) == x % modulus // divisor
