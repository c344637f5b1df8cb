"""Check the data of one file against the shape of its kind, and say in words what is wrong.

pydantic does the checking; what it finds is gathered node by node, so that one fault gives one
message, and placed where the fault stands in the file.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from functools import cache
from types import UnionType
from typing import TYPE_CHECKING, Any, Union, get_args, get_origin, get_type_hints

from layoutgen.model import nearest
from layoutgen.spec.document import Document, Path, describe
from layoutgen.spec.errors import Diagnostic, SpecError, listed, quoted
from layoutgen.spec.fields import PATTERNS
from layoutgen.spec.reader import limited
from layoutgen.spec.schema import KINDS, File

if TYPE_CHECKING:
    from pydantic import TypeAdapter
    from pydantic_core import ErrorDetails

MAX_ERRORS = 1000
"""Of pydantic's errors; more are not listed anyway."""

ABOUT_ALL = ("too_short", "tuple_type", "dict_type", "dataclass_type")
"""Errors about a mapping or list as a whole."""


@cache
def adapter(kind: str) -> TypeAdapter[File]:
    """Return pydantic's checker of a kind of file."""
    from pydantic import TypeAdapter

    return TypeAdapter(KINDS[kind])


def validate(document: Document) -> File:
    """Return the data of `document` in its shape.

    Raises :class:`SpecError` with all faults, those that were found in reading included.
    """
    from pydantic import ValidationError

    found = list(document.problems)
    if document.kind in KINDS:
        try:
            file = adapter(document.kind).validate_json(json.dumps(document.data))
            if not found:
                return file
        except ValidationError as error:
            found += _explain(document, error.errors()[:MAX_ERRORS])
    elif () not in document.gaps:
        found.append(_no_kind(document))
    raise SpecError(limited(sorted(found, key=lambda d: (d.line, d.column))))


def _no_kind(document: Document) -> Diagnostic:
    message = (
        f"the first key {quoted(document.kind)} is no kind of file: wanted "
        f"{listed(list(KINDS), 'or')}{_nearest(document.kind, list(KINDS))}"
    )
    return document.at("spec-kind", (document.kind,), message, key=True)


def _explain(document: Document, errors: list[ErrorDetails]) -> Iterator[Diagnostic]:
    """Yield one diagnostic for each node that is wrong."""
    nodes: dict[tuple[Path, bool], list[ErrorDetails]] = {}
    missing: dict[Path, list[str]] = {}
    unknown: dict[Path, list[str]] = {}
    for error in errors:
        path, name = error["loc"][:-1], str(error["loc"][-1])
        node = _node(document, error["loc"])
        if document.excuses(node) or (node in document.gaps and error["type"] in ABOUT_ALL):
            continue  # what stood there is refused already
        if error["type"] in ("missing", "missing_keyword_only_argument"):
            if path not in document.gaps:
                missing.setdefault(path, []).append(name)
        elif error["type"] in ("unexpected_keyword_argument", "extra_forbidden"):
            unknown.setdefault(path, []).append(name)
        else:
            if error["type"] == "too_short" and _enough(_value(document, node), error):
                continue  # entries are there, and are wrong themselves
            nodes.setdefault((node, error["loc"][-1] == "[key]"), []).append(error)
    for path, names in unknown.items():
        for name in names:
            meant = _meant(name, len(names), missing.get(path, []))
            if meant:
                missing[path].remove(meant)
            yield _unknown_field(document, path, name, meant)
    for path, names in missing.items():
        if names:
            what = f"{listed([quoted(n) for n in names])} {'is' if len(names) == 1 else 'are'}"
            message = f"{what} missing from {_name(document, path)}"
            yield document.at("spec-missing-field", path, message, key=True)
    for (path, is_key), found in nodes.items():
        yield _wrong_key(document, path, found) if is_key else _wrong_value(document, path, found)


def _meant(name: str, unknown: int, missing: list[str]) -> str:
    """Return the missing field that an unknown one was to be: one fault then, not two."""
    if len(missing) == unknown == 1:
        return missing[0]
    return nearest(name[:100], missing, 1).removeprefix("; nearest: ")


