"""The same bytes with any hash seed: answers, and all that ``docs`` writes."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

SEEDS = ("1", "2", "77")


def with_seed(seed: str, *arguments: object) -> str:
    result = subprocess.run(
        [sys.executable, "-m", "layoutgen", *map(str, arguments)],
        env={**os.environ, "PYTHONHASHSEED": seed},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert (result.returncode, result.stderr) == (0, "")
    return result.stdout


def same(asked: Callable[[str], object]) -> bool:
    first, *others = map(asked, SEEDS)
    return all(other == first for other in others)


@pytest.mark.parametrize(
    "arguments",
    [
        "diff gfx90a gfx942",
        "diff gfx908 gfx950 -f json",
        "show gfx950 v_mfma_scale_f32_16x16x128_f8f6f4 -f json",
        "show gfx942 v_smfmac_f32_16x16x64_bf8_fp8 -f json",
        "show gfx942",
        "export gfx90a -f json",
        "which gfx950 --a f16 --d f32",
        "hazards gfx942 -q",
        "probe gfx950",
    ],
)
def test_answers(arguments: str) -> None:
    assert same(lambda seed: with_seed(seed, *arguments.split()))


@pytest.mark.parametrize("tree", ["site", "amd"])
def test_pages_and_figures(tree: str, tmp_path: Path) -> None:
    def files(seed: str) -> dict[str, bytes]:
        root = tmp_path / seed
        with_seed(seed, "docs", "-q", "--tree", tree, "-o", root)
        every = (path for path in root.rglob("*") if path.is_file())
        return {str(path.relative_to(root)): path.read_bytes() for path in every}

    assert same(files)
