"""Figures on real pages in a real browser, under each theme, light and dark."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest
from extension_projects import CONF, Project
from headless_browser import CHROMIUM, Page, browser

from layoutgen.figures.palette import DARK, LIGHT, contrast

pytestmark = [
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine"),
    pytest.mark.xdist_group("browser"),
    # What themes and their extensions do is theirs to renew.
    pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::PendingDeprecationWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]

THEMES = ("alabaster", "furo", "pydata_sphinx_theme", "sphinx_book_theme", "rocm_docs_theme")
ROCM = Path(__file__).parents[1] / "roots/ext-rocm"
SWITCHED = {
    "furo": "document.body.dataset.theme",
    "pydata_sphinx_theme": "document.documentElement.dataset.theme",
    "sphinx_book_theme": "document.documentElement.dataset.theme",
    "rocm_docs_theme": "document.documentElement.dataset.theme",
}
TEXT = """
Title
=====

.. layout-figure:: gfx908.v_mfma_f32_4x4x4f16
   :operand: A B D
   :align: center

   Three operands.

.. layout-figure:: gfx908.32x32
   :alt: The accumulator

.. layout-figure:: gfx908.v_mfma_f32_32x32x1f32
   :view: product
   :width: 100%

.. layout-figure:: gfx908.32x32
   :view: registers

.. layout-figure:: gfx950.v_mfma_scale_f32_16x16x128_f8f6f4
   :operand: A
   :loading: link

.. layout-formulas:: gfx908.v_mfma_f32_16x16x16f16
   :label: numbered

.. layout-rows:: gfx908.v_mfma_f32_16x16x16f16
   :name: named

See :ref:`named` and :eq:`numbered`.

.. layout-builtin:: gfx908.v_mfma_f32_16x16x16f16
"""
ASIDE = """
:orphan:

Aside
=====

.. layout-figure:: gfx908.32x32
   :align: left

.. layout-figure:: gfx908.4x4
   :block: 3

.. layout-figure:: gfx908.4x4
   :block: 3
   :align: right

Text beside a figure.

.. layout-rows:: gfx908.4x4

.. layout-figure:: gfx908.32x32
   :align: right
   :loading: link

Text below a figure.

.. layout-figure:: gfx908.4x4
   :block: 3
   :width: 50%
"""
REFERENCES = """
:orphan:

References
==========

Refer to :lg:builtin:`gfx908.__builtin_amdgcn_mfma_f32_16x16x16f16` by name.
"""
COLOURS = """
(() => {
  const colour = (element, name) => getComputedStyle(element)[name];
  return [...document.querySelectorAll(".layoutgen-figure")].flatMap((svg) =>
    [...svg.querySelectorAll("text")].map((text) => {
      const cell = text.closest("[data-lane]");
      const ground = cell ? cell.querySelector("path") : svg.querySelector(".page");
      return [colour(text, "fill"), colour(ground, "fill")].join(" on ");
    }));
})()
"""


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    with browser(tmp_path_factory.mktemp("profile")) as found:
        yield found


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Return the page of a theme; each is built once."""
    done: dict[str, Path] = {}

    def build(theme: str) -> Path:
        if find_spec("rocm_docs" if theme == "rocm_docs_theme" else theme) is None:
            pytest.skip(f"{theme} is not installed")
        if theme not in done:
            project = Project(tmp_path_factory.mktemp(theme))
            files = {"index.rst": TEXT, "aside.rst": ASIDE, "references.rst": REFERENCES}
            if theme == "rocm_docs_theme":
                files |= {path.name: path.read_text("utf-8") for path in ROCM.iterdir()}
            else:
                math = '"layoutgen.sphinx", "layoutgen.sphinx.mathml"'
                project.conf = CONF.replace('"layoutgen.sphinx"', math)
                project.conf += f'html_theme = "{theme}"\n'
            project.write(files)
            done[theme] = project.build() / "index.html"
            # Of rocm-docs-core's own warnings none has a place on a page.
            warned = re.findall(rf"(?m)^.*(?:{'|'.join(files)}).*$", project.warnings)
            assert warned == []
        return done[theme]

    return build


def hexadecimal(colour: str) -> str:
    red, green, blue = re.findall(r"\d+", colour)[:3]
    return f"#{int(red):02x}{int(green):02x}{int(blue):02x}"


