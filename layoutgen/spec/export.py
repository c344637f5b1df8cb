"""JSON Schemas of the kinds of specification files, for editors and other checkers."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import is_dataclass
from inspect import cleandoc
from typing import Any

from layoutgen.model import UnknownName, nearest
from layoutgen.spec.fields import Record
from layoutgen.spec.schema import KINDS

ID = "urn:layoutgen:spec"
"""How every schema is called, or how its name begins."""


def schema_kinds() -> tuple[str, ...]:
    """Return the kinds of files that there is a schema for."""
    return tuple(KINDS)


def json_schema(kind: str) -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of a kind of file; raises :class:`UnknownName`."""
    from layoutgen.spec.validate import adapter

    if kind not in KINDS:
        raise UnknownName(
            f"no schema {kind!r}{nearest(kind, list(KINDS))}; there are {', '.join(KINDS)}"
        )
    schema = _tidied(adapter(kind).json_schema())
    shapes = {shape.__name__: shape for shape in _shapes(Record)}
    _describe(schema, KINDS[kind])
    for name, part in schema.get("$defs", {}).items():
        _describe(part, shapes.get(name))
    head = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"{ID}:{kind}",
        "title": f"layoutgen specification: {kind}",
    }
    return {**head, **{k: v for k, v in schema.items() if k not in head}}


def schema_text(kind: str) -> str:
    """Return the JSON Schema of a kind of file as it is written to ``specs/schema``."""
    return json.dumps(json_schema(kind), indent=2, ensure_ascii=False, sort_keys=True) + "\n"


def _shapes(shape: type[Record]) -> Iterator[type[Record]]:
    """Yield the classes of all records."""
    for below in shape.__subclasses__():
        yield below
        yield from _shapes(below)


def _describe(part: dict[str, Any], shape: type | None) -> None:
    """Add what `shape` says of itself; older versions of pydantic leave it out."""
    if is_dataclass(shape):
        part.setdefault("description", cleandoc(shape.__doc__ or ""))


def _tidied(schema: Any) -> Any:
    """Return a schema as strict as the reader, and without titles that only repeat a name.

    An optional field is left out, never null; no name is allowed that fits no pattern.
    """
    if isinstance(schema, list):
        return [_tidied(entry) for entry in schema]
    if not isinstance(schema, dict):
        return schema
    kept = {key: _tidied(value) for key, value in schema.items()}
    if isinstance(kept.get("title"), str):
        del kept["title"]
    if kept.get("default", 0) is None:
        del kept["default"]
    if "patternProperties" in kept:
        kept["additionalProperties"] = False
    if "anyOf" in kept:
        arms = [arm for arm in kept["anyOf"] if arm != {"type": "null"}]
        if len(arms) == 1:
            del kept["anyOf"]
            kept = {**arms[0], **kept}
    return kept
