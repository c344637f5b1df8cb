"""Stop watches: for a call, and for a process with its peak memory."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

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


REFERENCE = """
import sys
import layoutgen
from pathlib import Path
from layoutgen.pages import outputs
from layoutgen.pages.trees import SITE
from layoutgen.writing import write
root, jobs, *names = sys.argv[1:]
archs = [layoutgen.arch(name) for name in names or layoutgen.archs()]
write(outputs(archs, SITE, jobs=int(jobs)), Path(root), SITE.manifest)
"""


def reference(root: Path, *names: str, jobs: int) -> Run:
    """Write the reference of the architectures called `names`, or of all, below `root`."""
    return process("-c", REFERENCE, str(root), str(jobs), *names)


def sphinx(source: Path, out: Path, *options: str, builder: str = "html", times: int = 1) -> Run:
    """Build a Sphinx project, `times` times from nothing but what Python keeps compiled."""
    runs = []
    for _ in range(times):
        shutil.rmtree(out, ignore_errors=True)
        runs.append(process("-m", "sphinx", "-q", "-b", builder, *options, str(source), str(out)))
    return Run(min(run.seconds for run in runs), max(run.memory for run in runs))


def size(root: Path, pattern: str = "*") -> int:
    """Return how many bytes the files below `root` have."""
    return sum(path.stat().st_size for path in root.rglob(pattern) if path.is_file())
