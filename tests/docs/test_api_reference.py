"""The API reference has every public name of the modules that it documents."""

from __future__ import annotations

import importlib
import re

import pytest
from docs_pages import ROOT

PAGES = "\n".join(page.read_text("utf-8") for page in (ROOT / "docs" / "api").glob("*.rst"))


@pytest.mark.parametrize(
    "module",
    [
        "layoutgen",
        "layoutgen.digits",
        "layoutgen.emulator",
        "layoutgen.expr",
        "layoutgen.formulas",
        "layoutgen.model",
        "layoutgen.modifiers",
        "layoutgen.printing",
    ],
)
def test_a_module_is_documented_whole(module: str) -> None:
    assert re.search(rf"(?m)^\.\. automodule:: {re.escape(module)}\n   :members:$", PAGES)


@pytest.mark.parametrize("name", importlib.import_module("layoutgen.spec").__all__)
def test_what_the_specifications_export_is_documented(name: str) -> None:
    assert re.search(rf"\b{name}\b", PAGES)
