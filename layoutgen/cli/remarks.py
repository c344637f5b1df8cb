"""Notes beside an answer: where sources disagree about it, and what changes nothing for it."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from layoutgen.cli.subject import Subject, idle, modifiers, note, option_of
from layoutgen.cli.words import Base, element_name, slot_name, tuple_name
from layoutgen.disputes import OtherReading, other_readings
from layoutgen.model import Operand

if TYPE_CHECKING:
    from layoutgen.digits import IntArray


def on_idle(options: argparse.Namespace, what: Subject) -> None:
    """Tell of modifiers that change nothing for the operand."""
    given = modifiers(options, what.instruction)
    if without := idle(what.instruction, what.operand.name, given):
        told = " and ".join(map(option_of, without))
        verb = "changes" if len(without) == 1 else "change"
        note(options, f"{told} {verb} nothing for {what.operand.name}")


def on_elements(
    options: argparse.Namespace, what: Subject, shown: Iterable[tuple[Operand, Mapping[str, int]]]
) -> None:
    """Tell of elements that lie elsewhere in a reading that is not followed."""
    others: dict[str, list[OtherReading]] = {}
    elsewhere: dict[str, list[str]] = {}
    for operand, at in shown:
        if operand.name not in others:
            others[operand.name] = list(other_readings(what.arch, what.instruction, operand))
        for other in others[operand.name]:
            if (slots := other.operand.locate(**at)) != operand.locate(**at):
                where = ", ".join(slot_name(operand, slot) for slot in slots)
                said = f"{element_name(operand, at)} = {where}"
                elsewhere.setdefault(other.disagreement.title, []).append(said)
    for title, (first, *rest) in elsewhere.items():
        _tell(options, what, title, f"{first}{f', and {len(rest)} more' if rest else ''}")


def other_slots(what: Subject, operand: Operand, at: Mapping[str, int]) -> list[dict[str, Any]]:
    """Return, as JSON data, where an element lies in readings that are not followed."""
    ours = operand.locate(**at)
    return [
        {
            "id": other.disagreement.id,
            "title": other.disagreement.title,
            "slots": [{**asdict(s), "name": slot_name(operand, s)} for s in slots],
        }
        for other in other_readings(what.arch, what.instruction, operand)
        if (slots := other.operand.locate(**at)) != ours
    ]


def on_registers(
    options: argparse.Namespace,
    what: Subject,
    lane: int,
    registers: Iterable[int],
    names: Base,
) -> None:
    """Tell of registers that hold something else in a reading that is not followed."""
    for other in other_readings(what.arch, what.instruction, what.operand):
        for register in registers:
            held = other.operand.elements(lane=lane, register=register)
            if held != what.operand.elements(lane=lane, register=register):
                name = f"{tuple_name(what.operand, names, register, register)} lane {lane}"
                said = ", ".join(element_name(what.operand, e.coordinates) for e in held[:4])
                more = f" and {len(held) - 4} more" if len(held) > 4 else ""
                text = f"{name} = {said}{more}" if held else f"{name} is not read"
                _tell(options, what, other.disagreement.title, text)
                break


def on_table(options: argparse.Namespace, what: Subject, rows: IntArray) -> None:
    """Tell how many rows of a table are others in a reading that is not followed."""
    ours = what.operand.table()
    count = len(what.operand.layout.shape)
    for other in other_readings(what.arch, what.instruction, what.operand):
        changed = (ours != other.operand.table()).any(axis=1)
        elsewhere = {tuple(row) for row in ours[changed, :count].tolist()}
        if found := sum(tuple(row) in elsewhere for row in rows[:, :count].tolist()):
            text = f"{found} of these {len(rows)} elements lie elsewhere"
            _tell(options, what, other.disagreement.title, text)


def _tell(options: argparse.Namespace, what: Subject, title: str, said: str) -> None:
    show = f"layoutgen show {what.arch.name} {what.instruction.mnemonic}"
    note(
        options, f"sources disagree: {title[0].lower()}{title[1:]}; some say: {said} (see '{show}')"
    )
