"""Every builder: no warning under the strictest settings, and figures in a form it can show."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path

import pytest

FIGURE = """
    .. layout-figure:: gfx908.v_mfma_f32_4x4x4f16
       :operand: A
       :name: here
       :alt: What it shows

       A caption.

       A legend.

    See :ref:`here`.

    .. layout-figure:: gfx908.16x16
       :view: product

    .. layout-figure:: gfx908.v_mfma_f32_4x4x4f16
       :view: blgp
       :blgp: 3

    .. layout-figure:: gfx908.v_mfma_f32_4x4x4f16
       :view: cbsz
       :cbsz: 1
"""
OWN = pytest.mark.filterwarnings("ignore::PendingDeprecationWarning", "ignore::DeprecationWarning")
"""For builders that use what their own Sphinx is about to drop."""

BUILDERS = (
    "html", "dirhtml", "singlehtml", "epub", "latex", "text", "man", "texinfo", "gettext", "xml",
    "pseudoxml", pytest.param("json", marks=OWN), pytest.param("htmlhelp", marks=OWN),
)  # fmt: skip


def built(project, builder: str) -> Path:
    project.write({"index.rst": "Title\n=====\n" + re.sub(r"(?m)^    ", "", FIGURE)})
    out = project.build(builder, epub_copyright="nobody")
    assert project.warnings == ""
    return out


@pytest.mark.parametrize("builder", BUILDERS)
def test_a_whole_project_builds_without_a_warning(foreign, builder: str) -> None:
    pytest.importorskip("myst_parser")
    pytest.importorskip("furo")
    project = foreign(epub_copyright='"nobody"', latex_table_style="['booktabs']")
    project.build(builder, jobs=2)
    assert project.warnings == ""


def test_linkcheck_finds_every_local_target(foreign) -> None:
    pytest.importorskip("myst_parser")
    project = foreign(
        linkcheck_ignore=r"[r'https?://.*']", linkcheck_report_timeouts_as_broken="False"
    )
    project.build("linkcheck")
    assert project.warnings == ""


def test_html_has_the_figure_in_the_page(project) -> None:
    page = (built(project, "html") / "index.html").read_text("utf-8")
    assert page.count("<svg") == 4
    assert "<style" not in page[page.index("<svg") :]
    assert 'src="_static/layoutgen-figures.js' in page
    assert 'defer="defer" src="_static/layoutgen-figures.js' in page


def test_a_page_without_a_figure_loads_nothing(project) -> None:
    page = project.page("Text.")
    assert "layoutgen-figures" not in page


def test_html_can_have_linked_files(project) -> None:
    page = project.page(".. layout-figure:: gfx908.32x32\n", layoutgen_html_figures="image")
    (image,) = re.findall(r"<img [^>]*>", page)
    (name,) = re.findall(r'src="_images/(layoutgen-[0-9a-f]{16}\.svg)"', image)
    assert 'alt="D of v_mfma_f32_32x32x1f32. 32 elements of 32 bits' in image
    assert "dark-light" in image
    assert (project.root / "html/_images" / name).read_bytes().startswith(b"<svg")
    assert "layoutgen-figures.js" not in page


def test_epub_has_files_and_alternative_texts(project) -> None:
    (archive,) = built(project, "epub").glob("*.epub")
    with zipfile.ZipFile(archive) as epub:
        page = epub.read("index.xhtml").decode()
        names = epub.namelist()
    images = re.findall(r'<img alt="([^"]+)"[^>]*src="([^"]+)"', page)
    assert len(images) == 4
    assert all(src in names for _, src in images)
    assert images[0][0] == "What it shows"


def test_latex_has_pdf_files_and_floats(project) -> None:
    out = built(project, "latex")
    text = (out / "test.tex").read_text("utf-8")
    names = re.findall(r"\\sphinxincludegraphics(?:\[[^]]*\])?\{\{(layoutgen-\w+)\}\.pdf\}", text)
    assert len(names) == 4
    assert all((out / f"{name}.pdf").read_bytes().startswith(b"%PDF") for name in names)
    assert r"\caption{A caption.}" in text


@pytest.mark.parametrize("builder", ["text", "man", "texinfo"])
def test_where_there_are_no_pictures_there_are_tables(project, builder: str) -> None:
    out = built(project, builder)
    (file,) = (f for f in out.iterdir() if f.suffix in (".txt", ".1", ".texi"))
    text = file.read_text("utf-8").replace("\\(en", "–").replace("--", "–")
    for content in ("Lanes", "12–15", "Lanes 0–15 read", "A caption.", "A legend."):
        assert content in text
    assert "lane 15" not in text


def test_text_is_a_real_table(project) -> None:
    text = (built(project, "text") / "index.txt").read_text("utf-8")
    assert re.search(r"\| 3 +\| 0–3 +\| 12–15 +\| 0–3 +\| 0–1 +\|", text)


def test_gettext_has_captions_legends_and_alternative_texts(project) -> None:
    messages = (built(project, "gettext") / "index.pot").read_text("utf-8")
    for text in ("A caption.", "A legend.", "What it shows"):
        assert f'msgid "{text}"' in messages
    assert "Lanes" not in messages


def test_captions_and_alternative_texts_are_translated(project) -> None:
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    folder = project.source / "locale/de/LC_MESSAGES"
    folder.mkdir(parents=True)
    words = {"A caption.": "Eine Bildunterschrift.", "What it shows": "Was es zeigt"}
    text = "".join(f'msgid "{a}"\nmsgstr "{b}"\n\n' for a, b in words.items())
    header = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=utf-8\\n"\n\n'
    (folder / "index.po").write_text(header + text, "utf-8")
    with (folder / "index.po").open("rb") as po, (folder / "index.mo").open("wb") as mo:
        write_mo(mo, read_po(po, locale="de"))
    page = project.page(FIGURE, language="de", locale_dirs=["locale"])
    assert project.warnings == ""
    assert "Eine Bildunterschrift." in page
    assert ">Was es zeigt</title>" in page
    assert "Pfeiltasten führen von Zelle zu Zelle." in page
