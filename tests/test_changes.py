"""What changed between architectures: what came, what went, what has another name or value."""

from __future__ import annotations

from pathlib import Path

import pytest

import layoutgen
from layoutgen import diff
from layoutgen.cases import pairs
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
    assert changes.architecture == (
        Change("instructions", "20", "4"),
        Change("wait states", "11 rows", "not listed"),
    )


def wait_changes(old: str, new: str) -> dict[str, tuple[str, str]]:
    found = diff(layoutgen.arch(old), layoutgen.arch(new)).architecture
    return {
        change.fact.removeprefix("wait states, "): (change.old, change.new)
        for change in found
        if change.fact.startswith("wait states, ")
    }


def test_wait_states_are_compared_where_tables_tell_cases_apart_that_others_do_not() -> None:
    from_908 = wait_changes("gfx908", "gfx90a")
    both = "F32 MFMA or XDL"
    assert from_908[f"{both} writes D, {both} takes it as A or B"] == (
        "4",
        "5, 11, 19 after 2, 8, 16 passes",
    )
    to_950 = wait_changes("gfx942", "gfx950")
    for case, waits in (
        ("XDL takes overlapping registers as C", "4, 6, 10, 18"),
        ("F32 or F64 MFMA takes overlapping registers as C", "3, 6, 10, 18"),
    ):
        old, new = to_950[f"XDL writes D, {case}"]
        assert old == "3, 5, 9, 17 after 2, 4, 8, 16 passes"
        assert new == f"{waits} after 2, 4, 8, 16 passes"
    to_942 = wait_changes("gfx90a", "gfx942")
    assert to_942["XDL writes D, XDL takes the same registers as C"][1].startswith("2, 0, 0, 0")
    old, new = to_942["F32 MFMA writes D, MFMA takes it as A or B"]
    assert (old[:9], new[:12]) == ("5, 11, 19", "4, 6, 10, 18")


@pytest.mark.parametrize("archs", [("gfx90a", "gfx942"), ("gfx942", "gfx90a")])
def test_of_a_row_that_tells_less_apart_only_the_cases_that_changed_are_told(
    archs: tuple[str, str],
) -> None:
    after_f64 = {
        case: waits for case, waits in wait_changes(*archs).items() if case.startswith("F64")
    }
    both = {"F64 16×16×4": ("0", "9"), "F64 4×4×4": ("0", "4")}  # F32 is XDL on gfx90a
    assert after_f64 == {
        f"{first} writes D, F32 MFMA takes overlapping registers as C": (
            waits if archs[0] == "gfx90a" else waits[::-1]
        )
        for first, waits in both.items()
    }


@pytest.mark.parametrize(
    ("old", "new"), [("gfx908", "gfx90a"), ("gfx90a", "gfx942"), ("gfx942", "gfx950")]
)
def test_no_row_of_wait_states_is_left_out(old: str, new: str) -> None:
    archs = (layoutgen.arch(old), layoutgen.arch(new))
    _, *rows = zip(*pairs(*archs), strict=True)
    for here, mine in enumerate(rows):
        assert {row for row in mine if row} == set(archs[here].hazards)


def test_what_only_one_document_tells_is_no_known_change() -> None:
    found = diff(layoutgen.arch("gfx942"), layoutgen.arch("gfx950"))
    overlaps = "cycles that VALU work overlaps"
    assert {change.fact for each in found.untold.values() for change in each} == {overlaps}
    assert overlaps not in {change.fact for each in found.known.values() for change in each}
    assert len(found.known) == 18


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


def test_architectures_may_be_named() -> None:
    named = diff("mi300x", "gfx950")
    assert (named.old.name, named.new.name) == ("gfx942", "gfx950")


def test_changes_are_printed_in_short() -> None:
    assert repr(diff("gfx942", "gfx950")) == "<Changes gfx942 -> gfx950, 44 on both>"
