"""Text of specifications comes out as text, whatever it looks like."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from docutils import nodes
from docutils.core import publish_doctree
from docutils.utils import urischemes
from hypothesis import given
from hypothesis import strategies as st

import layoutgen
from layoutgen.pages import PageError, pages
from layoutgen.pages.outputs import gather
from layoutgen.pages.rst import Rst, code, escape, heading, list_table, merge, prose
from layoutgen.pages.trees import SITE

HOSTILE = [
    "a | b, |substituted| and *stars* and **more**",
    "`role` and ``literal`` and :ref:`target` and `text <https://x.example>`_",
    "<script>alert('x')</script>",
    "name_ and anonymous__ and [1]_ and |name|_ and _`inline target`",
    ".. include:: /etc/passwd",
    ".. raw:: html",
    ":orphan:",
    ":field: body",
    "1. one",
    "(a) one",
    "#. one",
    "iv) one",
    "- one",
    "+ one",
    "• one",
    "-x  an option",
    "--long=value  an option",
    "/V  an option",
    ">>> print(1)",
    "ends with a colon::",
    "====",
    "___",
    "one\n===\n\ntwo",
    "one\n\n   two",
    "\\\\",
    "((((",
    "back\\slash \\* \\",
    "__ https://x.example",
    "| line block",
    "* ",
    "2^cbsz·⌊b / 2^cbsz⌋ + abid",
    "`x <javascript:alert(1)>`_",
    "javascript:alert(1)",
    "(javascript:alert(1)), -JavaScript:alert(1) and a::javascript:alert(1)",
    "http://evil.example/a_ and <https://evil.example/?q=1#x> and HTTP://evil.example",
    "mailto:me@here.example, me@here.example and <a.b+c@here.example>; @ alone",
    "tel:123 data:text/html,x h323:a urn:b:c 2^javascript:alert(1)",
    "ends like the beginning of javascript:",
]


def read(text: str) -> nodes.document:
    settings = {"report_level": 1, "halt_level": 1, "file_insertion_enabled": False}
    return publish_doctree(text, settings_overrides=settings)


def plain(text: str) -> str:
    return " ".join(text.split())


def assert_is_text(text: str) -> None:
    document = read(f"{escape(text)}\n")
    (paragraph,) = document.children
    assert isinstance(paragraph, nodes.paragraph)
    assert all(isinstance(n, nodes.Text) for n in paragraph.children)
    assert paragraph.astext() == plain(text)


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_is_read_as_itself(text: str) -> None:
    assert_is_text(text)


@given(st.text(alphabet="ab1*`_|\\:.<>-+=#()[] \n'\"~^/&@", max_size=30).filter(plain))
def test_any_text_is_read_as_itself(text: str) -> None:
    assert_is_text(text)


@pytest.mark.parametrize("scheme", [*urischemes.schemes])
def test_no_scheme_makes_a_link_of_text(scheme: str) -> None:
    assert_is_text(f"{scheme}:x ({scheme}:x) {scheme.upper()}://a.b/c_")


def test_the_parts_of_an_address_do_not_become_one() -> None:
    document = read(f"{merge(['javascript:', 'alert(1)'], last='')}\n")
    assert not [*document.findall(nodes.reference)]


def test_a_long_text_takes_no_time() -> None:
    text = "a-" * 200_000
    assert escape(text) == text


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_in_a_table_a_heading_and_a_list(text: str) -> None:
    table = read(str(list_table(("H",), [(text,)], text)))
    _, cell = table.findall(nodes.paragraph)
    assert cell.astext() == plain(text)
    section = read(f"{heading(text, '=')}\n\nbody\n")
    assert next(section.findall(nodes.title)).astext() == plain(text)
    assert (
        read(f"before {merge([text, text])}\n").astext()
        == f"before {plain(text)} and {plain(text)}"
    )


@pytest.mark.parametrize("text", [*HOSTILE, "2^cbsz", "(2^cbsz)", "S = 64 / 2^cbsz, x^2.", "a^b^c"])
def test_prose_is_text_with_powers(text: str) -> None:
    document = read(f"{prose(text)}\n")
    (paragraph,) = document.children
    assert isinstance(paragraph, nodes.paragraph)
    high = [node.astext() for node in paragraph.findall(nodes.superscript)]
    assert high == re.findall(r"(?<![\w^])\w+\^(\w+)(?![\w^])", text)
    assert paragraph.astext() == re.sub(r"(?<![\w^])(\w+)\^(\w+)(?![\w^])", r"\1\2", plain(text))


@pytest.mark.parametrize("text", ["v_mfma_f32_32x32x1f32", "a``b", "`", " spaced  out "])
def test_code_is_read_as_itself(text: str) -> None:
    assert read(f"see {code(text)}.\n").astext() == f"see {plain(text)}."


def test_markup_is_left_alone() -> None:
    assert escape(Rst("**bold**")) == "**bold**"
    assert merge([Rst("``x``"), "y_"]) == "``x`` and y\\_"


ARCH = layoutgen.arch("gfx908")
ALTS = {stem: figure.alt for stem, figure in gather([ARCH], SITE).items()}


def test_a_description_with_markup_comes_out_as_text_on_a_page() -> None:
    from dataclasses import replace

    hostile = "A | B, `x` and <script>alert(1)</script> **loud** |y| z_"
    entry = replace(ARCH.disagreements[0], title=hostile, question=hostile)
    text = pages([replace(ARCH, disagreements=(entry,))], ALTS)["docs/reference/gfx908/index.rst"]
    assert text.count(str(escape(hostile))) == 2
    assert hostile not in text


def test_a_template_of_the_user_goes_before_the_built_in_one(tmp_path: Path) -> None:
    (tmp_path / "register-types.rst.j2").write_text(
        "Mine: {{ types|length }}, {{ titles.A ~ '*' }}\n"
    )
    found = pages([ARCH], ALTS, templates=tmp_path)
    assert found["docs/reference/register-types.rst"] == "Mine: 10, A\\*\n"
    assert found["docs/reference/index.rst"] == pages([ARCH], ALTS)["docs/reference/index.rst"]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("one\n{{ missing }}\n", "register-types.rst.j2:2: error: 'missing' is undefined"),
        (
            "{{ types.0.nothing }}\n",
            "register-types.rst.j2:1: error: .* has no attribute 'nothing'",
        ),
        ("{% if %}\n", "register-types.rst.j2:1: error: "),
        ("{% include 'nowhere.j2' %}\n", "nowhere.j2"),
    ],
)
def test_a_template_that_does_not_hold_is_named_with_its_line(
    tmp_path: Path, text: str, reason: str
) -> None:
    (tmp_path / "register-types.rst.j2").write_text(text)
    with pytest.raises(PageError, match=reason):
        pages([ARCH], ALTS, templates=tmp_path)


def test_pages_are_the_same_on_every_run_and_tidy() -> None:
    first = pages([ARCH], ALTS)
    assert first == pages([ARCH], ALTS)
    for text in first.values():
        assert text.endswith("\n")
        assert "\n\n\n" not in text
        assert all(line == line.rstrip() for line in text.splitlines())


def test_the_line_of_proof_has_its_place() -> None:
    line = "24 combinations of modifiers, no finding"
    found = pages([ARCH], ALTS, proof={("gfx908", "v_mfma_f32_4x4x1f32"): line})
    assert line in found["docs/reference/gfx908/f32-4x4x1f32.rst"]
    assert "Checked" not in found["docs/reference/gfx908/f32-16x16x1f32.rst"]
