"""f8f6f4: format codes, scales, the byte that op_sel picks."""

import itertools

import numpy as np
import pytest
from emulator_cases import Matrices
from emulator_loads import codes, pack

from layoutgen import emulator
from layoutgen.emulator import EmulatorError

SCALED = {"v_mfma_scale_f32_16x16x128_f8f6f4": 16, "v_mfma_scale_f32_32x32x64_f8f6f4": 32}
SMALL = "v_mfma_scale_f32_16x16x128_f8f6f4"
UNSCALED = "v_mfma_f32_16x16x128_f8f6f4"


def ones(mnemonic, cbsz=0, blgp=0):
    """A and B of ones everywhere, C of zeros."""
    record = emulator.with_formats(emulator.instruction("gfx950", mnemonic), cbsz, blgp)
    full = np.ones((32, 64))
    a, b = (pack(codes(full, form), form.bits) for form in (record.a_format, record.b_format))
    return a, b, np.zeros((record.d_registers, 64), np.uint32)


def scales(value=127):
    return np.full((1, 64), value * 0x01010101, np.uint32)


@pytest.mark.parametrize("mnemonic", SCALED)
def test_legal_settings_are_formats_and_bytes(mnemonic):
    settings = emulator.legal_modifiers("gfx950", mnemonic)
    assert len(settings) == len(set(settings)) == 5 * 5 * 4 * 4
    assert all(setting.abid == 0 for setting in settings)
    unscaled = emulator.legal_modifiers("gfx950", mnemonic.replace("scale_", ""))
    assert {setting[:3] for setting in settings} == set(unscaled)
    assert len(unscaled) == 25


