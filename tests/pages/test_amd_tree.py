"""The tree for AMD's page: fragments that can be included, and documents of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from layoutgen.model import Architecture

if TYPE_CHECKING:
    from .conftest import Built

pytestmark = pytest.mark.xdist_group("pages")

CDNA = "compiler-builtins/cdna"
FIGURES = "data/compiler-builtins/cdna/mfma-builtins"


def test_a_page_that_includes_the_fragments_builds_without_a_warning(amd: Built) -> None:
    assert amd.warnings == ""


def test_every_path_that_the_page_of_amd_names_is_there(amd: Built, arch: Architecture) -> None:
    wanted = [f"{CDNA}/mfma-ref/{inst.slug}.rst" for inst in arch.values()]
    wanted += [f"{FIGURES}/mfma-layout-{tile}.svg" for tile in ("32x32", "16x16", "4x4")]
    wanted += [f"{CDNA}/mfma-common-parameters.rst"]
    assert [path for path in wanted if not (amd.source / path).is_file()] == []


def test_fragments_stand_below_the_headings_of_the_page(amd: Built, arch: Architecture) -> None:
    page = amd.page(f"{CDNA}/cdna-dense-mfma-builtins")
    for group in ("FP32", "FP16", "BF16", "INT8"):
        part = page.section(f"{group} matrix inputs")
        titles = [section.findtext("title/literal") for section in part.root.findall("section")]
        assert titles == [
            inst.builtin for inst in arch.values() if inst.operands["A"].format.title == group
        ]


def test_figures_are_found_from_the_page_and_from_the_fragment(
    amd: Built, arch: Architecture
) -> None:
    for inst in arch.values():
        fragment = amd.page(f"{CDNA}/mfma-ref/{inst.slug}")
        included = amd.page(f"{CDNA}/cdna-dense-mfma-builtins").section(inst.builtin)
        for page in (fragment, included):
            images = [image.get("uri", "") for image in page.root.iter("image")]
            assert len(images) == 3
            assert all((amd.source / uri).is_file() for uri in images)


def test_fragments_say_what_the_pages_of_the_site_say(
    amd: Built, site: Built, arch: Architecture
) -> None:
    for inst in arch.values():
        fragment = amd.page(f"{CDNA}/mfma-ref/{inst.slug}")
        page = site.page(f"reference/gfx908/{inst.slug}")
        assert [t.rows for t in fragment.tables()] == [t.rows for t in page.tables()]
        assert fragment.formulas() == page.formulas()
        declared = next(fragment.root.iter("literal_block")).text or ""
        assert " ".join(declared.split()).replace("( ", "(") == f"{inst.signature};"


def test_fragments_bring_no_labels_that_could_clash(amd: Built, arch: Architecture) -> None:
    for inst in arch.values():
        text = (amd.source / f"{CDNA}/mfma-ref/{inst.slug}.rst").read_text(encoding="utf-8")
        assert "\n.. _" not in text
        assert ":orphan:" not in text
        assert "c:function" not in text