def pairs(page: Page) -> set[tuple[str, str]]:
    """Every colour of text in a figure, with the colour that it stands on."""
    found = set()
    for pair in page.ask(COLOURS):
        text, ground = pair.split(" on ")
        found.add((hexadecimal(text), hexadecimal(ground)))
    return found


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_all_text_can_be_read(page: Page, built, theme: str, dark: bool) -> None:
    page.open(built(theme), dark=dark)
    if theme in SWITCHED:
        page.ask(f"{SWITCHED[theme]} = {'dark' if dark else 'light'!r}")
    found = pairs(page)
    assert len(found) >= 6
    assert {pair: contrast(*pair) for pair in found if contrast(*pair) < 4.5} == {}
    grounds = {ground for _, ground in found}
    assert (DARK if dark and theme in SWITCHED else LIGHT).page in grounds


@pytest.mark.parametrize("theme", SWITCHED)
def test_figures_follow_the_switch_of_the_theme_and_the_system(
    page: Page, built, theme: str
) -> None:
    page.open(built(theme), dark=False)
    light = pairs(page)
    page.ask(f"{SWITCHED[theme]} = 'dark'")
    dark = pairs(page)
    page.open(built(theme), dark=True)
    assert pairs(page) == dark != light
    page.ask(f"{SWITCHED[theme]} = 'light'")
    assert pairs(page) == light


@pytest.mark.parametrize("theme", THEMES)
def test_on_a_phone_figures_scroll_and_the_page_does_not(page: Page, built, theme: str) -> None:
    page.open(built(theme), width=360)
    assert page.ask("document.documentElement.scrollWidth") <= 360
    figures = page.ask(
        "[...document.querySelectorAll('.layoutgen-picture, .layoutgen-linked')].map((region) => "
        "[region.getBoundingClientRect().right, region.scrollWidth > region.clientWidth])"
    )
    assert all(right <= 360 for right, _ in figures)
    assert sum(scrolls for _, scrolls in figures) >= 5


FIGURES = """
[...document.querySelectorAll("figure")].map((figure) => {
  const shown = figure.querySelector("svg, img");
  const natural = parseFloat(shown.closest("[style]").style.getPropertyValue("--lg-natural"));
  return {
    floats: getComputedStyle(figure).float !== "none",
    top: figure.getBoundingClientRect().top,
    bottom: figure.getBoundingClientRect().bottom,
    room: figure.firstElementChild.getBoundingClientRect().width,
    width: shown.getBoundingClientRect().width,
    natural,
  };
})
"""


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("width", [1400, 800, 360])
def test_a_figure_at_the_side_leaves_room_for_what_follows(
    page: Page, built, theme: str, width: int
) -> None:
    page.open(built(theme).with_name("aside.html"), width=width)
    wide, middle, small, linked, last = page.ask(FIGURES)
    assert [f["floats"] for f in (wide, small, linked)] == [False, width > 768, False]
    assert all(f["room"] >= min(300, 0.75 * width) for f in (wide, middle, linked, last))
    assert middle["top"] >= wide["bottom"]
    assert linked["top"] >= small["bottom"]
    text = "[...document.querySelectorAll('p')].find((p) => p.innerText.startsWith('Text beside'))"
    lines = page.ask(f"{text}.getClientRects()[0].height")
    assert lines < 40
    # Half of the width is what it says, and no picture is made larger to be legible.
    assert last["width"] <= max(0.5 * last["room"], 0.85 * last["natural"]) + 1


@pytest.mark.parametrize("theme", THEMES)
def test_ids_are_unique(page: Page, built, theme: str) -> None:
    page.open(built(theme))
    ids = page.ask("[...document.querySelectorAll('[id]')].map((element) => element.id)")
    assert {"named", "equation-numbered"} <= {*ids}
    assert sorted({name for name in ids if ids.count(name) > 1}) == []


@pytest.mark.parametrize("theme", THEMES)
def test_figures_have_names_and_descriptions(page: Page, built, theme: str) -> None:
    page.open(built(theme))
    named = {found["name"]: found["description"] for found in page.accessible("image")}
    assert "Element (i, j) of block b is held in lane = " in named["The accumulator"]
    regions = page.accessible("application")
    assert len(regions) == page.ask("document.querySelectorAll('.layoutgen-picture').length")
    assert all(r["name"] and r["description"].startswith("Arrow keys") for r in regions)


@pytest.mark.parametrize("theme", THEMES)
def test_the_keyboard_reaches_every_table_that_scrolls_and_only_those(
    page: Page, built, theme: str
) -> None:
    tables = (
        "[...document.querySelectorAll('.layoutgen-table')].map((region) => "
        "[region.scrollWidth > region.clientWidth, region.tabIndex === 0,"
        " region.role, region.ariaLabel.length > 3])"
    )
    for width in (1200, 360):
        page.open(built(theme), width=width)
        page.ask("new Promise((done) => requestAnimationFrame(() => setTimeout(done, 50)))")
        found = page.ask(tables)
        assert all(scrolls == stops for scrolls, stops, _, _ in found)
        assert all(row[2:] == ["group", True] for row in found)
    assert any(scrolls for scrolls, *_ in found)


