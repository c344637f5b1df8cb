"""The rooms of the package: the page lists all of them, and none reaches to one further down."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from docs_pages import ROOT

PACKAGE = ROOT / "layoutgen"
PAGE = (ROOT / "docs" / "development" / "design.rst").read_text("utf-8")
ROOMS = re.findall(r"   \* - ``([a-z]+)(?:/|\.py)``", PAGE)
OUTSIDE = {"__init__", "__main__"}


def modules(room: str) -> list[Path]:
    file = PACKAGE / f"{room}.py"
    return [file] if file.exists() else sorted((PACKAGE / room).rglob("*.py"))


def imported(node: ast.AST) -> Iterator[str]:
    """Yield the rooms that are imported when the program runs, at once or later."""
    if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
        return
    if isinstance(node, ast.ImportFrom) and node.module:
        parts = [*node.module.split("."), *(alias.name for alias in node.names)]
        if parts[0] == "layoutgen":
            yield parts[1]
    for child in ast.iter_child_nodes(node):
        yield from imported(child)


def test_the_page_lists_every_room() -> None:
    there = {p.stem for p in PACKAGE.glob("*.py")} | {p.parent.name for p in PACKAGE.glob("*/*.py")}
    assert sorted(ROOMS) == sorted(there - OUTSIDE)


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_uses_only_rooms_above_it(room: str) -> None:
    above = {*ROOMS[: ROOMS.index(room) + 1], "__version__"}
    for module in modules(room):
        used = set(imported(ast.parse(module.read_text("utf-8"))))
        assert used <= above, f"{module.relative_to(ROOT)} uses {sorted(used - above)}"
