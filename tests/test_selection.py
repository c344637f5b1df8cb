"""Which instruction suits: types, tiles, and the order of the answers."""

from __future__ import annotations

from typing import Any

import pytest

import layoutgen
from layoutgen import which
from layoutgen.model import Architecture, Instruction, UnknownName
from layoutgen.selection import OTHER_NAMES, types

ARCHS = layoutgen.archs()
GFX908 = ARCHS["gfx908"]


def names(**asked: Any) -> list[str]:
    return [choice.instruction.mnemonic for choice in which([GFX908], **asked)]


def test_the_fastest_stand_first() -> None:
    assert names(a="f16") == [
        "v_mfma_f32_32x32x8f16",
        "v_mfma_f32_16x16x16f16",
        "v_mfma_f32_32x32x4f16",
        "v_mfma_f32_16x16x4f16",
        "v_mfma_f32_4x4x4f16",
    ]
    for arch in ARCHS.values():
        rates = [choice.rate.per_cu for choice in which([arch])]
        assert rates == sorted(rates, reverse=True)


def test_architectures_keep_their_order_and_their_own_ranking() -> None:
    found = which(ARCHS.values(), a="f16")
    order = [choice.arch.name for choice in found]
    assert order == sorted(order, key=list(ARCHS).index)
    assert which(a="f16") == found


def test_a_tile_is_whole_tiles_of_the_instruction() -> None:
    assert names(a="f16", m=16, n=48, k=32) == ["v_mfma_f32_16x16x16f16", "v_mfma_f32_4x4x4f16"]
    assert names(a="f16", m=16, n=40, k=32) == []
    assert names(a="f16", m=32, n=64, k=4) == [
        "v_mfma_f32_32x32x4f16",
        "v_mfma_f32_16x16x4f16",
        "v_mfma_f32_4x4x4f16",
    ]
    assert names(a="f16", m=24) == ["v_mfma_f32_4x4x4f16"]
    assert names(a="f16", m=5) == []


@pytest.mark.parametrize("arch", ARCHS.values(), ids=list(ARCHS))
def test_the_instructions_of_a_tile_do_exactly_its_work(arch: Architecture) -> None:
    m, n, k = 128, 64, 256
    for choice in which([arch], m=m, n=n, k=k):
        assert choice.count is not None
        assert choice.count * choice.instruction.ops == 2 * m * n * k
        assert choice.cycles == choice.count * choice.instruction.cycles


def test_without_a_whole_tile_nothing_is_counted() -> None:
    assert {choice.count for choice in which([GFX908], a="f16", m=64, n=64)} == {None}
    assert {choice.cycles for choice in which([GFX908], a="f16", m=64, n=64)} == {None}


def test_b_is_of_the_type_of_a_unless_it_is_given() -> None:
    assert names(a="i8") == names(a="i8", b="i8", d="i32")
    assert names(b="i8") == names(a="i8")
    assert names(a="i8", d="f32") == []
    assert len(names()) == len(GFX908)


@pytest.mark.parametrize(("said", "meant"), [("half", "f16"), ("FP16", "f16"), ("int8", "i8")])
def test_other_names_of_types(said: str, meant: str) -> None:
    assert names(a=said) == names(a=meant) != []
    assert OTHER_NAMES[said.lower()] == meant


def test_a_type_of_another_architecture_is_no_error_but_an_unknown_one_is() -> None:
    assert names(a="f64") == []
    with pytest.raises(UnknownName, match=r"no type 'f61'; nearest: .*; A may be f32, f16, bf16"):
        names(a="f61")
    assert types([GFX908], "D") == ["f32", "i32"]


def test_sparse_instructions_only_when_asked_for() -> None:
    inst = GFX908["v_mfma_f32_32x32x8f16"]
    sparse = Instruction(**{**vars(inst), "kind": "smfmac"})
    fields = {name: getattr(GFX908, name) for name in GFX908.__dataclass_fields__}
    arch = Architecture(**{**fields, "instructions": {sparse.mnemonic: sparse}})
    assert which([arch]) == []
    assert [choice.instruction for choice in which([arch], sparse=True)] == [sparse]
