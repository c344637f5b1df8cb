"""The numbers in a figure are those of the operand's table, cell by cell."""

from __future__ import annotations

from functools import cache

import pytest

from layoutgen.figures import names
from layoutgen.figures.request import figure, render


def rows_of(operand, blocks=None):
    return sorted(tuple(r) for r in operand.table().tolist() if blocks is None or r[0] in blocks)


def read(cells, operand):
    mine = [c for c in cells if c.data["operand"] == operand.name]
    return sorted(e for c in mine for e in c.elements(*operand.columns))


@pytest.mark.parametrize("tile", ["32x32", "16x16", "4x4"])
def test_accumulators_show_block_0_or_all_where_small(gfx908, svgs, cells_of, tile):
    inst = max((i for i in gfx908.values() if i.tile == tile), key=lambda i: i.blocks)
    operand = inst.operands["D"]
    blocks = None if tile == "4x4" else {0}
    assert read(cells_of(svgs[f"mfma-layout-{tile}"]), operand) == rows_of(operand, blocks)


@pytest.fixture(scope="module")
def shown(svgs, cells_of):
    """The elements that each figure of a layout shows, read back from it."""

    @cache
    def elements(stem, columns):
        return sorted(e for cell in cells_of(svgs[stem]) for e in cell.elements(*columns))

    return elements


@pytest.mark.parametrize("arch", ["gfx908", "gfx90a", "gfx942", "gfx950"])
def test_every_operand_in_every_format_has_a_figure_that_shows_all_of_it(archs, shown, arch):
    found = next(a for a in archs if a.name == arch)
    for inst in found.values():
        for name in inst.operands:
            field = {"A": "cbsz", "B": "blgp"}.get(name)
            for code in range(len(inst.alternatives.get(name, "1"))):
                chosen = {field: code} if code else {}
                operand = inst.operand(name, **chosen)
                rows = shown(names.operand(inst, name, **chosen), operand.columns)
                if name in "CD":  # the figure is that of the form with most blocks, or its first
                    blocks = range(min(inst.blocks, rows[-1][0] + 1))
                    assert [r for r in rows if r[0] in blocks] == rows_of(operand, blocks)
                else:
                    assert rows == rows_of(operand)


def test_register_files_show_every_slot_of_every_block(archs, svgs, cells_of):
    for arch in archs:
        forms = {}
        for inst in arch.values():
            most = forms.setdefault(names.registers(inst), inst)
            forms[names.registers(inst)] = max(most, inst, key=lambda i: i.blocks)
        for stem, inst in forms.items():
            operand = inst.operands["D"]
            assert read(cells_of(svgs[stem]), operand) == rows_of(operand)


def test_products_show_block_0_of_a_b_and_d(archs, figures, svgs, cells_of):
    products = [f for f in figures.values() if f.asked.view == "product"]
    assert len(products) == 7
    for shown in products:
        arch = next(a for a in archs if a.name == shown.asked.arch)
        cells = cells_of(svgs[shown.stem])
        assert {c.data["operand"] for c in cells} == {"A", "B", "D"}
        for name in "ABD":
            operand = arch[shown.asked.instruction].operands[name]
            assert read(cells, operand) == rows_of(operand, {0})


def legal(inst, name):
    """The plain instruction, and each setting of one action that changes how `name` is read."""
    fields = inst.rules.fields_for(name)
    for modifiers in inst.rules.combinations():
        values = {f: v for f, v in modifiers.as_dict().items() if v}
        if set(values) <= set(fields):
            yield values


ODD = [
    ("gfx90a", "v_mfma_f64_16x16x4f64"),
    ("gfx942", "v_mfma_f64_4x4x4_4b_f64"),
    ("gfx942", "v_mfma_f32_16x16x8_xf32"),
    ("gfx942", "v_smfmac_f32_16x16x32_f16"),
    ("gfx942", "v_smfmac_i32_32x32x32_i8"),
    ("gfx950", "v_mfma_f32_16x16x4_4b_f16"),
    ("gfx950", "v_mfma_scale_f32_16x16x128_f8f6f4"),
    ("gfx950", "v_mfma_f32_32x32x64_f8f6f4"),
    ("gfx950", "v_smfmac_f32_16x16x128_fp8_fp8"),
    ("gfx950", "v_smfmac_f32_32x32x32_f16"),
]


@pytest.mark.parametrize("view", ["matrix", "registers"])
@pytest.mark.parametrize(("arch", "mnemonic"), ODD)
def test_every_operand_can_be_drawn_under_every_modifier_that_acts_on_it(
    archs, cells_of, arch, mnemonic, view
):
    inst = next(a for a in archs if a.name == arch)[mnemonic]
    for name in inst.operands:
        for modifiers in legal(inst, name):
            operand = inst.operand(name, **modifiers)
            scene = figure(inst, name, view=view, block="all", **modifiers)
            assert read(cells_of(render(scene, "svg")), operand) == rows_of(operand)


@pytest.mark.parametrize(("arch", "mnemonic"), ODD)
def test_the_product_of_any_instruction_shows_all_of_one_block(archs, cells_of, arch, mnemonic):
    inst = next(a for a in archs if a.name == arch)[mnemonic]
    last = inst.blocks - 1
    for modifiers in legal(inst, "A"):
        scene = figure(inst, "D", view="product", block=last, **modifiers)
        cells = cells_of(render(scene, "svg"))
        for name in "ABD":
            operand = inst.operand(name, **modifiers)
            assert read(cells, operand) == rows_of(operand, {last})


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
    assert cells[1, 13, 7].title == "lane 39, r21[31:0], i 13 j 7 block 1"
    assert cells[1, 13, 7].labels == ("13",)


def test_titles_and_labels_of_runs_tell_their_ends(svgs, cells_of):
    cells = {c.numbers("i", "k"): c for c in cells_of(svgs["mfma-a-16x16x128-32x6bit"])}
    assert len(cells) == 16 * 128 // 16
    assert cells[3, 48].title == "lane 19, v[3:5], i 3 k 48–63 block 0"
    assert cells[3, 48].labels == ("19", "v[3:5]")
    assert cells[3, 48].data["run"] == "16"
    # Chunks of 16 k: after those of lane 5 come those of lanes 21, 37 and 53, then its own again.
    cells = {c.numbers("i", "k"): c for c in cells_of(svgs["mfma-a-16x16x128-32x8bit-chunks16"])}
    assert [cells[5, k].data["lane"] for k in range(0, 128, 16)] == ["5", "21", "37", "53"] * 2
    assert cells[5, 124].title == "lane 53, v7[31:0], i 5 k 124–127 block 0"
    assert cells[5, 124].labels == ("53", "v7")
    cells = {
        c.numbers("i", "group"): c for c in cells_of(svgs["mfma-index-16x16x32-8x4bit-doubled8"])
    }
    assert cells[1, 10].title == "lane 1, v0[31:24], i 1 group 10–11 block 0"


def test_where_there_is_room_each_element_has_a_cell(figures, scenes):
    for stem, shown in figures.items():
        for grid in scenes[stem].grids:
            depth = max(
                (
                    v
                    for c in grid.cells
                    for n, v in zip(grid.columns, c.values, strict=True)
                    if n in ("k", "group")
                ),
                default=0,
            )
            assert ("run" in dict(grid.facts)) == (depth >= 16 and shown.asked.view != "registers")
