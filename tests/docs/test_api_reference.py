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
        "layoutgen.expr",
        "layoutgen.formulas",
        "layoutgen.model",
        "layoutgen.modifiers",
        "layoutgen.printing",
    ],
)
def test_a_module_is_documented_whole(module: str) -> None:
    assert re.search(rf"(?m)^\.\. automodule:: {re.escape(module)}\n   :members:$", PAGES)


@pytest.mark.parametrize("module", ["layoutgen.emulator", "layoutgen.spec"])
def test_what_a_package_exports_is_documented(module: str) -> None:
    for name in importlib.import_module(module).__all__:
        assert re.search(rf"\b{name}\b", PAGES), f"{module}.{name}"
