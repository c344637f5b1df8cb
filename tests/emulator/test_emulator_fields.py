"""Bit fields are taken out of a lane's registers wherever they start."""

import numpy as np
import pytest

from layoutgen.emulator.wiring import Fields


@pytest.mark.parametrize("width", [4, 6, 8, 16, 32, 64])
def test_packed_fields_come_out_whole_even_across_registers(width):
    rng = np.random.default_rng(width)
    registers = rng.integers(0, 2**32, (2, 6, 64), dtype=np.uint32)
    count = 6 * 32 // width
    start = np.arange(count) * width
    for lane in (0, 17, 63):
        fields = Fields(start=start, lane=np.full(count, lane), width=width)
        found = fields.extract(registers)
        for batch in range(2):
            words = registers[batch, :, lane].tolist()
            whole = sum(word << (32 * i) for i, word in enumerate(words))
            expected = [(whole >> int(s)) % 2**width for s in start]
            assert found[batch].tolist() == expected
