"""The site as ``docs/conf.py`` makes it: complete without a network, the same on every run."""

from __future__ import annotations

import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
INDEX = """
Title
=====

.. toctree::

   page

.. tab-set::

   .. tab-item:: Terminal

      .. code-block:: console

         $ layoutgen list

:math:`\\lfloor i/4 \\rfloor` and a :octicon:`link`
"""

pytestmark = pytest.mark.xdist_group("site")


class Loaded(HTMLParser):
    """Collects the addresses of everything that a browser loads to show a page."""

    def __init__(self) -> None:
        super().__init__()
        self.addresses: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag != "a":
            self.addresses += [v for name, v in attrs if name in ("src", "srcset", "href") and v]


def build(source: Path, out: Path) -> Path:
    source.mkdir(exist_ok=True)
    (source / "index.rst").write_text(INDEX, encoding="utf-8")
    (source / "page.rst").write_text("Page\n====\n\nText\n", encoding="utf-8")
    subprocess.run(
        [sys.executable, "-m", "sphinx", "-q", "-n", "-W", "-E", "-c", DOCS, source, out],
        check=True,
        capture_output=True,
    )
    return out


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("site")
    return build(root / "source", root / "html")


def test_pages_load_nothing_from_the_network(site: Path) -> None:
    pages = list(site.rglob("*.html"))
    assert {"index.html", "page.html", "search.html"} <= {page.name for page in pages}
    for page in pages:
        loaded = Loaded()
        loaded.feed(page.read_text("utf-8"))
        assert [a for a in loaded.addresses if re.match(r"(?i)(https?:)?//", a)] == []


def test_stylesheets_load_nothing_from_the_network(site: Path) -> None:
    for sheet in site.rglob("*.css"):
        text = sheet.read_text("utf-8")
        assert re.findall(r"(?i)(?:url\(|@import)\s*[\"']?(?:https?:)?//[^)]*", text) == []


def test_what_pages_load_is_there(site: Path) -> None:
    loaded = Loaded()
    loaded.feed((site / "index.html").read_text("utf-8"))
    files = [a.partition("?")[0] for a in loaded.addresses if not a.startswith(("data:", "#"))]
    assert [name for name in files if not (site / name).exists()] == []
    assert "_static/layoutgen.css" in files


def test_a_second_build_is_byte_identical(site: Path) -> None:
    again = build(site.parent / "source", site.parent / "again")
    files = {p.relative_to(site) for p in site.rglob("*.*") if ".doctrees" not in p.parts}
    different = [
        name
        for name in sorted(files)
        if (site / name).is_file() and (site / name).read_bytes() != (again / name).read_bytes()
    ]
    assert different == []
