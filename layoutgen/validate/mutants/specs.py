"""Mutants of the specifications: a field changed, everything built again from it."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from layoutgen import emulator
from layoutgen.validate import legs, read_data
from layoutgen.validate.mutants.bench import MOST_SETTINGS, Verdict, found
from layoutgen.validate.subject import Subject

if TYPE_CHECKING:
    from layoutgen.model import Architecture, Instruction

Documents = Mapping[str, Any]
"""Specification files by name, as plain data."""

Edit = Callable[[dict[str, Any]], bool]
"""Changes documents in place; false if there is nothing to change."""


@dataclass(frozen=True)
class SpecMutation:
    """One change of a specification; a copy of it serves as the mutant."""

    kind: str
    name: str
    edit: Edit


def read() -> Documents:
    """Return the built-in specification files."""
    import yaml

    from layoutgen.spec.catalogue import builtin_dir

    return {
        path.name: yaml.safe_load(path.read_text(encoding="utf-8"))
        for path in sorted(builtin_dir().glob("*.yaml"))
    }


def mutations(documents: Documents, arch: str) -> list[SpecMutation]:
    """Return every change of the specifications that concern an architecture."""
    changes: list[SpecMutation] = []
    for file, document in documents.items():
        if "tile" in document:
            for operand in document["layouts"]:
                changes += _of_layout(file, operand)
        elif document.get("architecture") == arch:
            changes += _of_architecture(file, document)
        elif "architecture" in document:
            changes += _targets(file, document)
        elif "families" in document:
            changes += [_per_lane(file, name) for name in document["families"]]
        elif "formats" in document:
            changes += [_bits(file, name) for name in document["formats"]]
    return changes


def verdicts(
    documents: Documents, mutation: SpecMutation, arch: Architecture, among: Collection[str]
) -> list[Verdict]:
    """Return what becomes of a mutation, for each instruction of `among` that it changes.

    If it changes others only, the first of those is judged.
    """
    from layoutgen.spec.errors import SpecError

    changed = copy.deepcopy(dict(documents))
    if not mutation.edit(changed):
        return []
    try:
        mutant = _built(changed, documents, arch.name)
    except SpecError:
        return [Verdict(mutation.kind, mutation.name, False, True, ("spec",))]
    results: list[Verdict] = []
    for mnemonic in sorted(arch.instructions, key=lambda name: name not in among):
        if results and mnemonic not in among:
            break
        inst, other = arch.instructions[mnemonic], mutant.instructions.get(mnemonic)
        if other is None or _alike(arch, inst, mutant, other):
            continue
        by = tuple(sorted(_kills(mutant, other)))
        results.append(Verdict(mutation.kind, f"{mutation.name}: {mnemonic}", False, True, by))
    return results or [Verdict(mutation.kind, mutation.name, True, True, ())]


def _built(changed: Documents, before: Documents, arch: str) -> Architecture:
    from layoutgen.spec.build import Files, build_architecture
    from layoutgen.spec.files import Found
    from layoutgen.spec.load import check

    files = [
        Found(Path(name), _written(name) if document == before[name] else _dumped(document))
        for name, document in changed.items()
    ]
    return build_architecture(Files.of(check(files)), arch)


@lru_cache(maxsize=64)
def _written(name: str) -> bytes:
    from layoutgen.spec.catalogue import builtin_dir

    return (builtin_dir() / name).read_bytes()


def _dumped(document: Any) -> bytes:
    import yaml

    return yaml.safe_dump(document, sort_keys=False, allow_unicode=True).encode()


def _alike(arch: Architecture, inst: Instruction, mutant: Architecture, other: Instruction) -> bool:
    """Whether facts and tables are the same."""
    from layoutgen.export import documents

    if inst == other and replace(arch, instructions={}) == replace(mutant, instructions={}):
        return True
    return documents.instruction(arch, inst) == documents.instruction(mutant, other) and all(
        np.array_equal(operand.table(), other.operands[name].table())
        for name, operand in inst.operands.items()
    )


def _kills(arch: Architecture, inst: Instruction) -> set[str]:
    """Run the legs over the facts and over the tables without modifiers and with a few of them."""
    from layoutgen.export import dataset, documents

    subject = _subject(arch.name, inst.mnemonic)
    few = {id(o): o for o in dataset.readings(inst) if o.modifiers == type(o.modifiers)()}
    few |= {id(o): o for o in islice(dataset.readings(inst), MOST_SETTINGS)}
    document = {
        "instruction": inst.mnemonic,
        "facts": json.loads(json.dumps(documents.instruction(arch, inst))),
        "tables": [documents.table(arch, inst, operand) for operand in few.values()],
    }
    evidence = read_data.from_document(subject, Path(f"{inst.slug}.json"), document)
    sets = tuple(replace(one, complete=False) for one in evidence.sets)
    return found(legs.run(subject, replace(evidence, sets=sets)))


@lru_cache(maxsize=64)
def _subject(arch: str, mnemonic: str) -> Subject:
    return Subject(arch, emulator.instruction(arch, mnemonic))


# --- edits ------------------------------------------------------------------------------------


def _of_layout(file: str, operand: str) -> Iterator[SpecMutation]:
    def layout(documents: dict[str, Any]) -> dict[str, Any]:
        found: dict[str, Any] = documents[file]["layouts"][operand]
        return found

    def order(of: str) -> Edit:
        def edit(documents: dict[str, Any]) -> bool:
            digits = layout(documents).get(of, [])
            digits[:2] = digits[1::-1]
            return len(digits) > 1

        return edit

    def moved(documents: dict[str, Any]) -> bool:
        lane, item = layout(documents)["lane"], layout(documents)["item"]
        if not item:
            return False
        lane[-1], item[-1] = item[-1], lane[-1]
        return True

    def resized(documents: dict[str, Any]) -> bool:
        sizes = layout(documents)["digits"]
        name = next(name for name, size in sizes.items() if isinstance(size, int))
        sizes[name] *= 2
        return True

    place = f"{file}, {operand}"
    for of in ("lane", "item", "i", "j", "k"):
        yield SpecMutation("spec: digits in another order", f"{place}, {of}", order(of))
    yield SpecMutation("spec: a digit moved between lane and item", place, moved)
    yield SpecMutation("spec: size of a digit", place, resized)


def _of_architecture(file: str, document: Mapping[str, Any]) -> Iterator[SpecMutation]:
    def set_in(path: tuple[str, ...], change: Callable[[Any], Any]) -> Edit:
        def edit(documents: dict[str, Any]) -> bool:
            at = documents[file]
            for key in path[:-1]:
                at = at[key]
            at[path[-1]] = change(at[path[-1]])
            return True

        return edit

    for mnemonic in document["instructions"]:
        path = ("instructions", mnemonic)
        name = f"{file}, {mnemonic}"
        yield SpecMutation("spec: cycles", name, set_in((*path, "cycles"), lambda n: n * 2))
        yield SpecMutation("spec: opcode", name, set_in((*path, "opcode"), lambda n: n + 1))
        if "coexec" in document["instructions"][mnemonic]:
            coexec = set_in((*path, "coexec"), lambda n: n + 4)
            yield SpecMutation("spec: co-execution", name, coexec)
    cores = set_in(("matrix_cores_per_cu",), lambda n: n * 2)
    yield SpecMutation("spec: matrix cores", file, cores)


def _targets(file: str, document: Mapping[str, Any]) -> Iterator[SpecMutation]:
    """Another architecture loses its first instruction."""
    first = next(iter(document["instructions"]))

    def edit(documents: dict[str, Any]) -> bool:
        del documents[file]["instructions"][first]
        return True

    yield SpecMutation("spec: targets", f"{file}, {first}", edit)


def _per_lane(file: str, name: str) -> SpecMutation:
    def edit(documents: dict[str, Any]) -> bool:
        documents[file]["families"][name]["elements_per_lane"] *= 2
        return True

    return SpecMutation("spec: elements per lane", f"{file}, {name}", edit)


def _bits(file: str, name: str) -> SpecMutation:
    def edit(documents: dict[str, Any]) -> bool:
        documents[file]["formats"][name]["bits"] //= 2
        return True

    return SpecMutation("spec: width of a type", f"{file}, {name}", edit)
