"""What may go in, what comes out, and how a refusal reads."""

import numpy as np
import pytest
from emulator_oracle import Case

from layoutgen import emulator
from layoutgen.emulator import EmulatorError, execute, execute_in_place

F32 = "v_mfma_f32_4x4x1f32"
F16 = "v_mfma_f32_32x32x4f16"
I8 = "v_mfma_i32_4x4x4i8"


def zeros(*shape, dtype=np.uint32):
    return np.zeros(shape, dtype)


def test_a_batch_is_many_single_calls():
    rng = np.random.default_rng(3)
    cases = [Case(emulator.instruction("gfx908", F16), rng) for _ in range(200)]
    a = np.stack([case.a_registers for case in cases])
    b = np.stack([case.b_registers for case in cases])
    c = np.stack([case.c_registers for case in cases])
    batched = execute("gfx908", F16, a, b, c, 1, 1, 3)
    assert batched.shape == (200, 32, 64)
    for i in (0, 1, 127, 128, 199):
        assert (batched[i] == execute("gfx908", F16, a[i], b[i], c[i], 1, 1, 3)).all()


def test_operands_without_a_batch_axis_are_shared():
    rng = np.random.default_rng(4)
    a = rng.integers(0, 2**32, (5, 1, 64), dtype=np.uint32)
    b = rng.integers(0, 2**32, (1, 64), dtype=np.uint32)
    c = rng.integers(0, 2**32, (3, 4, 64), dtype=np.uint32)
    shared = execute("gfx908", I8, a, b, c[0])
    for i in range(5):
        assert (shared[i] == execute("gfx908", I8, a[i], b, c[0])).all()
    only_c = execute("gfx908", I8, a[0], b, c)
    assert only_c.shape == (3, 4, 64)
    assert (only_c[2] == execute("gfx908", I8, a[0], b, c[2])).all()


def test_inputs_are_left_alone_and_the_result_is_new():
    case = Case(emulator.instruction("gfx908", F16), np.random.default_rng(5))
    inputs = case.a_registers, case.b_registers, case.c_registers
    copies = [x.copy() for x in inputs]
    d = execute("gfx908", F16, *inputs)
    assert all((x == y).all() for x, y in zip(inputs, copies, strict=True))
    assert not any(np.shares_memory(d, x) for x in inputs)
    assert d.dtype == np.uint32


def test_an_inline_constant_fills_every_slot_in_the_accumulators_type():
    a = zeros(1, 64)
    assert (execute("gfx908", F32, a, a, -2.0) == 0xC0000000).all()
    assert (execute("gfx908", F32, a, a, 1) == 0x3F800000).all()
    assert (execute("gfx908", I8, a, a, -16) == 2**32 - 16).all()


@pytest.mark.parametrize(
    ("mnemonic", "value", "reason"),
    [
        (I8, 0.5, "no signed 32-bit integer"),
        (I8, 2**31, "no signed 32-bit integer"),
        (I8, float("nan"), "no signed 32-bit integer"),
        (F32, 1e39, "overflows f32"),
        (F32, True, "must be a number"),
        (F32, "1.0", "must be a number"),
        (F32, [1.0], "must be a number"),
    ],
)
def test_inline_constants_that_the_type_does_not_have_are_refused(mnemonic, value, reason):
    with pytest.raises(EmulatorError, match=reason):
        execute("gfx908", mnemonic, zeros(1, 64), zeros(1, 64), value)


def test_in_place_accumulation_overwrites_cs_range_only():
    case = Case(emulator.instruction("gfx908", I8), np.random.default_rng(6))
    file = np.random.default_rng(8).integers(0, 2**32, (16, 64), dtype=np.uint32)
    file[2:3], file[9:10], file[4:8] = case.a_registers, case.b_registers, case.c_registers
    expected = file.copy()
    for _ in range(3):
        expected[4:8] = execute("gfx908", I8, file[2:3], file[9:10], expected[4:8])
    for _ in range(3):
        execute_in_place("gfx908", I8, file, a=2, b=9, d=4)
    assert (file == expected).all()
    execute_in_place("gfx908", I8, file, a=2, b=9, c=4, d=10)
    assert (file[4:8] == expected[4:8]).all()
    assert (file[10:14] == execute("gfx908", I8, file[2:3], file[9:10], file[4:8])).all()


def test_all_sources_are_read_before_d_is_written():
    rng = np.random.default_rng(9)
    file = rng.integers(0, 2**32, (6, 64), dtype=np.uint32)
    before = file.copy()
    execute_in_place("gfx908", I8, file, a=1, b=2, c=1, d=0)
    expected = execute("gfx908", I8, before[1:2], before[2:3], before[1:5])
    assert (file[0:4] == expected).all()


