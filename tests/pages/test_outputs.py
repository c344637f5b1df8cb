"""All files of a tree: the same bytes from one process and from several."""

from __future__ import annotations

import re
import threading
from functools import partial
from typing import Any
from xml.etree import ElementTree as ET

import pytest

import layoutgen
from layoutgen.figures import names
from layoutgen.figures.modifiers import blgp
from layoutgen.pages import TREES, outputs
from layoutgen.pages.outputs import drawing

ARCH = layoutgen.arch("gfx908")


@pytest.fixture(scope="module")
def files() -> dict[str, bytes]:
    return outputs([ARCH], TREES["site"])


def test_two_processes_give_the_same_bytes(files: dict[str, bytes]) -> None:
    assert outputs([ARCH], TREES["site"], jobs=2) == files


class Watched:
    """What builds a figure; it notes in which thread it is made ready for another process."""

    def __init__(self) -> None:
        self.threads: list[threading.Thread] = []

    def __reduce__(self) -> tuple[Any, ...]:
        self.threads.append(threading.current_thread())
        return partial, (blgp, ARCH["v_mfma_f32_32x32x1f32"], 1)


def test_figures_are_sent_to_other_processes_before_the_caller_goes_on() -> None:
    """Pages fill cached properties of the same objects: a thread must not read them meanwhile."""
    build = Watched()
    with drawing({"one": build, "two": build}, 2) as drawn:
        assert build.threads == [threading.current_thread()] * 2
        first, second = drawn["one"](), drawn["two"]()
    assert first == second
    assert ET.fromstring(first).tag.endswith("svg")


def test_every_figure_is_svg_and_every_page_text(files: dict[str, bytes]) -> None:
    assert list(files) == sorted(files)
    for path, content in files.items():
        if path.endswith(".svg"):
            assert path.startswith("figures/")
            assert ET.fromstring(content).tag.endswith("svg")
        else:
            assert path.startswith("docs/reference/")
            assert path.endswith((".rst", ".hip"))
            content.decode()


def test_every_layout_of_the_gallery_is_shown_on_a_page(files: dict[str, bytes]) -> None:
    shown = set()
    for path, content in files.items():
        if path.endswith(".rst"):
            for of, operand in re.findall(
                r"layout-figure:: gfx908\.(\w+)\n   :operand: (\w+)\n   :title:", content.decode()
            ):
                shown.add(names.operand(ARCH[of], operand))
    stems = [path[8:-4] for path in files if path.endswith(".svg")]
    assert [stem for stem in stems if stem not in shown] == []


def figures(found: dict[str, bytes]) -> dict[str, bytes]:
    return {p.rsplit("/", 1)[1]: c for p, c in found.items() if p.endswith(".svg")}


@pytest.fixture(scope="module")
def amd() -> dict[str, bytes]:
    return outputs([ARCH], TREES["amd"])


def test_figures_of_the_site_are_those_of_the_other_tree(
    files: dict[str, bytes], amd: dict[str, bytes]
) -> None:
    """The other tree has further views as well; in the site Sphinx draws them."""
    assert figures(files).items() < figures(amd).items()


def test_progress_names_every_figure_once(files: dict[str, bytes]) -> None:
    seen: list[tuple[str, int, int]] = []
    outputs([ARCH], TREES["site"], progress=lambda *call: seen.append(call))
    assert [path for path, _, _ in seen] == sorted(
        (p for p in files if p.endswith(".svg")), key=[path for path, _, _ in seen].index
    )
    assert [done for _, done, _ in seen][-1] == seen[0][2] == len(files)


def test_figures_are_shown_at_their_own_size(amd: dict[str, bytes]) -> None:
    drawn = {name: ET.fromstring(content).get("width") for name, content in figures(amd).items()}
    shown = 0
    for content in (c for p, c in amd.items() if p.endswith(".rst")):
        for figure in re.finditer(
            r"\.\. figure:: \S*/(\S+)\n((?:   :.*\n)*)", content.decode(), re.MULTILINE
        ):
            options = dict(re.findall(r":(\w+): (.*)", figure[2]))
            assert options["width"] == f"{drawn[figure[1]]}px"
            narrow = int(drawn[figure[1]] or 0) <= 400
            assert options["class"].split() == ["dark-light", *(["layout-narrow"] * narrow)]
            shown += 1
    assert shown > 60
