"""Texts in Markdown, RST and AsciiDoc tables are read as themselves."""

from __future__ import annotations

import pytest
from docutils.core import publish_doctree
from docutils.nodes import entry, system_message
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from layoutgen.cli import escapes, tabular

HOSTILE = (
    "<script>a</script> `b` |c| d_ **e** _f_ __g__ ~~h~~ [i](j:k) ![l](m) &lt; \\* \\ n:: *o $p$ "
    "http://q[r] link:s[t] {u} .. raw:: html javascript:alert(1) -x:y me@here.org "
    "mailto:me@here.org"
)
NAMES = ["v_mfma_f32_32x32x1f32", "D[5][3]", "v[4:5]:19", "v0:0[31:30]+v1:0[3:0]", "2^cbsz", "-448"]
MARKS = st.text(st.sampled_from("ab1 \n\t\\`*_|<>[]()&;:.-+=#~$!/'\"é日"), max_size=30)


def shown(text: str) -> str:
    return " ".join(text.split())


def in_markdown(table: str) -> list[str]:
    tokens = MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(table)
    cells = [token.children or [] for token in tokens if token.type == "inline"]
    kinds = {child.type for cell in cells for child in cell}
    assert kinds <= {"text", "text_special"}, kinds
    return [shown("".join(child.content for child in cell)) for cell in cells]


def in_rst(table: str) -> list[str]:
    tree = publish_doctree(table, settings_overrides={"report_level": 5})
    for message in [*tree.findall(system_message)]:
        assert message["level"] == 1, message.astext()  # a lone backslash, for an empty cell
        message.parent.remove(message)
    cells = [*tree.findall(entry)]
    kinds = {node.tagname for cell in cells for node in cell.findall()}
    assert kinds <= {"entry", "paragraph", "#text"}, kinds
    return [shown(cell.astext()) for cell in cells]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("form", [escapes.markdown, escapes.rst, escapes.asciidoc])
def test_names_and_slots_stay_as_they_are(name, form):
    assert form(name) == name


@settings(deadline=None)
@given(st.lists(st.tuples(MARKS, MARKS), min_size=1, max_size=3))
def test_a_table_shows_the_texts_of_its_cells(rows):
    grid = tabular.Grid(("one", "two"), rows)
    wanted = ["one", "two", *(shown(cell) for row in rows for cell in row)]
    assert in_markdown(tabular.markdown(grid)) == wanted
    assert in_rst(tabular.rst(grid)) == wanted


def test_markup_is_no_markup():
    grid = tabular.Grid(("one", "two"), [(HOSTILE, "x\ny"), ("日本", HOSTILE)])
    wanted = ["one", "two", shown(HOSTILE), "x y", "日本", shown(HOSTILE)]
    assert in_markdown(tabular.markdown(grid)) == wanted
    assert in_rst(tabular.rst(grid)) == wanted


@pytest.mark.parametrize(
    "text", ["-1", "===", "a.", "- b", ".. c", ":d: e", "\\\\\\\\", "/V", "+--+"]
)
def test_a_cell_in_rst_is_a_paragraph(text):
    assert in_rst(tabular.rst(tabular.Grid(("one", "two"), [(text, text)])))[2:] == [text, text]


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("|c|", "&#124;c&#124;"),
        ("**e**", "&#42;&#42;e&#42;&#42;"),
        ("a * b", "a * b"),
        ("link:x[y]", "link&#58;x[y]"),
        ("https://x[y] <irc://z>", "https&#58;//x[y] <irc&#58;//z>"),
        ("mailto:me@here.org, you@here.org", "mailto&#58;me&#64;here.org, you&#64;here.org"),
        ("a: b @ c", "a: b @ c"),
        ("{nbsp} (C) a -> b", "&#123;nbsp} &#40;C) a -&#62; b"),
        ("\\*", "&#92;*"),
        ("&lt;", "&#38;lt;"),
        ("a +", "a &#43;"),
    ],
)
def test_asciidoc_names_the_characters_of_markup_by_number(text, written):
    assert escapes.asciidoc(text) == written


def test_a_line_break_in_a_cell_is_a_space():
    grid = tabular.Grid(("one", "two"), [("a\nb\tc", "d\u2028e")])
    assert tabular.text(grid).splitlines() == ["one    two", "a b c  d e"]
    assert tabular.asciidoc(grid).splitlines()[-2] == "|a b c |d e"
