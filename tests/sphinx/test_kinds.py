"""Dense, sparse and scaled instructions, with a builtin and without: every directive takes them."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

import pytest
from test_directives import rows, words

import layoutgen

SPARSE = "gfx950.v_smfmac_f32_16x16x64_f16"
SCALED = "gfx950.v_mfma_scale_f32_16x16x128_f8f6f4"
BARE = "gfx950.v_mfma_f32_16x16x128_f8f6f4"
PAIRS = "gfx942.v_mfma_f64_4x4x4_4b_f64"
OPERANDS = [
    (SPARSE, "A", {}),
    (SPARSE, "index", {"abid": 1}),
    (SCALED, "A", {"cbsz": 2}),
    (SCALED, "scale_a", {"op_sel_a": 3}),
    (SCALED, "scale_b", {"op_sel": (1, 2)}),
    (BARE, "B", {"blgp": 4}),
    (PAIRS, "B", {"neg": 2}),
    (PAIRS, "D", {}),
]


def options(operand: str, fields: dict[str, object]) -> str:
    texts = {name: str(value).strip("()") for name, value in fields.items()}
    given = "".join(f"   :{name}: {text}\n" for name, text in texts.items())
    return f"   :operand: {operand}\n{given}"


def operand_of(name: str, operand: str, fields: dict[str, object]):
    arch, _, mnemonic = name.partition(".")
    return layoutgen.arch(arch)[mnemonic].operand(operand, **fields)


@pytest.mark.parametrize(("name", "operand", "fields"), OPERANDS)
def test_the_full_table_is_the_layout(project, name: str, operand: str, fields) -> None:
    text = f".. layout-table:: {name}\n{options(operand, fields)}"
    (table,) = ET.fromstring(project.page(text, builder="xml")).iter("table")
    assert project.warnings == ""
    wanted = operand_of(name, operand, fields)
    head, *body = rows(table)
    assert head == list(wanted.columns)
    assert [[int(cell) for cell in row] for row in body] == wanted.table().tolist()


@pytest.mark.parametrize(("name", "operand", "fields"), OPERANDS)
def test_figure_ranges_and_formulas_take_every_operand(project, name, operand, fields) -> None:
    shown = options(operand, fields)
    kinds = ("figure", "rows", "formulas")
    page = project.page("\n".join(f".. layout-{kind}:: {name}\n{shown}" for kind in kinds))
    assert project.warnings == ""
    assert page.count("<svg") == 1
    assert "<table" in page
    assert f'data-operand="{operand}"' in page


def test_an_instruction_without_a_builtin_is_described_by_its_mnemonic(project) -> None:
    page = project.page(f".. lg:instruction:: {BARE}\n\n   Words.\n\n:lg:inst:`{BARE}`\n")
    assert project.warnings == ""
    assert f'href="#lg-{BARE}"' in page
    assert 'id="c."' not in page
    assert "__builtin" not in page
    from test_references import inventory

    found = inventory(project)
    assert BARE in found["lg:instruction"]
    assert "lg:builtin" not in found
    assert "c:function" not in found


def test_only_an_instruction_with_a_builtin_is_described_as_one(project) -> None:
    project.page(f".. lg:builtin:: {BARE}\n")
    assert "has no builtin: describe it by lg:instruction [layoutgen.name]" in project.warnings


def test_comparison_leaves_out_what_an_instruction_has_not(project) -> None:
    dense = "gfx950.v_mfma_f32_16x16x32_f16"
    text = f".. layout-comparison:: {dense} {SPARSE}\n   :operand: index\n"
    (table,) = ET.fromstring(project.page(text, builder="xml")).iter("table")
    assert project.warnings == ""
    found = {
        words(row.find("entry")): rows(table)[n][1:] for n, row in enumerate(table.iter("row"))
    }
    assert found["index: registers"] == ["–", "1", "no"]


def test_comparison_over_architectures_names_them(project) -> None:
    name = "mfma_f32_32x32x8f16"
    archs = ("gfx908", "gfx90a", "gfx942", "gfx950")
    text = f".. layout-comparison:: {' '.join(f'{arch}.{name}' for arch in archs)}\n"
    (table,) = ET.fromstring(project.page(text, builder="xml")).iter("table")
    assert project.warnings == ""
    head, *body = rows(table)
    assert [cell.partition(".")[0] for cell in head[1:-1]] == list(archs)
    cycles = next(row for row in body if row[0] == "Cycles")
    assert cycles[1:-1] == [str(layoutgen.arch(arch)[name].cycles) for arch in archs]


IDLE = {
    f"layout-figure:: {SPARSE}\n   :operand: B\n   :abid: 1": "nothing in B, only in index",
    f"layout-rows:: {SCALED}\n   :operand: A\n   :op_sel: 1": "nothing in A, only in scale_a and",
    f"layout-figure:: {SCALED}\n   :cbsz: 5": "the format of A: 0 fp8, 1 bf8",
    f"layout-figure:: {SPARSE}\n   :view: blgp\n   :blgp: 1": "has no lane patterns",
    f"layout-figure:: {BARE}\n   :view: cbsz\n   :cbsz: 1": "has no blocks that could share A",
    f"layout-rows:: {PAIRS}\n   :operand: A\n   :cbsz: 1": "the instruction makes no use of it",
}  # fmt: skip


@pytest.mark.parametrize("text", IDLE, ids=lambda text: text.replace("\n", " "))
def test_fields_that_cannot_be_set_or_do_nothing_are_told(project, text: str) -> None:
    project.page(f".. {text}\n")
    (line,) = project.warnings.splitlines()
    assert IDLE[text] in line
    assert "[layoutgen.modifier]" in line


def test_of_several_operands_each_is_drawn_under_what_acts_on_it(project) -> None:
    page = project.page(f".. layout-figure:: {SPARSE}\n   :operand: A index\n   :abid: 1\n")
    assert project.warnings == ""
    titles = re.findall(r"<title[^>]*>([^<]*)</title><desc", page)
    mnemonic = SPARSE.partition(".")[2]
    assert titles == [f"A of {mnemonic}", f"index of {mnemonic} abid:1"]


def test_figures_with_the_same_title_and_layout_share_a_file(project) -> None:
    names = ("gfx90a.v_mfma_f32_32x32x8f16", "gfx950.v_mfma_f32_32x32x8_f16")
    other = "gfx950.v_mfma_f32_32x32x16_f16"
    link = "   :operand: A\n   :title: A of a product\n   :loading: link\n"
    page = project.page("\n".join(f".. layout-figure:: {n}\n{link}" for n in (*names, other)))
    assert project.warnings == ""
    files = re.findall(r'src="_images/(layoutgen-\w+\.svg)"', page)
    assert len(files) == 3
    assert files[0] == files[1] != files[2]
    assert {p.name for p in (project.root / "html/_images").iterdir()} == set(files)
    assert "A of a product" in (project.root / "html/_images" / files[0]).read_text("utf-8")


def test_loading_goes_before_the_setting(project) -> None:
    figure = ".. layout-figure:: gfx908.4x4\n   :loading: {}\n"
    linked = project.page(figure.format("link"))
    assert "<svg" not in linked
    assert re.search(
        r'<div class="layoutgen-linked" role="region" tabindex="0" aria-label=', linked
    )
    page = project.page(figure.format("embed"), layoutgen_html_figures="image")
    assert "<svg" in page


def test_an_entry_can_stay_out_of_contents_and_index(project) -> None:
    text = f".. lg:builtin:: {SPARSE}\n   :no-contents-entry:\n   :no-index-entry:\n"
    page = project.page(f"{text}\n:lg:inst:`{SPARSE}`\n")
    assert project.warnings == ""
    assert page.count(f'href="#lg-{SPARSE}"') == 2, "the permanent link and the reference"
    assert "smfmac" not in (project.root / "html/genindex.html").read_text("utf-8")


ENTRIES = {
    SPARSE: ("Layout of the index", "Sparse"),
    SCALED: ("Layout of the scales of A", "6-bit formats"),
    BARE: ("4-bit formats", BARE.partition(".")[2]),
    PAIRS: ("Layout of C and D", "neg"),
}  # fmt: skip


@pytest.mark.parametrize("name", ENTRIES)
def test_every_kind_of_instruction_has_its_whole_entry(project, name: str) -> None:
    page = project.page(f".. layout-builtin:: {name}\n\n:lg:inst:`{name}`\n")
    assert project.warnings == ""
    for text in ENTRIES[name]:
        assert text in page
    assert f'href="#lg-{name}"' in page
    arch, _, mnemonic = name.partition(".")
    inst = layoutgen.arch(arch)[mnemonic]
    assert page.count("<svg") >= len(inst.operands) - 1, "C lies as D does"
    ids = re.findall(r'\bid="([^"]+)"', page)
    assert len(ids) == len(set(ids))
