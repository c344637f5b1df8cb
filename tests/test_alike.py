"""What is offered for an instruction that is not there."""

from __future__ import annotations

import pytest

import layoutgen
from layoutgen.alike import alike
from layoutgen.model import UnknownName

GFX908 = layoutgen.arch("gfx908")

CASES = [
    ("v_mfma_f32_4x4x4bf16_1k", "v_mfma_f32_4x4x2bf16"),
    ("v_mfma_f32_32x32x8_bf16_1k", "v_mfma_f32_32x32x4bf16"),
    ("__builtin_amdgcn_mfma_f32_16x16x32_f16", "v_mfma_f32_16x16x16f16"),
    ("v_mfma_f32_32x32x1f23", "v_mfma_f32_32x32x1f32"),
    ("V_MFMA_I32_16X16X32_I8", "v_mfma_i32_16x16x16i8"),
    ("v_wmma_f32_16x16x16_f16", "v_mfma_f32_16x16x16f16"),
    ("v_mfma_f32_32x32", "v_mfma_f32_32x32x8f16"),
]


@pytest.mark.parametrize(("wanted", "first"), CASES)
def test_the_first_has_the_same_input_type_and_tile_where_there_is_one(
    wanted: str, first: str
) -> None:
    assert alike(wanted, GFX908)[0] == first


def test_for_nonsense_nothing_is_offered() -> None:
    assert alike("nonsense", GFX908) == []


def test_the_library_offers_them_too() -> None:
    with pytest.raises(UnknownName, match="nearest: v_mfma_f32_4x4x2bf16, "):
        GFX908["v_mfma_f32_4x4x4bf16_1k"]
