"""F64: register pairs, negation, one rounding, and where D of 4x4x4 sits."""

from fractions import Fraction

import numpy as np
import pytest
from emulator_cases import Matrices
from emulator_loads import pack, unpack_accumulator

from layoutgen import emulator
from layoutgen.emulator import EmulatorError

NAMES = {
    "gfx90a": ("v_mfma_f64_16x16x4f64", "v_mfma_f64_4x4x4f64"),
    "gfx942": ("v_mfma_f64_16x16x4_f64", "v_mfma_f64_4x4x4_4b_f64"),
    "gfx950": ("v_mfma_f64_16x16x4_f64", "v_mfma_f64_4x4x4_4b_f64"),
}
ALL = [(arch, name) for arch, names in NAMES.items() for name in names]
NEGATING = [(arch, name) for arch, name in ALL if arch != "gfx90a"]
PUBLISHED = [(arch, name) for arch, name in ALL if arch != "gfx950"]


def doubles(values):
    """Register pairs of one double per lane, low word first."""
    bits = np.asarray(values, np.float64).view(np.uint64)
    return pack(bits.reshape(-1, 64), 64)


@pytest.mark.parametrize(("arch", "mnemonic"), [a for a in ALL if "4x4x4" in a[1]])
def test_d_of_4x4x4_has_rows_outside_and_blocks_inside(arch, mnemonic):
    # One row of one block of A: D must show it in lanes 16 i + 4 b and the three above.
    for block, i in np.ndindex(4, 4):
        a = np.zeros(64)
        a[[16 * k + 4 * block + i for k in range(4)]] = 1
        d = emulator.execute(arch, mnemonic, doubles(a), doubles(np.ones(64)), 0.0)
        values = unpack_accumulator(d, emulator.instruction(arch, mnemonic).d_format)[0]
        assert np.flatnonzero(values).tolist() == [16 * i + 4 * block + j for j in range(4)]


@pytest.mark.parametrize(("arch", "mnemonic"), NEGATING)
@pytest.mark.parametrize("neg", range(8))
def test_each_bit_negates_one_operand(arch, mnemonic, neg):
    case = Matrices(arch, mnemonic, np.random.default_rng(neg))
    a, b, c = (-x if neg >> bit & 1 else x for bit, x in enumerate((case.a, case.b, case.c)))
    assert (case.run(blgp=neg) == case.product(a=a, b=b, c=c)).all()
    if arch == "gfx942":
        assert (case.run(blgp=neg, model="numeric") == a @ b + c).all()


def test_negating_two_operands_is_not_negating_none():
    # (-a)(-b) = ab, but each sign counts for itself: with C it can be told.
    case = Matrices("gfx942", NAMES["gfx942"][0], np.random.default_rng(1))
    assert (case.run(blgp=3) == case.run(blgp=0)).all()
    assert (case.run(blgp=7) == case.product(c=-case.c)).all()
    assert (case.run(blgp=1) == case.run(blgp=2)).all()


@pytest.mark.parametrize(("arch", "mnemonic"), ALL)
def test_legal_settings(arch, mnemonic):
    count = 1 if arch == "gfx90a" else 8
    settings = emulator.legal_modifiers(arch, mnemonic)
    assert settings == tuple((0, 0, blgp) for blgp in range(count))
    case = Matrices(arch, mnemonic, np.random.default_rng(0))
    with pytest.raises(EmulatorError, match="takes neither cbsz nor abid"):
        case.run(cbsz=1)
    if arch == "gfx90a":
        with pytest.raises(EmulatorError, match="takes no blgp"):
            case.run(blgp=1)


def one_product_per_lane(arch, a, b, c, model):
    """D[0][0] of 4x4x4: row 0 of block 0 is lanes 0, 16, 32, 48."""
    lanes_a, lanes_b = np.zeros(64), np.zeros(64)
    lanes_a[::16], lanes_b[::16] = a, b
    mnemonic = NAMES[arch][1]
    files = doubles(lanes_a), doubles(lanes_b), doubles(np.full(64, c))
    d = emulator.execute(arch, mnemonic, *files, model=model)
    return unpack_accumulator(d, emulator.instruction(arch, mnemonic).d_format)[0, 0]


def test_exact_rounds_once_numeric_after_each_k():
    tiny = 2.0**-54
    a, b = [1, tiny, tiny, tiny], [1, 1, 1, 1]
    assert one_product_per_lane("gfx942", a, b, 0, "exact") == 1 + 2.0**-52
    assert one_product_per_lane("gfx942", a, b, 0, "numeric") == 1


@pytest.mark.parametrize("model", ["exact", "numeric"])
def test_products_are_not_rounded_before_they_are_added(model):
    x = 1 + 2.0**-30  # squared: 1 + 2^-29 + 2^-60
    found = one_product_per_lane("gfx90a", [x, 0, 0, 0], [x, 0, 0, 0], -(1 + 2.0**-29), model)
    assert found == 2.0**-60


@pytest.mark.parametrize("model", ["exact", "numeric"])
def test_subnormals_infinities_and_nan(model):
    smallest = float(np.nextafter(0, 1))

    def run(a, b, c=0.0):
        return one_product_per_lane("gfx942", [a, 0, 0, 0], [b, 0, 0, 0], c, model)

    assert run(smallest, 1) == smallest
    assert run(2.0**-600, 2.0**-474) == smallest
    assert run(2.0**600, 2.0**600) == np.inf
    assert run(-np.inf, 2, 1e308) == -np.inf
    assert np.isnan(run(np.inf, 0))
    assert np.isnan(run(np.inf, 1, -np.inf))
    assert run(1, 1, -np.inf) == -np.inf
    bits = np.array(run(np.nan, 1)).view(np.uint64)
    assert bits == 0x7FF8000000000000


@pytest.mark.parametrize(("arch", "mnemonic"), PUBLISHED)
@pytest.mark.parametrize("model", ["exact", "numeric"])
def test_random_doubles_agree_with_rational_arithmetic(arch, mnemonic, model):
    rng = np.random.default_rng(11)
    record = emulator.instruction(arch, mnemonic)
    a, b = (rng.uniform(1, 2, 64) * 2.0 ** rng.integers(-40, 40, 64) for _ in "ab")
    a *= rng.choice([-1, 1], 64)
    c = rng.uniform(-1, 1, (record.d_elements, 64)) * 2.0 ** rng.integers(-60, 60)
    d = emulator.execute(arch, mnemonic, doubles(a), doubles(b), doubles(c), model=model)
    found = unpack_accumulator(d, record.d_format)
    for element, lane in np.ndindex(found.shape):
        total = Fraction(c[element, lane])
        for t in emulator.terms(arch, mnemonic, 2 * element, lane):
            total += Fraction(a[t.a_lane]) * Fraction(b[t.b_lane])
            if model == "numeric":
                total = Fraction(float(total))
        assert found[element, lane] == float(total)


def test_an_inline_constant_fills_pairs():
    arch, mnemonic = "gfx90a", NAMES["gfx90a"][0]
    zeros = np.zeros((2, 64), np.uint32)
    d = emulator.execute(arch, mnemonic, zeros, zeros, -2.5)
    assert (d[::2] == 0).all()
    assert (d[1::2] == 0xC0040000).all()


def test_either_register_of_a_pair_names_the_element():
    arch, mnemonic = "gfx942", NAMES["gfx942"][0]
    low, high, other = (emulator.terms(arch, mnemonic, r, 5) for r in (2, 3, 4))
    assert low == high != other
    assert {(t.a_register, t.a_bit) for t in low} == {(0, 0)}
