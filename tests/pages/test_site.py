"""What Sphinx reads from the generated pages: the layouts, and the hand-made page's numbers."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import layoutgen
from layoutgen.model import Architecture
from layoutgen.pages import examples
from layoutgen.pages.architecture import elsewhere
from layoutgen.snippets import snippet

if TYPE_CHECKING:
    from .conftest import Built, Page, Table

pytestmark = pytest.mark.xdist_group("pages")

PAGE = json.loads((Path(__file__).parents[1] / "data" / "gfx908_page.json").read_text())
SLUGS = [inst.slug for inst in layoutgen.arch("gfx908").values()]
SECTIONS = {"A": "Layout of A", "B": "Layout of B", "D": "Layout of C and D"}
GFX908 = "reference/gfx908/index"


def span(text: str) -> range:
    first, _, last = text.partition("–")
    return range(int(first), int(last or first) + 1)


def ends(text: str) -> list[int]:
    return [span(text)[0], span(text)[-1]]


def slots(table: Table, listed: str, along: str, width: int) -> dict[tuple[int, ...], Any]:
    """Read a printed table: (block, listed, along) to (lane, register, bit)."""
    title = {"i": "Rows", "j": "Columns", "k": "k"}[listed]
    registers = next(name for name in table.rows[0] if name.endswith("VGPRs"))
    found = {}
    for row in table.rows:
        items = span(row.get("Items", row[registers]))
        for value, item in zip(span(row[title]), items, strict=True):
            for other, lane in enumerate(span(row["Lanes"])):
                start = item * width
                key = (int(row.get("Block", 0)), value, other)
                assert key not in found
                found[key] = (lane, start // 32, start % 32)
    return found


def test_sphinx_has_nothing_to_say(site: Built) -> None:
    assert site.warnings == ""


@pytest.mark.parametrize("slug", SLUGS)
@pytest.mark.parametrize("name", "ABD")
def test_printed_formulas_and_tables_are_the_layout(
    site: Built, arch: Architecture, read_latex: Callable[..., Any], slug: str, name: str
) -> None:
    inst = next(i for i in arch.values() if i.slug == slug)
    operand = inst.operands[name]
    columns = dict(zip(operand.columns, operand.table().T, strict=True))
    part = site.page(f"reference/gfx908/{slug}").section(SECTIONS[name])

    forward, inverse = part.formulas()
    register = r"\text{accVGPR}" if name == "D" else r"\text{VGPR}"
    at = {n: columns[n] for n in operand.layout.shape}
    assert (read_latex(forward[r"\text{lane}"], **at) == columns["lane"]).all()
    assert (read_latex(forward[register], **at) == columns["register"]).all()
    assert (read_latex(forward.get(r"\text{bit}", "0"), **at) == columns["bit"]).all()
    slot = {"L": columns["lane"], "G": columns["register"], "bit": columns["bit"]}
    for coordinate, values in at.items():
        assert (read_latex(inverse[coordinate], **slot) == values).all()

    listed, along = {"A": "ki", "B": "kj", "D": "ij"}[name]
    printed = slots(part.table("layout-bands"), listed, along, operand.format.bits)
    truth = zip(
        *(columns[n].tolist() for n in ("b", listed, along, "lane", "register", "bit")), strict=True
    )
    assert printed == {row[:3]: row[3:] for row in truth}


@pytest.mark.parametrize("slug", SLUGS)
def test_a_builtin_page_has_signature_figures_and_facts(
    site: Built, arch: Architecture, slug: str
) -> None:
    inst = next(i for i in arch.values() if i.slug == slug)
    page = site.page(f"reference/gfx908/{slug}")
    given = [" ".join("".join(p.itertext()).split()) for p in page.root.iter("desc_parameter")]
    assert f"({', '.join(given)})" == inst.signature[inst.signature.index("(") :]
    declared = "".join(next(page.root.iter("desc_signature")).itertext())
    assert declared.startswith(inst.signature[: inst.signature.index("(")])
    figures = site.asked(f"reference/gfx908/{slug}")
    assert [figure["operand"] for figure in figures] == ["A", "B", "D"]
    assert {figure["of"] for figure in figures} == {f"gfx908.{inst.mnemonic}"}
    assert len(page.figures()) == 3
    alts = [figure["alt"] for figure in figures]
    assert all(inst.mnemonic in alt and "lane = " in alt for alt in alts)
    assert len(set(alts)) == 3
    facts = {row["Property"]: row["Value"] for row in page.table("layout-facts").rows}
    assert facts["Blocks"] == str(inst.blocks)
    assert facts["Operations"] == str(inst.ops)
    assert facts["VALU co-execution cycles"].split()[0] == str(inst.coexec_cycles)
    assert facts["LLVM intrinsic"] == inst.llvm_intrinsic
    printed = {row["Parameter"]: row for row in page.table("layout-parameters").rows}
    for name in "ABC":
        operand = inst.operands[name]
        assert printed[name.lower()]["Type"] == operand.c_type
        assert int(printed[name.lower()]["Registers"]) == operand.registers
    assert printed["cbsz"]["Values"] == (f"0 to {inst.rules.cbsz[-1]}" if inst.blocks > 1 else "0")


def test_the_sentence_of_availability_agrees_with_its_table(site: Built) -> None:
    part = site.page(GFX908).section("Availability")
    sentence = part.paragraphs()[0]
    assert sentence == (
        "gfx908 has 20 dense MFMA builtins. The compiler also generates code for all of them on "
        "gfx90a and for 13 of them on gfx942 and gfx950."
    )
    rows = {row["Targets"]: int(row["Count"]) for row in part.tables()[0].rows}
    assert sum(rows.values()) == 20
    assert sum(count for targets, count in rows.items() if "gfx90a" in targets) == 20
    assert sum(count for targets, count in rows.items() if "gfx950" in targets) == 13


def test_an_architecture_that_shares_no_builtin_says_so() -> None:
    arch = layoutgen.arch("gfx908")
    own = {name: replace(i, targets=("gfx908",)) for name, i in arch.items()}
    assert "on no other target" in elsewhere(replace(arch, instructions=own))


@pytest.mark.parametrize("slug", SLUGS)
def test_words_suit_the_number_of_blocks(site: Built, arch: Architecture, slug: str) -> None:
    inst = next(i for i in arch.values() if i.slug == slug)
    page = site.page(f"reference/gfx908/{slug}")
    words = " ".join(page.paragraphs())
    assert ("in each block" in words) == (inst.blocks > 1)
    assert ("In each of" in words) == (inst.blocks > 1)
    assert "one block, for" not in words
    facts = {row["Property"]: row["Value"] for row in page.table("layout-facts").rows}
    assert facts["Cycles"] == f"{inst.cycles} ({inst.passes} passes)"
    *known, others = page.section("How well this is known").paragraphs()
    assert all(re.match(r"[A-D](, [A-D])*( and [A-D])?: ", paragraph) for paragraph in known)
    assert "cycles, modifiers and wait states are document only" in others


@pytest.mark.parametrize("tile", ["32×32", "16×16", "4×4"])
def test_the_caption_says_what_the_cells_of_the_figure_show(site: Built, tile: str) -> None:
    figure = next(site.page(GFX908).section(f"{tile} tiles").root.iter("figure"))
    caption = "".join(figure.find("caption").itertext())
    file = f"mfma-layout-{tile.replace('×', 'x')}.svg"
    drawing = (site.source.parent / "figures" / file).read_text(encoding="utf-8")
    told = re.search(r"A cell shows the (.*?) of its element", caption)[1]
    drawn = re.search(r"each cell shows (?:the )?(.*?) of its element", drawing)[1]
    assert told.replace("the accVGPR", "register").replace("accVGPR", "register") == drawn


def test_columns_are_named_not_counted(site: Built) -> None:
    part = site.page(GFX908).section("Instruction throughput")
    words = " ".join(part.paragraphs())
    assert "last but one" not in words
    assert "the column VALU co-execution cycles" in words
    assert "VALU co-execution cycles" in part.table("layout-throughput").rows[0]


@pytest.mark.parametrize("tile", ["32x32", "16x16"])
def test_the_row_to_lane_tables_of_the_hand_made_page(site: Built, tile: str) -> None:
    part = site.page(GFX908).section(f"{tile.replace('x', '×')} tiles")
    expected = PAGE["row_to_lane"][tile]
    titles = ["Rows", "Lanes", "accVGPRs"][: len(expected["columns"])]
    rows = [[ends(row[t]) for t in titles] for row in part.table("layout-bands").rows]
    assert rows == expected["rows"]


def test_a_4x4_tile_has_a_row_for_each_block(site: Built) -> None:
    rows = site.page(GFX908).section("4×4 tiles").table("layout-bands").rows
    assert [(row["Block"], row["Lanes"]) for row in rows] == [
        (str(b), f"{4 * b}–{4 * b + 3}") for b in range(16)
    ]


def hand_made(tile: str, blocks: int) -> tuple[Any, Any]:
    """The formulas of the hand-made page: (b, i, j) to lane and register, and back."""
    if tile == "32x32":
        return (
            lambda b, i, j: ((32 * (i // 4)) % 64 + j, 16 * b + 4 * (i // 8) + i % 4),
            lambda lane, reg: (
                (8 * (reg // 4)) % 32 + 4 * (lane // 32) + reg % 4,
                lane % 32,
                reg // 16,
            ),
        )
    if tile == "16x16":
        return (
            lambda b, i, j: (16 * (i // 4) + j, 4 * b + i % 4),
            lambda lane, reg: (4 * (lane // 16) + reg % 4, lane % 16, reg // 4),
        )
    return (
        lambda b, i, j: (4 * b + j, i),
        lambda lane, reg: (reg % 4, lane % 4, lane // 4),
    )


@pytest.mark.parametrize(
    ("tile", "blocks"), [("32x32", 2), ("32x32", 1), ("16x16", 4), ("16x16", 1), ("4x4", 16)]
)
def test_the_accumulator_formulas_are_those_of_the_hand_made_page(
    site: Built, read_latex: Callable[..., Any], tile: str, blocks: int
) -> None:
    formulas = site.page(GFX908).section(f"{tile.replace('x', '×')} tiles").formulas()
    variant = 0 if blocks > 1 else 2
    forward, inverse = formulas[variant : variant + 2]
    place, element = hand_made(tile, blocks)

    m = int(tile.split("x")[0])
    b, i, j = np.indices((blocks, m, m)).reshape(3, -1)
    lane, register = place(b, i, j)
    assert (read_latex(forward[r"\text{lane}"], b=b, i=i, j=j) == lane).all()
    assert (read_latex(forward[r"\text{accVGPR}"], b=b, i=i, j=j) == register).all()

    found = element(lane, register)
    for name, values in zip("ijb", found, strict=True):
        assert (read_latex(inverse[name], L=lane, G=register) == values).all()


def test_the_throughput_table_of_the_hand_made_page(site: Built) -> None:
    rows = site.page(GFX908).table("layout-throughput").rows
    titles = ("Ops", "Cycles", "VALU co-execution cycles")
    assert [[row["Builtin"], *(int(row[t]) for t in titles)] for row in rows] == (
        PAGE["throughput"]["rows"]
    )


def test_the_peak_of_a_gpu_counts_all_its_matrix_cores(site: Built) -> None:
    page = site.page(GFX908)
    peaks = {(row["GPU"], row["Inputs"]): row["Peak"] for row in page.table("layout-peak").rows}
    assert peaks["MI100", "FP16"] == "184.6 TFLOPS"
    assert peaks["MI100", "BF16"] == "92.3 TFLOPS"
    assert peaks["MI100", "FP32"] == "46.1 TFLOPS"
    words = "".join(page.section("Instruction throughput").root.itertext())
    assert r"\times 4 \times \text{CUs} \times \text{clock}" in words


def test_every_builtin_obeys_the_rule_of_blocks(site: Built, arch: Architecture) -> None:
    rows = site.page(GFX908).table("layout-block-count").rows
    assert len(rows) == len(arch)
    for row, inst in zip(rows, arch.values(), strict=True):
        wave, e, m, k = map(int, re.findall(r"\d+", row["64·e/(M·K)"]))
        assert wave * e == int(row["Blocks"]) * m * k
        assert (int(row["e"]), int(row["accVGPRs per lane"])) == (e, inst.operands["D"].registers)


def test_one_block_forms_of_packed_types_are_told_to_have_one_block(site: Built) -> None:
    blocks = {
        row["Builtin"]: row["Blocks"] for row in site.page(GFX908).table("layout-block-count").rows
    }
    packed = ["f32_32x32x8f16", "f32_16x16x16f16", "f32_32x32x4bf16", "f32_16x16x8bf16"]
    packed += ["i32_32x32x8i8", "i32_16x16x16i8"]
    assert [blocks[f"mfma_{name}"] for name in packed] == ["1"] * 6


def test_every_disagreement_is_told_with_all_readings(site: Built, arch: Architecture) -> None:
    part = site.page(GFX908).section("Where the sources disagree")
    words = " ".join(part.paragraphs())
    for entry in arch.disagreements:
        for reading in entry.readings:
            assert " ".join(reading.claim.replace("^", "").split()) in words
            assert " ".join(reading.who.split()) in words
    cbsz = part.section("Which blocks share a block of A under cbsz").tables()[0].rows
    assert {row["Builtin"]: row["Where it matters"] for row in cbsz}["mfma_f32_4x4x1f32"] == (
        "cbsz 1, 2 and 3, every abid"
    )


def test_powers_stand_high_everywhere(site: Built) -> None:
    for name in (GFX908, "reference/mfma-common-parameters"):
        root = site.page(name).root
        assert "2^cbsz" not in "".join(root.itertext())
        high = ["".join(node.itertext()) for node in root.iter("superscript")]
        assert high.count("cbsz") >= 4


def test_every_layout_carries_its_grade_and_sources(site: Built) -> None:
    page = site.page(GFX908)
    for tile in ("32×32", "16×16", "4×4"):
        known = [p for p in page.section(f"{tile} tiles").paragraphs() if "Sources:" in p]
        assert known
        assert all("run on silicon" in p for p in known)


def numbers(text: str) -> tuple[int, ...]:
    return tuple(map(int, text.split(", ")))


@pytest.mark.parametrize("tree", ["site", "amd"])
def test_the_common_page_tells_both_readings_of_cbsz(
    request: pytest.FixtureRequest, tree: str
) -> None:
    name = {"site": "reference", "amd": "compiler-builtins/cdna"}[tree]
    page: Page = request.getfixturevalue(tree).page(f"{name}/mfma-common-parameters")
    seen = set()
    for table in (t for t in page.tables() if "layout-conflict" in t.classes):
        for row in table.rows:
            local = numbers(row["Local reading: blocks read"])
            other = numbers(row["Global reading: blocks read"])
            blocks, cbsz, abid = len(local), int(row["cbsz"]), int(row["abid"])
            group, rest = 1 << cbsz, blocks >> cbsz
            assert local == tuple(b // group * group + abid for b in range(blocks))
            assert other == tuple(b % rest + rest * abid for b in range(blocks))
            seen.add((blocks, cbsz))
    assert seen == {(4, 1), (16, 1), (16, 2), (16, 3)}


def test_the_common_page_has_every_pair_of_cbsz_and_abid(site: Built) -> None:
    page = site.page("reference/mfma-common-parameters")
    for table in (t for t in page.tables() if "layout-broadcast" in t.classes):
        title = next(name for name in table.rows[0] if name.startswith("Block of A"))
        blocks = len(numbers(table.rows[0][title]))
        *others, last = table.rows
        read = {(int(r["cbsz"]), int(r["abid"])): numbers(r[title]) for r in others}
        read |= {(int(last["cbsz"]), abid): (abid,) * blocks for abid in span(last["abid"])}
        assert last[title] == f"blocks 0–{blocks - 1} read block abid"
        assert read == {
            (c, a): tuple((b >> c << c) + a for b in range(blocks))
            for c in range(blocks.bit_length())
            for a in range(1 << c)
        }
        assert len(table.rows) <= blocks


def test_the_common_page_has_the_lanes_of_every_blgp_code(site: Built) -> None:
    page = site.page("reference/mfma-common-parameters")
    rows = page.section("blgp: lanes of B").table("layout-blgp").rows
    starts = [[span(v)[0] for n, v in row.items() if n != "blgp"] for row in rows]
    assert starts == [
        [0, 16, 32, 48],
        [0, 16, 0, 16],
        [32, 48, 32, 48],
        [16, 32, 48, 0],
        *([16 * quarter] * 4 for quarter in range(4)),
    ]


@pytest.mark.parametrize("slug", SLUGS)
def test_the_kernel_on_a_page_is_that_which_is_compiled_and_run(
    site: Built, arch: Architecture, slug: str
) -> None:
    (inst,) = (inst for inst in arch.values() if inst.slug == slug)
    section = site.page(f"reference/gfx908/{slug}").section("A kernel for one wavefront")
    (block,) = section.root.iter("literal_block")
    assert f"{block.text}\n" == snippet(inst)


def test_the_policy_is_quoted_from_the_program_that_is_compiled_and_run(site: Built) -> None:
    section = site.page(GFX908).section("Using MFMA builtins as a compute policy")
    quoted = [block.text or "" for block in section.root.iter("literal_block")]
    program = examples.text(examples.POLICY)
    lines = [line.strip() for line in program.splitlines()]
    code = [text for text in quoted if "amdclang++" not in text]
    assert len(code) == 4
    for text in code:
        assert all(line.strip() in lines for line in text.splitlines())
