"""The bilinear map of an instruction seen from outside, knowing register counts only.

One item of A at a time is 1; the items of B spell their own numbers, one digit per run. Each
non-zero D then names the item of B that it was multiplied with.
"""

import numpy as np
from emulator_loads import codes, pack, unpack_accumulator

from layoutgen import emulator


def one_hot(form, registers):
    """``[items * 64, registers, 64]``: item i of lane l is 1 in call 64 i + l."""
    items = registers * 32 // form.bits
    one_lane = pack(np.eye(items, dtype=np.uint64)[..., None] * codes(1, form), form.bits)
    files = np.zeros((items, 64, registers, 64), np.uint32)
    lane = np.arange(64)
    files[:, lane, :, lane] = one_lane[None, :, :, 0]
    return files.reshape(items * 64, registers, 64)


def digits_of(form):
    """Distinct numbers above zero that the format has exactly, ascending."""
    if form.bits > 8:
        return np.arange(1.0, 129.0)
    numbers = np.unique(form.decode(np.arange(2**form.bits, dtype=np.uint8)).astype(np.float64))
    return numbers[(numbers >= 2.0**-4) & (numbers <= 2.0**8)]


def spelled(form, registers):
    """Runs of B's registers, each with one digit of every item's number, and the digits."""
    digits = digits_of(form)
    items = registers * 32 // form.bits
    number = np.arange(items * 64).reshape(items, 64)
    runs = []
    while number.any() or not runs:
        runs.append(pack(codes(digits[number % len(digits)], form), form.bits))
        number = number // len(digits)
    return runs, digits


class Map:
    """``a[p]``, ``b[p]`` and ``slot[p]``: product p is of these items of A and B, for this slot.

    Items are numbered 64 * item + lane, slots 64 * element + lane.
    """

    def __init__(self, arch, mnemonic, record=None, **keywords):
        base = record or emulator.instruction(arch, mnemonic)
        codes_given = keywords.get("cbsz", 0), keywords.get("blgp", 0)
        r = emulator.with_formats(base, *codes_given)
        if r.scaled:
            keywords |= dict.fromkeys(("scale_a", "scale_b"), np.full((1, 64), 127, np.uint32))
        a = one_hot(r.a_format, r.a_registers)
        zeros = np.zeros((r.d_registers, 64), np.uint32)
        runs, digits = spelled(r.b_format, r.b_registers)
        partner, weight = 0, 1
        for b in runs:
            seen = unpack_accumulator(emulator.run(base, a, b, zeros, **keywords), r.d_format)
            seen = seen.reshape(len(a), -1)
            self.a, self.slot = np.nonzero(seen)
            digit = np.searchsorted(digits, seen[self.a, self.slot])
            assert (digits[digit] == seen[self.a, self.slot]).all()
            partner, weight = partner + weight * digit, weight * len(digits)
        self.b = partner

    def groups(self):
        """For every slot the sorted items of A and of B, ``[slots, products]``."""
        order = np.lexsort((self.b, self.a, self.slot))
        slots = np.unique(self.slot)
        assert len(order) % len(slots) == 0
        a = np.sort(self.a[order].reshape(len(slots), -1), axis=1)
        b = np.sort(self.b[order].reshape(len(slots), -1), axis=1)
        return slots, a, b


def shape_seen(a, b):
    """M, N, K and blocks from the items of A and of B that every slot multiplies.

    Slots with the same items of A are a row, with the same of B a column; rows and columns that
    meet are a block.
    """
    rows, row = np.unique(a, axis=0, return_inverse=True)
    columns, column = np.unique(b, axis=0, return_inverse=True)
    row, column = row.ravel(), column.ravel()
    # No item is in two rows or columns, and none is there twice.
    assert len(np.unique(rows)) == rows.size
    assert len(np.unique(columns)) == columns.size
    met = np.zeros((len(rows), len(columns)), int)
    np.add.at(met, (row, column), 1)
    assert met.max() == 1  # one slot for each row and column
    blocks = np.unique(met, axis=0)  # rows of one block meet the same columns
    assert (blocks.sum(axis=0) == 1).all()
    m = {int((met == block).all(axis=1).sum()) for block in blocks}
    n = {int(block.sum()) for block in blocks}
    assert len(m) == len(n) == 1
    assert rows.shape[1] == columns.shape[1]
    return m.pop(), n.pop(), rows.shape[1], len(blocks)
