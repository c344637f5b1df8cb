"""Sphinx: the site, its reference for one architecture and for all, and the extension by itself."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import layoutgen as package

from .conftest import Results
from .measure import process, reference, size, spell, sphinx

DOCS = Path(__file__).parents[2] / "docs"
INDEX = """
Reference
=========

.. toctree::

   reference/index
"""


def test_the_site(results: Results, tmp_path: Path) -> None:
    for jobs in ("1", "2"):
        out = tmp_path / jobs
        trees = ("-d", str(tmp_path / f"trees{jobs}"))
        fresh = sphinx(DOCS, out, "-j", jobs, *trees)
        results.add(
            f"sphinx-build -j {jobs} of the site", every=str(fresh), memory=fresh.memory,
            target="500 MB", met=fresh.memory < 500 * 1024,
        )  # fmt: skip
    again = process("-m", "sphinx", "-q", "-j", jobs, *trees, str(DOCS), str(out))
    results.add("sphinx-build again with nothing to do", every=str(again), memory=again.memory)
    results.add("size of the site", every=f"{size(out) / 1e6:.1f} MB")


def test_the_reference_as_a_site(results: Results, tmp_path: Path) -> None:
    """What grows with the architectures: the site without its guides and its API."""
    sources = {}
    for name, archs in (("one", ["gfx908"]), ("all", [])):
        reference(tmp_path / name, *archs, jobs=2)
        sources[name] = docs = tmp_path / name / "docs"
        shutil.copy(DOCS / "conf.py", docs)
        for folder in ("_static", "_templates"):
            shutil.copytree(DOCS / folder, docs / folder)
        (docs / "index.rst").write_text(INDEX, encoding="utf-8")
    for jobs in ("1", "2"):
        outs = {name: tmp_path / f"{name}{jobs}" for name in sources}
        runs = {name: sphinx(sources[name], outs[name], "-j", jobs) for name in sources}
        one, every = runs["one"], runs["all"]
        results.add(
            f"sphinx-build -j {jobs} of the reference alone", one=str(one), every=str(every),
            growth=every.seconds / one.seconds, memory=every.memory,
        )  # fmt: skip
    sizes = {name: size(out, "*.html") for name, out in outs.items()}
    results.add(
        "size of its pages",
        one=f"{sizes['one'] / 1e6:.1f} MB",
        every=f"{sizes['all'] / 1e6:.1f} MB",
        growth=sizes["all"] / sizes["one"],
    )


@pytest.mark.parametrize("builder", ["html", "latex"])
def test_a_page_with_figures(results: Results, tmp_path: Path, builder: str) -> None:
    insts = list(package.arch("gfx90a").instructions.values())
    asked = [(inst.mnemonic, operand) for inst in insts for operand in "ABD"][:20]
    figures = [f".. layout-figure:: gfx90a.{name}\n   :operand: {op}\n" for name, op in asked]
    without = project(tmp_path / "without", "layoutgen.sphinx")
    with_all = project(tmp_path / "with", "layoutgen.sphinx", *figures)
    before, after = (
        sphinx(source, tmp_path / "out", builder=builder, times=3) for source in (without, with_all)
    )
    added = after.seconds - before.seconds
    results.add(
        f"20 figures add to a Sphinx build, {builder}", every=spell(added), memory=after.memory,
        target="2 s", met=added < 2,
    )  # fmt: skip


def test_the_start_of_the_extension(results: Results, tmp_path: Path) -> None:
    sources = (project(tmp_path / "without"), project(tmp_path / "with", "layoutgen.sphinx"))
    before, after = (sphinx(source, tmp_path / "out", times=7) for source in sources)
    added = after.seconds - before.seconds
    results.add(
        "the extension adds to a Sphinx build of one empty page", every=spell(added),
        memory=after.memory, target="150 ms", met=added < 0.15,
    )  # fmt: skip


def project(root: Path, extension: str = "", *parts: str) -> Path:
    """Write a Sphinx project of one page."""
    root.mkdir()
    names = [extension] if extension else []
    (root / "conf.py").write_text(f"project = 'Page'\nextensions = {names}\n", encoding="utf-8")
    (root / "index.rst").write_text("\n".join(["Page\n====\n", *parts]), encoding="utf-8")
    return root
