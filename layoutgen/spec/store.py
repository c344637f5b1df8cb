"""Built architectures in the user's cache, so that a question needs no specification at all.

The text has a line for each object of the model, as JSON: its class and its fields.  An object in
a field is the number of its line, and equal objects share one.  So only the lines of what is asked
for are read, and operands that lie alike share one layout here as well.  The first line says
where the architectures are.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from functools import partial
from types import ModuleType
from typing import Any

from layoutgen import actions, digits, facts, formats, model, modifiers, operand
from layoutgen.model import Architecture, Instruction
from layoutgen.spec import shelf
from layoutgen.spec.lazy import Instructions

KIND = "models"
_LINE = ""
"""The key of a mapping that stands for an object: no name is empty."""

_MODULES: tuple[ModuleType, ...] = (
    actions, digits, facts, formats, model, modifiers, operand,
)  # fmt: skip


class Store:
    """What :func:`write` kept: architectures, made of their lines when they are asked for."""

    def __init__(self, text: str) -> None:
        """Take the lines; raises an error for what was not written by :func:`write`."""
        head, *self._lines = text.split("\n")
        self._made: dict[int, Any] = {}
        self._archs: dict[str, dict[str, Any]] = json.loads(head)
        self.names: dict[str, tuple[str, ...]] = {
            name: tuple(entry["names"]) for name, entry in self._archs.items()
        }

    def architecture(self, name: str) -> Architecture:
        """Return an architecture, whose instructions are made when they are asked for."""
        entry = self._archs[name]
        lines: dict[str, int] = entry["instructions"]
        instructions = Instructions(lines, partial(self._instruction, lines))
        stated = {key: self._value(value) for key, value in entry["fields"].items()}
        return Architecture(instructions=instructions, **stated)

    def _instruction(self, lines: Mapping[str, int], mnemonic: str) -> Instruction:
        found: Instruction = self._object(lines[mnemonic])
        return found

    def _object(self, line: int) -> Any:
        if line not in self._made:
            name, stated = json.loads(self._lines[line])
            values = {key: self._value(value) for key, value in stated.items()}
            self._made[line] = _class(name)(**values)
        return self._made[line]

    def _value(self, value: Any) -> Any:
        if isinstance(value, list):
            return tuple(map(self._value, value))
        if not isinstance(value, dict):
            return value
        if _LINE in value:
            return self._object(value[_LINE])
        return {key: self._value(entry) for key, entry in value.items()}


def read(key: str) -> Store | None:
    """Return what was written under `key`, or None."""
    text = shelf.get(KIND, key)
    try:
        return None if text is None else Store(text)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None


def write(key: str, archs: Iterable[tuple[Architecture, tuple[str, ...]]]) -> None:
    """Keep architectures, each with all its names, if the cache can be written."""
    shelf.put(KIND, key, lambda: _text(archs))


def _text(archs: Iterable[tuple[Architecture, tuple[str, ...]]]) -> str:
    writer = _Writer()
    head = {
        arch.name: {
            "names": names,
            "fields": {
                f.name: writer.value(getattr(arch, f.name))
                for f in fields(arch)
                if f.name != "instructions"
            },
            "instructions": {name: writer.line(inst) for name, inst in arch.instructions.items()},
        }
        for arch, names in archs
    }
    return "\n".join([json.dumps(head, ensure_ascii=False), *writer.lines])


class _Writer:
    """Collects the lines of objects; the same object, or an equal one, has one line."""

    def __init__(self) -> None:
        self.lines: dict[str, int] = {}
        self._known: dict[int, tuple[int, Any]] = {}

    def line(self, item: Any) -> int:
        if id(item) not in self._known:
            stated = {f.name: self.value(getattr(item, f.name)) for f in fields(item)}
            text = json.dumps([type(item).__name__, stated], ensure_ascii=False)
            self._known[id(item)] = self.lines.setdefault(text, len(self.lines)), item
        return self._known[id(item)][0]

    def value(self, value: Any) -> Any:
        if is_dataclass(value):
            return {_LINE: self.line(value)}
        if isinstance(value, Mapping):
            return {key: self.value(entry) for key, entry in value.items()}
        if isinstance(value, tuple):
            return [self.value(entry) for entry in value]
        return value


def _class(name: str) -> type:
    """Return a class of the model by its name."""
    for module in _MODULES:
        if name in vars(module) and is_dataclass(found := vars(module)[name]):
            assert isinstance(found, type)
            return found
    raise KeyError(name)
