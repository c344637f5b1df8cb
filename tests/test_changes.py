"""What changed between architectures: what came, what went, what has another name or value."""

from __future__ import annotations

from pathlib import Path

import pytest

import layoutgen
from layoutgen import diff
from layoutgen.changes import Change, Changes
from layoutgen.model import Architecture, Instruction

NEWER = """\
architecture: gfx9ff
title: Test
series: MI999
wave: 64
matrix_cores_per_cu: 4
register_files: {A: [v, a], B: [v, a], C: [v, a], D: [v, a]}
evidence: [{grade: document only, by: a test, sources: [calculator]}]
instructions:
  mfma_f32_32x32x1f32: {cycles: 64, coexec: 56}
  mfma_f32_16x16x4f32: {cycles: 16, coexec: 8}
  mfma_f32_16x16x16f16: {cycles: 32, coexec: 24}
  mfma_f32_16x16x16bf16_1k: {cycles: 32, coexec: 24}
"""


@pytest.fixture
def changes(tmp_path: Path) -> Changes:
    (tmp_path / "gfx9ff.yaml").write_text(NEWER, encoding="utf-8")
    known = layoutgen.archs([tmp_path])
    return diff(known["gfx908"], with_new_names(known["gfx9ff"]))


def with_new_names(arch: Architecture) -> Architecture:
    """Return the architecture with the mnemonics of newer assemblers."""
    named = {}
    for inst in arch.values():
        name = "v_mfma_f32_32x32x1_2b_f32" if inst.blocks == 2 else inst.mnemonic
        spellings = () if name == inst.mnemonic else (inst.mnemonic,)
        named[name] = Instruction(**{**vars(inst), "mnemonic": name, "spellings": spellings})
    fields = {name: getattr(arch, name) for name in arch.__dataclass_fields__}
    return Architecture(**{**fields, "instructions": named})


def test_what_came_and_what_went(changes: Changes) -> None:
    assert [inst.mnemonic for inst in changes.added] == ["v_mfma_f32_16x16x16bf16_1k"]
    gone = [inst.mnemonic for inst in changes.removed]
    assert len(gone) == len(changes.old) - 3
    assert "v_mfma_i32_32x32x8i8" in gone
    assert changes.architecture == (Change("instructions", "20", "4"),)


def test_another_spelling_is_another_name_and_not_another_instruction(changes: Changes) -> None:
    ((old, new),) = changes.renamed
    assert (old.mnemonic, new.mnemonic) == ("v_mfma_f32_32x32x1f32", "v_mfma_f32_32x32x1_2b_f32")


def test_facts_that_changed(changes: Changes) -> None:
    found = changes.changed["v_mfma_f32_16x16x4f32"]
    assert Change("cycles", "32", "16") in found
    assert Change("operations per cycle and CU", "256", "512") in found
    assert Change("register files of D", "a", "v or a") in found
    assert not [change for change in found if change.fact.startswith(("layout", "type", "legal"))]


def test_changes_that_several_instructions_share(changes: Changes) -> None:
    shared = changes.by_change()
    everywhere = [old.mnemonic for old, _ in changes.pairs]
    assert shared[Change("register files of C", "a", "v or a")] == everywhere
    assert shared[Change("cycles", "32", "16")] == ["v_mfma_f32_16x16x4f32"]


def test_there_and_back_is_the_other_way_round(changes: Changes) -> None:
    back = diff(changes.new, changes.old)
    assert {inst.mnemonic for inst in back.added} >= {"v_mfma_i32_32x32x8i8"}
    assert Change("cycles", "16", "32") in back.changed["v_mfma_f32_16x16x4f32"]


@pytest.mark.parametrize("name", list(layoutgen.archs()))
def test_nothing_changes_from_an_architecture_to_itself(name: str) -> None:
    arch = layoutgen.arch(name)
    same = diff(arch, arch)
    assert (same.architecture, same.added, same.removed, same.renamed) == ((), (), (), ())
    assert same.changed == {}
