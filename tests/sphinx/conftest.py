"""Fixtures for the tests of the extension; also lets them import their helpers."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from extension_projects import DOCS, Project


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path)


@pytest.fixture
def foreign(tmp_path: Path) -> Callable[..., Project]:
    """The project of the documentation, with specifications, MyST and a theme of its own."""

    def make(theme: str = "furo", **values: str) -> Project:
        found = Project(tmp_path)
        shutil.copytree(DOCS / "example", found.source)
        conf = found.source / "conf.py"
        text = conf.read_text("utf-8").replace('html_theme = "furo"', f'html_theme = "{theme}"')
        for name, value in values.items():
            text += f"{name} = {value}\n"
        text += "nitpicky = show_warning_types = True\n"
        conf.write_text(text, "utf-8")
        return found

    return make
