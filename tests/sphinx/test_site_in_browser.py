"""The site's pages in a real browser: on a desk, on a phone, on paper."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from headless_browser import CHROMIUM, Page, browser

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs/reference/gfx908/f32-32x32x1f32.rst"
PHONE, DESK = 360, 1400

pytestmark = [
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine"),
    pytest.mark.xdist_group("browser"),
]


@dataclass(frozen=True)
class Shown:
    """A page in a tab of the browser."""

    tab: Page
    file: Path

    def open(self, width: int) -> None:
        self.tab.open(self.file, width=width)

    def ask(self, expression: str) -> Any:
        return self.tab.ask(expression)

    def print(self) -> None:
        """Have the styles of paper."""
        self.tab._call("Emulation.setEmulatedMedia", media="print")


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shown]:
    """A builtin's page of the reference, built with the site's own configuration."""
    root = tmp_path_factory.mktemp("site")
    source = root / "docs/reference/gfx908"
    source.mkdir(parents=True)
    shutil.copy(PAGE, source)
    (root / "docs/index.rst").write_text(
        "Home\n====\n\n.. toctree::\n\n   reference/gfx908/f32-32x32x1f32\n", encoding="utf-8"
    )
    command = [sys.executable, "-m", "sphinx", "-Q", "-c", ROOT / "docs"]
    subprocess.run([*command, root / "docs", root / "html"], check=True)
    with browser(root / "profile") as tab:
        yield Shown(tab, root / "html/reference/gfx908/f32-32x32x1f32.html")


def figures(page: Shown, width: int) -> list[dict[str, Any]]:
    """What stands on the page at that width: the size of each image, and of its region."""
    page.open(width)
    found: list[dict[str, Any]] = page.ask(
        """[...document.querySelectorAll(".layoutgen-linked")].map((region) => {
            const image = region.querySelector("img");
            return {
                natural: image.naturalWidth, shown: image.getBoundingClientRect().width,
                room: region.clientWidth, scroll: region.scrollWidth,
                fade: parseFloat(getComputedStyle(region).getPropertyValue("--lg-after")),
            };
        })"""
    )
    assert [f["natural"] > DESK / 3 for f in found] == [False, True, True], "A, B, and D"
    return found


def test_on_a_desk_a_figure_has_its_own_size_or_that_of_the_page(page: Shown) -> None:
    for figure in figures(page, DESK):
        assert figure["shown"] == pytest.approx(min(figure["natural"], figure["room"]), rel=0.02)
        assert figure["scroll"] <= figure["room"] + 1
        assert figure["fade"] == 0


def test_on_a_phone_a_narrow_figure_fits_and_a_wide_one_scrolls_by_itself(page: Shown) -> None:
    narrow, *wide = figures(page, PHONE)
    assert narrow["shown"] <= narrow["room"]
    assert narrow["scroll"] <= narrow["room"]
    assert narrow["fade"] == 0
    for figure in wide:
        assert figure["shown"] >= 0.8 * figure["natural"], "its text stays legible"
        assert figure["scroll"] > figure["room"]
        assert figure["fade"] > 0, "the edge that hides something fades"
    assert page.ask("document.documentElement.scrollWidth") == PHONE


@pytest.mark.parametrize("kind", ["layout-parameters", "layout-facts"])
def test_on_a_phone_the_facts_of_a_builtin_fit(page: Shown, kind: str) -> None:
    page.open(PHONE)
    table, room, rows = page.ask(
        f"""(() => {{
            const table = document.querySelector("table.{kind}");
            const rows = [...table.rows].map((row) => row.getBoundingClientRect().height);
            return [table.scrollWidth, table.parentElement.clientWidth, rows];
        }})()"""
    )
    assert table <= room
    if kind == "layout-parameters":
        assert max(rows) < 60, "no row is blown up by a cell that nobody sees"


def test_on_paper_captions_stay_with_their_tables_and_nothing_fades(page: Shown) -> None:
    page.open(DESK)
    page.print()
    breaks = page.ask(
        '[...document.querySelectorAll("caption")].map((c) => getComputedStyle(c).breakAfter)'
    )
    assert breaks
    assert set(breaks) == {"avoid"}
    masks = page.ask(
        '[...document.querySelectorAll(".layoutgen-linked")]'
        ".map((region) => getComputedStyle(region).maskImage)"
    )
    assert set(masks) == {"none"}
