"""Matrices loaded as kernels load them multiply as numpy says, on every architecture."""

import itertools

import numpy as np
import pytest
from emulator_cases import Matrices

from layoutgen import emulator

NEW = ("gfx90a", "gfx942", "gfx950")
ALL = [(arch, name) for arch in NEW for name in emulator.mnemonics(arch)]
BROADCAST = [
    (arch, name) for arch, name in ALL if emulator.instruction(arch, name).cbsz_role == "broadcast"
]
FORMATS = list(itertools.product(range(5), repeat=2))
F8F6F4 = [name for name in emulator.mnemonics("gfx950") if "f8f6f4" in name]


def seed(*parts):
    return np.random.default_rng([ord(letter) for letter in "".join(map(str, parts))])


def test_every_architecture_has_its_instructions():
    counts = {arch: len(emulator.mnemonics(arch)) for arch in emulator.architectures()}
    assert counts == {"gfx908": 20, "gfx90a": 27, "gfx942": 46, "gfx950": 68}
    sparse = {
        arch: sum(emulator.instruction(arch, name).sparse for name in emulator.mnemonics(arch))
        for arch in NEW
    }
    assert sparse == {"gfx90a": 0, "gfx942": 14, "gfx950": 28}


@pytest.mark.parametrize(("arch", "mnemonic"), ALL)
def test_random_integer_matrices_multiply_as_numpy_says(arch, mnemonic):
    case = Matrices(arch, mnemonic, seed(arch, mnemonic))
    assert (case.run() == case.product()).all()
    if case.record.numerics.summation is not None:
        assert (case.run(model="numeric") == case.product()).all()


@pytest.mark.parametrize("mnemonic", F8F6F4)
@pytest.mark.parametrize(("cbsz", "blgp"), FORMATS)
def test_every_pair_of_formats_multiplies(mnemonic, cbsz, blgp):
    case = Matrices("gfx950", mnemonic, seed(mnemonic, cbsz, blgp), cbsz=cbsz, blgp=blgp)
    taken = {0: 8, 1: 8, 2: 6, 3: 6, 4: 4}
    assert len(case.a_registers) == case.record.a_registers == taken[cbsz]
    assert len(case.b_registers) == case.record.b_registers == taken[blgp]
    assert (case.run() == case.product()).all()


@pytest.mark.parametrize(("arch", "mnemonic"), ALL)
def test_register_counts_follow_from_shape_and_type(arch, mnemonic):
    r = emulator.instruction(arch, mnemonic)
    stored = r.k // 2 if r.sparse else r.k
    assert r.a_registers * 64 * 32 == r.m * stored * r.blocks * r.a_format.bits
    assert r.b_registers * 64 * 32 == r.n * r.k * r.blocks * r.b_format.bits
    assert r.d_registers * 64 * 32 == r.m * r.n * r.blocks * r.d_format.bits
    assert r.d_elements * 64 == r.m * r.n * r.blocks
    assert r.items * r.a_format.bits == r.a_registers * 32


@pytest.mark.parametrize(("arch", "mnemonic"), ALL)
def test_every_fact_names_its_source(arch, mnemonic):
    r = emulator.instruction(arch, mnemonic)
    assert len(r.sources) >= 3
    assert all(isinstance(source, str) and source for source in r.sources)


@pytest.mark.parametrize(("arch", "mnemonic"), ALL)
def test_each_c_slot_lands_in_its_own_d_slot(arch, mnemonic):
    r = emulator.instruction(arch, mnemonic)
    numbers = np.arange(1, r.d_elements * 64 + 1)
    kind = {"f64": np.float64, "f32": np.float32, "i32": np.int32}[r.d_format.name]
    c = numbers.astype(kind).reshape(-1, 64)
    if r.d_format.bits == 64:
        halves = c.view(np.uint64)
        c = np.stack([halves & np.uint64(2**32 - 1), halves >> np.uint64(32)], axis=1)
        c = c.astype(np.uint32).reshape(-1, 64)
    c = c.view(np.uint32)
    a = np.zeros((r.a_registers, 64), np.uint32)
    b = np.zeros((r.b_registers, 64), np.uint32)
    extra = {"index": np.full((1, 64), 0x44444444, np.uint32)} if r.sparse else {}
    if r.scaled:
        extra = dict.fromkeys(("scale_a", "scale_b"), np.zeros((1, 64), np.uint32))
    assert (emulator.execute(arch, mnemonic, a, b, c, **extra) == c).all()


@pytest.mark.parametrize(("arch", "mnemonic"), BROADCAST)
def test_broadcast_and_lane_patterns_reach_the_new_architectures(arch, mnemonic):
    case = Matrices(arch, mnemonic, seed(arch, mnemonic))
    blocks = case.record.blocks
    for cbsz, abid, blgp in emulator.legal_modifiers(arch, mnemonic):
        shared = [2**cbsz * (block // 2**cbsz) + abid for block in range(blocks)]
        if blgp == 0 and abid in (0, 2**cbsz - 1):
            expected = case.product(a=case.dense_a[:, :] if blocks == 1 else case.dense_a[shared])
            assert (case.run(cbsz=cbsz, abid=abid) == expected).all()
    if case.record.blgp_role == "lanes" and blocks == 4:
        assert (case.run(blgp=3) == case.product(b=case.b[[1, 2, 3, 0]])).all()
        assert (case.run(blgp=6) == case.product(b=case.b[[2] * 4])).all()
