"""What a figure says: its cells as tables, its formulas, and whether it agrees with itself."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import takewhile

import numpy as np

from layoutgen.validate import cells as cell_checks
from layoutgen.validate import margins
from layoutgen.validate.artefacts.formula import FormulaError, parse
from layoutgen.validate.artefacts.svg import Cell, FigureFile
from layoutgen.validate.codes import REGISTER_BITS, IntArray
from layoutgen.validate.evidence import Claim
from layoutgen.validate.findings import Finding, Tally
from layoutgen.validate.setting import Modifiers
from layoutgen.validate.tables import COORDINATES, SLOT_COLUMNS, OperandTable

KIND = "svg"
LINE = 20
"""At most so far apart are the lines of one text."""

_EQUATION = re.compile(
    r"\b(lane|register|bit|b|i|j|k|group) = ((?:[^=.;,]|(?<=\d)\.(?=\d))+?)"
    r"(?=(?:, (?:lane|register|bit|b|i|j|k|group) = )|[.;]|,? and |$)"
)
_OPERAND = re.compile(r"(?:^|(?<=[ .]))([ABD]|index|scale_a|scale_b): ")
_SUBTITLE = re.compile(
    r"(\d+) elements? of (\d+) bits per lane in (\d+) (?:(?:acc)?VGPR|register)s? \(([^)]*)\)"
    r"(?:; (\d+) blocks?)?"
)
_BLOCK_RULE = re.compile(r"block b reads block ([^.]*?)(?=\.|$)")
_LANE_RULE = re.compile(r"reads B from lane ([^.]*?)(?=\.|$)")
_GLOBAL_RULE = re.compile(r"lane l reads lane ([^.]*?)(?=\.|$)")


def consistency(figure: FigureFile) -> Tally:
    """Hold titles, labels, colours, axes and formulas of a figure against its cells' numbers."""
    tally = Tally()
    if not figure.cells:
        tally.add([_finding(str(figure.path), "cells", "has no cell", "nothing can be read")])
        return tally
    counts, misfits = cell_checks.check(figure)
    for name, number in counts.items():
        tally.count("L1", KIND, name, number)
    tally.add(_finding(*misfit) for misfit in misfits)
    if (printed := _heading(figure)) not in ("", figure.title):
        says, against = f"is headed {printed!r}", f"its title is {figure.title!r}"
        tally.add([_finding(str(figure.path), "heading", says, against)])
    texts, wrong = margins.check(figure)
    tally.count("L1", KIND, "texts round cells", texts)
    tally.add(_finding(str(figure.path), *misfit) for misfit in wrong)
    tally.count("L1", KIND, "figures")
    for formula in formulas(figure):
        tally.count("L1", KIND, "formulas")
        tally.add(_evaluated(figure, formula))
    return tally


def _heading(figure: FigureFile) -> str:
    """Return what is printed above all else, in strong letters."""
    rows = sorted(figure.texts, key=lambda text: text.y)
    return " ".join(t.text for t in takewhile(lambda text: "strong" in text.classes, rows))


@lru_cache(maxsize=256)
def tables(figure: FigureFile) -> Mapping[str, OperandTable]:
    """Return the cells of a figure as tables of its operands; none for patterns of modifiers."""
    found: dict[str, list[Cell]] = defaultdict(list)
    for cell in figure.cells:
        if "source" not in cell.data and cell.data.get("operand") in COORDINATES:
            found[cell.data["operand"]].append(cell)
    return {name: _table(figure, name, cells) for name, cells in found.items()}


@lru_cache(maxsize=256)
def titled(figure: FigureFile) -> Mapping[str, OperandTable]:
    """Return the titles of the cells as tables."""
    found: dict[str, list[Cell]] = defaultdict(list)
    for cell in figure.cells:
        numbers = cell_checks.title_numbers(cell)
        if "source" not in cell.data and numbers is not None:
            data = {name: str(value) for name, value in numbers.items()}
            told = Cell(data, cell.title, (), (), cell.x, cell.y, cell.width, cell.height)
            found[cell.data.get("operand", "")].append(told)
    return {
        name: _table(figure, name, cells) for name, cells in found.items() if name in COORDINATES
    }


