"""Probing: the bilinear map of an instruction, seen from outside.

Of the instruction only the registers of its operands and their element types are known.  A
probe sets one slot of A at a time to 1 and gives every slot of B a code of its own: each D that
is not zero then *names* its partner in B.  This gives the whole map, D slot ← Σ (A slot × B
slot), without assuming anything about M, N, K, blocks or lanes.

Under modifiers, most of the slots of A that one D slot reads can be told apart from the plain map,
and then fewer probes are enough; see :mod:`layoutgen.validate.sieve`.

Codes are written with the digits 1 … R, as many rounds as the type is narrow.  One more round
takes R + 1 minus the first digit: both rounds together sum to (R + 1) times the number of
partners, so two partners cannot pass for one.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from layoutgen import emulator
from layoutgen.validate import calls, codes
from layoutgen.validate.codes import IntArray, Registers

PLAIN = emulator.Modifiers()


class ProbeError(Exception):
    """What an instruction does is no sum of products of slots; the text says where."""


@dataclass(frozen=True, eq=False)
class Observation:
    """What an instruction does under one setting of its modifiers.

    `keys` holds one number for each product, sorted: ``(d * a_slots + a) * b_slots + b``.
    `c_of_d` is, for every D slot, the C slot that it starts from.
    """

    keys: IntArray
    c_of_d: IntArray
    a_slots: int
    b_slots: int
    d_slots: int

    @property
    def triples(self) -> tuple[IntArray, IntArray, IntArray]:
        """D slot, A slot and B slot of every product."""
        rest, b = np.divmod(self.keys, self.b_slots)
        d, a = np.divmod(rest, self.a_slots)
        return d, a, b


def observe(record: emulator.Instruction, modifiers: emulator.Modifiers = PLAIN) -> Observation:
    """Probe one instruction under `modifiers`.

    Raises :class:`ProbeError`, and :class:`layoutgen.emulator.EmulatorError` for modifiers that
    the emulator refuses.
    """
    a_slots = codes.slots(record.a_format.name, record.a_registers)
    b_slots = codes.slots(record.b_format.name, record.b_registers)
    d_slots = codes.slots(record.d_format.name, record.d_registers)
    probes = _one_hot(record.a_format.name, record.a_registers)
    base, digits = rounds(b_slots, codes.TYPES[record.b_format.name].largest)
    first = total = names = np.empty(0, dtype=np.int64)
    hit = np.empty(0, dtype=np.int64)
    for place, digit in enumerate(digits):
        found, answer = answers(record, modifiers, probes, digit)
        if place == 0:
            hit, first, names = found, answer, answer - 1
        elif not np.array_equal(found, hit):
            raise ProbeError(_unsteady(record, hit, found, d_slots))
        elif place == 1:
            total = first + answer
        else:
            names = names + (answer - 1) * base ** (place - 1)
    _count_partners(record, hit, total, base, d_slots)
    a, d = np.divmod(hit, d_slots)
    if names.size and (names.min() < 0 or names.max() >= b_slots):
        raise ProbeError(f"{record.mnemonic}: D names a slot of B that does not exist")
    keys = np.sort((d * a_slots + a) * b_slots + names)
    return Observation(keys, accumulators(record, modifiers), a_slots, b_slots, d_slots)


@lru_cache(maxsize=8)
def _one_hot(kind: str, registers: int) -> Registers:
    """One call for each slot of A: that slot 1, all others 0."""
    return codes.pack(kind, np.eye(codes.slots(kind, registers), dtype=np.int64), registers)


def rounds(count: int, largest: int) -> tuple[int, list[IntArray]]:
    """The base, and the rounds of codes for `count` slots: first digit, its complement, rest."""
    base = min(count, largest)
    slot = np.arange(count)
    rounds = [slot % base + 1, base - slot % base]
    weight = base
    while weight < count:
        rounds.append(slot // weight % base + 1)
        weight *= base
    return base, rounds


def answers(
    record: emulator.Instruction, modifiers: emulator.Modifiers, probes: Registers, code: IntArray
) -> tuple[IntArray, IntArray]:
    """Run probes with one code for B.

    Returns where D is not zero, counted over probes and D slots, and the numbers there.
    """
    b = codes.pack(record.b_format.name, code, record.b_registers)
    zero = np.zeros((record.d_registers, codes.LANES), dtype=np.uint32)
    d = calls.run(record, probes, b, zero, modifiers)
    raw = codes.fields(record.d_format.name, d).reshape(-1)
    hit = np.flatnonzero(raw)
    try:
        return hit, codes.decode(record.d_format.name, raw[hit])
    except ValueError as error:
        raise ProbeError(f"{record.mnemonic}: {error}") from None


def _count_partners(
    record: emulator.Instruction, hit: IntArray, total: IntArray, base: int, d_slots: int
) -> None:
    wrong = np.flatnonzero(total != base + 1)
    if wrong.size:
        a, d = divmod(int(hit[wrong[0]]), d_slots)
        times = total[wrong[0]] / (base + 1)
        raise ProbeError(
            f"{record.mnemonic}: D at {codes.describe(d, record.d_format.bits)} multiplies A at "
            f"{codes.describe(a, record.a_format.bits)} with {times:g} slots of B, not with one"
        )


def _unsteady(record: emulator.Instruction, first: IntArray, second: IntArray, d_slots: int) -> str:
    a, d = divmod(int(np.setxor1d(first, second)[0]), d_slots)
    return (
        f"{record.mnemonic}: D at {codes.describe(d, record.d_format.bits)} answers to A at "
        f"{codes.describe(a, record.a_format.bits)} in one round of codes and not in another"
    )


def accumulators(record: emulator.Instruction, modifiers: emulator.Modifiers) -> IntArray:
    """The C slot that each D slot starts from: A and B are zero, every C has its own number."""
    kind = record.d_format.name
    count = codes.slots(kind, record.d_registers)
    a, b = (
        np.zeros((registers, codes.LANES), dtype=np.uint32)
        for registers in (record.a_registers, record.b_registers)
    )
    c = codes.pack(kind, np.arange(1, count + 1), record.c_registers)
    return codes.unpack(kind, calls.run(record, a, b, c, modifiers)) - 1
