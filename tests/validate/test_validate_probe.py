"""The probe sees what the emulator does, from outside, and derives the sizes from that alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from layoutgen import emulator
from layoutgen.emulator import ScaledTerm, SparseTerm
from layoutgen.validate import codes, geometry
from layoutgen.validate.observation import ProbeError
from layoutgen.validate.probe import observe
from layoutgen.validate.setting import PLAIN, Modifiers
from layoutgen.validate.subject import Subject
from layoutgen.validate.truth import compiler, made_by

EVERY = [(arch, name) for arch in emulator.architectures() for name in emulator.mnemonics(arch)]
SubjectOf = Callable[..., Subject]


@pytest.mark.parametrize(("arch", "mnemonic"), EVERY)
def test_sizes_are_derived_from_the_map_and_equal_every_spelling_of_the_mnemonic(
    arch: str, mnemonic: str, subject: SubjectOf
) -> None:
    derived = subject(mnemonic, arch).geometry
    builtin = made_by(arch, mnemonic)
    assert builtin is not None
    for spelling in (mnemonic, *compiler()[builtin]["mnemonics"]):
        m, n, k, blocks = geometry.named(spelling)
        assert (derived.m, derived.n, derived.k) == (m, n, k)
        assert blocks in (None, derived.blocks)
    assert derived.blocks == compiler()[builtin]["result"]["count"] * 64 // (derived.m * derived.n)
    assert derived.stored == (derived.k // 2 if "smfmac" in mnemonic else derived.k)


def _slot(register: int, bit: int, lane: int, width: int) -> int:
    return (register * 32 + bit) // width * 64 + lane


@pytest.mark.parametrize(
    ("arch", "mnemonic", "codes_of"),
    [
        ("gfx908", "v_mfma_f32_4x4x2bf16", (0, 0)),
        ("gfx908", "v_mfma_i32_16x16x16i8", (0, 0)),
        ("gfx90a", "v_mfma_f64_4x4x4f64", (0, 0)),
        ("gfx942", "v_mfma_f32_32x32x4_xf32", (0, 0)),
        ("gfx942", "v_mfma_f32_16x16x32_bf8_fp8", (0, 0)),
        ("gfx942", "v_smfmac_i32_16x16x64_i8", (0, 0)),
        ("gfx950", "v_smfmac_f32_32x32x32_bf16", (0, 0)),
        ("gfx950", "v_smfmac_f32_16x16x128_fp8_bf8", (0, 0)),
        ("gfx950", "v_mfma_f32_16x16x128_f8f6f4", (4, 2)),
        ("gfx950", "v_mfma_scale_f32_32x32x64_f8f6f4", (0, 0)),
        ("gfx950", "v_mfma_scale_f32_16x16x128_f8f6f4", (3, 1)),
    ],
)
def test_the_observed_products_are_the_terms_that_the_emulator_lists(
    arch: str, mnemonic: str, codes_of: tuple[int, int], subject: SubjectOf
) -> None:
    one = subject(mnemonic, arch)
    modifiers = Modifiers(cbsz=codes_of[0], blgp=codes_of[1])
    a_width, b_width, d_width = (one.width(name, modifiers) for name in "ABD")
    wanted = set()
    for register in range(0, one.registers["D"], max(1, d_width // 32)):
        for lane in range(64):
            d = _slot(register, 0, lane, d_width)
            for term in emulator.terms(arch, mnemonic, register, lane, *codes_of):
                a = _slot(term.a_register, term.a_bit, term.a_lane, a_width)
                if isinstance(term, SparseTerm):
                    index = term.index_bit // 4 * 64 + term.index_lane
                    first = term.index_bit % 4 // 2  # of a pair: 0 to 2, the second 1 to 3
                    for value in range(first, first + 3):
                        wanted.add((d, a, _slot(*term.b[value], b_width), index, value))
                    continue
                b = _slot(term.b_register, term.b_bit, term.b_lane, b_width)
                scales = isinstance(term, ScaledTerm)
                wanted.add((d, a, b, *((term.scale_a_lane, term.scale_b_lane) if scales else ())))
    observed = one.observation(modifiers)
    columns = observed.columns.values()
    assert set(zip(*(x.tolist() for x in columns), strict=True)) == wanted
    assert observed.c_of_d.tolist() == list(range(observed.d_slots))
    assert (observed.sign, observed.c_sign) == (1, 1)


@pytest.mark.parametrize(
    ("mnemonic", "setting"),
    [
        ("v_mfma_f32_16x16x4f16", (1, 1, 3)),
        ("v_mfma_i32_4x4x4i8", (3, 5, 6)),
        ("v_mfma_f32_32x32x2bf16", (1, 0, 2)),
        ("v_mfma_f32_16x16x8bf16", (0, 0, 7)),
    ],
)
def test_fewer_probes_under_modifiers_see_the_same_as_one_probe_for_each_slot(
    mnemonic: str, setting: tuple[int, int, int], subject: SubjectOf
) -> None:
    one = subject(mnemonic)
    modifiers = Modifiers(*setting)
    slow = observe(one.record, modifiers)
    assert [slow.d.tolist(), slow.a.tolist(), slow.b.tolist()] == [
        column.tolist() for column in one.observation(modifiers).triples
    ]


def test_slots_that_are_never_read_are_not_in_the_map(subject: SubjectOf) -> None:
    one = subject("v_mfma_f32_16x16x1f32")
    _, a, b = one.observation(Modifiers(cbsz=2, abid=3, blgp=5)).triples
    assert set((a % 64).tolist()) == set(range(48, 64))
    assert set((b % 64).tolist()) == set(range(16, 32))


@pytest.mark.parametrize("neg", range(8))
def test_negation_shows_in_the_signs_and_nowhere_else(neg: int, subject: SubjectOf) -> None:
    one = subject("v_mfma_f64_4x4x4_4b_f64", "gfx942")
    observed = one.observation(Modifiers(neg=neg))
    assert observed.keys.tolist() == one.observation().keys.tolist()
    assert observed.sign == (-1) ** ((neg & 1) + (neg >> 1 & 1))
    assert observed.c_sign == (-1) ** (neg >> 2)


def test_the_set_of_the_index_is_seen(subject: SubjectOf) -> None:
    one = subject("v_smfmac_f32_16x16x32_f16", "gfx942")
    for abid in range(4):
        nibbles = one.observation(Modifiers(abid=abid)).columns["index"] // 64
        assert set(nibbles.tolist()) == {2 * abid, 2 * abid + 1}
    plain = one.observation(PLAIN)
    assert one.observation(Modifiers(cbsz=2)).keys.tolist() == plain.keys.tolist()


def test_the_bytes_of_the_scales_are_seen(subject: SubjectOf) -> None:
    one = subject("v_mfma_scale_f32_32x32x64_f8f6f4", "gfx950")
    columns = one.observation(Modifiers(cbsz=4, op_sel_a=2, op_sel_b=3)).columns
    assert set((columns["scale_a"] // 64).tolist()) == {2}
    assert set((columns["scale_b"] // 64).tolist()) == {3}


def test_a_product_that_is_made_twice_is_no_map(subject: SubjectOf) -> None:
    record = subject("v_mfma_f32_4x4x1f32").record
    sites = record.rule.sites

    def twice(register: int, lane: int, items: int) -> list[object]:
        return [*sites(register, lane, items)] * 2

    wrong = replace(record, rule=replace(record.rule, name="twice", sites=twice))
    with pytest.raises(ProbeError, match=r"lane 0, register 0.* with 2 slots of B, not with one"):
        observe(wrong)


def test_an_element_that_heeds_another_number_of_its_pair_is_seen(subject: SubjectOf) -> None:
    record = subject("v_smfmac_f32_32x32x16_f16", "gfx942").record
    sites = record.rule.sites

    def second(register: int, lane: int, items: int) -> list[object]:
        return [s._replace(index_bit=s.index_bit | 2) for s in sites(register, lane, items)]

    wrong = Subject("gfx942", replace(record, rule=replace(record.rule, name="x", sites=second)))
    right = Subject("gfx942", record)
    assert wrong.observation().keys.tolist() != right.observation().keys.tolist()


@pytest.mark.parametrize("kind", codes.TYPES)
def test_every_integer_up_to_the_largest_has_a_value_of_its_own(kind: str) -> None:
    largest = min(codes.TYPES[kind].largest, 4096)
    numbers = np.arange(-largest, largest + 1)
    assert np.array_equal(codes.decode(kind, codes.encode(kind, numbers)), numbers)
    with pytest.raises(ValueError, match="holds integers up to"):
        codes.encode(kind, np.array([codes.TYPES[kind].largest + 1]))


@pytest.mark.parametrize(("kind", "registers"), [("fp6_e2m3", 6), ("f64", 2), ("fp4_e2m1", 4)])
def test_elements_of_any_width_are_packed_side_by_side(kind: str, registers: int) -> None:
    width = codes.TYPES[kind].bits
    largest = min(codes.TYPES[kind].largest, 7)
    numbers = np.arange(codes.slots(kind, registers)) % largest + 1
    packed = codes.pack(kind, numbers, registers)
    assert packed.shape == (registers, 64)
    assert np.array_equal(codes.unpack(kind, packed), numbers)
    whole = [sum(int(packed[r, lane]) << 32 * r for r in range(registers)) for lane in (0, 63)]
    for lane, bits in zip((0, 63), whole, strict=True):
        items = [bits >> n * width & (1 << width) - 1 for n in range(registers * 32 // width)]
        wanted = codes.encode(kind, numbers[lane::64]).tolist()
        assert items == wanted


def test_registers_are_packed_as_bit_fields_lowest_first() -> None:
    numbers = np.arange(1, 257)
    packed = codes.pack("i8", numbers % 100, 1)
    assert packed.shape == (1, 64)
    assert packed[0, 5] == (6 % 100) | (70 % 100) << 8 | (134 % 100) << 16 | (198 % 100) << 24
    assert np.array_equal(codes.unpack("i8", packed), numbers % 100)
