"""A rule made into index arrays, once per instruction.

The arrays are what the machine runs on; :func:`terms` shows the same wires one destination at
a time, as register, bit and lane.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from layoutgen.emulator.rules import Site

if TYPE_CHECKING:
    from layoutgen.emulator.instructions import Instruction

LANES = 64
REGISTER_BITS = 32


class Term(NamedTuple):
    """One product: where its A and B fields start (register of the operand, bit, lane)."""

    a_register: int
    a_bit: int
    a_lane: int
    b_register: int
    b_bit: int
    b_lane: int


@dataclass(frozen=True, eq=False)
class Fields:
    """The distinct bit fields of one operand that the rule reads.

    ``start`` is the bit offset of each field in its lane's registers (32 * register + bit),
    ``lane`` its lane; both ``int64[fields]``. A field may reach into the next register.
    """

    start: NDArray[np.int64]
    lane: NDArray[np.int64]
    width: int

    def extract(self, registers: NDArray[np.uint32]) -> NDArray[np.uint64]:
        """Raw fields ``uint64[fields, batch]`` of ``uint32[batch, registers, 64]``."""
        batch, count, lanes = registers.shape
        words = np.ascontiguousarray(registers.reshape(batch, count * lanes).T)
        register, bit = np.divmod(self.start, REGISTER_BITS)
        raw = words[register * LANES + self.lane].astype(np.uint64)
        straddles = bit + self.width > REGISTER_BITS
        if straddles.any():
            high = words[(register + 1)[straddles] * LANES + self.lane[straddles]]
            raw[straddles] |= high.astype(np.uint64) << np.uint64(REGISTER_BITS)
        raw >>= bit.astype(np.uint64)[:, None]
        raw &= np.uint64(2**self.width - 1)
        return raw


@dataclass(frozen=True, eq=False)
class Wiring:
    """Index arrays of one instruction.

    ``a_index`` and ``b_index`` are ``int64[k, slots]``: for the k-th product of D slot
    ``64 * register + lane``, the position in ``a_fields`` and ``b_fields``.
    """

    a_fields: Fields
    b_fields: Fields
    a_index: NDArray[np.int64]
    b_index: NDArray[np.int64]


@lru_cache(maxsize=256)
def wiring(instruction: "Instruction") -> Wiring:
    """The index arrays of an instruction, built from its rule on first use."""
    sites = [
        list(instruction.rule.sites(register, lane, instruction.items))
        for register in range(instruction.d_registers)
        for lane in range(LANES)
    ]
    table = np.array(sites, dtype=np.int64)  # [slots, k, (a_lane, a_item, b_lane, b_item)]
    a_fields, a_index = _fields(table[..., :2], instruction.a_format.bits)
    b_fields, b_index = _fields(table[..., 2:], instruction.b_format.bits)
    return Wiring(a_fields, b_fields, a_index, b_index)


def _fields(table: NDArray[np.int64], width: int) -> tuple[Fields, NDArray[np.int64]]:
    slots, products, _ = table.shape
    distinct, index = np.unique(table.reshape(-1, 2), axis=0, return_inverse=True)
    fields = Fields(start=distinct[:, 1] * width, lane=distinct[:, 0], width=width)
    return fields, np.ascontiguousarray(index.reshape(slots, products).T)


def terms(instruction: "Instruction", register: int, lane: int) -> tuple[Term, ...]:
    """What one D register and lane accumulates, in k order, without modifiers."""
    sites = instruction.rule.sites(register, lane, instruction.items)
    return tuple(_term(site, instruction) for site in sites)


def _term(site: Site, instruction: "Instruction") -> Term:
    a_register, a_bit = divmod(site.a_item * instruction.a_format.bits, REGISTER_BITS)
    b_register, b_bit = divmod(site.b_item * instruction.b_format.bits, REGISTER_BITS)
    return Term(a_register, a_bit, site.a_lane, b_register, b_bit, site.b_lane)
