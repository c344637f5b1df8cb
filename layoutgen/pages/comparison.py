"""The context of the page "which instruction where", over all architectures."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, TypeAlias

from layoutgen import tables
from layoutgen.changes import Change, Changes, diff
from layoutgen.pages import blocks, chapters, words
from layoutgen.pages.known import every_source
from layoutgen.pages.rst import Rst, code, escape, link, list_table, merge

if TYPE_CHECKING:
    from layoutgen.model import Architecture, Instruction

Document: TypeAlias = "Callable[[Architecture, Instruction], str]"
"""Gives the document of an instruction of an architecture."""

TOLD_ELSEWHERE = ("signature", "builtin", "opcode")
"""Facts that follow from others or from the name, or that the page of an instruction tells."""


def context(archs: Sequence[Architecture], document: Document) -> dict[str, object]:
    """Return what the template ``instructions`` needs beside the globals."""
    return {
        "archs": [code(arch.name) for arch in archs],
        "all_sources": every_source(archs),
        "tables": [
            (chapters.KINDS[name], _table(archs, name, document))
            for name in chapters.KINDS
            if any(name in chapters.chapters(arch) for arch in archs)
        ],
        "spellings": _spellings(archs),
        "steps": [_step(diff(old, new), document) for old, new in pairwise(archs)],
    }


def _union(archs: Sequence[Architecture], name: str) -> dict[str, dict[str, Instruction]]:
    """Return the instructions of a chapter by name, each by the architectures that have it."""
    found: dict[str, dict[str, Instruction]] = {}
    for arch in archs:
        for inst in chapters.chapters(arch).get(name, []):
            found.setdefault(inst.name, {})[arch.name] = inst
    ordered = sorted(found.items(), key=lambda item: _order(next(iter(item[1].values()))))
    return dict(ordered)


def _order(inst: Instruction) -> tuple[object, ...]:
    a, b, d = (inst.operands[name].format for name in "ABD")
    return (d.name, -a.bits, a.name, b.name, inst.kind, -inst.m, inst.blocks, inst.k)


def _table(archs: Sequence[Architecture], name: str, document: Document) -> Rst:
    rows = []
    for inst_name, by_arch in _union(archs, name).items():
        cells = [
            _cell(arch, by_arch[arch.name], document) if arch.name in by_arch else "–"
            for arch in archs
        ]
        rows.append((code(inst_name), *cells))
    header = ("Instruction", *(arch.name for arch in archs))
    kind = chapters.KINDS[name]
    kind = kind[0].upper() + kind[1:]
    title = f"{kind} instructions: cycles, and operations per cycle and CU"
    return list_table(header, rows, title, "layout-where")


def _cell(arch: Architecture, inst: Instruction, document: Document) -> Rst:
    told = []
    for suffix, modifiers in blocks.speeds(inst):
        rate = tables.rate(arch, inst, **modifiers)
        told.append(f"{rate.cycles} cycles, {words.whole(rate.per_cu)}{suffix}")
    return link("doc", "; ".join(told), document(arch, inst))


def _spellings(archs: Iterable[Architecture]) -> Rst:
    """Return the instructions that LLVM spells in more than one way."""
    found: dict[str, dict[str, list[str]]] = {}
    for arch in archs:
        for inst in arch.values():
            if inst.spellings:
                found.setdefault(inst.name, {}).setdefault(inst.mnemonic, []).append(arch.name)
    rows = [
        (
            code(name),
            merge(
                Rst(f"{code(mnemonic)} on {merge(map(code, on))}")
                for mnemonic, on in by_mnemonic.items()
            ),
        )
        for name, by_mnemonic in found.items()
        if len(by_mnemonic) > 1
    ]
    if not rows:
        return Rst("")
    return list_table(("Builtin", "Mnemonics"), rows, "Two spellings", "layout-spellings")


def _step(changes: Changes, document: Document) -> dict[str, object]:
    """Return what changed from one architecture to the next."""
    old, new = changes.old, changes.new
    by_change = {c: n for c, n in changes.by_change().items() if _told(c)}
    facts = list(dict.fromkeys(change.fact for change in by_change))
    rows = [
        (escape(change.fact), escape(change.old), escape(change.new), _those(changes, names))
        for change, names in sorted(by_change.items(), key=lambda c: facts.index(c[0].fact))
    ]
    return {
        "title": Rst(f"From {escape(old.title)} ({old.name}) to {escape(new.title)} ({new.name})"),
        "added": merge(link("doc", Rst(i.name), document(new, i)) for i in changes.added),
        "added_count": len(changes.added),
        "removed": merge(link("doc", Rst(i.name), document(old, i)) for i in changes.removed),
        "renamed": "all" if len(changes.renamed) == len(changes.pairs) else len(changes.renamed),
        "kept": len(changes.pairs),
        "files": any(fact.startswith("register files") for fact in facts),
        "changed": list_table(
            ("Fact", old.name, new.name, "Instructions"),
            rows,
            "What changed in instructions that both have",
            "layout-changes",
        )
        if rows
        else "",
    }


def _told(change: Change) -> bool:
    """Tell whether a change is one, and is not told elsewhere."""
    return change.fact not in TOLD_ELSEWHERE and not change.untold


def _those(changes: Changes, names: Sequence[str]) -> Rst | str:
    """Return the instructions of a change; all of them in one word."""
    if len(names) == len(changes.pairs):
        return "all"
    by_mnemonic = {old.mnemonic: old for old, _ in changes.pairs}
    return merge(code(by_mnemonic[name].name) for name in names)
