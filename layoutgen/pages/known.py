"""How well layouts are known, told once for all instructions of a section that it holds for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from layoutgen.pages import blocks
from layoutgen.pages.rst import Rst, escape, merge

if TYPE_CHECKING:
    from layoutgen.model import Architecture, Instruction, Provenance, Source


def known(
    insts: Sequence[Instruction], names: Sequence[str], to: blocks.Target = blocks.same_folder
) -> list[dict[str, object]]:
    """Return the provenance of the operands `names` of `insts`: an entry for each that differs.

    ``of`` names operands and instructions where there are several entries; it is empty for one.
    """
    found: dict[Provenance, dict[str, list[str]]] = {}
    for inst in insts:
        for name in (n for n in names if n in inst.operands):
            members = found.setdefault(inst.operands[name].provenance, {})
            members.setdefault(inst.name, []).append(name)
    entries: list[dict[str, object]] = []
    by_name = {inst.name: inst for inst in insts}
    for provenance, operands in found.items():
        alike: dict[tuple[str, ...], list[Instruction]] = {}
        for inst_name, theirs in operands.items():
            alike.setdefault(tuple(theirs), []).append(by_name[inst_name])
        told = merge(_told(o, members, insts, to) for o, members in alike.items())
        entries.append({"of": told if len(found) > 1 else Rst(""), "known": provenance})
    return entries


def every_source(archs: Sequence[Architecture]) -> list[Source]:
    """Return the sources of some architectures, each once."""
    return list({source.id: source for arch in archs for source in arch.sources}.values())


def plain(name: str) -> str:
    """Return an operand as prose calls it: ``scale of A``."""
    return name.replace("_a", " of A").replace("_b", " of B")


def _told(
    names: Sequence[str],
    members: Sequence[Instruction],
    insts: Sequence[Instruction],
    to: blocks.Target,
) -> Rst:
    operands = merge(escape(plain(n)) if len(n) > 1 else Rst(f"*{n}*") for n in names)
    if len(members) == len(insts):
        return operands
    return Rst(f"{operands} of {merge(blocks.builtin_link(i, to=to) for i in members)}")
