"""Questions and faults from public threads: asked in the terminal, they are answered right."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import layoutgen as library

DATA = json.loads((Path(__file__).parents[1] / "data" / "cases.json").read_text(encoding="utf-8"))
ARCHS = library.archs()
CASES = [pytest.param(case, id=case["id"]) for case in DATA["cases"] if case["arch"] in ARCHS]


@pytest.mark.parametrize("case", CASES)
def test_a_question_from_the_field(layoutgen, case: dict[str, Any]) -> None:
    answer = layoutgen(case["ask"])
    assert answer.code == case.get("code", 0), answer
    said = answer.out + answer.err
    unfolded = re.sub(r"\n {2}(?=\S)", " ", said)  # lines are folded to the terminal
    for pattern in case["finds"]:
        found = any(re.search(pattern, text, re.MULTILINE) for text in (said, unfolded))
        assert found, f"{pattern} is not in:\n{said}"


def test_every_case_has_a_name_of_its_own_and_asks_its_architecture() -> None:
    names = [case["id"] for case in DATA["cases"]]
    assert len(set(names)) == len(names)
    for case in DATA["cases"]:
        assert case["source"].startswith("https://github.com/")
        assert case["arch"] in f"{case['ask']} {' '.join(case['finds'])}"
        assert all(re.compile(pattern) for pattern in case["finds"])
