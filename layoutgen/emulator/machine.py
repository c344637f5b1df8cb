"""Running an instruction on raw registers.

A register file is ``uint32[registers, 64]``: one row per 32-bit register, one column per lane.
The path of the data: the crossbars move whole registers between lanes, bit fields are taken
out and decoded, scales and signs are applied, each destination sums its products onto C, the
sum is rounded and written. EXEC is ignored, as by the hardware: all 64 lanes take part.
"""

from typing import Literal, TypeAlias

import numpy as np

from layoutgen.emulator import models, operands
from layoutgen.emulator.datapath import Files, evaluate
from layoutgen.emulator.errors import EmulatorError
from layoutgen.emulator.instructions import Instruction, instruction, with_formats
from layoutgen.emulator.modifiers import Modifiers, ScaledModifiers, all_legal, check_modifiers
from layoutgen.emulator.operands import Registers
from layoutgen.emulator.wiring import LANES, AnyTerm
from layoutgen.emulator.wiring import terms as _terms

Model: TypeAlias = Literal["exact", "numeric"]


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
    *,
    index: Registers | None = None,
    scale_a: Registers | None = None,
    scale_b: Registers | None = None,
    op_sel_a: int = 0,
    op_sel_b: int = 0,
) -> Registers:
    """D = A · B + C, as one wavefront computes it.

    Args:
        arch: architecture, such as ``gfx908``.
        mnemonic: the instruction, such as ``v_mfma_f32_32x32x1f32``.
        a: A's registers, ``uint32[registers, 64]``, or ``uint32[batch, registers, 64]`` to run
            many independent calls at once. Elements of 64 bits are register pairs, low first;
            how many registers f8f6f4 takes depends on the format.
        b: B's registers, likewise.
        c: C's registers, likewise, or an inline constant: a Python number, converted to the
            accumulator's type for every slot. Sparse instructions accumulate in place: ``c`` is
            what D's registers held, and must be given.
        cbsz: by the instruction: A broadcast (groups of 2^cbsz blocks share one A), A's format
            code, or 0 to let ``abid`` choose the index set.
        abid: the block of each group that provides A, or the index set.
        blgp: by the instruction: lane pattern of B 0..7, negation bits (1 A, 2 B, 4 C), or B's
            format code.
        model: ``exact`` (one rounding) or ``numeric`` (the architecture's own roundings, where
            published); see :mod:`layoutgen.emulator.models`.
        index: sparse instructions only: ``uint32[1, 64]``, two 2-bit indices per four k, the
            first smaller than the second.
        scale_a: scaled instructions only: ``uint32[1, 64]``, E8M0 bytes for A.
        scale_b: likewise for B.
        op_sel_a: the byte of ``scale_a`` that all lanes use, 0..3.
        op_sel_b: likewise for ``scale_b``.

    Returns:
        D's registers, a new ``uint32[registers, 64]``, with a leading batch axis if any operand
        has one; one without, or with a batch of 1, serves all calls.

    Raises:
        EmulatorError: unknown name, wrong shape or type, illegal modifier, an index pair that
            is not ascending, a numeric model that nobody has published.
    """
    return run(
        instruction(arch, mnemonic),
        a,
        b,
        c,
        cbsz,
        abid,
        blgp,
        model,
        index=index,
        scale_a=scale_a,
        scale_b=scale_b,
        op_sel_a=op_sel_a,
        op_sel_b=op_sel_b,
    )


