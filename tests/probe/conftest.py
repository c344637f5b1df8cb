"""Lets the tests of this folder import their tools, and those of the snippets; runs the command."""

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from layoutgen.cli import main

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent / "snippets")]


@pytest.fixture
def answer(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> Callable[..., tuple[int, str, str]]:
    """Return what runs ``validate --device`` on a text: exit code, output and errors."""

    def ask(content: str, *words: str) -> tuple[int, str, str]:
        file = tmp_path / "device.json"
        file.write_text(content, encoding="utf-8")
        code = main(["validate", "--device", str(file), *words])
        told = capsys.readouterr()
        return code, told.out, told.err.replace(str(tmp_path), "")

    return ask
