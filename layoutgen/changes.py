"""What changed from one architecture to another: instructions, and the facts of each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from layoutgen.facts import Hazard
from layoutgen.model import Architecture, Instruction, Operand

Facts: TypeAlias = dict[str, str]

UNPUBLISHED = "not published"
"""Stands for a fact that no source tells: no change is known to or from it."""
UNLISTED = "not listed"
"""Stands for wait states that one of the architectures has no row for."""


@dataclass(frozen=True, slots=True)
class Change:
    """One fact that is not the same: what it is about, before and after."""

    fact: str
    old: str
    new: str

    @property
    def untold(self) -> bool:
        """Whether a source is missing on one side, so that no change is known."""
        return UNPUBLISHED in (self.old, self.new)


@dataclass(frozen=True, repr=False)
class Changes:
    """The differences between two architectures.

    `pairs` are the instructions that both have, under their names on either.
    """

    old: Architecture
    new: Architecture
    pairs: tuple[tuple[Instruction, Instruction], ...]

    def __repr__(self) -> str:
        """Return names in place of all that is known of the architectures."""
        return f"<Changes {self.old.name} -> {self.new.name}, {len(self.pairs)} on both>"

    @cached_property
    def architecture(self) -> tuple[Change, ...]:
        """Facts of the architectures themselves."""
        facts = _changes(_of_architecture(self.old), _of_architecture(self.new))
        return facts + _wait_states(self.old, self.new)

    @cached_property
    def added(self) -> tuple[Instruction, ...]:
        """Instructions that only the new one has."""
        kept = {new.mnemonic for _, new in self.pairs}
        return tuple(inst for inst in self.new.values() if inst.mnemonic not in kept)

    @cached_property
    def removed(self) -> tuple[Instruction, ...]:
        """Instructions that only the old one has."""
        kept = {old.mnemonic for old, _ in self.pairs}
        return tuple(inst for inst in self.old.values() if inst.mnemonic not in kept)

    @property
    def renamed(self) -> tuple[tuple[Instruction, Instruction], ...]:
        """Instructions that have another mnemonic on the new one."""
        return tuple((old, new) for old, new in self.pairs if old.mnemonic != new.mnemonic)

    @cached_property
    def changed(self) -> dict[str, tuple[Change, ...]]:
        """Facts that differ, by the old mnemonic of the instruction."""
        found = {
            old.mnemonic: _changes(_facts(self.old, old), _facts(self.new, new))
            for old, new in self.pairs
        }
        return {name: changes for name, changes in found.items() if changes}

    @cached_property
    def known(self) -> dict[str, tuple[Change, ...]]:
        """Facts that differ and that the sources of both architectures tell."""
        return _those(self.changed, lambda change: not change.untold)

    @cached_property
    def untold(self) -> dict[str, tuple[Change, ...]]:
        """Facts that the sources of only one architecture tell: they may be the same on both."""
        return _those(self.changed, lambda change: change.untold)

    def by_change(self) -> dict[Change, list[str]]:
        """Return the instructions, by their old mnemonics, for every change that they share."""
        return by_change(self.changed)


def by_change(changed: Mapping[str, tuple[Change, ...]]) -> dict[Change, list[str]]:
    """Return the instructions, by their old mnemonics, for every change that they share."""
    found: dict[Change, list[str]] = {}
    for name, changes in changed.items():
        for change in changes:
            found.setdefault(change, []).append(name)
    return found


def diff(old: Architecture | str, new: Architecture | str) -> Changes:
    """Return what changed from `old` to `new`: architectures, or their names.

    An instruction is the same if one of its spellings is: a new mnemonic is a change of name.

    >>> len(diff("gfx90a", "gfx942").added)
    26
    """
    from layoutgen.spec.catalogue import named

    old, new = named(old), named(new)
    pairs = []
    for inst in old.values():
        name = next((n for n in (inst.mnemonic, *inst.spellings) if n in new), None)
        if name is not None:
            pairs.append((inst, new[name]))
    return Changes(old, new, tuple(pairs))


def _those(
    changed: Mapping[str, tuple[Change, ...]], wanted: Callable[[Change], bool]
) -> dict[str, tuple[Change, ...]]:
    """Return the changes that are wanted, of the instructions that have any."""
    kept = {name: tuple(filter(wanted, changes)) for name, changes in changed.items()}
    return {name: changes for name, changes in kept.items() if changes}


def _changes(old: Facts, new: Facts) -> tuple[Change, ...]:
    names = dict.fromkeys((*old, *new))
    return tuple(
        Change(name, old.get(name, "none"), new.get(name, "none"))
        for name in names
        if old.get(name) != new.get(name)
    )


def _of_architecture(arch: Architecture) -> Facts:
    several = f"a multiple of {arch.register_alignment}" if arch.register_alignment > 1 else "any"
    return {
        "lanes of a wavefront": str(arch.wave),
        "matrix cores of a CU": str(arch.matrix_cores_per_cu),
        "instructions": str(len(arch)),
        "archVGPRs and accVGPRs": "one file" if arch.unified_registers else "two files",
        "first register of several": several,
    }


def _wait_states(old: Architecture, new: Architecture) -> tuple[Change, ...]:
    """Return the rows of wait states that changed, came or went; one if a table is missing."""
    from layoutgen.cases import pairs

    if not (old.hazards and new.hazards):
        tables = (f"{len(a.hazards)} rows" if a.hazards else UNLISTED for a in (old, new))
        return _changes(*({"wait states": table} for table in tables))
    changes = (_wait_change(*pair) for pair in pairs(old, new))
    return tuple(change for change in changes if change.old != change.new)


def _wait_change(told: str, before: Hazard | None, after: Hazard | None) -> Change:
    """Return the numbers of two rows, for the cases that they share."""
    old, new = (_waits(row) if row else UNLISTED for row in (before, after))
    return Change(f"wait states, {told}", old, new)


def _waits(hazard: Hazard) -> str:
    """Return the numbers, with the passes that they are for."""
    waits = ", ".join(map(str, hazard.waits))
    return f"{waits} after {', '.join(map(str, hazard.passes))} passes" if hazard.passes else waits


def _facts(arch: Architecture, inst: Instruction) -> Facts:
    return dict(_each_fact(arch, inst))


def _each_fact(arch: Architecture, inst: Instruction) -> Iterator[tuple[str, str]]:
    yield "kind", inst.kind
    yield "blocks", str(inst.blocks)
    yield "cycles", str(inst.cycles)
    overlap = UNPUBLISHED if inst.coexec_cycles is None else str(inst.coexec_cycles)
    yield "cycles that VALU work overlaps", overlap
    yield "operations per cycle and CU", f"{inst.ops * arch.matrix_cores_per_cu / inst.cycles:g}"
    if inst.operands["A"].format.encoding:
        told = arch.arithmetic_of(inst)
        yield "subnormal numbers", told.subnormals if told else UNPUBLISHED
    yield "opcode", "not stated" if inst.opcode is None else str(inst.opcode)
    yield "builtin", inst.builtin
    yield "signature", inst.signature.replace(inst.builtin, "builtin")
    for name, values in inst.rules.legal().items():
        yield f"legal {name}", _range(values)
    for name, operand in inst.operands.items():
        yield f"type of {name}", operand.format.title
        yield f"registers of {name}", str(operand.registers)
        yield f"register files of {name}", " or ".join(operand.register_files)
        yield f"layout of {name}", _layout(operand)


def _layout(operand: Operand) -> str:
    from layoutgen.printing import TEXT, render

    forward = operand.formulas.forward
    return ", ".join(f"{name} = {render(e, TEXT)}" for name, e in forward.items())


def _range(values: list[int]) -> str:
    if values == list(range(values[0], values[-1] + 1)) and len(values) > 1:
        return f"{values[0]} to {values[-1]}"
    return ", ".join(map(str, values))
