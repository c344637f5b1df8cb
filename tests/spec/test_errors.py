"""How problems are told: place, source line, caret, hint, code."""

from __future__ import annotations

import pickle
from typing import get_args

import pytest

from layoutgen.spec.errors import CODES, MAX_SHOWN, Code, Diagnostic, SpecError


def report(source_line: str, column: int) -> list[str]:
    return str(Diagnostic("a.yaml", 3, column, "spec-value", "no", source_line)).split("\n")


def test_every_code_is_described():
    assert set(CODES) == set(get_args(Code))
    assert all(text.endswith(".") for text in CODES.values())


def test_a_problem_is_its_place_its_text_its_code_the_line_a_caret_and_a_hint():
    found = Diagnostic("specs/a.yaml", 3, 7, "spec-value", "is 5", "wave: 5", "wanted 64")
    assert str(found) == (
        "specs/a.yaml:3:7: error: is 5 [spec-value]\n    wave: 5\n          ^\n    wanted 64"
    )


def test_an_error_is_the_report_of_all_problems_and_survives_a_process_boundary():
    problems = tuple(Diagnostic("a", n, 1, "spec-value", f"no {n}", "x") for n in (1, 2))
    error = SpecError(problems)
    assert str(error) == f"{problems[0]}\n{problems[1]}"
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


@pytest.mark.parametrize(
    ("line", "column", "blank"),
    [
        ("abc: 5", 6, "     "),
        ("\tabc: 5", 7, "\t     "),
        ("a:\tb: 5", 7, "  \t   "),
        ("行列: 5", 5, "      "),  # wide characters take two columns
        ("é: 5", 5, "    "),  # e and a combining accent take one
        ("a\x00b: 5", 6, "     "),  # a control character is shown as one picture
    ],
)
def test_the_caret_stands_under_its_column(line, column, blank):
    _, _, caret = report(line, column)
    assert caret == f"    {blank}^"


@pytest.mark.parametrize("column", [1, 500, 5000, 9999])
def test_a_long_line_is_cut_round_the_caret(column):
    line = "".join(chr(ord("a") + n % 26) for n in range(9999))
    _, shown, caret = report(line, column)
    assert len(shown) <= MAX_SHOWN + 6
    assert shown[len(caret) - 1] == line[column - 1]


def test_control_characters_and_bad_bytes_of_names_do_not_reach_the_terminal():
    found = str(Diagnostic("a\x1b[31m\udcff.yaml", 1, 1, "spec-file", "bad\nname"))
    assert "\x1b" not in found
    assert "\n" not in found
    found.encode("utf-8")
