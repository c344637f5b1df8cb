"""The published arithmetic of MI200 and MI300, against rational and bit-exact scalar loops."""

import math
from fractions import Fraction

import numpy as np
import pytest
from emulator_oracle import round_to_f32

from layoutgen import emulator
from layoutgen.emulator import EmulatorError

F16_SMALL = {"gfx90a": "v_mfma_f32_16x16x16f16", "gfx942": "v_mfma_f32_16x16x16_f16"}
ALL = [(arch, name) for arch in ("gfx90a", "gfx942") for name in emulator.mnemonics(arch)]
CHECKED = [
    (arch, name)
    for arch, name in ALL
    if not emulator.instruction(arch, name).d_format.integer
    and emulator.instruction(arch, name).d_format.bits == 32
    and not emulator.instruction(arch, name).sparse
]
UNPUBLISHED = [
    (arch, name)
    for arch in ("gfx942", "gfx950")
    for name in emulator.mnemonics(arch)
    if emulator.instruction(arch, name).numerics.summation is None
]


def single(value):
    return float(round_to_f32(Fraction(value))) if math.isfinite(value) else value


def exponent_of(value, least):
    return least if value == 0 else max(math.frexp(value)[1] - 1, least)


def floor_to(value, unit):
    return Fraction(math.floor(value / unit)) * unit


def cut_to(value, unit):
    return Fraction(math.trunc(value / unit)) * unit


def pow2(exponent):
    return Fraction(2) ** exponent


def mi200_tree(pairs, c, per_step, least):
    """Single-precision products and sums in a tree; subnormals flush."""

    def flush(x, limit=-126):
        return 0.0 if abs(x) < 2.0**limit else x

    def add(x, y):
        return flush(single(Fraction(x) + Fraction(y)))

    products = [
        flush(single(Fraction(flush(x, least)) * Fraction(flush(y, least)))) for x, y in pairs
    ]
    total = flush(c)
    for start in range(0, len(products), per_step):
        p = products[start : start + per_step]
        step = add(p[0], p[1])
        if per_step == 4:
            step = add(step, add(p[2], p[3]))
        total = add(total, step)
    return total


def mi300_aligned(pairs, c, length, a_least, b_least, halves):
    """Products cut against the largest of them, then C, then one rounding."""
    for start in range(0, len(pairs), length):
        some = [
            (Fraction(x) * Fraction(y), exponent_of(x, a_least) + exponent_of(y, b_least))
            for x, y in pairs[start : start + length]
        ]
        groups = [some[::2], some[1::2]] if halves else [some]
        sums = []
        for group in groups:
            top = max((e for value, e in group if value), default=-999)
            sums.append((sum(cut_to(value, pow2(top - 24)) for value, _ in group), top))
        top = max(e for _, e in sums)
        dot = sum(floor_to(value, pow2(top - 24)) for value, _ in sums) if halves else sums[0][0]
        c_exponent = exponent_of(c, -126)
        above = max(top, c_exponent)
        kept = floor_to(Fraction(c), pow2(above - 24))
        if halves and c_exponent < above - 25:
            kept = Fraction(0)
        total = floor_to(dot, pow2(above - 32)) + kept
        if total:
            size = max(math.frexp(float(total))[1] - 1, -126)
            total = floor_to(total, pow2(size - 31))
        c = float(round_to_f32(total))
    return c


def scalar_model(arch, record, pairs, c):
    name = record.a_format.name
    if name == "f32":
        for x, y in pairs:
            c = single(Fraction(c) + Fraction(x) * Fraction(y))
        return c
    if arch == "gfx90a":
        per_step = 4 if name == "f16" or record.mnemonic.endswith("_1k") else 2
        return mi200_tree(pairs, c, per_step, -14 if name == "f16" else -126)
    least = {
        "xf32": -126,
        "f16": -14,
        "bf16": -126,
        "fp8_e4m3fnuz": -7,
        "bf8_e5m2fnuz": -15,
    }
    length = {"xf32": 4, "f16": 8, "bf16": 8}.get(name, 16)
    halves = record.a_format.bits == 8
    limits = least[name], least[record.b_format.name]
    return mi300_aligned(pairs, c, length, *limits, halves)


def random_files(record, rng, spread):
    """A and B with exponents around 1, any sign and fraction; C in the range of their sums."""
    form = {"xf32": "f32"}.get(record.a_format.name, record.a_format.name)
    files = []
    for count in (record.a_registers, record.b_registers):
        bits = rng.integers(0, 2**32, (count, 64), dtype=np.uint32)
        if form in ("f32", "f16", "bf16"):
            width, fraction, bias = {
                "f32": (32, 23, 127),
                "f16": (16, 10, 15),
                "bf16": (16, 7, 127),
            }[form]
            halves = bits.view(np.uint16 if width == 16 else np.uint32)
            exponent = rng.integers(bias - spread, bias + spread + 1, halves.shape)
            mask = 1 << (width - 1) | 2**fraction - 1
            bits = ((halves & mask) | (exponent << fraction).astype(halves.dtype)).view(np.uint32)
        else:
            bits &= np.uint32(0xBFBFBFBF)  # no code 0x80 beside ordinary numbers
            bits |= np.uint32(0x08080808)
        files.append(bits)
    c = rng.uniform(-1, 1, (record.c_registers, 64)) * 2.0 ** rng.integers(-spread, spread + 1)
    return *files, c.astype(np.float32)


