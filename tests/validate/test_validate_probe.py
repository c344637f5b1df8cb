"""The probe sees what the emulator does, from outside, and derives the sizes from that alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from layoutgen import emulator
from layoutgen.validate import codes, geometry
from layoutgen.validate.probe import ProbeError, observe
from layoutgen.validate.subject import Subject
from layoutgen.validate.truth import builtin_of, compiler

MNEMONICS = emulator.mnemonics("gfx908")
SubjectOf = Callable[[str], Subject]


@pytest.mark.parametrize("mnemonic", MNEMONICS)
def test_sizes_are_derived_from_the_map_and_equal_every_spelling_of_the_mnemonic(
    mnemonic: str, subject: SubjectOf
) -> None:
    derived = subject(mnemonic).geometry
    builtin = builtin_of("gfx908", mnemonic)
    assert builtin is not None
    spellings = compiler()[builtin]["mnemonics"]
    assert mnemonic in spellings
    for spelling in spellings:
        m, n, k, blocks = geometry.named(spelling)
        assert (derived.m, derived.n, derived.k) == (m, n, k)
        assert blocks in (None, derived.blocks)
    assert derived.blocks == compiler()[builtin]["result"]["count"] * 64 // (derived.m * derived.n)


@pytest.mark.parametrize("mnemonic", ["v_mfma_f32_4x4x2bf16", "v_mfma_i32_16x16x16i8"])
def test_the_observed_products_are_the_terms_that_the_emulator_lists(
    mnemonic: str, subject: SubjectOf
) -> None:
    one = subject(mnemonic)
    widths = one.widths
    wanted = set()
    for register in range(one.registers["D"]):
        for lane in range(64):
            for term in emulator.terms("gfx908", mnemonic, register, lane):
                a = (term.a_register * 32 + term.a_bit) // widths["A"] * 64 + term.a_lane
                b = (term.b_register * 32 + term.b_bit) // widths["B"] * 64 + term.b_lane
                wanted.add((register * 64 + lane, a, b))
    observed = one.observation()
    assert set(zip(*(x.tolist() for x in observed.triples), strict=True)) == wanted
    assert observed.c_of_d.tolist() == list(range(observed.d_slots))


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
    modifiers = emulator.Modifiers(*setting)
    slow = observe(one.record, modifiers)
    assert np.array_equal(one.observation(modifiers).keys, slow.keys)


def test_slots_that_are_never_read_are_not_in_the_map(subject: SubjectOf) -> None:
    one = subject("v_mfma_f32_16x16x1f32")
    _, a, b = one.observation(emulator.Modifiers(cbsz=2, abid=3, blgp=5)).triples
    assert set((a % 64).tolist()) == set(range(48, 64))
    assert set((b % 64).tolist()) == set(range(16, 32))


def test_a_product_that_is_made_twice_is_no_map(subject: SubjectOf) -> None:
    record = subject("v_mfma_f32_4x4x1f32").record
    sites = record.rule.sites

    def twice(register: int, lane: int, items: int) -> list[object]:
        return [*sites(register, lane, items)] * 2

    wrong = replace(record, rule=replace(record.rule, name="twice", sites=twice))
    with pytest.raises(ProbeError, match=r"lane 0, register 0.* with 2 slots of B, not with one"):
        observe(wrong)


@pytest.mark.parametrize("kind", codes.TYPES)
def test_every_integer_up_to_the_largest_has_a_value_of_its_own(kind: str) -> None:
    largest = min(codes.TYPES[kind].largest, 4096)
    numbers = np.arange(-largest, largest + 1)
    assert np.array_equal(codes.decode(kind, codes.encode(kind, numbers)), numbers)
    with pytest.raises(ValueError, match="holds integers up to"):
        codes.encode(kind, np.array([codes.TYPES[kind].largest + 1]))


def test_registers_are_packed_as_bit_fields_lowest_first() -> None:
    numbers = np.arange(1, 257)
    packed = codes.pack("i8", numbers % 100, 1)
    assert packed.shape == (1, 64)
    assert packed[0, 5] == (6 % 100) | (70 % 100) << 8 | (134 % 100) << 16 | (198 % 100) << 24
    assert np.array_equal(codes.unpack("i8", packed), numbers % 100)
