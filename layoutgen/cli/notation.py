"""Elements and registers as they stand in formulas, in assembly and in our own answers."""

from __future__ import annotations

import argparse
import re
from dataclasses import dataclass

from layoutgen.cli.arguments import number, numbers
from layoutgen.cli.errors import Fault
from layoutgen.cli.subject import Subject, subject

ELEMENT = re.compile(r"\s*(?P<name>\w*)\s*\[(?P<inner>.*)\]\s*(?:block\s+(?P<block>\w+))?\s*")


@dataclass(frozen=True, slots=True)
class Written:
    """An element as it was written: ``D[5][3]``, ``[5,3]``, ``D[5][3] block 1``."""

    text: str
    name: str
    indices: tuple[str, ...]
    block: str | None


def written(text: str) -> Written | None:
    """Return the parts of a written element, or None if `text` is none."""
    found = ELEMENT.fullmatch(text)
    if found is None:
        return None
    indices = tuple(part.strip() for part in re.split(r"\]\s*\[|,", found["inner"]))
    return Written(text.strip(), found["name"], indices, found["block"])


def asked(options: argparse.Namespace, *, many: bool = False) -> Subject:
    """Return what is asked about; an element that is written out sets -i, -j, -k, --group and -b.

    It may stand for the operand or after it.  `many`: the options take lists.
    """
    element = written(options.operand)
    if element is not None:
        options.operand = element.name
    after = getattr(options, "element", None)
    if after is not None:
        if element is not None:
            raise Fault(f"{element.text} and {after} say the same: give one of them")
        element = written(after)
        if element is None or element.name.lower() not in ("", options.operand.lower()):
            from layoutgen.spec.errors import printable

            name = printable(options.operand)
            raise Fault(
                f"{after!r} is no element of {name}: write it as '{name}[5][3]', or -i 5 -j 3"
            )
    what = subject(options)
    if element is not None:
        _assign(options, what, element, many=many)
    return what


def _assign(options: argparse.Namespace, what: Subject, element: Written, *, many: bool) -> None:
    names = [name for name in what.operand.layout.shape if name != "b"]
    values = [*zip(names, element.indices, strict=False)]
    if element.block is not None:
        values.append(("b", element.block))
    try:
        read = {name: numbers(text) if many else number(text) for name, text in values}
    except argparse.ArgumentTypeError:
        read = {}
    if len(element.indices) != len(names) or not read:
        wanted = "".join(f"[{name}]" for name in names)
        raise Fault(
            f"{element.text} is no element: write {what.operand.name}{wanted}, and -b for the block"
        )
    for name, value in read.items():
        if getattr(options, name) is not None:
            option = f"-{name}" if len(name) == 1 else f"--{name}"
            raise Fault(f"{element.text} and {option} say the same: give one of them")
        setattr(options, name, value)
