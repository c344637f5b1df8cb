"""Which instruction suits: types, tiles, and the order of the answers."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

import layoutgen
from layoutgen import which
from layoutgen.digits import LayoutError
from layoutgen.model import Architecture, UnknownName
from layoutgen.selection import format_named, types

ARCHS = layoutgen.archs()
GFX908, GFX942, GFX950 = ARCHS["gfx908"], ARCHS["gfx942"], ARCHS["gfx950"]


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
    assert format_named(GFX908, said).name == meant


@pytest.mark.parametrize(
    ("said", "found"),
    [("e4m3fn", {"gfx950"}), ("f8E4M3FNUZ", {"gfx942"}), ("e4m3", {"gfx942", "gfx950"})],
)
def test_a_name_of_one_kind_finds_that_kind_only(said: str, found: set[str]) -> None:
    assert {choice.arch.name for choice in which(a=said)} == found


def test_a_name_of_the_other_kind_is_refused() -> None:
    wanted = r"gfx942 has no format 'e4m3fn': here fp8 is FP8 \(E4M3 FNUZ\); 'e4m3fn' is .* gfx950"
    with pytest.raises(UnknownName, match=wanted):
        which("gfx942", a="e4m3fn")
    with pytest.raises(UnknownName, match=wanted):
        format_named(GFX942, "e4m3fn")
    assert which("gfx942", a="fp4") == which("gfx908", a="e4m3fn") == []


@pytest.mark.parametrize(
    ("wrong", "why"), [(0, "m 0 is out of range: 1 or more"), (-1, "m -1 is"), (1.5, "no whole")]
)
def test_a_tile_without_rows_is_refused(wrong: Any, why: str) -> None:
    with pytest.raises(LayoutError, match=why):
        which("gfx908", m=wrong)
    assert names(a="f16", m=np.int64(64), n=64, k=16) == names(a="f16", m=64, n=64, k=16)


def test_a_type_of_another_architecture_is_no_error_but_an_unknown_one_is() -> None:
    assert names(a="f64") == []
    with pytest.raises(UnknownName, match=r"no type 'f61'; nearest: .*; A may be f32, f16, bf16"):
        names(a="f61")
    assert types([GFX908], "D") == ["f32", "i32"]


def test_sparse_instructions_only_when_asked_for() -> None:
    dense = which([GFX942], a="f16")
    assert not any(choice.instruction.sparse for choice in dense)
    both = which([GFX942], a="f16", sparse=True)
    assert both[0].instruction.mnemonic == "v_smfmac_f32_32x32x16_f16"
    assert {c.instruction.mnemonic for c in dense} < {c.instruction.mnemonic for c in both}


def test_formats_that_modifiers_choose() -> None:
    names = {"fp8": 0, "bf8": 1, "fp6": 2, "bf6": 3, "fp4": 4}
    for a, b in product(names, names):
        found = [c for c in which([GFX950], a=a, b=b) if c.modifiers]
        assert len(found) == 4
        for choice in found:
            assert choice.modifiers == {"cbsz": names[a], "blgp": names[b]}
            assert [choice.operand(o).format.name for o in "AB"] == [a, b]


def test_narrow_formats_are_twice_as_fast() -> None:
    def best(**types: str):
        choice = which([GFX950], **types, m=32, n=32, k=64)[0]
        return choice.instruction.mnemonic, choice.rate.cycles, choice.rate.per_cu, choice.cycles

    assert best(a="fp4") == ("v_mfma_f32_32x32x64_f8f6f4", 32, 16384, 32)
    assert best(a="fp6", b="fp4") == ("v_mfma_f32_32x32x64_f8f6f4", 32, 16384, 32)
    assert best(a="fp8", b="fp4") == ("v_mfma_f32_32x32x64_f8f6f4", 64, 8192, 64)


def test_scales_only_when_wanted() -> None:
    with_scales = [c.instruction.mnemonic for c in which([GFX950], a="fp8")]
    without = [c.instruction.mnemonic for c in which([GFX950], a="fp8", scaled=False)]
    assert [n for n in with_scales if "scale" not in n] == without
    assert with_scales.index("v_mfma_scale_f32_32x32x64_f8f6f4") > with_scales.index(
        "v_mfma_f32_32x32x64_f8f6f4"
    )


def test_a_transposed_result_exchanges_the_types() -> None:
    [choice] = which([GFX942], a="bf8", b="fp8", m=16, n=16, k=32, transpose=True)
    assert choice.instruction.mnemonic == "v_mfma_f32_16x16x32_fp8_bf8"
    [choice] = which([GFX942], a="bf8", b="fp8", m=16, n=16, k=32)
    assert choice.instruction.mnemonic == "v_mfma_f32_16x16x32_bf8_fp8"


def test_every_format_of_an_architecture_by_every_name() -> None:
    assert {"fp8", "bf8", "pair", "xf32"} <= GFX942.formats.keys()
    assert {"fp4", "fp6", "bf6", "e8m0"} <= GFX950.formats.keys()
    assert format_named(GFX942, "E4M3").title == "FP8 (E4M3 FNUZ)"
    assert format_named(GFX950, "e4m3").title == "FP8 (E4M3)"
    with pytest.raises(UnknownName, match="gfx908 has no format 'fp8'"):
        format_named(GFX908, "fp8")


@pytest.mark.parametrize("archs", [["gfx942"], "gfx942", GFX942, [GFX942], "mi300x"])
def test_architectures_may_be_named(archs: Any) -> None:
    assert which(archs, a="f16") == which([GFX942], a="f16")


def test_a_choice_is_printed_in_short() -> None:
    assert repr(which("gfx942", a="f16")[0]) == (
        "<Choice gfx942 v_mfma_f32_32x32x8_f16: 2048 per cycle and CU>"
    )
    assert repr(which("gfx950", a="fp4", m=32, n=32, k=64)[0]) == (
        "<Choice gfx950 v_mfma_f32_32x32x64_f8f6f4 (cbsz=4, blgp=4): 16384 per cycle and CU, "
        "1 for the tile>"
    )
