"""What a shared page says beside instructions: sums, peak rates, and what no check reads."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from fractions import Fraction

from layoutgen.validate import (
    arithmetic_told,
    formats_told,
    formats_used,
    read_shared,
    shared_prose,
    shared_tables,
    truth,
)
from layoutgen.validate.artefacts import rst
from layoutgen.validate.findings import Finding, Tally
from layoutgen.validate.words import NUMBER, has_number, number

KIND = "rst"
_SUM = re.compile(r"((?:[\d.]+ ?(?:GHz )?[/×] ?)+[\d.]+(?: GHz)?) = ([\d.]+)(?: (T(?:FL)?OPS))?")
_DECLARED = re.compile(r"using (v(\d+)(\w+)) = (\w+) \[\[clang::ext_vector_type\((\d+)\)\]\]")
_TAKES = re.compile(rf"\w+ elements in ({NUMBER}) VGPRs? of a lane\.")
_TITLES = {"FP32": "f32", "FP16": "f16", "BF16": "bf16", "INT8": "i8"}
_FORMATS: dict[str, Callable[[rst.Page, rst.Table], Iterator[Finding | None]]] = {
    **dict.fromkeys(formats_told.CLASSES, formats_told.check),
    "layout-formats-used": formats_used.used,
    "layout-pairs": formats_used.pairs,
    arithmetic_told.CLASS: arithmetic_told.check,
}
"""What checks a table about formats as such, by its class."""
_PER_TERA = 1000  # GHz times operations are giga-operations


def check(page: rst.Page) -> Tally:
    """Return what the sums and peak rates of a page give, and count what is not read."""
    tally = Tally()
    tally.merge(_types(page))
    for part in page.parts:
        match part:
            case rst.Table() if "layout-peak" in part.classes:
                tally.add(_peaks(page, part))
                tally.count("L0", KIND, "peak rates", len(part.rows))
            case rst.Formula() if not read_shared.formula_is_read(part):
                tally.count("L0", KIND, "formulas unread")
            case rst.Table() if reader := next(filter(None, map(_FORMATS.get, part.classes)), None):
                found = list(reader(page, part))
                tally.add(f for f in found if f is not None)
                tally.count("L0", KIND, "facts of formats", len(found))
            case rst.Table() if not shared_tables.is_read(part) and _numeric(part):
                tally.count("L0", KIND, "tables unread")
            case rst.Paragraph():
                found = list(_sums(page, part))
                tally.add(f for f in found if f is not None)
                tally.count("L0", KIND, "sums", len(found))
                unread = [] if found else shared_prose.unread(part.text)
                tally.count("L0", KIND, "sentences unread", len(unread))
            case _:
                pass
    return tally


def _types(page: rst.Page) -> Tally:
    """Declarations of vector types, and how many registers the text says that they take."""
    tally = Tally()
    registers = 0
    for part in page.parts:
        if isinstance(part, rst.Signature):
            for name, count, stem, element, size in _DECLARED.findall(part.text):
                tally.count("L0", KIND, "declared types")
                wanted = truth.ELEMENTS.get(stem, "")
                if (int(count), element) != (int(size), wanted):
                    says = f"is declared as {size} of {element}"
                    against = f"its name says {count} of {wanted}"
                    tally.add([_finding(page, part.line, name, says, against)])
                if element in truth.C_TYPES:
                    registers = int(size) * truth.C_TYPES[element][0] // 32
        elif isinstance(part, rst.Paragraph):
            told = _TAKES.match(part.text)
            if told is not None and number(told[1]) != registers:
                against = f"the type takes {registers}"
                says = f"says {told[1]} VGPRs"
                tally.add([_finding(page, part.line, "registers of a type", says, against)])
    return tally


def _numeric(table: rst.Table) -> bool:
    return any(has_number(cell.text) for row in table.rows for cell in row[1:])


def _sums(page: rst.Page, part: rst.Paragraph) -> Iterator[Finding | None]:
    """``16384 / 64 × 4 = 1024``: each is computed."""
    for match in _SUM.finditer(part.text):
        value = Fraction(1)
        sign = "×"
        for term in re.findall(r"[\d.]+|[/×]", match[1]):
            if term in "/×":
                sign = term
            else:
                value = value / Fraction(term) if sign == "/" else value * Fraction(term)
        if match[3]:
            value /= _PER_TERA
        right = match[2].rstrip(".")
        places = len(right.partition(".")[2])
        if round(float(value), places) != float(right):
            says, against = f"says {right}", f"it is {float(value):g}"
            yield _finding(page, part.line, match[1], says, against)
        else:
            yield None


def _peaks(page: rst.Page, table: rst.Table) -> Iterator[Finding]:
    """Peak = operations of a CU per cycle × CUs × clock, and as the data sheet says."""
    published = truth.rates()["peaks"]
    for gpu, inputs, per_cu, units, clock, peak in table.rows:
        row = f"{gpu.text}, {inputs.text}"
        giga = float(per_cu.text) * float(units.text) * float(clock.text.split()[0])
        said = float(peak.text.split()[0])
        if abs(giga / _PER_TERA - said) > 0.05:
            against = f"the row gives {giga / _PER_TERA:.1f}"
            yield _finding(page, peak.line, row, f"says {peak.text}", against)
        sheet = published.get(f"{gpu.text} {_TITLES.get(inputs.text, '')}")
        if sheet is None:
            continue
        for cell, wanted in ((units, sheet["compute_units"]), (clock, sheet["ghz"]),
                             (peak, sheet["published"])):  # fmt: skip
            if float(cell.text.split()[0]) != wanted:
                against = f"the data sheet has {wanted}"
                yield _finding(page, cell.line, row, f"says {cell.text}", against)


def _finding(page: rst.Page, line: int, subject: str, says: str, against: str) -> Finding:
    return Finding("L0", KIND, "", page.where(line), subject, says, against or "unchecked")
