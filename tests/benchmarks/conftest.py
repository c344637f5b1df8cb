"""What the benchmarks find: one table, printed and kept in the documentation.

Nothing is judged here: a number that is worse than its target is shown beside the target.
"""

from __future__ import annotations

import datetime
import os
import platform
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path

import pytest

import layoutgen
from layoutgen.model import Architecture
from layoutgen.writing import write_file

FOLDER = Path(__file__).parent
REPORT = FOLDER.parents[1] / "docs" / "development" / "performance.md"
HEAD = ("what", "gfx908", "all", "growth", "peak memory", "target (all)", "met")
PACKAGES = (
    "layoutgen",
    "numpy",
    "svgwrite",
    "reportlab",
    "matplotlib",
    "pydantic",
    "Jinja2",
    "Sphinx",
    "rich",
)


@dataclass
class Results:
    """The rows of the table in the order in which they were measured."""

    rows: list[tuple[str, ...]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def add(
        self,
        what: str,
        *,
        one: str = "",
        every: str = "",
        growth: float | None = None,
        memory: int | None = None,
        target: str = "",
        met: bool | None = None,
    ) -> None:
        """Add a row: what `one` architecture takes, and what all of them take.

        `growth` is how many times the cost of one all of them cost; `memory` is in kB.  `met`
        tells whether the target was.
        """
        grown = "" if growth is None else f"×{growth:.1f}"
        peak = "" if memory is None else f"{memory / 1024:.0f} MB"
        verdict = {None: "", True: "yes", False: "NO"}[met]
        self.rows.append((what, one, every, grown, peak, target, verdict))

    def text(self) -> str:
        """Return the table in Markdown, its columns aligned."""
        rows = [HEAD, *self.rows]
        widths = [max(len(row[n]) for row in rows) for n in range(len(HEAD))]
        lines = ["| " + " | ".join(map(str.ljust, row, widths)) + " |" for row in rows]
        rule = "|" + "|".join("-" * (width + 2) for width in widths) + "|"
        notes = [f"* {note}" for note in self.notes]
        return "\n".join([lines[0], rule, *lines[1:], "", *notes])


def machine() -> str:
    """Return processor, cores, memory, system and Python in a line."""
    names = [
        line.partition(":")[2].strip()
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        if line.startswith("model name")
    ]
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    cores = len(os.sched_getaffinity(0))
    return (
        f"{names[0] if names else platform.machine()}, {cores} cores, {memory:.0f} GB, "
        f"{platform.system()} {platform.machine()}, Python {platform.python_version()}"
    )


def amounts(archs: Iterable[Architecture]) -> dict[str, int]:
    """Return how much there is to tell of architectures."""
    insts = [inst for arch in archs for inst in arch.values()]
    operands = [operand for inst in insts for operand in inst.operands.values()]
    elements = sum(len(operand.table()) for operand in operands)
    return {"instructions": len(insts), "operands": len(operands), "rows of tables": elements}


class Passed:
    """Counts the benchmarks that ran to their end."""

    def __init__(self, session: pytest.Session) -> None:
        """Begin at none."""
        self.session = session
        self.count = 0

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Count one, which may still be about to take down its fixtures."""
        self.count += report.when == "call" and report.passed

    @property
    def all(self) -> bool:
        """Whether every benchmark that there is ran, and none failed."""
        option = self.session.config.option
        parts = any("::" in argument for argument in self.session.config.args)
        every = {item.path for item in self.session.items} == set(FOLDER.glob("test_*.py"))
        chosen = parts or option.keyword or option.markexpr or option.deselect
        return every and not chosen and self.count == len(self.session.items)


@pytest.fixture(scope="session")
def results(request: pytest.FixtureRequest) -> Iterator[Results]:
    """Collect rows; at the end print them, and write them down if all were measured."""
    found, passed = Results(), Passed(request.session)
    request.config.pluginmanager.register(passed)
    yield found
    archs = layoutgen.archs().values()
    counts = ", ".join(f"{arch.name} {len(arch)}" for arch in archs)
    one, every = (amounts(chosen) for chosen in ([layoutgen.arch("gfx908")], archs))
    ratios = {what: f"×{every[what] / one[what]:.1f}" for what in one}
    grown = ", ".join(f"{what} {one[what]:,} → {every[what]:,} ({ratios[what]})" for what in one)
    text = f"""# Performance

Written by `make bench` on {datetime.datetime.now(datetime.UTC).date()}.

* Machine: {machine()}
* Versions: {", ".join(f"{name} {version(name)}" for name in PACKAGES)}
* Instructions: {counts}. From gfx908 to all: {grown}. A growth up to that of
  what is counted, written or shown is proportional
* Times are the best of several runs, but for what takes seconds: that runs once. Memory is the
  largest resident set of a process, its own or that of the largest of its workers
* The figure is the view of the matrix, which the targets are for

{found.text()}
"""
    print(f"\n\n{found.text()}\n")
    if passed.all:
        write_file(REPORT, text.encode())
    else:
        print(f"Not all was measured: {REPORT.name} stays as it was.")