def _table(figure: FigureFile, operand: str, cells: Sequence[Cell]) -> OperandTable:
    names = (*COORDINATES[operand], *SLOT_COLUMNS)
    rows, place = [], []
    for number, cell in enumerate(cells):
        for row in _elements([_number(cell, name) for name in names], names, cell):
            rows.append(row)
            place.append(number)
    array = np.array(rows, dtype=np.int64)
    return OperandTable(
        operand, COORDINATES[operand], array, KIND, lambda row: figure.where(cells[place[row]])
    )


def _elements(first: list[int], names: Sequence[str], cell: Cell) -> Iterator[list[int]]:
    """The elements of a cell: one, or a run of k from the lowest bit on."""
    run = cell.number("run") or 1
    register, bit, width = (names.index(name) for name in ("register", "bit", "width"))
    for n in range(run):
        row = list(first)
        start = first[register] * REGISTER_BITS + first[bit] + n * first[width]
        row[register], row[bit] = divmod(start, REGISTER_BITS)
        if run > 1:
            row[names.index("k" if "k" in names else "group")] += n
        yield row


def _number(cell: Cell, name: str) -> int:
    number = cell.number(name)
    return -1 if number is None else number


# --- modifiers --------------------------------------------------------------------------------


def lane_map(figure: FigureFile) -> tuple[Modifiers, Mapping[int, int]] | None:
    """Return the blgp code of a figure and, for each lane, the lane it reads; None without."""
    found = [c for c in figure.cells if "blgp" in c.data and "source" in c.data]
    if not found:
        return None
    lanes = {_number(c, "lane"): _number(c, "source") for c in found}
    return Modifiers(blgp=_number(found[0], "blgp")), lanes


def block_maps(figure: FigureFile) -> dict[Modifiers, tuple[int, ...]]:
    """Return, by cbsz and abid, the block of A that each block reads, in the reading followed."""
    found: dict[Modifiers, dict[int, int]] = defaultdict(dict)
    for cell in figure.cells:
        if cell.data.get("reading") == "local":
            modifiers = Modifiers(cbsz=_number(cell, "cbsz"), abid=_number(cell, "abid"))
            found[modifiers][_number(cell, "b")] = _number(cell, "source-b")
    return {m: tuple(source[b] for b in sorted(source)) for m, source in found.items()}


def sizes_named(figure: FigureFile) -> tuple[int, ...]:
    """Return the sizes that the title names: m, n and, for a product, k."""
    match = re.search(r"(\d+)×(\d+)(?:×(\d+))?", figure.title)
    return tuple(int(size) for size in match.groups() if size) if match else ()


# --- text -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class FigureFormula:
    """A formula that a figure prints: of which operand, of what, and where."""

    operand: str
    name: str
    text: str
    where: str


def formulas(figure: FigureFile) -> Iterator[FigureFormula]:
    """Yield every formula in the texts and in the description of a figure."""
    yield from _described(figure, figure.description, f"{figure.path}, description")
    for text in _joined(figure):
        yield from _described(figure, text, f"{figure.path}, text")


def _joined(figure: FigureFile) -> Iterator[str]:
    """Texts that begin at one place belong together, so that wrapped lines are read whole."""
    lines: dict[tuple[float, tuple[str, ...]], list[tuple[float, str]]] = defaultdict(list)
    for text in figure.texts:
        if text.anchor == "start":
            lines[text.x, text.classes].append((text.y, text.text))
    for column in lines.values():
        kept, last = "", 0.0
        for y, line in sorted(column):
            starts = re.match(r"(?:lane|register|bit|[bijk]) = ", line) or line[:1].isupper()
            if kept and (starts or y - last > LINE):
                yield kept
                kept = ""
            kept, last = f"{kept} {line}".strip(), y
        yield kept


def _described(figure: FigureFile, text: str, where: str) -> Iterator[FigureFormula]:
    operands = sorted({c.data.get("operand", "") for c in figure.cells})
    current = operands[0] if len(operands) == 1 else ""
    pieces = _OPERAND.split(text)
    yield from _rules(pieces[0], where, current)
    for name, piece in zip(pieces[1::2], pieces[2::2], strict=True):
        yield from _rules(piece, where, name)


def _rules(text: str, where: str, operand: str) -> Iterator[FigureFormula]:
    for match in _EQUATION.finditer(text):
        yield FigureFormula(operand, match[1], match[2], where)
    for pattern, name in (
        (_BLOCK_RULE, "source-b"), (_LANE_RULE, "source"), (_GLOBAL_RULE, "global source"),
    ):  # fmt: skip
        for match in pattern.finditer(text):
            yield FigureFormula(operand, name, match[1], where)


