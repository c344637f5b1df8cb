"""What arguments say: numbers, lists, registers, fields of modifiers.

Each function is the ``type`` of an argument: it returns a value, or says what would be right.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path

PROCESSES = 4096
"""More work at once has no use on any machine."""


def location(text: str) -> Path:
    """Return a path; an empty one, as from a variable that is not set, is not the folder here."""
    if not text:
        raise argparse.ArgumentTypeError("the path is empty; '.' is the current folder")
    return Path(text)


def file(text: str) -> Path:
    """Return the path of a file."""
    if text.endswith(("/", os.sep)) and not Path(text).is_dir():
        raise argparse.ArgumentTypeError(f"{text!r} is the name of a folder, not of a file")
    return location(text)


def number(text: str) -> int:
    """Return a whole number, decimal or ``0x…``."""
    try:
        return int(text, 16) if text.lower().startswith("0x") else int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number") from None


def processes(text: str) -> int:
    """Return how many processes may work: one or more."""
    found = number(text)
    if found < 1:
        raise argparse.ArgumentTypeError(f"{found}: at least one process is needed")
    if found > PROCESSES:
        raise argparse.ArgumentTypeError(f"{text} processes are too many: at most {PROCESSES}")
    return found


def register(text: str) -> tuple[str, range]:
    """Return file, if told, and registers of ``6``, ``v6``, ``a6`` or, of several, ``v[2:3]``."""
    file = text[:1] if text[:1] in ("v", "a") else ""
    bare = text.removeprefix(file)
    first, colon, last = bare.removeprefix("[").removesuffix("]").partition(":")
    try:
        low, high = number(first), number(last if colon else first)
    except argparse.ArgumentTypeError:
        raise argparse.ArgumentTypeError(
            f"{text!r} is not a register: give its offset in the operand, as 6, v6, a6 or v[2:3]"
        ) from None
    if high < low:
        raise argparse.ArgumentTypeError(f"{text!r} is no range: {high} is before {low}")
    return file, range(low, high + 1)


def registers(text: str) -> tuple[int, ...]:
    """Return the numbers of a list of registers such as ``0-3,8``, ``v2`` or ``v[2:3],a6``."""
    parts = []
    for part in text.split(","):
        bare = part.strip()
        if bare[:1] in ("v", "a"):
            bare = bare[1:].removeprefix("[").removesuffix("]").replace(":", "-")
        parts.append(bare)
    try:
        return numbers(",".join(parts))
    except argparse.ArgumentTypeError as error:
        reason = str(error)
        if "is not a list of numbers" in reason:
            reason = f"{text!r} is not a list of registers such as 2, v2, v[2:3] or 0-3,8"
        raise argparse.ArgumentTypeError(reason) from None


def base(text: str) -> tuple[str, int, int | None]:
    """Return file, first and last register of ``v8`` or ``a[4:7]``; last is None if not told."""
    import re

    found = re.fullmatch(r"([va])(?:(\d{1,4})|\[(\d{1,4}):(\d{1,4})\])", text.strip().lower())
    if found is None:
        raise argparse.ArgumentTypeError(f"{text!r} is not a register such as v8 or a[4:7]")
    file, alone, first, last = found.groups()
    if last and int(last) < int(first):
        raise argparse.ArgumentTypeError(f"{text!r} is no range: {last} is before {first}")
    return file, int(alone or first), int(last) if last else None


def pairs(text: str) -> tuple[int, ...]:
    """Return one number for each group of k."""
    return tuple(number(part.strip()) for part in text.split(","))


def numbers(text: str) -> tuple[int, ...]:
    """Return the numbers of a list such as ``0-3,8``."""
    found: list[int] = []
    for part in text.split(","):
        first, dash, last = part.strip().partition("-")
        try:
            low, high = number(first), number(last if dash else first)
        except argparse.ArgumentTypeError:
            raise argparse.ArgumentTypeError(
                f"{text!r} is not a list of numbers such as 5 or 0-3,8"
            ) from None
        if high < low:
            raise argparse.ArgumentTypeError(f"{part.strip()!r} ends before it begins")
        if high > 0xFFFF:
            raise argparse.ArgumentTypeError(f"{high} is far out of range")
        found.extend(range(low, high + 1))
    return tuple(found)


def scale_bytes(text: str) -> tuple[int, ...]:
    """Return one byte number for each scale: ``2`` stands for both, ``0,1`` for A and for B.

    ``[0,1,0]``, as in assembly, are the bits of op_sel for A, for B and for what it leaves alone.
    """
    found = tuple(number(part) for part in text.strip("[]").split(","))
    if text.startswith("[") and len(found) == 3 and set(found[:2]) <= {0, 1} and not found[2]:
        return found[:2]
    return found if len(found) == 2 else (*found, *found)


def field(text: str) -> int | str:
    """Return a field's value: a number, its bits from the lowest (``[1,0,0]``), or a format."""
    if text.isidentifier():
        return text
    bits = text.strip("[]").split(",")
    if len(bits) == 1 and not text.startswith("["):
        return number(text)
    if any(bit.strip() not in ("0", "1") for bit in bits):
        raise argparse.ArgumentTypeError(f"{text!r} is neither a number nor a list of 0 and 1")
    return sum(int(bit) << position for position, bit in enumerate(bits))
