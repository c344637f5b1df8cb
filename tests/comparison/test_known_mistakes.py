"""Mistakes that people made with F64, sparse and scaled instructions are known by name."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import layoutgen
from layoutgen.comparison import compare
from layoutgen.model import Operand

ARCHS = layoutgen.archs()
GFX90A, GFX942, GFX950 = ARCHS["gfx90a"], ARCHS["gfx942"], ARCHS["gfx950"]
SCALED = GFX950["v_mfma_scale_f32_16x16x128_f8f6f4"]


def table(operand: Operand, rule: Callable[..., tuple[int, int]]) -> list[list[int]]:
    """Return the rows of an operand whose elements begin at the lane and bit that `rule` says."""
    width, shape = operand.format.bits, operand.layout.shape
    rows = []
    for at in np.ndindex(tuple(shape.values())):
        lane, start = rule(**dict(zip(shape, at, strict=True)))
        rows.append([*at, lane, start // 32, start % 32, width])
    return rows


@pytest.mark.parametrize("arch", [GFX90A, GFX942, GFX950], ids=lambda arch: arch.name)
def test_f32_rows_used_for_f64(arch) -> None:
    inst = arch["mfma_f64_16x16x4f64"]
    rows = table(inst.operands["D"], lambda b, i, j: (j + 16 * (i // 4), 64 * (i % 4)))
    found = compare(inst, "D", rows, others=[arch])
    assert found.verdict == "different"
    assert found.mistake is not None
    f32 = arch["mfma_f32_16x16x4f32"].mnemonic
    assert found.mistake.name == (
        f"the layout of D of {f32} on {arch.name}: FP32 rows used for FP64"
    )


def test_the_general_formula_used_for_f64_blocks_of_four_rows() -> None:
    inst = GFX942["v_mfma_f64_4x4x4_4b_f64"]
    found = compare(inst, "D", table(inst.operands["D"], lambda b, i, j: (j + 4 * i + 16 * b, 0)))
    assert found.mistake is not None
    assert found.mistake.name == "b and i swapped"


@pytest.mark.parametrize(("name", "field"), [("A", "i"), ("B", "j")])
def test_two_chunks_of_k_taken_as_one(name: str, field: str) -> None:
    def consecutive(b: int, k: int, **at: int) -> tuple[int, int]:
        return at[field] + 16 * (k // 32), 8 * (k % 32)

    found = compare(SCALED, name, table(SCALED.operands[name], consecutive))
    assert found.verdict == "different", "scales tell which k is which"
    assert found.mistake is not None
    assert found.mistake.name == "a lane's k taken as consecutive: its chunks are ignored"
    plain = GFX950["v_mfma_f32_16x16x128_f8f6f4"]
    found = compare(plain, name, table(plain.operands[name], consecutive))
    assert found.verdict == "k-order", "without scales, A and B may both do so"


def test_the_set_of_the_index_forgotten() -> None:
    inst = GFX942["v_smfmac_f32_16x16x32_f16"]
    first, third = inst.operand("index").table(), inst.operand("index", abid=2).table()
    assert compare(inst, "index", third, abid=2).equal
    found = compare(inst, "index", first, abid=2)
    assert found.mistake is not None
    assert found.mistake.name == "the modifiers are ignored"
    found = compare(inst, "index", third)
    assert found.mistake is not None
    assert found.mistake.name == "read under abid:2, not as laid out"


def test_the_byte_of_the_scales_forgotten() -> None:
    second = SCALED.operand("scale_b", op_sel=(0, 1)).table()
    found = compare(SCALED, "scale_b", second)
    assert found.mistake is not None
    assert found.mistake.name == "read under op_sel:[0,1,0] op_sel_hi:[0,0,0], not as laid out"


def test_six_bits_in_bytes() -> None:
    six = SCALED.operand("A", cbsz=2)
    rows = table(six, lambda b, i, k: (i + 16 * (k // 32), 8 * (k % 32)))
    found = compare(SCALED, "A", rows, cbsz=2)
    assert found.verdict == "different"
    assert found.mistake is not None
    assert found.mistake.name == "every element counted as one byte"


def test_six_bits_five_to_a_register() -> None:
    six = SCALED.operand("B", blgp=3)
    rows = table(six, lambda b, k, j: (j + 16 * (k // 32), k % 32 // 5 * 32 + k % 32 % 5 * 6))
    found = compare(SCALED, "B", rows, blgp=3)
    assert found.mistake is not None
    assert found.mistake.name == "5 elements in each register, so that none straddles"


@pytest.mark.parametrize("arch", ARCHS.values(), ids=ARCHS)
def test_rows_and_columns_swapped(arch) -> None:
    for inst in arch.values():
        rows = inst.operand("D").table()
        rows[:, [1, 2]] = rows[:, [2, 1]]
        assert compare(inst, "D", rows, others=()).verdict == "transposed", inst.mnemonic
