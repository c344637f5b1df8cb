"""A rule made into index arrays, once per instruction.

Destinations that read the same items of A in the same order share one *row vector*; likewise
*column vectors* of B. A vector is no more than a list of bit fields in k order: nothing is
assumed of rows, columns or blocks, and a rule without any regularity only has more vectors. The
arrays are what the machine runs on; :func:`terms` shows the same wires one destination at a
time, as register, bit and lane.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from layoutgen.emulator.rules import AnySite, Rule, ScaledSite, SparseSite

if TYPE_CHECKING:
    from layoutgen.emulator.instructions import Instruction

LANES = 64
REGISTER_BITS = 32
INDEX_BITS = 2
_UNITS = {8: "<u1", 16: "<u2", 32: "<u4"}
Indices = NDArray[np.int64]


class Term(NamedTuple):
    """One product: where its A and B fields start (register of the operand, bit, lane)."""

    a_register: int
    a_bit: int
    a_lane: int
    b_register: int
    b_bit: int
    b_lane: int


class SparseTerm(NamedTuple):
    """One product of a sparse instruction.

    ``index_bit`` and ``index_lane`` say where index set 0 has the two bits that choose among
    the four fields of B in ``b``: each a register, a bit and a lane.
    """

    a_register: int
    a_bit: int
    a_lane: int
    index_bit: int
    index_lane: int
    b: tuple[tuple[int, int, int], ...]


class ScaledTerm(NamedTuple):
    """One product of a scaled instruction: as :class:`Term`, and the lanes of its two scales."""

    a_register: int
    a_bit: int
    a_lane: int
    b_register: int
    b_bit: int
    b_lane: int
    scale_a_lane: int
    scale_b_lane: int


AnyTerm = Term | SparseTerm | ScaledTerm


@dataclass(frozen=True, eq=False)
class Fields:
    """Bit fields of one operand.

    ``start`` is the bit offset of each field in its lane's registers (32 * register + bit),
    ``lane`` its lane; both ``int64[fields]``. A field may reach into the next register.
    """

    start: Indices
    lane: Indices
    width: int

    def extract(self, registers: NDArray[np.uint32]) -> NDArray[np.unsignedinteger]:
        """Raw fields ``[batch, fields]`` of ``uint32[batch, registers, 64]``."""
        words = np.ascontiguousarray(registers, dtype="<u4").reshape(len(registers), -1)
        register, bit = np.divmod(self.start, REGISTER_BITS)
        word = register * LANES + self.lane
        if self.width in _UNITS and not (bit % self.width).any():
            units = words.view(_UNITS[self.width])
            place = word * (REGISTER_BITS // self.width) + bit // self.width
            whole: NDArray[np.unsignedinteger] = np.take(units, place, axis=1)
            return whole
        raw: NDArray[np.uint32] = np.take(words, word, axis=1)
        straddles = bit + self.width > REGISTER_BITS
        if straddles.any():
            wide = raw.astype(np.uint64)
            high = np.take(words, (word + LANES)[straddles], axis=1).astype(np.uint64)
            wide[:, straddles] |= high << np.uint64(REGISTER_BITS)
            wide >>= bit.astype(np.uint64)
            wide &= np.uint64(2**self.width - 1)
            return wide
        raw >>= bit.astype(np.uint32)
        raw &= np.uint32(2**self.width - 1)
        return raw


@dataclass(frozen=True, eq=False)
class Vectors:
    """The distinct row (or column) vectors of one operand.

    ``fields`` lists their fields, vector after vector, ``shape`` is (vectors, products), or
    (vectors, products, 4) for the B of a sparse instruction. ``scale`` has the fields of the
    scales in the same order.
    """

    fields: Fields
    shape: tuple[int, ...]
    scale: Fields | None = None


@dataclass(frozen=True, eq=False)
class Wiring:
    """What one instruction connects.

    D slot ``64 * element + lane`` accumulates the products of row vector ``row[slot]`` with
    column vector ``column[slot]``, k by k. ``index`` has the 2-bit fields that go with the
    items of A in a sparse instruction.
    """

    a: Vectors
    b: Vectors
    row: Indices
    column: Indices
    index: Fields | None


def wiring(instruction: "Instruction") -> Wiring:
    """The index arrays of an instruction, built from its rule on first use."""
    bits = instruction.a_format.bits, instruction.b_format.bits
    return _wiring(instruction.rule, instruction.items, instruction.d_elements, *bits)


@lru_cache(maxsize=512)
def _wiring(rule: Rule, items: int, elements: int, a_bits: int, b_bits: int) -> Wiring:
    rows, row, columns, column = _vectors(rule, items, elements)
    if columns.shape[-1] == 8:  # sparse: four places of B
        pairs = columns.reshape(*columns.shape[:2], 4, 2)
        a = Vectors(_fields(rows[..., 0], rows[..., 1], a_bits), rows.shape[:2])
        b = Vectors(_fields(pairs[..., 0], pairs[..., 1], b_bits), pairs.shape[:3])
        index = Fields(rows[..., 3].ravel(), rows[..., 2].ravel(), INDEX_BITS)
        return Wiring(a, b, row, column, index)
    scaled = rows.shape[-1] == 3
    return Wiring(_dense(rows, a_bits, scaled), _dense(columns, b_bits, scaled), row, column, None)


@lru_cache(maxsize=256)
def _vectors(rule: Rule, items: int, elements: int) -> tuple[Indices, Indices, Indices, Indices]:
    """Row vectors, which one each slot has, column vectors, which one each slot has."""
    sites = [
        list(rule.sites(element, lane, items))
        for element in range(elements)
        for lane in range(LANES)
    ]
    kind = type(sites[0][0])
    table = np.array([[_flat(site) for site in row] for row in sites], dtype=np.int64)
    if kind is SparseSite:
        parts = table[..., :4], table[..., 4:]
    elif kind is ScaledSite:
        parts = table[..., [0, 1, 4]], table[..., [2, 3, 5]]
    else:
        parts = table[..., [0, 1]], table[..., [2, 3]]
    return (*_distinct(parts[0]), *_distinct(parts[1]))


def _flat(site: AnySite) -> tuple[int, ...]:
    if isinstance(site, SparseSite):
        return (*site[:4], *(number for place in site.b for number in place))
    return site


def _dense(vectors: Indices, bits: int, scaled: bool) -> Vectors:
    fields = _fields(vectors[..., 0], vectors[..., 1], bits)
    scale = None
    if scaled:
        lanes = vectors[..., 2].ravel()
        scale = Fields(np.zeros_like(lanes), lanes, 8)
    return Vectors(fields, vectors.shape[:2], scale)


def _fields(lanes: Indices, items: Indices, bits: int) -> Fields:
    return Fields(start=items.ravel() * bits, lane=lanes.ravel(), width=bits)


def _distinct(table: Indices) -> tuple[Indices, Indices]:
    """The distinct ``table[slot]``, and which of them each slot has."""
    slots = len(table)
    flat, which = np.unique(table.reshape(slots, -1), axis=0, return_inverse=True)
    return flat.reshape(-1, *table.shape[1:]), which.reshape(slots)


def terms(instruction: "Instruction", register: int, lane: int) -> tuple[AnyTerm, ...]:
    """What one D register and lane accumulates, in k order, without modifiers."""
    element = register * REGISTER_BITS // instruction.d_format.bits
    sites = instruction.rule.sites(element, lane, instruction.items)
    return tuple(_term(site, instruction) for site in sites)


def _term(site: AnySite, instruction: "Instruction") -> AnyTerm:
    a_register, a_bit = divmod(site.a_item * instruction.a_format.bits, REGISTER_BITS)
    width = instruction.b_format.bits
    if isinstance(site, SparseSite):
        places = tuple((*divmod(item * width, REGISTER_BITS), lane) for lane, item in site.b)
        return SparseTerm(a_register, a_bit, site.a_lane, site.index_bit, site.index_lane, places)
    b_register, b_bit = divmod(site.b_item * width, REGISTER_BITS)
    plain = Term(a_register, a_bit, site.a_lane, b_register, b_bit, site.b_lane)
    if isinstance(site, ScaledSite):
        return ScaledTerm(*plain, site.scale_a_lane, site.scale_b_lane)
    return plain
