"""Help: every command explains itself with examples, and the examples run."""

from __future__ import annotations

import shlex
from itertools import pairwise
from pathlib import Path

import pytest

from layoutgen.cli.app import COMMANDS, parser_of


@pytest.mark.parametrize("line", ["--help", "-h", "help"])
def test_the_help_names_every_command(ask, line: str) -> None:
    out = " ".join(ask(line).out.split())
    for name, summary in COMMANDS.items():
        assert f" {name} {summary} " in out


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_with_examples(ask, command: str) -> None:
    out = ask(f"{command} --help").out
    assert out.startswith(f"usage: layoutgen {command} ")
    assert "\nexamples:\n" in out
    assert ask(f"help {command}").out == out


@pytest.mark.parametrize("command", COMMANDS)
def test_the_help_fits_eighty_columns(ask, monkeypatch: pytest.MonkeyPatch, command: str) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert max(map(len, ask(f"{command} --help").lines)) <= 80


def test_the_overview_fits_eighty_columns(ask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert max(map(len, ask("--help").lines)) <= 80


def test_examples_are_folded_so_that_they_can_be_pasted(
    ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "50")
    out = ask("locate --help").out
    shown = shlex.split(out.partition("examples:")[2].replace("\\\n", " "))
    epilog = parser_of("locate").epilog or ""
    assert shown == shlex.split(epilog.removeprefix("examples:"))


def examples() -> list[str]:
    found = []
    for command in COMMANDS:
        if command != "docs":  # its tests are with the pages
            epilog = parser_of(command).epilog or ""
            found += [line.strip() for line in epilog.splitlines()[1:]]
    return found


@pytest.mark.parametrize("example", examples())
def test_every_example_runs(
    layoutgen, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, example: str
) -> None:
    monkeypatch.chdir(tmp_path)
    program, *words = shlex.split(example)
    assert program == "layoutgen"
    if words[0] == "compare":  # the user's own tables
        for before, file in pairwise(words):
            if file.endswith(".csv"):
                operand = words[3] if before.endswith(".csv") else before
                assert layoutgen("table", *words[1:3], operand, "-o", file).code == 0
    if "--artefacts" in words:  # what an earlier command wrote
        assert layoutgen("docs -q -o", words[words.index("--artefacts") + 1]).code == 0
    answer = layoutgen("", *words)
    assert answer.code == 0, answer.err


def test_the_version(ask) -> None:
    from layoutgen import __version__

    assert ask("--version").out == f"layoutgen {__version__}\n"
