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
    from layoutgen.probe import Case
    from layoutgen.validate.device_file import Device
    from layoutgen.validate.findings import Tally

FORMATS = ("text", "json")
MOST = 60
"""So many findings are printed; the rest is counted."""
FEW = 3
"""So many runs that are missing are named."""
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


def _text(found: Device, tally: Tally, missing: list[Case]) -> Iterator[str]:
    yield from map(str, tally.findings[:MOST])
    if (more := len(tally.findings) - MOST) > 0:
        yield f"… and {more} more findings"
    counts = ", ".join(_counted(number, what) for what, number in _counts(tally).items())
    yield f"{found.gpu} ({found.target}): {counts}."
    if missing:
        yield _missing(found, missing)
    if tally.findings:
        yield f"It does not hold: {_counted(len(tally.findings), 'findings')}."
    else:
        begin = "In the runs that the file has, the" if missing else "The"
        yield f"{begin} device does what the tables and the emulator of {found.arch} say."


def _missing(found: Device, missing: list[Case]) -> str:
    """Return which runs the file does not tell about, and what that means."""
    from layoutgen.validate.device_file import title

    names = ", ".join(map(title, missing[:FEW])) + (", …" if len(missing) > FEW else "")
    told = {run.instruction for run in found.runs}
    whole = {case.instruction.mnemonic for case in missing} - told
    among = f", among them all of {_counted(len(whole), 'instructions')}" if whole else ""
    counted = _counted(len(missing), "runs")
    return (
        f"The file is not complete: it lacks {counted} of the program{among}: {names}. "
        "What was not run is not confirmed."
    )


def _counted(number: int, things: str) -> str:
    return f"{number} {things.removesuffix('s') if number == 1 else things}"


def _json(found: Device, tally: Tally, missing: list[Case]) -> str:
    document = {
        "arch": found.arch,
        "gpu": found.gpu,
        "target": found.target,
        "holds": not tally.findings,
        "counts": _counts(tally),
        "complete": not missing,
        "missing": [_run(case) for case in missing],
        "findings": [asdict(finding) for finding in tally.findings],
    }
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def _run(case: Case) -> dict[str, object]:
    """Return a run as the program names it."""
    found: dict[str, object] = {"instruction": case.instruction.mnemonic, "modifiers": case.fields}
    return found | ({"rotation": case.rotation} if case.rotation >= 0 else {})
