"""Checked specification files in the user's cache, so that YAML and pydantic are not needed.

A cache file holds the checked data of all files of a run as JSON.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import MISSING, fields, is_dataclass
from pathlib import Path
from typing import Any

from layoutgen.spec import schema, schema_instructions, shelf
from layoutgen.spec.fields import Record
from layoutgen.spec.schema import File

KIND = "specs"
_CLASS = ""
"""The key that names the class of a mapping: no field and no name is empty."""

_CLASSES: dict[str, type] = {
    name: value
    for name, value in {**vars(schema), **vars(schema_instructions)}.items()
    if isinstance(value, type) and issubclass(value, Record)
}


def read(key: str) -> list[tuple[Path, File]] | None:
    """Return the checked files that were written under `key`, or None."""
    text = shelf.get(KIND, key)
    if text is None:
        return None
    try:
        return [(Path(path), file) for path, file in json.loads(text, object_hook=_revive)]
    except (ValueError, TypeError, KeyError, RecursionError):
        return None


def write(key: str, files: Sequence[tuple[Path, File]]) -> None:
    """Keep checked files under `key`, if the cache can be written."""
    plain = [[str(path), _plain(file)] for path, file in files]
    shelf.put(KIND, key, lambda: json.dumps(plain, ensure_ascii=False))


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
