"""What a user writes into a specification comes out as text: on pages, in figures, in answers."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest

from layoutgen.cli import main
from layoutgen.pages import outputs
from layoutgen.pages.trees import SITE
from layoutgen.spec import Catalogue
from layoutgen.spec.catalogue import builtin_dir

pytestmark = pytest.mark.xdist_group("hostile")

HOSTILE = (
    "<script>alert(1)</script> & <img src=x onerror=alert(1)> |sub| `role` :ref:`x` ``code`` "
    "`x <javascript:alert(1)>`_ javascript:alert(1) (http://evil.example/a_) me@evil.example "
    "**bold** *em* name_ __a__ \\\\ {{ 7 * 7 }} {% raw %} ]]> <!-- --> $x$ .. raw:: html"
)
QUOTED = f"'{HOSTILE}'"
TEXTS = (
    (r"(title): .*", rf"\1: {QUOTED}"),
    (r"(series): .*", rf"\1: {QUOTED}"),
    (r"name: MI100,", f"name: {QUOTED},"),
    (r"first: [^,\n]+, then: [^,\n]+,", f"first: {QUOTED}, then: {QUOTED},"),
    (r"by: >-\n(?: {6}.*\n)+", f"by: {QUOTED}\n"),
)
DISAGREEMENT = f"""
disagreements:
  own-question:
    title: {QUOTED}
    question: {QUOTED}
    readings:
      - {{name: one, claim: {QUOTED}, who: {QUOTED}}}
      - {{name: two, claim: {QUOTED}, who: {QUOTED}}}
    followed: one
    settled_by: {QUOTED}
"""


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of specs: gfx908 under another name, with markup in all its free texts."""
    folder = tmp_path_factory.mktemp("hostile")
    text = (builtin_dir() / "gfx908.yaml").read_text(encoding="utf-8")
    text = text.replace("gfx908", "own").replace("cdna1, mi100", "own1, own2")
    text = text.replace("disagreements: [", "disagreements: [own-question, ")
    for pattern, new in TEXTS:
        text, count = re.subn(pattern, new.replace("\\\\", "\\\\\\\\"), text)
        assert count, pattern
    (folder / "own.yaml").write_text(text, encoding="utf-8")
    (folder / "own-question.yaml").write_text(DISAGREEMENT, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def made(hostile: Path) -> dict[str, bytes]:
    return outputs([Catalogue([hostile]).architectures["own"]], SITE)


DIRECTIVES = (
    "layout-parameters:: own",
    "layout-throughput:: own",
    "layout-builtin:: own.v_mfma_f32_4x4x1f32",
    "layout-figure:: own.v_mfma_f32_4x4x1f32",
    "layout-table:: own.v_mfma_f32_4x4x1f32",
    "layout-rows:: own.v_mfma_f32_4x4x1f32",
    "layout-comparison:: own.v_mfma_f32_4x4x1f32 own.v_mfma_f32_16x16x1f32",
)


class Alerts(HTMLParser):
    """Finds what would run: scripts and handlers that call alert."""

    def __init__(self) -> None:
        super().__init__()
        self.inside = ""
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.inside = tag
        self.found += [f"{tag} {name}" for name, value in attrs if name.startswith("on") and value]
        links = [value for name, value in attrs if name in ("href", "src") and value]
        self.found += [v for v in links if v.startswith(("javascript:", "mailto:", "http:"))]

    def handle_data(self, data: str) -> None:
        if self.inside == "script" and "alert" in data:
            self.found.append(data)


def test_the_pages_in_html(made: dict[str, bytes], hostile: Path, build_site: Callable) -> None:
    files = {
        path.removeprefix("docs/"): content.decode()
        for path, content in made.items()
        if not path.endswith(".json")
    }
    conf = (
        'extensions = ["layoutgen.sphinx", "sphinx.ext.mathjax"]\n'
        f"layoutgen_spec_dirs = [{str(hostile)!r}]\n"
        'exclude_patterns = ["figures"]\n'
    )
    index = "Own\n===\n\n.. toctree::\n   :glob:\n\n   reference/**\n\n"
    index += "".join(f".. {name}\n\n" for name in DIRECTIVES)
    site = build_site({**files, "index.rst": index}, conf=conf)
    assert "alert" not in site.warnings
    assert not re.findall(r"Unexpected|Unknown|undefined|Inline .* without", site.warnings)
    page = site.read("reference/own/index.html")
    assert page.count("&lt;script&gt;alert(1)&lt;/script&gt;") > 10
    assert "{{ 7 * 7 }}" in page
    for path in site.out.rglob("*.html"):
        alerts = Alerts()
        alerts.feed(path.read_text(encoding="utf-8"))
        assert not alerts.found, path


def test_the_figures(made: dict[str, bytes]) -> None:
    figures = [data for path, data in made.items() if path.endswith(".svg")]
    assert figures
    for data in figures:
        tags = {element.tag.rpartition("}")[2] for element in ElementTree.fromstring(data).iter()}
        assert not tags & {"script", "img", "foreignObject", "a"}


@pytest.mark.parametrize("form", ["html", "rst", "markdown", "asciidoc", "csv", "json", "text"])
@pytest.mark.parametrize(
    ("question", "shows"),
    [
        ("list", "own1"),
        ("list own", "v_mfma_f32_4x4x1f32"),
        ("show own v_mfma_f32_4x4x1f32", "v_mfma_f32_4x4x1f32"),
    ],
)
def test_answers_in_the_terminal(
    hostile: Path, form: str, question: str, shows: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code = main([*shlex.split(question), "--spec-dir", str(hostile), "--format", form])
    answer = capsys.readouterr()
    if code:
        assert "--format" in answer.err  # this question has no such form
        return
    assert shows in answer.out
    if form == "html":
        alerts = Alerts()
        alerts.feed(answer.out)
        assert not alerts.found
        assert "<script" not in answer.out
    if form in ("rst", "markdown", "asciidoc") and shows == "own1":
        assert "**bold**" not in answer.out
        assert "|sub|" not in answer.out.replace(r"\|", "")
