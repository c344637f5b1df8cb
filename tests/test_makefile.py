"""make: every target described, one clear message for a wrong Python, nothing done twice."""

from __future__ import annotations

import os
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

pytestmark = pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A directory with a space in its name that holds what make itself reads."""
    root = tmp_path / "a checkout"
    root.mkdir()
    for name in ("Makefile", "pyproject.toml", "constraints.txt"):
        shutil.copy(ROOT / name, root)
    return root


def make(root: Path, *args: str) -> subprocess.CompletedProcess[str]:
    # The tests may run under make themselves: its flags are not meant for this one.
    env = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    return subprocess.run(
        ["make", *args], cwd=root, env=env, capture_output=True, text=True, check=False
    )


def test_help_is_the_default_and_describes_every_target(checkout: Path) -> None:
    result = make(checkout)
    assert result.returncode == 0
    described = {line.split()[0] for line in result.stdout.splitlines() if line.startswith("  ")}
    assert described == {
        "help", "docs", "test", "check", "figures", "validate", "bench", "clean", "distclean",
    }  # fmt: skip


@pytest.mark.parametrize("target", ["docs", "test", "check"])
def test_an_old_python_is_refused_in_one_sentence(checkout: Path, target: str) -> None:
    old = checkout / "python3.9"
    old.write_text('#!/bin/sh\n[ "$1" = -V ] && echo "Python 3.9.2" && exit 0\nexit 1\n')
    old.chmod(0o755)
    result = make(checkout, target, f"PYTHON={old}")
    assert result.returncode == 2
    assert "needs Python 3.11 or later" in result.stderr
    assert "Python 3.9.2" in result.stderr
    assert "Traceback" not in result.stderr
    assert not (checkout / ".venv").exists()


def test_a_missing_python_is_named(checkout: Path) -> None:
    result = make(checkout, "docs", "PYTHON=python3.99")
    assert result.returncode == 2
    assert "python3.99 is not installed" in result.stderr


@pytest.mark.parametrize("changed", ["pyproject.toml", "constraints.txt"])
def test_the_environment_is_renewed_only_when_the_project_changes(
    checkout: Path, changed: str
) -> None:
    venv = checkout / ".venv"
    venv.mkdir()
    for name in ("venv.stamp", "docs.stamp", "dev.stamp"):
        (venv / name).touch()
    assert "install" not in make(checkout, "-n", "test").stdout
    later = (venv / "dev.stamp").stat().st_mtime + 10
    os.utime(checkout / changed, (later, later))
    renewed = make(checkout, "-n", "test").stdout
    assert "install --constraint constraints.txt --editable ." in renewed
    assert "-m venv" not in renewed


def test_clean_keeps_the_environment(checkout: Path) -> None:
    for name in ("docs/_build/html", ".venv", "layoutgen/__pycache__", "tests"):
        (checkout / name).mkdir(parents=True)
    assert make(checkout, "clean").returncode == 0
    assert not (checkout / "docs/_build").exists()
    assert not (checkout / "layoutgen/__pycache__").exists()
    assert (checkout / ".venv").exists()


def test_what_judges_the_code_is_bounded_above() -> None:
    """A rule that a new version brings must not fail a build that changed nothing."""
    groups = tomllib.loads((ROOT / "pyproject.toml").read_text())["dependency-groups"]
    judges = [r for r in groups["dev"] if r.startswith(("ruff", "mypy", "sphinx-lint", "pytest"))]
    assert len(judges) >= 4
    assert [requirement for requirement in judges if "<" not in requirement] == []
