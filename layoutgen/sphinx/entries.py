"""What is described where: one entry for each instruction of an architecture, and finding it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from layoutgen.alike import stem


class Entry(NamedTuple):
    """An instruction that a page describes; plain data, for it is pickled with the environment.

    `rank` is the place of the architecture among all, `aliases` its other names.
    """

    arch: str
    rank: int
    aliases: tuple[str, ...]
    mnemonic: str
    spellings: tuple[str, ...]
    builtin: str
    intrinsic: str
    tile: str
    docname: str
    node_id: str

    @property
    def qualified(self) -> str:
        """The name that only this entry has: ``gfx908.v_mfma_f32_32x32x1f32``."""
        return f"{self.arch}.{self.mnemonic}"

    @property
    def anchor(self) -> str:
        """The address of the C function on the page."""
        return f"c.{self.builtin}"

    def answers_to(self, name: str) -> bool:
        """Tell whether `name`, without an architecture, is one of the instruction's."""
        return stem(name) in {stem(n) for n in (self.mnemonic, *self.spellings)}


def split(name: str) -> tuple[str, str]:
    """Return architecture and name of ``gfx908.v_mfma_…``; the former is empty if not given."""
    arch, dot, rest = name.partition(".")
    return (arch.lower(), rest) if dot and arch.lower() != "llvm" else ("", name)


def matching(entries: Iterable[Entry], name: str) -> list[Entry]:
    """Return the entries that `name` may mean, in order of architecture."""
    arch, rest = split(name)
    found = [
        entry
        for entry in entries
        if entry.answers_to(rest) and (not arch or arch in (entry.arch, *entry.aliases))
    ]
    return sorted(found, key=lambda entry: (entry.rank, entry.arch))


def preferred(entries: list[Entry], default_arch: str) -> tuple[Entry | None, bool]:
    """Return the entry that is meant, and whether that is beyond doubt."""
    for entry in entries:
        if default_arch and default_arch.lower() in (entry.arch, *entry.aliases):
            return entry, True
    return (entries[0] if entries else None), len(entries) < 2


def owners(entries: Iterable[Entry], default_arch: str) -> dict[str, Entry]:
    """Return, for each builtin, the entry that its name alone means."""
    found: dict[str, list[Entry]] = {}
    for entry in sorted(entries, key=lambda e: (e.rank, e.arch, e.mnemonic)):
        found.setdefault(entry.builtin, []).append(entry)
    chosen = {name: preferred(several, default_arch)[0] for name, several in found.items()}
    return {name: entry for name, entry in chosen.items() if entry}


def objects(
    entries: Iterable[Entry], default_arch: str
) -> Iterator[tuple[str, str, str, str, str, int]]:
    """Yield all names by which other projects may refer to the entries, as Sphinx wants them.

    Only one name of each instruction is for the search page: the others have priority -1.
    """
    every = sorted(entries, key=lambda e: (e.rank, e.arch, e.mnemonic))
    alone = set(owners(every, default_arch).values())
    for entry in every:
        place = (entry.docname, entry.node_id)
        yield entry.qualified, entry.qualified, "instruction", *place, 1
        for kind, name in _names(entry):
            if name != entry.mnemonic:
                yield f"{entry.arch}.{name}", name, kind, *place, -1
            if entry in alone:
                yield name, name, kind, *place, -1


def _names(entry: Entry) -> Iterator[tuple[str, str]]:
    for name in (entry.mnemonic, *entry.spellings, entry.intrinsic):
        yield "instruction", name
    yield "builtin", entry.builtin
