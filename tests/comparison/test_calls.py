"""What ``layoutgen.compare`` is given by mistake is told in one sentence."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import layoutgen
from layoutgen.comparison import TableError, compare, is_written_out

INST = layoutgen.arch("gfx908")["v_mfma_f32_32x32x2f32"]


@pytest.mark.parametrize("inst", ["v_mfma_f32_32x32x2f32", None, layoutgen.arch("gfx908")])
def test_what_is_no_instruction_is_told(inst: Any) -> None:
    with pytest.raises(
        TypeError, match=r"^compare takes an instruction, such as layoutgen\.arch\("
    ):
        compare(inst, "D", "64:1")


@pytest.mark.parametrize("table", [None, 5, 1.5, {"register": [[1, 0]]}])
def test_what_has_no_rows_is_told(table: Any) -> None:
    with pytest.raises(
        TypeError, match=r"^a table is text, a Path, or rows of whole numbers, not "
    ):
        compare(INST, "D", table)


@pytest.mark.parametrize("table", [[1, 2], ["abc"], [None]])
def test_what_is_no_row_is_told(table: Any) -> None:
    with pytest.raises(TypeError, match=r"^a row of a table is several whole numbers, not "):
        compare(INST, "D", table)


@pytest.mark.parametrize("path", ["/nonexist.csv", "mine.csv", "../my tables/d", "C:\\mine\\d.txt"])
def test_a_path_as_text_is_told_to_lead_nowhere(path: str) -> None:
    with pytest.raises(TableError) as caught:
        compare(INST, "D", path)
    assert str(caught.value) == f"{path}: no such file"


def test_a_path_as_text_is_told_to_be_given_as_a_path(tmp_path: Path) -> None:
    mine = tmp_path / "mine.csv"
    mine.write_text("i,j,lane,register\n0,0,0,0\n", encoding="utf-8")
    assert compare(INST, "D", mine).agreeing == 1
    with pytest.raises(
        TableError, match=r"this is the name of a file: give Path\('.*'\) to read it"
    ):
        compare(INST, "D", str(mine))


@pytest.mark.parametrize(
    "text",
    ["hello", "i,j,lane,register", "<p>1/2</p>", '{"a": "b/c"}', "# a/b.csv", "i,j,a/b\n0,0,0"],
)
def test_other_text_is_no_path(text: str) -> None:
    with pytest.raises(TableError, match=r"^table:1: "):
        compare(INST, "D", text)


def test_a_file_goes_before_a_layout_of_its_name(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert is_written_out("64:1")
    assert is_written_out(f"({'1,' * 3000}1):(1)"), "longer than a path may be"
    Path("64:1").touch()
    assert not is_written_out("64:1")
    assert not is_written_out("mine.csv")
