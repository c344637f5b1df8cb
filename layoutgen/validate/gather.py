"""All that a folder says of one instruction: its pages, figures, tables, and the shared pages."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from layoutgen import emulator
from layoutgen.emulator import Modifiers
from layoutgen.validate import read_data, read_figure, read_page, read_shared, read_tables
from layoutgen.validate.artefacts import rst, svg
from layoutgen.validate.evidence import PLAIN, Claim, Evidence, TableSet, merged
from layoutgen.validate.findings import Finding
from layoutgen.validate.folder import Folder
from layoutgen.validate.subject import Subject
from layoutgen.validate.tables import OperandTable

_SECTION = re.compile(r"Layouts? of (A|B|C and D)\b")


@dataclass
class Gathered:
    """Evidence of an instruction; facts that figures state, by figure; figures that were used."""

    evidence: Evidence
    figure_claims: dict[str, tuple[Claim, ...]] = field(default_factory=dict)
    used: set[str] = field(default_factory=set)


def gather(subject: Subject, slug: str, folder: Folder) -> Gathered:
    """Return what `folder` says of the instruction whose page is called `slug`."""
    parts: list[Evidence] = []
    found = Gathered(Evidence())
    base: Mapping[str, OperandTable] = {}
    for path in folder.data.get(slug, ()):
        parts.append(read_data.read(subject, path, folder.shown(path)))
        base = base or _first(parts[-1])
    for path in folder.pages.get(slug, ()):
        page = rst.read_page(path, folder.shown(path))
        parts.append(read_page.read(subject, page))
        parts.append(shown_figures(subject, folder, path, page, found))
        base = base or _first(parts[-2])
    parts.append(_missing(subject, slug, folder))
    if all(name in base for name in "ABD"):
        for path in folder.shared:
            page = rst.read_page(path, folder.shown(path))
            parts.append(read_shared.read(subject, page, slug, base))
        parts.append(_other_figures(subject, folder, base, found))
    found.evidence = merged(*parts)
    return found


def _first(evidence: Evidence) -> Mapping[str, OperandTable]:
    """The plain tables of the first set, if they are complete."""
    tables = evidence.sets[0].tables if evidence.sets else {}
    return tables if all(name in tables for name in "ABCD") else {}


def _missing(subject: Subject, slug: str, folder: Folder) -> Evidence:
    """A kind of file that is there for other instructions must be there for this one."""
    lost = [
        (kind, what)
        for kind, what, have in (("rst", "page", folder.pages), ("json", "table", folder.data))
        if have and slug not in have
    ]
    return Evidence(
        findings=tuple(
            Finding(
                "L1",
                kind,
                subject.mnemonic,
                str(folder.root),
                slug,
                f"no {what}",
                "others have one",
            )
            for kind, what in lost
        )
    )


# --- figures ----------------------------------------------------------------------------------


def shown_figures(
    subject: Subject, folder: Folder, path: Path, page: rst.Page, found: Gathered
) -> Evidence:
    """The figures of A, B and D that a builtin's page shows: their numbers, and their titles."""
    numbers: dict[str, OperandTable] = {}
    titles: dict[str, OperandTable] = {}
    findings = []
    for part in page.parts:
        if not isinstance(part, rst.Figure):
            continue
        section = _SECTION.search(part.section[-1]) if part.section else None
        operand = section[1][-1] if section else ""
        figure = _figure(folder, path, part, found)
        if isinstance(figure, str):
            where = page.where(part.line)
            name = subject.mnemonic
            findings.append(
                Finding("L1", "svg", name, where, part.uri, figure, "the page shows it")
            )
            continue
        told = read_figure.tables(figure)
        if operand not in told:
            where, name = page.where(part.line), subject.mnemonic
            says = f"shows {', '.join(told) or 'nothing'} under 'Layout of {operand}'"
            findings.append(
                Finding("L1", "svg", name, where, part.uri, says, "the section's operand")
            )
            continue
        numbers[operand] = within(subject, told[operand])
        titles[operand] = within(subject, read_figure.titled(figure)[operand])
        findings += _alternative(subject, page, part, numbers[operand])
    sets = []
    for name, tables in (("figures of the page", numbers), ("titles of their cells", titles)):
        if "D" in tables:
            tables["C"] = _as(tables["D"], "C")
        sets.append(TableSet(name, "svg", tables))
    return Evidence(tuple(sets) if numbers else (), (), tuple(findings))


def _figure(folder: Folder, page: Path, part: rst.Figure, found: Gathered) -> svg.FigureFile | str:
    file = folder.figure(page, part.uri)
    if file is None:
        return "there is no such file"
    try:
        figure = svg.read_figure(file, folder.shown(file))
    except ValueError as error:
        return str(error)
    found.used.add(str(figure.path))
    found.figure_claims[str(figure.path)] = tuple(read_figure.claims(figure))
    return figure


