"""Probing of index and scales: which slot of them decides about each product.

Index: with the same pair in every nibble, for all six pairs, the map shows which of four slots of
B an element of A meets for each value of its own half of the pair.  Then nibbles get pairs
(t, t + 1) whose t are the digits, to base 3, of the nibble's own number: what is met spells the
number of the nibble that was read.

Scales: with A's classes and all of B at 1, a product is its scales.  Each slot of the scales has
a power of two that tells a digit of its number, so D spells the slot that was read.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from layoutgen import emulator
from layoutgen.validate import codes
from layoutgen.validate.codes import IntArray, Registers
from layoutgen.validate.observation import ProbeError, Products
from layoutgen.validate.probe import Probed
from layoutgen.validate.setting import Modifiers
from layoutgen.validate.sieve import (
    Sieve,
    classes_of,
    observe_with,
    partners,
    whole_classes,
)

PAIRS = ((0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3))
"""What a nibble of the index may hold: the two of four k that A stores."""
_DIGITS = 3
_POWERS = 32
_UNIT = 127


def nibble(pair: tuple[int, int]) -> int:
    """Return a pair as the index holds it: the first k in the lower two bits."""
    return pair[0] | pair[1] << 2


def _index(nibbles: IntArray) -> Registers:
    return codes.pack("pair", nibbles, 1)


def by_index(
    record: emulator.Instruction, modifiers: Modifiers, sieve: Sieve
) -> tuple[dict[str, IntArray], int]:
    """Return every product of a sparse instruction with the index slot and the value it needs."""
    slots = codes.slots("pair", 1)
    maps = [
        observe_with(record, modifiers, sieve, {"index": _index(np.full(slots, nibble(pair)))})
        for pair in PAIRS
    ]
    first = maps[0]
    if not all(first.same_a(other) and first.sign == other.sign for other in maps):
        raise ProbeError(f"{record.mnemonic}: the index changes which slots of A are read")
    met = np.stack([one.b for one in maps])
    half = _halves(record, met)
    values = np.full((4, met.shape[1]), -1, dtype=np.int64)
    for number, pair in enumerate(PAIRS):
        for side in (0, 1):
            values[pair[side], half == side] = met[number, half == side]
    slot = _read_slot(record, modifiers, sieve, first, values, half)
    columns = [
        np.stack([first.d, first.a, values[value], slot, np.full_like(slot, value)])
        for value in range(4)
    ]
    found = np.concatenate(columns, axis=1)
    names = ("D", "A", "B", "index", "value")
    return dict(zip(names, found[:, found[2] >= 0], strict=True)), first.sign


def _halves(record: emulator.Instruction, met: IntArray) -> IntArray:
    """Whether an element of A asks the first or the second number of its pair.

    What it meets depends on that number alone.
    """
    half = np.full(met.shape[1], -1, dtype=np.int64)
    for side in (1, 0):
        steady = np.ones(met.shape[1], dtype=bool)
        for value in range(4):
            same = [n for n, pair in enumerate(PAIRS) if pair[side] == value]
            steady &= (met[same] == met[same[:1]]).all(axis=0)
        half[steady] = side
    if (half < 0).any():
        raise ProbeError(f"{record.mnemonic}: an element of A heeds both numbers of its pair")
    return half


def _read_slot(
    record: emulator.Instruction,
    modifiers: Modifiers,
    sieve: Sieve,
    products: Products,
    values: IntArray,
    half: IntArray,
) -> IntArray:
    """The nibble that decides about each product, from the digits that it spells."""
    slots = codes.slots("pair", 1)
    d_slots = Probed(record, modifiers, {}).slots("D")
    place = classes_of(products, sieve, d_slots)
    number = np.zeros(len(place), dtype=np.int64)
    weight = 1
    while weight < slots:
        digit = np.arange(slots) // weight % _DIGITS
        index = _index(digit | (digit + 1) << 2)
        found = partners(Probed(record, modifiers, {"index": index}), sieve)
        if found is None or len(found.hit) != len(place):
            raise ProbeError(f"{record.mnemonic}: the index changes how many products there are")
        names = np.full(len(sieve.whole) * d_slots, -1, dtype=np.int64)
        names[found.hit] = found.names
        met = names[place] == values
        if (met.sum(axis=0) != 1).any():
            raise ProbeError(f"{record.mnemonic}: the index leads to a slot that no pair led to")
        number += weight * (met.argmax(axis=0) - half)
        weight *= _DIGITS
    return number


def by_scales(
    record: emulator.Instruction, modifiers: Modifiers, sieve: Sieve, products: Products
) -> dict[str, IntArray]:
    """Return every product of a scaled instruction with the slots of both of its scales."""
    probed = Probed(record, modifiers, {})
    place = classes_of(products, sieve, probed.slots("D"))
    columns = {"D": products.d, "A": products.a, "B": products.b}
    for name in ("scale_a", "scale_b"):
        columns[name] = _scaling(probed, sieve, name, place)
    return columns


def _scaling(probed: Probed, sieve: Sieve, name: str, place: IntArray) -> IntArray:
    slots = probed.slots(name)
    ones = np.ones(probed.slots("B"), dtype=np.int64)
    number = np.zeros(len(place), dtype=np.int64)
    weight = 1
    while weight < slots:
        digit = np.arange(slots) // weight % _POWERS
        extra: Mapping[str, Registers] = {name: codes.pack("e8m0", digit + _UNIT, 1)}
        raw = probed.run(whole_classes(probed, sieve), ones, extra).reshape(-1)
        if np.count_nonzero(raw) != len(place):
            raise ProbeError(f"{probed.record.mnemonic}: products come or go by {name}")
        found = probed.decoded(raw[place])
        power = np.rint(np.log2(np.maximum(found, 1))).astype(np.int64)
        if (found != 1 << power).any():
            raise ProbeError(f"{probed.record.mnemonic}: a product has another factor than {name}")
        number += weight * power
        weight *= _POWERS
    return number
