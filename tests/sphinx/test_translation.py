"""The extension's own words: every one is in the catalogue, and every language has all of them."""

from __future__ import annotations

import re
from io import BytesIO

import pytest
from babel.messages.mofile import read_mo
from babel.messages.pofile import read_po

from layoutgen.sphinx.translation import LOCALE

SOURCES = [p for p in LOCALE.parent.rglob("*.py") if p.name != "mathml.py"]
LANGUAGES = sorted(path.name for path in LOCALE.iterdir() if path.is_dir())


def catalogue(path):
    return {m.id: m.string for m in read_po(BytesIO(path.read_bytes())) if m.id}


def test_the_template_has_every_word_of_the_sources() -> None:
    word = re.compile(r'\b_\("([^"]+)"\)')
    found = {text for path in SOURCES for text in word.findall(path.read_text("utf-8"))}
    assert set(catalogue(LOCALE / "layoutgen.pot")) == found


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_has_every_word_and_is_compiled(language: str) -> None:
    folder = LOCALE / language / "LC_MESSAGES"
    words = catalogue(folder / "layoutgen.po")
    assert words.keys() == catalogue(LOCALE / "layoutgen.pot").keys()
    assert all(words.values())
    there = read_mo(BytesIO((folder / "layoutgen.mo").read_bytes()))
    assert {m.id: m.string for m in there if m.id} == words


def test_index_pages_are_in_the_language_of_the_project(project) -> None:
    project.page(".. lg:builtin:: gfx908.v_mfma_f32_32x32x1f32\n", language="fr")
    page = (project.root / "html/lg-gfx908.html").read_text("utf-8")
    assert "Instructions matricielles de gfx908" in page
