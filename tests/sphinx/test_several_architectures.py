"""One project over several architectures: what a name means, and that nothing is there twice."""

from __future__ import annotations

import re

import pytest

ARCHS = ("gfx908", "gfx90a", "gfx942", "gfx950")
NAME = "mfma_f32_32x32x1f32"
BUILTIN = f"__builtin_amdgcn_{NAME}"
AMBIGUOUS = f"""
.. layout-rows:: v_{NAME}

.. layout-rows:: v_mfma_f64_16x16x4f64
   :arch: cdna2

.. layout-rows:: v_mfma_f32_16x16x128_f8f6f4
"""


def entries(*archs: str) -> str:
    return "".join(f"\n.. lg:builtin:: {arch}.v_{NAME}\n" for arch in archs)


def titled(text: str) -> str:
    return f"Title\n=====\n\n{text}\n"


def targets(page: str, base: str = "") -> list[str]:
    """The architectures that references of a page lead to, in order."""
    return re.findall(rf'href="{base}[^"#]*#(?:lg-(\w+)\.|c\.)', page)


@pytest.fixture
def four(project):
    """A page for each architecture, and one that describes nothing."""
    role = f":lg:inst:`v_{NAME}` :lg:builtin:`{BUILTIN}` :any:`{NAME}`\n"
    files = {f"{arch}.rst": titled(role + entries(arch)) for arch in ARCHS}
    toctree = ".. toctree::\n   :glob:\n\n   *\n"
    project.write({"index.rst": titled(f"{role}\n{toctree}"), **files})
    return project


def test_a_name_means_the_instruction_of_the_page_itself(four) -> None:
    out = four.build()
    assert four.warnings == ""
    for arch in ARCHS:
        assert targets((out / f"{arch}.html").read_text("utf-8"))[:3] == [arch] * 3


def test_elsewhere_it_means_the_first_architecture_or_the_default_one(four) -> None:
    page = (four.build() / "index.html").read_text("utf-8")
    assert targets(page)[:3] == ["gfx908"] * 3
    page = (four.build(layoutgen_default_arch="mi300") / "index.html").read_text("utf-8")
    assert targets(page)[:3] == ["gfx942"] * 3
    assert four.warnings == ""


def test_a_page_about_one_architecture_means_that_one(four) -> None:
    other = ".. lg:builtin:: gfx90a.v_mfma_f64_16x16x4f64\n"
    four.write({"more.rst": titled(f":lg:inst:`v_{NAME}` :c:func:`{BUILTIN}`\n\n{other}")})
    page = (four.build() / "more.html").read_text("utf-8")
    assert four.warnings == ""
    assert 'href="gfx90a.html#lg-gfx90a.' in page
    assert f'href="gfx90a.html#c.{BUILTIN}"' in page


def test_every_architecture_has_its_index_and_no_name_is_there_twice(four) -> None:
    from test_references import inventory

    out = four.build(jobs=2)
    assert four.warnings == ""
    for arch in ARCHS:
        assert f'href="{arch}.html#lg-{arch}.' in (out / f"lg-{arch}.html").read_text("utf-8")
    found = inventory(four)
    assert list(found["c:function"]) == [BUILTIN]
    assert found["c:function"][BUILTIN].endswith(f"gfx908.html#c.{BUILTIN}")
    for arch in ARCHS:
        assert found["lg:builtin"][f"{arch}.{BUILTIN}"].partition("#")[0].endswith(f"{arch}.html")
    assert found["lg:builtin"][BUILTIN] == found["lg:builtin"][f"gfx908.{BUILTIN}"]


def test_a_directive_needs_an_architecture_where_several_have_the_instruction(project) -> None:
    project.page(AMBIGUOUS)
    (line,) = project.warnings.splitlines()
    assert "[layoutgen.ambiguous]" in line
    for arch in ARCHS:
        assert f"{arch}.v_{NAME}" in line
    project.page(AMBIGUOUS, layoutgen_default_arch="gfx90a")
    assert project.warnings == ""


def test_throughput_of_several_architectures(project) -> None:
    page = project.page(".. layout-throughput:: gfx908 mi300\n")
    assert project.warnings == ""
    captions = re.findall(r'caption-text">Throughput of (\w+)', page)
    assert captions == ["gfx908", "gfx942"]
    project.page(".. layout-throughput:: gfx908 gfx942\n   :title: Both\n")
    assert "option 'title' is for one architecture" in project.warnings


def test_parameters_of_several_architectures(foreign) -> None:
    pytest.importorskip("myst_parser")
    project = foreign()
    text = "# Modifiers\n\n```{layout-parameters} demo gfx908\n```\n"
    (project.source / "modifiers.md").write_text(text, "utf-8")
    project.build()
    assert project.warnings == ""
    page = (project.root / "html/modifiers.html").read_text("utf-8")
    for blocks in (2, 4, 8, 16):
        assert f"with {blocks} blocks: which block of" in page