@pytest.mark.parametrize("theme", THEMES)
def test_long_names_of_references_stay_on_a_phone(page: Page, built, theme: str) -> None:
    page.open(built(theme).with_name("references.html"), width=360)
    assert page.ask("document.documentElement.scrollWidth") <= 360


CELL = "document.querySelectorAll('[data-operand=\"B\"] [data-lane]')[5]"
LIT = "[...document.querySelectorAll('.lit')].map((cell) => cell.dataset.lane)"
READOUT = "document.querySelector('.layoutgen-readout').textContent"


def over_a_cell(page: Page) -> None:
    x, y = page.ask(
        f"(() => {{ const cell = {CELL}; "
        "cell.scrollIntoView({block: 'center', behavior: 'instant'});"
        "const box = cell.getBoundingClientRect(); return [box.left + 4, box.top + 4]; })()"
    )
    page.point(x, y)


def test_the_pointer_names_a_cell_and_marks_its_lane_in_all_operands(page: Page, built) -> None:
    page.open(built("alabaster"))
    over_a_cell(page)
    lane = page.ask(f"{CELL}.dataset.lane")
    assert set(page.ask(LIT)) == {lane}
    figure = f"{CELL}.closest('figure')"
    count = page.ask(f"{figure}.querySelectorAll('[data-lane=\"{lane}\"]').length")
    assert len(page.ask(LIT)) == count
    operands = page.ask(
        "[...document.querySelectorAll('.lit')]"
        ".map((cell) => cell.closest('[data-operand]').dataset.operand)"
    )
    assert set(operands) == {"A", "B", "D"}
    title = page.ask(f"{CELL}.querySelector('title').textContent")
    assert page.ask(READOUT) == f"B: {title}"
    assert re.match(rf"B: lane {lane}, v\d+\[\d+:\d+\], k \d+ j \d+ block \d+$", page.ask(READOUT))
    page.point(1, 1)
    assert page.ask(LIT) == []
    assert page.ask(READOUT) == ""


@pytest.mark.parametrize("theme", THEMES)
def test_what_a_cell_says_is_in_view(page: Page, built, theme: str) -> None:
    page.open(built(theme), width=1200)
    over_a_cell(page)
    box = "document.querySelector('.layoutgen-readout').getBoundingClientRect()"
    assert page.ask(READOUT)
    assert page.ask(f"{box}.top > 0 && {box}.bottom <= window.innerHeight")


@pytest.mark.parametrize("theme", THEMES)
def test_marked_cells_can_be_read(page: Page, built, theme: str) -> None:
    for dark in (False, True):
        page.open(built(theme), dark=dark)
        over_a_cell(page)
        found = pairs(page)
        assert {pair: contrast(*pair) for pair in found if contrast(*pair) < 4.5} == {}


def test_the_keyboard_goes_from_cell_to_cell(page: Page, built) -> None:
    page.open(built("alabaster"))
    for _ in range(40):
        page.press("Tab")
        if page.ask("document.activeElement.className") == "layoutgen-picture":
            break
    assert page.ask("document.activeElement.className") == "layoutgen-picture"
    page.press("ArrowRight")
    assert page.ask(READOUT) == "A: lane 0, v0[15:0], i 0 k 0 block 0"
    page.press("ArrowRight")
    assert page.ask(READOUT) == "A: lane 0, v0[31:16], i 0 k 1 block 0"
    page.press("ArrowDown")
    assert page.ask(READOUT) == "A: lane 1, v0[31:16], i 1 k 1 block 0"
    page.press("Escape")
    assert page.ask(READOUT) == ""
    page.press("ArrowDown")
    page.press("Tab")
    assert page.ask(LIT) == []


def test_the_search_page_finds_a_builtin(page: Page, built) -> None:
    query = "__builtin_amdgcn_mfma_f32_16x16x16f16"
    page.open(built("alabaster").parent / "search.html")
    page.ask(f"Search.performSearch({query!r})")
    results = "document.querySelector('#search-results').innerText"
    page.ask(
        f"new Promise((done) => {{ const wait = () => {results}.includes('C function') "
        "? done() : setTimeout(wait, 50); wait(); })"
    )
    assert query in page.ask(results)
