"""numpy arrays: a matrix to registers and back by indexing."""

from __future__ import annotations

import io

import numpy as np
import pytest

from layoutgen import archs
from layoutgen.digits import Digit, Layout
from layoutgen.export.arrays import arrays, npy, npz
from layoutgen.model import Instruction, Operand

ARCHS = archs()
INSTRUCTIONS = [
    pytest.param(inst, id=f"{arch.name} {inst.mnemonic}")
    for arch in ARCHS.values()
    for inst in arch.values()
]


@pytest.mark.parametrize("inst", INSTRUCTIONS)
def test_gather_and_scatter_agree_with_locate(inst: Instruction) -> None:
    for operand in inst.operands.values():
        index = arrays(operand)
        matrix = np.arange(index["lane"].size).reshape(index["lane"].shape)
        registers = matrix.ravel()[index["gather"]]
        assert (registers[index["lane"], index["item"]] == matrix).all()
        assert (index["table"] == operand.table()).all()
        at = {name: size - 1 for name, size in operand.layout.shape.items()}
        slot = operand.locate(**at)[0]
        last = tuple(at.values())
        assert index["lane"][last] == slot.lane
        assert index["item"][last] * slot.width == 32 * slot.register + slot.bit


def test_under_modifiers_a_matrix_is_what_the_multiplier_reads() -> None:
    operand = ARCHS["gfx908"]["v_mfma_f32_16x16x4f16"].operand("A", cbsz=2, abid=1)
    index = arrays(operand)
    matrix = np.arange(4 * 16 * 4).reshape(4, 16, 4)
    registers = matrix.ravel()[index["gather"]]
    read = registers[index["lane"], index["item"]]
    assert (read == matrix[1]).all(), "every block reads block 1"


def test_copies_are_gathered_and_holes_are_marked() -> None:
    row, half, copy = Digit("row", 16), Digit("half", 2), Digit("copy", 2)
    layout = Layout({"b": (), "i": (row,)}, (row, copy), (half,), {"half": 0})
    plain = ARCHS["gfx908"]["v_mfma_f32_32x32x8f16"].operand("A")
    index = arrays(Operand("A", plain.format, layout, plain.provenance))
    assert index["gather"].tolist() == [[n % 16, -1] for n in range(32)]
    assert index["lane"].tolist() == [list(range(16))]


def test_the_files_hold_the_arrays_and_are_the_same_each_time() -> None:
    operand = ARCHS["gfx908"]["v_mfma_f32_32x32x1f32"].operand("D")
    index = arrays(operand)
    with np.load(io.BytesIO(npz(operand))) as found:
        assert set(found) == set(index)
        assert all((found[name] == index[name]).all() for name in index)
    assert (np.load(io.BytesIO(npy(operand))) == index["gather"]).all()
    assert npz(operand) == npz(operand)
