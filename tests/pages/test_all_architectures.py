"""The pages of all architectures: what they say of sparse, scaled, formats, waits and changes."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import layoutgen
from layoutgen.model import Architecture
from layoutgen.pages import TREES, pages
from layoutgen.pages.outputs import gather

from .read_pages import Read, numbers, read

FACTS: dict[str, Any] = json.loads(
    (Path(__file__).parents[1] / "data" / "cdna_facts.json").read_text(encoding="utf-8")
)
ARCHS = list(layoutgen.archs().values())
TOP = "docs/reference"
SPARSE = ("gfx942", "gfx950")


@cache
def texts(tree: str = "site") -> dict[str, str]:
    alts = {stem: figure.alt for stem, figure in gather(ARCHS, TREES[tree]).items()}
    return pages(ARCHS, alts, TREES[tree])


@cache
def page(name: str) -> Read:
    return read(texts()[f"{TOP}/{name}.rst"])


def chapters(arch: str) -> list[Read]:
    names = (f"{TOP}/{arch}/{name}.rst" for name in ("index", "sparse", "scaled"))
    return [read(texts()[name]) for name in names if name in texts()]


def sizes(name: str) -> tuple[int, int, int]:
    found = re.search(r"_(\d+)x(\d+)x(\d+)", name)
    assert found, name
    m, n, k = map(int, found.groups())
    return m, n, k


@pytest.mark.parametrize("arch", FACTS["counts"])
def test_every_instruction_obeys_the_rule_of_blocks_and_the_rule_for_packed_types_fails(
    arch: str,
) -> None:
    rows = [row for part in chapters(arch) for row in part.table("layout-block-count").rows]
    assert len(rows) == FACTS["counts"][arch]
    fewer = 0
    for row in rows:
        wave, e, m, k = numbers(row["64·e/(M·K)"])
        blocks = int(row["Blocks"])
        assert (wave, wave * e) == (64, blocks * m * k)
        assert (m, k if "smfmac" not in row["Builtin"] else 2 * k) == sizes(row["Builtin"])[::2]
        (registers,) = (int(row[name]) for name in row if name.endswith("per lane"))
        n = sizes(row["Builtin"])[1]
        assert registers * 64 == blocks * m * n * (2 if "f64" in row["Builtin"] else 1)
        fewer += "smfmac" not in row["Builtin"] and int(row["e"]) > 1 and blocks != 64 // m
    assert fewer == FACTS["packed_with_fewer_blocks_than_64_over_m"][arch]


def test_sparse_builtins_are_told_where_they_are() -> None:
    told = {name.split("/")[2] for name in texts() if name.endswith("/sparse.rst")}
    assert sorted(told) == FACTS["sparse_targets"]
    for arch in SPARSE:
        part = page(f"{arch}/sparse")
        targets = {row["Targets"] for t in part.tables[:1] for row in t.rows}
        assert all("gfx908" not in t and "gfx90a" not in t for t in targets)
        assert "There are none on gfx908 and gfx90a." in part.words


@pytest.mark.parametrize("arch", SPARSE)
def test_the_index_has_four_bits_for_each_group_of_four(arch: str) -> None:
    for row in page(f"{arch}/sparse").table("layout-index").rows:
        for name in re.findall(r"smfmac_\w+", row["Builtins"]):
            m, n, k = sizes(name)
            width = 8 if "i8" in name or "fp8" in name or "bf8" in name else 16
            fact = FACTS["index"][f"{m}x{n}x{k} {width}-bit"]
            assert int(row["Bits of a set"]) == fact["bits"] == 4 * int(row["Pairs of a lane"])
            assert int(row["Sets in a register"]) == fact["sets"]


@pytest.mark.parametrize("arch", SPARSE)
def test_cbsz_and_abid_of_sparse_instructions_choose_a_set(arch: str) -> None:
    sets = {
        name: FACTS["index"][key]["sets"]
        for key in FACTS["index"]
        for name in layoutgen.arch(arch)
        if name.startswith("v_smfmac")
        and "{}x{}x{}".format(*sizes(name)) == key.split()[0]
        and (("8" in name.split("x")[-1].split("_", 1)[1]) == ("8-bit" in key))
    }
    for row in page(f"{arch}/sparse").table("layout-legal").rows:
        for name in re.findall(r"smfmac_\w+", row["Builtins"]):
            count = sets[f"v_{name}"]
            wanted = "0" if count == 1 else f"0 to {count - 1} with cbsz 0, else 0"
            assert row["abid"] == wanted
            assert row["cbsz"] == ("0" if count == 1 else "0 to 3")


def test_the_six_pairs_of_indices_are_told() -> None:
    rows = page("gfx942/sparse").table("layout-pairs").rows
    pairs = {(int(r["idx0"]), int(r["idx1"])): int(r["Number"]) for r in rows}
    assert pairs == {(a, b): a + 4 * b for a in range(4) for b in range(4) if a < b}


@pytest.mark.parametrize("arch", SPARSE)
def test_operations_of_sparse_builtins_count_the_k_of_the_name(arch: str) -> None:
    rows = page(f"{arch}/sparse").table("layout-throughput").rows
    assert len(rows) == {"gfx942": 14, "gfx950": 28}[arch]
    for row in rows:
        m, n, k = sizes(row["Builtin"])
        assert int(row["Ops"]) == 2 * m * n * k
        assert float(row["Ops/cycle/CU"]) == 4 * int(row["Ops"]) / int(row["Cycles"])


def test_a_figure_of_each_shape_shows_a_index_b_and_d() -> None:
    for arch in SPARSE:
        text = texts()[f"{TOP}/{arch}/sparse.rst"]
        shapes = re.findall(r"^(\d+×\d+×\d+), (\d+)-bit elements$", text, re.MULTILINE)
        assert len(shapes) == len(set(shapes)) == {"gfx942": 4, "gfx950": 8}[arch]
        shown = re.findall(r"layout-figure:: \S+\n   :operand: (\w+)", text)
        assert shown == ["A", "B", "index", "D"] * len(shapes)


def test_a_lane_does_not_hold_the_k_of_its_scale_with_8_bit_data() -> None:
    part = page("gfx950/scaled")
    for shape, held in FACTS["held_8_bit"].items():
        rows = part.section(shape.replace("x", "×")).table("layout-coverage").rows
        assert [row["k held with 8-bit data"] for row in rows] == held
        for g, row in enumerate(rows):
            assert row["k of their scale"] == f"{32 * g}–{32 * g + 31}"
            assert row["k held with 6-bit data"] == row["k held with 4-bit data"]
            assert row["k held with 4-bit data"] == row["k of their scale"]
    assert (
        "element i = 0, k = 16 of A lies in lane 16, and the scale for it in lane 0" in part.words
    )


def test_scales_are_told_as_bytes_and_the_builtin_has_a_special_case() -> None:
    part = page("gfx950/scaled")
    rows = {row["Byte"]: row["Scale"] for row in part.table("layout-codes").rows}
    assert rows == FACTS["scales"]
    assert FACTS["scale_byte_1_of_b"] in part.words
    assert "the compiler takes the instruction without scales" in part.words


def test_formats_by_code_have_their_registers() -> None:
    table = page("gfx950/scaled").table("layout-formats")
    read_ = [(row["cbsz"], row["Bits"], row["VGPRs that are read"]) for row in table.rows]
    assert read_ == [(str(n), str(b), str(b)) for n, b in enumerate((8, 8, 6, 6, 4))]


def test_number_formats_are_those_of_the_manuals() -> None:
    part = page("mfma-number-formats")
    by_format: dict[str, dict[str, str]] = {}
    for kind in ("layout-fields", "layout-ranges", "layout-specials"):
        for row in part.table(kind).rows:
            by_format.setdefault(row["Format"], {}).update(row)
    for title, fact in FACTS["formats"].items():
        row = by_format[title]
        assert row["Bias"] == fact["bias"]
        assert row["Largest"] == fact["max"]
        assert row["Smallest normal"] == fact["normal"]
        assert row["Smallest of all"] == fact["least"]
        assert row["NaN"] == fact["nan"]
        assert row["Infinities"] == fact["infinities"]
        assert row["Negative zero"] == fact["negative_zero"]
    by_byte = {row["Byte"]: row for row in part.table("layout-codes").rows}
    for title, value in FACTS["byte_0x40"].items():
        assert by_byte["0x40"][title] == value
    assert by_byte["0x80"]["FP8 (E4M3 FNUZ)"] == "NaN"


@pytest.mark.parametrize("arch", SPARSE)
def test_wait_states_by_passes(arch: str) -> None:
    for table in page(f"{arch}/hazards").every("layout-hazards"):
        for row in table.rows:
            if row["First"] == "XDL writes D" and row["Then"].startswith("MFMA takes it as A"):
                columns = [row[name] for name in row if name.endswith("passes")]
                assert list(map(int, columns)) == FACTS["xdl_to_a_or_b"][arch]
                return
    pytest.fail("no such row")


def test_disputed_wait_states_are_told_with_both_numbers() -> None:
    told = page("gfx90a/hazards").words
    assert "1, 11 and 19 wait states" in told
    assert "1, 7 and 15 wait states" in told
    chain = page("gfx950/hazards").words
    assert "v_mfma_f32_16x16x16_f16 on the same registers, needs 5 wait states" in chain


@pytest.mark.parametrize(
    ("first", "then", "wanted"),
    [
        ("XDL reads C", "VALU writes it", ["1", "3", "7", "15"]),
        ("F32 MFMA writes D", "XDL takes overlapping registers as C", ["0"]),
        ("F64 16×16×4 writes D", "the same instruction takes the same registers as C", ["0"]),
    ],
)
def test_gfx950_has_the_rows_of_section_7_6(first: str, then: str, wanted: list[str]) -> None:
    rows = [
        list(r.values()) for t in page("gfx950/hazards").every("layout-hazards") for r in t.rows
    ]
    assert [row[2:] for row in rows if row[:2] == [first, then]] == [wanted]


def test_a_grade_is_told_for_every_operand_and_instruction_of_a_section() -> None:
    for arch in ("gfx942", "gfx950"):
        told = page(f"{arch}/sparse").words
        for inst in layoutgen.arch(arch).values():
            for operand in inst.operands.values() if inst.sparse else ():
                assert f"{operand.provenance.grade} ({operand.provenance.by})" in told


def test_the_order_of_k_is_free_in_dense_instructions_only() -> None:
    free = squeezed("Any other order serves as well, as long as A and B agree on it.")
    assert free in page("gfx950/index").words
    assert free not in page("gfx950/sparse").words
    assert free not in page("gfx950/scaled").words


def test_the_multiplier_has_less_of_xf32_than_is_stored() -> None:
    told = page("mfma-number-formats").words
    assert squeezed("at most 3.4012·10^38, and at least 2^−136") in told.replace("^", "")


@pytest.mark.parametrize("arch", FACTS["f64_16x16x4_cycles"])
def test_cycles_of_f64(arch: str) -> None:
    rows = page(f"{arch}/index").table("layout-throughput").rows
    cycles = {row["Builtin"]: int(row["Cycles"]) for row in rows}
    wanted = FACTS["f64_16x16x4_cycles"][arch]
    assert cycles["__builtin_amdgcn_mfma_f64_16x16x4f64"] == wanted


def test_gfx942_lists_bf16_1k_and_wide_i8_builtins() -> None:
    told = {row["Builtin"] for t in page("gfx942/index").every("layout-builtins") for row in t.rows}
    assert "__builtin_amdgcn_mfma_f32_32x32x8bf16_1k" in told
    assert "__builtin_amdgcn_mfma_i32_16x16x32_i8" in told


def test_f64_4x4x4_does_not_follow_the_general_formula() -> None:
    text = texts()[f"{TOP}/gfx942/f64-4x4x4f64.rst"]
    assert r"\text{lane} &= 16\,i + 4\,b + j" in text


@pytest.mark.parametrize("arch", [a.name for a in ARCHS])
def test_the_peak_counts_all_matrix_cores(arch: str) -> None:
    assert r"\times 4 \times \text{CUs} \times \text{clock}" in texts()[f"{TOP}/{arch}/index.rst"]


def test_the_comparison_has_every_instruction_of_every_architecture() -> None:
    tables = page("mfma-instructions").every("layout-where")
    for arch, count in FACTS["counts"].items():
        assert sum(row[arch] != "–" for t in tables for row in t.rows) == count


def test_renamed_instructions_are_told_in_both_spellings() -> None:
    rows = page("mfma-instructions").table("layout-spellings").rows
    told = {row["Builtin"]: row["Mnemonics"] for row in rows}
    for name, text in told.items():
        older, newer = re.findall(r"v_mfma\w+", text)
        assert older == f"v_{name}"
        assert newer != older
        assert layoutgen.arch("gfx942")[older] == layoutgen.arch("gfx942")[newer]
    assert len(told) == 20


@pytest.mark.parametrize("arch", ARCHS, ids=lambda arch: arch.name)
def test_every_disagreement_stands_on_a_page_with_all_who_say_so(
    arch: Architecture,
) -> None:
    names = [n for n in texts() if n.startswith(f"{TOP}/{arch.name}/")]
    chapters_ = [n for n in names if n.split("/")[-1][:-4] in ("index", "sparse", "scaled")]
    words = {n: read(texts()[n]).words.replace("^", "") for n in chapters_}
    for entry in arch.disagreements:
        told = [n for n, text in words.items() if squeezed(entry.question) in text]
        assert told, entry.id
        for reading in entry.readings:
            assert squeezed(reading.claim) in words[told[0]]
            assert squeezed(reading.who) in words[told[0]]


def squeezed(text: str) -> str:
    return " ".join(text.replace("^", "").split()).replace("−", "-")


@pytest.mark.parametrize("arch", ARCHS, ids=lambda arch: arch.name)
def test_a_page_of_an_instruction_tells_of_every_operand_and_grade(
    arch: Architecture,
) -> None:
    for inst in arch.values():
        text = texts()[f"{TOP}/{arch.name}/{inst.slug}.rst"]
        for operand in inst.operands:
            assert f":operand: {'D' if operand == 'C' else operand}\n" in text
        grades = {operand.provenance.grade for operand in inst.operands.values()}
        assert all(f"**{grade}**" in text for grade in grades)
        assert bool(inst.builtin) == (f"lg:builtin:: {arch.name}.{inst.mnemonic}" in text)


def test_register_types_take_the_registers_of_their_bits() -> None:
    text = page("register-types").words
    assert "double is used as it is, for FP64: two VGPRs of a lane." in text
    assert "long long is used as it is" in text
    of_eight = re.findall(r"lane\. ([^.]*) elements in eight VGPRs", text)
    for title in ("FP6 (E2M3)", "BF6 (E3M2)", "FP4 (E2M1)"):
        assert any(title in formats for formats in of_eight)


def test_other_words_where_registers_are_one_file() -> None:
    for arch in ("gfx90a", "gfx942", "gfx950"):
        for name, text in texts().items():
            if name.startswith(f"{TOP}/{arch}/") and not name.endswith("hazards.rst"):
                prose = [line for line in text.splitlines() if "accVGPR" in line]
                assert all("archVGPR" in line for line in prose), (name, prose)


def test_sister_pages_have_the_labels_that_the_page_of_amd_names() -> None:
    amd = texts("amd")
    for number in (2, 3, 4):
        name = f"cdna{number}-dense-mfma-builtins"
        assert f"\n.. _{name}:\n" in amd[f"compiler-builtins/cdna/{name}.rst"]
    assert "compiler-builtins/cdna/cdna-dense-mfma-builtins.rst" not in amd
