"""Wait states by instruction."""

from __future__ import annotations

import pytest

import layoutgen
from layoutgen.hazards import before, classes, waits

ARCHS = layoutgen.archs()


def after(arch: str, name: str, then: str, **fields: int) -> list[int]:
    gpu = ARCHS[arch]
    return [w.states for w in waits(gpu, gpu[name], **fields) if then in w.then]


@pytest.mark.parametrize(
    ("arch", "wanted"), [("gfx942", [5, 7, 11, 19]), ("gfx950", [5, 8, 12, 20])]
)
def test_until_the_valu_may_use_the_result(arch: str, wanted: list[int]) -> None:
    gpu = ARCHS[arch]
    by_passes = {}
    for inst in gpu.values():
        if "XDL" in classes(gpu, inst):
            [states] = after(arch, inst.mnemonic, "VALU, VMEM")
            assert by_passes.setdefault(inst.passes, states) == states
    assert [by_passes[passes] for passes in (2, 4, 8, 16)] == wanted


def test_f32_and_f64_have_rows_of_their_own() -> None:
    assert after("gfx942", "v_mfma_f32_16x16x4_f32", "VALU, VMEM") == [10]
    assert after("gfx942", "v_mfma_f64_16x16x4_f64", "VALU uses it") == [11]
    assert after("gfx942", "v_mfma_f64_4x4x4_4b_f64", "VALU uses it") == [6]
    assert after("gfx942", "v_mfma_f32_16x16x8_xf32", "VALU, VMEM") == [7]
    assert after("gfx90a", "v_mfma_f32_16x16x4f32", "VALU, VMEM") == [11]


def test_fewer_with_narrow_formats() -> None:
    name = "v_mfma_f32_16x16x128_f8f6f4"
    assert after("gfx950", name, "VALU, VMEM") == [12]
    assert after("gfx950", name, "VALU, VMEM", cbsz=4, blgp=2) == [8]


def test_every_instruction_asks_for_waits_and_every_hazard_concerns_one() -> None:
    for arch in ARCHS.values():
        found = [(inst, waits(arch, inst)) for inst in arch.values()]
        assert all(mine for _, mine in found)
        met = {w.hazard for _, mine in found for w in mine} | {w.hazard for w in before(arch)}
        assert met == set(arch.hazards)
