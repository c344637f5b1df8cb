"""What was observed of an instruction: every product, by the slots that take part in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from layoutgen import emulator
from layoutgen.validate import codes
from layoutgen.validate.codes import IntArray


class ProbeError(Exception):
    """What an instruction does is no sum of products of slots; the text says where."""


@dataclass(frozen=True)
class Parts:
    """The slots that take part in a product, by operand, and how many slots each operand has.

    Always D, A and B.  Of a sparse instruction also the slot of the index and the `value` that
    it has (which of four k); of a scaled one the slots of both scales.
    """

    counts: Mapping[str, int]

    @classmethod
    def of(cls, record: emulator.Instruction) -> Parts:
        """Return the parts of the products of a record, whose formats are chosen."""
        kinds = kinds_of(record)
        given = {name: codes.slots(*kinds[name]) for name in "DAB"}
        if record.sparse:
            given |= {"index": codes.slots(*kinds["index"]), "value": 4}
        elif record.scaled:
            given |= {name: codes.slots(*kinds[name]) for name in ("scale_a", "scale_b")}
        return cls(given)

    def keys(self, columns: Mapping[str, IntArray]) -> IntArray:
        """Return one number for each product, from the slots of each part."""
        found: IntArray = np.zeros(1, dtype=np.int64)
        for name, count in self.counts.items():
            found = found * count + columns[name]
        return found

    def columns(self, keys: IntArray) -> dict[str, IntArray]:
        """Return the slots of each part, from the numbers of products."""
        found: dict[str, IntArray] = {}
        for name, count in reversed(list(self.counts.items())):
            keys, found[name] = np.divmod(keys, count)
        return {name: found[name] for name in self.counts}


def kinds_of(record: emulator.Instruction) -> dict[str, tuple[str, int]]:
    """Return element type and registers of every operand of a record."""
    d = record.d_format.name, record.d_registers
    kinds = {
        "A": (record.a_format.name, record.a_registers),
        "B": (record.b_format.name, record.b_registers),
        "C": d,
        "D": d,
    }
    if record.sparse:
        kinds["index"] = "pair", 1
    if record.scaled:
        kinds |= {"scale_a": ("e8m0", 1), "scale_b": ("e8m0", 1)}
    return kinds


@dataclass(frozen=True, eq=False)
class Observation:
    """What an instruction does under one setting of its modifiers.

    `keys` holds one number for each product, sorted.  `c_of_d` is, for every D slot, the C slot
    that it starts from.  `sign` and `c_sign` are 1, or -1 where all products, or all of C, come
    with their sign changed.
    """

    parts: Parts
    keys: IntArray
    c_of_d: IntArray
    sign: int = 1
    c_sign: int = 1

    @property
    def d_slots(self) -> int:
        """How many slots D has."""
        return self.parts.counts["D"]

    @cached_property
    def columns(self) -> dict[str, IntArray]:
        """The slots of every product, by part."""
        return self.parts.columns(self.keys)

    @property
    def triples(self) -> tuple[IntArray, IntArray, IntArray]:
        """D slot, A slot and B slot of every product."""
        return self.columns["D"], self.columns["A"], self.columns["B"]


@dataclass(frozen=True, eq=False)
class Products:
    """Products of D, A and B: their slots, in order of D and A, and the sign that all have."""

    d: IntArray
    a: IntArray
    b: IntArray
    sign: int = 1

    @classmethod
    def ordered(cls, d: IntArray, a: IntArray, b: IntArray, sign: int) -> Products:
        """Return the products in order of D and A, which is an order without ties."""
        order = np.lexsort((b, a, d))
        return cls(d[order], a[order], b[order], sign)

    def same_a(self, other: Products) -> bool:
        """Tell whether both read the same slots of A for the same slots of D."""
        return np.array_equal(self.d, other.d) and np.array_equal(self.a, other.a)
