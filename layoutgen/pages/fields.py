"""What the fields of a builtin's call do: legal values and effects, one text for each action."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from layoutgen.actions import (
    NEGATION_BIT,
    Action,
    Broadcast,
    ByteSelect,
    FormatCode,
    IndexSet,
    LanePattern,
    Negation,
)
from layoutgen.modifiers import Modifiers
from layoutgen.pages import blocks, words
from layoutgen.pages.rst import Rst, code, list_table, merge

if TYPE_CHECKING:
    from layoutgen.model import Instruction, NumberFormat

NEGATION_PARAMETER = "blgp"
"""What the builtin calls the field that the assembler calls neg."""

CBSZ_POWER = Rst(r"2\ :sup:`cbsz`")


def arguments(inst: Instruction) -> list[str]:
    """Return the fields among the builtin's parameters, in their order; without a builtin those
    that the assembler takes.
    """
    if inst.arguments:
        return [name for name in inst.arguments if name not in inst.operands]
    return list(driven(inst))


def driven(inst: Instruction) -> tuple[str, ...]:
    """Return the fields that do something, by their names in the assembler."""
    return tuple(
        field
        for action in inst.rules.actions
        if sum(1 for _ in action.settings()) > 1
        for field in action.fields
    )


def values(inst: Instruction, field: str) -> Rst | str:
    """Return the legal values of a parameter, in words."""
    match _action(inst, field):
        case Broadcast(blocks=count) if field == "abid" and count > 1:
            return Rst(f"0 to {CBSZ_POWER} − 1")
        case IndexSet(sets=sets) if field == "abid" and sets > 1:
            return f"0 to {sets - 1} with cbsz 0, else 0"
        case Negation():
            return _range(inst.rules.legal()["neg"])
        case None:
            return "0"
        case _:
            return _range(inst.rules.legal()[field])


def effects(inst: Instruction) -> list[Rst]:
    """Return what each action does to this instruction: tables with their titles."""
    found = []
    for action in inst.rules.actions:
        if sum(1 for _ in action.settings()) == 1:
            continue
        match action:
            case Broadcast():
                title = "cbsz and abid: which block of A each block reads"
                found.append(blocks.broadcast_rules(inst, title))
            case LanePattern():
                title = "blgp: the part of B that each group of lanes reads"
                found.append(blocks.patterns_of(inst, title))
            case Negation():
                found.append(negations(action, "neg (blgp in the call): signs"))
            case FormatCode():
                found.append(formats(inst, action))
            case IndexSet():
                found.append(sets(inst, "cbsz and abid: the set of indices that is read"))
            case ByteSelect():
                found.append(byte_table(inst, action))
    return found


def negations(action: Negation, title: str) -> Rst:
    """Return the table of masks: the sign with which each operand is taken."""
    rows = [
        (
            str(mask),
            *("−" if mask & NEGATION_BIT[name] else "+" for name in action.operands),
            code(str(Modifiers(neg=mask))) if mask else "none",
        )
        for (mask,) in action.settings()
    ]
    header = ("neg", *action.operands, "In the assembler")
    return list_table(header, rows, title, "layout-negation")


def formats(inst: Instruction, action: FormatCode) -> Rst:
    """Return the table of format codes: format, width of an element, registers of a lane."""
    (field,) = action.fields
    rows = [
        (str(n), operand.format.title, str(operand.format.bits), str(operand.registers))
        for n, operand in enumerate(inst.alternatives[action.operand])
    ]
    header = (field, f"Format of {action.operand}", "Bits", "VGPRs that are read")
    title = f"{field}: the format of {action.operand}"
    return list_table(header, rows, title, f"layout-formats operand-{action.operand.lower()}")


def sets(inst: Instruction, title: str) -> Rst:
    """Return the table of index sets: the bits of the index register that are read."""
    action = next(a for a in inst.rules.actions if isinstance(a, IndexSet))
    rows = []
    for cbsz, abid in action.settings():
        bits = _bits(inst, "index", cbsz=cbsz, abid=abid)
        rows.append((str(cbsz), str(abid), words.span(bits)))
    header = ("cbsz", "abid", "Bits of the index register")
    return list_table(header, rows, title, "layout-sets")


def byte_table(inst: Instruction, action: ByteSelect) -> Rst:
    """Return the table of bytes: the bits of the register of scales that are read."""
    (field,) = action.fields
    rows = []
    for (value,) in action.settings():
        bits = _bits(inst, action.operand, **{field: value})
        text = str(Modifiers(**{field: value}))
        rows.append((str(value), words.span(bits), code(text) if text else "none"))
    header = (field, f"Bits of {action.operand}", "In the assembler")
    title = f"{field}: the byte of {action.operand}, the same in all lanes"
    return list_table(
        header, rows, title, f"layout-bytes operand-{action.operand.replace('_', '-')}"
    )


def codes(inst: Instruction, operand: str) -> list[tuple[list[int], list[NumberFormat]]]:
    """Return the format codes of an operand that share a layout, with their formats."""
    found: dict[tuple[str, int], list[int]] = {}
    every = inst.alternatives[operand]
    for n, one in enumerate(every):
        found.setdefault((one.variant, one.format.bits), []).append(n)
    return [(members, [every[n].format for n in members]) for members in found.values()]


def field_of(inst: Instruction, operand: str) -> str:
    """Return the field that chooses the format of an operand."""
    return next(
        a.fields[0]
        for a in inst.rules.actions
        if isinstance(a, FormatCode) and a.operand == operand
    )


def legal(rows: Sequence[tuple[Sequence[object], Instruction]], head: Sequence[str]) -> Rst:
    """Return the table of legal values: for each row its first cells, and one of its instructions.

    `head` are the titles of the first cells.
    """
    names = tuple(dict.fromkeys(n for _, inst in rows for n in inst.rules.fields))
    cells = [(*first, *(_legal_cell(inst, name) for name in names)) for first, inst in rows]
    return list_table((*head, *names), cells, "Legal values", "layout-legal")


def alike(insts: Iterable[Instruction]) -> list[list[Instruction]]:
    """Return instructions that take the same values together."""
    found: dict[tuple[tuple[str, str], ...], list[Instruction]] = {}
    for inst in insts:
        found.setdefault(taken(inst), []).append(inst)
    return list(found.values())


def taken(inst: Instruction) -> tuple[tuple[str, str], ...]:
    """Return the legal values of every field of an instruction, in words."""
    return tuple((name, str(_legal_cell(inst, name))) for name in inst.rules.fields)


def _legal_cell(inst: Instruction, name: str) -> Rst | str:
    if name not in inst.rules.fields:
        return "none"
    found = values(inst, NEGATION_PARAMETER if name == "neg" else name)
    if name == NEGATION_PARAMETER and isinstance(_action(inst, name), Negation):
        return "as neg"
    return found


def _action(inst: Instruction, field: str) -> Action | None:
    for action in inst.rules.actions:
        if field in action.fields:
            return action
        if isinstance(action, Negation) and field == NEGATION_PARAMETER:
            return action
    return None


def _bits(inst: Instruction, operand: str, **modifiers: int) -> range:
    """Return the bits of a register in which the operand lies."""
    rows = inst.operand(operand, **modifiers).table()
    start, width = rows[:, -2], rows[:, -1]
    return range(int(start.min()), int((start + width).max()))


def _range(found: Sequence[int]) -> str:
    return "0" if len(found) == 1 else f"{found[0]} to {found[-1]}"


def names(fields: Sequence[str]) -> Rst:
    """Return the names of fields as an enumeration of literals."""
    return merge(code(name) for name in fields)
