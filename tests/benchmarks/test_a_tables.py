"""All layouts of all instructions, both ways, in memory and written as text."""

from __future__ import annotations

import json

import layoutgen
from layoutgen.export import csv_table
from layoutgen.export.tables import by_slot
from layoutgen.model import Operand

from .conftest import Results
from .measure import best, process, spell

IN_MEMORY = """
import time, layoutgen
from layoutgen.export.tables import by_slot
archs = [layoutgen.arch("gfx908")] if {one} else list(layoutgen.archs().values())
operands = [o for arch in archs for inst in arch.values() for o in inst.operands.values()]
import numpy
start = time.perf_counter()
for operand in operands:
    rows = operand.table()
    rows[by_slot(operand, rows)]
open({path!r}, "w").write(str(time.perf_counter() - start))
"""


def operands(*names: str) -> list[Operand]:
    archs = [layoutgen.arch(name) for name in names] or layoutgen.archs().values()
    return [o for arch in archs for inst in arch.values() for o in inst.operands.values()]


def test_in_memory(results: Results, tmp_path) -> None:
    """The first time in a process: no table is there yet."""
    path = tmp_path / "seconds"

    def first(one: bool) -> tuple[float, int]:
        found = []
        for _ in range(5):
            run = process("-c", IN_MEMORY.format(one=one, path=str(path)))
            found.append((float(path.read_text()), run.memory))
        return min(found)

    (one, _), (every, memory) = first(True), first(False)
    results.add(
        f"layouts of all {len(operands())} operands both ways, in memory, after import",
        one=spell(one), every=spell(every), growth=every / one, memory=memory, target="50 ms",
    )  # fmt: skip


def test_as_text(results: Results) -> None:
    def as_csv(chosen: list[Operand]) -> None:
        for operand in chosen:
            csv_table(operand)
            csv_table(operand, by="slot")

    def as_json(chosen: list[Operand]) -> None:
        for operand in chosen:
            rows = operand.table()
            json.dumps(rows.tolist())
            json.dumps(rows[by_slot(operand, rows)].tolist())

    for what, write in (("CSV", as_csv), ("JSON", as_json)):
        one = best(lambda write=write: write(operands("gfx908")), 3)
        every = best(lambda write=write: write(operands()), 3)
        results.add(f"the same as {what}", one=spell(one), every=spell(every), growth=every / one)
