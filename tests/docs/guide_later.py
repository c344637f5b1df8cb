"""Statements with numbers on the pages of the guide about what later architectures add."""

from __future__ import annotations

import layoutgen
from layoutgen.model import Operand

DOUBLE = layoutgen.arch("gfx942")["v_mfma_f64_16x16x4_f64"]
SPARSE = layoutgen.arch("gfx942")["v_smfmac_f32_16x16x32_f16"]
SCALED = layoutgen.arch("gfx950")["v_mfma_scale_f32_16x16x128_f8f6f4"]
STORED = SPARSE.operands["A"].layout.shape["k"] // SPARSE.operands["index"].layout.shape["group"]
DENSE = SPARSE.k // SPARSE.operands["index"].layout.shape["group"]
PER_SCALE = SCALED.k // SCALED.operands["scale_a"].layout.shape["group"]
ONE = SCALED.operands["scale_a"].format.encoding


def formats() -> list[str]:
    return [f"{DOUBLE.operands['A'].format.bits} bits ------- An FP64 takes two registers"]


def sparse() -> list[str]:
    return [
        f"The pattern is *{STORED}:{DENSE}*: of four neighbouring k in a row of A, at most two are",
        f"the stored position {STORED}q belongs to the first, and {STORED}q + 1 to the second k of "
        "group q",
    ]


def pieces(operand: Operand, lane: int) -> list[list[int]]:
    """Return the k that a lane holds, as runs of successive ones."""
    found: list[list[int]] = []
    for register in range(operand.registers):
        for element in operand.elements(lane=lane, register=register):
            assert element.k is not None
            if found and found[-1][-1] + 1 == element.k:
                found[-1].append(element.k)
            else:
                found.append([element.k])
    return found


def scaled() -> list[str]:
    assert ONE
    lane = SCALED.m
    first, second = pieces(SCALED.operand("A"), lane)
    (scale,) = SCALED.operand("scale_a").elements(lane=lane, register=0)
    (row,) = {e.i for e in SCALED.operand("A").elements(lane=lane, register=0)}
    assert scale.group is not None
    covered = range(scale.group * PER_SCALE, (scale.group + 1) * PER_SCALE)
    assert [len(p) for p in pieces(SCALED.operand("A", cbsz=4), lane)] == [PER_SCALE]
    (byte,) = (code for code in range(255) if ONE.value(code) == 1)
    return [
        *[f"lfloor k/{PER_SCALE} \\rfloor"] * 2,
        f"A row of A has one scale for {PER_SCALE} k, and so has a column of B",
        f"a lane holds two chunks of {len(first)} k, with a gap between them",
        f"Lane {lane} holds numbers of row {row} with k {first[0]} to {first[-1]} and "
        f"{second[0]} to {second[-1]}; the scale in it is that of k {covered[0]} to {covered[-1]}.",
        f"the byte is the exponent, and {byte} stands for 1.",
        f"For a scale of 1 pass {byte}. Where both scales and both ``op_sel`` are the constant 0",
        "that is not what the byte 0 means",
        f"A with {SCALED.operand('A').format.bits}-bit numbers",
    ]
