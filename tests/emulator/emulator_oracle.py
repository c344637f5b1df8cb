"""Oracles for the emulator, in the other direction: element to slot, as kernels load and store.

The loads and stores follow the example kernels of ``amd/amd-lab-notes`` (matrix-cores) and the
per-shape load code of ``mmasim-kernels``: for each lane, which element it loads. Matrices are
``[blocks, rows, columns]``.
"""

import re
from fractions import Fraction

import ml_dtypes
import numpy as np

NUMPY_TYPES = {
    "f32": np.float32,
    "f16": np.float16,
    "bf16": ml_dtypes.bfloat16,
    "i8": np.int8,
    "i32": np.int32,
}


def shape_of(mnemonic):
    """M, N, K and the element type, read from the mnemonic."""
    m, n, k, kind = re.fullmatch(
        r"v_mfma_[fi]32_(\d+)x(\d+)x(\d+?)(f32|f16|bf16|i8)", mnemonic
    ).groups()
    return int(m), int(n), int(k), kind


def load_a(matrix, m, k, blocks, items):
    """Fragments ``[items, 64]`` of A ``[blocks, m, k]``."""
    frag = np.empty((items, 64), matrix.dtype)
    for tid in range(64):
        for i in range(items):
            if blocks > 1:  # threadIdx.y counts matrices
                x, y = tid % m, tid // m
                frag[i, tid] = matrix[y, x, i]
            else:  # threadIdx.y counts groups of k
                x, y = tid % m, tid // m
                frag[i, tid] = matrix[0, x, y * items + i]
    return frag


def load_b(matrix, n, k, blocks, items):
    """Fragments ``[items, 64]`` of B ``[blocks, k, n]``."""
    return load_a(matrix.transpose(0, 2, 1), n, k, blocks, items)


def d_position(m, blocks, i, tid):
    """Block, row and column that element i of lane tid of the D fragment stores to."""
    if (m, blocks) == (32, 1):
        return 0, tid // 32 * 4 + i // 4 * 8 + i % 4, tid % 32
    if (m, blocks) == (16, 1):
        return 0, tid // 16 * 4 + i, tid % 16
    if (m, blocks) == (32, 2):
        return i // 16, tid // 32 * 4 + i // 4 * 8 % 32 + i % 4, tid % 32
    if (m, blocks) == (16, 4):
        return i // 4, tid // 16 * 4 + i % 4, tid % 16
    assert (m, blocks) == (4, 16)
    return tid // 4, i, tid % 4


def store_d(registers, m, n, blocks, dtype):
    """Matrix ``[blocks, m, n]`` from D registers."""
    out = np.full((blocks, m, n), -99, dtype)
    values = registers.view(dtype)
    for i in range(len(registers)):
        for tid in range(64):
            out[d_position(m, blocks, i, tid)] = values[i, tid]
    return out


def load_c(matrix, m, blocks, count):
    """Registers ``uint32[count, 64]`` of a 32-bit C ``[blocks, m, n]``."""
    frag = np.empty((count, 64), matrix.dtype)
    for i in range(count):
        for tid in range(64):
            frag[i, tid] = matrix[d_position(m, blocks, i, tid)]
    return frag.view(np.uint32)


def pack(frag):
    """Registers ``uint32[registers, 64]`` of fragments ``[items, 64]``, item 0 lowest."""
    lanes_first = np.ascontiguousarray(frag.T)
    return np.ascontiguousarray(lanes_first.view(np.uint32).T)


class Case:
    """Random matrices for one instruction, and their registers."""

    def __init__(self, record, rng, low=-7, high=8):
        self.m, self.n, self.k, self.kind = shape_of(record.mnemonic)
        self.blocks = record.d_registers * 64 // (self.m * self.n)
        self.acc = np.int32 if self.kind == "i8" else np.float32
        dtype = NUMPY_TYPES[self.kind]
        self.items = record.a_registers * 32 // (np.dtype(dtype).itemsize * 8)
        self.a = rng.integers(low, high, (self.blocks, self.m, self.k)).astype(dtype)
        self.b = rng.integers(low, high, (self.blocks, self.k, self.n)).astype(dtype)
        self.c = rng.integers(-99, 99, (self.blocks, self.m, self.n)).astype(self.acc)
        self.a_registers = pack(load_a(self.a, self.m, self.k, self.blocks, self.items))
        self.b_registers = pack(load_b(self.b, self.n, self.k, self.blocks, self.items))
        self.c_registers = load_c(self.c, self.m, self.blocks, record.d_registers)

    def product(self, a=None, b=None):
        a = self.a if a is None else a
        b = self.b if b is None else b
        return a.astype(np.int64) @ b.astype(np.int64) + self.c.astype(np.int64)

    def matrix(self, d):
        return store_d(d, self.m, self.n, self.blocks, self.acc).astype(np.int64)


def round_to_f32(value: Fraction) -> np.float32:
    """Nearest-even f32 of an exact rational, by integer arithmetic alone."""
    if value == 0:
        return np.float32(0)
    magnitude = abs(value)
    exponent = magnitude.numerator.bit_length() - magnitude.denominator.bit_length()
    if magnitude < Fraction(2) ** exponent:
        exponent -= 1
    unit = Fraction(2) ** (max(exponent, -126) - 23)
    count = round(magnitude / unit)  # Fraction rounds half to even
    rounded = count * unit
    if rounded >= Fraction(2) ** 128:
        return np.float32(np.inf if value > 0 else -np.inf)
    return np.float32(float(rounded) * (1 if value > 0 else -1))


def fused(c, products, group):
    """Add ``group`` products at a time to c exactly, rounding to f32 after each group."""
    total = Fraction(float(c))
    for start in range(0, len(products), group):
        total += sum(products[start : start + group], Fraction(0))
        total = Fraction(float(round_to_f32(total)))
    return np.float32(float(total))
