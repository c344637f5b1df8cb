"""Chapters: the pages of an architecture, and which instructions belong to which."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from layoutgen.pages.rst import Rst, escape, link

if TYPE_CHECKING:
    from layoutgen.model import Architecture, Instruction

STEMS: Mapping[str, str] = {
    "dense": "dense-mfma-builtins",
    "sparse": "sparse-mfma-builtins",
    "scaled": "scaled-mfma-builtins",
    "hazards": "mfma-hazards",
}
"""What the label of a chapter ends with, after the name of the architecture."""

KINDS: Mapping[str, str] = {
    "dense": "dense MFMA",
    "sparse": "sparse MFMA",
    "scaled": "scaled MFMA",
}


def chapter(inst: Instruction) -> str:
    """Return the chapter of an instruction: sparse, scaled (formats by code), or dense."""
    if inst.sparse:
        return "sparse"
    return "scaled" if inst.alternatives else "dense"


def chapters(arch: Architecture) -> dict[str, list[Instruction]]:
    """Return the instructions of every chapter of `arch` that has some; dense always."""
    found: dict[str, list[Instruction]] = {"dense": []}
    for inst in arch.values():
        found.setdefault(chapter(inst), []).append(inst)
    return {name: found[name] for name in KINDS if name in found}


def label(prefix: str, name: str) -> str:
    """Return the label of a chapter: ``cdna2-dense-mfma-builtins``."""
    return f"{prefix}-{STEMS[name]}"


def reference(prefix: str, name: str, text: object) -> Rst:
    """Return a link to a chapter."""
    return link("ref", escape(text), label(prefix, name))


def grouped(insts: Iterable[Instruction], attribute: str) -> list[list[Instruction]]:
    """Return instructions by the value of an attribute, in the order of the first of each."""
    groups: dict[object, list[Instruction]] = {}
    for inst in insts:
        groups.setdefault(getattr(inst, attribute), []).append(inst)
    return list(groups.values())
