"""Formulas equal the tables, for every operand and every legal modifier; and read well."""

from __future__ import annotations

import numpy as np
import pytest

import layoutgen
from layoutgen.expr import evaluate
from layoutgen.model import Instruction
from layoutgen.printing import TEXT, render

GFX908 = layoutgen.arch("gfx908")


@pytest.mark.parametrize("name", GFX908)
def test_forward_formulas_give_the_table_under_every_modifier(name: str) -> None:
    inst = GFX908[name]
    for modifiers in inst.rules.combinations():
        for letter in inst.operands:
            operand = inst.operand(letter, **modifiers.as_dict())
            columns = dict(zip(operand.columns, operand.table().T, strict=True))
            for column, expr in operand.formulas.forward.items():
                value = np.broadcast_to(evaluate(expr, columns), columns[column].shape)
                assert np.array_equal(value, columns[column]), (letter, modifiers, column)


@pytest.mark.parametrize("name", GFX908)
def test_inverse_formulas_give_the_coordinates(name: str) -> None:
    inst = GFX908[name]
    for operand in inst.operands.values():
        columns = dict(zip(operand.columns, operand.table().T, strict=True))
        for coordinate, expr in operand.formulas.inverse.items():
            assert np.all(evaluate(expr, columns) == columns[coordinate]), (
                operand.name,
                coordinate,
            )


def texts(inst: Instruction, letter: str, **modifiers: int) -> dict[str, str]:
    found = inst.operand(letter, **modifiers).formulas
    return {name: render(e, TEXT) for name, e in {**found.forward, **found.inverse}.items()}


def test_the_32x32_accumulator_reads_as_in_the_manual() -> None:
    assert texts(GFX908["v_mfma_f32_32x32x1f32"], "D") == {
        "lane": "32·(⌊i/4⌋ mod 2) + j",
        "register": "16·b + 4·⌊i/8⌋ + (i mod 4)",
        "bit": "0",
        "b": "⌊register/16⌋",
        "i": "8·(⌊register/4⌋ mod 4) + 4·⌊lane/32⌋ + (register mod 4)",
        "j": "lane mod 32",
    }


def test_one_block_needs_no_block_term_and_no_idle_remainder() -> None:
    assert texts(GFX908["v_mfma_f32_32x32x2f32"], "D") == {
        "lane": "32·(⌊i/4⌋ mod 2) + j",
        "register": "4·⌊i/8⌋ + (i mod 4)",
        "bit": "0",
        "b": "0",
        "i": "8·⌊register/4⌋ + 4·⌊lane/32⌋ + (register mod 4)",
        "j": "lane mod 32",
    }


def test_packed_operands_tell_register_and_bit() -> None:
    assert texts(GFX908["v_mfma_f32_32x32x8f16"], "A") == {
        "lane": "32·⌊k/4⌋ + i",
        "register": "⌊k/2⌋ mod 2",
        "bit": "16·(k mod 2)",
        "b": "0",
        "i": "lane mod 32",
        "k": "4·⌊lane/32⌋ + 2·register + ⌊bit/16⌋",
    }


def test_modifiers_show_in_the_formula() -> None:
    inst = GFX908["v_mfma_f32_4x4x1f32"]
    assert texts(inst, "A")["lane"] == "4·b + i"
    assert texts(inst, "A", cbsz=2, abid=3)["lane"] == "16·⌊b/4⌋ + i + 12"
    assert texts(inst, "A", cbsz=4, abid=3)["lane"] == "i + 12"
    assert texts(inst, "B", blgp=3)["lane"] == "4·((b + 4) mod 16) + j"
    assert texts(inst, "B", blgp=5)["lane"] == "4·(b mod 4) + j + 16"
