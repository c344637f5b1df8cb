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

    .. layout-figure:: gfx908.v_mfma_f32_16x16x4f16
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
    project = foreign(latex_table_style="['booktabs']")
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


def test_an_epub_can_be_built_again_in_its_folder(project) -> None:
    built(project, "epub")
    built(project, "epub")


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


def tables(project, figure: str) -> list[list[str]]:
    """What the builder of texts makes of a figure: its titles, and the rows of its tables."""
    text = project.page(figure, builder="text")
    assert project.warnings == ""
    lines = [line.strip() for line in text.splitlines()[3:]]
    return [line.split("|") for line in lines if {*line} - {*"+|-=^"}]


def test_a_table_shows_what_the_figure_shows(project) -> None:
    one = ".. layout-figure:: gfx908.v_mfma_f32_32x32x1f32\n   :block: 1\n"
    (title,), _head, *rows = tables(project, one)
    assert title == "D of v_mfma_f32_32x32x1f32, block 1"
    assert len(rows) == 8
    assert rows[0][3].strip() == "16–19"
    # Without the option it shows block 0, and of a small tile all blocks.
    first = tables(project, one.replace(":block: 1", ":operand: D"))
    assert first[0] == ["D of v_mfma_f32_32x32x1f32, block 0"]
    assert len(first) == len(rows) + 2
    assert len(tables(project, ".. layout-figure:: gfx908.v_mfma_f32_4x4x1f32\n")) == 18
    assert len(tables(project, one.replace("1\n", "all\n"))) == 18


def test_in_a_man_page_the_name_of_a_table_is_not_that_of_the_page(project) -> None:
    small = "gfx908.v_mfma_f32_4x4x1f32"
    project.write(
        {"index.rst": f"T\n=\n\n.. layout-figure:: {small}\n\n.. layout-rows:: {small}\n"}
    )
    text = (project.build("man") / "test.1").read_text("utf-8")
    assert "test \\- Test" in text
    assert text.count("\\fBD of v_mfma_f32_4x4x1f32\\fP") == 2


def test_a_table_of_a_product_shows_its_block(project) -> None:
    found = tables(
        project,
        ".. layout-figure:: gfx908.v_mfma_f32_4x4x1f32\n   :view: product\n   :block: 3\n",
    )
    titles = [line[0] for line in found if len(line) == 1]
    assert titles == [f"v_mfma_f32_4x4x1f32: A, B and D, {name}, block 3" for name in "ABD"]
    lanes = [line[2].strip() for line in found if len(line) > 1 and "Lanes" not in line[2]]
    assert lanes == ["12–15"] * 3


def test_a_table_has_the_name_and_the_modifiers_of_the_figure(project) -> None:
    figure = ".. layout-figure:: gfx908.v_mfma_f32_4x4x1f32\n   :operand: A\n   :cbsz: 1\n"
    assert tables(project, figure)[0] == ["A of v_mfma_f32_4x4x1f32 cbsz:1"]
    assert tables(project, f"{figure}   :title: Mine\n")[0] == ["Mine"]
    assert tables(project, f"{figure}   :title: Mine\n   :alt: Yours\n")[0] == ["Yours"]


@pytest.mark.parametrize("name", ["blgp", "cbsz"])
def test_a_table_of_a_modifier_shows_the_value_that_the_figure_shows(project, name: str) -> None:
    (title,), _head, *rows = tables(
        project,
        f".. layout-figure:: gfx908.v_mfma_f32_4x4x1f32\n   :view: {name}\n   :{name}: 3\n",
    )
    assert title.startswith(f"{name} 3")
    assert rows
    assert {row[1].strip() for row in rows} <= {"3", ""}


def test_gettext_has_captions_legends_and_alternative_texts(project) -> None:
    messages = (built(project, "gettext") / "index.pot").read_text("utf-8")
    for text in ("A caption.", "A legend.", "What it shows"):
        assert f'msgid "{text}"' in messages
    assert "Lanes" not in messages


def test_gettext_has_no_numbers_names_and_formulas(project) -> None:
    inst = "gfx908.v_mfma_f32_4x4x1f32"
    tables = f".. layout-rows:: {inst}\n\n.. layout-throughput:: gfx908\n\n"
    project.write({"index.rst": f"Title\n=====\n\n{tables}.. layout-builtin:: {inst}\n"})
    messages = (project.build("gettext") / "index.pot").read_text("utf-8")
    texts = re.findall(r'msgid "(.+)"', messages)
    assert {"Rows", "Cycles", "What it computes"} <= {*texts}
    assert [text for text in texts if not re.search("[A-Za-z]{2}", text)] == []
    assert [text for text in texts if re.fullmatch(r"``[^`]+``", text)] == []
    assert "D_{b,i,j}" not in messages


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
