"""The user's cache of checked specifications, so that a query starts without YAML and pydantic.

A cache file holds the checked data of all files of a run as JSON, and is named by a digest of
their paths and contents and of the code that checked them: what has changed is never found
again.  Everything that can go wrong with a cache is ignored: the files are then checked anew.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from dataclasses import MISSING, fields, is_dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from layoutgen import __version__
from layoutgen.spec import schema, schema_instructions
from layoutgen.spec.fields import Record
from layoutgen.spec.schema import File

KEEP = 16
"""Cache files that are kept; when one more is written, the oldest goes."""

_CLASS = ""
"""The key that names the class of a mapping: no field and no name is empty."""

_CLASSES: dict[str, type] = {
    name: value
    for name, value in {**vars(schema), **vars(schema_instructions)}.items()
    if isinstance(value, type) and issubclass(value, Record)
}


def folder() -> Path | None:
    """Return the folder for cache files after the XDG convention, or None if there is no home."""
    stated = os.environ.get("XDG_CACHE_HOME", "")
    try:
        root = Path(stated) if Path(stated).is_absolute() else Path.home() / ".cache"
    except RuntimeError:
        return None
    return root / "layoutgen"


def key(contents: Iterable[tuple[Path, bytes]]) -> str:
    """Return the digest of files, of the package's version and of the code that checks files."""
    digest = sha256(__version__.encode())
    code = ((path, path.read_bytes()) for path in sorted(Path(__file__).parent.glob("*.py")))
    for path, content in (*code, *contents):
        name = os.fsencode(path)
        digest.update(b"%d %d " % (len(name), len(content)) + name + content)
    return digest.hexdigest()


def read(key: str) -> list[tuple[Path, File]] | None:
    """Return the checked files that were written under `key`, or None."""
    try:
        where = folder()
        if where is None:
            return None
        seal, _, text = (where / f"specs-{key}.json").read_text(encoding="utf-8").partition("\n")
        if seal != _seal(key, text):
            return None
        return [(Path(path), file) for path, file in json.loads(text, object_hook=_revive)]
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        return None


def write(key: str, files: Sequence[tuple[Path, File]]) -> None:
    """Keep checked files under `key`, if the cache can be written."""
    import tempfile

    text = json.dumps([[str(path), _plain(file)] for path, file in files], ensure_ascii=False)
    temporary = None
    try:
        where = folder()
        if where is None:
            return
        where.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=where, prefix=".specs-")
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(f"{_seal(key, text)}\n{text}")
        Path(temporary).replace(where / f"specs-{key}.json")
        temporary = None
        _prune(where)
    except (OSError, ValueError):
        pass
    finally:
        if temporary:
            Path(temporary).unlink(missing_ok=True)


def _prune(where: Path) -> None:
    kept = sorted(where.glob("specs-*.json"), key=lambda p: p.stat().st_mtime, reverse=True)
    for old in kept[KEEP:]:
        old.unlink(missing_ok=True)


def _seal(key: str, text: str) -> str:
    return sha256(f"{key}\n{text}".encode()).hexdigest()


def _plain(value: Any) -> Any:
    """Return a record as JSON data, without the fields that have their default."""
    if is_dataclass(value):
        stated = ((f.name, getattr(value, f.name)) for f in fields(value) if not _default(f, value))
        return {_CLASS: type(value).__name__, **{name: _plain(v) for name, v in stated}}
    if isinstance(value, dict):
        return {name: _plain(entry) for name, entry in value.items()}
    if isinstance(value, tuple):
        return [_plain(entry) for entry in value]
    return value


def _default(field: Any, record: Any) -> bool:
    return field.default is not MISSING and getattr(record, field.name) == field.default


def _revive(data: dict[str, Any]) -> Any:
    name = data.pop(_CLASS, None)
    values = {k: tuple(v) if isinstance(v, list) else v for k, v in data.items()}
    return values if name is None else _CLASSES[name](**values)
