"""All layouts of all instructions, both ways, in memory and written as text."""

from __future__ import annotations

from pathlib import Path
from statistics import median

import layoutgen

from .conftest import Results
from .measure import process, spell

TIMED = """
import json, time, layoutgen
from layoutgen.export import csv_table
from layoutgen.export.tables import by_slot
archs = [layoutgen.arch("gfx908")] if {one} else list(layoutgen.archs().values())
operands = [o for arch in archs for inst in arch.values() for o in inst.operands.values()]
import numpy
def in_memory(operand):
    rows = operand.table()
    rows[by_slot(operand, rows)]
def as_csv(operand):
    csv_table(operand)
    csv_table(operand, by="slot")
def as_json(operand):
    rows = operand.table()
    json.dumps(rows.tolist())
    json.dumps(rows[by_slot(operand, rows)].tolist())
start = time.perf_counter()
for operand in operands:
    {write}(operand)
open({path!r}, "w").write(str(time.perf_counter() - start))
"""
ROWS = (
    ("in_memory", "in memory, after import", 0.05),
    ("as_csv", "as CSV", None),
    ("as_json", "as JSON", None),
)


def measured(write: str, one: bool, path: Path) -> tuple[list[float], int]:
    """Seconds in fresh processes, where no table is there yet, and the largest peak."""
    seconds, peaks = [], []
    for _ in range(5):
        run = process("-c", TIMED.format(write=write, one=one, path=str(path)))
        seconds.append(float(path.read_text(encoding="utf-8")))
        peaks.append(run.memory)
    return seconds, max(peaks)


def test_all_tables(results: Results, tmp_path: Path) -> None:
    count = sum(len(i.operands) for arch in layoutgen.archs().values() for i in arch.values())
    for write, what, limit in ROWS:
        one, _ = measured(write, True, tmp_path / "seconds")
        every, memory = measured(write, False, tmp_path / "seconds")
        results.add(
            f"layouts of all {count} operands both ways, {what}",
            one=spell(min(one)),
            every=f"{spell(min(every))}, median {spell(median(every))}",
            growth=min(every) / min(one),
            memory=memory,
            target=spell(limit) if limit else "",
            met=median(every) < limit if limit else None,
        )