@pytest.mark.parametrize("mnemonic", SCALED)
@pytest.mark.parametrize(("cbsz", "blgp"), [(0, 0), (1, 4), (2, 0), (3, 2), (4, 4)])
@pytest.mark.parametrize("side", ["scale_a", "scale_b"])
def test_one_scale_reaches_32_k_of_one_row_or_column(mnemonic, cbsz, blgp, side):
    size = SCALED[mnemonic]
    a, b, c = ones(mnemonic, cbsz, blgp)
    k = 2048 // size
    batch = np.repeat(scales()[None], 64, axis=0)
    lanes = np.arange(64)
    batch[lanes, 0, lanes] = 128  # one lane doubles
    other = {"scale_b": "scale_a", "scale_a": "scale_b"}[side]
    files = {side: batch, other: scales()}
    d = emulator.execute("gfx950", mnemonic, a, b, c, cbsz, 0, blgp, **files).view(np.float32)
    for lane in range(64):
        changed = np.argwhere(d[lane] != k)
        assert (d[lane][d[lane] != k] == k + 32).all()
        if side == "scale_b":
            assert set(changed[:, 1] % size) == {lane % size}  # a column: fixed lanes of D
        else:
            row = lane % size
            assert len(set(changed[:, 1] % size)) == size  # every column of one row
            halves = {16: 4, 32: 2}[size]
            rows = {(r // 4 * 4 * halves + x // size * 4 + r % 4) for r, x in changed}
            assert rows == {row}
        assert len(changed) == size


@pytest.mark.parametrize("mnemonic", SCALED)
def test_which_items_a_scale_belongs_to_depends_on_the_width(mnemonic):
    # Eight bits: a lane's first sixteen and last sixteen items have different scales, and both
    # may come from other lanes. Fewer bits: all 32 have the scale of their own lane.
    size = SCALED[mnemonic]
    groups = 64 // size
    for cbsz, bits in ((0, 8), (2, 6), (4, 4)):
        form = emulator.with_formats(emulator.instruction("gfx950", mnemonic), cbsz, 0).a_format
        items = np.zeros((32 * groups, 32, 64))
        for call in range(32 * groups):
            items[call, call % 32, size * (call // 32)] = 1  # row 0, one item of one lane
        a = pack(codes(items, form), bits)
        _, b, c = ones(mnemonic)
        scale_a = np.full((1, 64), 127, np.uint32)
        scale_a[0, ::size] = 127 + np.arange(groups)
        d = emulator.execute(
            "gfx950", mnemonic, a, b, c, cbsz, scale_a=scale_a, scale_b=scales()
        ).view(np.float32)
        group, item = np.divmod(np.arange(32 * groups), 32)
        if bits == 8:
            k = 16 * groups * (item // 16) + 16 * group + item % 16
            expected = k // 32
        else:
            expected = group
        assert (np.log2(d[:, 0, 0]) == expected).all()


@pytest.mark.parametrize(("op_sel_a", "op_sel_b"), list(itertools.product(range(4), repeat=2)))
def test_op_sel_picks_the_byte_in_all_lanes(op_sel_a, op_sel_b):
    a, b, c = ones(SMALL)
    bytes_a, bytes_b = np.array([127, 128, 129, 130]), np.array([120, 122, 124, 126])
    packed = [int((x << 8 * np.arange(4)).sum()) for x in (bytes_a, bytes_b)]
    files = [np.full((1, 64), word, np.uint32) for word in packed]
    d = emulator.execute(
        "gfx950",
        SMALL,
        a,
        b,
        c,
        scale_a=files[0],
        scale_b=files[1],
        op_sel_a=op_sel_a,
        op_sel_b=op_sel_b,
    ).view(np.float32)
    assert (d == 128 * 2.0 ** (bytes_a[op_sel_a] + bytes_b[op_sel_b] - 254.0)).all()


def test_extreme_scales_round_once_and_nan_scales_make_nan():
    a, b, c = ones(SMALL)

    def run(first, second):
        d = emulator.execute(
            "gfx950", SMALL, a, b, c, scale_a=scales(first), scale_b=scales(second)
        )
        return d.view(np.float32)

    assert (run(254, 0) == 128).all()
    assert (run(254, 254) == np.inf).all()
    assert (run(0, 0) == 0).all()
    assert (run(0, 105) == np.float32(2.0**-142)).all()
    nan = scales()
    nan[0, 16 + 3] = 255  # row 3, second block of k
    d = emulator.execute("gfx950", SMALL, a, b, c, scale_a=nan, scale_b=scales())
    is_nan = np.isnan(d.view(np.float32))
    assert is_nan[3, :16].all()
    assert is_nan.sum() == 16


def test_unit_scales_are_the_unscaled_instruction():
    rng = np.random.default_rng(8)
    for cbsz, blgp in itertools.product(range(5), repeat=2):
        case = Matrices("gfx950", UNSCALED, rng, cbsz=cbsz, blgp=blgp)
        (a, b, c), keywords = case.arguments
        plain = emulator.execute("gfx950", UNSCALED, a, b, c, **keywords)
        files = {"scale_a": scales(), "scale_b": scales()}
        assert (emulator.execute("gfx950", SMALL, a, b, c, **keywords, **files) == plain).all()


def test_random_bits_agree_with_a_loop_over_the_listed_terms():
    rng = np.random.default_rng(9)
    for cbsz, blgp in ((2, 3), (4, 2), (3, 4)):
        record = emulator.with_formats(emulator.instruction("gfx950", SMALL), cbsz, blgp)
        a, b = (
            rng.integers(0, 2**32, (count, 64), dtype=np.uint32)
            for count in (record.a_registers, record.b_registers)
        )
        files = [rng.integers(120, 134, (1, 64)).astype(np.uint32) for _ in range(2)]
        d = emulator.execute(
            "gfx950", SMALL, a, b, 0.5, cbsz, 0, blgp, scale_a=files[0], scale_b=files[1]
        ).view(np.float32)

        def field(registers, register, bit, lane, form):
            column = [int(word) for word in registers[:, lane]]
            whole = sum(word << 32 * i for i, word in enumerate(column))
            code = whole >> (32 * register + bit) & (2**form.bits - 1)
            return float(form.decode(np.array([code], np.uint8))[0])

        for register, lane in ((0, 0), (1, 17), (3, 63), (2, 40)):
            total = 0.5
            for t in emulator.terms("gfx950", SMALL, register, lane, cbsz, blgp):
                left = field(a, t.a_register, t.a_bit, t.a_lane, record.a_format)
                right = field(b, t.b_register, t.b_bit, t.b_lane, record.b_format)
                power = int(files[0][0, t.scale_a_lane]) + int(files[1][0, t.scale_b_lane]) - 254
                total += left * right * 2.0**power
            assert d[register, lane] == np.float32(total)


@pytest.mark.parametrize(
    ("mnemonic", "changes", "reason"),
    [
        (SMALL, {"cbsz": 5}, "cbsz 5: no such format code; 0 fp8_e4m3, .* 4 fp4_e2m1"),
        (SMALL, {"blgp": 7}, "blgp 7: no such format code"),
        (SMALL, {"abid": 1}, "takes no abid"),
        (SMALL, {"op_sel_a": 4}, r"op_sel_a 4: must be 0\.\.3"),
        (SMALL, {"op_sel_b": -1}, "op_sel_b -1: must not be negative"),
        (SMALL, {"scale_b": None}, r"scale_b: .* needs it, uint32\[1, 64\]"),
        (SMALL, {"cbsz": 4}, r"a: shape \[8, 64\], .* takes \[4, 64\]"),
        (SMALL, {"blgp": 2}, r"b: shape \[8, 64\], .* takes \[6, 64\]"),
        (SMALL, {"model": "numeric"}, "order of roundings of CDNA4 is not published"),
        (UNSCALED, {"op_sel_a": 1, "scale_a": None, "scale_b": None}, "takes no scales"),
        (UNSCALED, {}, "scale_a: .* takes none"),
    ],
)
def test_what_they_refuse(mnemonic, changes, reason):
    a, b, c = ones(mnemonic)
    keywords = {"scale_a": scales(), "scale_b": scales()} | changes
    with pytest.raises(EmulatorError, match=reason):
        emulator.execute("gfx950", mnemonic, a, b, c, **keywords)


def test_in_place_with_scales_in_the_file():
    case = Matrices("gfx950", SMALL, np.random.default_rng(7), cbsz=4, blgp=2)
    file = np.zeros((24, 64), np.uint32)
    file[0:4], file[4:10], file[10:14] = case.a_registers, case.b_registers, case.c_registers
    file[20], file[21] = case.extra["scale_a"][0], case.extra["scale_b"][0]
    bytes_chosen = {"op_sel_a": case.op_sel[0], "op_sel_b": case.op_sel[1]}
    places = {"a": 0, "b": 4, "c": 10, "d": 14, "scale_a": 20, "scale_b": 21}
    emulator.execute_in_place("gfx950", SMALL, file, cbsz=4, blgp=2, **places, **bytes_chosen)
    assert (case.matrix(file[14:18]) == case.product()).all()
