"""The page of number formats, held against the emulator's own reading of every code."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from functools import cache

import numpy as np

from layoutgen.emulator import formats
from layoutgen.emulator.formats import Format
from layoutgen.validate.artefacts import rst
from layoutgen.validate.findings import Finding
from layoutgen.validate.truth import TITLES
from layoutgen.validate.words import names, span

KIND = "rst"
CLASSES = frozenset({"layout-fields", "layout-ranges", "layout-codes", "layout-specials"})
_ALL = 16
"""Formats of so many bits have few enough codes to read them all."""

FORMATS = {TITLES[one.name]: one for one in vars(formats).values() if isinstance(one, Format)}
FORMATS["Scale"] = formats.E8M0


def check(page: rst.Page, table: rst.Table) -> Iterator[Finding | None]:
    """Yield a finding, or None, for every fact of a table of number formats."""
    for first, *cells in table.rows:
        for name, cell in zip(table.header[1:], cells, strict=True):
            if "layout-codes" in table.classes:
                title, wanted = name, _read(FORMATS[name], _code(first.text))
                right = _same(_number(cell.text), wanted) and _twice(first.text)
            else:
                title = first.text
                one = FORMATS[title]
                if one.integer:
                    continue
                if "layout-specials" in table.classes:
                    right, wanted = _special(one, name, cell.text)
                elif "layout-fields" in table.classes:
                    row = dict(zip(table.header[1:], (c.text for c in cells), strict=True))
                    right, wanted = _fields(one, row), 1.0
                else:
                    right, wanted = _range(one, name, cell.text)
            if right:
                yield None
            else:
                where, says = page.where(cell.line), f"says {cell.text}"
                against = f"the emulator reads {wanted:g}"
                yield Finding("L0", KIND, "", where, f"{title}, {name}", says, against)


def _read(one: Format, code: int) -> float:
    if one.bits <= _ALL:
        return _every(one)[code]
    unsigned = np.uint64 if one.bits > 32 else np.uint32
    return float(one.decode(np.array([code], dtype=unsigned))[0])


@cache
def _every(one: Format) -> list[float]:
    """Return the numbers of all codes."""
    found: list[float] = one.decode(np.arange(1 << one.bits, dtype=np.uint32)).tolist()
    return found


def _code(text: str) -> int:
    """A code as the page writes it: 0x7F, 127 (0x7F)."""
    return int(text.rpartition("0x")[2].rstrip(")"), 16)


def _twice(text: str) -> bool:
    """Whether a code that is told twice is the same: 127 (0x7F)."""
    decimal = re.match(r"(\d+) \(", text)
    return decimal is None or int(decimal[1]) == _code(text)


def _number(text: str) -> float:
    """A number as the page writes it: 2^−14, 1.7977·10^308, −0, ∞."""
    plain = text.replace("−", "-").replace("∞", "inf")
    if match := re.fullmatch(r"(-?)(?:([\d.]+)·)?(\d+)\^(-?\d+)", plain):
        sign = -1 if match[1] else 1
        return sign * float(match[2] or 1) * float(match[3]) ** int(match[4])
    return float(plain)


def _same(told: float, wanted: float) -> bool:
    if math.isnan(wanted):
        return math.isnan(told)
    return told == wanted and math.copysign(1, told) == math.copysign(1, wanted)


def _fields(one: Format, row: dict[str, str]) -> bool:
    """1, -1 and 1.5 have the codes that follow from the fields."""
    bias, exponent = int(row["Bias"]), span(row["Exponent bits"])
    code = bias << exponent.start
    values = [_read(one, code) == 1.0]
    if row["Sign bit"] != "none":
        values.append(_read(one, code | 1 << int(row["Sign bit"])) == -1.0)
    if row["Mantissa bits"] != "none":
        mantissa = span(row["Mantissa bits"])
        values.append(_read(one, code | 1 << mantissa[-1]) == 1.5)
        values.append(mantissa == range(exponent.start))
    signed = row["Sign bit"] != "none"
    values.append(exponent.stop == one.bits - signed)
    return all(values)


def _range(one: Format, name: str, text: str) -> tuple[bool, float]:
    if name.startswith("Code of"):
        value = _read(one, _code(text))
        return value == 1.0, value
    if name == "Smallest normal":
        wanted = 2.0**one.least_exponent
        return _number(text) == wanted, wanted
    if one.bits > _ALL:
        info = np.finfo(np.float64 if one.bits > 32 else np.float32)
        wanted = float(info.max if name == "Largest" else info.smallest_subnormal)
    else:
        values = _every(one)
        finite = [v for v in values if math.isfinite(v) and v > 0]
        if text == "none":
            return min(finite) == 2.0**one.least_exponent, min(finite)
        wanted = max(finite) if name == "Largest" else min(finite)
    if match := re.fullmatch(r"([\d.]+)·10\^(\d+)", text):
        return f"{wanted:.4e}" == f"{match[1]}e+{int(match[2]):02}", wanted
    return _number(text) == wanted, wanted


def _special(one: Format, name: str, text: str) -> tuple[bool, float]:
    """Codes of infinities or NaN: each is one, and the codes beside them are none."""
    if name == "Negative zero":
        value = _read(one, 1 << (one.bits - 1))
        return (value == 0 and math.copysign(1, value) < 0) == (text == "yes"), value
    if one is formats.XF32:
        one = formats.F32  # as it is stored: the page says so
    is_such = math.isinf if name == "Infinities" else math.isnan
    told = [] if text == "none" else [_codes(part) for part in names(text)]
    every = range(1 << one.bits) if one.bits <= _ALL else _edges(told, one.bits)
    for code in every:
        value = _read(one, code)
        if is_such(value) != any(first <= code <= last for first, last in told):
            return False, value
    return True, 0.0


def _codes(text: str) -> tuple[int, int]:
    first, _, last = text.partition(" to ")
    return _code(first), _code(last or first)


def _edges(told: list[tuple[int, int]], bits: int) -> list[int]:
    """First and last code of each range, what lies beside them, and the ends of all codes."""
    ends = {0, (1 << bits) - 1, *(code for span_ in told for code in span_)}
    beside = {code + step for code in ends for step in (-1, 0, 1)}
    return sorted(code for code in beside if 0 <= code < 1 << bits)