def test_in_place_takes_a_batch_of_register_files():
    files = np.random.default_rng(10).integers(0, 2**32, (3, 8, 64), dtype=np.uint32)
    before = files.copy()
    execute_in_place("gfx908", I8, files, a=0, b=1, d=2, cbsz=4, abid=9, blgp=5)
    for file, old in zip(files, before, strict=True):
        expected = execute("gfx908", I8, old[0:1], old[1:2], old[2:6], 4, 9, 5)
        assert (file[2:6] == expected).all()
        assert (file[[0, 1, 6, 7]] == old[[0, 1, 6, 7]]).all()


@pytest.mark.parametrize(
    ("file", "offsets", "reason"),
    [
        (zeros(8, 64), {"a": 8, "b": 0, "d": 0}, "a: registers 8..8 leave the file of 8"),
        (zeros(8, 64), {"a": 0, "b": 0, "d": 5}, "d: registers 5..8 leave the file of 8"),
        (zeros(8, 64), {"a": -1, "b": 0, "d": 0}, "leave the file"),
        (zeros(8, 64), {"a": 0, "b": 0, "c": 1.0, "d": 0}, "c: must be a register number"),
        (zeros(8, 32), {"a": 0, "b": 0, "d": 0}, r"must be \[registers, 64\]"),
        (zeros(8, 64, dtype=np.int32), {"a": 0, "b": 0, "d": 0}, "uint32"),
    ],
)
def test_operands_outside_the_register_file_are_refused(file, offsets, reason):
    with pytest.raises(EmulatorError, match=reason):
        execute_in_place("gfx908", I8, file, **offsets)


@pytest.mark.parametrize(
    ("a", "reason"),
    [
        (zeros(1, 64, dtype=np.float32), "a: dtype float32, must be uint32"),
        (zeros(2, 64), r"a: shape \[2, 64\], .* takes \[1, 64\]"),
        (zeros(1, 32), r"a: shape \[1, 32\]"),
        (zeros(64), r"a: shape \[64\]"),
        ([0] * 64, "a: must be a uint32 array, not list"),
    ],
)
def test_register_files_of_the_wrong_kind_are_refused(a, reason):
    with pytest.raises(EmulatorError, match=reason):
        execute("gfx908", F32, a, zeros(1, 64), 0)


def test_c_must_have_as_many_registers_as_d_and_batches_must_agree():
    with pytest.raises(EmulatorError, match=r"c: shape \[16, 64\], .* takes \[4, 64\]"):
        execute("gfx908", F32, zeros(1, 64), zeros(1, 64), zeros(16, 64))
    with pytest.raises(EmulatorError, match="batch sizes differ: a 2, b 3"):
        execute("gfx908", F32, zeros(2, 1, 64), zeros(3, 1, 64), 0)


def test_unknown_names_get_the_nearest_ones():
    with pytest.raises(EmulatorError, match="did you mean v_mfma_f32_32x32x4f16"):
        emulator.instruction("gfx908", "v_mfma_f32_32x32x4_f16")
    with pytest.raises(EmulatorError, match="unknown architecture 'gfx90'; did you mean gfx9"):
        emulator.mnemonics("gfx90")
    with pytest.raises(EmulatorError, match="model 'fast': must be 'exact' or 'numeric'"):
        execute("gfx908", F32, zeros(1, 64), zeros(1, 64), 0, model="fast")


@pytest.mark.parametrize(
    ("mnemonic", "modifiers", "reason"),
    [
        ("v_mfma_f32_32x32x2f32", (1, 0, 0), "one block and takes neither cbsz nor abid"),
        ("v_mfma_f32_32x32x2f32", (0, 1, 0), "one block and takes neither cbsz nor abid"),
        ("v_mfma_f32_32x32x1f32", (2, 0, 0), "among 4 blocks, .* has 2; cbsz must be 0..1"),
        ("v_mfma_f32_16x16x1f32", (1, 2, 0), "a group has 2 block.*abid must be 0..1"),
        (F32, (0, 1, 0), "abid must be 0..0"),
        (F32, (0, 0, 8), "blgp 8: must be 0..7"),
        (F32, (-1, 0, 0), "cbsz -1: must not be negative"),
        (F32, (0, 0, 1.0), "blgp: must be an integer"),
    ],
)
def test_illegal_modifiers_are_refused_with_the_reason(mnemonic, modifiers, reason):
    with pytest.raises(EmulatorError, match=reason):
        execute("gfx908", mnemonic, zeros(1, 64), zeros(1, 64), 0, *modifiers)


def test_terms_of_a_slot_that_is_not_there_are_refused():
    with pytest.raises(EmulatorError, match=r"registers 0\.\.3 and lanes 0\.\.63"):
        emulator.terms("gfx908", F32, 4, 0)
