"""References: roles, indices, the search page, and what other projects find."""

from __future__ import annotations

import json
import re

import pytest
from sphinx.util.inventory import InventoryFile

ONE = "gfx908.v_mfma_f32_32x32x1f32"
BUILTIN = "__builtin_amdgcn_mfma_f32_32x32x1f32"
DESCRIBED = f"\n\n.. lg:builtin:: {ONE}\n\n   Words.\n"
TARGET = 'href="#lg-gfx908.v_mfma_f32_32x32x1f32"'


NAMES = (
    ONE,
    "v_mfma_f32_32x32x1f32",
    "mfma_f32_32x32x1f32",
    "v_mfma_f32_32x32x1_2b_f32",
    "llvm.amdgcn.mfma.f32.32x32x1f32",
    BUILTIN,
    f"gfx908.{BUILTIN}",
    "cdna1.v_mfma_f32_32x32x1f32",
    f"words <{ONE}>",
)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("role", ["lg:inst", "lg:builtin"])
def test_any_name_of_an_instruction_leads_to_it(project, role: str, name: str) -> None:
    page = project.page(f":{role}:`{name}`{DESCRIBED}")
    assert project.warnings == ""
    assert f'<a class="reference internal" {TARGET}' in page


def test_a_tilde_leaves_the_architecture_out(project) -> None:
    page = project.page(f":lg:inst:`~{ONE}`{DESCRIBED}")
    assert ">v_mfma_f32_32x32x1f32</span></code></a>" in page


def test_the_roles_any_and_func_find_builtins_too(project) -> None:
    page = project.page(f":any:`{ONE}` :c:func:`{BUILTIN}`{DESCRIBED}")
    assert project.warnings == ""
    assert f'href="#c.{BUILTIN}"' in page


def test_what_no_page_describes_is_told_with_the_nearest(project) -> None:
    project.page(f":lg:inst:`gfx908.v_mfma_f32_32x32x2f32`{DESCRIBED}")
    assert re.search(
        rf"index\.rst:4: WARNING: no page describes 'gfx908\.v_mfma_f32_32x32x2f32'; "
        rf"nearest: {re.escape(ONE)}.* \[layoutgen\.reference\]",
        project.warnings,
    )


def test_a_second_description_is_told(project) -> None:
    project.page(DESCRIBED + DESCRIBED)
    assert "[layoutgen.duplicate]" in project.warnings
    project.page(f"{DESCRIBED}\n.. lg:instruction:: {ONE}\n   :no-index:\n")
    assert project.warnings == ""


def three(project, **texts: str) -> None:
    """Build an index and pages in two processes, of which the last refers to the instruction."""
    toctree = "".join(f"   {name}\n" for name in texts)
    pages = {f"{name}.rst": f"{name}\n====\n\n{text}\n" for name, text in texts.items()}
    project.write({"index.rst": f"Index\n=====\n\n.. toctree::\n\n{toctree}", **pages})
    project.build(jobs=2)


def test_a_second_description_in_another_document_is_told_at_its_line(project) -> None:
    filler = {f"p{n}": "Text." for n in range(8)}
    three(project, a=DESCRIBED, **filler, z=DESCRIBED)
    (line,) = project.warnings.splitlines()
    assert re.search(r"z\.rst:6: WARNING: \S+ is described already in a: .*duplicate\]$", line)


def test_what_another_document_still_describes_is_found(project) -> None:
    refers = f":lg:inst:`{ONE}`"
    three(project, a=DESCRIBED, b=DESCRIBED, c=refers)
    assert project.warnings.count("[layoutgen.duplicate]") == 1
    assert f'href="a.html#lg-{ONE}"' in (project.root / "html/c.html").read_text("utf-8")
    three(project, a="Text.", b=DESCRIBED, c=f"{refers} again")
    assert project.warnings == ""
    assert f'href="b.html#lg-{ONE}"' in (project.root / "html/c.html").read_text("utf-8")


def test_an_architecture_has_an_index_and_a_label_for_it(project) -> None:
    page = project.page(f":ref:`lg-gfx908`{DESCRIBED}")
    assert project.warnings == ""
    assert 'href="lg-gfx908.html"' in page
    index = (project.root / "html/lg-gfx908.html").read_text("utf-8")
    assert "Matrix instructions of gfx908" in index
    assert f'href="index.html#lg-{ONE}"' in index
    assert BUILTIN in index


