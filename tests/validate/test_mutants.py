"""Mutants of every family and architecture: made without a fault, and noticed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import layoutgen
from layoutgen.validate import mutation, text
from layoutgen.validate.folder import scan
from layoutgen.validate.mutants import rules, settings, tables, texts
from layoutgen.validate.mutants.bench import Bench, judge
from layoutgen.validate.report import KillRow, Report
from layoutgen.validate.run import with_kills
from layoutgen.validate.subject import Subject

ARCHS = tuple(layoutgen.archs().values())
FEW = {
    "gfx90a": ("v_mfma_f64_4x4x4f64",),
    "gfx942": ("v_mfma_f32_32x32x4_xf32",),
    "gfx950": ("v_mfma_f32_16x16x128_f8f6f4", "v_smfmac_f32_32x32x32_f16"),
}
"""One or two of kinds that gfx908 does not have; the command goes through all families."""


def test_every_family_of_every_architecture_gets_mutants() -> None:
    chosen = mutation.chosen(ARCHS)
    assert sum(map(len, chosen.values())) < sum(map(len, ARCHS)) / 3
    for arch in ARCHS:
        some = [arch[name] for name in chosen[arch.name]]
        assert sorted({inst.family for inst in some}) == sorted({i.family for i in arch.values()})
        assert {inst.tile for inst in some} == {inst.tile for inst in arch.values()}


def test_few_instructions_get_mutants_all_of_them_and_named_ones_alone() -> None:
    (gfx908,) = (arch for arch in ARCHS if arch.name == "gfx908")
    assert mutation.chosen([gfx908]) == {"gfx908": tuple(gfx908)}
    named = mutation.chosen(ARCHS, ["v_mfma_f32_4x4x1f32"])
    assert named["gfx908"] == ("v_mfma_f32_4x4x1f32",)
    assert named["gfx950"] == ()


@pytest.mark.parametrize(
    ("name", "mnemonic"), [(arch, one) for arch, names in FEW.items() for one in names]
)
def test_every_mutant_that_differs_and_can_be_decided_is_noticed(
    name: str, mnemonic: str, written: Path, subject: Callable[..., Subject]
) -> None:
    arch = layoutgen.arch(name)
    bench = Bench.of(subject(mnemonic, name), arch[mnemonic])
    folder = scan(written, name, tuple(inst.slug for inst in arch.values()))
    made = (
        *tables.mutants(bench),
        *settings.mutants(bench),
        *rules.mutants(bench),
        *texts.mutants(bench, folder),
    )
    verdicts = [judge(mutant) for mutant in made]
    alive = [v for v in verdicts if not v.equivalent and not v.by and v.decidable]
    assert alive == []
    assert sum(bool(v.by) for v in verdicts) > 25
    told = {v.kind for v in verdicts if v.by}
    assert {"page: digit in table (waits)", "page: digit in table (facts)"} <= told


def test_a_report_says_that_some_instructions_stand_for_the_others() -> None:
    from layoutgen.validate.report import ArchReport, InstructionReport

    every = tuple(
        InstructionReport(name, "", 1, 0, 0, {}, 0) for name in ("v_one", "v_two", "v_three")
    )
    report = Report((ArchReport("gfx908", (), every, ()),), (), ())
    row = KillRow("abid ignored", 1, 0, 0, 1, {"L1": 1})
    some = text.render(with_kills(report, [KillRow(**{**vars(row), "instructions": 2})]))
    assert "Mutants of 2 of the 3 instructions: one of each family and architecture" in some
    assert "Mutants of" not in text.render(with_kills(report, [row]))
