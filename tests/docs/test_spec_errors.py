"""The page of specification errors lists every code with its meaning."""

from __future__ import annotations

import re

from docs_pages import ROOT

from layoutgen.spec.errors import CODES


def test_the_table_of_codes_is_that_of_the_package() -> None:
    page = (ROOT / "docs/development/spec-errors.rst").read_text("utf-8")
    listed = dict(re.findall(r"   \* - ``(spec-[a-z-]+)``\n     - (.+)\n", page))
    assert listed == {code: re.sub(r"`(\w+)`", r"``\1``", text) for code, text in CODES.items()}
