"""Random matrices for one instruction of any architecture, and the registers they load to."""

import numpy as np
from emulator_loads import (
    codes,
    d_place,
    dense_place,
    f8f6f4_place,
    pack,
    scale_lane,
    sparse_places,
    unpack_accumulator,
)

from layoutgen import emulator

PAIRS = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
# Whole numbers that every format has.
SMALL = np.array([-4, -3, -2, -1, 0, 1, 2, 3, 4])


def registers_of(matrix, place, form, registers):
    """Registers of ``[blocks, index, k]`` by ``place(block, index, k) -> (item, lane)``."""
    raw = np.zeros((registers * 32 // form.bits, 64), np.uint64)
    bits = codes(matrix, form)
    for where in np.ndindex(matrix.shape):
        raw[place(*where)] = bits[where]
    return pack(raw, form.bits)


class Matrices:
    """A, B, C of one instruction: ``arguments`` loads them, ``product`` is numpy's own."""

    def __init__(self, arch, mnemonic, rng, cbsz=0, blgp=0, abid=0):
        base = emulator.instruction(arch, mnemonic)
        is_format = base.cbsz_role == "format"
        self.record = r = emulator.with_formats(base, cbsz, blgp) if is_format else base
        self.modifiers = {"cbsz": cbsz, "abid": abid, "blgp": blgp}
        self.rng = rng
        self.extra = {}
        stored = r.k // 2 if r.sparse else r.k
        self.a = rng.choice(SMALL, (r.blocks, r.m, stored))
        self.b = rng.choice(SMALL, (r.blocks, r.k, r.n))
        self.c = rng.integers(-99, 99, (r.blocks, r.m, r.n))
        if r.sparse:
            self._load_sparse(abid)
        else:
            self._load_dense(is_format)
        c_raw = np.zeros((r.d_elements, 64), np.uint64)
        c_codes = codes(self.c, r.d_format)
        for where in np.ndindex(self.c.shape):
            c_raw[d_place(r, *where)] = c_codes[where]
        self.c_registers = pack(c_raw, r.d_format.bits)

    def _load_dense(self, is_format):
        r = self.record

        def place_a(block, index, k):
            if is_format:
                return f8f6f4_place(r, r.a_format, index, k)
            return dense_place(r, block, index, k)

        def place_b(block, index, k):
            if is_format:
                return f8f6f4_place(r, r.b_format, index, k)
            return dense_place(r, block, index, k)

        self.dense_a = self.a
        self.a_registers = registers_of(self.a, place_a, r.a_format, r.a_registers)
        columns = self.b.transpose(0, 2, 1)
        self.b_registers = registers_of(columns, place_b, r.b_format, r.b_registers)
        if r.scaled:
            self._load_scales()

    def _load_scales(self):
        r = self.record
        blocks = r.k // 32
        self.exponents = self.rng.integers(-3, 4, (2, r.m, blocks))
        self.op_sel = tuple(int(x) for x in self.rng.integers(0, 4, 2))
        files = self.rng.integers(0, 2**32, (2, 1, 64), dtype=np.uint32)
        for which in range(2):
            byte = np.uint32(8 * self.op_sel[which])
            for index, block in np.ndindex(r.m, blocks):
                lane = scale_lane(r, index, block)
                value = np.uint32(127 + self.exponents[which, index, block])
                cleared = files[which, 0, lane] & ~(np.uint32(255) << byte)
                files[which, 0, lane] = cleared | value << byte
        self.extra = {
            "scale_a": files[0],
            "scale_b": files[1],
            "op_sel_a": self.op_sel[0],
            "op_sel_b": self.op_sel[1],
        }

    def _load_sparse(self, index_set):
        r = self.record
        place_a, place_b, place_index = sparse_places(r)
        self.pairs = self.rng.integers(0, 6, (r.m, r.k // 4))
        self.dense_a = np.zeros((1, r.m, r.k), self.a.dtype)
        index = np.zeros(64, np.uint64)
        width = 32 // r.index_sets
        for i, q in np.ndindex(r.m, r.k // 4):
            first, second = PAIRS[self.pairs[i, q]]
            self.dense_a[0, i, 4 * q + first] = self.a[0, i, 2 * q]
            self.dense_a[0, i, 4 * q + second] = self.a[0, i, 2 * q + 1]
            nibble, lane = place_index(i, q)
            index[lane] |= np.uint64((first | second << 2) << (width * index_set + 4 * nibble))
        # What other sets hold must not matter.
        junk = self.rng.integers(0, 2**32, 64, dtype=np.uint64)
        mask = np.uint64((2**width - 1) << (width * index_set))
        self.extra = {"index": (index | junk & ~mask).astype(np.uint32)[None]}
        self.a_registers = registers_of(
            self.a, lambda block, i, c: place_a(i, c), r.a_format, r.a_registers
        )
        columns = self.b.transpose(0, 2, 1)
        self.b_registers = registers_of(
            columns, lambda block, j, k: place_b(k, j), r.b_format, r.b_registers
        )

    @property
    def arguments(self):
        """Positional arguments and keywords of ``emulator.run``."""
        files = (self.a_registers, self.b_registers, self.c_registers)
        return files, self.modifiers | self.extra

    def product(self, a=None, b=None, c=None):
        """A · B + C, with the scales."""
        a, b = (self.dense_a if a is None else a), (self.b if b is None else b)
        c = self.c if c is None else c
        if not self.record.scaled:
            return a @ b + c
        left, right = (np.repeat(2.0 ** self.exponents[w], 32, axis=1) for w in range(2))
        return (a * left) @ (b * right.T) + c

    def run(self, record=None, **changes):
        """D as a matrix ``[blocks, m, n]``."""
        files, keywords = self.arguments
        base = record or emulator.instruction(self.record.arch, self.record.mnemonic)
        return self.matrix(emulator.run(base, *files, **(keywords | changes)))

    def matrix(self, registers):
        """D's registers as a matrix ``[blocks, m, n]``."""
        elements = unpack_accumulator(registers, self.record.d_format)
        out = np.full(self.c.shape, np.nan)
        for where in np.ndindex(self.c.shape):
            out[where] = elements[d_place(self.record, *where)]
        return out
