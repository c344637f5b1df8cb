"""The figures that are about an instruction: those that its page shows, and the others that fit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from layoutgen.emulator.formats import F8F6F4
from layoutgen.validate import alternative_text, read_figure, read_tables
from layoutgen.validate.artefacts import rst, svg
from layoutgen.validate.evidence import Claim, Evidence, TableSet
from layoutgen.validate.findings import Finding
from layoutgen.validate.folder import Folder
from layoutgen.validate.observation import kinds_of
from layoutgen.validate.sections import about
from layoutgen.validate.setting import PLAIN, Modifiers
from layoutgen.validate.subject import Subject
from layoutgen.validate.tables import OperandTable


@dataclass
class Stated:
    """What figures state of one instruction, by the figure; a figure may be about another one.

    `claims` are facts, `formulas` findings of formulas put to all elements of an operand, with
    how many there are.
    """

    claims: dict[str, tuple[Claim, ...]] = field(default_factory=dict)
    formulas: dict[str, tuple[int, tuple[Finding, ...]]] = field(default_factory=dict)

    @property
    def figures(self) -> set[str]:
        """The figures that say something."""
        return {*self.claims, *self.formulas}


def shown_figures(
    subject: Subject,
    folder: Folder,
    path: Path,
    page: rst.Page,
    base: Mapping[str, OperandTable],
    stated: Stated,
) -> Evidence:
    """Return the figures of A, B and D that a builtin's page shows: numbers, and titles.

    `base` are tables of the whole operands, which formulas are put to.
    """
    found: dict[str, dict[tuple[str, Modifiers], OperandTable]] = {"numbers": {}, "titles": {}}
    findings = []
    for part in page.parts:
        if not isinstance(part, rst.Figure):
            continue
        operand, settings = about(subject, part.section)
        name, where = subject.mnemonic, page.where(part.line)
        whole = base if settings[0] == PLAIN else {}
        figure = _figure(subject, folder, path, part, whole, stated)
        if isinstance(figure, str):
            findings.append(
                Finding("L1", "svg", name, where, part.uri, figure, "the page shows it")
            )
            continue
        told = read_figure.tables(figure)
        if operand not in told:
            says = f"shows {', '.join(told) or 'nothing'} under 'Layout of {operand}'"
            findings.append(
                Finding("L1", "svg", name, where, part.uri, says, "the section's operand")
            )
            continue
        for modifiers in settings:
            key = operand, modifiers
            found["numbers"][key] = within(subject, told[operand])
            found["titles"][key] = within(subject, read_figure.titled(figure)[operand])
        table = base.get(operand) if settings[0] == PLAIN else None
        shown = table or told[operand]
        findings += alternative_text.misfits(subject, page, part, shown, settings[0])
    sets = []
    for kind, what in (("numbers", "figures of the page"), ("titles", "titles of their cells")):
        tables = {name: table for (name, m), table in found[kind].items() if m == PLAIN}
        if "D" in tables:
            tables["C"] = _as(tables["D"], "C")
        others = {key: table for key, table in found[kind].items() if key[1] != PLAIN}
        sets.append(TableSet(what, "svg", tables, others))
    return Evidence(tuple(sets) if found["numbers"] else (), (), tuple(findings))


def _figure(
    subject: Subject,
    folder: Folder,
    page: Path,
    part: rst.Figure,
    base: Mapping[str, OperandTable],
    stated: Stated,
) -> svg.FigureFile | str:
    file = folder.figure(page, part.uri)
    if file is None:
        return "there is no such file"
    try:
        figure = svg.read_figure(file, folder.shown(file))
    except ValueError as error:
        return str(error)
    state(subject, figure, base, stated)
    return figure


def state(
    subject: Subject,
    figure: svg.FigureFile,
    base: Mapping[str, OperandTable],
    stated: Stated,
) -> None:
    """Take the facts of a figure, and put its formulas to the whole operands."""
    name = str(figure.path)
    if name in stated.claims:
        return
    stated.claims[name] = tuple(
        claim for claim in read_figure.claims(figure) if not _of_code(subject, figure, claim)
    )
    formulas = [f for f in read_figure.formulas(figure) if f.operand in base]
    findings = []
    for formula in formulas:
        wrong = read_figure.misfit(formula.name, formula.text, base[formula.operand])
        if wrong is not None:
            subject_text = f"{formula.name} = {formula.text}"
            findings.append(
                Finding("L1", "svg", subject.mnemonic, formula.where, subject_text, *wrong)
            )
    stated.formulas[name] = (len(formulas), tuple(findings))


def _of_code(subject: Subject, figure: svg.FigureFile, claim: Claim) -> bool:
    """Whether a fact is right for another format that a code chooses."""
    operand, _, name = claim.field.partition(".")
    if subject.record.cbsz_role != "format" or name not in ("bits", "registers"):
        return False
    table = read_figure.tables(figure).get(operand)
    if table is None or operand not in ("A", "B"):
        return False
    width = int(table.rows[0, -1])
    settings = [Modifiers(cbsz=code, blgp=code) for code in range(len(F8F6F4))]
    return any(
        subject.width(operand, m) == width
        and claim.value in (width, kinds_of(subject.formed(m))[operand][1])
        for m in settings
    )


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


def other_figures(
    subject: Subject, folder: Folder, base: Mapping[str, OperandTable], stated: Stated
) -> Evidence:
    """Return products, register files, and what modifiers do, where they fit the instruction."""
    sets = []
    lanes: dict[tuple[str, Modifiers], OperandTable] = {}
    for path in folder.figures:
        try:
            figure = svg.read_figure(path, folder.shown(path))
        except ValueError:
            continue  # told by whoever checks the figure by itself
        name = str(figure.path)
        if (pattern := read_figure.lane_map(figure)) and subject.record.blgp_role == "lanes":
            modifiers, source = pattern
            changed = read_tables.under_lanes(base["B"], source, name)
            if modifiers != PLAIN:
                lanes["B", modifiers] = changed
            stated.claims.setdefault(name, ())
        elif pattern:
            continue
        elif maps := read_figure.block_maps(figure):
            if (
                subject.record.cbsz_role == "broadcast"
                and len(next(iter(maps.values()))) == subject.geometry.blocks
            ):
                shared = {
                    ("A", m): read_tables.under_blocks(base["A"], source, f"{name}, {m}")
                    for m, source in maps.items()
                }
                sets.append(TableSet(name, "svg", base, shared))
                stated.claims.setdefault(name, ())
        elif name not in stated.claims and _fits(subject, figure):
            told = {n: within(subject, t) for n, t in read_figure.tables(figure).items()}
            if "D" in told:
                told["C"] = _as(told["D"], "C")
            sets.append(TableSet(name, "svg", {**base, **told}))
            state(subject, figure, base, stated)
    if lanes:
        sets.append(TableSet("figures of blgp", "svg", base, lanes))
    return Evidence(tuple(sets))


def _fits(subject: Subject, figure: svg.FigureFile) -> bool:
    """Whether a figure is about this instruction: by the sizes in its title and by widths.

    A and B alone are seen where a page shows them.
    """
    if ("sparse" in figure.title) != subject.record.sparse:
        return False
    sizes = read_figure.sizes_named(figure)
    g = subject.geometry
    tables = read_figure.tables(figure)
    if "D" not in tables or sizes != ((g.m, g.n) if len(sizes) == 2 else (g.m, g.n, g.k)):
        return False
    return all((table.rows[:, 6] == subject.widths[name]).all() for name, table in tables.items())