def _evaluated(figure: FigureFile, formula: FigureFormula) -> Iterator[Finding]:
    """Put every cell's numbers into a formula; the first that differs is named."""
    subject = f"{formula.name} = {formula.text}"
    try:
        evaluated = values_of(figure, formula)
    except (FormulaError, KeyError) as error:
        yield _finding(formula.where, subject, "cannot be read", str(error))
        return
    if evaluated is None:
        return
    chosen, found, wanted = evaluated
    for n in np.flatnonzero(found != wanted).tolist()[:1]:
        cell = chosen[n]
        says, against = f"gives {found[n]}", f"{figure.where(cell)} has {wanted[n]}"
        yield _finding(formula.where, subject, says, against)


def values_of(
    figure: FigureFile, formula: FigureFormula
) -> tuple[list[Cell], IntArray, IntArray] | None:
    """Return the cells that a formula is about, what it gives for them, and what they have.

    None if it is about no cell.  Raises :class:`FormulaError`, or KeyError for a variable that
    the cells do not have.
    """
    name, reading = formula.name, None
    if name in ("source-b", "global source"):
        reading = "global" if name.startswith("global") else "local"
        name = name.removeprefix("global ")
    chosen = [
        c for c in figure.cells
        if formula.operand in ("", c.data.get("operand"))
        and reading in (None, c.data.get("reading")) and name in c.data
    ]  # fmt: skip
    if not chosen:
        return None
    values = {
        key: np.array([_number(c, key) for c in chosen])
        for key in ("lane", "register", "bit", "b", "i", "j", "k", "group", "abid")
        if all(key in c.data for c in chosen)
    }
    values["l"] = values["lane"]
    found = np.broadcast_to(parse(formula.text)(values), len(chosen))
    return chosen, found, np.array([_number(c, name) for c in chosen])


def alternative(text: str) -> list[tuple[str, str]]:
    """Return the formulas of an alternative text: name and right side."""
    return [(match[1], match[2]) for match in _EQUATION.finditer(text)]


def without_formulas(text: str) -> str:
    """Return a text without its formulas."""
    return _EQUATION.sub("", text)


def over(text: str, table: OperandTable) -> IntArray | None:
    """Return what a formula gives for every row of a table; None if it cannot be read."""
    columns = (*table.coordinates, *SLOT_COLUMNS)
    values = {column: table.rows[:, n] for n, column in enumerate(columns)}
    try:
        return np.broadcast_to(parse(text)(values), len(table.rows))
    except (FormulaError, KeyError):
        return None


def misfit(name: str, text: str, table: OperandTable) -> tuple[str, str] | None:
    """Put every row of a table into a formula; return what it says and what stands against it."""
    found = over(text, table)
    if found is None:
        return "cannot be read", f"a formula of {', '.join(table.coordinates)}, or of the slot"
    wanted = table.rows[:, (*table.coordinates, *SLOT_COLUMNS).index(name)]
    wrong = np.flatnonzero(found != wanted)
    if not wrong.size:
        return None
    row = int(wrong[0])
    return f"gives {found[row]} for {table.element(row)}", f"{table.where(row)} has {wanted[row]}"


def claims(figure: FigureFile) -> list[Claim]:
    """Return the facts of the subtitle: elements, bits, registers and blocks."""
    operands = sorted({c.data.get("operand", "") for c in figure.cells})
    found: list[Claim] = []
    if len(operands) != 1 or (match := _SUBTITLE.search(figure.description)) is None:
        return found
    operand, where = operands[0], f"{figure.path}, description"
    fields = (f"{operand}.elements", f"{operand}.bits", f"{operand}.registers")
    found += [
        Claim(f, int(v), KIND, where) for f, v in zip(fields, match.groups()[:3], strict=True)
    ]
    found.append(Claim("blocks", int(match[5] or 1), KIND, where))
    printed = {text.text for text in figure.texts}
    if not any(match[0] in text for text in printed):
        shown = next((t for t in printed if "per lane in" in t), "")
        if second := _SUBTITLE.search(shown):
            place = f"{figure.path}, text"
            found += [
                Claim(f, int(v), KIND, place)
                for f, v in zip(fields, second.groups()[:3], strict=True)
            ]
            found.append(Claim("blocks", int(second[5] or 1), KIND, place))
    return found


def _finding(where: str, subject: str, says: str, against: str) -> Finding:
    return Finding("L1", KIND, "", where, subject, says, against)
