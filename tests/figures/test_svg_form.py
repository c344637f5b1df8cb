"""A figure as a file: text, names, colours, size, and the same bytes on every run."""

from __future__ import annotations

import gzip
import os
import re
import subprocess
import sys
from xml.etree import ElementTree

import pytest

from layoutgen.figures import svg
from layoutgen.figures.palette import DARK, LIGHT
from layoutgen.figures.request import render

SVG = "{http://www.w3.org/2000/svg}"


def test_root_is_an_image_with_a_name_and_a_description(scenes, svgs):
    for stem, data in svgs.items():
        root = ElementTree.fromstring(data)
        assert root.get("role") == "img"
        title, desc = root.find(f"{SVG}title"), root.find(f"{SVG}desc")
        assert root.get("aria-labelledby") == title.get("id")
        assert root.get("aria-describedby") == desc.get("id")
        assert title.text == scenes[stem].title
        assert len(desc.text) > 80


def test_description_states_the_rule_in_both_directions(scenes):
    text = scenes["mfma-layout-32x32"].description
    assert "lane = 32·(⌊i/4⌋ mod 2) + j" in text
    assert "register = 16·b + 4·⌊i/8⌋ + (i mod 4)" in text
    assert "j = lane mod 32" in text
    assert "bit = 16·(k mod 2)" in scenes["mfma-a-32x32x8-4x16bit"].description


def test_ids_are_unique_over_all_figures_so_that_one_page_can_take_them_in(svgs):
    ids = [i for data in svgs.values() for i in re.findall(rb' id="([^"]+)"', data)]
    assert len(ids) == 2 * len(svgs) == len(set(ids))


def test_ids_come_from_the_content(scenes):
    scene = scenes["mfma-blgp-1"]
    names = [re.findall(rb' id="([^"]+)"', render(scene, "svg", plain=p)) for p in (0, 0, 1)]
    assert names[0] == names[1] != names[2]


def test_text_is_text(svgs):
    root = ElementTree.fromstring(svgs["mfma-layout-32x32"])
    texts = [element.text for element in root.iter(f"{SVG}text")]
    for wanted in ("Accumulator (C and D) of a 32×32 tile", "lane = 32·(⌊i/4⌋ mod 2) + j"):
        assert wanted in texts
    for wanted in ("32–63", "r12–r15", "column j →", "row i ↓", "block 0"):
        assert wanted in texts
    assert any("Its lane: the first of the band + j." in text for text in texts)
    assert any("Block b adds 16·b to the register." in text for text in texts)


def test_no_variables_no_inline_styles_no_scripts_nothing_from_outside(svgs):
    for data in svgs.values():
        assert b"var(" not in data
        assert b"style=" not in data
        assert b"<script" not in data
        assert set(re.findall(rb'https?://[^"]+', data)) <= {
            b"http://www.w3.org/2000/svg",
            b"http://www.w3.org/1999/xlink",
            b"http://www.w3.org/2001/xml-events",
        }


def test_rules_hold_for_the_figure_only_and_have_a_dark_half(svgs):
    css = svg.css()
    assert css.encode() in svgs["mfma-blgp-0"]
    light, dark = css.split("@media screen and (prefers-color-scheme:dark){")
    for rules, palette in ((light, LIGHT), (dark, DARK)):
        for colour in (palette.page, palette.ink, *palette.fills, *palette.edges):
            assert colour in rules
    selectors = re.findall(r"([^{}]+)\{[^{}]*\}", light + dark)
    assert all(selector.startswith(f".{svg.ROOT}") for selector in selectors)


def test_a_page_may_bring_its_own_rules(scenes):
    assert b"<style" not in svg.render(scenes["mfma-blgp-0"], style=False)


def test_sizes(figures, scenes, svgs):
    full = svgs["mfma-layout-32x32"]
    assert len(full) < 160_000
    assert len(gzip.compress(full, mtime=0)) < 16_000
    assert len(render(scenes["mfma-layout-32x32"], "svg", plain=True)) < 60_000
    layouts = [svg for stem, svg in svgs.items() if figures[stem].layout]
    assert sum(map(len, layouts)) < 6_000_000
    assert max(map(len, svgs.values())) < 320_000


def test_plain_leaves_out_hover_data_and_keeps_the_picture(scenes, cells_of):
    scene = scenes["mfma-layout-16x16"]
    plain, full = (render(scene, "svg", plain=p) for p in (True, False))
    assert b"data-" not in plain
    assert not cells_of(plain)
    texts = [
        [e.text for e in ElementTree.fromstring(data).iter(f"{SVG}text")] for data in (plain, full)
    ]
    assert sorted(texts[0]) == sorted(texts[1])


def test_markup_in_names_is_escaped(gfx908):
    from layoutgen.figures.request import figure

    head = '</text><script>alert("1")</script> & co'
    inst = gfx908["v_mfma_f32_4x4x1f32"]
    data = render(figure(inst, "A", heading=head), "svg")
    assert b"<script" not in data
    assert ElementTree.fromstring(data).find(f"{SVG}title").text == head


PROGRAM = """
import hashlib, layoutgen
from layoutgen.figures.gallery import gallery
from layoutgen.figures.request import render
total = hashlib.sha256()
archs = [layoutgen.arch(name) for name in ("gfx908", "gfx90a", "gfx942", "gfx950")]
for stem, figure in gallery(*archs).items():
    total.update(stem.encode() + figure.alt.encode() + render(figure.build(), "svg"))
for suffix in ("pdf", "png"):
    total.update(render(gallery(layoutgen.arch("gfx908"))["mfma-blgp-5"].build(), suffix))
print(total.hexdigest())
"""


def test_every_run_gives_the_same_bytes():
    def run(seed: str) -> str:
        env = {**os.environ, "PYTHONHASHSEED": seed}
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM], env=env, capture_output=True, text=True, check=True
        )
        return done.stdout

    assert run("1") == run("4711")


@pytest.mark.parametrize("value", [(3.0, "3"), (0.5, "0.5"), (-12.25, "-12.25"), (1 / 3, "0.33")])
def test_numbers_are_short(value):
    assert svg._num(value[0]) == value[1]
