"""Sparse instructions: index pairs, index sets, accumulation in place."""

import re

import numpy as np
import pytest
from emulator_cases import PAIRS, Matrices

from layoutgen import emulator
from layoutgen.emulator import EmulatorError

SPARSE = [
    (arch, name)
    for arch in ("gfx942", "gfx950")
    for name in emulator.mnemonics(arch)
    if emulator.instruction(arch, name).sparse
]
SETS = [
    (arch, name, setting)
    for arch, name in SPARSE
    for setting in emulator.legal_modifiers(arch, name)
    if setting.cbsz in (0, 3)
]
F16 = "v_smfmac_f32_16x16x32_f16"


def test_counts_of_index_sets():
    sets = {}
    for arch, name in SPARSE:
        doubled = emulator.instruction(arch, name).a_registers == 4
        key = doubled, name.endswith("f16")
        sets.setdefault(key, set()).add(emulator.instruction(arch, name).index_sets)
    assert sets == {(False, True): {4}, (False, False): {2}, (True, True): {2}, (True, False): {1}}


@pytest.mark.parametrize(("arch", "mnemonic", "setting"), SETS)
def test_the_chosen_set_decides_and_the_others_do_not(arch, mnemonic, setting):
    rng = np.random.default_rng(setting.abid + 10 * setting.cbsz)
    case = Matrices(arch, mnemonic, rng, cbsz=setting.cbsz, abid=setting.abid)
    assert set(case.pairs.ravel()) == set(range(6))
    assert (case.run() == case.product()).all()


@pytest.mark.parametrize(("arch", "mnemonic"), [("gfx942", F16), ("gfx950", SPARSE[-1][1])])
@pytest.mark.parametrize("pair", PAIRS)
def test_one_pair_in_all_groups(arch, mnemonic, pair):
    case = Matrices(arch, mnemonic, np.random.default_rng(5))
    nibble = pair[0] | pair[1] << 2
    index = np.full((1, 64), nibble * 0x11111111, np.uint32)
    dense = np.zeros_like(case.dense_a)
    dense[..., pair[0] :: 4], dense[..., pair[1] :: 4] = case.a[..., ::2], case.a[..., 1::2]
    assert (case.run(index=index) == case.product(a=dense)).all()


@pytest.mark.parametrize(
    ("first", "second"), [(0, 0), (1, 1), (2, 2), (3, 3), (1, 0), (2, 1), (3, 0)]
)
def test_pairs_that_do_not_ascend_are_refused(first, second):
    case = Matrices("gfx942", F16, np.random.default_rng(1))
    index = np.full((1, 64), 0x44444444, np.uint32)
    index[0, 37] = 0x44444404 | (first | second << 2) << 4
    told = rf"lane 37, bits 7:4 hold {first} and {second}; .* must be smaller"
    with pytest.raises(EmulatorError, match=told):
        case.run(index=index)
    case.run(index=index, abid=1)  # another set: not read


def test_infinities_that_the_index_passes_over_are_not_read():
    case = Matrices("gfx942", F16, np.random.default_rng(2))
    index = np.full((1, 64), 0x44444444, np.uint32)  # k 0 and 1 of four
    before = case.run(index=index)
    files, _ = case.arguments
    files[1][1::2] = 0x7C007E00  # k 2 and 3: a NaN and an infinity
    assert (case.run(index=index) == before).all()


def test_accumulation_is_in_place():
    case = Matrices("gfx950", "v_smfmac_i32_32x32x64_i8", np.random.default_rng(3))
    file = np.zeros((40, 64), np.uint32)
    file[0:4], file[4:12], file[12:28] = case.a_registers, case.b_registers, case.c_registers
    file[30] = case.extra["index"][0]
    name = case.record.mnemonic
    for _ in range(2):
        emulator.execute_in_place("gfx950", name, file, a=0, b=4, d=12, index=30)
    twice = 2 * (case.product() - case.c) + case.c
    assert (case.matrix(file[12:28]) == twice).all()
    with pytest.raises(EmulatorError, match="accumulates onto D's registers, 12"):
        emulator.execute_in_place("gfx950", name, file, a=0, b=4, c=13, d=12, index=30)


def test_a_batch_of_indices_is_many_calls():
    case = Matrices("gfx942", F16, np.random.default_rng(4))
    nibbles = [first | second << 2 for first, second in PAIRS]
    index = np.stack([np.full((1, 64), nibble * 0x11111111, np.uint32) for nibble in nibbles])
    files, keywords = case.arguments
    keywords = keywords | {"index": index}
    together = emulator.execute("gfx942", F16, *files, **keywords)
    assert together.shape == (6, 4, 64)
    for one, d in zip(index, together, strict=True):
        assert (emulator.execute("gfx942", F16, *files, **(keywords | {"index": one})) == d).all()


@pytest.mark.parametrize(
    ("mnemonic", "changes", "reason"),
    [
        (F16, {"index": None}, r"index: .* needs it, uint32\[1, 64\]"),
        (F16, {"index": np.zeros((2, 64), np.uint32)}, r"index: shape \[2, 64\]"),
        (F16, {"index": np.zeros((1, 64), np.int32)}, "index: dtype int32"),
        (F16, {"scale_a": np.zeros((1, 64), np.uint32)}, "scale_a: .* takes none"),
        (F16, {"blgp": 1}, "blgp 1: .* takes no blgp"),
        (F16, {"abid": 4}, r"has 4 index sets; abid must be 0\.\.3"),
        (F16, {"cbsz": 1, "abid": 1}, "with cbsz 1 the first index set is taken"),
        (F16, {"cbsz": 4}, r"cbsz 4: must be 0\.\.3"),
        ("v_smfmac_i32_16x16x64_i8", {"abid": 2}, r"abid must be 0\.\.1"),
    ],
)
def test_what_a_sparse_instruction_refuses(mnemonic, changes, reason):
    case = Matrices("gfx942", mnemonic, np.random.default_rng(0))
    with pytest.raises(EmulatorError, match=reason):
        case.run(**changes)


@pytest.mark.parametrize("changes", [{"cbsz": 1}, {"abid": 1}])
def test_one_set_leaves_nothing_to_choose(changes):
    case = Matrices("gfx950", "v_smfmac_i32_16x16x128_i8", np.random.default_rng(0))
    with pytest.raises(EmulatorError, match="has one index set; both must be 0"):
        case.run(**changes)


def test_c_is_no_inline_constant_and_dense_instructions_take_no_index():
    case = Matrices("gfx942", F16, np.random.default_rng(0))
    (a, b, _), keywords = case.arguments
    with pytest.raises(EmulatorError, match="takes no inline constant"):
        emulator.execute("gfx942", F16, a, b, 0, **keywords)
    zeros = np.zeros((2, 64), np.uint32)
    name = "v_mfma_f32_16x16x16_f16"
    with pytest.raises(EmulatorError, match=rf"index: {name} takes none"):
        emulator.execute("gfx942", name, zeros, zeros, 0, index=zeros[:1])


@pytest.mark.parametrize(("arch", "mnemonic"), SPARSE)
def test_the_numeric_model_is_refused_with_the_reason(arch, mnemonic):
    case = Matrices(arch, mnemonic, np.random.default_rng(0))
    if mnemonic.endswith("i8"):
        assert (case.run(model="numeric") == case.product()).all()
        return
    with pytest.raises(EmulatorError, match=re.escape(f"{arch} {mnemonic}") + ".*not published"):
        case.run(model="numeric")
