"""Fixtures of the validation's tests: artefacts on disk, written once, and copies to spoil."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

import layoutgen
from layoutgen import emulator
from layoutgen.validate.findings import Finding
from layoutgen.validate.generate import generate
from layoutgen.validate.run import validate
from layoutgen.validate.subject import Subject

Spoil = Callable[[str, str | re.Pattern[str], str], Path]


@pytest.fixture(scope="session")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All artefacts, as they are generated."""
    root = tmp_path_factory.mktemp("artefacts")
    generate(list(layoutgen.archs().values()), root)
    return root


@pytest.fixture
def spoil(written: Path, tmp_path: Path) -> Spoil:
    """Copy a file, and the figures of a page; replace one text in it, which must be there."""
    root = tmp_path / "spoiled"

    def copy(file: str) -> Path:
        path = root / file
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(written / file, path)
            for figure in re.findall(r"(?<!-)figure:: (\S+)", path.read_text("utf-8")):
                copy(
                    os.path.normpath(Path(file).parents[_depth(file, figure)] / figure.lstrip("/"))
                )
        return path

    def replace(file: str, text: str | re.Pattern[str], by: str) -> Path:
        path = copy(file)
        content = path.read_text(encoding="utf-8")
        pattern = text if isinstance(text, re.Pattern) else re.compile(re.escape(text))
        assert pattern.search(content), f"{file} has no {text!r}"
        path.write_text(pattern.sub(lambda _: by, content, count=1), encoding="utf-8")
        return root

    return replace


def _depth(file: str, figure: str) -> int:
    """How many folders above a page an address begins: those of fragments count from the top."""
    return len(Path(file).parents) - 2 if figure.startswith("/") else 0


@pytest.fixture(scope="session")
def subject() -> Callable[..., Subject]:
    """An instruction as the emulator knows it; of gfx908 where no architecture is named."""
    return lambda mnemonic, arch="gfx908": Subject(arch, emulator.instruction(arch, mnemonic))


def findings_in(root: Path, *mnemonics: str, arch: str = "gfx908") -> tuple[Finding, ...]:
    """What a validation of the files below `root` finds."""
    archs = [layoutgen.arch(arch)]
    return validate(archs, only=mnemonics, artefacts=root).findings


def leads_to(findings: tuple[Finding, ...], where: str, *words: str) -> None:
    """Something was found at `where`, in these words."""
    told = [str(f) for f in findings if f.where.startswith(where)]
    assert told, f"nothing found at {where}: {[str(f) for f in findings][:5]}"
    assert any(all(word in text for word in words) for text in told), told[:5]
