"""Rows of the architectures' tables made into records."""

from collections.abc import Iterable, Mapping
from itertools import product
from typing import NamedTuple

from layoutgen.emulator import rules, rules_sparse
from layoutgen.emulator.formats import F32, F64, Format
from layoutgen.emulator.instructions import BlgpRole, Instruction
from layoutgen.emulator.models import Numerics
from layoutgen.emulator.rules import Rule

Shape = tuple[int, int, int]

# Rows, columns, blocks of a dense instruction.
_DENSE: Mapping[tuple[int, int, int], Rule] = {
    (32, 32, 1): rules.ONE_BLOCK_32X32,
    (16, 16, 1): rules.ONE_BLOCK_16X16,
    (32, 32, 2): rules.TWO_BLOCKS_32X32,
    (16, 16, 4): rules.FOUR_BLOCKS_16X16,
    (4, 4, 16): rules.SIXTEEN_BLOCKS_4X4,
}
_DENSE_F64: Mapping[tuple[int, int, int], Rule] = {
    (16, 16, 1): rules.F64_16X16,
    (4, 4, 4): rules.F64_4X4,
}
# Rows, registers of A of a sparse instruction.
_SPARSE: Mapping[tuple[int, int], Rule] = {
    (16, 2): rules_sparse.SPARSE_16X16,
    (32, 2): rules_sparse.SPARSE_32X32,
    (16, 4): rules_sparse.SPARSE_16X16_DOUBLED,
    (32, 4): rules_sparse.SPARSE_32X32_DOUBLED,
}


class Dense(NamedTuple):
    """One dense instruction: ``registers`` counts those of A, B has as many."""

    mnemonic: str
    shape: Shape
    blocks: int
    a: Format
    b: Format
    d: Format
    registers: int
    d_registers: int
    blgp: BlgpRole = "lanes"


class Sparse(NamedTuple):
    """One sparse instruction; ``shape`` has the dense K."""

    mnemonic: str
    shape: Shape
    a: Format
    b: Format
    d: Format
    a_registers: int
    b_registers: int
    d_registers: int
    index_sets: int


def eight_bit_dense(formats: Mapping[str, Format]) -> tuple[Dense, ...]:
    """Rows of FP8 and BF8, whose `formats` go by these names in the mnemonics."""
    return tuple(
        Dense(f"v_mfma_f32_{m}x{m}x{k}_{a}_{b}", (m, m, k), 1, formats[a], formats[b], F32, 2,
              m * m // 64, "none")
        for m, k in ((16, 32), (32, 16))
        for a, b in product(formats, repeat=2)
    )  # fmt: skip


def eight_bit_sparse(
    formats: Mapping[str, Format], shapes: Iterable[tuple[int, int, int, int]]
) -> tuple[Sparse, ...]:
    """The same of sparse instructions; `shapes` have M, K, registers of A and sets of the index."""
    return tuple(
        Sparse(f"v_smfmac_f32_{m}x{m}x{k}_{a}_{b}", (m, m, k), formats[a], formats[b], F32,
               registers, 2 * registers, m * m // 64, sets)
        for m, k, registers, sets in shapes
        for a, b in product(formats, repeat=2)
    )  # fmt: skip


def dense(
    arch: str,
    rows: Iterable[Dense],
    numerics: Mapping[str, Numerics],
    source: str,
    witnesses: Mapping[str, tuple[str, ...]],
) -> dict[str, Instruction]:
    """Records of dense instructions; numerics and witnesses by the name of A's format."""
    records = {}
    for row in rows:
        m, n, k = row.shape
        shapes = _DENSE_F64 if row.a is F64 else _DENSE
        records[row.mnemonic] = Instruction(
            arch=arch,
            mnemonic=row.mnemonic,
            m=m,
            n=n,
            k=k,
            blocks=row.blocks,
            a_format=row.a,
            b_format=row.b,
            d_format=row.d,
            a_registers=row.registers,
            b_registers=row.registers,
            d_registers=row.d_registers,
            items=row.registers * 32 // row.a.bits,
            rule=shapes[m, n, row.blocks],
            numerics=numerics[row.a.name],
            source=source,
            cbsz_role="none" if row.a is F64 else "broadcast",
            blgp_role=row.blgp,
            witnesses=witnesses.get(row.a.name, ()),
        )
    return records


def sparse(
    arch: str,
    rows: Iterable[Sparse],
    numerics: Mapping[str, Numerics],
    source: str,
    witnesses: Mapping[str, tuple[str, ...]],
) -> dict[str, Instruction]:
    """Records of sparse instructions, likewise."""
    records = {}
    for row in rows:
        m, n, k = row.shape
        records[row.mnemonic] = Instruction(
            arch=arch,
            mnemonic=row.mnemonic,
            m=m,
            n=n,
            k=k,
            blocks=1,
            a_format=row.a,
            b_format=row.b,
            d_format=row.d,
            a_registers=row.a_registers,
            b_registers=row.b_registers,
            d_registers=row.d_registers,
            items=row.a_registers * 32 // row.a.bits,
            rule=_SPARSE[m, row.a_registers],
            numerics=numerics[row.a.name],
            source=source,
            cbsz_role="index",
            blgp_role="none",
            index_sets=row.index_sets,
            witnesses=witnesses.get(row.a.name, ()),
        )
    return records
