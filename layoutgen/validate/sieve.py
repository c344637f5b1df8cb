"""Probing under modifiers, with fewer probes.

The slots of A are put into classes such that, without modifiers, no D slot reads two slots of
one class.  Under modifiers this is not taken for granted but measured: all slots of a class are
set to 1, every slot of B has its code, and the codes and their complements sum to one total for
each partner.  Where every D slot has at most one partner in every class, that partner is found
bit by bit: for each bit of the position in the class, only the slots with that bit are set.
Where it is not so, each slot of A is probed by itself, as without modifiers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from layoutgen import emulator
from layoutgen.validate import codes
from layoutgen.validate.codes import IntArray, Registers
from layoutgen.validate.probe import Observation, ProbeError, accumulators, answers, observe, rounds


@dataclass(frozen=True, eq=False)
class Sieve:
    """Classes of A's slots, as probes.

    `members` lists the slots of each class (-1 where a class is shorter); `whole` has one probe
    for each class, `bits` one for each bit of the position and each class.
    """

    members: IntArray
    whole: Registers
    bits: Registers


def make(record: emulator.Instruction, plain: Observation) -> Sieve:
    """Return the classes that the plain map gives: the n-th slots of all rows make class n."""
    d, a, _ = plain.triples
    order = np.lexsort((a, d))
    depth = int(np.bincount(d).max())
    rank = np.full(plain.a_slots, depth, dtype=np.int64)
    starts = np.concatenate([[0], np.cumsum(np.bincount(d, minlength=plain.d_slots))[:-1]])
    rank[a[order]] = np.arange(len(a)) - starts[d[order]]
    classes = [np.flatnonzero(rank == n) for n in range(depth + 1)]
    return _probes(record, [members for members in classes if members.size])


def _probes(record: emulator.Instruction, classes: Sequence[IntArray]) -> Sieve:
    longest = max(len(members) for members in classes)
    slots = codes.slots(record.a_format.name, record.a_registers)
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
    kind, registers = record.a_format.name, record.a_registers
    return Sieve(
        table,
        codes.pack(kind, whole, registers),
        codes.pack(kind, single.reshape(-1, slots), registers),
    )


def observe_with(
    record: emulator.Instruction, modifiers: emulator.Modifiers, plain: Observation, sieve: Sieve
) -> Observation:
    """Return the map under `modifiers`, the same as :func:`layoutgen.validate.probe.observe`."""
    largest = codes.TYPES[record.b_format.name].largest
    base, digits = rounds(plain.b_slots, largest)
    found = [answers(record, modifiers, sieve.whole, digit) for digit in digits]
    hit = found[0][0]
    steady = all(np.array_equal(where, hit) for where, _ in found)
    if not steady or (found[0][1] + found[1][1] != base + 1).any():
        return observe(record, modifiers)
    names = found[0][1] - 1
    for place, (_, digit) in enumerate(found[2:], 1):
        names = names + (digit - 1) * base**place
    position = _positions(record, modifiers, sieve, plain, hit, found[0][1], digits[0])
    chosen, d = np.divmod(hit, plain.d_slots)
    a = sieve.members[chosen, position]
    if (names < 0).any() or (names >= plain.b_slots).any() or (a < 0).any():
        raise ProbeError(f"{record.mnemonic}: D names a slot that does not exist")
    keys = np.sort((d * plain.a_slots + a) * plain.b_slots + names)
    c_of_d = accumulators(record, modifiers)
    return Observation(keys, c_of_d, plain.a_slots, plain.b_slots, plain.d_slots)


def _positions(
    record: emulator.Instruction,
    modifiers: emulator.Modifiers,
    sieve: Sieve,
    plain: Observation,
    hit: IntArray,
    wanted: IntArray,
    digit: IntArray,
) -> IntArray:
    """The place in its class of the one partner of each hit, put together from its bits."""
    where, answer = answers(record, modifiers, sieve.bits, digit)
    size = len(sieve.whole) * plain.d_slots
    bit, place = np.divmod(where, size)
    index = np.full(size, -1, dtype=np.int64)
    index[hit] = np.arange(len(hit))
    at = index[place]
    if (at < 0).any() or (answer != wanted[at]).any():
        raise ProbeError(f"{record.mnemonic}: D answers to a part of A and not to the whole")
    position = np.zeros(len(hit), dtype=np.int64)
    np.add.at(position, at, 1 << bit)
    return position
