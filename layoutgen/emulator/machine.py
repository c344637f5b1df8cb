"""Running an instruction on raw registers.

A register file is ``uint32[registers, 64]``: one row per 32-bit register, one column per lane.
The path of the data: the crossbars move whole registers between lanes, bit fields are taken
out and decoded, each destination sums its products onto C, the sum is rounded and written.
EXEC is ignored, as by the hardware: all 64 lanes take part.
"""

import operator
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from layoutgen.emulator import models
from layoutgen.emulator.errors import EmulatorError
from layoutgen.emulator.formats import encode_accumulator, encode_inline_constant
from layoutgen.emulator.instructions import Instruction, instruction
from layoutgen.emulator.modifiers import Modifiers, a_crossbar, all_legal, b_crossbar
from layoutgen.emulator.modifiers import check_modifiers as _check_modifiers
from layoutgen.emulator.wiring import LANES, Term, wiring
from layoutgen.emulator.wiring import terms as _terms

Registers: TypeAlias = NDArray[np.uint32]
Model: TypeAlias = Literal["exact", "numeric"]

# Numbers in flight per step: 2^18 of eight bytes stay in a core's cache.
_CHUNK = 2**18


def execute(
    arch: str,
    mnemonic: str,
    a: Registers,
    b: Registers,
    c: Registers | float,
    cbsz: int = 0,
    abid: int = 0,
    blgp: int = 0,
    model: Model = "exact",
) -> Registers:
    """D = A · B + C, as one wavefront computes it.

    * `arch`, `mnemonic`: such as ``gfx908`` and ``v_mfma_f32_32x32x1f32``.
    * `a`, `b`: raw registers, ``uint32[registers, 64]``, or ``uint32[batch, registers, 64]`` to
      run many independent calls at once.
    * `c`: likewise, or an inline constant: a Python number, converted to the accumulator's type
      for every slot.
    * `cbsz`: A broadcast: groups of 2^cbsz blocks share one A; 2^cbsz ≤ blocks.
    * `abid`: the block of each group that provides A; below 2^cbsz.
    * `blgp`: lane pattern of B, 0 to 7.
    * `model`: ``exact`` (one rounding) or ``numeric`` (the architecture's own roundings); see
      :mod:`layoutgen.emulator.models`.

    Returns D's registers, a new ``uint32[registers, 64]``, with a leading batch axis if any of
    `a`, `b` and `c` has one; one without, or with a batch of 1, serves all calls.  Raises
    :class:`EmulatorError` for an unknown name, a wrong shape or type, and an illegal modifier.
    """
    return run(instruction(arch, mnemonic), a, b, c, cbsz, abid, blgp, model)


