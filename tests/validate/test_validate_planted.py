"""Faults planted by hand, in files, templates, the figure writer and specifications, are found.

Each test tells where the message must lead: to the file, the place, the element.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

import layoutgen
from layoutgen.export import dataset
from layoutgen.figures import cells
from layoutgen.figures.gallery import gallery
from layoutgen.pages import TREES, pages
from layoutgen.pages.outputs import draw
from layoutgen.spec import Catalogue
from layoutgen.spec.catalogue import builtin_dir
from layoutgen.validate.run import validate
from layoutgen.validate.work import Job, check_figure, check_page

from .conftest import Spoil, findings_in, leads_to

F32 = "v_mfma_f32_4x4x1f32"
F16 = "v_mfma_f32_16x16x4f16"
PAGE = "docs/reference/gfx908/f32-16x16x4f16.rst"
FRAGMENTS = "amd/compiler-builtins/cdna/mfma-ref"
FRAGMENT = f"{FRAGMENTS}/f32-16x16x4f16.rst"


class _Any(dict[str, str]):
    """An alternative text for every figure."""

    def __missing__(self, stem: str) -> str:
        return stem


def _line(root: Path, file: str, text: str) -> int:
    lines = (root / file).read_text(encoding="utf-8").splitlines()
    return next(n for n, line in enumerate(lines, 1) if text in line)


# --- pages ------------------------------------------------------------------------------------


def test_a_digit_in_a_formula(spoil: Spoil) -> None:
    root = spoil(PAGE, r"\text{lane} &= 16\,b + i", r"\text{lane} &= 16\,b + 2\,i")
    line = _line(root, PAGE, r"16\,b + 2\,i") - 2  # where the formula begins
    leads_to(findings_in(root, F16), f"{PAGE}:{line}", "A[b=", "lane is 64", "0 to 63")


def test_the_lanes_of_a_merged_table_exchanged(spoil: Spoil) -> None:
    page = "docs/reference/gfx908/f32-16x16x4f32.rst"
    rows = ("* - 4–7\n     - 16–31", "* - 4–7\n     - 32–47")
    root = spoil(page, *rows)
    root = spoil(page, "* - 8–11\n     - 32–47", "* - 8–11\n     - 16–31")
    findings = findings_in(root, "v_mfma_f32_16x16x4f32")
    line = _line(root, page, "* - 4–7")
    leads_to(
        findings, f"{page}:{line}", "D[b=0, i=4, j=", "lane 32", "accumulates there D[b=0, i=8"
    )
    assert {f.leg for f in findings} >= {"L1", "L2", "L3"}


def test_a_wrong_register_count(spoil: Spoil) -> None:
    root = spoil(PAGE, "``v16float``\n     - 16\n", "``v16float``\n     - 32\n")
    leads_to(findings_in(root, F16), PAGE, "C.registers: says 32", "clang 22.1.8 has 16")


def test_a_wrong_number_of_cycles_and_of_targets(spoil: Spoil) -> None:
    root = spoil(PAGE, re.compile(r"32 \(\w+ passes\)"), "64 (16 passes)")
    root = spoil(
        PAGE, "``gfx908``, ``gfx90a``, ``gfx942`` and ``gfx950``", "``gfx908`` and ``gfx90a``"
    )
    findings = findings_in(root, F16)
    leads_to(findings, PAGE, "cycles: says 64", "LLVM's scheduling model has 32")
    leads_to(findings, PAGE, "targets: says gfx908, gfx90a;")


def test_the_page_shows_the_figure_of_another_operand(spoil: Spoil) -> None:
    root = spoil(FRAGMENT, "mfma-a-16x16x4-4x16bit.svg", "mfma-b-16x16x4-4x16bit.svg")
    leads_to(findings_in(root, F16), FRAGMENT, "mfma-b-16x16x4-4x16bit.svg", "shows B under")


def test_the_page_shows_the_figure_of_another_instruction(spoil: Spoil) -> None:
    spoil(f"{FRAGMENTS}/f32-16x16x16f16.rst", "", "")
    root = spoil(FRAGMENT, "mfma-a-16x16x4-4x16bit.svg", "mfma-a-16x16x16-4x16bit.svg")
    figure = "figures/mfma-a-16x16x16-4x16bit.svg"
    (root / figure).parent.mkdir()
    (root / figure).write_bytes(next(root.rglob("mfma-a-16x16x16-4x16bit.svg")).read_bytes())
    leads_to(findings_in(root, F16), figure, "k is 4", "k is 0 to 3")


@pytest.mark.parametrize(
    ("text", "by", "words"),
    [
        (":operand: A", ":operand: B", ("asks for B under 'Layout of A'", "is about A")),
        (f"layout-figure:: gfx908.{F16}", "layout-figure:: gfx908.v_mfma_f32_4x4x4f16",
         ("asks for gfx908.v_mfma_f32_4x4x4f16", f"the page is about gfx908.{F16}")),
        (":operand: A\n", ":operand: A\n   :cbsz: 1\n", ("asks for cbsz:1", "no modifier")),
        ("lane = 16·b + i;", "lane = 16·b + k;", ("lane = 16·b + k", "gives")),
        ("A of a 16×16×4 product", "A of a 16×16×8 product", ("says 16×16×8", "16×16×4")),
        ("product, 16-bit elements", "product, 8-bit elements", ("says 8", "it is 16")),
        ("Rows are i, columns are k", "Rows are k, columns are i", ("rows k, columns i",)),
    ],
)  # fmt: skip
def test_the_page_asks_the_build_for_another_figure(
    spoil: Spoil, text: str, by: str, words: tuple[str, ...]
) -> None:
    root = spoil(PAGE, text, by)
    line = _line(root, PAGE, "layout-figure::")
    leads_to(findings_in(root, F16), f"{PAGE}:{line}", *words)


def test_two_blgp_codes_exchanged(spoil: Spoil) -> None:
    page = "docs/reference/mfma-common-parameters.rst"
    row = "* - {}\n     - 32–47\n     - 32–47\n     - 32–47\n     - 32–47"
    root = spoil(page, row.format(6), row.format(7))
    spoil("docs/reference/gfx908/f32-4x4x1f32.rst", "", "")
    leads_to(findings_in(root, F32), page, "blgp", "says 0, 1, 2, 3, 4, 5, 7")


def test_a_block_of_the_cbsz_table(spoil: Spoil) -> None:
    page = "docs/reference/mfma-common-parameters.rst"
    root = spoil(page, "- 1, 1, 3, 3\n", "- 1, 1, 2, 3\n")
    spoil(PAGE, "", "")
    leads_to(findings_in(root, F16), f"{page}:", "cbsz:1 abid:1", "A[b=2,", "the emulator reads it")


def test_a_peak_rate_and_a_sum(spoil: Spoil) -> None:
    page = "docs/reference/gfx908/index.rst"
    root = spoil(page, "- 92.3 TFLOPS", "- 93.3 TFLOPS")
    root = spoil(page, "16384 / 64 × 4 = 1024", "16384 / 64 × 4 = 1042")
    findings = tuple(check_page(Job("gfx908", (), root, ()), root / page).tally.findings)
    leads_to(findings, page, "says 93.3 TFLOPS", "the row gives 92.3")
    leads_to(findings, page, "16384 / 64 × 4", "says 1042", "it is 1024")
    assert len(findings) == 3  # the peak also differs from the data sheet


def test_a_wait_state_and_an_example_for_the_assembler(spoil: Spoil) -> None:
    root = spoil(PAGE, "MFMA takes it as A or B\n     - 4", "MFMA takes it as A or B\n     - 3")
    spoil(PAGE, f"``{F16} a[0:15], v[0:1]", f"``{F16} a[0:15], v[0:3]")
    findings = findings_in(root, F16)
    leads_to(findings, PAGE, "MFMA takes it as A or B, 8 passes", "LLVM: 4")
    leads_to(findings, PAGE, "in the assembler", "A is v[0:3]", "2 from 0 would follow")


def test_an_element_told_as_an_example(spoil: Spoil) -> None:
    root = spoil(PAGE, "lies in lane 58,", "lies in lane 57,")
    line = _line(root, PAGE, "lies in lane 57,")
    leads_to(findings_in(root, F16), f"{PAGE}:{line}", "example of", "lane 57", "58")


def test_the_second_register_of_an_example(spoil: Spoil) -> None:
    page = "docs/reference/gfx90a/f64-16x16x4f64.rst"
    root = spoil(page, "VGPR 4 and VGPR 5.", "VGPR 4 and VGPR 6.")
    findings = findings_in(root, "v_mfma_f64_16x16x4f64", arch="gfx90a")
    leads_to(findings, page, "example of D", "VGPR 4 and VGPR 6")


def test_a_page_that_is_not_there(spoil: Spoil) -> None:
    root = spoil("docs/reference/gfx908/f32-4x4x1f32.rst", "", "")
    leads_to(findings_in(root, F16), "", "f32-16x16x4f16: no page", "others have one")


# --- figures ----------------------------------------------------------------------------------

FIGURE = "figures/mfma-a-16x16x4-4x16bit.svg"


@pytest.mark.parametrize(
    ("text", "by", "words"),
    [
        ('data-lane="17"', 'data-lane="18"', ("title, lane", "says 17", "data-lane is 18")),
        ("<title>lane 17,", "<title>lane 18,", ("title, lane", "says 18", "data-lane is 17")),
        (">v1[15:0]</text>", ">v0[15:0]</text>", ("label", "shows v0[15:0]", "v1[15:0]")),
        ('class="g1"', 'class="g2"', ("colour", "that of g2", "lane 16 is of group 1")),
        (">16–31</text>", ">32–47</text>", ("says", "32–47")),
        ("lane = 16·b + i<", "lane = 16·b + 2·i<", ("lane = 16·b + 2·i", "gives")),
        (">A of a 16×16×4 product", ">A of a 16×16×8 product", ("is headed", "its title is")),
        ("bit = 16·(k mod 2).", "bit = 16·(k mod 4).", ("bit = 16·(k mod 4)", "gives")),
    ],
)
def test_a_figure_contradicts_itself(
    spoil: Spoil, text: str, by: str, words: tuple[str, ...]
) -> None:
    root = spoil(FIGURE, text, by)
    job = Job("gfx908", (), root, ())
    leads_to(tuple(check_figure(job, root / FIGURE).tally.findings), FIGURE, *words)


# --- JSON -------------------------------------------------------------------------------------


def test_a_row_of_the_json(spoil: Spoil) -> None:
    file = "tables/gfx908/f32-4x4x1f32.json"
    root = spoil(file, "[2, 1, 3, 11, 1, 0, 32]", "[2, 1, 3, 10, 1, 0, 32]")
    leads_to(findings_in(root, F32), f"{file}, table ", "[b=2, i=1, j=3]", "lane 10")


def test_a_fact_of_the_json(spoil: Spoil) -> None:
    file = "tables/gfx908/f32-4x4x1f32.json"
    root = spoil(file, '"blocks": 16', '"blocks": 8')
    leads_to(
        findings_in(root, F32), f"{file}, facts, blocks", "says 8", "the emulator's map has 16"
    )


def test_a_file_that_is_no_json(spoil: Spoil) -> None:
    file = "tables/gfx908/f32-4x4x1f32.json"
    root = spoil(file, "{", "<")
    leads_to(findings_in(root, F32), file, "cannot be read")


# --- generators -------------------------------------------------------------------------------


def test_a_template_that_prints_columns_for_rows(tmp_path: Path) -> None:
    templates = tmp_path / "templates"
    templates.mkdir()
    name = "builtin-body.rst.j2"
    text = (Path(layoutgen.__file__).parent / "pages/templates" / name).read_text("utf-8")
    assert "every row *i* below {{ inst.m }}" in text
    (templates / name).write_text(
        text.replace("every row *i* below {{ inst.m }}", "every row *i* below {{ inst.k }}", 1)
    )
    root = tmp_path / "out"
    arch = layoutgen.arch("gfx908")
    page = root / PAGE
    page.parent.mkdir(parents=True)
    page.write_text(pages([arch], _Any(), TREES["site"], templates=templates)[PAGE], "utf-8")
    leads_to(findings_in(root, F16), PAGE, "m: says 4", "the emulator's map has 16")


def test_a_figure_writer_that_is_off_by_one_lane(
    spoil: Spoil, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = spoil(FRAGMENT, "", "")
    right = cells.title

    def wrong(runs, row):
        return right(runs, [*row[:-4], row[-4] ^ 1, *row[-3:]])

    monkeypatch.setattr(cells, "title", wrong)
    drawn = gallery(layoutgen.arch("gfx908"))["mfma-layout-16x16"]
    figure = next(root.rglob("mfma-layout-16x16.svg"))
    figure.write_bytes(draw(drawn.build))
    where = f"{figure.relative_to(root)}, cell 'lane 1,"
    leads_to(findings_in(root, F16), where, "D[b=0, i=0, j=0]", "at lane 1", "D[b=0, i=0, j=1]")


def _spoiled_specs(
    tmp_path: Path, file: str, edit: Callable[[dict], None]
) -> layoutgen.model.Architecture:
    specs = tmp_path / "specs"
    specs.mkdir()
    for path in builtin_dir().glob("*.yaml"):
        document = yaml.safe_load(path.read_text(encoding="utf-8"))
        if path.name == file:
            edit(document)
        (specs / path.name).write_text(yaml.safe_dump(document, sort_keys=False), encoding="utf-8")
    return Catalogue(builtin=specs).arch("gfx908")


def test_a_specification_with_two_digits_exchanged(tmp_path: Path) -> None:
    def edit(document: dict) -> None:
        document["layouts"]["D"]["item"].reverse()

    arch = _spoiled_specs(tmp_path, "tile-16x16.yaml", edit)
    root = tmp_path / "out"
    for path, content in dataset.files([arch]).items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(content)
    findings = validate([layoutgen.arch("gfx908")], only=[F16], artefacts=root).findings
    leads_to(
        findings, "tables/gfx908/f32-16x16x4f16.json", "D[b=", "the emulator accumulates there"
    )
    assert {f.leg for f in findings} == {"L1", "L2", "L3"}


def test_a_specification_with_wrong_cycles(tmp_path: Path) -> None:
    def edit(document: dict) -> None:
        document["instructions"][F32.removeprefix("v_")]["cycles"] = 16

    arch = _spoiled_specs(tmp_path, "gfx908.yaml", edit)
    file = tmp_path / "tables/gfx908/f32-4x4x1f32.json"
    file.parent.mkdir(parents=True)
    file.write_text(dataset.dumps(arch, arch[F32]), encoding="utf-8")
    assert json.loads(file.read_text("utf-8"))["facts"]["cycles"] == 16
    leads_to(
        findings_in(tmp_path, F32), "tables/", "cycles: says 16", "LLVM's scheduling model has 8"
    )


# --- what only a closer look sees -------------------------------------------------------------


def test_a_formula_for_registers_and_a_sentence_about_a_tile(spoil: Spoil) -> None:
    page = "docs/reference/gfx908/index.rst"
    root = spoil(page, r"\times \frac{M \, N}{64}", r"\times \frac{M \, N}{32}")
    spoil(page, "four builtins of 16 blocks (four", "four builtins of 16 blocks (eight")
    spoil("docs/reference/gfx908/f32-4x4x1f32.rst", "", "")
    findings = findings_in(root, F32)
    leads_to(findings, page, "D.registers: says 8", "clang 22.1.8 has 4")
    assert len([f for f in findings if f.subject == "D.registers"]) == 2


def test_a_declared_type_of_another_size(spoil: Spoil) -> None:
    page = "docs/reference/register-types.rst"
    root = spoil(page, "using v4half = _Float16 [[clang::ext_vector_type(4)]]",
                 "using v4half = _Float16 [[clang::ext_vector_type(8)]]")  # fmt: skip
    findings = tuple(check_page(Job("gfx908", (), root, ()), root / page).tally.findings)
    leads_to(findings, page, "v4half: is declared as 8", "its name says 4 of _Float16")
    leads_to(findings, page, "says two VGPRs", "the type takes 4")


def test_an_outline_round_the_wrong_cells(spoil: Spoil) -> None:
    outline = re.compile(r'(?<=class="outline" d=")M[^z]*z')
    root = spoil(FIGURE, outline, "M0 0L2000 0L2000 2000L0 2000z")
    job = Job("gfx908", (), root, ())
    findings = tuple(check_figure(job, root / FIGURE).tally.findings)
    leads_to(
        findings, FIGURE, "outline at 0, 0", "goes round 256 cells", "one register of one lane"
    )


def test_the_table_of_another_operand(spoil: Spoil) -> None:
    root = spoil(PAGE, "operand-a", "operand-b")
    leads_to(findings_in(root, F16), PAGE, "is about B", "under 'Layout of A'")
