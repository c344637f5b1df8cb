"""All architectures, as built from the specifications, equal what was gathered from sources."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import layoutgen
from layoutgen.tables.inventory import register_types

FACTS = json.loads((Path(__file__).parents[1] / "data" / "cdna-facts.json").read_text("utf-8"))
ROWS = [(arch, row) for arch, rows in FACTS["architectures"].items() for row in rows]
BUILTINS = {entry["name"]: entry for entry in FACTS["builtins"]}
CODES = ["fp8", "bf8", "fp6", "bf6", "fp4"]
OURS = {"opsel_scale_a": "op_sel_a", "opsel_scale_b": "op_sel_b"}
"""The builtin's parameters where the instruction's field has another name."""


@pytest.fixture(scope="module")
def archs():
    return layoutgen.archs()


def test_every_architecture_has_exactly_the_known_instructions(archs):
    assert {name: len(arch) for name, arch in archs.items()} == {
        "gfx908": 20,
        "gfx90a": 27,
        "gfx942": 46,
        "gfx950": 68,
    }
    for name, rows in FACTS["architectures"].items():
        assert sorted(archs[name]) == sorted(row["mnemonic"] for row in rows)


@pytest.mark.parametrize(
    ("arch", "row"), ROWS, ids=lambda v: v if isinstance(v, str) else v["mnemonic"]
)
def test_every_quantity_is_the_known_one(archs, arch, row):
    inst = archs[arch][row["mnemonic"]]
    cycles = row["cycles"]
    if isinstance(cycles, dict):
        narrow = inst.cycles_under(cbsz=4, blgp=2)
        assert [narrow, inst.cycles_under(cbsz=4), inst.cycles_under(blgp=3)] == [
            cycles["neither operand 8-bit"],
            *[cycles["any operand 8-bit"]] * 2,
        ]
        cycles = cycles["any operand 8-bit"]
    built = (inst.m, inst.n, inst.k, inst.blocks, inst.sparse, inst.ops, inst.cycles)
    assert built == (*(row[n] for n in ("m", "n", "k", "blocks", "sparse", "ops")), cycles)
    assert inst.coexec_cycles == row["coexec"]
    assert inst.builtin == (row["builtin"] or "")
    types = [inst.operands[name].format.name for name in "ABD"]
    given = [CODES[0] if type_ == "|".join(CODES) else type_ for type_ in row["types"]]
    assert types == given
    for name, registers in row.get("registers", {}).items():
        assert inst.operands[name].registers == registers


@pytest.mark.parametrize(
    ("arch", "row"), ROWS, ids=lambda v: v if isinstance(v, str) else v["mnemonic"]
)
def test_modifiers_take_the_known_values(archs, arch, row):
    legal = archs[arch][row["mnemonic"]].rules.legal()
    kind = row["blgp"]
    if row["sparse"]:
        assert legal["blgp"] == [0]
        return
    if kind == "B format code 0..4":
        assert legal["cbsz"] == legal["blgp"] == [0, 1, 2, 3, 4]
        return
    assert (legal["cbsz"][-1], legal["abid"][-1]) == (row["cbsz_max"], row["abid_max"])
    assert legal.get("neg", [0]) == list(range(8 if kind == "negate A/B/C (3 bits)" else 1))
    assert legal["blgp"] == list(range(8 if kind == "lane pattern 0..7" else 1))


def test_the_builtins_of_a_target_are_those_that_the_compiler_makes_code_for(archs):
    for name, arch in archs.items():
        known = {b["name"] for b in FACTS["builtins"] if name in b["targets"]}
        assert {inst.builtin for inst in arch.values() if inst.builtin} == known


def test_an_instruction_lists_the_targets_of_its_builtin(archs):
    for arch in archs.values():
        for inst in arch.values():
            if inst.builtin:
                assert list(inst.targets) == BUILTINS[inst.builtin]["targets"]


def test_every_spelling_finds_the_instruction(archs):
    for name, arch in archs.items():
        for inst in arch.values():
            entry = BUILTINS.get(inst.builtin)
            if entry is None:
                continue
            mine = [m for m, targets in entry["mnemonics"].items() if name in targets]
            assert mine == [inst.mnemonic]
            assert {inst.mnemonic, *inst.spellings} == set(entry["mnemonics"])
            assert entry["intrinsic"].startswith(inst.llvm_intrinsic)
            for spelling in (*entry["mnemonics"], inst.builtin, inst.llvm_intrinsic):
                assert arch[spelling] is inst


def test_names_for_files_differ(archs):
    for arch in archs.values():
        assert len({inst.slug for inst in arch.values()}) == len(arch)


def test_passes_are_those_of_the_compilers_model(archs):
    differing = []
    for name, arch in archs.items():
        for inst in arch.values():
            entry = BUILTINS.get(inst.builtin)
            if entry is None:
                continue
            passes = entry["passes"][name]
            if isinstance(passes, dict):
                assert inst.cycles_under(cbsz=2, blgp=4) // 4 == passes["both_formats_f6_or_f4"]
                passes = passes["any_f8"]
            if inst.passes != passes:
                differing.append((name, inst.name, inst.passes, passes))
    assert differing == [("gfx950", "mfma_f64_4x4x4f64", 8, 4)]


def test_the_one_difference_is_told(archs):
    [told] = [d for d in archs["gfx950"].disagreements if d.id == "f64-4x4x4-cycles"]
    assert told.instructions == ("mfma_f64_4x4x4f64",)


def test_signatures_are_the_compilers(archs):
    for arch in archs.values():
        vectors = {t.name: [t.element, t.count] for t in register_types(arch.values())}
        for inst in arch.values():
            if not inst.builtin:
                assert inst.signature == ""
                continue
            head, _, parameters = inst.signature.removesuffix(")").partition("(")
            returned, _, name = head.rpartition(" ")
            entry = BUILTINS[name]
            assert vectors[returned] == entry["returns"]
            given = []
            for parameter in parameters.split(", "):
                type_, _, argument = parameter.rpartition(" ")
                constant = type_.startswith("const ")
                given.append([argument, *(["int", 1] if constant else vectors[type_]), constant])
            wanted = [[OURS.get(n, n), *rest] for n, *rest in entry["arguments"]]
            assert given == wanted


def test_registers_follow_from_the_c_types(archs):
    for arch in archs.values():
        for inst in arch.values():
            for operand in inst.operands.values():
                assert operand.registers * 32 == operand.c_count * operand.c_element.bits


@pytest.mark.parametrize("row", FACTS["peaks"], ids=lambda row: f"{row['gpu']} {row['type']}")
def test_peak_rates_are_the_published_ones(archs, row):
    [(arch, gpu)] = [(a, g) for a in archs.values() for g in a.gpus if g.name == row["gpu"]]
    assert (gpu.compute_units, gpu.clock_ghz) == (row["cus"], row["ghz"])
    narrow = {"cbsz": 4, "blgp": 4} if row["type"] == "fp4/fp6" else {}
    wanted = {"fp8 via f8f6f4": "f8f6f4", "fp4/fp6": "f8f6f4"}.get(row["type"], row["type"])
    best = max(
        inst.ops / inst.cycles_under(**narrow) * arch.matrix_cores_per_cu
        for inst in arch.values()
        if not inst.sparse and inst.mnemonic.endswith(wanted)
    )
    assert best == row["ops_cycle_cu"]
    peak = best * gpu.compute_units * gpu.clock_ghz / 1000
    assert round(peak, 1) == row["published"]