@pytest.mark.parametrize(("arch", "mnemonic"), CHECKED)
def test_the_numeric_model_agrees_with_a_scalar_loop(arch, mnemonic):
    rng = np.random.default_rng(len(mnemonic))
    record = emulator.instruction(arch, mnemonic)
    for spread in (2, 13):
        a, b, c = random_files(record, rng, spread)
        d = emulator.execute(arch, mnemonic, a, b, c.view(np.uint32), model="numeric")
        for _ in range(6):
            register, lane = int(rng.integers(record.d_registers)), int(rng.integers(64))
            pairs = []
            for t in emulator.terms(arch, mnemonic, register, lane):
                pair = []
                for file, form, word, bit, where in (
                    (a, record.a_format, t.a_register, t.a_bit, t.a_lane),
                    (b, record.b_format, t.b_register, t.b_bit, t.b_lane),
                ):
                    code = int(file[word, where]) >> bit & (2**form.bits - 1)
                    raw = np.array([code], f"u{form.bits // 8}")
                    pair.append(float(form.decode(raw)[0]))
                pairs.append(tuple(pair))
            expected = scalar_model(arch, record, pairs, float(c[register, lane]))
            found = d[register, lane].view(np.float32)
            assert found == expected, (pairs, c[register, lane])


def dot(arch, a, b, c, model):
    """D[0][0] of 16x16x16 f16 with a and b along k."""
    lanes = [np.repeat(np.array(x, np.float16).reshape(4, 4), 16, axis=0) for x in (a, b)]
    files = [np.ascontiguousarray(x).view(np.uint32).T.copy() for x in lanes]
    d = emulator.execute(arch, F16_SMALL[arch], *files, c, model=model)
    return float(d[0, 0].view(np.float32))


def pad(values):
    return list(values) + [0] * (16 - len(values))


def test_mi200_flushes_subnormals_where_exact_keeps_them():
    tiny = 2.0**-24  # a subnormal f16
    assert dot("gfx90a", pad([tiny]), pad([1]), 0, "exact") == tiny
    assert dot("gfx90a", pad([tiny]), pad([1]), 0, "numeric") == 0
    assert dot("gfx90a", pad([]), pad([]), 2.0**-130, "numeric") == 0
    assert dot("gfx942", pad([tiny]), pad([1]), 0, "numeric") == tiny


def test_mi300_loses_what_lies_far_below_the_largest_product():
    big, small = 2.0**12, 2.0**-2
    a = pad([big, small])
    assert dot("gfx942", a, a, -(2.0**24), "exact") == 2.0**-4
    assert dot("gfx942", a, a, -(2.0**24), "numeric") == 0
    apart = [big, *[0] * 7, small, *[0] * 7]  # in the next eight products
    assert dot("gfx942", apart, apart, -(2.0**24), "numeric") == 2.0**-4


@pytest.mark.parametrize("arch", ["gfx90a", "gfx942"])
def test_infinities_and_nan_come_through(arch):
    inf, nan = math.inf, math.nan
    for model in ("exact", "numeric"):
        assert dot(arch, pad([inf]), pad([2]), 1, model) == inf
        assert dot(arch, pad([1]), pad([2]), -inf, model) == -inf
        assert math.isnan(dot(arch, pad([inf]), pad([0]), 1, model))
        assert math.isnan(dot(arch, pad([inf, inf]), pad([1, -1]), 1, model))
        assert math.isnan(dot(arch, pad([nan]), pad([1]), 1, model))


def test_what_is_unpublished():
    names = {"gfx942": 0, "gfx950": 0}
    for arch, _ in UNPUBLISHED:
        names[arch] += 1
    whole = {arch: sum(name.endswith("_i8") for name in emulator.mnemonics(arch)) for arch in names}
    assert names == {"gfx942": 14 - 2, "gfx950": 68 - whole["gfx950"]}


@pytest.mark.parametrize(("arch", "mnemonic"), UNPUBLISHED)
def test_unpublished_arithmetic_is_refused_with_the_reason(arch, mnemonic):
    a = np.zeros((1, 64), np.uint32)
    with pytest.raises(
        EmulatorError, match=rf"{arch} {mnemonic}: the order .* not published \(MMA"
    ):
        emulator.execute(arch, mnemonic, a, a, 0, model="numeric")
