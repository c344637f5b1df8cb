"""Probing under modifiers, with fewer probes.

The slots of A are put into classes such that, without modifiers, no D slot reads two slots of
one class.  Under modifiers this is not taken for granted but measured: all slots of a class are
set to 1, every slot of B has its code, and the codes and their complements sum to one total for
each partner.  Where every D slot has at most one partner in every class, that partner is found
bit by bit: for each bit of the position in the class, only the slots with that bit are set.
Where it is not so, each slot of A is probed by itself, as without modifiers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from layoutgen import emulator
from layoutgen.validate import codes
from layoutgen.validate.codes import IntArray, Registers
from layoutgen.validate.observation import ProbeError, Products
from layoutgen.validate.probe import Probed, common_sign, observe, rounds
from layoutgen.validate.setting import Modifiers


@dataclass(frozen=True, eq=False)
class Sieve:
    """Classes of A's slots.

    `members` lists the slots of each class (-1 where a class is shorter); `whole` has one row of
    A's slots for each class, `bits` one for each bit of the position and each class.
    """

    members: IntArray
    whole: IntArray
    bits: IntArray


@lru_cache(maxsize=32)
def _packed(sieve: Sieve, kind: str, registers: int) -> tuple[Registers, Registers]:
    """The classes as registers of a type: whole, and by the bits of the position."""
    return codes.pack(kind, sieve.whole, registers), codes.pack(kind, sieve.bits, registers)


def make(products: Products, slots: int) -> Sieve:
    """Return the classes that the plain map gives: the n-th slots of all rows make class n."""
    d, a = products.d, products.a
    depth = int(np.bincount(d).max())
    counts = np.bincount(d)
    starts = np.concatenate([[0], np.cumsum(counts)[:-1]])
    rank = np.full(slots, depth, dtype=np.int64)
    rank[a] = np.arange(len(a)) - starts[d]
    classes = [np.flatnonzero(rank == n) for n in range(depth + 1)]
    return _probes(slots, [members for members in classes if members.size])


def _probes(slots: int, classes: Sequence[IntArray]) -> Sieve:
    longest = max(len(members) for members in classes)
    table = np.full((len(classes), longest), -1, dtype=np.int64)
    for n, members in enumerate(classes):
        table[n, : len(members)] = members
    bits = max(1, (longest - 1).bit_length())
    whole = np.zeros((len(classes), slots), dtype=np.int64)
    single = np.zeros((bits, len(classes), slots), dtype=np.int64)
    for n, members in enumerate(classes):
        whole[n, members] = 1
        for bit in range(bits):
            single[bit, n, members[np.arange(len(members)) >> bit & 1 == 1]] = 1
    return Sieve(table, whole, single.reshape(-1, slots))


@dataclass(frozen=True, eq=False)
class Partners:
    """The one partner in B of each D slot and class: where, its name, and the first digit of it.

    `hit` counts over classes and D slots.
    """

    hit: IntArray
    names: IntArray
    first: IntArray
    sign: int


def partners(probed: Probed, sieve: Sieve) -> Partners | None:
    """Return the partner in B of each D slot in each class, or None where there are several."""
    b_slots = probed.slots("B")
    base, digits = rounds(b_slots, codes.TYPES[probed.kind("B")[0]].largest)
    whole, _ = _packed(sieve, *probed.kind("A"))
    found = [probed.answers(whole, digit) for digit in digits]
    hit = found[0][0]
    steady = all(np.array_equal(where, hit) for where, _ in found)
    sign = common_sign(probed.record, found[0][1])
    if not steady or (sign * (found[0][1] + found[1][1]) != base + 1).any():
        return None
    names = sign * found[0][1] - 1
    for place, (_, answer) in enumerate(found[2:], 1):
        names = names + (sign * answer - 1) * base**place
    if (names < 0).any() or (names >= b_slots).any():
        raise ProbeError(f"{probed.record.mnemonic}: D names a slot of B that does not exist")
    return Partners(hit, names, found[0][1], sign)


def observe_with(
    record: emulator.Instruction,
    modifiers: Modifiers,
    sieve: Sieve,
    extra: Mapping[str, Registers] | None = None,
) -> Products:
    """Return the map under `modifiers`, the same as :func:`layoutgen.validate.probe.observe`."""
    probed = Probed(record, modifiers, extra or {})
    found = partners(probed, sieve)
    if found is None:
        return observe(record, modifiers, extra)
    chosen, d = np.divmod(found.hit, probed.slots("D"))
    a = sieve.members[chosen, _positions(probed, sieve, found)]
    if (a < 0).any():
        raise ProbeError(f"{record.mnemonic}: D reads a slot of A that does not exist")
    return Products.ordered(d, a, found.names, found.sign)


def _positions(probed: Probed, sieve: Sieve, found: Partners) -> IntArray:
    """The place in its class of the one partner of each hit, put together from its bits."""
    _, digits = rounds(probed.slots("B"), codes.TYPES[probed.kind("B")[0]].largest)
    _, by_bits = _packed(sieve, *probed.kind("A"))
    where, answer = probed.answers(by_bits, digits[0])
    size = len(sieve.whole) * probed.slots("D")
    bit, place = np.divmod(where, size)
    index = np.full(size, -1, dtype=np.int64)
    index[found.hit] = np.arange(len(found.hit))
    at = index[place]
    if (at < 0).any() or (answer != found.first[at]).any():
        raise ProbeError(f"{probed.record.mnemonic}: D answers to a part of A and not to the whole")
    position = np.zeros(len(found.hit), dtype=np.int64)
    np.add.at(position, at, 1 << bit)
    return position


def classes_of(products: Products, sieve: Sieve, slots: int) -> IntArray:
    """Return, for every product, its place among classes and D slots."""
    class_of = np.full(int(sieve.members.max()) + 1, -1, dtype=np.int64)
    for n, members in enumerate(sieve.members):
        class_of[members[members >= 0]] = n
    return class_of[products.a] * slots + products.d


def whole_classes(probed: Probed, sieve: Sieve) -> Registers:
    """Return one call for each class: all its slots 1."""
    return _packed(sieve, *probed.kind("A"))[0]
