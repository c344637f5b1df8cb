"""What earlier runs wrote below an output folder, and which paths lie in it.

A manifest is a file of paths with the SHA-256 of what was written there.  Anybody can edit it:
it is never a reason to touch what is outside of the folder, nor to fail.
"""

from __future__ import annotations

import hashlib
import json
import stat
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path, PurePosixPath
from typing import TypeAlias

Digests: TypeAlias = Mapping[str, frozenset[str]]
"""Digests of what was written, by path; several where a run was killed while it wrote."""


class OutputError(OSError):
    """A path that may not be written; the text names it and gives the reason."""


class Folder:
    """An output folder; links are looked at once, when a path below them is first asked for."""

    def __init__(self, root: Path) -> None:
        """Take the folder, which need not exist yet."""
        self.root = root
        self._real = root.resolve()
        self._holds = cache(lambda folder: folder.resolve().is_relative_to(self._real))

    def target(self, path: str) -> Path:
        """Return the target of `path` below the folder; refuse one that leads out of it."""
        if not _is_plain(path):
            raise OutputError(f"{path!r} is not a path inside of {self.root}")
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
    """What was written, but for what cannot be there any more, as its folder is gone."""
    passed_over: tuple[str, ...]
    """Entries that no run has written: they lead out of the folder, or to no file."""


def read(folder: Folder, path: Path) -> Manifest:
    """Return what the manifest at `path` tells; a damaged one counts as empty."""
    known, passed_over = {}, []
    for name, digests in _entries(path):
        try:
            if not _is_plain(name) or folder.root.joinpath(name).parent.is_dir():
                folder.target(name)
                known[name] = digests
        except OSError:
            passed_over.append(name)
    return Manifest(known, tuple(sorted(passed_over)))


def text(entries: Digests) -> bytes:
    """Return the manifest with these `entries`."""
    about = "Files written by 'layoutgen docs', with their SHA-256."
    files = {path: _one_or_list(entries[path]) for path in sorted(entries)}
    return (
        json.dumps({"about": about, "files": files}, indent=1, ensure_ascii=False) + "\n"
    ).encode()


def digest(content: bytes) -> str:
    """Return the SHA-256 of `content`, as a manifest has it."""
    return hashlib.sha256(content).hexdigest()


def content(path: Path) -> bytes | None:
    """Return what a file holds, or None if there is none; refuse a pipe, which would never end."""
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            raise OutputError(f"{path} is no regular file")
        return path.read_bytes()
    except FileNotFoundError:
        return None


def _is_plain(path: str) -> bool:
    """Return whether `path` can be that of a file below a folder, written as we write it."""
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    pure = PurePosixPath(path)
    inside = not pure.is_absolute() and ".." not in pure.parts
    return inside and path not in (".", "") and str(pure) == path and not {*"\\\0"} & {*path}


def _entries(path: Path) -> Iterator[tuple[str, frozenset[str]]]:
    there = content(path)
    # RecursionError: too many brackets.
    with suppress(ValueError, LookupError, TypeError, AttributeError, RecursionError):
        for name, told in json.loads(there or b"")["files"].items():
            yield name, frozenset(map(str, told) if isinstance(told, list) else [str(told)])


def _one_or_list(digests: frozenset[str]) -> str | list[str]:
    several = sorted(digests)
    return several[0] if len(several) == 1 else several
