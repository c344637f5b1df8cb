"""What views show: nothing overlaps, everything fits, and unusual layouts need no special case."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, pairwise

import pytest

from layoutgen.digits import Digit, Layout
from layoutgen.figures.matrix import matrix
from layoutgen.figures.metrics import text_width
from layoutgen.figures.registers import registers
from layoutgen.figures.request import FigureError, figure, render
from layoutgen.figures.shared import layouts

EDGE = 0.5


def boxes(scene):
    """Every text with its left, top, right and bottom, as wide as in the widest font."""
    found = []
    for text in scene.texts:
        width = text_width(text.text, text.size, bold=text.tone == "strong")
        left = text.x - {"start": 0, "middle": 0.5, "end": 1}[text.anchor] * width
        found.append((text.text, left, text.y - 0.76 * text.size, left + width, text.y + 0.2))
    return found


def assert_all_inside(scene):
    for name, left, top, right, bottom in boxes(scene):
        inside = left >= 0 and top >= 0 and right <= scene.width and bottom <= scene.height
        assert inside, (scene.title, name)


def test_nothing_is_clipped(scenes):
    for scene in scenes.values():
        assert_all_inside(scene)
        for grid in scene.grids:
            for cell in grid.cells:
                assert 0 <= cell.x <= scene.width - grid.width
                assert 0 <= cell.y <= scene.height - grid.height


def assert_texts_are_apart(scene):
    for one, other in combinations(boxes(scene), 2):
        apart = (
            one[3] <= other[1] + EDGE
            or other[3] <= one[1] + EDGE
            or one[4] <= other[2] + EDGE
            or other[4] <= one[2] + EDGE
        )
        assert apart, (scene.title, one, other)


def test_texts_of_the_product_of_every_instruction_are_apart(archs):
    for arch in archs:
        for inst in arch.values():
            scene = figure(inst, "D", view="product")
            assert_texts_are_apart(scene)
            assert_all_inside(scene)


def test_the_register_file_of_every_layout_is_clear(archs):
    for shared in layouts(archs):
        scene = registers(shared.operand, shared.what, notes=shared.notes)
        assert_texts_are_apart(scene)
        assert_all_inside(scene)
        assert scene.width <= 1000


def test_texts_do_not_overlap_each_other_or_the_cells(scenes):
    for scene in scenes.values():
        assert_texts_are_apart(scene)
        texts = boxes(scene)
        for grid in scene.grids:
            tops = sorted({cell.y for cell in grid.cells})
            left = min(cell.x for cell in grid.cells)
            right = max(cell.x for cell in grid.cells) + grid.width
            for name, x, top, end, bottom in texts:
                beside = end <= left + EDGE or x >= right - EDGE
                between = all(bottom <= y + EDGE or top >= y + grid.height - EDGE for y in tops)
                inner = any(c.x - EDGE < end and x < c.x + grid.width + EDGE for c in grid.cells)
                assert beside or between or not inner, (scene.title, name)


def test_labels_fit_into_their_cells(scenes):
    for scene in scenes.values():
        for grid in scene.grids:
            for cell in grid.cells:
                ends = [0.0]
                for spot, label in zip(grid.spots, cell.labels, strict=True):
                    half = text_width(label, spot.size) / 2
                    assert spot.x - half >= 0, (scene.title, label)
                    assert spot.x + half <= grid.width, (scene.title, label)
                    ends.append(spot.x + half)


def test_cells_do_not_overlap(scenes):
    for scene in scenes.values():
        for grid in scene.grids:
            rows = {}
            for cell in grid.cells:
                rows.setdefault(cell.y, []).append(cell.x)
            for xs in rows.values():
                assert all(b - a >= grid.width for a, b in pairwise(sorted(xs)))
            ys = sorted(rows)
            assert all(b - a >= grid.height for a, b in pairwise(ys))


def test_text_is_large_enough_and_figures_fit_the_page(scenes):
    for scene in scenes.values():
        sizes = {t.size for t in scene.texts} | {s.size for g in scene.grids for s in g.spots}
        assert min(sizes) >= 9
        assert scene.width <= 902, scene.title


def test_a_cells_colour_is_the_group_of_its_lane(scenes):
    for scene in scenes.values():
        for grid in scene.grids:
            told = "source" if "source" in grid.columns else "lane"
            at = grid.columns.index(told)
            assert all(cell.group == cell.values[at] // 16 for cell in grid.cells)


def test_all_four_groups_are_told_in_words(scenes):
    for scene in scenes.values():
        texts = {text.text for text in scene.texts}
        assert {"0–15", "16–31", "32–47", "48–63"} <= texts


def test_numbers_in_cells_can_be_read_without_squinting(scenes):
    """At least 9 px, and room at both sides: numbers do not touch the borders of their cells."""
    for stem, scene in scenes.items():
        for grid in scene.grids:
            for spot, labels in (
                (spot, {cell.labels[n] for cell in grid.cells if len(cell.labels) > n})
                for n, spot in enumerate(grid.spots)
            ):
                assert spot.size >= 9, stem
                widest = max((text_width(label, spot.size) for label in labels), default=0)
                assert spot.x - widest / 2 >= 1.5, stem
                assert spot.x + widest / 2 <= grid.width - 1.5, stem


def test_the_register_view_says_which_coordinate_is_where(scenes):
    notes = {s: scene.description for s, scene in scenes.items() if "registers" in s}
    assert "lane holds; column j stands above it." in notes["mfma-registers-32x32"]
    assert "lane holds; b and column j stand above it." in notes["mfma-registers-4x4"]


def test_a_shuffled_operand_gives_another_picture(gfx908):
    operand = gfx908["v_mfma_f32_16x16x1f32"].operands["D"]
    layout = operand.layout
    shuffled = replace(operand, layout=Layout(layout.coordinates, layout.lane[::-1], layout.item))
    drawn = [render(matrix(o, "D", blocks=(0,)), "svg") for o in (operand, shuffled)]
    assert drawn[0] != drawn[1]
    told = [render(registers(o, "D"), "svg") for o in (operand, shuffled)]
    assert told[0] != told[1]


def test_packed_registers_are_outlined(gfx908):
    scene = figure(gfx908["v_mfma_f32_32x32x8f16"], "A")
    outlines = [s for s in scene.strokes if s.line == "outline"]
    assert len(outlines) == 64 * 2
    scene = figure(gfx908["v_mfma_i32_16x16x16i8"], "B")
    assert len([s for s in scene.strokes if s.line == "outline"]) == 64
    assert not [s for s in figure(gfx908["v_mfma_f32_32x32x1f32"], "D").strokes if s.closed]


def test_the_product_follows_one_element(gfx908):
    scene = figure(gfx908["v_mfma_f32_32x32x8f16"], "D", view="product")
    assert len([s for s in scene.strokes if s.line == "focus"]) == 3
    story = "Framed: D[5][3], in lane 35, a1. Its row of A is held by lanes 5 and 37, its column"
    assert story in scene.description


# Layouts that gfx908 does not have


def made(operand, bits, coordinates, lane, item, digits):
    digit = {name: Digit(name, size) for name, size in digits.items()}
    layout = Layout(
        {c: tuple(digit[n] for n in cut) for c, cut in coordinates.items()},
        tuple(digit[n] for n in lane),
        tuple(digit[n] for n in item),
    )
    return replace(operand, layout=layout, format=replace(operand.format, bits=bits))


def test_64_bit_elements_are_register_pairs(gfx908, cells_of):
    base = gfx908["v_mfma_f32_16x16x4f32"].operands["D"]
    pairs = made(
        base,
        64,
        {"b": [], "i": ["sub", "band"], "j": ["col"]},
        ["col", "band"],
        ["sub"],
        {"sub": 4, "band": 4, "col": 16},
    )
    cells = cells_of(render(matrix(pairs, "D", blocks=(0,)), "svg"))
    assert {c.labels[1] for c in cells} == {"a[0:1]", "a[2:3]", "a[4:5]", "a[6:7]"}
    assert len(cells_of(render(registers(pairs, "D"), "svg"))) == 256


def test_6_bit_elements_straddle_registers(gfx908, cells_of):
    base = gfx908["v_mfma_f32_32x32x8f16"].operands["A"]
    narrow = made(
        base,
        6,
        {"b": [], "i": ["row"], "k": ["sub", "group"]},
        ["row", "group"],
        ["sub"],
        {"row": 16, "sub": 32, "group": 4},
    )
    cells = cells_of(render(matrix(narrow, "A", blocks=(0,)), "svg"))
    assert len(cells) == 16 * 128 // 16
    assert cells[1].title == "lane 0, v[3:5], i 0 k 16–31 block 0"
    slots = cells_of(render(registers(narrow, "A"), "svg"))
    assert len(slots) == 16 * 128
    titles = {c.numbers("i", "k"): c.title for c in slots}
    assert titles[0, 5] == "lane 0, v0[31:30]+v1[3:0], i 0 k 5 block 0"


def test_replicated_elements_have_a_cell_for_each_copy(gfx908, cells_of):
    base = gfx908["v_mfma_f32_16x16x4f32"].operands["A"]
    twice = made(
        base,
        32,
        {"b": [], "i": ["row"], "k": ["k"]},
        ["row", "copy"],
        ["k"],
        {"row": 16, "copy": 2, "k": 2},
    )
    scene = matrix(twice, "A", blocks=(0,))
    cells = cells_of(render(scene, "svg"))
    slots = sorted(c.numbers("i", "k", "lane", "register") for c in cells)
    assert slots == sorted(
        (i, k, i + 16 * c, k) for i in range(16) for k in range(2) for c in (0, 1)
    )
    places = {(cell.x, cell.y) for cell in scene.grids[0].cells}
    assert len(places) == len(cells) == 64


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"view": "cube"}, "no view 'cube': there are matrix, registers and product"),
        ({"cell": "bank"}, "no cell 'bank': there are register, lane and both"),
        ({"block": 2}, "no block 2: v_mfma_f32_32x32x1f32 has blocks 0 to 1"),
        ({"block": -1}, "no block -1: v_mfma_f32_32x32x1f32 has blocks 0 to 1"),
    ],
)
def test_what_cannot_be_drawn_is_refused(gfx908, asked, message):
    with pytest.raises(FigureError, match=message):
        figure(gfx908["v_mfma_f32_32x32x1f32"], "D", **asked)


def test_both_blocks_may_be_asked_for(gfx908, cells_of):
    scene = figure(gfx908["v_mfma_f32_32x32x1f32"], "D", block="all", cell="both")
    assert len(cells_of(render(scene, "svg"))) == 2048


def test_slots_that_are_not_read_stay_empty(gfx908):
    scene = figure(gfx908["v_mfma_f32_4x4x4f16"], "A", view="registers", cbsz=2, abid=1)
    empty = [s for s in scene.strokes if s.line == "rule" and s.closed]
    assert len(empty) == 48 * 4
    assert "Empty: not read." in scene.texts[-1].text
    assert scene.width <= 902


@pytest.mark.parametrize("view", ["matrix", "registers", "product"])
def test_every_instruction_can_be_drawn_under_every_kind_of_modifier(gfx908, view):
    for inst in gfx908.values():
        for modifiers in ({}, {"blgp": 3}, {"cbsz": inst.rules.cbsz[-1]}):
            for name in "ABD" if view != "product" else "D":
                scene = figure(inst, name, view=view, **modifiers)
                assert scene.width <= 930, (inst.mnemonic, name, modifiers)
                for text, left, top, right, bottom in boxes(scene):
                    assert 0 <= left <= right <= scene.width, text
                    assert 0 <= top <= bottom <= scene.height, text


def said(archs, arch, mnemonic, name, **modifiers):
    inst = next(a for a in archs if a.name == arch)[mnemonic]
    return figure(inst, name, **modifiers).description


def test_what_groups_of_k_mean_is_said(archs):
    sparse = "v_smfmac_f32_16x16x64_fp8_fp8"
    assert "Of a sparse A, k counts what is stored: 2 of every 4." in said(
        archs, "gfx942", sparse, "A"
    )
    assert "sparse" not in said(archs, "gfx942", sparse, "B")
    assert (
        "Group q tells which 2 of the k from 4q to 4q+3 row i of A stores: 2 bits for each, the "
        "lower k in the lower bits."
    ) in said(archs, "gfx942", sparse, "index")
    scaled = "v_mfma_scale_f32_32x32x64_f8f6f4"
    assert "Group g holds one E8M0 scale: for the k from 32g to 32g+31 of row i of A." in said(
        archs, "gfx950", scaled, "scale_a"
    )
    assert "of column j of B." in said(archs, "gfx950", scaled, "scale_b")


def test_the_set_or_byte_that_is_shown_is_said(archs):
    sparse, scaled = "v_smfmac_f32_16x16x32_f16", "v_mfma_scale_f32_16x16x128_f8f6f4"
    assert "Shown: set 0 of 4, which abid chooses." in said(archs, "gfx942", sparse, "index")
    second = said(archs, "gfx942", sparse, "index", abid=2)
    assert "Shown: set 2 of 4, which abid chooses." in second
    assert "bit = 4·(group mod 2) + 16" in second
    third = said(archs, "gfx950", scaled, "scale_b", op_sel_b=3)
    assert "Shown: byte 3 of 4, which op_sel_b chooses." in third
    assert "bit = 24." in third
    doubled = said(archs, "gfx950", "v_smfmac_f32_16x16x128_fp8_fp8", "index")
    assert "Shown" not in doubled, "one set fills the register"


def test_a_changed_sign_is_said(archs):
    f64 = "v_mfma_f64_16x16x4_f64"
    assert "sign changed" in said(archs, "gfx942", f64, "A", neg=1)
    assert "sign changed" not in said(archs, "gfx942", f64, "B", neg=1)


def test_the_product_says_what_is_summed(archs):
    assert "A[i][s]·B[k(s)][j]" in said(
        archs, "gfx942", "v_smfmac_f32_16x16x32_f16", "D", view="product"
    )
    scaled = "v_mfma_scale_f32_16x16x128_f8f6f4"
    assert "times the scales of its k" in said(archs, "gfx950", scaled, "D", view="product")


def test_inside_a_cell_of_6_bit_elements_two_straddle_registers(scenes):
    scene = scenes["mfma-a-16x16x128-32x6bit"]
    (head,) = (t for t in scene.texts if t.text.startswith("Inside a cell"))
    assert head.text == "Inside a cell: 16 consecutive k in 3 registers, from the lowest bit on"
    below = sorted((t for t in scene.texts if t.y > head.y), key=lambda t: t.x)
    starts = [int(t.text) for t in below if t.text.isdigit()]
    assert starts == [6 * n % 32 for n in range(16)]
    assert [start for start in starts if start + 6 > 32] == [30, 28]
    assert [t.text for t in below if t.text.startswith("+")] == [f"+{n}" for n in range(16)]
