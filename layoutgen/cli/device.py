"""``layoutgen validate --device``: what a real GPU did, against tables and emulator."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from layoutgen.cli.errors import Fault
from layoutgen.cli.output import chosen_format, emit
from layoutgen.cli.subject import catalogue

if TYPE_CHECKING:
    from layoutgen.validate.device_file import Device
    from layoutgen.validate.findings import Tally

FORMATS = ("text", "json")
MOST = 60
"""So many findings are printed; the rest is counted."""
FEW = 3
"""So many instructions that are missing are named."""
LARGEST = 64 << 20
"""A file has not more bytes; a complete one has ten million or fewer."""


def answer(options: argparse.Namespace) -> int:
    """Read the file, check it, and print what was found; return the exit code."""
    from layoutgen.validate import device
    from layoutgen.validate.device_file import DeviceFileError, read

    for name in ("archs", "instruction", "artefacts", "mutate", "record"):
        if getattr(options, name):
            told = "ARCH" if name == "archs" else f"--{name}"
            raise Fault(f"{told} does nothing with --device: the file says what it is about")
    path = options.device
    named = catalogue(options).arch
    try:
        found = read(_content(path), named)
    except DeviceFileError as error:
        raise Fault(f"{path}: {error}") from None
    arch = named(found.arch)
    tally = device.check(arch, found, str(path))
    missing = device.missing(arch, found)
    if chosen_format(options, FORMATS) == "json":
        emit(options, _json(found, tally, missing))
    else:
        emit(options, "\n".join(_text(found, tally, missing)) + "\n")
    return 1 if tally.findings else 0


def _content(path: Path) -> str:
    """Return the text of a file, or of a pipe, which may be endless."""
    try:
        with path.open("rb") as file:
            content = file.read(LARGEST + 1)
        if len(content) > LARGEST:
            raise Fault(f"{path} has more than {LARGEST >> 20} MiB, and no probe prints so much")
        return content.decode("utf-8")
    except (OSError, UnicodeDecodeError) as failure:
        raise Fault(
            f"cannot read {path}: {getattr(failure, 'strerror', None) or failure}"
        ) from None


def _counts(tally: Tally) -> dict[str, int]:
    return {what: number for (_, _, what), number in sorted(tally.counts.items())}


def _text(found: Device, tally: Tally, missing: list[str]) -> Iterator[str]:
    yield from map(str, tally.findings[:MOST])
    if (more := len(tally.findings) - MOST) > 0:
        yield f"… and {more} more findings"
    counts = ", ".join(_counted(number, what) for what, number in _counts(tally).items())
    yield f"{found.gpu} ({found.target}): {counts}."
    if missing:
        names = ", ".join(missing[:FEW]) + (", …" if len(missing) > FEW else "")
        yield f"The file says nothing of {_counted(len(missing), 'instructions')}: {names}."
    if tally.findings:
        yield f"It does not hold: {_counted(len(tally.findings), 'findings')}."
    else:
        yield f"The device does what the tables and the emulator of {found.arch} say."


def _counted(number: int, things: str) -> str:
    return f"{number} {things.removesuffix('s') if number == 1 else things}"


def _json(found: Device, tally: Tally, missing: list[str]) -> str:
    document = {
        "arch": found.arch,
        "gpu": found.gpu,
        "target": found.target,
        "holds": not tally.findings,
        "counts": _counts(tally),
        "missing": missing,
        "findings": [asdict(finding) for finding in tally.findings],
    }
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"
