"""The kernel in the guide has the index expressions that the formulas print."""

from __future__ import annotations

from dataclasses import replace

from docs_pages import ROOT, code_blocks

import layoutgen
from layoutgen.formulas import formulas
from layoutgen.printing import C, render

INST = layoutgen.arch("gfx908")["v_mfma_f32_32x32x8f16"]
((_, KERNEL),) = code_blocks(ROOT / "docs" / "guide" / "code.rst", "cpp")


def test_index_expressions_are_those_of_the_layouts() -> None:
    notation = replace(C, names={"register": "e"})
    for operand in "ABD":
        inverse = formulas(INST.operands[operand].layout, 32).inverse
        for coordinate, expression in inverse.items():
            if coordinate != "b":
                assert f"const unsigned {coordinate} = {render(expression, notation)};" in KERNEL


def test_loops_run_over_the_elements_of_a_lane() -> None:
    for operand in "AD":
        assert f"e < {INST.operands[operand].elements_per_lane}; ++e)" in KERNEL
        count = INST.operands[operand].elements_per_lane
        assert f"__attribute__((ext_vector_type({count})));" in KERNEL


def test_memory_is_row_major() -> None:
    assert f"a[e] = A[i * {INST.k} + k];" in KERNEL
    assert f"b[e] = B[k * {INST.n} + j];" in KERNEL
    assert f"D[i * {INST.n} + j] = d[e];" in KERNEL


def test_the_builtin_takes_the_registers_and_three_modifiers() -> None:
    assert f"d = {INST.builtin}(a, b, d, 0, 0, 0);" in KERNEL
    assert f"{INST.operands['A'].c_type} a, b;" in KERNEL
    assert f"{INST.operands['D'].c_type} d = {{}};" in KERNEL