def test_the_search_page_finds_builtins_and_instructions(project) -> None:
    project.page(DESCRIBED)
    text = (project.root / "html/searchindex.js").read_text("utf-8")
    found = json.loads(text.removeprefix("Search.setIndex(").removesuffix(")"))
    names = {entry[-1] for entries in found["objects"].values() for entry in entries}
    assert {BUILTIN, "v_mfma_f32_32x32x1f32"} <= names
    assert "Builtin" not in found["objtypes"].values()


def inventory(project) -> dict[str, dict[str, str]]:
    with (project.root / "html/objects.inv").open("rb") as file:
        found = InventoryFile.load(file, "https://example.org", lambda base, uri: f"{base}/{uri}")
    data = getattr(found, "data", found)
    return {
        kind: {
            name: item[2] if isinstance(item, tuple) else item.uri for name, item in names.items()
        }
        for kind, names in data.items()
    }


def test_other_projects_find_every_name(project) -> None:
    project.page(DESCRIBED)
    found = inventory(project)
    here = f"https://example.org/index.html#lg-{ONE}"
    assert found["lg:instruction"][ONE] == here
    assert found["lg:instruction"]["v_mfma_f32_32x32x1_2b_f32"] == here
    assert found["lg:builtin"][BUILTIN] == here
    assert found["c:function"][BUILTIN] == f"https://example.org/index.html#c.{BUILTIN}"


@pytest.mark.parametrize("loaded", [True, False])
def test_a_project_with_or_without_the_extension_refers_by_intersphinx(
    project, tmp_path_factory, loaded: bool
) -> None:
    from extension_projects import CONF, Project

    project.page(DESCRIBED)
    extensions = '"sphinx.ext.intersphinx"' + (', "layoutgen.sphinx"' if loaded else "")
    target = (project.root / "html/objects.inv").as_posix()
    other = Project(tmp_path_factory.mktemp("other"))
    other.conf = CONF.replace('"layoutgen.sphinx"', extensions) + (
        f'intersphinx_mapping = {{"lg": ("https://example.org", "{target}")}}\n'
    )
    text = f":c:func:`{BUILTIN}`" + (f" :lg:inst:`{ONE}` :lg:builtin:`{BUILTIN}`" if loaded else "")
    page = other.page(text)
    assert other.warnings == ""
    assert page.count('href="https://example.org/index.html#') == (3 if loaded else 1)


@pytest.mark.parametrize("role", ["lg:inst", "lg:builtin"])
def test_other_projects_refer_by_every_name_too(project, tmp_path_factory, role: str) -> None:
    from extension_projects import CONF, Project

    project.page(DESCRIBED)
    target = (project.root / "html/objects.inv").as_posix()
    other = Project(tmp_path_factory.mktemp("other"))
    other.conf = CONF.replace('["layoutgen', '["sphinx.ext.intersphinx", "layoutgen') + (
        f'intersphinx_mapping = {{"lg": ("https://example.org", "{target}")}}\n'
    )
    names = [name for name in NAMES if "<" not in name]
    names += ["MI100.V_MFMA_F32_32X32X1F32", ONE.replace("v_", ""), f"CDNA1.{BUILTIN.upper()}"]
    page = other.page("\n\n".join(f":{role}:`{name}`" for name in names))
    assert other.warnings == ""
    assert page.count(f'href="https://example.org/index.html#lg-{ONE}"') == len(names)
    other.page(f":{role}:`mi200.mfma_f32_4x4x4f16`")
    kind = "__builtin_amdgcn_mfma" if role == "lg:builtin" else "v_mfma"
    meant = f"'mi200.mfma_f32_4x4x4f16', that is gfx90a.{kind}_f32_4x4x4f16"
    assert f"no page describes {meant}" in other.warnings


def test_a_declaration_of_the_page_goes_before(project) -> None:
    declared = f".. c:function:: int {BUILTIN}(int a)\n\n.. lg:instruction:: {ONE}\n"
    page = project.page(f":c:func:`{BUILTIN}`\n\n{declared}")
    assert project.warnings == ""
    ids = re.findall(r'\bid="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    assert list(inventory(project)["c:function"]) == [BUILTIN]
