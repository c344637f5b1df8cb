"""Probing: the map of an instruction, seen from outside.

Of the instruction only the registers of its operands and their element types are known.  A
probe sets one slot of A at a time to 1 and gives every slot of B a code of its own: each D that
is not zero then *names* its partner in B.  This gives the whole map, D slot ← Σ (A slot × B
slot), without assuming anything about M, N, K, blocks or lanes.

Under modifiers, most of the slots of A that one D slot reads can be told apart from the plain map,
and then fewer probes are enough; see :mod:`layoutgen.validate.sieve`.  Index and scales are probed
in :mod:`layoutgen.validate.selectors`.

Codes are written with the digits 1 … R, as many rounds as the type is narrow.  One more round
takes R + 1 minus the first digit: both rounds together sum to (R + 1) times the number of
partners, so two partners cannot pass for one.  A product whose sign is changed gives the code
with its sign changed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from layoutgen import emulator
from layoutgen.validate import calls, codes
from layoutgen.validate.codes import IntArray, Registers
from layoutgen.validate.observation import ProbeError, Products, kinds_of
from layoutgen.validate.setting import PLAIN, Modifiers


@dataclass(frozen=True)
class Probed:
    """What probes run on: a record, `formed` by the formats that modifiers choose, and these.

    `extra` are registers of index and scales.
    """

    record: emulator.Instruction
    modifiers: Modifiers
    extra: Mapping[str, Registers]

    @property
    def formed(self) -> emulator.Instruction:
        """The record with the formats that the modifiers choose."""
        if self.record.cbsz_role != "format":
            return self.record
        return emulator.with_formats(self.record, self.modifiers.cbsz, self.modifiers.blgp)

    def kind(self, operand: str) -> tuple[str, int]:
        """Return element type and registers of an operand."""
        return kinds_of(self.formed)[operand]

    def slots(self, operand: str) -> int:
        """Return how many slots an operand has."""
        return codes.slots(*self.kind(operand))

    def run(
        self, a: Registers, b: IntArray, extra: Mapping[str, Registers] | None = None
    ) -> codes.Raw:
        """Return D's bit patterns by slot for A's registers, the numbers of B, and C = 0."""
        kind, registers = self.kind("B")
        d_kind, d_registers = self.kind("D")
        given = {
            "A": a,
            "B": codes.pack(kind, b, registers),
            "C": np.zeros((d_registers, codes.LANES), dtype=np.uint32),
            **self.extra,
            **(extra or {}),
        }
        return codes.fields(d_kind, calls.run(self.record, given, self.modifiers))

    def answers(self, probes: Registers, code: IntArray) -> tuple[IntArray, IntArray]:
        """Run probes with one code for B.

        Returns where D is not zero, counted over probes and D slots, and the numbers there.
        """
        raw = self.run(probes, code).reshape(-1)
        hit = np.flatnonzero(raw)
        return hit, self.decoded(raw[hit])

    def decoded(self, raw: codes.Raw) -> IntArray:
        """Return the numbers of bit patterns of D."""
        try:
            return codes.decode(self.kind("D")[0], raw)
        except ValueError as error:
            raise ProbeError(f"{self.record.mnemonic}: {error}") from None


def observe(
    record: emulator.Instruction,
    modifiers: Modifiers = PLAIN,
    extra: Mapping[str, Registers] | None = None,
) -> Products:
    """Probe one instruction under `modifiers`, with the index or scales in `extra`.

    Raises :class:`ProbeError`, and :class:`layoutgen.emulator.EmulatorError` for modifiers that
    the emulator refuses.
    """
    probed = Probed(record, modifiers, extra or {})
    b_slots, d_slots = probed.slots("B"), probed.slots("D")
    probes = _one_hot(*probed.kind("A"))
    base, digits = rounds(b_slots, codes.TYPES[probed.kind("B")[0]].largest)
    hit = first = total = names = np.empty(0, dtype=np.int64)
    sign = 1
    for place, digit in enumerate(digits):
        found, answer = probed.answers(probes, digit)
        if place == 0:
            sign = common_sign(record, answer)
            hit, first, names = found, sign * answer, sign * answer - 1
        elif not np.array_equal(found, hit):
            raise ProbeError(_unsteady(probed, hit, found))
        elif place == 1:
            total = first + sign * answer
        else:
            names = names + (sign * answer - 1) * base ** (place - 1)
    _count_partners(probed, hit, total, base)
    a, d = np.divmod(hit, d_slots)
    if names.size and (names.min() < 0 or names.max() >= b_slots):
        raise ProbeError(f"{record.mnemonic}: D names a slot of B that does not exist")
    return Products.ordered(d, a, names, sign)


@lru_cache(maxsize=4)
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


def common_sign(record: emulator.Instruction, answer: IntArray) -> int:
    """Return the sign that all answers have; raises :class:`ProbeError` if they differ."""
    signs = np.unique(np.sign(answer))
    if len(signs) > 1:
        raise ProbeError(f"{record.mnemonic}: some products change their sign and some do not")
    return int(signs[0]) if signs.size else 1


def _count_partners(probed: Probed, hit: IntArray, total: IntArray, base: int) -> None:
    wrong = np.flatnonzero(total != base + 1)
    if wrong.size:
        record = probed.formed
        a, d = divmod(int(hit[wrong[0]]), probed.slots("D"))
        times = total[wrong[0]] / (base + 1)
        raise ProbeError(
            f"{record.mnemonic}: D at {codes.describe(d, record.d_format.bits)} multiplies A at "
            f"{codes.describe(a, record.a_format.bits)} with {times:g} slots of B, not with one"
        )


def _unsteady(probed: Probed, first: IntArray, second: IntArray) -> str:
    record = probed.formed
    a, d = divmod(int(np.setxor1d(first, second)[0]), probed.slots("D"))
    return (
        f"{record.mnemonic}: D at {codes.describe(d, record.d_format.bits)} answers to A at "
        f"{codes.describe(a, record.a_format.bits)} in one round of codes and not in another"
    )


def accumulators(record: emulator.Instruction, modifiers: Modifiers) -> tuple[IntArray, int]:
    """The C slot that each D slot starts from, and the sign of C.

    A and B are zero, every C has its own number.
    """
    probed = Probed(record, modifiers, {})
    kind, registers = probed.kind("C")
    count = codes.slots(kind, registers)
    given = {name: np.zeros((probed.kind(name)[1], codes.LANES), dtype=np.uint32) for name in "AB"}
    given["C"] = codes.pack(kind, np.arange(1, count + 1), registers)
    found = codes.unpack(kind, calls.run(record, given, modifiers))
    sign = common_sign(record, found)
    return sign * found - 1, sign
