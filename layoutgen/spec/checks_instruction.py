"""Checks of an architecture's instructions: against their family, and what follows from it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import prod

from layoutgen.model import CYCLES_PER_PASS, REGISTER_BITS
from layoutgen.spec.checks_family import WAVE, check_modifiers
from layoutgen.spec.derive import Shape, operands, own_format, plain_format, shape
from layoutgen.spec.document import Document, Path
from layoutgen.spec.errors import Code, Diagnostic, listed, quoted
from layoutgen.spec.mnemonic import Mnemonic, parse
from layoutgen.spec.schema import FormatSpec
from layoutgen.spec.schema_instructions import ArchitectureFile, FamilySpec, InstructionSpec


@dataclass(frozen=True)
class Case:
    """An instruction of an architecture: where it stands, what is stated, and its family."""

    document: Document
    arch: ArchitectureFile
    key: str
    spec: InstructionSpec
    name: Mnemonic
    family: FamilySpec

    def problem(
        self, code: Code, at: Path, message: str, *, key: bool = False, hint: str = ""
    ) -> Diagnostic:
        """Return a diagnostic at a path below the instruction."""
        path = ("instructions", self.key, *at)
        return self.document.at(code, path, message, key=key, hint=hint)


def check_instructions(
    architectures: Sequence[tuple[Document, ArchitectureFile]],
    families: Mapping[str, FamilySpec],
    formats: Mapping[str, FormatSpec],
) -> Iterator[Diagnostic]:
    """Yield what is wrong with the instructions of all architectures.

    Instructions of no family are told elsewhere; those with a name that says nothing, too.
    """
    family_of = {i: family for family in families.values() for i in family.instructions}
    for document, arch in architectures:
        first = arch.evidence[0]
        for field, names in (("families", first.families), ("operands", first.operands)):
            if names:
                message = "the first entry of 'evidence' must be about all instructions"
                yield document.at("spec-evidence", ("evidence", 0, field), message, key=True)
        for n, hazard in enumerate(arch.hazards):
            if len(hazard.wait) != max(1, len(hazard.passes)):
                message = (
                    f"'wait' has {len(hazard.wait)} numbers, but "
                    f"{max(1, len(hazard.passes))} would be right: one for each of 'passes', or "
                    "one without them"
                )
                yield document.at("spec-hazard", ("hazards", n, "wait"), message)
        for key, spec in arch.instructions.items():
            name = parse(key)
            if name is None or key not in family_of:
                continue
            case = Case(document, arch, key, spec, name, family_of[key])
            yield from _check_stated(case)
            if spec.modifiers is not None:
                at: Path = ("instructions", key, "modifiers")
                yield from check_modifiers(document, at, spec.modifiers, case.family)
            if sizes := shape(name, case.family, WAVE):
                yield from _check_derived(case, sizes, formats)


def _check_stated(case: Case) -> Iterator[Diagnostic]:
    """Cycles are whole passes, and co-execution does not last longer than the instruction."""
    cycles, coexec, narrow = case.spec.cycles, case.spec.coexec, case.spec.narrow
    stated: list[tuple[Path, int]] = [(("cycles",), cycles)]
    if narrow is not None:
        stated.append((("narrow", "cycles"), narrow.cycles))
    wrong = [(at, value) for at, value in stated if value % CYCLES_PER_PASS]
    for at, value in wrong:
        below = value - value % CYCLES_PER_PASS
        near = [c for c in (below, below + CYCLES_PER_PASS) if c]
        message = (
            f"{value} cycles are no whole passes of {CYCLES_PER_PASS}; "
            f"nearest: {listed([str(c) for c in near], 'or')}"
        )
        yield case.problem("spec-cycles", at, message)
    if not wrong and coexec is not None and coexec > cycles:
        message = f"{coexec} cycles of co-execution are more than the {cycles} that it takes"
        yield case.problem("spec-coexec", ("coexec",), message)
    if not wrong and narrow is not None and narrow.cycles >= cycles:
        message = f"{narrow.cycles} cycles with narrow elements are not fewer than {cycles}"
        yield case.problem("spec-cycles", ("narrow", "cycles"), message)


def _check_derived(
    case: Case, sizes: Shape, formats: Mapping[str, FormatSpec]
) -> Iterator[Diagnostic]:
    """Stated quantities are those that follow."""
    spec, name, family = case.spec, case.name, case.family
    volume = prod((name.m, name.n, sizes.blocks))
    per_lane = family.elements_per_lane
    stored = sizes.stored["A"]
    derived: list[tuple[Path, int | None, int, str]] = [
        (("blocks",), spec.blocks, sizes.blocks, f"{WAVE}·{per_lane} / ({name.m}·{stored})"),
        (("ops",), spec.ops, 2 * volume * name.k, f"2·{name.m}·{name.n}·{name.k}·{sizes.blocks}"),
    ]
    if spec.cycles % CYCLES_PER_PASS == 0:
        why = f"{spec.cycles} cycles / {CYCLES_PER_PASS}"
        derived.append((("passes",), spec.passes, spec.cycles // CYCLES_PER_PASS, why))
    for operand, stated in (spec.registers or {}).items():
        if operand not in operands(family):
            message = f"the instruction has no operand {quoted(operand)}"
            yield case.problem("spec-contradiction", ("registers", operand), message, key=True)
            continue
        type_ = own_format(case.arch, plain_format(name, family, operand))
        if type_ not in formats:
            continue
        elements = sizes.stored[operand] // sizes.k_groups
        bits = formats[type_].bits
        elements = volume // WAVE if operand in "CD" else elements
        registers = -(-elements * bits // REGISTER_BITS)
        why = f"{elements} elements of {bits} bits in a lane"
        derived.append((("registers", operand), stated, registers, why))
    for at, value, right, why in derived:
        if value is not None and value != right:
            what = " of ".join(quoted(step) for step in reversed(at))
            message = f"{what} is {value}, but {right} follows: {why}"
            yield case.problem("spec-contradiction", at, message)
