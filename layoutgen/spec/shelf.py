"""The user's cache: texts under a key, of which every one is whole or not there.

A key is a digest of files and of the code that made the text of them: what has changed is never
found again.  Everything that can go wrong with a cache is ignored.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from hashlib import sha256
from pathlib import Path

from layoutgen import __version__, regular

KEEP = 16
"""Cache files of a kind that are kept; when one more is written, the oldest goes."""


def folder() -> Path | None:
    """Return the folder for cache files after the XDG convention, or None if there is no home."""
    stated = os.environ.get("XDG_CACHE_HOME", "")
    try:
        root = Path(stated) if Path(stated).is_absolute() else Path.home() / ".cache"
    except RuntimeError:
        return None
    return root / "layoutgen"


def key(contents: Iterable[tuple[Path, bytes]]) -> str:
    """Return the digest of files, of the package's version and of the code that reads files."""
    digest = sha256(__version__.encode())
    here = Path(__file__)
    code = [path for place in here.parents[:2] for path in sorted(place.glob("*.py"))]
    for path, content in (*((path, path.read_bytes()) for path in code), *contents):
        name = os.fsencode(path)
        digest.update(b"%d %d " % (len(name), len(content)) + name + content)
    return digest.hexdigest()


def get(kind: str, key: str) -> str | None:
    """Return the text of a kind that was put under `key`, or None."""
    try:
        where = folder()
        if where is None:
            return None
        read = regular.read(where / f"{kind}-{key}.json").decode()
        seal, _, text = read.partition("\n")
        return text if seal == _seal(key, text) else None
    except (OSError, ValueError):
        return None


def put(kind: str, key: str, text: Callable[[], str]) -> None:
    """Keep a text under `key`, if the cache can be written; only then the text is made."""
    import tempfile

    temporary = None
    try:
        where = folder()
        if where is None:
            return
        where.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=where, prefix=f".{kind}-")
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            made = text()
            file.write(f"{_seal(key, made)}\n{made}")
        Path(temporary).replace(where / f"{kind}-{key}.json")
        temporary = None
        _prune(where, kind)
    except (OSError, ValueError):
        pass
    finally:
        if temporary:
            Path(temporary).unlink(missing_ok=True)


def _prune(where: Path, kind: str) -> None:
    kept = sorted(where.glob(f"{kind}-*.json"), key=lambda p: p.stat().st_mtime, reverse=True)
    for old in kept[KEEP:]:
        old.unlink(missing_ok=True)


def _seal(key: str, text: str) -> str:
    return sha256(f"{key}\n{text}".encode()).hexdigest()
