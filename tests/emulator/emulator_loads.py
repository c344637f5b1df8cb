"""Where kernels put elements: element to slot, for every shape of gfx90a, gfx942 and gfx950.

The other direction than the emulator's, and other sources where there are any: the loads of
``mmasim-kernels`` (dense, F64), the packing code of ``hip-fpsan``'s tests and headers (sparse,
f8f6f4), with its names of k.
"""

import ml_dtypes
import numpy as np

TYPES = {
    "f64": np.float64,
    "f32": np.float32,
    "xf32": np.float32,
    "f16": np.float16,
    "bf16": ml_dtypes.bfloat16,
    "i8": np.int8,
    "i32": np.int32,
    "fp8_e4m3fnuz": ml_dtypes.float8_e4m3fnuz,
    "bf8_e5m2fnuz": ml_dtypes.float8_e5m2fnuz,
    "fp8_e4m3": ml_dtypes.float8_e4m3fn,
    "bf8_e5m2": ml_dtypes.float8_e5m2,
    "fp6_e2m3": ml_dtypes.float6_e2m3fn,
    "bf6_e3m2": ml_dtypes.float6_e3m2fn,
    "fp4_e2m1": ml_dtypes.float4_e2m1fn,
}


def codes(values, form):
    """Raw bits of numbers that the format has exactly, as Python-int-sized unsigned."""
    typed = np.asarray(values).astype(TYPES[form.name])
    assert (typed.astype(np.float64) == np.asarray(values)).all()
    unsigned = {1: np.uint8, 2: np.uint16, 4: np.uint32, 8: np.uint64}[typed.itemsize]
    return typed.view(unsigned).astype(np.uint64) & np.uint64(2**form.bits - 1)


def pack(raw, bits):
    """Registers ``[..., registers, lanes]`` of raw items ``[..., items, lanes]``, lowest first."""
    shifts = np.arange(bits, dtype=np.uint64)
    ones = (raw[..., :, None, :] >> shifts[:, None]) & np.uint64(1)
    stream = ones.reshape(*raw.shape[:-2], -1, 32, raw.shape[-1])
    weights = np.uint64(1) << np.arange(32, dtype=np.uint64)
    return (stream * weights[:, None]).sum(axis=-2).astype(np.uint32)


def unpack_accumulator(registers, form):
    """Elements ``[..., elements, 64]`` of accumulator registers."""
    if form.bits == 32:
        return registers.view(TYPES[form.name])
    low, high = registers[..., ::2, :], registers[..., 1::2, :]
    return (low.astype(np.uint64) | high.astype(np.uint64) << np.uint64(32)).view(np.float64)


def d_place(record, block, i, j):
    """Element and lane of D[block][i][j]."""
    if record.d_format.name == "f64":
        return (0, 16 * i + 4 * block + j) if record.m == 4 else (i // 4, 16 * (i % 4) + j)
    if record.m == 4:
        return i, 4 * block + j
    if record.m == 16:
        return 4 * block + i % 4, 16 * (i // 4) + j
    return 16 * block + 4 * (i // 8) + i % 4, 32 * (i // 4 % 2) + j


def dense_place(record, block, index, k):
    """Item and lane of A[block][index][k], and of B[block][k][index]."""
    if record.a_format.name == "f64":
        return 0, 16 * k + (4 * block + index if record.m == 4 else index)
    if record.blocks > 1:
        return k, record.m * block + index
    return k % record.items, record.m * (k // record.items) + index


def f8f6f4_place(record, form, index, k):
    """Item and lane of A[index][k], and of B[k][index]: hip-fpsan's fp8 and mixed-width slots."""
    if form.bits == 8 and record.m == 16:
        return (k // 64) * 16 + k % 16, 16 * ((k % 64) // 16) + index
    if form.bits == 8:
        base = 2 * ((k % 32) // 16)
        return (k // 32) * 16 + k % 16, 16 * (base + index // 16) + index % 16
    if record.m == 16:
        group = 2 * ((k >> 6) & 1) + ((k >> 5) & 1)
        return 16 * ((k >> 4) & 1) + (k & 15), 16 * group + index
    return 16 * ((k % 32) // 16) + k % 16, 16 * (2 * (k // 32) + index // 16) + index % 16


def scale_lane(record, index, k_block):
    """Lane that scales row (or column) ``index`` in the k of one block of 32."""
    return record.m * k_block + index


def sparse_places(record):
    """hip-fpsan: places of stored A[i][c], of B[k][j], and of the index of row i, group q.

    Each returns (item, lane), the last one (nibble, lane).
    """
    wide = record.a_format.bits == 16
    match record.m, record.k:
        case 16, 32:
            return (
                lambda i, c: (c % 4, 16 * (c // 4) + i),
                lambda k, j: (k % 8, 16 * (k // 8) + j),
                lambda i, q: (q % 2, 16 * (q // 2) + i),
            )
        case 32, 16:
            return (
                lambda i, c: (c % 4, 32 * (c // 4) + i),
                lambda k, j: (k % 8, 32 * (k // 8) + j),
                lambda i, q: (q % 2, 32 * (q // 2) + i),
            )
        case 16, 64 if not wide:
            return (
                lambda i, c: (4 * (c // 16) + c % 16 % 4, 16 * (c % 16 // 4) + i),
                lambda k, j: (8 * (k // 32) + k % 8, 16 * (k % 32 // 8) + j),
                lambda i, q: (2 * (q // 8) + q % 2, 16 * (q % 8 // 2) + i),
            )
        case 32, 32 if not wide:
            return (
                lambda i, c: (4 * (c // 8) + c % 8 % 4, 32 * (c % 8 // 4) + i),
                lambda k, j: (8 * (k // 16) + k % 8, 32 * (k % 16 // 8) + j),
                lambda i, q: (2 * (q // 4) + q % 2, 32 * (q % 4 // 2) + i),
            )
        case 16, 64:
            return (
                lambda i, c: (c % 8, 16 * (c // 8) + i),
                lambda k, j: (k % 8 + 8 * (k // 32), 16 * (k % 32 // 8) + j),
                lambda i, q: (q % 4, 16 * (q // 4) + i),
            )
        case 32, 32:
            return (
                lambda i, c: (c % 8, 32 * (c // 8) + i),
                lambda k, j: (k % 8 + 8 * (k // 16), 32 * (k % 16 // 8) + j),
                lambda i, q: (q % 4, 32 * (q // 4) + i),
            )
        case 16, 128:
            return (
                lambda i, c: (
                    4 * (2 * (c >> 2 & 1) + (c >> 4 & 1)) + (c & 3),
                    16 * (2 * (c >> 5 & 1) + (c >> 3 & 1)) + i,
                ),
                lambda k, j: (k % 8 + 8 * (k // 32), 16 * (k % 32 // 8) + j),
                lambda i, q: (
                    2 * (q // 8 % 2) + 4 * (q % 4 // 2) + q % 4 % 2,
                    16 * (2 * (q // 16) + q // 4 % 2) + i,
                ),
            )
        case 32, 64:
            return (
                lambda i, c: (
                    4 * (2 * (c >> 2 & 1) + (c >> 3 & 1)) + (c & 3),
                    32 * (c >> 4 & 1) + i,
                ),
                lambda k, j: (k % 8 + 8 * (k // 16), 32 * (k % 16 // 8) + j),
                lambda i, q: (q % 2 + 2 * (q // 4 % 2) + 4 * (q // 2 % 2), 32 * (q // 8) + i),
            )
    raise AssertionError((record.m, record.k))
