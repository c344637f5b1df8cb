"""Further architectures, added by a user, whose builtins and names clash with those there."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

import layoutgen
from layoutgen.model import Architecture
from layoutgen.pages import TREES, pages
from layoutgen.pages.outputs import gather

if TYPE_CHECKING:
    from .conftest import Built

pytestmark = pytest.mark.xdist_group("pages of three")


def plain(text: str) -> str:
    return " ".join(text.split())


@pytest.fixture
def twin(three: list[Architecture]) -> Architecture:
    return next(arch for arch in three if arch.name == "twin")


def test_sphinx_has_nothing_to_say(site_of_three: Built) -> None:
    assert site_of_three.warnings == ""


def test_every_page_of_a_builtin_has_its_signature(
    site_of_three: Built, three: list[Architecture]
) -> None:
    for arch in three:
        for inst in arch.values():
            page = site_of_three.page(f"reference/{arch.name}/{inst.slug}")
            (signature,) = page.root.iter("desc_signature")
            assert inst.builtin in "".join(signature.itertext())


def test_a_builtin_that_two_architectures_have_has_an_anchor_on_each_page(
    site_of_three: Built,
) -> None:
    anchors = [
        next(site_of_three.page(f"reference/{name}/f32-32x32x1f32").root.iter("desc_signature"))
        for name in ("gfx908", "twin", "bare")
    ]
    name = "c.__builtin_amdgcn_mfma_f32_32x32x1f32"
    assert all(name in (a.get("ids") or "").split() for a in anchors)
    assert len({a.get("ids") for a in anchors}) == 3


def test_names_that_look_like_markup_come_out_as_text(
    site_of_three: Built, twin: Architecture
) -> None:
    page = site_of_three.page("reference/twin/index")
    whole = plain("".join(page.root.itertext()))
    texts = [twin.title, twin.series, *(gpu.name for gpu in twin.gpus)]
    texts += [source.title.replace("<", "(").replace(">", ")") for source in twin.sources]
    for entry in twin.disagreements:
        texts += [entry.title, *(t for r in entry.readings for t in (r.claim, r.who))]
    assert [text for text in texts if plain(text) not in whole] == []
    assert not list(page.root.iter("problematic"))


def test_the_overview_leads_to_every_architecture(
    site_of_three: Built, three: list[Architecture]
) -> None:
    page = site_of_three.page("reference/index")
    links = {
        plain("".join(link.itertext())): (link.get("refuri") or "").partition("#")[0]
        for link in page.root.iter("reference")
    }
    for arch in three:
        assert plain(arch.title) in links
    assert links[plain(three[-1].title)].endswith(f"{three[-1].name}/index")


def test_without_products_there_is_no_table_of_peaks(site_of_three: Built) -> None:
    titles = [table.title for table in site_of_three.page("reference/bare/index").tables()]
    assert "Throughput of bare" in titles
    assert "Peak rates" not in titles
    assert "Peak rates" in [t.title for t in site_of_three.page("reference/twin/index").tables()]


def test_labels_begin_with_the_name_and_where_it_is_free_with_the_title(
    site_of_three: Built,
) -> None:
    def labels(arch: str) -> list[str]:
        root = site_of_three.page(f"reference/{arch}/index").root
        ids = " ".join(section.get("ids") or "" for section in root.iter("section")).split()
        return [label for label in ids if label.endswith("-dense-mfma-builtins")]

    assert {"gfx908-dense-mfma-builtins", "cdna-dense-mfma-builtins"} <= set(labels("gfx908"))
    assert "twin-dense-mfma-builtins" in labels("twin")
    text = (site_of_three.source / "reference/bare/index.rst").read_text(encoding="utf-8")
    assert ".. _bare-dense-mfma-builtins:" in text
    assert "_cdna-" not in text


def test_fragments_of_all_architectures_stand_side_by_side(
    amd_of_three: Built, three: list[Architecture]
) -> None:
    """The first keeps the plain name; who says something else has the title's words added."""
    folder = amd_of_three.source / "compiler-builtins/cdna/mfma-ref"
    twin = "twin-2-more-y-loud"
    wanted = {f"{inst.slug}.rst" for inst in three[0].values()}
    wanted |= {f"f32-32x32x1f32-{twin}.rst", f"f32-4x4x4f16-{twin}.rst"}
    wanted |= {f"f32-32x32x8f16-{twin}.rst", "f32-32x32x1f32-bare.rst", "index.rst"}
    assert {path.name for path in folder.iterdir()} == wanted
    cycles = {
        path.stem: re.search(r"- Cycles\n     - (\d+)", path.read_text(encoding="utf-8"))
        for path in folder.glob("f32-32x32x1f32*.rst")
    }
    told = {stem: found[1] for stem, found in cycles.items() if found}
    assert told == {
        "f32-32x32x1f32": "64",
        f"f32-32x32x1f32-{twin}": "128",
        "f32-32x32x1f32-bare": "64",
    }
    listed = (folder / "index.rst").read_text(encoding="utf-8").split()
    assert {name.removesuffix(".rst") for name in wanted - {"index.rst"}} <= set(listed)


def test_sphinx_has_nothing_to_say_about_the_fragments(amd_of_three: Built) -> None:
    assert amd_of_three.warnings == ""


def test_what_two_architectures_say_alike_is_told_once() -> None:
    arch = layoutgen.arch("gfx908")
    again = replace(arch, aliases=())
    alts = {stem: figure.alt for stem, figure in gather([arch], TREES["amd"]).items()}

    def fragments(*archs: Architecture) -> dict[str, str]:
        found = pages(archs, alts, TREES["amd"])
        return {path: text for path, text in found.items() if "/mfma-ref/" in path}

    assert fragments(arch, again) == fragments(arch)
