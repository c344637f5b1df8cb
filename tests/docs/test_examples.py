"""Every command on the pages runs, and prints what the page says."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from docs_pages import ROOT, Session, sessions

NOT_RUN = {"git", "make", "pip", "python3", "sphinx-build", "."}
"""Commands that set up or build; an example shows no output of theirs."""

ALL = sessions()


@pytest.mark.parametrize("session", ALL, ids=str)
def test_an_example_prints_what_the_page_says(session: Session, tmp_path: Path) -> None:
    examples = session.page.parent / "examples"
    if examples.is_dir():
        shutil.copytree(examples, tmp_path, dirs_exist_ok=True)
    for step in session.steps:
        if step.command.split()[0] in NOT_RUN:
            assert step.output.strip() == ""
        else:
            assert difference(step.output, printed(step.command, tmp_path)) == ""


def printed(command: str, folder: Path) -> str:
    """Return what `command` writes, to standard output and to standard error."""
    scripts = Path(sys.executable).parent
    environment = {
        **os.environ,
        "PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}",
        "PYTHONIOENCODING": "utf-8",
        "COLUMNS": "100",
    }
    result = subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        check=False,
    )
    return result.stdout


def difference(shown: str, output: str) -> str:
    """Return an empty string, or the output where the page shows another; ``...`` skips lines."""
    parts = [re.escape(part.strip("\n")) for part in re.split(r"(?m)^\.\.\.$", shown)]
    return "" if re.fullmatch(r"(?s:.*)".join(parts), output.strip("\n")) else output


def test_targets_of_make_exist() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    for session in ALL:
        for step in session.steps:
            if step.command.startswith("make "):
                for target in step.command.split("#")[0].split()[1:]:
                    assert re.search(rf"(?m)^{target}:", makefile), f"{session}: {step.command}"
