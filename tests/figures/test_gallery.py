"""The gallery holds one figure for each distinct picture."""

from __future__ import annotations

from layoutgen.figures import names
from layoutgen.figures.gallery import gallery


def test_stems(gfx908, figures):
    tiles = ("32x32", "16x16", "4x4")
    wanted = {f"mfma-{what}-{t}" for what in ("layout", "registers", "product") for t in tiles}
    wanted |= {f"mfma-blgp-{code}" for code in range(8)}
    wanted |= {
        f"mfma-cbsz-{n}-of-{blocks}-blocks"
        for blocks, most in ((2, 1), (4, 2), (16, 4))
        for n in range(1, most + 1)
    }
    wanted |= {names.operand(inst, name) for inst in gfx908.values() for name in "AB"}
    assert set(figures) == wanted
    assert list(figures) == list(gallery(gfx908))
    assert all(stem == figure.stem for stem, figure in figures.items())


def test_the_seed_pages_figures_come_first(figures):
    assert list(figures)[:3] == ["mfma-layout-32x32", "mfma-layout-16x16", "mfma-layout-4x4"]


def test_alternative_texts_name_architecture_and_rule_and_are_distinct(figures):
    alts = [figure.alt for figure in figures.values()]
    assert len(set(alts)) == len(alts)
    for alt in alts:
        assert alt.startswith("gfx908, ")
        assert len(alt) < 400
    assert "lane = 32·(⌊i/4⌋ mod 2) + j" in figures["mfma-layout-32x32"].alt
    assert "v_mfma_f32_32x32x8f16" in figures["mfma-a-32x32x8-4x16bit"].alt


def test_pictures_and_their_titles_are_distinct(svgs, scenes):
    assert len(set(svgs.values())) == len(svgs)
    keyed = {(scene.title, scene.description) for scene in scenes.values()}
    assert len(keyed) == len(scenes)
