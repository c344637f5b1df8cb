"""What a device said: the JSON that the program of :mod:`layoutgen.probe` prints."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from layoutgen.validate.codes import IntArray

FORMAT = "layoutgen-probe"
VERSION = 1


class DeviceFileError(ValueError):
    """A text that is no output of the program; the message says what is wrong with it."""


@dataclass(frozen=True, eq=False)
class Run:
    """One run of an instruction.

    `triples` has a row (D slot, A slot, B slot) for each product, in no particular order; `sign`
    is 1 or -1, or 0 where products differ in sign.  `unclear` has (A slot, D slot) where D was
    not a single product.  `accumulators` gives for each D slot the C slot that it begins with,
    -1 - slot for one whose sign is changed, None for none.  `scales` gives by operand the scale's
    slot for each slot of A or B.
    """

    instruction: str
    modifiers: Mapping[str, int]
    rotation: int
    sign: int
    triples: IntArray
    unclear: list[tuple[int, int]]
    accumulators: list[int | None]
    scales: Mapping[str, list[int]]

    @property
    def title(self) -> str:
        """The run in words."""
        told = [f"{name}:{value}" for name, value in self.modifiers.items()]
        told += [f"index pattern {self.rotation}"] if self.rotation >= 0 else []
        return " ".join([self.instruction, *told])


@dataclass(frozen=True, eq=False)
class Device:
    """All that a device said."""

    arch: str
    gpu: str
    target: str
    runs: list[Run]


def read(text: str) -> Device:
    """Return what a file says; raises :class:`DeviceFileError`."""
    try:
        document = json.loads(text)
    except json.JSONDecodeError as error:
        raise DeviceFileError(f"line {error.lineno}, column {error.colno}: {error.msg}") from None
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise DeviceFileError(f"no output of a probe: 'format' is not {FORMAT!r}")
    if document.get("version") != VERSION:
        told = document.get("version")
        raise DeviceFileError(f"version {told!r} of the format; this layoutgen reads {VERSION}")
    try:
        runs = [_run(entry) for entry in document["runs"]]
        return Device(str(document["arch"]), str(document["gpu"]), str(document["target"]), runs)
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        raise DeviceFileError(f"not complete: {type(error).__name__} {error}") from None


def _run(entry: Mapping[str, Any]) -> Run:
    lists = [[int(value) for value in numbers] for numbers in entry["lists"]]
    rows: list[IntArray] = [np.empty((0, 3), dtype=np.int64)]
    for a, (d_list, b_list) in enumerate(_pairs(entry["products"])):
        d, b = lists[d_list], lists[b_list]
        rows.append(np.column_stack([d, np.full(len(d), a), b]).astype(np.int64))
    named = [name for name in ("scale_a", "scale_b") if name in entry]
    scales = {name: [int(slot) for slot in entry[name]] for name in named}
    return Run(
        instruction=str(entry["instruction"]),
        modifiers={str(name): int(value) for name, value in entry["modifiers"].items()},
        rotation=int(entry.get("rotation", -1)),
        sign=int(entry["sign"]),
        triples=np.concatenate(rows),
        unclear=_pairs([int(slot) for slot in entry["unclear"]]),
        accumulators=[None if slot is None else int(slot) for slot in entry["accumulators"]],
        scales=scales,
    )


def _pairs(values: list[int]) -> list[tuple[int, int]]:
    return list(zip(values[::2], values[1::2], strict=True))
