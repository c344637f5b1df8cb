"""What makes an element of D, of dense, sparse and scaled instructions."""

from __future__ import annotations

from itertools import product

import pytest

import layoutgen
from layoutgen.digits import LayoutError
from layoutgen.origins import PAIRS, origins

ARCHS = layoutgen.archs()
GFX942, GFX950 = ARCHS["gfx942"], ARCHS["gfx950"]


def of(found, name):
    return [origin.element for origin in found if origin.operand.name == name]


def test_pairs_are_the_six_choices_of_two_of_four() -> None:
    assert sorted(PAIRS.values()) == [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
    assert all(value & 3 == low and value >> 2 == high for value, (low, high) in PAIRS.items())


@pytest.mark.parametrize("arch", ARCHS.values(), ids=ARCHS)
def test_every_k_takes_part_once(arch) -> None:
    for inst in arch.values():
        found = origins(inst, b=inst.blocks - 1, i=inst.m - 1, j=1)
        assert [e["k"] for e in of(found, "B")] == list(range(inst.k))
        assert [e["k"] for e in of(found, "A")] == list(range(inst.operands["A"].layout.shape["k"]))
        assert len(of(found, "C")) == 1


@pytest.mark.parametrize("name", [n for n, i in GFX950.items() if i.sparse])
def test_a_given_index_chooses_two_of_four_k(name: str) -> None:
    inst = GFX950[name]
    groups = inst.k // 4
    for pair, (low, high) in PAIRS.items():
        found = origins(inst, i=3, j=2, pairs=pair)
        wanted = [4 * q + k for q, k in product(range(groups), (low, high))]
        assert [e["k"] for e in of(found, "B")] == wanted
        assert [e["group"] for e in of(found, "index")] == list(range(groups))
    mixed = [(4, 8, 12, 9, 13, 14)[q % 6] for q in range(groups)]
    found = origins(inst, i=3, j=2, pairs=mixed)
    assert [e["k"] for e in of(found, "B")][:6] == [0, 1, 4, 6, 8, 11]


def test_scales_stand_before_what_they_scale() -> None:
    inst = GFX950["v_mfma_scale_f32_32x32x64_f8f6f4"]
    found = origins(inst, i=3, j=2, op_sel=(0, 1))
    names = [origin.operand.name for origin in found]
    assert names[:3] == ["C", "scale_a", "scale_b"]
    assert [n for n, name in enumerate(names) if name == "scale_a"] == [1, 1 + 2 + 64]
    [scale] = {o.operand.layout.fixed["byte"] for o in found if o.operand.name == "scale_b"}
    assert scale == 1


@pytest.mark.parametrize(
    ("pairs", "message"),
    [(5, "ascending"), ([4, 4], "2 pairs, but there are 8 groups"), (0, "4 for k 0 and 1")],
)
def test_what_is_no_index_is_refused(pairs, message: str) -> None:
    with pytest.raises(LayoutError, match=message):
        origins(GFX942["v_smfmac_f32_16x16x32_f16"], i=0, j=0, pairs=pairs)
    with pytest.raises(LayoutError, match="not sparse"):
        origins(GFX942["v_mfma_f32_16x16x16_f16"], i=0, j=0, pairs=4)
