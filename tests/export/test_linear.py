"""Linear layouts: Triton's own bases, and what they mean."""

from __future__ import annotations

from functools import reduce
from operator import xor

import pytest

from layoutgen import archs
from layoutgen.digits import Digit, Layout, LayoutError
from layoutgen.export.linear import LinearLayout, linear_layout
from layoutgen.model import Operand
from layoutgen.validate.witnesses.reading import TritonRecord, load_triton

ARCHS = archs()
OPERANDS = [
    pytest.param(operand, id=f"{arch.name} {inst.mnemonic} {operand.name}")
    for arch in ARCHS.values()
    for inst in arch.values()
    for operand in inst.operands.values()
]
RECORDS = [
    pytest.param(record, ARCHS[arch][name].operand("D"), id=f"{arch} {name} {record.layout}")
    for record in load_triton()
    if record.operand == "acc"
    for arch, names in record.instructions.items()
    if arch in ARCHS
    for name in names
    if name in ARCHS[arch]
]


@pytest.mark.parametrize(("record", "operand"), RECORDS)
def test_the_bases_of_d_are_those_that_triton_prints(
    record: TritonRecord, operand: Operand
) -> None:
    wide = {(4, 64): "columns", (64, 4): "rows"}.get((record.m, record.n))
    if wide and record.transposed:  # Triton exchanges A and B, and with them rows and columns
        wide = {"columns": "rows", "rows": "columns"}[wide]
    ours = linear_layout(operand, transpose=record.transposed, stack=wide)
    assert ours.register == record.register
    assert ours.lane == record.lane
    assert tuple(ours.dims.values()) == record.shape
    assert not record.warp
    assert not record.block


def test_triton_has_a_word_on_most_shapes() -> None:
    shapes = {param.id.split("instr_shape=")[1] for param in RECORDS}
    assert len(shapes) >= 14


def coordinates(layout: LinearLayout, register: int, lane: int) -> tuple[int, ...]:
    bits = [b for n, b in enumerate(layout.register) if register >> n & 1]
    bits += [b for n, b in enumerate(layout.lane) if lane >> n & 1]
    return tuple(reduce(xor, column, 0) for column in zip(*bits, strict=True)) or (0,) * len(
        layout.dims
    )


@pytest.mark.parametrize("operand", OPERANDS)
def test_the_xor_of_the_bases_is_the_element_in_the_slot(operand: Operand) -> None:
    layout = linear_layout(operand)
    for lane in range(0, operand.layout.lanes, 3):
        for item in range(operand.layout.items):
            held = operand.layout.inverse(lane, item)
            if held is not None:  # in a hole there is no element
                expected = tuple(held[name] for name in layout.dims)
                assert coordinates(layout, item, lane) == expected


def test_the_text_is_tritons() -> None:
    operand = ARCHS["gfx908"]["v_mfma_f32_16x16x4f32"].operand("D")
    assert str(linear_layout(operand)) == (
        " - register=1 -> (1, 0)\n"
        "   register=2 -> (2, 0)\n"
        " - lane=1 -> (0, 1)\n"
        "   lane=2 -> (0, 2)\n"
        "   lane=4 -> (0, 4)\n"
        "   lane=8 -> (0, 8)\n"
        "   lane=16 -> (4, 0)\n"
        "   lane=32 -> (8, 0)\n"
        "where out dims are: [i (size 16), j (size 16)]"
    )


def test_blocks_are_a_coordinate_or_stacked() -> None:
    operand = ARCHS["gfx908"]["v_mfma_f32_32x32x1f32"].operand("D")
    assert linear_layout(operand).dims == {"b": 2, "i": 32, "j": 32}
    assert linear_layout(operand).register[-1] == (1, 0, 0)
    assert linear_layout(operand, stack="rows").register[-1] == (32, 0)
    assert linear_layout(operand, stack="columns").register[-1] == (0, 32)


def test_a_copy_is_a_basis_of_zeros_and_a_hole_is_left_out() -> None:
    row, half, copy = Digit("row", 16), Digit("half", 2), Digit("copy", 2)
    layout = Layout({"b": (), "i": (row,)}, (row, copy), (half,), {"half": 0})
    plain = ARCHS["gfx908"]["v_mfma_f32_32x32x1f32"].operand("A")
    operand = Operand("A", plain.format, layout, plain.provenance)
    found = linear_layout(operand)
    assert found.register == ()
    assert found.lane == ((1,), (2,), (4,), (8,), (0,))
    assert str(found).startswith(" - register is a size 1 dimension\n")


def test_modifiers_that_move_the_operand_are_refused() -> None:
    inst = ARCHS["gfx908"]["v_mfma_f32_16x16x4f16"]
    with pytest.raises(LayoutError, match="A under cbsz:1 is read from other lanes"):
        linear_layout(inst.operand("A", cbsz=1))
    assert linear_layout(inst.operand("D", cbsz=1)) == linear_layout(inst.operand("D"))


def test_a_size_that_is_no_power_of_two_is_refused() -> None:
    plain = ARCHS["gfx908"]["v_mfma_f32_32x32x1f32"].operand("A")
    row = Digit("row", 3)
    odd = Operand("A", plain.format, Layout({"i": (row,)}, (row,), ()), plain.provenance)
    with pytest.raises(LayoutError, match="'row' has 3 values"):
        linear_layout(odd)
