"""A wrong rule is noticed: each of these differs from hardware in one small way."""

import dataclasses

import numpy as np
import pytest
from emulator_cases import Matrices

from layoutgen import emulator
from layoutgen.emulator.rules import Rule

DENSE = [
    ("gfx90a", "v_mfma_f64_16x16x4f64", {}),
    ("gfx942", "v_mfma_f64_4x4x4_4b_f64", {}),
    ("gfx90a", "v_mfma_f32_4x4x4bf16_1k", {}),
    ("gfx942", "v_mfma_f32_16x16x8_xf32", {}),
    ("gfx942", "v_mfma_f32_32x32x16_fp8_bf8", {}),
    ("gfx950", "v_mfma_i32_32x32x32_i8", {}),
    ("gfx950", "v_mfma_f32_32x32x64_f8f6f4", {"cbsz": 2, "blgp": 0}),
    ("gfx950", "v_mfma_scale_f32_16x16x128_f8f6f4", {"cbsz": 0, "blgp": 4}),
]
SPARSE = [
    ("gfx942", "v_smfmac_f32_16x16x32_bf16", {"abid": 2}),
    ("gfx942", "v_smfmac_f32_32x32x32_fp8_bf8", {"abid": 1}),
    ("gfx950", "v_smfmac_f32_16x16x64_f16", {"abid": 1}),
    ("gfx950", "v_smfmac_f32_32x32x64_bf8_bf8", {}),
]
SCALED = [
    ("gfx950", "v_mfma_scale_f32_16x16x128_f8f6f4", {"cbsz": c, "blgp": b})
    for c, b in ((0, 0), (4, 2))
]


def changed(name, change):
    """A mutant of single products: ``change(site)`` returns fields to replace."""

    def mutate(rule):
        def sites(register, lane, items):
            for site in rule.sites(register, lane, items):
                yield site._replace(**change(site))

        return Rule(name, sites, ())

    return pytest.param(mutate, id=name)


def moved(name, move):
    """A mutant of destinations: ``move(register, lane)`` is where the sums really belong."""

    def mutate(rule):
        return Rule(name, lambda r, lane, items: rule.sites(*move(r, lane), items), ())

    return pytest.param(mutate, id=name)


def without_one_product(rule):
    return Rule("lost", lambda *where: iter(list(rule.sites(*where))[1:]), ())


def twice_one_product(rule):
    def sites(*where):
        found = list(rule.sites(*where))
        return iter([found[0], *found[:-1]])

    return Rule("doubled", sites, ())


ANY = [
    changed("neighbouring rows of A", lambda s: {"a_lane": s.a_lane ^ 1}),
    changed("lane groups of A", lambda s: {"a_lane": s.a_lane ^ 32}),
    moved("neighbouring columns of D", lambda r, lane: (r, lane ^ 1)),
    moved("halves of D", lambda r, lane: (r, lane ^ 32)),
    pytest.param(without_one_product, id="one product lost"),
    pytest.param(twice_one_product, id="one product for another"),
]
ONLY_DENSE = [
    changed("neighbouring columns of B", lambda s: {"b_lane": s.b_lane ^ 1}),
    changed("lane groups of B", lambda s: {"b_lane": s.b_lane ^ 16}),
]
ONLY_SPARSE = [
    changed("the two of a pair", lambda s: {"a_item": s.a_item ^ 1}),
    changed("the two indices", lambda s: {"index_bit": s.index_bit ^ 2}),
    changed("neighbouring nibbles", lambda s: {"index_bit": s.index_bit ^ 4}),
    changed("index of another row", lambda s: {"index_lane": s.index_lane ^ 1}),
    changed("index of another group", lambda s: {"index_lane": s.index_lane ^ 32}),
    changed("fours counted down", lambda s: {"b": s.b[::-1]}),
    changed("other column of B", lambda s: {"b": tuple((lane ^ 1, i) for lane, i in s.b)}),
    changed("other four of B", lambda s: {"b": tuple((lane, i ^ 4) for lane, i in s.b)}),
    changed("other group of B", lambda s: {"b": tuple((lane ^ 32, i) for lane, i in s.b)}),
]
ONLY_SCALED = [
    changed("scale of another row", lambda s: {"scale_a_lane": s.scale_a_lane ^ 1}),
    changed("scale of another column", lambda s: {"scale_b_lane": s.scale_b_lane ^ 1}),
    changed("scale of other k, A", lambda s: {"scale_a_lane": s.scale_a_lane ^ 16}),
    changed("scale of other k, B", lambda s: {"scale_b_lane": s.scale_b_lane ^ 32}),
    changed("scale of the element's own lane", lambda s: {"scale_a_lane": (s.a_lane ^ 16)}),
]


def noticed(arch, mnemonic, setting, mutate):
    case = Matrices(arch, mnemonic, np.random.default_rng(12), **setting)
    rule = case.record.rule
    mutant = dataclasses.replace(emulator.instruction(arch, mnemonic), rule=mutate(rule))
    assert (case.run(record=dataclasses.replace(mutant, rule=rule)) == case.product()).all()
    return (case.run(record=mutant) != case.product()).any()


@pytest.mark.parametrize(("arch", "mnemonic", "setting"), DENSE)
@pytest.mark.parametrize("mutate", ANY + ONLY_DENSE)
def test_dense(arch, mnemonic, setting, mutate):
    assert noticed(arch, mnemonic, setting, mutate)


@pytest.mark.parametrize(("arch", "mnemonic", "setting"), SPARSE)
@pytest.mark.parametrize("mutate", ANY + ONLY_SPARSE)
def test_sparse(arch, mnemonic, setting, mutate):
    assert noticed(arch, mnemonic, setting, mutate)


@pytest.mark.parametrize(("arch", "mnemonic", "setting"), SCALED)
@pytest.mark.parametrize("mutate", ONLY_SCALED)
def test_scaled(arch, mnemonic, setting, mutate):
    assert noticed(arch, mnemonic, setting, mutate)


def test_k_in_one_run_of_32_is_noticed_in_8_bits_only_by_scales():
    # With A and B alike the order of k cannot be told; scales can tell it.
    def one_run(site):
        k_old = 64 * (site.a_item // 16) + 16 * (site.a_lane // 16) + site.a_item % 16
        group, item = divmod(k_old, 32)
        return {
            "a_lane": 16 * group + site.a_lane % 16,
            "a_item": item,
            "b_lane": 16 * group + site.b_lane % 16,
            "b_item": item,
        }

    mutate = changed("one run", one_run).values[0]
    case = Matrices("gfx950", "v_mfma_scale_f32_16x16x128_f8f6f4", np.random.default_rng(1))
    mutant = dataclasses.replace(
        emulator.instruction("gfx950", case.record.mnemonic), rule=mutate(case.record.rule)
    )
    assert (case.run(record=mutant) != case.product()).any()
    case.exponents[:] = 0
    flat = {"scale_a": np.full((1, 64), 0x7F7F7F7F, np.uint32)}
    flat["scale_b"] = flat["scale_a"]
    assert (case.run(record=mutant, **flat) == case.product()).all()
