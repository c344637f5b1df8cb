"""Layouts against those of compilers, libraries and simulators, wherever they speak of one."""

from __future__ import annotations

import numpy as np
import pytest

import layoutgen
from layoutgen.model import Operand
from layoutgen.validate.witnesses.label import ANY
from layoutgen.validate.witnesses.reading import Witness, as_array, find

SHORT = {
    "f8E4M3FNUZ": "fp8",
    "f8E4M3FN": "fp8",
    "f8E5M2FNUZ": "bf8",
    "f8E5M2": "bf8",
    "f6E2M3FN": "fp6",
    "f6E3M2FN": "bf6",
    "f4E2M1FN": "fp4",
}
CODES = ["fp8", "bf8", "fp6", "bf6", "fp4"]
F8F6F4 = {(letter, "f8f6f4", 8, "IREE") for letter in "AB"}
"""IREE holds 32 consecutive k of 8 bits in a lane, the manual two chunks of 16."""
SPARSE = {
    (operand, type_, bits, "hip-fpsan")
    for operand, bits in (("A", 8), ("B", 8), ("index", 4))
    for type_ in ("fp8", "bf8")
}
"""hip-fpsan has the same pairing of A, index and B under other names of k."""
KNOWN = {"gfx942": SPARSE, "gfx950": F8F6F4 | SPARSE}
"""Where a witness says otherwise: operand, last word of the mnemonic, bits, witness."""


ARCHS = layoutgen.archs()


def claims() -> list[tuple[str, str, str, Witness]]:
    """Return every witness of every operand."""
    return [
        (arch, inst.mnemonic, operand, witness)
        for arch, instructions in ARCHS.items()
        for inst in instructions.values()
        for operand in inst.operands
        for witness in find(arch, inst.mnemonic, operand)
    ]


CLAIMS = claims()


def ours(arch: str, name: str, letter: str, witness: Witness) -> Operand:
    """Return the operand in the format that the witness speaks of."""
    inst = ARCHS[arch][name]
    if inst.alternatives and witness.types:
        a, b = (CODES.index(SHORT[type_]) for type_ in witness.types[:2])
        return inst.operand(letter, cbsz=a, blgp=b)
    return inst.operand(letter)


@pytest.mark.parametrize("arch", ["gfx908", "gfx90a", "gfx942", "gfx950"])
def test_layouts_are_those_of_the_compilers(arch: str) -> None:
    differing = set()
    for _, name, letter, witness in (claim for claim in CLAIMS if claim[0] == arch):
        operand = ours(arch, name, letter, witness)
        b, x, y, lane, register, bit, _ = operand.table().T
        item = (32 * register + bit) // operand.format.bits
        table = np.stack([lane, item, b, x, y], axis=1)
        said = as_array(witness.labels)
        if ANY in said[:, 2]:  # the block is not told
            table[:, 2] = said[:, 2] = ANY
        if not np.array_equal(table[np.lexsort(table.T[::-1])], said[np.lexsort(said.T[::-1])]):
            differing.add((letter, name.rpartition("_")[2], operand.format.bits, witness.tool))
    assert differing == KNOWN.get(arch, set())


def test_the_witnesses_speak_of_most_instructions() -> None:
    spoken = {arch: len({c[1] for c in CLAIMS if c[0] == arch}) for arch in ARCHS}
    assert spoken == {"gfx908": 20, "gfx90a": 27, "gfx942": 44, "gfx950": 64}
