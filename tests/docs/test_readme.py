"""README, change log and how to contribute: links lead somewhere, lists are complete."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from docs_pages import ROOT, name

import layoutgen
from layoutgen.cli.app import COMMANDS

MARKDOWN = sorted(ROOT.glob("*.md"))
README = (ROOT / "README.md").read_text("utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


@pytest.mark.parametrize("page", MARKDOWN, ids=name)
def test_links_within_the_repository_lead_somewhere(page: Path) -> None:
    links = re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text("utf-8"))
    assert [link for link in links if not (ROOT / link).exists()] == []


def test_the_readme_names_folders_that_exist() -> None:
    folders = re.findall(r"(?m)^\| `(\w+)/` \|", README)
    assert len(folders) > 3
    assert [folder for folder in folders if not (ROOT / folder).is_dir()] == []


@pytest.mark.parametrize("arch", ["gfx908", "gfx90a", "gfx942", "gfx950"])
def test_the_number_of_instructions_is_right(arch: str) -> None:
    gpu = layoutgen.arch(arch)
    assert f"{len(gpu)} of {arch} ({gpu.title}, {gpu.series.split()[0]})" in " ".join(
        README.split()
    )


def test_the_change_log_begins_with_this_version() -> None:
    versions = re.findall(r"(?m)^## \[(.+?)\]", (ROOT / "CHANGELOG.md").read_text("utf-8"))
    assert versions[0] == layoutgen.__version__ == PROJECT["version"]


@pytest.mark.parametrize("command", COMMANDS)
def test_the_change_log_names_every_command(command: str) -> None:
    assert f"`{command}`" in (ROOT / "CHANGELOG.md").read_text("utf-8")


def test_every_dependency_is_explained() -> None:
    page = (ROOT / "docs" / "development" / "testing.rst").read_text("utf-8")
    explained = re.findall(r"(?m)^   \* - ([\w-]+)\n     - ", page.partition("Dependencies")[2])
    needed = [re.split(r"[^\w-]", requirement)[0] for requirement in PROJECT["dependencies"]]
    assert explained[1:] == needed
