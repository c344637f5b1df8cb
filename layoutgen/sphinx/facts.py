"""Which facts a page was made from: it is read again when one of them changes, and not before.

A fact has a name and a digest.  All instructions share some specification files, so files would
tell too little: nearly every page is made from nearly every file.
"""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256
from typing import TYPE_CHECKING

from layoutgen import __version__
from layoutgen.model import UnknownName
from layoutgen.sphinx.problems import Problem

if TYPE_CHECKING:
    from collections.abc import Iterable

    from layoutgen.model import Architecture
    from layoutgen.sphinx.domain import LayoutDomain
    from layoutgen.sphinx.library import Library

MEANS = "="
"""Begins the fact of what a name means: ``=gfx908.32x32``."""

AROUND = "."
"""Ends the fact of all that is known of an architecture beside its instructions: ``gfx908.``."""


def whole(arch: Architecture) -> str:
    """Return the fact of all that is known of an architecture: ``gfx908``."""
    return arch.name


def around(arch: Architecture) -> str:
    """Return the fact of an architecture without its instructions."""
    return f"{arch.name}{AROUND}"


def of(arch: Architecture, mnemonic: str) -> str:
    """Return the fact of one instruction: ``gfx908.v_mfma_f32_32x32x1f32``."""
    return f"{arch.name}.{mnemonic}"


def digest(library: Library, fact: str, default_arch: str) -> str:
    """Return the digest of a fact as it is now, or an empty text if there is no such thing."""
    try:
        text = _text(library, fact, default_arch)
    except (Problem, UnknownName):
        return ""
    return sha256(f"{__version__} {text}".encode()).hexdigest()


def outdated(domain: LayoutDomain) -> list[str]:
    """Return the documents of which a fact is not what it was when they were read.

    Facts are looked at only if a specification file has changed.
    """
    if not domain.facts or domain.data["specifications"] == domain.library.key:
        return []
    if not domain.library.usable:
        return sorted(domain.facts)
    known = {fact for facts in domain.facts.values() for fact in facts}
    now = digests(domain, known)
    return sorted(
        docname
        for docname, facts in domain.facts.items()
        if any(now[fact] != was for fact, was in facts.items())
    )


def digests(domain: LayoutDomain, facts: Iterable[str]) -> dict[str, str]:
    """Return the digests of some facts."""
    default = domain.settings.default_arch
    return {fact: digest(domain.library, fact, default) for fact in facts}


def _text(library: Library, fact: str, default_arch: str) -> str:
    if fact.startswith(MEANS):
        arch, inst, _tile = library.subject(fact.removeprefix(MEANS), "", default_arch)
        return of(arch, inst.mnemonic)
    name, dot, mnemonic = fact.partition(".")
    arch = library.arch(name)
    if not mnemonic:
        alone = replace(arch, files=(), instructions={})
        return repr((alone, *(() if dot else arch.values())))
    rates = (arch.title, arch.wave, arch.matrix_cores_per_cu, arch.register_alignment)
    return repr((arch.name, arch.aliases, rates, arch[mnemonic]))
