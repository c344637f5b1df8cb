"""gfx908 as built from the specifications equals what was gathered from its sources."""

from __future__ import annotations

import json
from math import prod
from pathlib import Path

import pytest

import layoutgen

FACTS = json.loads((Path(__file__).parents[1] / "data" / "gfx908-facts.json").read_text())


@pytest.fixture
def gfx908():
    return layoutgen.arch("gfx908")


def test_gfx908_has_exactly_the_known_instructions(gfx908):
    assert sorted(gfx908) == sorted(fact["mnemonic"] for fact in FACTS["instructions"])


@pytest.mark.parametrize("fact", FACTS["instructions"], ids=lambda fact: fact["mnemonic"])
def test_every_quantity_is_the_known_one(gfx908, fact):
    inst = gfx908[fact["mnemonic"]]
    built = {
        "mnemonic": inst.mnemonic,
        "builtin": inst.builtin,
        "llvm_intrinsic": inst.llvm_intrinsic,
        "spellings": list(inst.spellings),
        "m": inst.m,
        "n": inst.n,
        "k": inst.k,
        "blocks": inst.blocks,
        "ops": inst.ops,
        "cycles": inst.cycles,
        "passes": inst.passes,
        "coexec_cycles": inst.coexec_cycles,
        "registers": {name: operand.registers for name, operand in inst.operands.items()},
        "types": {name: operand.format.name for name, operand in inst.operands.items()},
        "cbsz_max": max(inst.rules.cbsz),
        "abid_max": max(inst.rules.abid(max(inst.rules.cbsz))),
        "targets": list(inst.targets),
    }
    assert built == fact


@pytest.mark.parametrize("fact", FACTS["instructions"], ids=lambda fact: fact["mnemonic"])
def test_every_spelling_finds_the_instruction(gfx908, fact):
    for name in (fact["mnemonic"], fact["builtin"], *fact["spellings"]):
        assert gfx908[name].mnemonic == fact["mnemonic"]


def test_every_operand_spans_the_wavefront_and_its_own_elements(gfx908):
    for inst in gfx908.values():
        for operand in inst.operands.values():
            assert operand.layout.lanes == 64
            assert operand.layout.lanes * operand.layout.items == prod(
                operand.layout.shape.values()
            )
