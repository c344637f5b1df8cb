"""Leg L4: make the mutants, run them, and count which legs killed them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from layoutgen import emulator
from layoutgen.validate.folder import scan
from layoutgen.validate.generate import written
from layoutgen.validate.mutants import rules, settings, specs, tables, texts
from layoutgen.validate.mutants.bench import Bench, Verdict, judge
from layoutgen.validate.pool import Task, shared
from layoutgen.validate.report import KillRow
from layoutgen.validate.subject import Subject
from layoutgen.validate.work import Job, arch_of, forget

if TYPE_CHECKING:
    from layoutgen.model import Architecture
    from layoutgen.processes import Progress

MOST_INSTRUCTIONS = 30
"""With more, one instruction of each family and architecture stands for all of them."""

CHUNK = 12
"""So many changes of the specifications make one piece of work."""


def matrix(
    archs: Sequence[Architecture],
    *,
    only: Sequence[str] = (),
    artefacts: Path | None = None,
    spec_dirs: Sequence[Path] = (),
    jobs: int = 1,
    progress: Progress | None = None,
) -> tuple[KillRow, ...]:
    """Return the kill matrix: what became of every mutant, by kind.

    `only` are mnemonics whose mutants are made; with it the specifications are not mutated.
    Without it mutants are made of the instructions that :func:`chosen` returns.
    `artefacts` has the files to spoil, all kinds of them; without it they are generated.
    """
    verdicts: list[Verdict] = []
    mnemonics = chosen(archs, only)
    forget()
    with written(archs, artefacts, jobs) as root:
        tasks: list[Task[list[Verdict]]] = []
        for arch in archs:
            slugs = tuple(inst.slug for inst in arch.values())
            job = Job(arch.name, tuple(spec_dirs), root, slugs)
            tasks += [(of_instruction, job, m) for m in mnemonics[arch.name]]
            if not only:
                count = len(specs.mutations(specs.read(), arch.name))
                parts = (range(n, n + CHUNK) for n in range(0, count, CHUNK))
                tasks += [(of_specs, job, (part, mnemonics[arch.name])) for part in parts]
        for found in shared(tasks, jobs, progress):
            verdicts += found
    return rows(verdicts, sum(map(len, mnemonics.values())))


def chosen(archs: Sequence[Architecture], only: Sequence[str] = ()) -> dict[str, tuple[str, ...]]:
    """Return the mnemonics whose mutants are made, by architecture.

    Those that `only` names; else all, or where these are many one of each family of each
    architecture, whose tile is another one from family to family.
    """
    if only:
        return {arch.name: tuple(m for m in arch if m in only) for arch in archs}
    if sum(map(len, archs)) <= MOST_INSTRUCTIONS:
        return {arch.name: tuple(arch) for arch in archs}
    return {arch.name: _covering(arch) for arch in archs}


def _covering(arch: Architecture) -> tuple[str, ...]:
    families: dict[str, list[str]] = {}
    for inst in arch.values():
        families.setdefault(inst.family, []).append(inst.mnemonic)
    return tuple(members[n % len(members)] for n, members in enumerate(families.values()))


def of_instruction(job: Job, mnemonic: str) -> list[Verdict]:
    """Run the mutants of one instruction: its tables, modifiers, files, and the emulator's rule."""
    inst = arch_of(job).instructions[mnemonic]
    bench = Bench.of(Subject(job.arch, emulator.instruction(job.arch, mnemonic)), inst)
    folder = scan(job.root, job.arch, job.slugs)
    made = (
        *tables.mutants(bench),
        *settings.mutants(bench),
        *rules.mutants(bench),
        *texts.mutants(bench, folder),
    )
    return [judge(mutant) for mutant in made]


def of_specs(job: Job, given: tuple[range, tuple[str, ...]]) -> list[Verdict]:
    """Run some of the mutants of the specifications, over the instructions that are given."""
    numbers, mnemonics = given
    documents = specs.read()
    every = specs.mutations(documents, job.arch)
    some = [every[n] for n in numbers if n < len(every)]
    return [v for one in some for v in specs.verdicts(documents, one, arch_of(job), mnemonics)]


def rows(verdicts: Iterable[Verdict], instructions: int) -> tuple[KillRow, ...]:
    """Count verdicts by kind of mutant, in the order of their first appearance."""
    kinds: dict[str, list[Verdict]] = {}
    for verdict in verdicts:
        kinds.setdefault(verdict.kind, []).append(verdict)
    return tuple(_row(kind, found, instructions) for kind, found in kinds.items())


def _row(kind: str, verdicts: Sequence[Verdict], instructions: int) -> KillRow:
    differing = [v for v in verdicts if not v.equivalent]
    alive = [v for v in differing if not v.by]
    return KillRow(
        kind,
        total=len(verdicts),
        equivalent=len(verdicts) - len(differing),
        undecided=sum(not v.decidable for v in alive),
        killed=len(differing) - len(alive),
        by=dict(sorted(Counter(leg for v in differing for leg in v.by).items())),
        survivors=tuple(v.name for v in alive if v.decidable),
        instructions=instructions,
    )
