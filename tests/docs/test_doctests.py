"""Every ``>>>`` of the documentation and of the package's docstrings gives what it says."""

from __future__ import annotations

import doctest
import importlib
import re
from pathlib import Path

import pytest
from docs_pages import ROOT, code_blocks, name, pages

PAGES = [page for page in pages() if ">>>" in page.read_text("utf-8")]
MODULES = [
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    for path in sorted((ROOT / "layoutgen").rglob("*.py"))
    if ">>>" in path.read_text("utf-8")
]


def run(text: str, where: str) -> doctest.TestResults:
    report: list[str] = []
    test = doctest.DocTestParser().get_doctest(text, {}, where, where, 0)
    results = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=report.append)
    assert results.failed == 0, "".join(report)
    return results


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_python_on_the_pages_gives_what_it_says(page: Path) -> None:
    text = page.read_text("utf-8")
    if page.suffix == ".md":  # the fence that closes a block would pass for output
        text = "\n".join(block for _, block in code_blocks(page, "python"))
    assert run(text, name(page)).attempted == len(re.findall(r"(?m)^ *>>> ", text))


@pytest.mark.parametrize("module", MODULES)
def test_docstrings_give_what_they_say(module: str) -> None:
    results = doctest.testmod(importlib.import_module(module), optionflags=doctest.ELLIPSIS)
    assert results.failed == 0
    assert results.attempted > 0
