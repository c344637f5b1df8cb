"""Tables of the page that compares architectures, as far as they concern one instruction."""

from __future__ import annotations

import re

from layoutgen.validate.artefacts import rst
from layoutgen.validate.evidence import Value
from layoutgen.validate.shared_base import Shared
from layoutgen.validate.words import Unreadable, names, number, span

_RATE = re.compile(r"(\d+) cycles, (\d+)(?: with 8-bit A or B)?")
_NARROW = re.compile(r"(\d+) cycles, \d+ with at most 6 bits")
_SPELLED = re.compile(r"(\w+) on ((?:gfx\w+(?:, | and )?)+)")
_FACTS = {
    "cycles": "cycles",
    "cycles that VALU work overlaps": "coexec",
    "operations per cycle and CU": "per_cu",
}


def where(page: Shared, table: rst.Table) -> None:
    """Read cycles and rates of the instruction in the column of its architecture."""
    if page.subject.arch not in table.header:
        return
    column = table.header.index(page.subject.arch)
    for row in table.rows:
        if page.listed(names(row[0].text)):
            cell = row[column]
            rate, _, narrow = cell.text.partition("; ")
            told = _RATE.fullmatch(rate)
            if told is None:
                page.find(cell.line, "cycles", f"says {cell.text}", "there is such an instruction")
                continue
            page.claim("cycles", int(told[1]), cell.line)
            page.claim("per_cu", int(told[2]), cell.line)
            if few := _NARROW.fullmatch(narrow):
                page.claim("narrow cycles", int(few[1]), cell.line)


def spellings(page: Shared, table: rst.Table) -> None:
    """Read how the assembler spells the instruction on its architecture."""
    for name, mnemonics in table.rows:
        if page.listed(names(name.text)):
            for spelled, on in _SPELLED.findall(mnemonics.text):
                if page.subject.arch in names(on):
                    page.claim("mnemonic", spelled, mnemonics.line)


def changes(page: Shared, table: rst.Table) -> None:
    """Read what a fact is on the architecture of the instruction, if it differs from another."""
    if page.subject.arch not in table.header:
        return
    column = table.header.index(page.subject.arch)
    for row in table.rows:
        if page.listed(names(row[-1].text)):
            cell = row[column]
            for field, value in _fact(row[0].text, cell.text):
                page.claim(field, value, cell.line)


def _fact(name: str, text: str) -> list[tuple[str, Value]]:
    if name in _FACTS and text[:1].isdigit():
        return [(_FACTS[name], number(text))]
    if name == "subnormal numbers":
        return [("subnormals", text)]
    if of_operand := re.fullmatch(r"(type|registers) of (\w+)", name):
        kind, operand = of_operand.groups()
        if kind == "type":
            return [(f"{operand}.title", text)]
        return [(f"{operand}.registers", number(text))] if text.isdigit() else []
    legal = re.fullmatch(r"legal (cbsz|blgp|neg|op_sel_[ab])", name)
    if legal is None or text in ("none", "as neg"):
        return []
    try:
        return [(legal[1], tuple(span(text)))]
    except Unreadable:
        return []
