"""Answers on a terminal, which are folded, and in a pipe, where a line is a whole sentence."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

ASKED = [
    ["show", "gfx942", "v_mfma_f32_32x32x8_f16"],
    ["show", "gfx950"],
    ["diff", "gfx90a", "gfx942"],
    ["compare", "gfx908", "v_mfma_f32_32x32x2f32", "D", "((32,2),(4,4)):((1,128),(32,256))"],
]


def told(arguments: list[str], **environment: str) -> list[str]:
    result = subprocess.run(
        [sys.executable, "-m", "layoutgen", *arguments],
        env={**{k: v for k, v in os.environ.items() if k != "COLUMNS"}, **environment},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert result.stderr == ""
    return result.stdout.splitlines()


@pytest.mark.parametrize("arguments", ASKED, ids=lambda a: a[0])
def test_a_pipe_has_whole_sentences_and_columns_fold_them(arguments: list[str]) -> None:
    whole, folded = told(arguments), told(arguments, COLUMNS="60")
    assert max(map(len, whole)) > 100
    assert len(whole) < len(folded)
    assert " ".join(" ".join(whole).split()) == " ".join(" ".join(folded).split())


def test_grep_finds_all_of_a_sentence() -> None:
    (line,) = [x for x in told(ASKED[0]) if x.startswith("  wait states")]
    assert line.endswith("7 before VALU writes its C")
