"""``layoutgen completion``: the shells' scripts, and the words that they are given."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

CASES = [
    ([""], {"list", "show", "locate", "element", "table", "figure", "docs", "schema", "--help"}),
    (["sh"], {"show"}),
    (["show", ""], {"gfx908", "cdna1", "mi100"}),
    (["show", "gfx908", "v_mfma_f32_4x4x1f"], {"v_mfma_f32_4x4x1f32"}),
    (["show", "-q", "gfx908", "__builtin_amdgcn_mfma_i32_4"],
     {"__builtin_amdgcn_mfma_i32_4x4x4i8"}),
    (["table", "gfx908", "v_mfma_f32_4x4x1f32", ""], {"A", "B", "C", "D"}),
    (["table", "gfx908", "v_mfma_f32_4x4x1f32", "D", "--by", ""],
     {"element", "slot", "grid", "matrix"}),
    (["table", "gfx908", "v_mfma_f32_4x4x1f32", "D", "--form"], {"--format"}),
    (["list", "--format", "js"], {"json"}),
    (["completion", ""], {"bash", "zsh", "fish"}),
    (["which", "gfx9"], {"gfx908"}),
    (["which", "gfx908", "mi"], {"mi100"}),
    (["diff", "gfx908", "cd"], {"cdna1"}),
    (["export", "gfx908", "v_mfma_f32_32x32x1"], {"v_mfma_f32_32x32x1f32"}),
    (["export", "gfx908", "v_mfma_f32_4x4x1f32", "--format", "lin"], {"linear-layout"}),
    (["compare", "gfx908", "v_mfma_f32_4x4x1f32", ""], {"A", "B", "C", "D"}),
    (["format", "gfx950", "fp"], {"fp8", "fp6", "fp4"}),
    (["format", "mi3"], {"mi300x", "mi355x"}),
    (["hazards", "gfx942", "v_smfmac_f32_16x16x32"], {"v_smfmac_f32_16x16x32_f16"}),
    (["locate", "gfx942", "v_smfmac_f32_16x16x32_f16", "i"], {"index"}),
    (["locate", "gfx950", "v_mfma_scale_f32_32x32x64_f8f6f4", "s"], {"scale_a", "scale_b"}),
    (["locate", "gfx950", "v_mfma_scale_f32_32x32x64_f8f6f4", "D", "--g"], {"--group"}),
    (["which", "--a", "f"], {"f16", "f32", "f64", "fp4", "fp8"}),
    (["which", "mi100", "--a", "f16", "--d", ""], {"f32", "i32"}),
]  # fmt: skip
NOTHING = [
    ["frobnicate", ""],
    ["show", "gfx7", "v_"],
    ["list", "-o", ""],
    ["table", "gfx908", "v_mfma_f32_4x4x1f32", "D", ""],
    ["table", "gfx908", "nonsense", ""],
    ["compare", "gfx908", "v_mfma_f32_4x4x1f32", "D", ""],  # files, which the shell completes
    ["which", "gfx908", "--a", "fp"],
    ["which", "gfx908", "-m", ""],
]


@pytest.mark.parametrize(("words", "expected"), CASES)
def test_candidates(ask, words: list[str], expected: set[str]) -> None:
    assert set(ask("complete-words", *words).out.split()) >= expected


@pytest.mark.parametrize("words", NOTHING)
def test_no_candidates(ask, words: list[str]) -> None:
    assert ask("complete-words", *words).out.split() == []


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_every_shell_has_a_script_that_it_accepts(ask, shell: str, tmp_path: Path) -> None:
    script = ask(f"completion {shell}").out
    assert "layoutgen complete-words" in script
    if program := shutil.which(shell):
        path = tmp_path / "script"
        path.write_text(script, encoding="utf-8")
        subprocess.run([program, "-n", path], check=True)


def test_fish_offers_files_where_there_are_no_words(ask) -> None:
    script = ask("completion fish").out
    (files,) = [line for line in script.splitlines() if line.endswith(" -F")]
    assert "-n 'test -z (__layoutgen_words" in files


def test_bash_completes() -> None:
    program = (
        'eval "$(layoutgen completion bash)"; '
        "COMP_WORDS=(layoutgen show gfx908 v_mfma_f32_4x4x1f); COMP_CWORD=3; "
        '_layoutgen; echo "${COMPREPLY[@]}"'
    )
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    result = subprocess.run(
        ["bash", "-c", program],
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        check=True,
    )
    assert result.stdout == "v_mfma_f32_4x4x1f32\n"
