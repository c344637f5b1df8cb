"""The pieces of work of a validation: one instruction, one figure, one shared page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from layoutgen import emulator
from layoutgen.validate import assembly, hazards, labels, legs, pagewide, read_figure, truth
from layoutgen.validate.artefacts import rst, svg
from layoutgen.validate.figures import Stated
from layoutgen.validate.findings import Finding, Tally
from layoutgen.validate.folder import Folder
from layoutgen.validate.gather import gather
from layoutgen.validate.observation import ProbeError
from layoutgen.validate.setting import Modifiers, describe
from layoutgen.validate.subject import Subject

if TYPE_CHECKING:
    from layoutgen.model import Architecture, Instruction


@dataclass
class Outcome:
    """What one piece of work found; facts of figures are decided when all are known."""

    tally: Tally = field(default_factory=Tally)
    mnemonic: str = ""
    sizes: str = ""
    settings: int = 0
    products: int = 0
    labels: int = 0
    witnesses: dict[str, tuple[str, ...]] = field(default_factory=dict)
    figures: dict[str, Tally] = field(default_factory=dict)


@dataclass(frozen=True)
class Job:
    """What a worker needs to know: it reads specifications and files by itself."""

    arch: str
    spec_dirs: tuple[Path, ...]
    root: Path
    slugs: tuple[str, ...]


def check_instruction(job: Job, mnemonic: str) -> Outcome:
    """Run the legs L0 to L3 for one instruction."""
    inst = arch_of(job).instructions[mnemonic]
    outcome = Outcome(mnemonic=mnemonic)
    try:
        subject = Subject(job.arch, emulator.instruction(job.arch, mnemonic))
        outcome.sizes = str(subject.geometry)
    except emulator.EmulatorError as error:
        outcome.tally.add([_unknown(mnemonic, str(error))])
        return outcome
    except ProbeError as error:
        says = "is no sum of products of matrices"
        outcome.tally.add(
            [Finding("L1", "emulator", mnemonic, "emulator", "the map", says, str(error))]
        )
        return outcome
    evidence, stated = gather(subject, inst.slug, _folder(job))
    outcome.tally = legs.run(subject, evidence)
    for path in _folder(job).pages.get(inst.slug, ()):
        page = rst.read_page(path, _folder(job).shown(path))
        outcome.tally.merge(hazards.of_instruction(subject, page))
        outcome.tally.merge(assembly.check(subject, page))
    outcome.tally.merge(legality(subject, inst))
    outcome.tally.merge(_interface(subject, inst))
    outcome.settings = len(subject.settings)
    outcome.products = sum(len(subject.observation(m).keys) for m in subject.settings)
    outcome.witnesses = {
        name: tuple(sorted({w.tool for w in labels.witnesses_of(job.arch, mnemonic, name)}))
        for name in inst.operands
    }
    facts = truth.truth(subject)
    outcome.labels = sum(
        len(witness.labels)
        for name in inst.operands
        for witness in labels.witnesses_of(job.arch, mnemonic, name)
    )
    outcome.figures = {name: _stated(subject, facts, stated, name) for name in stated.figures}
    return outcome


def figures_of(job: Job, mnemonic: str) -> dict[str, Tally]:
    """Return what figures say, by the figure, as if they were about `mnemonic`."""
    inst = arch_of(job).instructions[mnemonic]
    subject = Subject(job.arch, emulator.instruction(job.arch, mnemonic))
    _, stated = gather(subject, inst.slug, _folder(job))
    facts = truth.truth(subject)
    return {name: _stated(subject, facts, stated, name) for name in stated.figures}


def tile_of(arch: str, mnemonic: str) -> tuple[int, int]:
    """Return rows and columns of the tile, none of what the emulator does not know."""
    try:
        record = emulator.instruction(arch, mnemonic)
    except emulator.EmulatorError:
        return 0, 0
    return record.m, record.n


def check_waits(job: Job, arch: str) -> Outcome:
    """Hold the wait states that the interface and the terminal give against the facts."""
    return Outcome(hazards.check_model(arch_of(job)))


def check_figure(job: Job, path: Path) -> Outcome:
    """Hold a figure against itself."""
    try:
        figure = svg.read_figure(path, _folder(job).shown(path))
    except ValueError as error:
        tally = Tally()
        tally.add([Finding("L1", "svg", "", str(path), "content", "cannot be read", str(error))])
        return Outcome(tally)
    return Outcome(read_figure.consistency(figure))


def check_page(job: Job, path: Path) -> Outcome:
    """Check what a shared page says beside instructions."""
    page = rst.read_page(path, _folder(job).shown(path))
    tally = pagewide.check(page)
    if any(isinstance(part, rst.Table) and hazards.PAGE in part.classes for part in page.parts):
        tally.merge(hazards.check(page, job.arch))
    return Outcome(tally)


def _stated(
    subject: Subject, facts: Mapping[str, truth.Fact], stated: Stated, figure: str
) -> Tally:
    """What a figure says, if it is about this instruction."""
    tally = Tally()
    checked, wrong = truth.compare(subject, facts, stated.claims.get(figure, ()))
    tally.count("L0", "svg", "facts", checked)
    tally.add(wrong)
    formulas, findings = stated.formulas.get(figure, (0, ()))
    tally.count("L1", "svg", "formulas for all elements", formulas)
    tally.add(findings)
    return tally


def legality(subject: Subject, inst: Instruction) -> Tally:
    """Every encoding of the modifiers is taken, or refused, by both sides."""
    from layoutgen.modifiers import IllegalModifier

    def taken(modifiers: Modifiers) -> bool:
        try:
            inst.operand("A", **modifiers._asdict())
        except IllegalModifier:
            return False
        return True

    takes = {modifiers: taken(modifiers) for modifiers in legs.encodings(subject.record)}
    return legs.illegal(subject, takes, "interface", f"Instruction.operand of {inst.mnemonic}")


def _interface(subject: Subject, inst: Instruction) -> Tally:
    """A modifier that does not act on an operand does not change its table."""
    tally = Tally()
    known: dict[tuple[str, Modifiers], tuple[bytes, bool]] = {}
    for modifiers in subject.settings:
        for name in inst.operands:
            key = (name, subject.acting(name, modifiers))
            operand = inst.operand(name, **modifiers._asdict())
            table = operand.table().tobytes(), operand.negated
            tally.count("L1", "interface", "tables")
            if known.setdefault(key, table) != table:
                where = f"Instruction.operand({name!r})"
                says = "differs from its table under the modifiers that act on it"
                against = "no other modifier moves it"
                setting = describe(modifiers)
                tally.add(
                    [Finding("L1", "interface", inst.mnemonic, where, name, says, against, setting)]
                )
    return tally


def _unknown(mnemonic: str, text: str) -> Finding:
    says = "is not checked: the emulator does not know it"
    return Finding("L1", "emulator", mnemonic, "emulator", "instruction", says, text)


def forget() -> None:
    """Forget files and specifications that were read: they may have changed since."""
    for known in (rst.read_page, svg.read_figure, arch_of, _folder):
        known.cache_clear()


@lru_cache(maxsize=4)
def arch_of(job: Job) -> Architecture:
    """Return the architecture of a job, from the specifications."""
    import layoutgen

    return layoutgen.arch(job.arch, job.spec_dirs)


@lru_cache(maxsize=4)
def _folder(job: Job) -> Folder:
    from layoutgen.validate.folder import scan

    return scan(job.root, job.arch, job.slugs)