def run(
    instr: Instruction,
    a: Registers,
    b: Registers,
    c: Registers | float,
    cbsz: int = 0,
    abid: int = 0,
    blgp: int = 0,
    model: Model = "exact",
) -> Registers:
    """:func:`execute` for an instruction record, which need not be in any table.

    A record with another rule (``dataclasses.replace``) is how a check proves that it would
    notice a wrong emulator.
    """
    summation = _summation(instr, model)
    modifiers = _check_modifiers(instr, cbsz, abid, blgp)
    a = _checked("a", a, instr.a_registers, instr)
    b = _checked("b", b, instr.b_registers, instr)
    c = _accumulator(c, instr)
    batched = [x for x in (a, b, c) if x.ndim == 3]
    batch = _batch_size(a=a, b=b, c=c)
    a, b, c = (x if x.ndim == 3 else x[None] for x in (a, b, c))
    a, b = _cross(a, b, instr, modifiers)

    slots = instr.d_registers * LANES
    d = np.empty((batch, slots), dtype=np.uint32)
    step = max(1, _CHUNK // slots)
    for start in range(0, batch, step):
        part = slice(start, min(start + step, batch))
        a_part, b_part, c_part = (x if len(x) == 1 else x[part] for x in (a, b, c))
        size = part.stop - part.start
        d[part] = _run_chunk(instr, a_part, b_part, c_part, size, summation).T
    shaped = d.reshape(batch, instr.d_registers, LANES)
    return shaped if batched else shaped[0]


def execute_in_place(
    arch: str,
    mnemonic: str,
    registers: Registers,
    *,
    a: int,
    b: int,
    d: int,
    c: int | None = None,
    cbsz: int = 0,
    abid: int = 0,
    blgp: int = 0,
    model: Model = "exact",
) -> None:
    """Run on one register file, writing D into it.

    ``registers`` is a writable ``uint32[registers, 64]`` (or with a leading batch axis); ``a``,
    ``b``, ``c`` and ``d`` are the first register of each operand. C defaults to D's range:
    accumulation in place. All sources are read before D is written; hazards are not modelled.
    Raises :class:`EmulatorError` as :func:`execute` does, and for an operand that leaves the
    register file.
    """
    instr = instruction(arch, mnemonic)
    if not isinstance(registers, np.ndarray) or registers.dtype != np.uint32:
        raise EmulatorError("registers: must be a uint32 array")
    if registers.ndim not in (2, 3) or registers.shape[-1] != LANES:
        raise EmulatorError(f"registers: shape {registers.shape}, must be [registers, {LANES}]")
    if not registers.flags.writeable:
        raise EmulatorError("registers: must be writable")
    a_part = _window("a", registers, a, instr.a_registers)
    b_part = _window("b", registers, b, instr.b_registers)
    d_part = _window("d", registers, d, instr.d_registers)
    c_part = d_part if c is None else _window("c", registers, c, instr.c_registers)
    d_part[...] = run(instr, a_part, b_part, c_part, cbsz, abid, blgp, model)


def terms(arch: str, mnemonic: str, register: int, lane: int) -> tuple[Term, ...]:
    """The products that D register ``register`` of lane ``lane`` accumulates, in k order.

    Each names the first bit of its A and B field: operand register, bit, lane. Modifiers are
    not applied.
    """
    instr = instruction(arch, mnemonic)
    if not (0 <= register < instr.d_registers and 0 <= lane < LANES):
        raise EmulatorError(
            f"D register {register}, lane {lane}: {mnemonic} has registers "
            f"0..{instr.d_registers - 1} and lanes 0..{LANES - 1}"
        )
    return _terms(instr, register, lane)


def legal_modifiers(arch: str, mnemonic: str) -> tuple[Modifiers, ...]:
    """Every (cbsz, abid, blgp) that the instruction takes."""
    return all_legal(instruction(arch, mnemonic))


def _run_chunk(
    instr: Instruction,
    a: Registers,
    b: Registers,
    c: Registers,
    batch: int,
    summation: models.Summation,
) -> Registers:
    """D of one piece of the batch, ``uint32[slots, batch]``."""
    wires = wiring(instr)
    factors = models.Factors(
        a=instr.a_format.decode(wires.a_fields.extract(a)),
        b=instr.b_format.decode(wires.b_fields.extract(b)),
        a_index=wires.a_index,
        b_index=wires.b_index,
    )
    start = instr.d_format.decode(np.ascontiguousarray(c.reshape(len(c), -1).T))
    accumulator = np.broadcast_to(start, (len(start), batch)).copy()
    return encode_accumulator(summation(factors, accumulator), instr.d_format)


def _cross(
    a: Registers, b: Registers, instr: Instruction, modifiers: Modifiers
) -> tuple[Registers, Registers]:
    if modifiers.cbsz:
        a = a[..., a_crossbar(instr.blocks, modifiers.cbsz, modifiers.abid)]
    if modifiers.blgp:
        b = b[..., b_crossbar(modifiers.blgp)]
    return a, b


def _summation(instr: Instruction, model: str) -> models.Summation:
    if model == "exact":
        return models.exact
    if model == "numeric":
        return instr.numerics.summation
    raise EmulatorError(f"model {model!r}: must be 'exact' or 'numeric'")


def _checked(name: str, registers: Registers, count: int, instr: Instruction) -> Registers:
    if not isinstance(registers, np.ndarray):
        raise EmulatorError(f"{name}: must be a uint32 array, not {type(registers).__name__}")
    if registers.dtype != np.uint32:
        raise EmulatorError(f"{name}: dtype {registers.dtype}, must be uint32 (raw registers)")
    if registers.ndim not in (2, 3) or registers.shape[-2:] != (count, LANES):
        raise EmulatorError(
            f"{name}: shape {list(registers.shape)}, {instr.mnemonic} takes [{count}, {LANES}] "
            f"or [batch, {count}, {LANES}]"
        )
    return registers


def _accumulator(c: Registers | float, instr: Instruction) -> Registers:
    if isinstance(c, np.ndarray) and c.ndim:
        return _checked("c", c, instr.c_registers, instr)
    bits = encode_inline_constant(c, instr.d_format)  # type: ignore[arg-type]
    return np.full((instr.c_registers, LANES), bits, dtype=np.uint32)


def _batch_size(**operands: Registers) -> int:
    sizes = {name: len(x) for name, x in operands.items() if x.ndim == 3}
    distinct = set(sizes.values()) - {1}
    if len(distinct) > 1:
        told = ", ".join(f"{name} {size}" for name, size in sizes.items())
        raise EmulatorError(f"batch sizes differ: {told}")
    return distinct.pop() if distinct else 1


def _window(name: str, registers: Registers, first: int, count: int) -> Registers:
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
