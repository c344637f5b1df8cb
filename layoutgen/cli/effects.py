"""What the modifier fields of an instruction do, in words: one sentence for each action."""

from __future__ import annotations

from collections.abc import Iterator

from layoutgen.actions import (
    Action,
    Broadcast,
    ByteSelect,
    FormatCode,
    IndexSet,
    LanePattern,
    Negation,
)
from layoutgen.model import Instruction


def legal(inst: Instruction) -> str:
    """Return the legal values of every field, each taken by itself: ``cbsz 0 to 4, abid 0``."""

    def one(name: str, values: list[int]) -> str:
        return f"{name} {values[0]} to {values[-1]}" if len(values) > 1 else f"{name} {values[0]}"

    return ", ".join(one(name, values) for name, values in inst.rules.legal().items())


def effects(inst: Instruction) -> list[str]:
    """Return what each field does that may be set."""
    return [text for action in inst.rules.actions for text in _effect(inst, action)]


def _effect(inst: Instruction, action: Action) -> Iterator[str]:
    match action:
        case Broadcast() if len(action.sizes) > 1:
            yield "cbsz, abid: 2^cbsz blocks read one block of A, abid says which; abid < 2^cbsz"
        case LanePattern():
            yield (
                "blgp: the lanes of B that are read: 1, 2 a half for both; 3 rotated by 16; "
                "4 to 7 a quarter for all"
            )
        case Negation():
            names = ", ".join(action.operands)
            yield f"neg: its bits change the signs of {names}; in the builtin's call it is blgp"
        case FormatCode():
            (field,) = action.fields
            named = ", ".join(f"{n} {name}" for n, name in enumerate(action.formats))
            sizes = ", ".join(str(o.registers) for o in inst.alternatives[action.operand])
            yield f"{field}: format of {action.operand}: {named}; it takes {sizes} registers"
        case IndexSet() if action.sets > 1:
            yield (
                f"cbsz, abid: with cbsz 0, abid says which of the {action.sets} index sets in the "
                "register; else the first"
            )
        case ByteSelect():
            yield (
                f"{action.fields[0]}: the byte of {action.operand} that is read, in all lanes the "
                "same: op_sel + 2·op_sel_hi"
            )
