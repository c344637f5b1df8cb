"""``layoutgen docs -j 2`` as a process, where it is interrupted or killed while it draws."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

PATIENCE = 60
"""Seconds after which what should have ended counts as hanging."""


def group_of(process: subprocess.Popen[bytes]) -> int:
    """Return how many processes the group of `process` has."""
    found = subprocess.run(["ps", "-eo", "pgid="], check=True, capture_output=True, text=True)
    return found.stdout.split().count(str(process.pid))


@pytest.mark.parametrize(
    ("to_all", "by", "code"),
    [(True, signal.SIGINT, 130), (False, signal.SIGTERM, -15), (False, signal.SIGKILL, -9)],
    ids=["ctrl-c", "term", "kill"],
)
def test_nobody_is_left_and_nothing_is_written(
    tmp_path: Path, to_all: bool, by: signal.Signals, code: int
) -> None:
    """Standard error is read to its end: it is open as long as one of the processes runs."""
    process = subprocess.Popen(
        [sys.executable, "-m", "layoutgen", "docs", "-j", "2", "-o", str(tmp_path / "out")],
        env={**os.environ, "XDG_CACHE_HOME": str(tmp_path / "cache")},
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    try:
        until = time.monotonic() + PATIENCE
        while group_of(process) < 3 and time.monotonic() < until:
            time.sleep(0.01)
        (os.killpg if to_all else os.kill)(process.pid, by)
        told = process.communicate(timeout=PATIENCE)[1]
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
    assert (process.returncode, told) == (code, b"")
    assert not (tmp_path / "out").exists()
