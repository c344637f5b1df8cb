"""Programs that the pages quote and offer for download."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from layoutgen.model import Architecture

POLICY = "matrix_multiply_cdna_mfma.hip"
"""The matrix multiplication with a compute policy."""


def folder() -> Path:
    """Return the folder of the programs that come with the package."""
    installed = Path(__file__).parents[1] / "examples"
    return installed if installed.is_dir() else Path(__file__).parents[2] / "examples"


@cache
def text(name: str) -> str:
    """Return the text of a program."""
    return (folder() / name).read_text(encoding="utf-8")


def runs_on(name: str, arch: Architecture) -> bool:
    """Tell whether an architecture has every builtin that a program calls."""
    return all(builtin in arch for builtin in re.findall(r"__builtin_amdgcn_\w+", text(name)))
