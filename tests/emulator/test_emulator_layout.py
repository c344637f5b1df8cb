"""The emulator multiplies matrices loaded as kernels load them, and its map shows M, N, K."""

import numpy as np
import pytest
from emulator_oracle import Case, d_position, load_a, load_b, shape_of

from layoutgen import emulator

GFX908 = emulator.mnemonics("gfx908")
BITS = {"f32": 32, "f16": 16, "bf16": 16, "i8": 8}


def test_gfx908_has_its_twenty_instructions():
    assert len(GFX908) == len(set(GFX908)) == 20
    shapes = [shape_of(name) for name in GFX908]
    assert {kind: [s[3] for s in shapes].count(kind) for kind in BITS} == dict.fromkeys(BITS, 5)


@pytest.mark.parametrize("model", ["exact", "numeric"])
@pytest.mark.parametrize("mnemonic", GFX908)
def test_random_integer_matrices_multiply_as_numpy_says(mnemonic, model):
    case = Case(emulator.instruction("gfx908", mnemonic), np.random.default_rng(len(mnemonic)))
    registers = case.a_registers, case.b_registers, case.c_registers
    d = emulator.execute("gfx908", mnemonic, *registers, model=model)
    assert (case.matrix(d) == case.product()).all()


def encode_elements(values, kind, items):
    """Registers ``uint32[batch, registers, 64]`` of small integers ``[batch, items, 64]``."""
    if kind == "i8":
        raw = values.astype(np.int8).view(np.uint8)
    elif kind == "f16":
        raw = values.astype(np.float16).view(np.uint16)
    else:
        raw = values.astype(np.float32).view(np.uint32)
        raw = raw >> 16 if kind == "bf16" else raw
    per_register = 32 // BITS[kind]
    registers = np.zeros((len(values), items // per_register, 64), np.uint32)
    for item in range(items):
        shift = BITS[kind] * (item % per_register)
        registers[:, item // per_register] |= raw[:, item].astype(np.uint32) << np.uint32(shift)
    return registers


def probe(mnemonic, cbsz=0, abid=0, blgp=0):
    """For each D slot the set of (A element, B element) it multiplies, seen from outside."""
    record = emulator.instruction("gfx908", mnemonic)
    kind = shape_of(mnemonic)[3]
    items = record.a_registers * 32 // BITS[kind]
    count = items * 64
    one_hot = np.eye(count, dtype=np.int64).reshape(count, items, 64)
    a = encode_elements(one_hot, kind, items)
    number = np.arange(count).reshape(1, items, 64)
    low, high = (
        emulator.execute(
            "gfx908", mnemonic, a, encode_elements(code, kind, items), 0, cbsz, abid, blgp
        ).reshape(count, -1)
        for code in (number % 16 + 1, number // 16 + 1)
    )
    to_int = np.int32 if kind == "i8" else np.float32
    partner = (low.view(to_int) - 1 + 16 * (high.view(to_int) - 1)).astype(int)
    return [
        {(int(x), int(partner[x, slot])) for x in np.flatnonzero(low[:, slot])}
        for slot in range(low.shape[1])
    ]


@pytest.mark.parametrize("mnemonic", GFX908)
def test_the_map_alone_shows_m_n_k_and_blocks(mnemonic):
    m, n, k, _ = shape_of(mnemonic)
    blocks = {}  # set of columns: set of rows; slots of one block meet the same sets
    rows, columns, of_row = {}, {}, {}
    for slot, found in enumerate(probe(mnemonic)):
        row, column = frozenset(a for a, _ in found), frozenset(b for _, b in found)
        assert len(found) == len(row) == len(column) == k
        rows.setdefault(row, set()).add(slot)
        columns.setdefault(column, set()).add(slot)
        of_row.setdefault(row, set()).add(column)
    for row, met in of_row.items():
        blocks.setdefault(frozenset(met), set()).add(row)
    assert {(len(rows), len(columns)) for columns, rows in blocks.items()} == {(m, n)}
    assert len(blocks) == emulator.instruction("gfx908", mnemonic).blocks
    assert all(len(slots) == n for slots in rows.values())
    assert all(len(slots) == m for slots in columns.values())
    # No element belongs to two rows, two columns or two blocks.
    assert k * len(rows) == len(frozenset().union(*rows))
    assert k * len(columns) == len(frozenset().union(*columns))
    assert n * len(blocks) == len(frozenset().union(*blocks)) == len(columns)


@pytest.mark.parametrize("mnemonic", GFX908)
def test_the_listed_terms_are_what_the_machine_does(mnemonic):
    record = emulator.instruction("gfx908", mnemonic)
    per_register = 32 // BITS[shape_of(mnemonic)[3]]
    width = 32 // per_register
    for slot, found in enumerate(probe(mnemonic)):
        listed = {
            (
                (t.a_register * per_register + t.a_bit // width) * 64 + t.a_lane,
                (t.b_register * per_register + t.b_bit // width) * 64 + t.b_lane,
            )
            for t in emulator.terms("gfx908", mnemonic, *divmod(slot, 64))
        }
        assert listed == found
    assert record.sources
    assert all(isinstance(source, str) and source for source in record.sources)


@pytest.mark.parametrize("mnemonic", GFX908)
def test_the_terms_of_a_slot_are_its_row_and_column_in_k_order(mnemonic):
    record = emulator.instruction("gfx908", mnemonic)
    m, n, k, kind = shape_of(mnemonic)
    blocks = record.d_registers * 64 // (m * n)
    items = record.a_registers * 32 // BITS[kind]
    a = load_a(np.arange(blocks * m * k).reshape(blocks, m, k), m, k, blocks, items)
    b = load_b(np.arange(blocks * k * n).reshape(blocks, k, n), n, k, blocks, items)
    for register, lane in np.ndindex(record.d_registers, 64):
        block, row, column = d_position(m, blocks, register, lane)
        terms = emulator.terms("gfx908", mnemonic, register, lane)
        a_found = [a[(32 * t.a_register + t.a_bit) // BITS[kind], t.a_lane] for t in terms]
        b_found = [b[(32 * t.b_register + t.b_bit) // BITS[kind], t.b_lane] for t in terms]
        assert a_found == [(block * m + row) * k + x for x in range(k)]
        assert b_found == [(block * k + x) * n + column for x in range(k)]


@pytest.mark.parametrize("mnemonic", GFX908)
def test_each_c_slot_lands_in_its_own_d_slot(mnemonic):
    record = emulator.instruction("gfx908", mnemonic)
    count = record.c_registers * 64
    numbers = np.arange(1, count + 1).reshape(-1, 64)
    kind = np.int32 if mnemonic.startswith("v_mfma_i32") else np.float32
    c = numbers.astype(kind).view(np.uint32)
    zeros = np.zeros((record.a_registers, 64), np.uint32)
    assert (emulator.execute("gfx908", mnemonic, zeros, zeros, c) == c).all()
