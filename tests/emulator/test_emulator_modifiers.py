"""cbsz and abid give one block's A to others; blgp moves B between lanes."""

import numpy as np
import pytest
from emulator_oracle import Case

from layoutgen import emulator
from layoutgen.emulator.modifiers import a_crossbar, b_crossbar

GFX908 = emulator.mnemonics("gfx908")
BLOCKS = {name: emulator.instruction("gfx908", name).blocks for name in GFX908}
MANY = [name for name in GFX908 if BLOCKS[name] > 1]


def case_of(mnemonic):
    return Case(emulator.instruction("gfx908", mnemonic), np.random.default_rng(7))


def run(case, mnemonic, *modifiers):
    registers = case.a_registers, case.b_registers, case.c_registers
    return case.matrix(emulator.execute("gfx908", mnemonic, *registers, *modifiers))


@pytest.mark.parametrize("mnemonic", MANY)
def test_a_group_of_blocks_shares_the_a_that_abid_names(mnemonic):
    case = case_of(mnemonic)
    for cbsz, abid, blgp in emulator.legal_modifiers("gfx908", mnemonic):
        if blgp == 0:
            size = 2**cbsz
            shared = [size * (block // size) + abid for block in range(case.blocks)]
            expected = case.product(a=case.a[shared])
            assert (run(case, mnemonic, cbsz, abid) == expected).all()


@pytest.mark.parametrize("mnemonic", [n for n in MANY if "32x32" in n])
def test_blgp_1_and_2_give_one_half_of_b_to_both_blocks(mnemonic):
    case = case_of(mnemonic)
    assert (run(case, mnemonic, 0, 0, 1) == case.product(b=case.b[[0, 0]])).all()
    assert (run(case, mnemonic, 0, 0, 2) == case.product(b=case.b[[1, 1]])).all()


@pytest.mark.parametrize("mnemonic", [n for n in MANY if "16x16" in n])
def test_blgp_on_four_blocks_of_sixteen_lanes(mnemonic):
    case = case_of(mnemonic)
    taken = {1: [0, 1, 0, 1], 2: [2, 3, 2, 3], 3: [1, 2, 3, 0]}
    taken |= {4 + block: [block] * 4 for block in range(4)}
    for blgp, blocks in taken.items():
        assert (run(case, mnemonic, 0, 0, blgp) == case.product(b=case.b[blocks])).all()


def test_blgp_on_sixteen_blocks_moves_four_blocks_at_a_time():
    name = "v_mfma_f32_4x4x4f16"
    case = case_of(name)
    rotated = [(block + 4) % 16 for block in range(16)]
    assert (run(case, name, 0, 0, 3) == case.product(b=case.b[rotated])).all()
    third_quarter = [8, 9, 10, 11] * 4
    assert (run(case, name, 0, 0, 6) == case.product(b=case.b[third_quarter])).all()


def test_blgp_on_one_block_repeats_k():
    name = "v_mfma_f32_16x16x16f16"
    case = case_of(name)
    k = [*range(8, 12)] * 4  # lanes 32-47 hold k 8 to 11
    assert (run(case, name, 0, 0, 6) == case.product(b=case.b[:, k])).all()


def test_modifiers_of_a_and_b_act_together():
    name = "v_mfma_i32_16x16x4i8"
    case = case_of(name)
    expected = case.product(a=case.a[[1, 1, 3, 3]], b=case.b[[1, 2, 3, 0]])
    assert (run(case, name, 1, 1, 3) == expected).all()


def test_blocks_that_are_not_broadcast_are_never_read():
    name = "v_mfma_f32_4x4x4f16"
    case = case_of(name)
    before = run(case, name, 2, 1)
    read = np.zeros(64, bool)
    for group in range(4):
        first = 4 * (4 * group + 1)
        read[first : first + 4] = True
    case.a_registers[:, ~read] = 0x7E007E00  # two quiet NaNs
    assert (run(case, name, 2, 1) == before).all()


@pytest.mark.parametrize(
    ("blgp", "first", "last"),
    [
        (0, 0, 63),
        (1, 0, 31),
        (2, 32, 63),
        (3, 16, 15),
        (4, 0, 15),
        (5, 16, 31),
        (6, 32, 47),
        (7, 48, 63),
    ],
)
def test_ends_of_each_blgp_pattern(blgp, first, last):
    crossbar = b_crossbar(blgp)
    assert (crossbar[0], crossbar[63]) == (first, last)
    assert sorted(set(crossbar)) == list(range(first, last + 1)) or blgp == 3


def test_no_broadcast_is_the_identity():
    for blocks in (1, 2, 4, 16):
        assert (a_crossbar(blocks, 0, 0) == np.arange(64)).all()


def test_counts_of_legal_settings():
    expected = {1: 8, 2: 3 * 8, 4: 7 * 8, 16: 31 * 8}
    for name in GFX908:
        assert len(emulator.legal_modifiers("gfx908", name)) == expected[BLOCKS[name]]


@pytest.mark.parametrize("mnemonic", GFX908)
def test_settings_outside_the_list_are_refused(mnemonic):
    record = emulator.instruction("gfx908", mnemonic)
    a = np.zeros((record.a_registers, 64), np.uint32)
    legal = set(emulator.legal_modifiers("gfx908", mnemonic))
    for cbsz in range(8):
        for abid in range(17):
            for blgp in (0, 8):
                if (cbsz, abid, blgp) not in legal:
                    with pytest.raises(emulator.EmulatorError):
                        emulator.execute("gfx908", mnemonic, a, a, 0, cbsz, abid, blgp)
