"""``-o``: the format follows from the suffix, and a file is whole or not there."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

D = "table gfx908 v_mfma_f32_32x32x1f32 D --lane 0"


@pytest.mark.parametrize(
    ("name", "form"),
    [
        ("d.csv", "csv"),
        ("d.json", "json"),
        ("d.md", "markdown"),
        ("d.rst", "rst"),
        ("d.adoc", "asciidoc"),
        ("d.html", "html"),
        ("d.txt", "text"),
        ("d", "text"),
        ("d.log", "text"),
    ],
)
def test_the_suffix_says_the_format(ask, tmp_path: Path, name: str, form: str) -> None:
    path = tmp_path / name
    assert ask(f"{D} -o", path).out == ""
    assert path.read_text(encoding="utf-8") == ask(f"{D} --format {form}").out


def test_an_explicit_format_wins(ask, tmp_path: Path) -> None:
    path = tmp_path / "d.csv"
    ask(f"{D} --format json -o", path)
    assert json.loads(path.read_text(encoding="utf-8"))["operand"] == "D"


def test_an_equal_file_is_not_touched_and_a_different_one_is_replaced(ask, tmp_path: Path) -> None:
    path = tmp_path / "d.csv"
    ask(f"{D} -o", path)
    before = path.stat()
    ask(f"{D} -o", path)
    assert path.stat().st_mtime_ns == before.st_mtime_ns
    assert path.stat().st_ino == before.st_ino
    path.write_text("old", encoding="utf-8")
    ask(f"{D} -o", path)
    assert path.read_text(encoding="utf-8").startswith("b,i,j,")
    assert os.listdir(tmp_path) == ["d.csv"]  # noqa: PTH208


def test_a_device_is_written_to_and_not_replaced(ask) -> None:
    ask(f"{D} -o /dev/null")
    assert Path("/dev/null").is_char_device()


def test_a_dash_is_standard_output(ask) -> None:
    assert ask(f"{D} -o -").out == ask(D).out


def test_verbose_tells_what_the_answer_rests_on(layoutgen) -> None:
    question = "locate gfx908 v_mfma_f32_32x32x1f32 D -i 13 -j 7 -b 1"
    plain, verbose = layoutgen(question), layoutgen(f"{question} -v")
    assert verbose.out == plain.out
    files, layout = verbose.err.splitlines()
    assert files.startswith("layoutgen: note: gfx908 is specified in ")
    assert "tile-32x32.yaml" in files
    assert layout.startswith("layoutgen: note: layout of D of v_mfma_f32_32x32x1f32 on gfx908: ")
    assert "run on silicon" in layout
    assert "sources: " in layout


def test_quiet_and_verbose_exclude_one_another(layoutgen) -> None:
    answer = layoutgen("list -q -v")
    assert answer.code == 2
    assert "not allowed with argument -q/--quiet" in answer.err
