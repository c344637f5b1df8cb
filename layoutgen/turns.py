"""Runs that write into one folder take turns."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

PATIENCE = 1.0
"""Seconds that a run waits for another without a word."""

PAUSE = 0.02
"""Seconds between two attempts of that time."""


@contextmanager
def turn(folder: Path, waiting: Callable[[], object]) -> Iterator[None]:
    """Wait until no other run holds `folder`; call `waiting` if that takes longer.

    Where the system or its file system has no locks, nobody waits.
    """
    try:
        import fcntl
    except ImportError:
        yield
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        if not _taken_at_once(handle):
            waiting()
            with suppress(OSError):
                fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def _taken_at_once(handle: int) -> bool:
    """Return whether the lock is taken, or there is none, within the time of patience."""
    import fcntl

    until = time.monotonic() + PATIENCE
    while True:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > until:
                return False
            time.sleep(PAUSE)
        except OSError:  # a file system that knows no locks
            return True
        else:
            return True
