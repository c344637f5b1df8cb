"""CuTe layouts: evaluated, they are the tables."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from layoutgen import archs
from layoutgen.export.cute import cute_layout
from layoutgen.model import Operand

ARCHS = archs()
OPERANDS = [
    pytest.param(operand, id=f"{arch.name} {inst.mnemonic} {operand.name}")
    for arch in ARCHS.values()
    for inst in arch.values()
    for operand in inst.operands.values()
]


def parsed(text: str) -> Any:
    """Return shape and stride of a printed layout as nested tuples."""
    shape, stride = text.split(":")
    assert re.fullmatch(r"[(),0-9]+", shape + stride)
    return tuple(eval(part) for part in (shape, stride))


def offsets(shape: Any, stride: Any) -> list[int]:
    """Return where a layout puts 0, 1, 2 …: the definition of CuTe, the first mode fastest."""
    if isinstance(shape, int):
        return [stride * n for n in range(shape)]
    found = [0]
    for inner, step in zip(shape, stride, strict=True):
        found = [low + high for high in offsets(inner, step) for low in found]
    return found


def index(operand: Operand, at: dict[str, int]) -> int:
    """Return the index that counts column by column: row or column first, then k, then block."""
    names = [n for n in ("i", "j", "k", "group", "b") if n in at]
    total, weight = 0, 1
    for name in names:
        total += weight * at[name]
        weight *= operand.layout.shape[name]
    return total


def held(operand: Operand) -> Iterator[tuple[int, int, dict[str, int]]]:
    for lane in range(operand.layout.lanes):
        value = 0
        for item in range(operand.layout.items):
            if (at := operand.layout.inverse(lane, item)) is not None:
                yield lane, value, at
                value += 1


@pytest.mark.parametrize("operand", OPERANDS)
def test_the_string_evaluates_to_the_table(operand: Operand) -> None:
    layout = cute_layout(operand)
    (thread, value), (thread_stride, value_stride) = parsed(str(layout))
    threads, values = offsets(thread, thread_stride), offsets(value, value_stride)
    assert len(threads) == operand.layout.lanes
    for lane, item, at in held(operand):
        assert threads[lane] + values[item] == index(operand, at) == layout.index(lane, item)


@pytest.mark.parametrize(
    ("name", "operand", "text"),
    [
        ("v_mfma_f32_16x16x4f32", "D", "((16,4),4):((16,4),1)"),
        ("v_mfma_f32_32x32x2f32", "D", "((32,2),(4,4)):((32,4),(1,8))"),
        ("v_mfma_f32_32x32x1f32", "D", "((32,2),(4,4,2)):((32,4),(1,8,1024))"),
        ("v_mfma_f32_32x32x1f32", "A", "(64,1):(1,0)"),
        ("v_mfma_f32_16x16x16f16", "B", "((16,4),4):((1,64),16)"),
    ],
)
def test_known_strings(name: str, operand: str, text: str) -> None:
    assert str(cute_layout(ARCHS["gfx908"][name].operand(operand))) == text


def test_transposed_the_other_coordinate_counts_first() -> None:
    operand = ARCHS["gfx908"]["v_mfma_f32_32x32x2f32"].operand("D")
    assert str(cute_layout(operand, transpose=True)) == "((32,2),(4,4)):((1,128),(32,256))"


def test_stacked_blocks_are_one_tile() -> None:
    operand = ARCHS["gfx908"]["v_mfma_f32_4x4x4f16"].operand("D")
    assert str(cute_layout(operand, stack="columns")) == "(64,4):(4,1)"
    assert str(cute_layout(operand, stack="rows")) == "((4,16),4):((64,4),1)"
