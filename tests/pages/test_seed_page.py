"""AMD's own page, unchanged, over the tree that is written for it."""

from __future__ import annotations

import io
import os
import re
import shutil
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from sphinx.application import Sphinx
from sphinx.util.docutils import docutils_namespace, patch_docutils

from layoutgen.cli import main
from layoutgen.pages import examples

pytestmark = pytest.mark.xdist_group("seed")

SEED = Path(__file__).parents[1] / "data" / "seed" / "cdna-dense-mfma-builtins.rst"
PAGE = f"compiler-builtins/cdna/{SEED.stem}"
PROGRAM = "tools/example_codes/matrix_multiply_cdna_mfma.hip"

INDEX = f"""
Documentation
=============

.. toctree::

   {PAGE}
   tutorial
"""
TUTORIAL = """
.. _matrix-multiply-optimization:

Matrix multiplication
=====================
"""


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> ET.Element:
    """The page as Sphinx read it, without a warning; only the tutorial's label is a stub."""
    top = tmp_path_factory.mktemp("seed")
    source = top / "docs"
    assert main(["docs", "--tree", "amd", "-o", os.fspath(source), "--quiet"]) == 0
    shutil.copy(SEED, source / f"{PAGE}.rst")
    (source / "conf.py").write_text('project = "Foreign"\nsmartquotes = False\n', encoding="utf-8")
    (source / "index.rst").write_text(INDEX, encoding="utf-8")
    (source / "tutorial.rst").write_text(TUTORIAL, encoding="utf-8")
    warnings = io.StringIO()
    with patch_docutils(os.fspath(source)), docutils_namespace():
        app = Sphinx(
            source, source, top / "xml", top / "doctrees", "xml",
            {"nitpicky": True}, status=None, warning=warnings,
        )  # fmt: skip
        app.build()
    assert re.sub(r"\x1b\[[0-9;]*m", "", warnings.getvalue()) == ""
    return ET.parse(top / "xml" / f"{PAGE}.xml").getroot()


def section(page: ET.Element, title: str) -> ET.Element:
    return next(s for s in page.iter("section") if s.findtext("title") == title)


def test_the_page_of_amd_builds_without_a_warning(page: ET.Element) -> None:
    assert page.find("section") is not None


def test_the_example_is_quoted_between_its_four_pairs_of_markers(page: ET.Element) -> None:
    program = examples.text(examples.POLICY)
    markers = re.findall(r":start-after: (.+)\n   :end-before: (.+)", SEED.read_text("utf-8"))
    assert len(markers) == 4
    quoted = [
        block.text or ""
        for block in section(page, "Using MFMA builtins as a compute policy").iter("literal_block")
        if block.get("language") == "cuda"
    ]
    between = [program.split(start)[1].split(end)[0].split("\n", 1)[1] for start, end in markers]
    assert [text.rstrip("\n") for text in quoted] == [
        text[: text.rindex("\n")].rstrip("\n") for text in between
    ]
    assert all(text.strip() for text in quoted)


def test_the_names_that_the_text_uses_are_in_the_program() -> None:
    told = SEED.read_text("utf-8").partition("_mfma-compute-policy:")[2].partition("\n.. _")[0]
    program = examples.text(examples.POLICY)
    names = set(re.findall(r"``(\w+)", told)) - {"lane", "gfx908", "v_mfma_f32_32x32x1f32"}
    assert {"MfmaCdnaPolicy", "ScalarFMAPolicy", "load_a", "effective_lanes"} <= names
    assert sorted(name for name in names if name not in program) == []


def test_the_program_can_be_downloaded_and_every_builtin_is_shown(page: ET.Element) -> None:
    (link,) = page.iter("download_reference")
    assert (link.get("reftarget") or "").endswith(PROGRAM)
    titles = [s.findtext("title/literal") for s in page.iter("section")]
    builtins = re.findall(r"\.\. include:: mfma-ref/", SEED.read_text("utf-8"))
    assert len([t for t in titles if t and t.startswith("__builtin_amdgcn_")]) == len(builtins)
