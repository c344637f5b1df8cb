"""The map of every instruction, seen from outside, shows M, N, K and blocks by itself."""

import re

import numpy as np
import pytest
from emulator_probe import Map, shape_seen

from layoutgen import emulator

ALL = [(arch, name) for arch in emulator.architectures() for name in emulator.mnemonics(arch)]
DENSE = [(arch, name) for arch, name in ALL if not emulator.instruction(arch, name).sparse]
SPARSE = [(arch, name) for arch, name in ALL if emulator.instruction(arch, name).sparse]
# Between them, every value of a first and of a second index.
NEIGHBOURS = [(0, 1), (1, 2), (2, 3)]


def named_shape(mnemonic):
    """M, N and K as the mnemonic says them, and blocks where it does."""
    m, n, k = map(int, re.search(r"(\d+)x(\d+)x(\d+?)(?=_|b?f\d|i8|b|$)", mnemonic).groups())
    blocks = re.search(r"_(\d+)b_", mnemonic)
    return m, n, k, int(blocks[1]) if blocks else None


def check_terms(record, seen, pair=None):
    """What ``terms`` lists of some slots is what was seen, for one pair of sparse indices."""
    per_element = record.d_format.bits // 32
    for slot in range(0, record.d_elements * 64, 29):
        element, lane = divmod(slot, 64)
        listed = set()
        for term in emulator.terms(record.arch, record.mnemonic, element * per_element, lane):
            place = (
                term.b[pair[term.index_bit % 4 // 2]]
                if pair
                else (term.b_register, term.b_bit, term.b_lane)
            )
            a_item = (32 * term.a_register + term.a_bit) // record.a_format.bits
            b_item = (32 * place[0] + place[1]) // record.b_format.bits
            listed.add((64 * a_item + term.a_lane, 64 * b_item + place[2]))
        here = seen.slot == slot
        assert listed == set(zip(seen.a[here].tolist(), seen.b[here].tolist(), strict=True))


@pytest.mark.parametrize(("arch", "mnemonic"), DENSE)
def test_the_map_of_a_dense_instruction_shows_its_shape_and_its_terms(arch, mnemonic):
    record = emulator.instruction(arch, mnemonic)
    seen = Map(arch, mnemonic)
    check_terms(record, seen)
    slots, a, b = seen.groups()
    assert len(slots) == record.d_elements * 64
    m, n, k, blocks = shape_seen(a, b)
    named = named_shape(mnemonic)
    assert (m, n, k) == named[:3] == (record.m, record.n, record.k)
    assert blocks == record.blocks
    assert named[3] in (None, blocks)
    if arch in ("gfx942", "gfx950"):
        assert (named[3] is not None) == (blocks > 1)


@pytest.mark.parametrize("mnemonic", ["v_mfma_f32_16x16x128_f8f6f4", "v_mfma_f32_32x32x64_f8f6f4"])
@pytest.mark.parametrize(("cbsz", "blgp"), [(1, 1), (0, 2), (3, 0), (2, 3), (4, 4), (4, 1), (3, 4)])
def test_the_map_keeps_its_shape_in_every_format(mnemonic, cbsz, blgp):
    record = emulator.instruction("gfx950", mnemonic)
    _, a, b = Map("gfx950", mnemonic, cbsz=cbsz, blgp=blgp).groups()
    assert shape_seen(a, b) == (record.m, record.n, record.k, 1)


@pytest.mark.parametrize(("arch", "mnemonic"), SPARSE)
def test_the_map_of_a_sparse_instruction_shows_its_shape_and_the_fours_of_k(arch, mnemonic):
    record = emulator.instruction(arch, mnemonic)
    assert named_shape(mnemonic)[:3] == (record.m, record.n, record.k)
    fours, items = None, None
    for first, second in NEIGHBOURS:
        nibble = first | second << 2
        seen = Map(arch, mnemonic, index=np.full((1, 64), nibble * 0x11111111, np.uint32))
        check_terms(record, seen, (first, second))
        slots, a, b = seen.groups()
        assert len(slots) == record.d_registers * 64
        assert shape_seen(a, b) == (record.m, record.n, record.k // 2, 1)
        # Neighbouring items of a lane are a pair: order products by lane, then item.
        item, lane = np.divmod(seen.a, 64)
        order = np.lexsort((item, lane, seen.slot))
        ordered = seen.a[order].reshape(len(slots), -1)
        meets = seen.b[order].reshape(len(slots), -1)
        if items is None:
            items, fours = ordered, np.full((4, 2, len(slots), record.k // 4), -1)
        assert (ordered == items).all()  # which A never depends on the index
        for half, chosen in enumerate((first, second)):
            known, here = fours[chosen, half], meets[:, half::2]
            assert ((known == -1) | (known == here)).all()  # only its own 2 bits decide
            fours[chosen, half] = here
    # Both of a pair choose from the same four; the fours of a slot are all of its column.
    assert (fours[1:3, 0] == fours[1:3, 1]).all()
    column = np.concatenate([fours[:3, 0], fours[3:, 1]]).transpose(1, 0, 2)
    column = np.sort(column.reshape(len(column), -1), axis=1)
    assert column.shape[1] == record.k
    assert (np.diff(column, axis=1) > 0).all()
    assert len(np.unique(column, axis=0)) == record.n
