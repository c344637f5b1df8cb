"""What is described where: one entry for each instruction of an architecture, and finding it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from layoutgen.alike import stem

ANCHOR = "c."
"""How the addresses of C functions on a page begin, as in Sphinx's own domain."""


class Entry(NamedTuple):
    """An instruction that a page describes; plain data, for it is pickled with the environment.

    `rank` is the place of the architecture among all, `aliases` its other names; `location` is the
    file and the line of the description.
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
    location: str

    @property
    def qualified(self) -> str:
        """The name that only this entry has: ``gfx908.v_mfma_f32_32x32x1f32``."""
        return f"{self.arch}.{self.mnemonic}"

    @property
    def anchor(self) -> str:
        """The address of the C function on the page."""
        return f"{ANCHOR}{self.builtin}"


def split(name: str) -> tuple[str, str]:
    """Return architecture and name of ``gfx908.v_mfma_…``; the former is empty if not given."""
    arch, dot, rest = name.partition(".")
    return (arch.lower(), rest) if dot and arch.lower() != "llvm" else ("", name)


class Lookup:
    """All entries by every name that they answer to, in order of architecture."""

    def __init__(self, entries: Iterable[Entry], default_arch: str) -> None:
        """Sort the entries once."""
        self._default = default_arch.lower()
        self._by_stem: dict[str, list[Entry]] = {}
        self._archs: dict[str, set[str]] = {}
        for entry in sorted(entries, key=in_order):
            self._archs.setdefault(entry.docname, set()).add(entry.arch)
            for name in dict.fromkeys(map(stem, (entry.mnemonic, *entry.spellings))):
                self._by_stem.setdefault(name, []).append(entry)

    def find(self, name: str, docname: str) -> Entry | None:
        """Return the entry that `name` means on a page; see :meth:`_preferred`."""
        arch, rest = split(name)
        found = self._by_stem.get(stem(rest), [])
        if arch:
            found = [entry for entry in found if arch in (entry.arch, *entry.aliases)]
        return self._preferred(found, docname)

    def _preferred(self, found: list[Entry], docname: str) -> Entry | None:
        """Return the entry of the page itself, else that of the only architecture that the page
        describes, else that of the default one, else the first.
        """
        here = self._archs.get(docname, set())
        for entry in found:
            if entry.docname == docname:
                return entry
        if len(here) == 1:
            for entry in found:
                if entry.arch in here:
                    return entry
        return chosen(found, self._default)


def in_order(entry: Entry) -> tuple[int, str, str]:
    """Return what entries are sorted by: the architectures in their order."""
    return entry.rank, entry.arch, entry.mnemonic


def chosen(found: list[Entry], default_arch: str) -> Entry | None:
    """Return the entry of the default architecture, or the first."""
    for entry in found:
        if default_arch and default_arch.lower() in (entry.arch, *entry.aliases):
            return entry
    return found[0] if found else None


def owners(entries: Iterable[Entry], default_arch: str) -> dict[str, Entry]:
    """Return, for each builtin (or mnemonic, where there is none), the entry that its name alone
    means to other projects.
    """
    found: dict[str, list[Entry]] = {}
    for entry in sorted(entries, key=in_order):
        found.setdefault(entry.builtin or entry.mnemonic, []).append(entry)
    first = {name: chosen(several, default_arch) for name, several in found.items()}
    return {name: entry for name, entry in first.items() if entry}


def objects(
    entries: Iterable[Entry], default_arch: str
) -> Iterator[tuple[str, str, str, str, str, int]]:
    """Yield all names by which other projects may refer to the entries, as Sphinx wants them.

    Only one name of each instruction is for the search page: the others have priority -1.
    """
    every = sorted(entries, key=in_order)
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
    for name in filter(None, (entry.mnemonic, *entry.spellings, entry.intrinsic)):
        yield "instruction", name
    if entry.builtin:
        yield "builtin", entry.builtin
