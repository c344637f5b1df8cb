"""What earlier runs wrote below an output folder, and which paths lie in it.

A manifest is a file of paths with the SHA-256 of what was written there.  While a run writes, it
also names what this run is about to write for the first time: such a path is only ours if that is
what lies there.  Anybody can edit a manifest: it is never a reason to touch what is outside of the
folder, nor to fail.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path, PurePosixPath
from typing import TypeAlias

from layoutgen import regular

Digests: TypeAlias = Mapping[str, frozenset[str]]
"""Digests of what was written, by path; several where a run was killed while it wrote."""


LONGEST_NAME = 255
"""How many bytes the name of a file may have on usual systems."""

LARGEST = 2**26
"""How many bytes of a file are read: more than any has that a run wrote."""

_DIGEST = re.compile("[0-9a-f]{64}")


class OutputError(OSError):
    """A path that may not be written; the text names it and gives the reason."""


def real(path: Path) -> Path:
    """Return `path` without links; a loop of links is an :class:`OutputError`."""
    try:
        return path.resolve()
    except RuntimeError:  # of Python before 3.13
        raise OutputError(errno.ELOOP, os.strerror(errno.ELOOP), str(path)) from None


class Folder:
    """An output folder; links are looked at once, when a path below them is first asked for."""

    def __init__(self, root: Path) -> None:
        """Take the folder, which need not exist yet."""
        self.root = root
        self._real = real(root)
        self._holds = cache(lambda folder: real(folder).is_relative_to(self._real))

    def target(self, path: str) -> Path:
        """Return the target of `path` below the folder; refuse one that leads out of it."""
        if not _is_plain(path):
            raise OutputError(f"{path!r} is not a path inside of {self.root}")
        if any(len(os.fsencode(part)) > LONGEST_NAME for part in path.split("/")):
            raise OutputError(f"{path!r} has a name of more than {LONGEST_NAME} bytes")
        target = self.root / path
        if not self._holds(target.parent):
            raise OutputError(f"{target}: a link leads out of {self.root}, so it is not written")
        if target.is_dir():
            raise OutputError(f"cannot write {target}: it is a folder")
        return target


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a manifest tells."""

    known: Digests
    """What was written, but for what cannot be there any more, as its folder is gone.

    Of what a run was about to write when it ended early: what it came to.
    """
    passed_over: tuple[str, ...]
    """Entries that no run has written: they lead out of the folder, or to no file."""


def read(folder: Folder, path: Path) -> Manifest:
    """Return what the manifest at `path` tells; a damaged one counts as empty."""
    known: dict[str, frozenset[str]] = {}
    passed_over = set()
    for name, digests, begun in _entries(path):
        try:
            if not _is_plain(name) or folder.root.joinpath(name).parent.is_dir():
                target = folder.target(name)
                if target == path:
                    raise OutputError(f"{path} names itself")
                if not begun or is_written(target, digests):
                    known[name] = known.get(name, digests) | digests
        except OSError:
            passed_over.add(name)
    return Manifest(known, tuple(sorted(passed_over)))


def text(entries: Digests, begun: Digests | None = None) -> bytes:
    """Return the manifest with these `entries`, and with what is `begun`, if anything is."""
    about = "Files written by 'layoutgen docs', with their SHA-256."
    document: dict[str, object] = {"about": about, "files": _sorted(entries)}
    if begun:
        document["begun"] = _sorted(begun)
    return (json.dumps(document, indent=1, ensure_ascii=False) + "\n").encode()


def digest(content: bytes) -> str:
    """Return the SHA-256 of `content`, as a manifest has it."""
    return hashlib.sha256(content).hexdigest()


def content(path: Path, most: int) -> bytes | None:
    """Return what a file holds, or its first `most` bytes, or None if there is none.

    A pipe, which would never end, is refused.
    """
    try:
        return regular.read(path, most)
    except FileNotFoundError:
        return None
    except regular.NotRegular as failure:
        raise OutputError(str(failure)) from None


def is_written(path: Path, digests: frozenset[str]) -> bool:
    """Return whether `path` is a regular file that holds what one of the `digests` is of."""
    try:
        with regular.opened(path) as file:
            small = os.fstat(file.fileno()).st_size <= LARGEST
            return small and hashlib.file_digest(file, "sha256").hexdigest() in digests
    except OSError:
        return False


def _is_plain(path: str) -> bool:
    """Return whether `path` can be that of a file below a folder, written as we write it."""
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    pure = PurePosixPath(path)
    inside = not pure.is_absolute() and ".." not in pure.parts
    return inside and path not in (".", "") and str(pure) == path and not {*"\\\0"} & {*path}


def _entries(path: Path) -> Iterator[tuple[str, frozenset[str], bool]]:
    """Yield path and digests of what the manifest names, and whether it was only begun."""
    there = content(path, LARGEST)
    # RecursionError: too many brackets.
    with suppress(ValueError, LookupError, TypeError, AttributeError, RecursionError):
        document = json.loads(there or b"")
        for part in ("files", "begun"):
            for name, told in document.get(part, {}).items():
                digests = map(str, told) if isinstance(told, list) else [str(told)]
                yield name, frozenset(filter(_DIGEST.fullmatch, digests)), part == "begun"


def _sorted(entries: Digests) -> dict[str, str | list[str]]:
    return {path: _one_or_list(entries[path]) for path in sorted(entries)}


def _one_or_list(digests: frozenset[str]) -> str | list[str]:
    several = sorted(digests)
    return several[0] if len(several) == 1 else several
