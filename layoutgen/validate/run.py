"""Run a validation: generate or find the artefacts, share out the work, gather the report."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from layoutgen import emulator
from layoutgen.validate import report as reports
from layoutgen.validate.findings import Finding, Tally
from layoutgen.validate.folder import KINDS, Folder, scan
from layoutgen.validate.generate import written
from layoutgen.validate.pool import Task, shared
from layoutgen.validate.report import ArchReport, Count, InstructionReport, Report, Witness
from layoutgen.validate.witnesses import published
from layoutgen.validate.witnesses.reading import IREE_FILE, TRITON_FILE
from layoutgen.validate.work import (
    Job,
    Outcome,
    check_figure,
    check_instruction,
    check_page,
    check_waits,
    figures_of,
    forget,
    tile_of,
)

if TYPE_CHECKING:
    from layoutgen.model import Architecture
    from layoutgen.processes import Progress


def validate(
    archs: Sequence[Architecture],
    *,
    only: Sequence[str] = (),
    artefacts: Path | None = None,
    spec_dirs: Sequence[Path] = (),
    jobs: int = 1,
    progress: Progress | None = None,
) -> Report:
    """Hold the artefacts of `archs` against the emulator, the compiler and the witnesses.

    `only` are mnemonics to check; all without it.  `artefacts` is a folder that ``layoutgen
    docs`` wrote; without one everything is generated into a temporary folder.
    """
    forget()
    with written(archs, artefacts, jobs) as root:
        parts = [_Part.of(arch, only, root, spec_dirs) for arch in archs]
        outcomes = _outcomes(parts, jobs, progress)
        whole = [_report(part, [outcomes[key] for key in map(_key, part.tasks)]) for part in parts]
        absent = tuple(dict.fromkeys(line for part in parts for line in part.absent()))
        if not only and {a.name for a in archs} == set(emulator.architectures()):
            used = {name for outcome in outcomes.values() for name in outcome.figures}
            lost = tuple(_unused(parts[-1].folder.figures, root, used))
            whole[-1] = replace(whole[-1], findings=tuple(sorted((*whole[-1].findings, *lost))))
    return Report(tuple(whole), absent, witnesses())


def witnesses() -> tuple[Witness, ...]:
    """Return the tools whose layouts are the labels of leg L2."""
    found = []
    for path in (IREE_FILE, TRITON_FILE):
        document = json.loads(path.read_text(encoding="utf-8"))
        found.append(Witness(document["tool"], document["version"], document["date"]))
    found += [Witness(one["tool"], one["version"], one["date"]) for one in published.tools()]
    return tuple(found)


@dataclass(frozen=True)
class _Part:
    """What is to be done of one architecture: `folder` is what there is of it.

    `others` are the instructions that are not to be checked.
    """

    arch: str
    folder: Folder
    job: Job
    mnemonics: tuple[str, ...]
    others: tuple[str, ...]
    tasks: tuple[Task[Outcome], ...]

    @classmethod
    def of(
        cls, arch: Architecture, only: Sequence[str], root: Path, spec_dirs: Sequence[Path]
    ) -> _Part:
        slugs = tuple(inst.slug for inst in arch.values())
        folder = scan(root, arch.name, slugs)
        job = Job(arch.name, tuple(spec_dirs), root, slugs)
        mnemonics = [m for m in arch if not only or m in only]
        tasks: list[Task[Outcome]] = [
            (check_instruction, job, mnemonic) for mnemonic in _heavy_first(arch, mnemonics)
        ]
        if not only:
            tasks += [(check_waits, job, arch.name)]
            tasks += [(check_page, job, path) for path in folder.shared]
            tasks += [(check_figure, job, path) for path in folder.figures]
        others = tuple(m for m in arch if m not in mnemonics)
        return cls(arch.name, folder, job, tuple(mnemonics), others, tuple(tasks))

    def absent(self) -> list[str]:
        """The kinds of artefacts that the folder does not have."""
        present = self.folder.present()
        root = self.folder.root
        return [
            f"{what}: not present in {root}" for kind, what in KINDS.items() if not present[kind]
        ]


def _key(task: Task[Outcome]) -> object:
    """A file that several architectures share is checked once."""
    function, job, what = task
    return (function, what) if isinstance(what, Path) else (function, job, what)


def _outcomes(
    parts: Sequence[_Part], jobs: int, progress: Progress | None
) -> dict[object, Outcome]:
    tasks = {_key(task): task for part in parts for task in part.tasks}
    return dict(zip(tasks, shared(list(tasks.values()), jobs, progress), strict=True))


def _report(part: _Part, outcomes: Sequence[Outcome]) -> ArchReport:
    instructions = {o.mnemonic: o for o in outcomes if o.mnemonic}
    total = Tally()
    for outcome in outcomes:
        total.merge(outcome.tally)
    total.merge(_figure_facts([*instructions.values(), *_more_users(part, instructions)]))
    counts = tuple(sorted(Count(*key, n) for key, n in total.counts.items()))
    legs = ["L0", "L1", "L3"]
    if any(tools for o in instructions.values() for tools in o.witnesses.values()):
        legs.insert(2, "L2")
    total.add(reports.nothing_checked(part.arch, counts, legs))
    if not any(part.folder.present().values()):
        says = "no page, figure or table of this architecture"
        where = str(part.folder.root)
        total.add([Finding("L1", "run", "", where, part.arch, says, "nothing can be checked")])
    order = [_instruction(instructions[m], total.findings) for m in part.mnemonics]
    return ArchReport(part.arch, counts, tuple(order), tuple(sorted(total.findings)))


def _heavy_first(arch: Architecture, mnemonics: Iterable[str]) -> list[str]:
    """Long pieces of work first, so that the processes end together."""

    def work(mnemonic: str) -> int:
        inst = arch.instructions[mnemonic]
        return -sum(1 for _ in inst.rules.combinations()) * inst.m * inst.n * inst.blocks

    return sorted(mnemonics, key=work)


def _figure_facts(outcomes: Iterable[Outcome]) -> Tally:
    """A figure serves several instructions; its text must be right for one of them."""
    best = _best(outcomes)
    total = Tally()
    for figure in sorted(best):
        total.merge(best[figure])
    return total


def _best(outcomes: Iterable[Outcome]) -> dict[str, Tally]:
    best: dict[str, Tally] = {}
    for outcome in outcomes:
        for figure, tally in outcome.figures.items():
            if figure not in best or len(tally.findings) < len(best[figure].findings):
                best[figure] = tally
    return best


def _more_users(part: _Part, checked: Mapping[str, Outcome]) -> Iterator[Outcome]:
    """Yield what figures say of instructions that nobody asked for, if only those can be right.

    Instructions of one tile share figures, each of which tells the blocks of one of them.
    """
    wrong = {name for name, tally in _best(checked.values()).items() if tally.findings}
    tiles = {tile_of(part.arch, mnemonic) for mnemonic in checked}
    for mnemonic in part.others:
        if not wrong:
            return
        if tile_of(part.arch, mnemonic) in tiles:
            outcome = Outcome(figures=figures_of(part.job, mnemonic))
            wrong -= {name for name, tally in outcome.figures.items() if not tally.findings}
            yield outcome


def _unused(figures: Iterable[Path], root: Path, used: set[str]) -> Iterator[Finding]:
    """Every figure must be about some instruction, or nothing held it against the emulator."""
    for path in figures:
        where = str(path.relative_to(root))
        if where not in used:
            yield Finding("L1", "svg", "", where, "figure", "fits no instruction", "unchecked")


def _instruction(outcome: Outcome, findings: Iterable[Finding]) -> InstructionReport:
    return InstructionReport(
        outcome.mnemonic,
        outcome.sizes,
        outcome.settings,
        outcome.products,
        outcome.labels,
        outcome.witnesses,
        sum(finding.instruction == outcome.mnemonic for finding in findings),
    )


def with_kills(report: Report, kills: Sequence[reports.KillRow]) -> Report:
    """Return the report with the kill matrix."""
    return replace(report, kills=tuple(kills))
