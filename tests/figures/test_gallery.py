"""The gallery holds one figure for each distinct picture."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest

from layoutgen.digits import Layout
from layoutgen.figures import names
from layoutgen.figures.gallery import gallery
from layoutgen.figures.request import FigureError


def formats(inst, name):
    """Every format of an operand: the modifiers that choose it, and the operand."""
    field = {"A": "cbsz", "B": "blgp"}.get(name)
    for code, operand in enumerate(inst.alternatives.get(name) or [inst.operands[name]]):
        yield ({field: code} if code else {}), operand


def every_operand(archs):
    """Every operand of every instruction in every format, with the stem of its figure."""
    for arch in archs:
        for inst in arch.values():
            for name in inst.operands:
                for chosen, operand in formats(inst, name):
                    yield arch, inst, operand, names.operand(inst, name, **chosen)


def picture(inst, operand):
    """Where each element lies; of an accumulator the first block, which all forms have."""
    rows = [tuple(row) for row in operand.table().tolist()]
    if operand.name in "CD":
        rows = [row for row in rows if row[0] == 0]
    return operand.name.replace("C", "D"), operand.columns, tuple(rows)


def test_two_operands_share_a_name_exactly_if_they_lie_alike(archs):
    stems: dict[object, set[str]] = {}
    pictures: dict[str, set[object]] = {}
    for _, inst, operand, stem in every_operand(archs):
        seen = picture(inst, operand)
        stems.setdefault(seen, set()).add(stem)
        pictures.setdefault(stem, set()).add(seen)
    assert [found for found in stems.values() if len(found) > 1] == []
    assert [stem for stem, found in pictures.items() if len(found) > 1] == []
    assert len(pictures) == 93


def test_the_layouts_of_the_gallery_are_those_of_all_operands_and_no_more(archs, figures):
    wanted = {stem for *_, stem in every_operand(archs)}
    assert {stem for stem, figure in figures.items() if figure.layout} == wanted
    assert all(stem == figure.stem for stem, figure in figures.items())
    assert list(figures) == list(gallery(*archs))


def test_names_tell_what_differs(archs):
    _, gfx90a, gfx942, gfx950 = archs
    scaled = gfx950["v_mfma_scale_f32_16x16x128_f8f6f4"]
    assert names.operand(gfx90a["v_mfma_f64_4x4x4f64"], "D") == "mfma-layout-4x4-64bit-f64"
    assert names.operand(scaled, "A") == "mfma-a-16x16x128-32x8bit-chunks16"
    assert names.operand(scaled, "A", cbsz=2) == "mfma-a-16x16x128-32x6bit"
    assert names.operand(scaled, "B", cbsz=2, blgp=4) == "mfma-b-16x16x128-32x4bit"
    assert names.operand(scaled, "scale_a") == "mfma-scale-a-16x16x4-1x8bit"
    sparse = gfx942["v_smfmac_f32_16x16x32_f16"]
    assert names.operand(sparse, "index") == "mfma-index-16x16x8-2x4bit"
    dense = names.operand(gfx942["v_mfma_f32_16x16x16_f16"], "A")
    assert names.operand(sparse, "A") == dense == "mfma-a-16x16x16-4x16bit"


def test_two_layouts_of_one_name_are_refused(archs):
    arch = archs[0]
    inst = arch["v_mfma_f32_16x16x1f32"]
    d = inst.operands["D"]
    lanes = d.layout.lane[::-1]
    other = replace(d, layout=Layout(d.layout.coordinates, lanes, d.layout.item))
    changed = replace(inst, operands={**inst.operands, "D": other})
    there = replace(arch, name="gfx0", instructions={inst.mnemonic: changed})
    message = (
        "two layouts have one name, mfma-layout-16x16: D of v_mfma_f32_16x16x1f32 on gfx908 and "
        "D of v_mfma_f32_16x16x1f32 on gfx0"
    )
    with pytest.raises(FigureError, match=message):
        gallery(arch, there)


def test_other_views(archs, figures):
    other = {stem: f.asked for stem, f in figures.items() if not f.layout}
    wanted = {f"mfma-blgp-{code}" for code in range(8)}
    wanted |= {
        f"mfma-cbsz-{n}-of-{blocks}-blocks"
        for blocks, most in ((2, 1), (4, 2), (16, 4))
        for n in range(1, most + 1)
    }
    tiles = ("32x32", "16x16", "4x4", "16x16-64bit-f64", "4x4-64bit-f64")
    wanted |= {f"mfma-registers-{tile}" for tile in tiles}
    wanted |= {
        "mfma-product-32x32x8-4x16bit",
        "mfma-product-16x16x16-4x16bit",
        "mfma-product-4x4x4-4x16bit",
        "mfma-product-16x16x4-1x64bit",
        "mfma-product-4x4x4-1x64bit",
        "smfmac-product-16x16x32-4x16bit",
        "smfmac-product-32x32x16-4x16bit",
    }
    assert set(other) == wanted
    assert {asked.view for asked in other.values()} == {"registers", "product", "blgp", "cbsz"}
    assert other["mfma-cbsz-2-of-4-blocks"].modifiers == (("cbsz", 2),)
    assert other["mfma-blgp-3"].modifiers == (("blgp", 3),)


def test_each_figure_says_how_its_layout_is_asked_for(archs, figures):
    by_name = {arch.name: arch for arch in archs}
    for figure in figures.values():
        asked = figure.asked
        inst = by_name[asked.arch][asked.instruction]
        assert inst.operand(asked.operand, **dict(asked.modifiers))
        if figure.layout:
            stem = names.operand(inst, asked.operand, **dict(asked.modifiers))
            assert stem == figure.stem


def test_the_seed_pages_figures_come_first(figures):
    assert list(figures)[:3] == ["mfma-layout-32x32", "mfma-layout-16x16", "mfma-layout-4x4"]


def test_alternative_texts_name_architectures_and_rule_and_are_distinct(figures):
    alts = [figure.alt for figure in figures.values()]
    assert len(set(alts)) == len(alts)
    for figure in figures.values():
        assert figure.alt.startswith("gfx")
        assert figure.asked.arch in figure.alt
        assert len(figure.alt) < 400
    alt = figures["mfma-layout-32x32"].alt
    assert alt.startswith("gfx908, gfx90a, gfx942 and gfx950, Accumulator (C and D) of a 32×32")
    assert "lane = 32·(⌊i/4⌋ mod 2) + j" in alt
    assert "v_mfma_f64_4x4x4f64" in figures["mfma-layout-4x4-64bit-f64"].alt


def test_what_differs_by_architecture_is_said_and_not_claimed(figures, scenes):
    for stem, figure in figures.items():
        if figure.layout:
            assert "Used on gfx" in scenes[stem].description
    shared = scenes["mfma-layout-32x32"].description
    assert "in 32 registers (r0–r31)" in shared
    letter = "r: accVGPR (a) on gfx908; archVGPR or accVGPR (v or a) on gfx90a, gfx942 and gfx950."
    assert shared.endswith(letter)
    assert "(v0–v7)" in scenes["mfma-layout-16x16-64bit-f64"].description
    assert scenes["mfma-index-16x16x8-2x4bit"].description.endswith("v: archVGPR.")


def test_of_gfx908_alone_accumulators_lie_in_accvgprs(gfx908):
    scene = gallery(gfx908)["mfma-layout-32x32"].build()
    assert "in 32 accVGPRs (a0–a31)" in scene.description
    assert scene.description.endswith("Used on gfx908. a: accVGPR.")


def test_pictures_and_their_titles_are_distinct(svgs, scenes):
    assert len(set(svgs.values())) == len(svgs)
    keyed = {(scene.title, scene.description) for scene in scenes.values()}
    assert len(keyed) == len(scenes)


def test_titles_name_the_shape_of_every_user(archs, scenes):
    for arch, inst, operand, stem in every_operand(archs):
        size = f"{inst.m}×{inst.n}"
        wanted = size if operand.name in "CD" else f"{size}×{inst.k}"
        assert wanted in scenes[stem].title
        assert arch.name in scenes[stem].description


@pytest.mark.parametrize(("one", "other"), [*product(("gfx908", "gfx942"), ("gfx90a", "gfx950"))])
def test_any_architectures_have_a_gallery_together(archs, one, other):
    chosen = [arch for arch in archs if arch.name in (one, other)]
    together = gallery(*chosen)
    assert set(together) == {stem for arch in chosen for stem in gallery(arch)}
