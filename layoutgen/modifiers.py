"""What the modifier fields of an instruction do: legal values, and how an operand is read.

A modifier acts on the way from the register file to the multiplier, and never on D.  There are
few things that it can do to an operand; :mod:`layoutgen.actions` has one class for each, and
:class:`~layoutgen.actions.Access` says the effect.  What an instruction takes is a list of
actions; which field of the encoding drives an action follows from the action and the operand.

The names of the fields are those of the assembler: `neg` are the bits of the field `blgp` on
F64 of gfx942 and later, where the builtin's parameter is still called `blgp`; `op_sel_a` and
`op_sel_b` choose a byte of the registers of scales.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, fields
from itertools import product
from operator import index
from typing import Any

from layoutgen.actions import (
    AS_LAID_OUT,
    BLGP_LANES,
    Access,
    Action,
    Broadcast,
    LanePattern,
    Reroute,
)

__all__ = [
    "ALWAYS",
    "BLGP_LANES",
    "NAMES",
    "IllegalModifier",
    "ModifierRules",
    "Modifiers",
    "Reroute",
]


class IllegalModifier(ValueError):
    """A modifier value that the instruction does not take; the text gives the reason."""


@dataclass(frozen=True, slots=True)
class Modifiers:
    """Values of the modifier fields of one instruction; all zero is the plain instruction."""

    cbsz: int = 0
    abid: int = 0
    blgp: int = 0
    neg: int = 0
    op_sel_a: int = 0
    op_sel_b: int = 0

    def as_dict(self) -> dict[str, int]:
        """Return the values by name: cbsz, abid and blgp always, the others where they are set."""
        values = asdict(self)
        return {name: value for name, value in values.items() if value or name in ALWAYS}

    def __str__(self) -> str:
        """Return the fields that are set, as the assembler writes them: ``cbsz:1 abid:1``."""
        texts = []
        if self.op_sel_a or self.op_sel_b:
            a, b = self.op_sel_a, self.op_sel_b
            texts.append(f"op_sel:[{a & 1},{b & 1},0] op_sel_hi:[{a >> 1},{b >> 1},0]")
        texts += [f"{name}:{getattr(self, name)}" for name in ALWAYS if getattr(self, name)]
        if self.neg:
            texts.append("neg:[{},{},{}]".format(*(self.neg >> bit & 1 for bit in range(3))))
        return " ".join(texts)


NAMES = tuple(f.name for f in fields(Modifiers))
ALWAYS = NAMES[:3]
"""The fields that every instruction has in its encoding."""


@dataclass(frozen=True)
class ModifierRules:
    """Which modifiers an instruction takes: `blocks` products, and what the fields do."""

    blocks: int
    actions: tuple[Action, ...] = ()

    @property
    def fields(self) -> tuple[str, ...]:
        """The fields that can be set: cbsz, abid, blgp, and what this instruction has besides."""
        return tuple(dict.fromkeys((*ALWAYS, *(f for a in self.actions for f in a.fields))))

    def fields_for(self, operand: str) -> tuple[str, ...]:
        """Return the fields that act on `operand`."""
        return tuple(
            field
            for action in self.actions
            if any(action.access(operand, *setting) for setting in action.settings())
            for field in action.fields
        )

    def combinations(self) -> Iterator[Modifiers]:
        """Yield every legal combination, the plain one first."""
        names = [name for action in self.actions for name in action.fields]
        for settings in product(*(action.settings() for action in self.actions)):
            values = (value for setting in settings for value in setting)
            yield Modifiers(**dict(zip(names, values, strict=True)))

    def legal(self) -> dict[str, list[int]]:
        """Return the legal values of every field, each taken by itself."""
        found = {name: {0} for name in self.fields}
        for action in self.actions:
            for setting in action.settings():
                for name, value in zip(action.fields, setting, strict=True):
                    found[name].add(value)
        return {name: sorted(values) for name, values in found.items()}

    def check(self, given: Mapping[str, Any]) -> Modifiers:
        """Return `given` as :class:`Modifiers`; raise :class:`IllegalModifier` with the reason.

        `op_sel` stands for op_sel_a and op_sel_b: one value for both, or a pair.  Where the
        instruction has `neg`, its bits may be given as `blgp`, as in the builtin's call.
        """
        values = dict(_whole(_spread(given)))
        for name, value in values.items():
            if name not in NAMES or (value and name not in self.fields):
                told = name if name in given else "op_sel"
                raise IllegalModifier(
                    f"no modifier {told!r}: this instruction has {_list(self.fields)}"
                )
        if values.get("blgp") and "neg" in self.fields:
            values = _renamed(values, "blgp", "neg")
        wanted = Modifiers(**values)
        driven = {name for action in self.actions for name in action.fields}
        for action in self.actions:
            if reason := action.refuse(*(getattr(wanted, name) for name in action.fields)):
                raise IllegalModifier(reason)
        for name in self.fields:
            if name not in driven and (value := getattr(wanted, name)):
                raise IllegalModifier(f"{name} {value} is not 0: {UNUSED[name]}")
        return wanted

    def access(self, operand: str, modifiers: Modifiers) -> Access:
        """Return how `operand` is read under `modifiers`, which are legal."""
        for action in self.actions:
            values = (getattr(modifiers, name) for name in action.fields)
            if found := action.access(operand, *values):
                return found
        return AS_LAID_OUT

    def reroute(self, operand: str, modifiers: Modifiers) -> Reroute | None:
        """Return how the lanes of `operand` are read under `modifiers`; None means as laid out."""
        return self.access(operand, modifiers).reroute

    @property
    def broadcast(self) -> Broadcast | None:
        """How blocks share A, if the instruction can do that."""
        return next((a for a in self.actions if isinstance(a, Broadcast)), None)

    @property
    def cbsz(self) -> range:
        """Values of cbsz with which 2^cbsz blocks share one block of A."""
        return self.broadcast.sizes if self.broadcast else range(1)

    def abid(self, cbsz: int) -> range:
        """Values of abid under `cbsz`: which of the 2^cbsz blocks is shared."""
        return range(1 << cbsz)

    @property
    def blgp_codes(self) -> range:
        """Values of blgp that are lane patterns of B."""
        patterns = any(isinstance(action, LanePattern) for action in self.actions)
        return range(len(BLGP_LANES) if patterns else 1)

    def global_reading(self, modifiers: Modifiers) -> Reroute | None:
        """Return how A would be read under the global reading of cbsz, which we do not follow."""
        if self.broadcast is None:
            return None
        return self.broadcast.global_reading(modifiers.cbsz, modifiers.abid)

    def readings_differ(self, modifiers: Modifiers) -> bool:
        """Tell whether the local and the global reading of cbsz read different lanes."""
        return self.reroute("A", modifiers) != self.global_reading(modifiers)


UNUSED = {
    "cbsz": "the instruction makes no use of it",
    "abid": "the instruction makes no use of it",
    "blgp": "the instruction has no lane patterns",
}
"""Why a field that every instruction has must be 0 where no action is driven by it."""


def _spread(given: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield the fields of `given`, op_sel as the two that it stands for."""
    for name, value in given.items():
        if name != "op_sel":
            yield name, value
            continue
        pair = tuple(value) if isinstance(value, Iterable) else (value, value)
        if len(pair) != 2:
            raise IllegalModifier("op_sel takes one value, or one for A and one for B")
        yield from zip(("op_sel_a", "op_sel_b"), pair, strict=True)


def _whole(given: Iterable[tuple[str, Any]]) -> Iterator[tuple[str, int]]:
    for name, value in given:
        try:
            yield name, index(value)
        except TypeError:
            raise IllegalModifier(f"{name} {value!r} is no whole number") from None


def _renamed(values: Mapping[str, int], old: str, new: str) -> dict[str, int]:
    """Return `values` with those of one field under another name."""
    if values.get(new, 0) not in (0, values[old]):
        raise IllegalModifier(
            f"{old} {values[old]} and {new} {values[new]}: they are the same field"
        )
    return {**{name: v for name, v in values.items() if name != old}, new: values[old]}


def _list(names: tuple[str, ...]) -> str:
    return f"{', '.join(names[:-1])} and {names[-1]}"
