"""The numbers in a figure are those of the operand's table, cell by cell."""

from __future__ import annotations

import pytest

from layoutgen.figures import names
from layoutgen.figures.request import figure, render


def rows_of(operand, blocks=None):
    return sorted(tuple(r) for r in operand.table().tolist() if blocks is None or r[0] in blocks)


def read(cells, operand):
    mine = [c for c in cells if c.data["operand"] == operand.name]
    return sorted(c.numbers(*operand.columns) for c in mine)


@pytest.mark.parametrize("tile", ["32x32", "16x16", "4x4"])
def test_accumulators_show_block_0_or_all_where_small(gfx908, svgs, cells_of, tile):
    inst = max((i for i in gfx908.values() if i.tile == tile), key=lambda i: i.blocks)
    operand = inst.operands["D"]
    blocks = None if tile == "4x4" else {0}
    assert read(cells_of(svgs[f"mfma-layout-{tile}"]), operand) == rows_of(operand, blocks)


def test_every_a_and_b_has_a_figure_that_shows_all_of_it(gfx908, svgs, cells_of):
    for inst in gfx908.values():
        for name in "AB":
            operand = inst.operands[name]
            assert read(cells_of(svgs[names.operand(inst, name)]), operand) == rows_of(operand)


def test_register_files_show_every_slot_of_every_block(gfx908, svgs, cells_of):
    for inst in gfx908.values():
        if inst.blocks > 1:
            operand = inst.operands["D"]
            assert read(cells_of(svgs[names.registers(inst)]), operand) == rows_of(operand)


@pytest.mark.parametrize(
    ("stem", "mnemonic"),
    [
        ("mfma-product-32x32", "v_mfma_f32_32x32x8f16"),
        ("mfma-product-16x16", "v_mfma_f32_16x16x16f16"),
        ("mfma-product-4x4", "v_mfma_f32_4x4x4f16"),
    ],
)
def test_products_show_block_0_of_a_b_and_d(gfx908, svgs, cells_of, stem, mnemonic):
    cells = cells_of(svgs[stem])
    assert {c.data["operand"] for c in cells} == {"A", "B", "D"}
    for name in "ABD":
        operand = gfx908[mnemonic].operands[name]
        assert read(cells, operand) == rows_of(operand, {0})


# Which lane each of 64 lanes reads under a blgp code. Source: CDNA1 ISA manual, MFMA, "BLGP".
BLGP = {
    0: [*range(64)],
    1: [*range(32), *range(32)],
    2: [*range(32, 64), *range(32, 64)],
    3: [*range(16, 64), *range(16)],
    4: [*range(16)] * 4,
    5: [*range(16, 32)] * 4,
    6: [*range(32, 48)] * 4,
    7: [*range(48, 64)] * 4,
}


@pytest.mark.parametrize("code", range(8))
def test_blgp_figures_tell_the_source_of_each_lane(svgs, cells_of, code):
    cells = cells_of(svgs[f"mfma-blgp-{code}"])
    assert [c.numbers("lane", "source") for c in cells] == list(enumerate(BLGP[code]))
    assert [c.labels for c in cells] == [(str(lane),) for lane in BLGP[code]]


@pytest.mark.parametrize(
    ("blocks", "cbsz"), [(2, 1), (4, 1), (4, 2), *((16, n) for n in (1, 2, 3, 4))]
)
def test_cbsz_figures_tell_the_block_that_each_block_reads(svgs, cells_of, blocks, cbsz):
    cells = cells_of(svgs[f"mfma-cbsz-{cbsz}-of-{blocks}-blocks"])
    seen = {"local": set(), "global": set()}
    for cell in cells:
        b, value, abid, source = cell.numbers("b", "cbsz", "abid", "source-b")
        assert value == cbsz
        group, lanes = 1 << cbsz, 64 // blocks
        lane, from_lane = cell.numbers("lane", "source")
        if cell.data["reading"] == "local":
            assert source == group * (b // group) + abid
        else:
            size = 64 // group
            assert from_lane == lane % size + size * abid
        assert from_lane // lanes == source
        assert lane // lanes == b
        seen[cell.data["reading"]].add((b, abid))
    everything = {(b, abid) for b in range(blocks) for abid in range(1 << cbsz)}
    assert seen["local"] == everything
    assert seen["global"] == (set() if 1 << cbsz == blocks else everything)


@pytest.mark.parametrize(
    "asked",
    [
        {"operand": "D", "block": 1},
        {"operand": "D", "block": 3, "cell": "lane"},
        {"operand": "A", "cbsz": 2, "abid": 3},
        {"operand": "A", "cbsz": 1, "abid": 1, "view": "registers"},
        {"operand": "B", "blgp": 3},
        {"operand": "B", "blgp": 6, "view": "registers"},
        {"operand": "C", "view": "registers"},
    ],
    ids=str,
)
def test_any_request_shows_what_the_multiplier_reads(gfx908, cells_of, asked):
    inst = gfx908["v_mfma_f32_16x16x4f16"]
    modifiers = {k: v for k, v in asked.items() if k in ("cbsz", "abid", "blgp")}
    operand = inst.operand(asked["operand"], **modifiers)
    blocks = {asked["block"]} if "block" in asked else None
    asked = {**asked}
    cells = cells_of(render(figure(inst, asked.pop("operand"), **asked), "svg"))
    assert read(cells, operand) == rows_of(operand, blocks)


def test_labels_and_titles_say_the_numbers(gfx908, svgs, cells_of):
    for cell in cells_of(svgs["mfma-layout-32x32"]):
        assert cell.labels == (cell.data["register"],)
    cells = {c.numbers("i", "k"): c for c in cells_of(svgs["mfma-a-32x32x8-4x16bit"])}
    assert cells[5, 7].labels == ("37", "v1[31:16]")
    assert cells[5, 7].title == "lane 37, v1[31:16], i 5 k 7 block 0"
    cells = {c.numbers("b", "i", "j"): c for c in cells_of(svgs["mfma-registers-32x32"])}
    assert cells[1, 13, 7].title == "lane 39, a21[31:0], i 13 j 7 block 1"
    assert cells[1, 13, 7].labels == ("13",)