def _unknown_field(document: Document, path: Path, name: str, meant: str) -> Diagnostic:
    known = [f.name for f in fields(_shape(KINDS[document.kind], path))]
    near = f"; missing is {quoted(meant)}" if meant else _nearest(name, known)
    message = f"{_name(document, path)} has no field {quoted(name)}{near}"
    hint = f"fields: {', '.join(known)}"
    return document.at("spec-unknown-field", (*path, name), message, key=True, hint=hint)


def _wrong_key(document: Document, path: Path, errors: list[ErrorDetails]) -> Diagnostic:
    wanted, choices = _wanted(errors)
    near = _nearest(str(path[-1]), choices)
    message = f"the name {quoted(path[-1])} is not allowed; wanted {wanted}{near}"
    return document.at("spec-value", path, message, key=True)


def _wrong_value(document: Document, path: Path, errors: list[ErrorDetails]) -> Diagnostic:
    value = _value(document, path)
    wanted, choices = _wanted(errors)
    near = _nearest(value, choices) if isinstance(value, str) else ""
    only_type = all(e["type"].endswith(("_type", "_from_float")) for e in errors)
    message = f"{_name(document, path)} is {describe(value)}; wanted {wanted}{near}"
    return document.at("spec-type" if only_type else "spec-value", path, message)


def _wanted(errors: list[ErrorDetails]) -> tuple[str, list[str]]:
    """Return what would be right, in words, and the texts among it."""
    wanted: list[str] = []
    choices: list[str] = []
    for error in errors:
        context = error.get("ctx", {})
        match error["type"]:
            case "int_type" | "int_from_float":
                wanted.append("a whole number")
            case "float_type":
                wanted.append("a number")
            case "string_type":
                wanted.append("text")
            case "tuple_type":
                wanted.append("a list")
            case "dict_type" | "dataclass_type":
                wanted.append("a mapping")
            case "literal_error":
                wanted.append(context["expected"].replace("'", "").replace(" or ", ", "))
                choices += wanted[-1].split(", ")
                wanted[-1] = listed(wanted[-1].split(", "), "or")
            case "string_pattern_mismatch":
                wanted.append(PATTERNS.get(context["pattern"], "some text"))
            case "greater_than":
                wanted.append(f"more than {context['gt']:g}")
            case "greater_than_equal":
                wanted.append(f"at least {context['ge']}")
            case "less_than_equal":
                wanted.append(f"at most {context['le']:g}")
            case "too_short":
                least = context["min_length"]
                wanted.append(f"at least {least} {'entry' if least == 1 else 'entries'}")
            case _:
                wanted.append(error["msg"])
    return listed(list(dict.fromkeys(wanted)), "or"), choices


def _node(document: Document, location: tuple[int | str, ...]) -> Path:
    """Return the longest beginning of pydantic's location that is a path in the file."""
    path = location
    while path not in document.values:
        path = path[:-1]
    return path


def _value(document: Document, path: Path) -> Any:
    value: Any = document.data
    for step in path:
        value = value[step]
    return value


def _enough(value: Any, error: ErrorDetails) -> bool:
    return isinstance(value, list | dict) and len(value) >= error["ctx"]["min_length"]


def _name(document: Document, path: Path) -> str:
    """Say which value stands at `path`: ``'cycles' of 'v_mfma_…'``, ``entry 2 of 'lane'``."""
    if not path:
        return f"the {document.kind} file"
    *above, last = path
    name = quoted(last) if isinstance(last, str) else f"entry {last + 1}"
    owner = next((quoted(step) for step in reversed(above) if isinstance(step, str)), None)
    return f"{name} of {owner}" if owner else name


def _shape(shape: Any, path: Path) -> Any:
    """Return the dataclass that describes the mapping at `path`."""
    for step in path:
        if is_dataclass(shape):
            shape = get_type_hints(shape)[str(step)]
        else:
            shape = get_args(shape)[0 if isinstance(step, int) else 1]
        if get_origin(shape) in (Union, UnionType):
            shape = next(arm for arm in get_args(shape) if arm is not type(None))
    return shape


def _nearest(name: str, known: list[str]) -> str:
    return nearest(name, known) if len(name) < 100 else ""
