"""Values of ``conf.py``: refused before anything is read, with what would be right."""

from __future__ import annotations

from dataclasses import fields

import pytest
from extension_projects import DOCS
from sphinx.errors import ConfigError

from layoutgen.sphinx.config import PREFIX, Settings
from layoutgen.sphinx.problems import DESCRIPTIONS, Subtype

FIGURE = ".. layout-figure:: gfx908.32x32\n"

WRONG = {
    "view = 'Matrix'": "layoutgen_view must be 'matrix', 'registers' or 'product', not 'Matrix'",
    "view = []": "layoutgen_view must be 'matrix', 'registers' or 'product', not []",
    "cell = 3": "layoutgen_cell must be 'auto', 'register', 'lane' or 'both', not 3",
    "html_figures = 'img'": "layoutgen_html_figures must be 'inline' or 'image', not 'img'",
    "spec_dirs = 'specs'": "layoutgen_spec_dirs must be a list of folders, not 'specs'",
    "spec_dirs = ['nowhere']": "layoutgen_spec_dirs names nowhere: no such folder",
    "strict = 1": "layoutgen_strict must be True or False, not 1",
    "default_arch = None": "layoutgen_default_arch must be a text, not None",
    "palette = {'bright': {}}": "it may have 'light' and 'dark'",
    "palette = {'light': {'inc': '#000000'}}": "has no colour 'inc'; nearest: ink",
    "palette = {'light': {'ink': 'black'}}": "'ink' must be written as '#rrggbb', not 'black'",
    "palette = {'light': {'fills': ['#ffffff']}}": "'fills' must be a list of 4 colours",
    "palette = {'dark': {'ink': '#555555'}}": "'ink' #555555 on #14181e has a contrast of 2.",
}


@pytest.mark.parametrize("line", WRONG)
def test_a_wrong_value_is_refused(project, line: str) -> None:
    project.conf += f"{PREFIX}{line}\n"
    with pytest.raises(ConfigError) as error:
        project.page(FIGURE)
    assert WRONG[line] in str(error.value)


def test_all_wrong_values_are_told_at_once(project) -> None:
    project.conf += "layoutgen_view = 1\nlayoutgen_strict = 2\n"
    with pytest.raises(ConfigError) as error:
        project.page(FIGURE)
    assert len(str(error.value).splitlines()) == 2


def test_a_value_that_is_none_of_ours_is_told_at_its_line(project) -> None:
    project.conf += "layoutgen_spec_dir = []\n"
    project.page(FIGURE)
    number = project.conf.splitlines().index("layoutgen_spec_dir = []") + 1
    assert f"conf.py:{number}: WARNING: layoutgen_spec_dir is no value" in project.warnings
    assert "nearest: layoutgen_spec_dirs" in project.warnings
    assert "[layoutgen.config]" in project.warnings


def test_an_architecture_that_is_not_there_is_told(project) -> None:
    project.page(FIGURE, layoutgen_default_arch="gfx90")
    assert "layoutgen_default_arch: no architecture 'gfx90'; nearest: gfx950" in project.warnings


def test_the_default_view_and_cell_are_those_of_the_project(project) -> None:
    one = ".. layout-figure:: v_mfma_f32_32x32x1f32\n"
    page = project.page(one, layoutgen_view="product", layoutgen_default_arch="gfx908")
    assert page.count('data-operand="B"')
    page = project.page(FIGURE, layoutgen_cell="lane")
    assert "A cell gives the lane of its element" in page


def test_colours_of_the_project_are_in_the_stylesheet_and_in_files(project) -> None:
    palette = {"light": {"focus": "#5b2a86"}, "dark": {"focus": "#d7b8f3"}}
    project.page(FIGURE, layoutgen_palette=palette)
    sheet = (project.root / "html/_static/layoutgen-figures.css").read_text("utf-8")
    assert "--lg-focus:#5b2a86" in sheet
    assert "--lg-focus:#d7b8f3" in sheet
    project.page(FIGURE, layoutgen_palette=palette, layoutgen_html_figures="image")
    (image,) = (project.root / "html/_images").glob("*.svg")
    assert b"stroke:#5b2a86" in image.read_bytes()


def test_faults_of_specifications_are_warnings_at_their_lines(foreign) -> None:
    pytest.importorskip("myst_parser")
    project = foreign()
    file = project.source / "specs/demo.yaml"
    text = file.read_text("utf-8").replace("wave: 64", "wave: many")
    file.write_text(text, "utf-8")
    line = text.splitlines().index("wave: many") + 1
    project.build(jobs=2)
    assert project.warnings.count("[layoutgen.spec]") == 1
    assert f"specs/demo.yaml:{line}: WARNING:" in project.warnings
    page = (project.root / "html/index.html").read_text("utf-8")
    assert "not all specifications hold, see the warnings above" in page
    assert "[layoutgen.name]" not in project.warnings
    page = (project.root / "html/builtin.html").read_text("utf-8")
    assert 'id="lg-gfx908.v_mfma_f32_4x4x1f32"' in page, "what is built in is still there"


def test_every_value_and_every_warning_is_documented() -> None:
    for declared in fields(Settings):
        assert declared.metadata["description"].endswith(".")
    assert set(DESCRIPTIONS) == set(Subtype.__args__)
    page = (DOCS / "settings.rst").read_text("utf-8")
    assert ".. layoutgen-settings::" in page
    assert ".. layoutgen-warnings::" in page
