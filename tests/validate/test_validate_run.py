"""The whole validation: nothing is found, everything is counted, faults are noticed, and recorded.

One group, so that it runs in one process of the tests; it takes two processes of its own.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

import layoutgen
from layoutgen import proofs
from layoutgen.cli import main
from layoutgen.pages import TREES
from layoutgen.pages import outputs as pages_and_figures
from layoutgen.validate import mutation, recording, text
from layoutgen.validate.findings import Finding
from layoutgen.validate.report import Report, as_document, nothing_checked
from layoutgen.validate.run import validate, with_kills

pytestmark = pytest.mark.xdist_group("validation")
ARCH = layoutgen.arch("gfx908")


@pytest.fixture(scope="module")
def report(written: Path) -> Report:
    found = validate([ARCH], artefacts=written, jobs=2)
    return with_kills(found, mutation.matrix([ARCH], artefacts=written, jobs=2))


def _count(report: Report, leg: str, artefact: str, what: str) -> int:
    (arch,) = report.archs
    return sum(
        c.number for c in arch.counts if (c.leg, c.artefact, c.what) == (leg, artefact, what)
    )


def test_nothing_is_found(report: Report) -> None:
    assert [str(finding) for finding in report.findings] == []
    assert report.absent == ()


def test_every_leg_compares_something_in_every_kind_of_artefact(report: Report) -> None:
    (arch,) = report.archs
    for leg in ("L0", "L1", "L2", "L3"):
        for artefact in ("json", "rst", "svg"):
            numbers = [c.number for c in arch.counts if (c.leg, c.artefact) == (leg, artefact)]
            assert sum(numbers) > 100, (leg, artefact)


def test_all_instructions_under_all_settings(report: Report) -> None:
    (arch,) = report.archs
    assert [inst.mnemonic for inst in arch.instructions] == list(ARCH)
    assert sum(inst.settings for inst in arch.instructions) == 1376
    assert _count(report, "L1", "interface", "legal settings") == 1376
    unscaled = 3 * 1376  # no bit of op_sel may be set, whatever is legal else
    assert _count(report, "L1", "interface", "refused settings") == 20 * 1024 - 1376 + unscaled
    for inst in arch.instructions:
        one = ARCH[inst.mnemonic]
        each = one.m * one.n * one.k * one.blocks
        assert inst.products == inst.settings * each
        assert inst.sizes.startswith(f"{one.m}x{one.n}x{one.k}, {one.blocks} block")


def test_every_operand_has_a_witness_for_its_labels(report: Report) -> None:
    (arch,) = report.archs
    assert {inst.mnemonic: inst.unwitnessed for inst in arch.instructions if inst.unwitnessed} == {}
    assert "No witness" not in text.render(report)


def test_who_has_no_witness_is_told(report: Report) -> None:
    (arch,) = report.archs
    one, *others = arch.instructions
    lost = replace(one, witnesses={**one.witnesses, "A": (), "B": ()})
    less = replace(report, archs=(replace(arch, instructions=(lost, *others)),))
    told = text.render(less)
    assert f"No witness for the labels of: {one.mnemonic} (A, B)" in told


# --- mutants ----------------------------------------------------------------------------------


def test_every_mutant_that_differs_and_can_be_decided_is_noticed(report: Report) -> None:
    assert report.survivors == ()
    for row in report.kills:
        assert row.killed == row.total - row.equivalent - row.undecided, row


def test_there_are_mutants_of_many_kinds_and_of_every_instruction(report: Report) -> None:
    with_kill = {row.kind for row in report.kills if row.killed}
    assert len(with_kill) > 40
    assert sum(row.killed for row in report.kills) > 1000
    swapped = next(row for row in report.kills if row.kind == "two slots of D swapped")
    assert swapped.killed == len(ARCH)


def test_pure_renamings_pass_the_map_and_are_killed_by_labels_alone(report: Report) -> None:
    renamings = [row for row in report.kills if row.kind.endswith(" renamed")]
    assert [row.kind for row in renamings] == [
        "rows renamed", "columns renamed", "k renamed", "blocks renamed"
    ]  # fmt: skip
    for row in renamings:
        assert set(row.by) == {"L2"}
        undecided = 4 if row.kind == "blocks renamed" else 0  # of two no witness names the blocks
        assert row.undecided == undecided, row


def test_the_order_of_a_sum_and_equal_tables_are_no_mutants(report: Report) -> None:
    rows = {row.kind: row for row in report.kills}
    assert rows["emulator: order of the sum reversed"].equivalent == len(ARCH)
    assert rows["A as B"].equivalent == len(ARCH)
    assert rows["order of k in one operand"].equivalent == 6  # A and B of the three with one k
    assert rows["global reading of cbsz"].equivalent == 12  # one block, or 2^cbsz is all of two


# --- record -----------------------------------------------------------------------------------


def test_the_record_in_the_package_is_what_this_run_proves(report: Report) -> None:
    fresh = json.loads(json.dumps(recording.documents(report)["gfx908"]))
    assert fresh == proofs.record("gfx908"), "run 'layoutgen validate --mutate --record'"


def test_the_recorded_mutants_have_every_kind_and_none_survived(report: Report) -> None:
    """They were made over all architectures; here those of one are made again."""
    fresh = {row["kind"] for row in recording.mutants(report)["kinds"]}
    recorded = {row["kind"]: row for row in proofs.mutants()["kinds"]}
    assert fresh <= set(recorded), "run 'layoutgen validate --mutate --record'"
    counted = [row for row in recorded.values() if "killed" in row]
    assert len(counted) > 40
    for row in counted:
        assert row["killed"] == row["mutants"] - row["equivalent"] - row["undecided"], row


def test_pages_tell_the_line_of_proof(written: Path) -> None:
    page = (written / "docs/reference/gfx908/f32-32x32x1f32.rst").read_text(encoding="utf-8")
    line = proofs.proof("gfx908")["v_mfma_f32_32x32x1f32"]
    assert str(line) in page
    assert (line.settings, line.products) == (24, 24 * 2048)
    assert line.witnesses == ("Composable Kernel", "IREE", "MMA-Sim")


def test_a_validation_that_found_something_is_not_recorded(report: Report) -> None:
    finding = Finding("L1", "json", "x", "here", "D", "says", "against")
    (arch,) = report.archs
    wrong = replace(report, archs=(replace(arch, findings=(finding,)),))
    with pytest.raises(recording.NothingProved):
        recording.write(wrong)


# --- report -----------------------------------------------------------------------------------


def test_the_report_as_json_has_all_that_the_text_has(report: Report) -> None:
    document = json.loads(json.dumps(as_document(report)))
    assert document["holds"] is True
    (arch,) = document["architectures"]
    assert list(arch["legs"]) == ["L0", "L1", "L2", "L3"]
    assert len(arch["instructions"]) == 20
    each = [by for inst in arch["instructions"] for by in inst["witnesses"].values()]
    used = {tool for by in each for tool in by}
    assert {w["tool"] for w in document["witnesses"]} >= used >= {"IREE", "Triton"}
    assert text.render(report).endswith("Everything that was checked holds.\n")


def test_a_leg_that_compared_nothing_has_failed() -> None:
    (finding,) = nothing_checked("gfx908", [], ["L3"])
    assert "nothing was checked" in str(finding)


# --- command line -----------------------------------------------------------------------------


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Path]:
    """A folder that ``layoutgen docs`` wrote: pages and figures, no JSON."""
    for path, content in pages_and_figures([ARCH], TREES["site"]).items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(content)
    return iter([tmp_path]).__next__()


def test_artefacts_of_a_folder_are_checked_and_absent_kinds_are_told(
    site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name = "v_mfma_f32_4x4x4_16b_f16"  # the newer spelling
    arguments = ["validate", "--artefacts", str(site), "--instruction", name, "-j", "1"]
    assert main(arguments) == 0
    out = capsys.readouterr().out
    assert f"tables as JSON: not present in {site}" in out
    assert "gfx908: 1 instruction" in out
    assert "gfx90a" not in out  # the folder has no page of it
    page = site / "docs/reference/gfx908/f32-4x4x4f16.rst"
    wrong = page.read_text("utf-8").replace(r"\text{lane} &= 4\,b + i", r"\text{lane} &= 4\,b + k")
    page.write_text(wrong, encoding="utf-8")
    assert main(arguments) == 1
    out = capsys.readouterr().out
    assert "docs/reference/gfx908/f32-4x4x4f16.rst:" in out
    assert out.endswith(" findings.\n")


def test_a_name_means_the_instruction_of_every_architecture(
    capsys: pytest.CaptureFixture[str],
) -> None:
    name = "v_mfma_f32_4x4x1f32"  # gfx942 spells it otherwise
    assert main(["validate", "gfx908", "gfx942", "--instruction", name, "-j", "1"]) == 0
    out = capsys.readouterr().out
    assert "gfx908: 1 instruction" in out
    assert "gfx942: 1 instruction" in out


@pytest.mark.parametrize(
    ("arch", "mnemonic"),
    [("gfx908", "v_mfma_f32_16x16x4f32"), ("gfx942", "v_mfma_f32_32x32x2f32")],
)
def test_one_instruction_whose_tile_has_figures_of_more_blocks(arch: str, mnemonic: str) -> None:
    found = validate([layoutgen.arch(arch)], only=[layoutgen.arch(arch)[mnemonic].mnemonic])
    assert [str(f) for f in found.findings] == []


def test_an_empty_folder_proves_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["validate", "--artefacts", str(tmp_path), "--instruction", "v_mfma_f32_4x4x1f32"]
    assert main([*arguments, "-j", "1"]) == 1
    assert "no page, figure or table of this architecture" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--artefacts", "nowhere"], "there is no such folder"),
        (["gfx909"], "no architecture 'gfx909'"),
        (["--instruction", "v_mfma_f32_4x4x1f33"], "v_mfma_f32_4x4x1f32"),
        (["-j", "0"], "at least one process"),
        (["--record"], "with --mutate"),
    ],
)
def test_wrong_arguments_are_told_with_exit_code_2(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["validate", *arguments]) == 2
    assert message in capsys.readouterr().err
