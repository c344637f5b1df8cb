"""What directives put on a page agrees with the layouts, and what they cannot do they say once."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

import pytest

import layoutgen

ONE = "gfx908.v_mfma_f32_32x32x1f32"
SMALL = "gfx908.v_mfma_f32_4x4x4f16"


def tree(project, text: str, **settings: object) -> ET.Element:
    return ET.fromstring(project.page(text, builder="xml", **settings))


def words(node: ET.Element | None) -> str:
    return "" if node is None else " ".join("".join(node.itertext()).split())


def rows(table: ET.Element) -> list[list[str]]:
    return [[words(cell) for cell in row.iter("entry")] for row in table.iter("row")]


def test_the_full_table_is_the_layout(project) -> None:
    (table,) = tree(project, f".. layout-table:: {SMALL}\n   :operand: A\n").iter("table")
    operand = layoutgen.arch("gfx908")[SMALL.partition(".")[2]].operands["A"]
    head, *body = rows(table)
    assert head == list(operand.columns)
    assert [[int(cell) for cell in row] for row in body] == operand.table().tolist()


def test_the_full_table_by_slots_of_some_lanes(project) -> None:
    options = "   :operand: A\n   :lane: 2-3\n   :order: slot\n   :cbsz: 1\n"
    text = f".. layout-table:: {SMALL}\n{options}"
    (table,) = tree(project, text).iter("table")
    body = [[int(cell) for cell in row] for row in rows(table)[1:]]
    assert {row[-4] for row in body} <= {2, 3}
    assert [row[-4:-1] for row in body] == sorted(row[-4:-1] for row in body)
    assert body


def test_the_figure_holds_every_element(project) -> None:
    page = project.page(f".. layout-figure:: {ONE}\n   :block: 1\n")
    assert len(re.findall(r" data-lane=", page)) == 32 * 32
    assert "lane 39, a21[31:0], i 13 j 7 block 1" in page


def test_figures_have_numbers_captions_legends_and_names(project) -> None:
    text = f"""
        .. layout-figure:: {ONE}
           :name: here
           :align: center
           :width: 50%
           :class: mine
           :figclass: ours

           A caption with *emphasis*.

           A legend.

        See :numref:`here`.
        """
    page = project.page(text)
    assert project.warnings == ""
    assert re.search(r'<figure class="ours align-center" id="here">', page)
    assert '<span class="caption-number">Fig. 1 </span>' in page
    assert "A caption with <em>emphasis</em>." in page
    assert '<div class="legend">' in page
    assert 'href="#here"><span class="std std-numref">Fig. 1</span>' in page
    assert "--lg-width:50%" in page
    assert '<div class="layoutgen-picture mine"' in page


def test_the_same_figure_twice_has_ids_of_its_own(project) -> None:
    page = project.page(f".. layout-figure:: {ONE}\n\n" * 3)
    ids = re.findall(r'\bid="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    assert len([name for name in ids if name.endswith("-title")]) == 3


def test_several_operands_share_a_figure(project) -> None:
    page = project.page(f".. layout-figure:: {SMALL}\n   :operand: a, B D\n")
    (figure,) = re.findall(r"<figure.*?</figure>", page, re.DOTALL)
    assert re.findall(r'data-operand="(.)"', figure)[0] == "A"
    assert figure.count("<svg") == 3


def test_an_alternative_text_becomes_the_name(project) -> None:
    page = project.page(f".. layout-figure:: {ONE}\n   :alt: All & <everything>\n")
    assert ">All &amp; &lt;everything&gt;</title>" in page
    assert 'aria-label="All &amp; &lt;everything&gt;"' in page


def test_formulas_have_numbers_in_both_directions(project) -> None:
    text = f".. layout-formulas:: {ONE}\n   :label: f\n\n:eq:`f` :eq:`f-inverse`\n"
    page = project.page(text)
    assert project.warnings == ""
    assert 'href="#equation-f">(1)</a>' in page
    assert 'href="#equation-f-inverse">(2)</a>' in page


def test_a_label_that_is_taken_is_told_once_at_its_line(project) -> None:
    text = f".. layout-formulas:: {ONE}\n   :label: f\n   :direction: forward\n\n"
    page = project.page(f"{text}Text.\n\n{text}")
    (line,) = project.warnings.splitlines()
    assert re.search(r"index\.rst:10: WARNING: duplicate label of equation f", line)
    assert page.count('id="equation-f"') == 1


def test_throughput_links_to_what_is_described(project) -> None:
    text = ".. layout-throughput:: gfx908\n   :instructions: v_mfma_f32_32x32x1f32\n"
    page = project.page(f"{text}\n.. lg:builtin:: {ONE}\n")
    assert project.warnings == ""
    table = page[page.index("<table") : page.index("</table>")]
    assert table.count("<tr") == 2
    assert 'href="#lg-gfx908.v_mfma_f32_32x32x1f32"' in table


def test_comparison_tells_what_differs(project) -> None:
    text = f".. layout-comparison:: {ONE} gfx908.v_mfma_f32_32x32x2f32\n   :operand: D\n"
    (table,) = tree(project, text).iter("table")
    found = {row[0]: row[1:] for row in rows(table)[1:]}
    assert found["Blocks"] == ["2", "1", "no"]
    assert found["D: lane"][2] == "yes"
    only = f"{text}   :differences:\n"
    (table,) = tree(project, only).iter("table")
    assert {row[-1] for row in rows(table)[1:]} == {"no"}


def test_a_builtin_has_its_whole_entry(project) -> None:
    page = project.page(f".. layout-builtin:: {ONE}\n\n   My own words.\n")
    assert project.warnings == ""
    assert 'id="c.__builtin_amdgcn_mfma_f32_32x32x1f32"' in page
    for part in ("What it computes", "Parameters", "Layout of A", "Modifiers", "My own words."):
        assert part in page
    assert page.count("<svg") == 3
    address = "gfx908-v-mfma-f32-32x32x1f32-layout-of-a"
    assert f'<h2 class="rubric" id="{address}">Layout of A</h2>' in page


def test_two_builtins_on_a_page_have_ids_of_their_own(project) -> None:
    both = "".join(f".. layout-builtin:: {name}\n\n" for name in (ONE, SMALL))
    page = project.page(f"{both}.. layout-parameters:: gfx908\n")
    ids = re.findall(r'\bid="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    assert project.warnings == ""
    assert 'href="#mfma-common-parameters"' in page


def test_the_default_role_of_the_page_stays(project) -> None:
    text = f".. default-role:: emphasis\n\n.. layout-formulas:: {ONE}\n\nThen `this`.\n"
    assert "Then <em>this</em>." in project.page(text)


WRONG = {
    "gfx908.v_mfma_f32_32x32x1f33": ("name", "nearest: v_mfma_f32_32x32x1f32"),
    "gfx9080.v_mfma_f32_32x32x1f32": ("name", "nearest: gfx908"),
    "gfx908.32x33": ("name", "nearest: 32x32"),
    "": ("name", "it takes an argument, such as gfx908.v_mfma_f32_32x32x1f32"),
    f"{ONE}\n   :oprand: D": ("option", "no option 'oprand'; nearest: operand"),
    f"{ONE}\n   :operand: E": ("name", "has A, B, C and D"),
    f"{ONE}\n   :block: 2": ("name", "has blocks 0 to 1"),
    f"{ONE}\n   :block: -1": ("option", "takes a number or all, not '-1'"),
    f"{ONE}\n   :view: matix": ("option", "nearest: matrix"),
    f"{ONE}\n   :cell: nothing": ("option", "takes auto, register, lane or both"),
    f"{ONE}\n   :align: top": ("option", "takes left, center or right"),
    f"{ONE}\n   :width: wide": ("option", "a width such as 600, 40em or 80%"),
    f"{ONE}\n   :cbsz: 2": ("modifier", "cbsz 2 is not in 0 to 1"),
    f"{ONE}\n   :view: blgp": ("option", "needs the option 'blgp'"),
    f"{ONE}\n   :view: blgp\n   :blgp: x": ("option", "'blgp' takes a number, not 'x'"),
    f"{ONE}\n   :view: cbsz\n   :cbsz: 1.5": ("option", "'cbsz' takes a number, not '1.5'"),
    f"{ONE}\n   :class: +": ("option", "option 'class' takes names, not '+'"),
    f"{ONE}\n   :figclass: a 1": ("option", "option 'figclass' takes names, not 'a 1'"),
    f"{ONE}\n   :view: registers\n   :block: 0": ("option", "leave 'block' out"),
    f"{ONE}\n   :arch: gfx909": ("name", "; there are gfx908, gfx90a, gfx942, gfx950 ["),
    "gfx908.32x32\n   :operand: A": ("name", "name an instruction, such as gfx908."),
    f"{ONE}\n\n   * a list": ("option", "the content begins with a paragraph"),
}  # fmt: skip


@pytest.mark.parametrize("text", WRONG, ids=lambda text: text.replace("\n", " ") or "nothing")
def test_what_cannot_be_done_is_told_once_at_its_line(project, text: str) -> None:
    subtype, message = WRONG[text]
    page = project.page(f"Text.\n\n.. layout-figure:: {text}\n\nMore text.\n")
    (line,) = project.warnings.splitlines()
    assert re.match(rf"\S+index\.rst:6: WARNING: layout-figure: .+ \[layoutgen\.{subtype}\]$", line)
    assert message in line
    assert "Traceback" not in page
    assert "More text." in page


def test_an_option_that_takes_nothing_says_so(project) -> None:
    text = f".. layout-comparison:: {ONE} {SMALL}\n   :differences: all\n"
    project.page(text)
    (line,) = project.warnings.splitlines()
    assert "option 'differences' takes nothing, not 'all' [layoutgen.option]" in line


def test_warnings_can_be_silenced_by_kind(project) -> None:
    text = ".. layout-figure:: gfx908.nothing\n"
    project.page(text, suppress_warnings=["layoutgen.name"])
    assert project.warnings == ""


def test_a_strict_project_fails(project) -> None:
    project.page(".. layout-figure:: gfx908.nothing\n", layoutgen_strict=True)
    assert "1 directive could not do what was asked, in index" in project.warnings
    assert project.app.statuscode == 1


def test_the_option_table_names_every_option_once() -> None:
    from layoutgen.sphinx.directives import DIRECTIVES, OBJECTS

    for directive in [*DIRECTIVES.values(), *OBJECTS.values()]:
        assert list(directive.option_spec) == list(directive.options_declared)
        for option in directive.options_declared.values():
            assert option.about.endswith("."), option
