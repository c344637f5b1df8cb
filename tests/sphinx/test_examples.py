"""Every snippet of the extension's documentation, in both markups, does what the page says."""

from __future__ import annotations

import re

import pytest
from extension_projects import CONF, DOCS, Snippet, snippets

from layoutgen.sphinx.directives import DIRECTIVES
from layoutgen.sphinx.selfdoc import to_myst

ROOT = DOCS.parents[1]
MYST = CONF.replace('"layoutgen.sphinx"', '"layoutgen.sphinx", "myst_parser"')
BUILTIN = "\n.. lg:builtin:: gfx908.v_mfma_f32_4x4x1f32\n"


def article(page: str) -> str:
    """What the theme shows of a document, without what depends on its source."""
    body = page[page.index('<div class="body"') : page.index('<div class="sphinxsidebar"')]
    return re.sub(r"\s+", " ", body)


def whole(snippet: Snippet) -> str:
    """The snippet, and a description of the instruction that some snippets refer to."""
    refers = ":lg:" in snippet.text and "layout-builtin" not in snippet.text
    return snippet.text + (BUILTIN if refers else "")


@pytest.mark.parametrize("snippet", snippets(), ids=str)
def test_a_snippet_builds_without_a_warning(project, snippet: Snippet) -> None:
    page = project.page(whole(snippet))
    assert project.warnings == ""
    assert len(re.findall(r"<(?:figure|table|dl|div class=\"math)", article(page)))


@pytest.mark.parametrize("snippet", snippets(), ids=str)
def test_its_twin_in_myst_gives_the_same_page(project, snippet: Snippet) -> None:
    pytest.importorskip("myst_parser")
    project.conf = MYST
    first = article(project.page(whole(snippet)))
    (project.source / "index.rst").unlink()
    project.write({"index.md": f"# Title\n\n{to_myst(whole(snippet))}"})
    second = (project.build() / "index.html").read_text("utf-8")
    assert project.warnings == ""
    assert article(second) == first


def test_every_file_of_the_project_is_on_its_page() -> None:
    page = (DOCS / "project.rst").read_text("utf-8")
    shown = re.findall(r"literalinclude:: example/(\S+)", page)
    folder = DOCS / "example"
    files = [p.relative_to(folder).as_posix() for p in folder.rglob("*.*") if p.is_file()]
    assert sorted(shown) == sorted(files)


def test_what_the_readme_shows_builds(project) -> None:
    (block,) = re.findall(r"(?s)```rst\n(.*?)```", (ROOT / "README.md").read_text("utf-8"))
    page = project.page(block)
    assert project.warnings == ""
    assert "Where A, B and D lie." in page


def test_every_directive_has_a_live_example_or_a_snippet() -> None:
    pages = "\n".join(page.read_text("utf-8") for page in DOCS.glob("*.rst"))
    for name in DIRECTIVES:
        assert f"   .. {name}::" in pages, name
        assert f".. layoutgen-options:: {name}" in pages, name


def test_twins_keep_options_content_and_roles() -> None:
    text = (
        "A :lg:inst:`x` here.\n\n.. layout-figure:: gfx908.32x32\n   :block: 1\n\n"
        "   A caption.\n\n   A legend.\n\nAfter.\n"
    )
    assert to_myst(text) == (
        "A {lg:inst}`x` here.\n\n```{layout-figure} gfx908.32x32\n:block: 1\n\n"
        "A caption.\n\nA legend.\n```\n\nAfter.\n"
    )
