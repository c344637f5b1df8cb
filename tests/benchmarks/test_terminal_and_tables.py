"""How long a question in the terminal and all tables take; printed, never judged."""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from collections.abc import Callable

import layoutgen
from layoutgen.export import csv_table

QUESTION = ["locate", "gfx908", "v_mfma_f32_32x32x1f32", "D", "-i", "13", "-j", "7", "-b", "1"]


def milliseconds(run: Callable[[], object], times: int) -> str:
    """Return the best and the median of several runs."""
    found = []
    for _ in range(times):
        start = time.perf_counter()
        run()
        found.append(1000 * (time.perf_counter() - start))
    return f"best {min(found):.0f} ms, median {statistics.median(found):.0f} ms"


def process(*arguments: str) -> Callable[[], object]:
    command = [sys.executable, *arguments]
    return lambda: subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def test_a_question_in_the_terminal() -> None:
    print(f"\npython -c pass: {milliseconds(process('-c', 'pass'), 15)}")
    for line in (["--help"], ["locate", "--help"], QUESTION, ["show", *QUESTION[1:3]]):
        print(f"layoutgen {' '.join(line)}: {milliseconds(process('-m', 'layoutgen', *line), 15)}")


def test_all_tables_of_all_architectures_in_both_directions() -> None:
    archs = layoutgen.archs().values()
    operands = [o for arch in archs for inst in arch.values() for o in inst.operands.values()]

    def write() -> int:
        return sum(len(csv_table(o, by=by)) for o in operands for by in ("element", "slot"))

    print(f"\n{2 * len(operands)} tables, {write():,} bytes: {milliseconds(write, 5)}")
