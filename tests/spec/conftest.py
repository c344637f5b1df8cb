"""Fixtures for tests of specifications: a small valid set of files, and faults put into it."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Protocol

import pytest
from hypothesis import settings

from layoutgen.spec.errors import Diagnostic, SpecError
from layoutgen.spec.load import load

DATA = Path(__file__).parents[1] / "data" / "spec"

settings.register_profile("long", max_examples=2000)

CARET = "§"
"""In the new text of an edit: where the message must point."""


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture
def specs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the small set of specifications, in the folder `specs` of the current folder."""
    monkeypatch.chdir(tmp_path)
    shutil.copytree(DATA, tmp_path / "specs")
    return Path("specs")


class Refused(Protocol):
    def __call__(self, *edits: tuple[str, str, str]) -> Diagnostic: ...


@pytest.fixture
def refused(specs: Path) -> Refused:
    """Put edits (file, old text, new text) into the set; return the one problem that is told.

    An old text of "" replaces the whole file.  The caret mark in a new text is where the
    message must point; without one it is the start of the file.
    """

    def put(*edits: tuple[str, str, str]) -> Diagnostic:
        place = None
        for name, old, new in edits:
            path = specs / name
            text = path.read_text(encoding="utf-8") if old else ""
            assert text.count(old) >= 1, f"{name} has no {old!r}"
            text = text.replace(old, new, 1) if old else new
            if CARET in text:
                before = text[: text.index(CARET)]
                line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
                place = f"{path}:{line}:{column}"
            path.write_text(text.replace(CARET, ""), encoding="utf-8")
        with pytest.raises(SpecError) as error:
            load([specs])
        report = str(error.value)
        assert len(error.value.diagnostics) == 1, report
        found = error.value.diagnostics[0]
        assert found.where == (place or f"{specs / edits[-1][0]}:1:1"), report
        assert report.startswith(f"{found.where}: error: "), report
        assert f" [{found.code}]" in report
        return found

    return put
