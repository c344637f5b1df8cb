"""The path from register files to D: extract, decode, scale, negate, sum, round."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from layoutgen.emulator import models, operands
from layoutgen.emulator.errors import EmulatorError
from layoutgen.emulator.formats import E8M0, Numbers
from layoutgen.emulator.instructions import Instruction
from layoutgen.emulator.modifiers import ScaledModifiers, a_crossbar, b_crossbar, index_shift
from layoutgen.emulator.operands import Registers
from layoutgen.emulator.wiring import LANES, Fields, Vectors, Wiring, wiring

# Scales between these keep every fp8 to fp4 number exact in binary32.
_SMALL, _LARGE = 2.0**-100, 2.0**100
# Numbers in flight per step.
_CHUNK = 2**18
_NEGATE_A, _NEGATE_B, _NEGATE_C = 1, 2, 4


@dataclass(frozen=True, eq=False)
class Files:
    """The register files of some calls, each with a batch axis (of 1: serves all)."""

    a: Registers
    b: Registers
    c: Registers
    index: Registers | None
    scale_a: Registers | None
    scale_b: Registers | None

    @property
    def batch(self) -> int:
        """How many calls."""
        return operands.batch_size(**vars(self))

    def crossed(self, instr: Instruction, setting: ScaledModifiers) -> "Files":
        """A and B as they leave the crossbars."""
        a, b = self.a, self.b
        if instr.cbsz_role == "broadcast" and setting.cbsz:
            a = a[..., a_crossbar(instr.blocks, setting.cbsz, setting.abid)]
        if instr.blgp_role == "lanes" and setting.blgp:
            b = b[..., b_crossbar(setting.blgp)]
        return replace(self, a=a, b=b)

    def parts(self, size: int) -> Iterator["Files"]:
        """The same calls, ``size`` at a time."""
        for start in range(0, self.batch, size):
            some = slice(start, start + size)
            cut = {k: x if x is None or len(x) == 1 else x[some] for k, x in vars(self).items()}
            yield Files(**cut)


def evaluate(
    instr: Instruction, files: Files, setting: ScaledModifiers, summation: models.Summation
) -> Registers:
    """D's registers ``uint32[batch, registers, 64]``."""
    wires = wiring(instr)
    widest = max(len(wires.a.fields.lane), len(wires.b.fields.lane), len(wires.row))
    size = max(1, _CHUNK // widest)
    parts = files.crossed(instr, setting).parts(size)
    done = [_evaluate_part(instr, wires, part, setting, summation) for part in parts]
    return done[0] if len(done) == 1 else np.concatenate(done)


def _evaluate_part(
    instr: Instruction,
    wires: Wiring,
    files: Files,
    setting: ScaledModifiers,
    summation: models.Summation,
) -> Registers:
    negated = setting.blgp if instr.blgp_role == "negate" else 0
    a = instr.a_format.decode(wires.a.fields.extract(files.a)).reshape(-1, *wires.a.shape)
    b = instr.b_format.decode(wires.b.fields.extract(files.b)).reshape(-1, *wires.b.shape)
    c = operands.unpacked(files.c, instr)
    factors = models.Factors(
        a=_scaled(-a if negated & _NEGATE_A else a, wires.a, files.scale_a, setting.op_sel_a),
        b=_scaled(-b if negated & _NEGATE_B else b, wires.b, files.scale_b, setting.op_sel_b),
        row=wires.row,
        column=wires.column,
        index=_index(wires, files.index, index_shift(instr, setting)),
        a_least=instr.a_format.least_exponent,
        b_least=instr.b_format.least_exponent,
    )
    start = -c if negated & _NEGATE_C else c
    start = np.broadcast_to(start, (files.batch, start.shape[1]))
    return operands.rounded(summation(factors, start), instr)


def _scaled(values: Numbers, vectors: Vectors, scales: Registers | None, byte: int) -> Numbers:
    """Elements times their scales; a product of two stays exact in binary64."""
    if scales is None or vectors.scale is None:
        return values
    fields = replace(vectors.scale, start=vectors.scale.start + 8 * byte)
    powers = E8M0.decode(fields.extract(scales)).reshape(-1, *vectors.shape)
    if not (powers.min() > _SMALL and powers.max() < _LARGE):  # NaN as well
        values = values.astype(np.float64)
    scaled: Numbers = values * powers
    return scaled


def _index(wires: Wiring, registers: Registers | None, shift: int) -> NDArray[np.uint32] | None:
    """Which of four items of B each stored item of A meets."""
    if registers is None or wires.index is None:
        return None
    fields = replace(wires.index, start=wires.index.start + shift)
    _check_ascending(fields, registers)
    return fields.extract(registers).astype(np.uint32).reshape(-1, *wires.a.shape)


def _check_ascending(fields: Fields, registers: Registers) -> None:
    """The lower index of every nibble that is read must be the smaller one."""
    places = np.unique(fields.start // 4 * LANES + fields.lane)
    nibble, lane = np.divmod(places, LANES)
    values = Fields(4 * nibble, lane, 4).extract(registers)
    wrong = np.argwhere((values & 3) >= (values >> 2))
    if len(wrong):
        call, place = wrong[0]
        value, bit = int(values[call, place]), 4 * int(nibble[place])
        raise EmulatorError(
            f"index: lane {lane[place]}, bits {bit + 3}:{bit} hold {value & 3} and {value >> 2}; "
            "the first index must be smaller than the second"
        )
