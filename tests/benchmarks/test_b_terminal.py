"""One question in the terminal, and what it imports."""

from __future__ import annotations

import re
import subprocess
import sys

from .conftest import Results
from .measure import ENVIRONMENT, layoutgen, process, spell

QUESTION = ["locate", "gfx908", "v_mfma_f32_32x32x1f32", "D", "-i", "13", "-j", "7", "-b", "1"]
LATER = ["locate", "gfx950", "v_mfma_f32_32x32x16_f16", "D", "-i", "13", "-j", "7"]


def test_wall_time(results: Results) -> None:
    start = process("-c", "pass", times=20)
    results.add("python -c pass", every=str(start), memory=start.memory)
    limit = start.seconds * 120 / 15
    asked = f"120 ms where python -c pass takes 15 ms: {spell(limit)} here"
    for line, target in (
        (QUESTION, asked),
        (LATER, "the same"),
        (["--help"], ""),
        (["show", *QUESTION[1:3]], ""),
        (["table", *QUESTION[1:4], "--format", "csv"], ""),
    ):
        run = layoutgen(*line, times=20)
        results.add(
            f"layoutgen {' '.join(line)}", every=str(run), memory=run.memory, target=target,
            met=run.seconds < limit if target else None,
        )  # fmt: skip


def test_import_profile(results: Results) -> None:
    """The modules that take longest by themselves."""
    told = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "layoutgen", *QUESTION],
        capture_output=True, text=True, check=True, env=ENVIRONMENT,
    ).stderr  # fmt: skip
    found = re.findall(r"import time:\s+(\d+) \|\s+\d+ \|\s*(\S+)", told)
    total = sum(int(own) for own, _ in found)
    slowest = sorted(((int(own), name) for own, name in found), reverse=True)[:5]
    named = ", ".join(f"{name} {own / 1000:.1f}" for own, name in slowest)
    results.notes.append(
        f"The question imports {len(found)} modules in {spell(total / 1e6)} (under -X importtime); "
        f"the slowest by themselves, in ms: {named}"
    )
