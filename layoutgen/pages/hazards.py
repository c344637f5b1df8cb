"""The context of an architecture's page of wait states."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from layoutgen.hazards import classes
from layoutgen.model import CYCLES_PER_PASS
from layoutgen.pages import blocks, chapters, words
from layoutgen.pages.architecture import sisters
from layoutgen.pages.rst import Rst, escape, list_table, merge

if TYPE_CHECKING:
    from layoutgen.model import Architecture


def context(
    arch: Architecture,
    prefixes: Mapping[str, Sequence[str]],
    archs: Sequence[Architecture],
    to: blocks.Target = blocks.same_folder,
) -> dict[str, object]:
    """Return what the template ``hazards`` needs beside the globals.

    The arguments are those of :func:`layoutgen.pages.architecture.context`.
    """
    by_passes = _by_passes(arch)
    return {
        "arch": arch,
        "prefixes": prefixes[arch.name],
        "dense": chapters.reference(prefixes[arch.name][-1], "dense", arch.title),
        "sisters": sisters(arch, [a for a in archs if a.hazards], prefixes, "hazards"),
        "fixed": _fixed(arch),
        "by_passes": by_passes,
        "passes": _passes(arch, to),
        "dashes": "–" in by_passes,
        "disagreements": [d for d in arch.disagreements if d.about == "wait states"],
        "all_sources": arch.sources,
    }


def _by_passes(arch: Architecture) -> Rst:
    """Return the wait states that depend on the passes of the first instruction."""
    found = [h for h in arch.hazards if h.passes]
    every = sorted({p for h in found for p in h.passes})
    if not found:
        return Rst("")
    rows = []
    for hazard in found:
        states = (hazard.wait(passes) for passes in every)
        cells = ("–" if s is None else str(s) for s in states)
        rows.append((escape(hazard.first), escape(hazard.then), *cells))
    header = ("First", "Then", *(words.passes(p) for p in every))
    title = "Wait states by the passes of the first instruction"
    return list_table(header, rows, title, "layout-hazards")


def _fixed(arch: Architecture) -> Rst:
    rows = [(h.first, h.then, str(h.waits[0])) for h in arch.hazards if not h.passes]
    header = ("First", "Then", "Wait states")
    return list_table(header, rows, "Wait states whatever the passes are", "layout-hazards")


def _passes(arch: Architecture, to: blocks.Target) -> Rst:
    """Return the instructions by what the tables call them, and their passes."""
    found: dict[tuple[str, int], list[Rst]] = {}
    named = " ".join(hazard.first for hazard in arch.hazards)
    for inst in arch.values():
        (own,) = classes(arch, inst) - {"MFMA"}
        kind = own if own in named else "MFMA"
        for suffix, modifiers in blocks.speeds(inst):
            key = (kind, inst.cycles_under(**modifiers) // CYCLES_PER_PASS)
            name = Rst(f"{blocks.builtin_link(inst, to=to)}{suffix}")
            found.setdefault(key, []).append(name)
    rows = [(kind, str(passes), merge(names)) for (kind, passes), names in sorted(found.items())]
    return list_table(("Kind", "Passes", "Instructions"), rows, "Passes", "layout-passes")
