"""What the page of a builtin writes in the assembler's language: operands, and negation."""

from __future__ import annotations

import re
from collections.abc import Iterator

from layoutgen.validate.artefacts import rst
from layoutgen.validate.codes import REGISTER_BITS
from layoutgen.validate.findings import Finding, Tally
from layoutgen.validate.subject import Subject
from layoutgen.validate.words import number, register

KIND = "rst"
_ROW = "In the assembler"
_OPERAND = re.compile(r"[av](?:\d+|\[\d+:\d+\])")
_UNALIGNED = "gfx908"
"""Elsewhere several registers begin at an even one."""
_MASK = re.compile(r"neg:\[(\d+),(\d+),(\d+)\]")


def check(subject: Subject, page: rst.Page) -> Tally:
    """Hold examples for the assembler against the registers that the compiler gives."""
    tally = Tally()
    for part in page.parts:
        if isinstance(part, rst.Table):
            found = list(of_table(subject, page, part))
            tally.count("L0", KIND, "assembly", len(found))
            tally.add(one for one in found if one is not None)
    return tally


def of_table(subject: Subject, page: rst.Page, table: rst.Table) -> Iterator[Finding | None]:
    """Yield a finding, or None, for every example of one table."""
    for row in table.rows:
        if "layout-facts" in table.classes and row[0].text == _ROW:
            yield from _example(subject, page, row[1])
        elif "layout-negation" in table.classes:
            yield from _negation(subject, page, row)
        elif "layout-bytes" in table.classes:
            place = 0 if "operand-scale-a" in table.classes else 1
            yield from _bytes(subject, page, row, place)


def _example(subject: Subject, page: rst.Page, cell: rst.Cell) -> Iterator[Finding | None]:
    """``v_mfma_… a[0:31], v0, v1, a[0:31]``: D, A, B, C, or what chooses from them.

    The registers of each file begin at 0 and follow one another; C are those of D.
    """
    mnemonic, _, rest = cell.text.partition(" ")
    found = _OPERAND.findall(rest)
    names = _order(subject)
    same = mnemonic == subject.mnemonic and len(found) == len(names)
    says = f"is {mnemonic} of {len(found)} operands"
    yield _compared(subject, page, cell, same, says, f"{subject.mnemonic} of {len(names)}")
    free = {"a": 0, "v": 0}
    texts = dict(zip(names, found, strict=False))
    for name, text in texts.items():
        first, _, bits = register(text)
        count = subject.registers[name]
        begin = free[text[0]]
        if count > 1 and subject.arch != _UNALIGNED:
            begin += begin % 2
        if name == "C":
            says, against = f"C is {text}", f"D is {texts['D']}"
            yield _compared(subject, page, cell, text == texts["D"], says, against)
            continue
        free[text[0]] = begin + count
        same = (first, bits // REGISTER_BITS) == (begin, count)
        against = f"{count} from {begin} would follow"
        yield _compared(subject, page, cell, same, f"{name} is {text}", against)


def _order(subject: Subject) -> tuple[str, ...]:
    chosen = subject.operands[4:]
    return ("D", "A", "B", *chosen) if subject.record.sparse else ("D", "A", "B", "C", *chosen)


def _compared(
    subject: Subject, page: rst.Page, cell: rst.Cell, same: bool, says: str, against: str
) -> Finding | None:
    if same:
        return None
    where = page.where(cell.line)
    return Finding("L0", KIND, subject.mnemonic, where, "in the assembler", says, against)


def _negation(
    subject: Subject, page: rst.Page, row: tuple[rst.Cell, ...]
) -> Iterator[Finding | None]:
    """``neg:[1,0,1]``: bit n of the mask is entry n."""
    mask = number(row[0].text)
    wanted = [mask >> n & 1 for n in range(3)]
    for cell in row:
        if match := _MASK.fullmatch(cell.text):
            same = [int(bit) for bit in match.groups()] == wanted
            says = f"neg {mask} is written {cell.text}"
            yield _compared(subject, page, cell, same, says, f"its bits are {wanted}")


def _bytes(
    subject: Subject, page: rst.Page, row: tuple[rst.Cell, ...], place: int
) -> Iterator[Finding | None]:
    """``op_sel:[1,0,0] op_sel_hi:[0,0,0]``: the lower and the upper bit of the byte's number."""
    byte, cell = number(row[0].text), row[-1]
    low, high = ([bit if n == place else 0 for n in range(3)] for bit in (byte & 1, byte >> 1))
    wanted = f"op_sel:{low} op_sel_hi:{high}".replace(", ", ",") if byte else "none"
    says = f"byte {byte} is written {cell.text}"
    yield _compared(subject, page, cell, cell.text == wanted, says, f"it would be {wanted}")
