"""Printed formulas are read back as the functions that they stand for."""

from __future__ import annotations

import numpy as np
import pytest

import layoutgen
from layoutgen.expr import evaluate
from layoutgen.printing import LATEX, PYTHON, TEXT, C, Notation, render
from layoutgen.validate.artefacts.formula import FormulaError, equations, parse

VALUES = {
    "lane": np.arange(64), "register": np.arange(64) % 7, "bit": np.arange(64) % 32,
    "b": np.arange(64) % 16, "i": np.arange(64) % 32, "j": np.arange(64)[::-1] % 32,
    "k": np.arange(64) % 9,
}  # fmt: skip


@pytest.mark.parametrize("notation", [LATEX, TEXT, C, PYTHON])
def test_all_formulas_of_all_operands_in_every_notation(notation: Notation) -> None:
    for inst in layoutgen.arch("gfx908").values():
        for operand in inst.operands.values():
            both = operand.formulas
            for expression in (*both.forward.values(), *both.inverse.values()):
                found = parse(render(expression, notation))(VALUES)
                assert np.array_equal(
                    np.broadcast_to(found, 64), np.broadcast_to(evaluate(expression, VALUES), 64)
                )


@pytest.mark.parametrize(
    ("text", "value"),
    [("7", 7), ("2 + 3·4", 14), ("(2 + 3)·4", 20), ("⌊17/4⌋", 4), ("17 mod 4 + 1", 2),
     (r"\left\lfloor \frac{17}{4} \right\rfloor \bmod 3", 1), ("2 * 9 // 4", 4), ("9 - 2", 7)],
)  # fmt: skip
def test_values_of_small_formulas(text: str, value: int) -> None:
    assert parse(text)({}) == value


@pytest.mark.parametrize("text", ["", "2 +", "(2", "2)", "⌊3/4", "4 § 3", "1/0"])
def test_what_is_no_formula_is_refused(text: str) -> None:
    with pytest.raises(FormulaError):
        parse(text)({})


def test_equations_of_a_displayed_formula_keep_their_lines() -> None:
    latex = "\\text{lane} &= 32\\,b + i \\\\\n\\text{accVGPR} &= G"
    assert equations(latex) == {"lane": (r"32\,b + i", 0), "register": ("G", 1)}
