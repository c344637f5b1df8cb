"""``layoutgen diff``: what changed from one architecture to another."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING

from layoutgen.cli.output import chosen_format, emit
from layoutgen.cli.parser import Parser, add_common
from layoutgen.cli.screen import answered
from layoutgen.cli.subject import catalogue, named

if TYPE_CHECKING:
    from layoutgen.changes import Change, Changes
    from layoutgen.model import Architecture, Instruction

DESCRIPTION = """\
Tell what changed from one architecture to another: instructions that came, went or have another
name; for those that both have: cycles, modifiers, register files, types, layouts, opcodes; and
registers and wait states of the architectures."""
EXAMPLES = """\
  layoutgen diff gfx90a gfx942
  layoutgen diff mi300x mi355x --all
  layoutgen diff gfx942 gfx950 --format json"""

WITH = ("text", "json")
"""Formats of this command."""
NAMED = 4
"""So many instructions of a change are named; of more, the number is told."""


def configure(parser: Parser) -> None:
    """Add the arguments of ``diff``."""
    parser.add_argument("old", metavar="OLD", help="the architecture before")
    parser.add_argument("new", metavar="NEW", help="the architecture after")
    parser.add_argument("--all", action="store_true", help="name every instruction of a change")
    add_common(parser, WITH)


def run(options: argparse.Namespace) -> int:
    """Print the changes."""
    from layoutgen.changes import diff

    specs = catalogue(options)
    changes = diff(*(named(options, specs, name) for name in (options.old, options.new)))
    if chosen_format(options, WITH) == "json":
        emit(options, _json(changes))
    else:
        emit(options, "".join(f"{line}\n" for line in _text(changes, every=options.all)))
    return 0


def _text(changes: Changes, *, every: bool) -> Iterator[str]:
    old, new = changes.old, changes.new
    if old == new:
        yield from answered("", f"one architecture, {_title(old)}: nothing changes")
        return
    yield from answered("", f"{_title(old)} -> {_title(new)}")
    for change in changes.architecture:
        yield from _told(change)
    yield from _listed(f"only on {new.name}", changes.added)
    yield from _listed(f"only on {old.name}", changes.removed)
    if changes.renamed:
        yield f"renamed: {len(changes.renamed)}"
        yield from (f"  {one.mnemonic} -> {other.mnemonic}" for one, other in changes.renamed)
    yield f"on both: {len(changes.pairs)}, of which {len(changes.known)} changed"
    yield from _grouped(changes, changes.known, every=every)
    if changes.untold:
        yield f"on both, told by the sources of one only: {len(changes.untold)}"
        yield from _grouped(changes, changes.untold, every=every)


def _title(arch: Architecture) -> str:
    return f"{arch.name} ({arch.title}, {arch.series})"


def _told(change: Change, indent: str = "") -> list[str]:
    text = f"{change.fact}: {change.old} -> {change.new}"
    return answered(indent, text, len(indent) + 4)


def _listed(title: str, instructions: tuple[Instruction, ...]) -> Iterator[str]:
    yield f"{title}: {len(instructions)}"
    yield from (f"  {inst.mnemonic}" for inst in instructions)


def _grouped(
    changes: Changes, by_name: Mapping[str, tuple[Change, ...]], *, every: bool
) -> Iterator[str]:
    """Yield every change with the instructions that share it."""
    from layoutgen.changes import by_change

    for change, names in by_change(by_name).items():
        yield from _told(change, "  ")
        yield from answered("    ", _names(changes, names, every=every))


def _names(changes: Changes, names: list[str], *, every: bool) -> str:
    if len(names) == len(changes.pairs) > 1 and not every:
        return f"all {len(names)}"
    if every or len(names) <= NAMED:
        return ", ".join(names)
    return f"{', '.join(names[: NAMED - 1])} and {len(names) - NAMED + 1} more"


def _json(changes: Changes) -> str:
    from layoutgen.export import documents

    return documents.dumps(
        {
            "schema_version": documents.SCHEMA_VERSION,
            "old": changes.old.name,
            "new": changes.new.name,
            "architecture": [asdict(change) for change in changes.architecture],
            "added": [inst.mnemonic for inst in changes.added],
            "removed": [inst.mnemonic for inst in changes.removed],
            "renamed": {one.mnemonic: other.mnemonic for one, other in changes.renamed},
            "changed": {
                name: [asdict(change) for change in found]
                for name, found in changes.changed.items()
            },
        }
    )
