"""Figures in odd places and forms: several pictures, cells of tables, man pages."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import zipfile
from xml.etree import ElementTree

import pytest

SMALL = "gfx908.v_mfma_f32_4x4x4f16"
TWO = f".. layout-figure:: {SMALL}\n   :operand: A D\n"
CELLS = f"""
.. list-table::

   * - .. layout-figure:: {SMALL}

     - .. layout-figure:: {SMALL}
          :operand: B
          :alt: Words of the writer
"""


def write(project, text: str) -> None:
    project.write({"index.rst": f"Title\n=====\n\n{text}"})


@pytest.mark.parametrize("caption", ["", "\n   A caption.\n"])
@pytest.mark.parametrize("builder", ["html", "epub"])
def test_a_caption_is_closed_where_it_was_opened(project, builder: str, caption: str) -> None:
    write(project, TWO + caption)
    out = project.build(builder, epub_copyright="nobody")
    assert project.warnings == ""
    (page,) = (file.read_text("utf-8") for file in out.glob("index.*html"))
    assert page.count("<figcaption>") == page.count("</figcaption>") == bool(caption)
    assert page.count("<figure") == page.count("</figure>") == 1
    if builder == "epub":
        figures = ElementTree.fromstring(page).iter("{http://www.w3.org/1999/xhtml}img")
        assert len(list(figures)) == 2


@pytest.mark.parametrize("builder", ["text", "man", "texinfo", "html", "latex", "epub"])
def test_a_figure_in_a_cell_builds_everywhere(project, builder: str) -> None:
    write(project, CELLS)
    out = project.build(builder, epub_copyright="nobody")
    assert project.warnings == ""
    if builder == "text":
        text = " ".join((out / "index.txt").read_text("utf-8").replace("|", " ").split())
        assert "Words of the writer" in text
        assert "D of" in text


@pytest.mark.parametrize("content", ["", "\n   The caption.\n", "\n   The caption.\n\n   More.\n"])
def test_a_man_page_has_captions_of_their_own(project, content: str) -> None:
    write(project, f".. layout-figure:: {SMALL}\n{content}\nAfter.\n")
    page = project.build("man") / "test.1"
    source = page.read_text("utf-8")
    assert ".UNINDENT" not in "".join(line for line in source.splitlines() if line[0] != ".")
    if shutil.which("groff"):
        done = subprocess.run(
            ["groff", "-man", "-t", "-Tutf8", "-rLL=100n", str(page)],
            capture_output=True,
            check=True,
        )
        shown = re.sub(r"\x1b\[[\d;]*m|.\x08", "", done.stdout.decode())
        lines = [line.strip() for line in shown.splitlines()]
        assert "After." in lines
        if content:
            assert "The caption." in lines


def test_titles_and_alternative_texts_tell_operands_apart(project) -> None:
    page = project.page(f"{TWO}   :title: Mine\n   :alt: Words\n")
    assert re.findall(r'aria-label="(Words[^"]*)"', page) == ["Words, A", "Words, D"]
    assert [f">Mine, {name}<" in page for name in "AD"] == [True, True]
    page = project.page(f".. layout-figure:: {SMALL}\n   :title: On two\n      lines\n")
    assert ">On two lines<" in page


@pytest.mark.parametrize(
    "text",
    [
        ".. layout-builtin:: gfx908.32x32",
        ".. lg:builtin:: gfx908.16x16",
        ".. lg:instruction:: gfx908.16x16",
        ".. layout-figure:: gfx908.4x4\n   :view: product",
    ],
)
def test_a_tile_shape_is_no_instruction(project, text: str) -> None:
    project.page(f"{text}\n")
    (line,) = project.warnings.splitlines()
    assert "a tile shape has" in line
    assert "name an instruction, such as gfx908.v_mfma_" in line


def test_an_epub_has_every_picture_once(project) -> None:
    write(project, f"{TWO}\n   A caption.\n")
    plain = project.root / "plain"
    subprocess.run(
        [sys.executable, "-m", "sphinx", "-q", "-b", "epub", str(project.source), str(plain)],
        check=True,
        capture_output=True,
    )
    (archive,) = plain.glob("*.epub")
    names = zipfile.ZipFile(archive).namelist()
    assert len([name for name in names if name.endswith(".svg")]) == 2
    assert (plain / ".doctrees").is_dir()


def test_pages_that_become_one_have_every_anchor_once(project) -> None:
    project.write(
        {
            "index.rst": "Title\n=====\n\n.. toctree::\n\n   a\n   b\n",
            "a.rst": f"A\n=\n\n.. layout-builtin:: {SMALL}\n",
            "b.rst": f"B\n=\n\n.. layout-builtin:: {SMALL.replace('908', '90a')}\n",
        }
    )
    page = (project.build("singlehtml") / "index.html").read_text("utf-8")
    assert project.warnings == ""
    anchors = re.findall(r'id="(c\.__builtin[^"]*)"', page)
    assert anchors == ["c.__builtin_amdgcn_mfma_f32_4x4x4f16"]


def test_signs_that_a_pdf_cannot_show_are_told(project) -> None:
    write(project, f".. layout-figure:: {SMALL}\n   :title: 中 Привет כ\n")
    project.build("latex")
    (line,) = project.warnings.splitlines()
    assert "cannot show כ and 中 in a title" in line
    assert "[layoutgen.font]" in line
    project.build("html")
    assert project.warnings == ""


def test_a_wide_figure_stands_by_itself_on_paper(project) -> None:
    large = ".. layout-figure:: gfx908.32x32\n   :align: left\n\n"
    write(project, f"{large}.. layout-figure:: {SMALL}\n   :align: right\n   :width: 200px\n")
    text = (project.build("latex") / "test.tex").read_text("utf-8")
    assert text.count(r"\begin{wrapfigure}") == 1
