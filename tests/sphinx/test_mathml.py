"""Formulas become MathML while the pages are built, and nothing of LaTeX is lost silently."""

from __future__ import annotations

import zipfile
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from layoutgen.sphinx.mathml import UnsupportedMathError, to_mathml

CONF = 'extensions = ["layoutgen.sphinx.mathml"]\nnitpicky = True\nshow_warning_types = True\n'
MATHML = "{http://www.w3.org/1998/Math/MathML}"


def tree(latex: str, *, block: bool = True) -> ET.Element:
    return ET.fromstring(to_mathml(latex, block=block))


def shape(element: ET.Element) -> str:
    """The element as ``tag(child, ...)`` or ``tag:text``."""
    tag = element.tag.removeprefix(MATHML)
    if len(element):
        return f"{tag}({' '.join(shape(child) for child in element)})"
    return f"{tag}:{element.text}" if element.text else tag


@pytest.mark.parametrize(
    ("latex", "expected"),
    [
        (r"\lfloor i/4 \rfloor", "math(mo:⌊ mi:i mo:/ mn:4 mo:⌋)"),
        (r"\text{lane} \bmod 4", "math(mtext:lane mo:mod mn:4)"),
        (r"\pmb{A} \times B", "math(mi:𝑨 mo:× mi:B)"),
        (r"16 b \cdot 2", "math(mn:16 mi:b mo:⋅ mn:2)"),
        (r"\frac{M}{2}", "math(mfrac(mi:M mn:2))"),
        (r"2^{\mathrm{cbsz}}", "math(msup(mn:2 mi:cbsz))"),
        (r"\operatorname{lane}(i)", "math(mi:lane mo:\u2061 mo:( mi:i mo:))"),
    ],
)
def test_formula(latex: str, expected: str) -> None:
    assert shape(tree(latex, block=False)) == expected
    assert shape(tree(latex, block=True)) == expected


def test_a_comma_between_numbers_is_punctuation() -> None:
    assert shape(tree(r"\{0,1\}")) == "math(mo:{ mrow(mn:0 mo:, mn:1) mo:})"


def test_each_pair_of_brackets_is_as_tall_as_what_it_encloses() -> None:
    floors = shape(tree(r"\lfloor i \rfloor + \lfloor \frac{i}{\lfloor j \rfloor + 1} \rfloor"))
    assert floors == (
        "math(mrow(mo:⌊ mi:i mo:⌋) mo:+ "
        "mrow(mo:⌊ mfrac(mi:i mrow(mrow(mo:⌊ mi:j mo:⌋) mo:+ mn:1)) mo:⌋))"
    )


def test_bold_ends_with_its_group() -> None:
    # docutils makes everything behind \pmb{A} bold, and loses the columns of an alignment.
    assert shape(tree(r"\pmb{D} &= \boldsymbol{A} b")) == (
        "math(mtable(mtr(mtd(mi:𝑫) mtd(mo:= mi:𝑨 mi:b))))"
    )


def test_nested_and_lonely_brackets_are_kept() -> None:
    assert shape(tree(r"a \lfloor \lceil x \rceil \rfloor")) == (
        "math(mi:a mrow(mo:⌊ mrow(mo:⌈ mi:x mo:⌉) mo:⌋))"
    )
    assert shape(tree(r"\rfloor a \lfloor \lceil x \rfloor")) == (
        "math(mo:⌋ mi:a mo:⌊ mo:⌈ mi:x mo:⌋)"
    )


@pytest.mark.parametrize(
    "latex",
    [
        r"i &= a \\ j &= b",
        r"i &= a \\[2pt] j &= b \\",
        "i &= a\n\nj &= b",
        r"\begin{aligned} i &= a \\ j &= b \end{aligned}",
        r"\begin{align*} i &= a \\ j &= b \end{align*}",
        r"\begin{split} i &= a \\ j &= b \end{split}",
    ],
)
def test_rows_are_aligned_however_they_are_written(latex: str) -> None:
    (table,) = tree(latex)
    assert table.get("class") == "ams-align"
    assert table.get("displaystyle") == "true"
    row = "mtr(mtd(mi:{}) mtd(mo:= mi:{}))"
    assert shape(table) == f"mtable({row.format('i', 'a')} {row.format('j', 'b')})"


def test_cases_stay_one_formula() -> None:
    (cases,) = tree(r"\begin{cases} a & \text{if } b \\ c & d \end{cases}")
    assert shape(cases[0]) == "mo:{"
    assert cases[1].get("class") == "cases"