def run(
    instr: Instruction,
    a: Registers,
    b: Registers,
    c: Registers | float,
    cbsz: int = 0,
    abid: int = 0,
    blgp: int = 0,
    model: Model = "exact",
    *,
    index: Registers | None = None,
    scale_a: Registers | None = None,
    scale_b: Registers | None = None,
    op_sel_a: int = 0,
    op_sel_b: int = 0,
) -> Registers:
    """:func:`execute` for an instruction record, which need not be in any table.

    A record with another rule (``dataclasses.replace``) is how a check proves that it would
    notice a wrong emulator.
    """
    summation = _summation(instr, model)
    setting = check_modifiers(instr, cbsz, abid, blgp, op_sel_a, op_sel_b)
    instr = with_formats(instr, setting.cbsz, setting.blgp)
    given = (a, b, c, index, scale_a, scale_b)
    batched = any(isinstance(x, np.ndarray) and x.ndim == 3 for x in given)
    files = Files(
        a=operands.register_file("a", a, instr.a_registers, instr.mnemonic),
        b=operands.register_file("b", b, instr.b_registers, instr.mnemonic),
        c=operands.accumulator(c, instr),
        index=operands.optional_file("index", index, taken=instr.sparse, instr=instr),
        scale_a=operands.optional_file("scale_a", scale_a, taken=instr.scaled, instr=instr),
        scale_b=operands.optional_file("scale_b", scale_b, taken=instr.scaled, instr=instr),
    )
    d = evaluate(instr, files, setting, summation)
    return d if batched else d[0]


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
    index: int | None = None,
    scale_a: int | None = None,
    scale_b: int | None = None,
    op_sel_a: int = 0,
    op_sel_b: int = 0,
) -> None:
    """Run on one register file, writing D into it.

    ``registers`` is a writable ``uint32[registers, 64]`` (or with a leading batch axis); ``a``,
    ``b``, ``c`` and ``d`` are the first register of each operand, ``index``, ``scale_a`` and
    ``scale_b`` the register of each. C defaults to D's range: accumulation in place, and the
    only choice of sparse instructions. All sources are read before D is written; hazards are
    not modelled.

    Raises:
        EmulatorError: as :func:`execute`, and an operand that leaves the register file.
    """
    instr = instruction(arch, mnemonic)
    if not isinstance(registers, np.ndarray) or registers.dtype != np.uint32:
        raise EmulatorError("registers: must be a uint32 array")
    if registers.ndim not in (2, 3) or registers.shape[-1] != LANES:
        raise EmulatorError(f"registers: shape {registers.shape}, must be [registers, {LANES}]")
    if not registers.flags.writeable:
        raise EmulatorError("registers: must be writable")
    if instr.sparse and c is not None and c != d:
        raise EmulatorError(f"c: {mnemonic} accumulates onto D's registers, {d}")
    check_modifiers(instr, cbsz, abid, blgp, op_sel_a, op_sel_b)
    formed = with_formats(instr, cbsz, blgp)
    d_part = operands.window("d", registers, d, formed.d_registers)
    d_part[...] = run(
        instr,
        operands.window("a", registers, a, formed.a_registers),
        operands.window("b", registers, b, formed.b_registers),
        d_part if c is None else operands.window("c", registers, c, formed.c_registers),
        cbsz,
        abid,
        blgp,
        model,
        index=_single("index", registers, index),
        scale_a=_single("scale_a", registers, scale_a),
        scale_b=_single("scale_b", registers, scale_b),
        op_sel_a=op_sel_a,
        op_sel_b=op_sel_b,
    )


def terms(
    arch: str, mnemonic: str, register: int, lane: int, cbsz: int = 0, blgp: int = 0
) -> tuple[AnyTerm, ...]:
    """The products that D register ``register`` of lane ``lane`` accumulates, in k order.

    Each names the first bit of its A and B field: operand register, bit, lane; see
    :class:`Term`, :class:`SparseTerm` and :class:`ScaledTerm`. Either register of a 64-bit
    element names it. ``cbsz`` and ``blgp`` are the format codes of f8f6f4 instructions; other
    modifiers are not applied.
    """
    instr = instruction(arch, mnemonic)
    if not (0 <= register < instr.d_registers and 0 <= lane < LANES):
        raise EmulatorError(
            f"D register {register}, lane {lane}: {mnemonic} has registers "
            f"0..{instr.d_registers - 1} and lanes 0..{LANES - 1}"
        )
    if instr.cbsz_role == "format":
        check_modifiers(instr, cbsz, 0, blgp)
    elif cbsz or blgp:
        raise EmulatorError(f"cbsz {cbsz}, blgp {blgp}: {mnemonic} has no format codes")
    return _terms(with_formats(instr, cbsz, blgp), register, lane)


def legal_modifiers(
    arch: str, mnemonic: str
) -> tuple[Modifiers, ...] | tuple[ScaledModifiers, ...]:
    """Every (cbsz, abid, blgp) that the instruction takes.

    Scaled instructions have (cbsz, abid, blgp, op_sel_a, op_sel_b). ``**setting._asdict()``
    hands one on to :func:`execute`.
    """
    return all_legal(instruction(arch, mnemonic))


def _single(name: str, registers: Registers, number: int | None) -> Registers | None:
    return None if number is None else operands.window(name, registers, number, 1)


def _summation(instr: Instruction, model: str) -> models.Summation:
    if model == "exact":
        return models.exact
    if model != "numeric":
        raise EmulatorError(f"model {model!r}: must be 'exact' or 'numeric'")
    if instr.numerics.summation is None:
        raise EmulatorError(
            f"model 'numeric': {instr.arch} {instr.mnemonic}: {instr.numerics.name} "
            f"({instr.numerics.source})"
        )
    return instr.numerics.summation