def _alternative(
    subject: Subject, page: rst.Page, part: rst.Figure, table: OperandTable
) -> Iterator[Finding]:
    """Names, sizes and formulas of an alternative text, put to the cells of the figure."""

    def find(subject_text: str, says: str, against: str) -> Finding:
        where, name = page.where(part.line), subject.mnemonic
        return Finding("L1", "rst", name, where, f"alternative text, {subject_text}", says, against)

    for name, text in read_figure.alternative(part.alt):
        wrong = read_figure.misfit(name, text, table)
        if wrong is not None:
            yield find(f"{name} = {text}", *wrong)
    g = subject.geometry
    width = subject.widths[table.operand]
    users = _users(subject, table.operand)
    for pattern, wanted in (
        (r"\d+×\d+×\d+", {f"{g.m}×{g.n}×{g.k}"}),
        (r"(?<!×)\b\d+×\d+\b(?!×)", {f"{g.m}×{g.n}"}),
        (r"(\d+)-bit elements", {str(width)}),
        (r"(\d+) instructions", {str(len(users))}),
        (r"v_\w+", users),
        (r"\bgfx\w+", {subject.arch}),
    ):
        for said in re.findall(pattern, part.alt):
            if said not in wanted:
                yield find("names and sizes", f"says {said}", f"it is {', '.join(sorted(wanted))}")


def _users(subject: Subject, operand: str) -> set[str]:
    """The instructions whose operand a figure shows, by what the emulator knows of them."""

    def key(record: emulator.Instruction) -> tuple[int, ...]:
        tile = (record.m, record.n)
        return tile if operand in "CD" else (*tile, record.k, record.a_format.bits, record.items)

    every = [emulator.instruction(subject.arch, m) for m in emulator.mnemonics(subject.arch)]
    return {record.mnemonic for record in every if key(record) == key(subject.record)}


def within(subject: Subject, table: OperandTable) -> OperandTable:
    """The blocks that the instruction has: a figure serves instructions of fewer blocks too."""
    kept = table.rows[:, 0] < subject.geometry.blocks
    places = kept.nonzero()[0].tolist()
    where = table.where
    return OperandTable(
        table.operand, table.coordinates, table.rows[kept], table.artefact,
        lambda row: where(places[row]),
    )  # fmt: skip


def _as(table: OperandTable, operand: str) -> OperandTable:
    return OperandTable(operand, table.coordinates, table.rows, table.artefact, table.where)


def _other_figures(
    subject: Subject, folder: Folder, base: Mapping[str, OperandTable], found: Gathered
) -> Evidence:
    """Products, register files, and what modifiers do, where they fit the instruction."""
    sets = []
    lanes: dict[tuple[str, Modifiers], OperandTable] = {}
    for path in folder.figures:
        try:
            figure = svg.read_figure(path, folder.shown(path))
        except ValueError:
            continue  # told by whoever checks the figure by itself
        name = str(figure.path)
        if pattern := read_figure.lane_map(figure):
            modifiers, source = pattern
            changed = read_tables.under_lanes(base["B"], source, name)
            if modifiers != PLAIN:
                lanes["B", modifiers] = changed
            found.used.add(name)
        elif maps := read_figure.block_maps(figure):
            if len(next(iter(maps.values()))) == subject.geometry.blocks:
                shared = {
                    ("A", m): read_tables.under_blocks(base["A"], source, f"{name}, {m}")
                    for m, source in maps.items()
                }
                sets.append(TableSet(name, "svg", base, shared))
                found.used.add(name)
        elif name not in found.used and _fits(subject, figure):
            told = {n: within(subject, t) for n, t in read_figure.tables(figure).items()}
            if "D" in told:
                told["C"] = _as(told["D"], "C")
            sets.append(TableSet(name, "svg", {**base, **told}))
            found.used.add(name)
            found.figure_claims[name] = tuple(read_figure.claims(figure))
    if lanes:
        sets.append(TableSet("figures of blgp", "svg", base, lanes))
    return Evidence(tuple(sets))


def _fits(subject: Subject, figure: svg.FigureFile) -> bool:
    """Whether a figure is about this instruction: by the sizes in its title and by widths.

    A and B alone are seen where a page shows them.
    """
    sizes = read_figure.sizes_named(figure)
    g = subject.geometry
    tables = read_figure.tables(figure)
    if "D" not in tables or sizes != ((g.m, g.n) if len(sizes) == 2 else (g.m, g.n, g.k)):
        return False
    return all((table.rows[:, 6] == subject.widths[name]).all() for name, table in tables.items())
