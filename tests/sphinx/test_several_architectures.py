"""Parameters of several architectures on one page: each figure from one that has it."""

from __future__ import annotations

import pytest


def test_parameters_of_several_architectures(foreign) -> None:
    pytest.importorskip("myst_parser")
    project = foreign()
    text = "# Modifiers\n\n```{layout-parameters} demo gfx908\n```\n"
    (project.source / "modifiers.md").write_text(text, "utf-8")
    project.build()
    assert project.warnings == ""
    page = (project.root / "html/modifiers.html").read_text("utf-8")
    for blocks in (2, 4, 8, 16):
        assert f"with {blocks} blocks: which block of" in page
