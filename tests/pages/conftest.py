"""Both trees, written and read by Sphinx, once for all tests of this folder."""

from __future__ import annotations

import io
import re
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from sphinx.application import Sphinx
from sphinx.util.docutils import docutils_namespace, patch_docutils

import layoutgen
from layoutgen.model import Architecture
from layoutgen.pages import TREES, outputs
from layoutgen.writing import write

ROOTS = Path(__file__).parents[1] / "roots"
TWIN = Path(__file__).parents[1] / "data" / "twin"
"""Specifications of two more architectures, which have builtins of gfx908 too."""


@dataclass(frozen=True)
class Page:
    """One document as Sphinx read it."""

    root: ET.Element

    def section(self, title: str) -> Page:
        for section in self.root.iter("section"):
            if text(section.find("title")) == title:
                return Page(section)
        raise LookupError(title)

    def paragraphs(self) -> list[str]:
        return [text(node) for node in self.root.iter("paragraph")]

    def formulas(self) -> list[dict[str, str]]:
        """Every aligned formula as its rows: left side to right side."""
        found = []
        for block in self.root.iter("math_block"):
            rows = [row.split("&=") for row in text(block).split(r"\\")]
            if all(len(row) == 2 for row in rows):
                found.append({left.strip(): right.strip() for left, right in rows})
        return found

    def tables(self) -> list[Table]:
        """Every table but those that stand for a figure where there are no pictures."""
        instead = {id(node) for figure in self.figures() for node in figure.iter("table")}
        return [Table(node) for node in self.root.iter("table") if id(node) not in instead]

    def figures(self) -> list[ET.Element]:
        return list(self.root.iter("figure"))

    def table(self, kind: str) -> Table:
        return next(t for t in self.tables() if kind in t.classes)


@dataclass(frozen=True)
class Table:
    """One table: title, classes, and rows by the titles of their columns."""

    node: ET.Element

    @property
    def classes(self) -> list[str]:
        return (self.node.get("classes") or "").split()

    @property
    def title(self) -> str:
        return text(self.node.find("title"))

    @property
    def rows(self) -> list[dict[str, str]]:
        lines = [[text(cell) for cell in row.iter("entry")] for row in self.node.iter("row")]
        return [dict(zip(lines[0], line, strict=True)) for line in lines[1:]]


def text(node: ET.Element | None) -> str:
    return "" if node is None else " ".join("".join(node.itertext()).split())


@dataclass(frozen=True)
class Built:
    """A tree on disk, and its documents."""

    source: Path
    out: Path
    warnings: str

    def text(self, name: str) -> str:
        return (self.source / f"{name}.rst").read_text(encoding="utf-8")

    def asked(self, name: str) -> list[dict[str, str]]:
        """Return the arguments and options of the figure directives of a page."""
        found = re.finditer(r"layout-figure:: (\S+)\n((?:   :.*\n)*)", self.text(name))
        return [{"of": m[1], **dict(re.findall(r":(\w+): (.*)", m[2]))} for m in found]

    def page(self, name: str) -> Page:
        return Page(ET.parse(self.out / f"{name}.xml").getroot())


def build(root: str, folder: Path, tree: str, *archs: Architecture) -> Built:
    top = folder / root
    source = top / "docs" if tree == "site" else top
    shutil.copytree(ROOTS / root, source)
    write(outputs(archs, TREES[tree]), top, TREES[tree].manifest)
    warnings = io.StringIO()
    out = folder / f"{root}-xml"
    with patch_docutils(str(source)), docutils_namespace():
        app = Sphinx(
            source,
            source,
            out,
            folder / f"{root}-doctrees",
            "xml",
            {"nitpicky": True, **({"layoutgen_spec_dirs": [str(TWIN)]} if tree == "site" else {})},
            status=None,
            warning=warnings,
        )
        app.build()
    return Built(source, out, re.sub(r"\x1b\[[0-9;]*m", "", warnings.getvalue()))


@pytest.fixture(scope="session")
def arch() -> Architecture:
    return layoutgen.arch("gfx908")


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory, arch: Architecture) -> Built:
    return build("site", tmp_path_factory.mktemp("site"), "site", arch)


@pytest.fixture(scope="session")
def amd(tmp_path_factory: pytest.TempPathFactory, arch: Architecture) -> Built:
    return build("amd", tmp_path_factory.mktemp("amd"), "amd", arch)


@pytest.fixture(scope="session")
def three() -> list[Architecture]:
    """gfx908, and the two that a user adds."""
    known = layoutgen.archs([TWIN])
    return [known[name] for name in ("gfx908", "bare", "twin")]


@pytest.fixture(scope="session")
def site_of_three(tmp_path_factory: pytest.TempPathFactory, three: list[Architecture]) -> Built:
    return build("site", tmp_path_factory.mktemp("three"), "site", *three)


@pytest.fixture(scope="session")
def amd_of_three(tmp_path_factory: pytest.TempPathFactory, three: list[Architecture]) -> Built:
    return build("amd", tmp_path_factory.mktemp("three"), "amd", *three)


@pytest.fixture(scope="session")
def read_latex() -> Callable[..., Any]:
    """Evaluate a printed formula: LaTeX and the values of its variables to a number."""

    def evaluate(latex: str, **values: Any) -> Any:
        return eval(_as_python(latex), {"__builtins__": {}}, values)

    return evaluate


def _as_python(latex: str) -> str:
    plain = (
        latex.replace(r"\left\lfloor", "(")
        .replace(r"\right\rfloor", ")")
        .replace(r"\bmod", "%")
        .replace(r"\,", "*")
        .replace(r"\text{bit}", "bit")
    )
    while (at := plain.find(r"\frac{")) >= 0:
        upper, lower = _groups(plain, at + len(r"\frac"))
        plain = (
            plain[:at]
            + f"({plain[slice(*upper)]})//({plain[slice(*lower)]})"
            + plain[lower[1] + 1 :]
        )
    assert "\\" not in plain, f"not understood: {plain}"
    return plain.strip()


def _groups(latex: str, at: int) -> Iterator[tuple[int, int]]:
    """Yield the insides of two groups in braces that follow each other."""
    for _ in range(2):
        depth, end = 1, at + 1
        while depth:
            depth += {"{": 1, "}": -1}.get(latex[end], 0)
            end += 1
        yield at + 1, end - 1
        at = end
