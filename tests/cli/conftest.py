"""Run the command in this process, as a user would type it."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from layoutgen.cli import main


@dataclass(frozen=True)
class Answer:
    """What a command printed, and its exit code."""

    code: int
    out: str
    err: str

    @property
    def lines(self) -> list[str]:
        return self.out.splitlines()

    @property
    def json(self) -> Any:
        return json.loads(self.out)


@pytest.fixture(autouse=True)
def _columns(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same width whoever runs the tests: pytest-xdist sets one, and pytest alone does not."""
    monkeypatch.setenv("COLUMNS", "80")


@pytest.fixture
def layoutgen(capsys: pytest.CaptureFixture[str]) -> Callable[[str], Answer]:
    """Run ``layoutgen`` with a command line; further words are taken as they are."""

    def run(line: str, *words: object) -> Answer:
        code = main([*shlex.split(line), *map(str, words)])
        captured = capsys.readouterr()
        return Answer(code, captured.out, captured.err)

    return run


@pytest.fixture
def ask(layoutgen: Callable[..., Answer]) -> Callable[..., Answer]:
    """Run a command line that must succeed without a word on stderr."""

    def run(line: str, *words: object) -> Answer:
        answer = layoutgen(line, *words)
        assert (answer.code, answer.err) == (0, ""), answer
        return answer

    return run
