"""The specifications as directives use them: names resolved, with what would be right if not."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from layoutgen.model import UnknownName
from layoutgen.sphinx.entries import Entry, split
from layoutgen.sphinx.problems import Problem, listing, nearest, warn

if TYPE_CHECKING:
    from layoutgen.figures.gallery import Figure
    from layoutgen.figures.scene import Scene
    from layoutgen.model import Architecture, Instruction
    from layoutgen.spec import Catalogue, SpecError
    from layoutgen.sphinx.pictures import Picture

SCENES = 32
"""So many figures are remembered from their directive to their page."""

Has: TypeAlias = "Callable[[Architecture], Instruction | None]"
"""Finds what is wanted in an architecture."""

_TILE = re.compile(r"(\d+)[x×](\d+)")


class Subject(NamedTuple):
    """What a directive is about; `tile` tells that only a tile shape was named."""

    arch: Architecture
    inst: Instruction
    tile: bool = False


class Library:
    """The built-in specifications and those of a project."""

    def __init__(self, folders: Sequence[Path]) -> None:
        """Read nothing yet."""
        self.folders = folders
        self.scene = lru_cache(SCENES)(self._scene)
        self._galleries: dict[str, dict[str, Figure]] = {}
        self._whole = True

    @cached_property
    def _loaded(self) -> Catalogue | None:
        """The specifications; after warnings of all that is wrong with them the built-in ones
        alone, or None if these do not hold.
        """
        from layoutgen.spec import Catalogue, SpecError

        for folders in dict.fromkeys((tuple(self.folders), ())):
            try:
                return Catalogue(folders)
            except SpecError as error:
                if self._whole:
                    _tell(error)
                self._whole = False
        return None

    @cached_property
    def key(self) -> str:
        """What tells the specification files, as they are now, from all others."""
        from layoutgen.spec import catalogue, files, shelf

        found = files.find([catalogue.builtin_dir(), *self.folders])
        return shelf.key((file.path, file.content) for file in found)

    @property
    def usable(self) -> bool:
        """Whether all specifications hold; tells what is wrong when asked first."""
        return self._loaded is not None and self._whole

    @property
    def catalogue(self) -> Catalogue:
        """The specifications; raises :class:`Problem` if they do not hold."""
        if self._loaded is None:
            raise Problem("spec", "the specifications do not hold; see the warnings above")
        return self._loaded

    def arch(self, name: str) -> Architecture:
        """Return an architecture by name or alias."""
        try:
            return self.catalogue.arch(name)
        except UnknownName as unknown:
            raise self._unknown(str(unknown)) from None

    def archs(self, names: Sequence[str], default: str) -> list[Architecture]:
        """Return the named architectures; without names the default one, or all."""
        chosen = list(names) or ([default] if default else list(self.catalogue.names))
        return [self.arch(name) for name in chosen]

    def subject(self, text: str, arch: str, default: str) -> Subject:
        """Return what ``gfx908.v_mfma_…`` or ``32x32`` means.

        `arch` is an architecture that was named apart, `default` the one that is meant where
        several would do.  Raises :class:`Problem`.
        """
        named, name = split(text.strip())
        if named and arch and self.arch(named) != self.arch(arch):
            raise Problem("option", f"two architectures: {named} in {text!r}, and {arch}")
        named = named or arch
        size = _TILE.fullmatch(name)
        has = _with_tile(f"{size[1]}x{size[2]}") if size else lambda arch: arch.find(name)
        return Subject(*self._choose(text, name, named, default, has), tile=bool(size))

    def canonical(self, target: str, *, builtin: bool, default: str) -> str:
        """Return the name under which an inventory has what a reference means: of the builtin, or
        the mnemonic; with the architecture if the reference names one.

        What the specifications do not know is returned as it is.
        """
        named, name = split(target)
        try:
            archs = self.archs([named] if named else self.catalogue.names, "")
            preferred = self.arch(default) if default else None
        except Problem:
            return target
        for arch in sorted(archs, key=lambda arch: arch is not preferred):
            if inst := arch.find(name):
                meant = inst.builtin if builtin and inst.builtin else inst.mnemonic
                return f"{arch.name}.{meant}" if named else meant
        return target

    def _scene(self, picture: Picture) -> Scene:
        """Return what is to be drawn; `scene` remembers the last of them."""
        return picture.scene(self)

    def known(self, picture: Picture) -> Picture:
        """Return `picture` with the digest of what is drawn; raises what drawing it raises."""
        scene = self.scene(picture)
        return replace(picture, digest=sha256(repr(scene).encode()).hexdigest())

    def figure(self, arch: str, stem: str) -> Figure:
        """Return a figure of the reference by the stem of its file."""
        return self.gallery(arch)[stem]

    def gallery(self, arch: str) -> dict[str, Figure]:
        """Return the figures of the reference of one architecture."""
        if arch not in self._galleries:
            from layoutgen.figures.gallery import gallery

            self._galleries[arch] = gallery(self.arch(arch))
        return self._galleries[arch]

    def entry(self, subject: Subject, docname: str, location: str) -> Entry:
        """Return what is remembered of an instruction that a page describes; its id is open."""
        arch, inst, _tile = subject
        return Entry(
            arch=arch.name,
            rank=self.catalogue.names.index(arch.name),
            aliases=arch.aliases,
            mnemonic=inst.mnemonic,
            spellings=inst.spellings,
            builtin=inst.builtin,
            intrinsic=inst.llvm_intrinsic,
            tile=inst.tile,
            docname=docname,
            node_id="",
            location=location,
        )

    def _choose(
        self, text: str, name: str, named: str, default: str, has: Has
    ) -> tuple[Architecture, Instruction]:
        preferred = self.arch(named or default) if named or default else None
        if preferred and (its := has(preferred)):
            return preferred, its
        every = list(self.catalogue.architectures.values())
        found = [(arch, inst) for arch in every if (inst := has(arch))]
        if named and preferred:
            there = f"; it is on {listing(a.name for a, _ in found)}" if found else ""
            close = _alike(name, preferred)
            raise Problem("name", f"{preferred.name} has no {_kind(name)}{there}{close}")
        if len(found) == 1:
            return found[0]
        if found:
            several = listing((f"{arch.name}.{name}" for arch, _ in found), "or")
            raise Problem("ambiguous", f"{text!r} is on several architectures: write {several}")
        close = next((c for arch in every if (c := _alike(name, arch))), "")
        raise self._unknown(f"no architecture has the {_kind(name)}{close}")

    def _unknown(self, message: str) -> Problem:
        """Return the problem with a name that may be one of the specifications that do not hold."""
        if self.usable:
            return Problem("name", message)
        return Problem("spec", f"{message}; not all specifications hold, see the warnings above")


def _tell(error: SpecError) -> None:
    """Warn of all that is wrong with specifications."""
    for found in error.diagnostics:
        hint = f" ({found.hint})" if found.hint else ""
        place = f"{found.path}:{found.line}"
        warn("spec", f"column {found.column}: {found.message}{hint} [{found.code}]", place)


def _with_tile(tile: str) -> Has:
    """Return what finds, in an architecture, the form of a tile shape that has most blocks."""

    def find(arch: Architecture) -> Instruction | None:
        users = [inst for inst in arch.values() if inst.tile == tile]
        return max(users, key=lambda inst: inst.blocks, default=None)

    return find


def _kind(name: str) -> str:
    return f"{'tile' if _TILE.fullmatch(name) else 'instruction'} {name!r}"


def _alike(name: str, arch: Architecture) -> str:
    if _TILE.fullmatch(name):
        tiles = dict.fromkeys(inst.tile for inst in arch.values())
        return nearest(name, tiles) or f"; there are {listing(tiles)}"
    from layoutgen.alike import alike

    found = alike(name, arch)
    return f"; nearest: {', '.join(found)}" if found else ""
