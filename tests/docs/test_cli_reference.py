"""The command reference documents every command, and every option as its parser has it."""

from __future__ import annotations

import argparse
import re
from pathlib import Path

import pytest
from docs_pages import ROOT

from layoutgen.cli.app import COMMANDS, parser_of

PAGES = ROOT / "docs" / "cli"


def text_of(page: Path) -> str:
    """Return the page with the pieces that it includes."""
    text = page.read_text("utf-8")
    return re.sub(r"(?m)^\.\. include:: (\S+)$", lambda m: (PAGES / m[1]).read_text("utf-8"), text)


def signatures(action: argparse.Action) -> str:
    """Return an argument as the reference writes it: ``-f FORMAT, --format FORMAT``."""
    value = action.metavar or (action.choices and f"{{{','.join(action.choices)}}}") or action.dest
    if action.option_strings and action.metavar is None and action.dest == "format":
        value = "FORMAT"
    if not action.option_strings:
        return str(value)
    suffix = "" if action.nargs == 0 else f" {value}"
    return ", ".join(option + suffix for option in action.option_strings)


@pytest.mark.parametrize("command", COMMANDS)
def test_the_options_on_the_page_are_those_of_the_parser(command: str) -> None:
    documented = re.findall(r"(?m)^\.\. option:: (.+)$", text_of(PAGES / f"{command}.rst"))
    assert sorted(documented) == sorted(signatures(a) for a in parser_of(command)._actions)


def test_every_command_has_a_page_and_every_page_a_command() -> None:
    pages = {page.stem for page in PAGES.glob("*.rst") if not page.name.endswith(".inc.rst")}
    assert pages == {*COMMANDS, "index"}


@pytest.mark.parametrize("command", COMMANDS)
def test_a_page_belongs_to_its_command(command: str) -> None:
    text = text_of(PAGES / f"{command}.rst")
    assert text.startswith(f"layoutgen {command}\n")
    assert f".. program:: layoutgen {command}\n" in text
    assert f"$ layoutgen {command}" in text


def test_pieces_to_include_are_included() -> None:
    pages = "\n".join(page.read_text("utf-8") for page in PAGES.glob("*.rst"))
    for piece in PAGES.glob("*.inc.rst"):
        assert f".. include:: {piece.name}\n" in pages
