"""LaTeX: every sign is known to pdfTeX, columns hold their words, and TeX makes a PDF of it."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reportlab.pdfbase.pdfmetrics import stringWidth

from layoutgen.sphinx.paper import LINE, PAGE, SPACE, Need, shares, widths

PDFTEX_KNOWS = frozenset(map(chr, range(0xA0, 0x180))) | set("–—‘’“”…→†‡•€™")
"""With the T1 and TS1 encodings of Sphinx's preamble."""

TABLES = """
.. layout-throughput:: gfx942

.. layout-table:: gfx908.v_mfma_f32_32x32x1f32

.. layout-formulas:: gfx950.v_mfma_scale_f32_16x16x128_f8f6f4

.. layout-builtin:: gfx942.v_smfmac_f32_16x16x32_f16
"""


@pytest.fixture
def tex(project) -> str:
    project.write({"index.rst": f"Title\n=====\n{TABLES}"})
    out: Path = project.build("latex")
    assert project.warnings == ""
    return (out / "test.tex").read_text("utf-8")


def test_every_sign_is_known_or_declared(tex: str) -> None:
    head, body = tex.split(r"\begin{document}")
    declared = {chr(int(code, 16)) for code in re.findall(r"\\sphinxDUC\{(\w+)\}", head)}
    strange = {sign for sign in body if ord(sign) > 0x7F} - PDFTEX_KNOWS - declared
    assert strange == set()
    assert {"⌊", "−"} <= declared


@pytest.mark.parametrize(("engine", "declared"), [("pdflatex", True), ("xelatex", False)])
def test_a_preamble_of_the_user_comes_last(project, engine: str, declared: bool) -> None:
    project.write({"index.rst": "Title\n=====\n"})
    own = r"\newcommand{\mine}{}"
    out = project.build("latex", latex_engine=engine, latex_elements={"preamble": own})
    text = (out / "test.tex").read_text("utf-8")
    assert own in text
    assert (r"{\ensuremath{\lfloor}}" in text.split(own)[0]) == declared


def test_a_column_of_names_is_as_wide_as_the_longest(tex: str) -> None:
    place = tex.index(r"{Throughput of gfx942")
    start = tex.rindex(r"\begin{longtable}", 0, place)
    table = tex[start : tex.index(r"\end{longtable}", place)].replace(r"\_", "_")
    columns = [int(n) for n in re.findall(rf"\\X\{{(\d+)\}}\{{{LINE}\}}", table)]
    assert len(columns) == 6
    names = re.findall(r"__builtin_[a-z0-9_]+", table)
    assert columns[0] >= SPACE + max(stringWidth(name, "Times-Italic", 10) for name in names) > 180


Columns = st.lists(
    st.tuples(st.integers(1, 200), st.integers(0, 2000)).map(lambda c: Need(c[0], c[0] + c[1])),
    min_size=1,
    max_size=12,
)


@given(Columns)
def test_columns_fit_on_the_line_and_hold_their_words_where_these_fit(columns) -> None:
    found = widths(columns)
    assert sum(found) <= LINE + 1e-6
    room = LINE - SPACE * len(columns)
    if sum(word for word, _ in columns) <= room:
        assert all(w + SPACE <= f + 1e-6 for (w, _), f in zip(columns, found, strict=True))
    if sum(text for _, text in columns) <= room:
        assert found == pytest.approx([text + SPACE for _, text in columns])


def test_pictures_that_fit_stay_and_others_share_the_page() -> None:
    assert shares([(400, 200), (469, 300)], PAGE) == [None, None]
    assert shares([(938, 600)], PAGE) == [None], "Sphinx itself makes it as wide as the line"
    narrow, wide = shares([(200, 500), (938, 1000)], PAGE)
    assert narrow is not None
    assert wide is not None
    assert 2.5 * narrow * LINE + wide * LINE * 1000 / 938 == pytest.approx(PAGE)
    assert wide / narrow == pytest.approx(LINE / 200), "one scale for both"


def test_a_figure_of_several_pictures_stands_on_one_page(project) -> None:
    three = ".. layout-figure:: gfx908.v_mfma_f32_32x32x1f32\n   :operand: A B D\n"
    project.write({"index.rst": f"Title\n=====\n{three}\n{three}   :width: 90%\n"})
    text = (project.build("latex") / "test.tex").read_text("utf-8")
    found = re.findall(r"width=([\d.]+)\\linewidth", text)
    assert [float(n) for n in found[3:]] == [0.9] * 3, "as the writer wants"
    assert all(0.25 < float(n) < 0.55 for n in found[:3])


@pytest.mark.skipif(not shutil.which("latexmk"), reason="TeX is not installed")
def test_tex_makes_a_pdf_without_an_error(foreign) -> None:
    pytest.importorskip("myst_parser")
    pytest.importorskip("furo")
    project = foreign()
    out = project.build("latex")
    done = subprocess.run(
        ["latexmk", "-pdf", "-interaction=nonstopmode", "-halt-on-error"],
        cwd=out,
        capture_output=True,
        check=False,
    )
    (log,) = (file.read_text("latin-1") for file in out.glob("*.log"))
    errors = [line for line in log.splitlines() if line.startswith("!")]
    assert (done.returncode, errors) == (0, [])
    assert max(map(float, re.findall(r"Overfull \\hbox \(([\d.]+)pt", log)), default=0) < 72
    assert not re.findall(r"Float too large.*|Overfull \\vbox \([\d]{2,}.*", log)
