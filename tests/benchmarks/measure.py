"""Stop watches: for a call, and for a process with its peak memory."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass

ENVIRONMENT = {n: v for n, v in os.environ.items() if n != "PYTHONDONTWRITEBYTECODE"}
"""As a user has it: Python keeps what it compiled."""


WATCH = """
import json, os, sys, time
quiet = [(os.POSIX_SPAWN_OPEN, n, "/dev/null", os.O_WRONLY, 0) for n in (1, 2)]
start = time.perf_counter()
child = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ, file_actions=quiet)
_, status, usage = os.wait4(child, 0)
seconds = time.perf_counter() - start
print(json.dumps([os.waitstatus_to_exitcode(status), seconds, usage.ru_maxrss]))
"""
"""A small process that starts the other one: a peak counts what its parent had when it began."""


@dataclass(frozen=True, slots=True)
class Run:
    """What a process took: wall time in seconds, and its peak memory in kB."""

    seconds: float
    memory: int

    def __str__(self) -> str:
        return spell(self.seconds)


def spell(seconds: float) -> str:
    """Return a time in the unit that suits it."""
    return f"{seconds:.2f} s" if seconds >= 1 else f"{1000 * seconds:.3g} ms"


def best(call: Callable[[], object], times: int = 5) -> float:
    """Return the seconds of the quickest of several calls."""
    found = []
    for _ in range(times):
        start = time.perf_counter()
        call()
        found.append(time.perf_counter() - start)
    return min(found)


def process(*arguments: str, times: int = 1) -> Run:
    """Run Python with `arguments`, and return the quickest run and the largest peak.

    Raises RuntimeError if it fails.
    """
    found = []
    for _ in range(times):
        told = subprocess.run(
            [sys.executable, "-ISc", WATCH, sys.executable, *arguments],
            stdout=subprocess.PIPE,
            check=True,
            env=ENVIRONMENT,
        )
        code, seconds, memory = json.loads(told.stdout)
        if code:
            raise RuntimeError(f"{' '.join(arguments)} ended with {code}")
        found.append(Run(seconds, memory))
    return Run(min(run.seconds for run in found), max(run.memory for run in found))


def layoutgen(*arguments: str, times: int = 1) -> Run:
    """Run the command, as :func:`process` does."""
    return process("-m", "layoutgen", *arguments, times=times)