def test_the_source_is_the_alternative_text() -> None:
    math = tree('a <\n   b \\text{"&"}')
    assert math.get("alttext") == 'a < b \\text{"&"}'
    assert math.get("display") == "block"


@pytest.mark.parametrize(
    ("latex", "reason"),
    [
        (r"x = \foo", r'Unknown LaTeX command "\foo"'),
        (r"\begin{array}{l} a \end{array}", 'Environment "array" not supported'),
        (r"\sqrt", "Source incomplete"),
        ("_2", "incomplete"),
        ("a}b", "Unbalanced braces"),
    ],
)
def test_what_is_not_understood_is_an_error(latex: str, reason: str) -> None:
    with pytest.raises(UnsupportedMathError) as error:
        to_mathml(latex, block=True)
    assert reason in str(error.value)


def test_a_page_carries_mathml_and_needs_no_script(build_site) -> None:
    text = "Title\n=====\n\nThe :math:`\\lfloor i/4 \\rfloor`.\n\n.. math:: a &= b \\\\ c &= d\n"
    site = build_site({"index.rst": text}, conf=CONF)
    page = site.read()
    assert site.warnings == ""
    assert page.count("<math ") == 2
    assert "mathjax" not in page.lower()
    assert "layoutgen-mathml.css" in page
    assert (site.out / "_static/layoutgen-mathml.css").is_file()


def test_a_labelled_equation_has_a_number_a_permalink_and_references(build_site) -> None:
    text = "Title\n=====\n\n.. math::\n   :label: peak\n\n   a = b\n\nSee :eq:`peak`.\n"
    site = build_site({"index.rst": text}, conf=CONF)
    page = site.read()
    assert site.warnings == ""
    assert 'id="equation-peak"' in page
    assert '<span class="eqno">(1)<a class="headerlink" href="#equation-peak"' in page
    assert 'href="#equation-peak">(1)</a>' in page


def test_unknown_latex_is_a_located_warning_and_shown_as_code(build_site) -> None:
    text = "Title\n=====\n\nText\n\n.. math:: x < \\foo\n\nand :math:`\\frob`.\n"
    site = build_site({"index.rst": text}, conf=CONF)
    first, second = site.warnings.splitlines()
    assert first.endswith(
        "index.rst:6: WARNING: no MathML for this formula, its source is shown: "
        'Unknown LaTeX command "\\foo" [layoutgen.math]'
    )
    assert "index.rst:8: WARNING" in second
    assert '<code class="mathml-source">x &lt; \\foo</code>' in site.read()


def test_the_warning_can_be_suppressed(build_site) -> None:
    conf = CONF + 'suppress_warnings = ["layoutgen.math"]\n'
    site = build_site({"index.rst": "Title\n=====\n\n:math:`\\foo`\n"}, conf=conf)
    assert site.warnings == ""


def test_epub_pages_are_xml_with_mathml(build_site) -> None:
    conf = CONF + 'version = "1"\nepub_show_urls = "no"\nepub_basename = "book"\n'
    text = (
        "Title\n=====\n\n:math:`\\sin x \\operatorname{lane}(i)`\n\n.. math:: a &= b \\\\ c &= d\n"
    )
    site = build_site({"index.rst": text}, conf=conf, builder="epub")
    with zipfile.ZipFile(site.out / "book.epub") as book:
        page = ET.fromstring(book.read("index.xhtml").replace(b"<!DOCTYPE html>", b""))
        assert any(name.endswith("layoutgen-mathml.css") for name in book.namelist())
    assert len(list(page.iter(f"{MATHML}math"))) == 2


def test_pages_written_in_parallel_are_the_same(build_site, tmp_path: Path) -> None:
    pages = {f"p{n}.rst": f"Page {n}\n=======\n\n:math:`x_{n}`\n" for n in range(12)}
    index = "Title\n=====\n\n.. toctree::\n   :glob:\n\n   p*\n"
    one = build_site({"index.rst": index, **pages}, conf=CONF)
    serial = {name: one.read(name.replace("rst", "html")) for name in pages}
    (tmp_path / "html").rename(tmp_path / "serial")
    two = build_site({"index.rst": index, **pages}, conf=CONF, jobs=2)
    assert two.warnings == ""
    assert {name: two.read(name.replace("rst", "html")) for name in pages} == serial
