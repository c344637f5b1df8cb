"""Register files of the right kind, or a refusal; and elements in and out of registers."""

import operator

import numpy as np
from numpy.typing import NDArray

from layoutgen.emulator.errors import EmulatorError
from layoutgen.emulator.formats import Numbers, Raw, encode_accumulator, encode_inline_constant
from layoutgen.emulator.instructions import Instruction
from layoutgen.emulator.wiring import LANES

Registers = NDArray[np.uint32]


def register_file(name: str, registers: Registers, count: int, mnemonic: str) -> Registers:
    """``registers`` with a batch axis.

    Raises:
        EmulatorError: not ``uint32[count, 64]`` or ``uint32[batch, count, 64]``.
    """
    if not isinstance(registers, np.ndarray):
        raise EmulatorError(f"{name}: must be a uint32 array, not {type(registers).__name__}")
    if registers.dtype != np.uint32:
        raise EmulatorError(f"{name}: dtype {registers.dtype}, must be uint32 (raw registers)")
    if registers.ndim not in (2, 3) or registers.shape[-2:] != (count, LANES):
        raise EmulatorError(
            f"{name}: shape {list(registers.shape)}, {mnemonic} takes [{count}, {LANES}] "
            f"or [batch, {count}, {LANES}]"
        )
    return registers if registers.ndim == 3 else registers[None]


def accumulator(c: Registers | float, instr: Instruction) -> Registers:
    """C's registers with a batch axis; a number becomes an inline constant for every slot."""
    if isinstance(c, np.ndarray) and c.ndim:
        return register_file("c", c, instr.c_registers, instr.mnemonic)
    if instr.sparse:
        raise EmulatorError(
            f"c: {instr.mnemonic} accumulates onto D's registers and takes no inline constant"
        )
    bits = encode_inline_constant(c, instr.d_format)
    return packed(np.broadcast_to(bits, (1, instr.d_elements * LANES)), instr)


def optional_file(
    name: str, registers: Registers | None, *, taken: bool, instr: Instruction
) -> Registers | None:
    """The one register of an index or scale operand with a batch axis.

    Raises:
        EmulatorError: given though the instruction has none, or missing.
    """
    if taken and registers is None:
        raise EmulatorError(f"{name}: {instr.mnemonic} needs it, uint32[1, {LANES}]")
    if not taken and registers is not None:
        raise EmulatorError(f"{name}: {instr.mnemonic} takes none")
    return None if registers is None else register_file(name, registers, 1, instr.mnemonic)


def batch_size(**operands: Registers | None) -> int:
    """How many calls: the one batch size that is not 1."""
    sizes = {name: len(x) for name, x in operands.items() if x is not None}
    distinct = set(sizes.values()) - {1}
    if len(distinct) > 1:
        told = ", ".join(f"{name} {size}" for name, size in sizes.items() if size > 1)
        raise EmulatorError(f"batch sizes differ: {told}")
    return distinct.pop() if distinct else 1


def unpacked(registers: Registers, instr: Instruction) -> Numbers:
    """Numbers ``[batch, slots]`` of accumulator registers; 64-bit elements are pairs, low first."""
    batch = len(registers)
    raw: Raw = registers
    if instr.d_format.bits == 64:
        pairs = registers.reshape(batch, -1, 2, LANES).astype(np.uint64)
        raw = pairs[:, :, 0] | pairs[:, :, 1] << np.uint64(32)
    return instr.d_format.decode(np.ascontiguousarray(raw.reshape(batch, -1)))


def packed(raw: Raw, instr: Instruction) -> Registers:
    """Accumulator registers ``uint32[batch, registers, 64]`` of raw elements ``[batch, slots]``."""
    shaped = raw.reshape(len(raw), -1, LANES)
    if instr.d_format.bits == 64:
        halves = [shaped & np.uint64(2**32 - 1), shaped >> np.uint64(32)]
        shaped = np.stack(halves, axis=2).reshape(len(raw), -1, LANES)
    return shaped.astype(np.uint32, copy=False)


def rounded(numbers: Numbers, instr: Instruction) -> Registers:
    """Numbers ``[batch, slots]``, rounded once, as accumulator registers."""
    return packed(encode_accumulator(numbers, instr.d_format), instr)


def window(name: str, registers: Registers, first: int, count: int) -> Registers:
    """The registers of one operand in a register file, not copied."""
    try:
        start = operator.index(first)
    except TypeError:
        raise EmulatorError(f"{name}: must be a register number, not {first!r}") from None
    total = registers.shape[-2]
    if start < 0 or start + count > total:
        raise EmulatorError(
            f"{name}: registers {start}..{start + count - 1} leave the file of {total}"
        )
    return registers[..., start : start + count, :]
