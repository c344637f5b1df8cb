"""Mutants of what is written: one digit changed in a page, a figure or a table on disk."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import numpy as np

from layoutgen.validate import (
    assembly,
    figures,
    hazards,
    legs,
    prose,
    read_data,
    read_figure,
    read_page,
)
from layoutgen.validate.artefacts import rst, svg
from layoutgen.validate.codes import IntArray
from layoutgen.validate.evidence import Evidence, TableSet, merged
from layoutgen.validate.folder import Folder
from layoutgen.validate.mutants.bench import Bench, Mutant, found
from layoutgen.validate.sections import about
from layoutgen.validate.tables import OperandTable


def mutants(bench: Bench, folder: Folder) -> Iterator[Mutant]:
    """Yield the mutants of the files of one instruction."""
    for path in folder.pages[bench.inst.slug][-1:]:
        yield from _of_page(bench, folder, path)
    for path in folder.data[bench.inst.slug]:
        yield from _of_data(bench, folder, path)


def _changed(text: str, at: int, chance: random.Random) -> str:
    """The text with another digit in one place."""
    digit = str((int(text[at]) + chance.randrange(1, 10)) % 10)
    return f"{text[:at]}{digit}{text[at + 1 :]}"


def _digits(text: str) -> list[int]:
    return [at for at, character in enumerate(text) if "0" <= character <= "9"]


# --- pages ------------------------------------------------------------------------------------


def _of_page(bench: Bench, folder: Folder, path: Path) -> Iterator[Mutant]:
    text = path.read_text(encoding="utf-8")
    page = rst.read_page(path, folder.shown(path))
    lines = text.split("\n")
    for kind, numbers in _places(page, lines).items():
        if not numbers:
            continue
        line = bench.random.choice(numbers)
        at = bench.random.choice(_digits(lines[line]))
        changed = [*lines]
        changed[line] = _changed(lines[line], at, bench.random)
        name = f"{page.path}:{line + 1} {changed[line].strip()}"
        read = _is_read(kind, lines[line], changed[line])
        same = kind == "formula" and _same_tables(bench, page, "\n".join(changed))
        if kind == "alternative text":
            same = _same_text(bench, page.parts, lines[line], changed[line])
        kills = _page_kills(bench, folder, path, changed)
        yield Mutant(f"page: digit in {kind}", name, kills, equivalent=same, decidable=read)
    yield from _of_figures(bench, folder, path, page)


def _page_kills(
    bench: Bench, folder: Folder, path: Path, lines: Iterable[str]
) -> Callable[[], set[str]]:
    def kills() -> set[str]:
        page = rst.parse_page(folder.shown(path), "\n".join(lines))
        base, stated = bench.plain, figures.Stated()
        shown = figures.shown_figures(bench.subject, folder, path, page, base, stated)
        evidence = merged(read_page.read(bench.subject, page), Evidence(findings=shown.findings))
        by = found(legs.run(bench.subject, evidence))
        by |= found(hazards.of_instruction(bench.subject, page))
        return by | found(assembly.check(bench.subject, page))

    return kills


def _is_read(kind: str, text: str, changed: str) -> bool:
    """Tell whether any check could see a changed digit: not every sentence is read."""
    if kind != "sentence":
        return True
    try:
        return _stated(text) != _stated(changed)
    except ValueError:
        return True


def _stated(line: str) -> list[prose.Stated]:
    parts = rst.parse_page(Path("line.rst"), line.strip()).parts
    texts = [part.text for part in parts if isinstance(part, rst.Paragraph)]
    return [one for text in texts for one in prose.stated(text, "A")[0]]


def _same_tables(bench: Bench, page: rst.Page, changed: str) -> bool:
    """Whether another formula gives the same tables: ⌊bit/13⌋ is ⌊bit/16⌋ for bits 0 and 16."""
    one = read_page.read(bench.subject, page)
    other = read_page.read(bench.subject, rst.parse_page(page.path, changed))
    if len(one.findings) != len(other.findings) or one.claims != other.claims:
        return False
    return all(
        x.tables.keys() == y.tables.keys()
        and all(np.array_equal(x.tables[name].rows, y.tables[name].rows) for name in x.tables)
        for x, y in zip(one.sets, other.sets, strict=True)
    )


def _same_text(bench: Bench, parts: Iterable[rst.Part], text: str, changed: str) -> bool:
    """Whether only a formula differs, and gives the same: 96·b is 16·b with one block."""
    one, other = read_figure.alternative(text), read_figure.alternative(changed)
    part = next(p for p in parts if isinstance(p, rst.Figure) and p.alt in text)
    table = bench.plain[about(bench.subject, part.section)[0]]
    if read_figure.without_formulas(text) != read_figure.without_formulas(changed):
        return False
    pairs = zip(one, other, strict=True)
    values = [(read_figure.over(x[1], table), read_figure.over(y[1], table)) for x, y in pairs]
    return all(x is not None and y is not None and np.array_equal(x, y) for x, y in values)


def _places(page: rst.Page, lines: list[str]) -> dict[str, list[int]]:
    """Lines with digits that are read, by what they are; counted from 0."""
    kinds: dict[str, list[int]] = {}
    for part in page.parts:
        match part:
            case rst.Table():
                kind = next(c for c in part.classes if c.startswith("layout-"))
                kind = f"table ({kind.removeprefix('layout-')})"
                rows = [cell.line - 1 for row in part.rows for cell in row]
            case rst.Formula():
                kind, rows = "formula", list(range(part.line - 1, part.line + 6))
                rows = [n for n in rows if "&=" in lines[n] or "\\sum" in lines[n]]
            case rst.Figure():
                kind = "alternative text"
                rows = [n for n in range(part.line - 2, part.line + 4) if ":alt:" in lines[n]]
            case rst.Paragraph() if prose.stated(part.text, "A")[0]:
                kind, rows = "sentence", [part.line - 1]
            case rst.Paragraph() if prose.EXAMPLE.search(part.text):
                kind, rows = "example", [part.line - 1]
            case rst.Signature():
                kind, rows = "signature", [part.line - 1]
            case _:
                continue
        kinds.setdefault(kind, []).extend(n for n in rows if _digits(lines[n]))
    return kinds


# --- figures ----------------------------------------------------------------------------------

_SPOTS = {
    "a cell's data": re.compile(rb'data-(?:lane|i|j|k|b|register|bit)="(\d+)"'),
    "a cell's label": re.compile(rb"<path[^>]*/><text[^>]*>[^<\d]*(\d+)"),
    "a cell's title": re.compile(rb"<g[^>]*><title>[^<]*?(\d+)[^<]*</title>"),
    "an axis": re.compile(rb"<text[^>]*anchor=[^>]*>(\d+)</text>"),
    "a formula": re.compile(rb"<text[^>]*>(?:lane|register|bit) = [^<]*?(\d+)[^<]*</text>"),
    "the description": re.compile(rb"<desc[^>]*>[^<]*? = [^<]*?(\d+)[^<]*</desc>"),
}


def _of_figures(bench: Bench, folder: Folder, path: Path, page: rst.Page) -> Iterator[Mutant]:
    """One figure of the page for each kind of spot, in turn."""
    parts = [part for part in page.parts if isinstance(part, rst.Figure)]
    for number, (kind, pattern) in enumerate(_SPOTS.items()):
        part = parts[number % len(parts)]
        file = folder.figure(path, part.uri)
        assert file is not None, "the page was found sound before"
        content = file.read_bytes()
        spots = [m.span(1) for m in pattern.finditer(content)]
        if not spots:
            continue
        first, last = bench.random.choice(spots)
        at = bench.random.randrange(first, last)
        digit = str((content[at] - 48 + bench.random.randrange(1, 10)) % 10).encode()
        changed = content[:at] + digit + content[at + 1 :]
        before = content[max(0, at - 20) : at].decode(errors="replace")
        name = f"{folder.shown(file)}, byte {at}: {before}"
        same = kind in ("a formula", "the description") and _same_values(bench, content, changed)
        kills = _figure_kills(bench, folder, file, changed)
        yield Mutant(f"figure: digit in {kind}", name, kills, equivalent=same)


def _same_values(bench: Bench, content: bytes, changed: bytes) -> bool:
    """Whether the formulas of two figures give the same numbers for all elements."""
    pairs = zip(_evaluated(bench, content), _evaluated(bench, changed), strict=False)
    return all(x is not None and y is not None and np.array_equal(x, y) for x, y in pairs)


def _evaluated(bench: Bench, content: bytes) -> Iterator[IntArray | None]:
    figure = svg.parse_figure(Path("figure.svg"), content)
    for formula in read_figure.formulas(figure):
        table = bench.plain.get(formula.operand)
        yield read_figure.over(formula.text, table) if table is not None else None


def _figure_kills(
    bench: Bench, folder: Folder, file: Path, content: bytes
) -> Callable[[], set[str]]:
    def kills() -> set[str]:
        figure = svg.parse_figure(folder.shown(file), content)
        stated = figures.Stated()
        figures.state(bench.subject, figure, bench.plain, stated)
        legs_found = found(read_figure.consistency(figure))
        legs_found |= {f.leg for _, wrong in stated.formulas.values() for f in wrong}
        told = {
            name: figures.within(bench.subject, table)
            for name, table in read_figure.tables(figure).items()
        }
        evidence = Evidence((TableSet("mutant", "svg", {**bench.plain, **told}),))
        return legs_found | found(legs.run(bench.subject, evidence, ("L1", "L2", "L3")))

    return kills


# --- tables as JSON ---------------------------------------------------------------------------


def _of_data(bench: Bench, folder: Folder, path: Path) -> Iterator[Mutant]:
    document = json.loads(path.read_text(encoding="utf-8"))
    shown = folder.shown(path)
    for operand in "ABCD":
        number = next(n for n, t in enumerate(document["tables"]) if t["operand"] == operand)
        rows = document["tables"][number]["rows"]
        row, column = bench.random.randrange(len(rows)), bench.random.randrange(7)
        old = rows[row][column]
        new = old + bench.random.choice((1, 2, 4))
        name = f"{shown}, table {number}, row {row}, column {column}: {old} to {new}"
        yield Mutant(
            "JSON: number in a row",
            name,
            _data_kills(bench, shown, document, operand, (row, column, new)),
        )
    told = ("m", "blocks", "ops", "cycles", "coexec_cycles")
    for field in (name for name in told if document["facts"][name] is not None):
        facts = {**document["facts"], field: document["facts"][field] + 1}
        changed = {**document, "facts": facts, "tables": []}
        name = f"{shown}, facts, {field}"
        yield Mutant("JSON: number in the facts", name, _fact_kills(bench, shown, changed))


def _data_kills(
    bench: Bench,
    shown: Path,
    document: dict[str, object],
    operand: str,
    change: tuple[int, int, int],
) -> Callable[[], set[str]]:
    def kills() -> set[str]:
        row, column, new = change
        table: OperandTable = bench.plain[operand]
        rows = table.rows.copy()
        rows[row, column] = new
        return bench.run({**bench.plain, operand: table.with_rows(rows)})

    return kills


def _fact_kills(bench: Bench, shown: Path, document: dict[str, object]) -> Callable[[], set[str]]:
    def kills() -> set[str]:
        evidence = read_data.from_document(bench.subject, shown, document)
        return found(legs.run(bench.subject, evidence, ("L0",)))

    return kills
