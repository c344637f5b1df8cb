"""Throughput of instructions and peak rates of products."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from layoutgen.model import CYCLES_PER_PASS, Architecture, Gpu, Instruction, NumberFormat


@dataclass(frozen=True, slots=True)
class Rate:
    """How fast one instruction is: on one matrix core, and on a compute unit with all of them."""

    instruction: Instruction
    ops: int
    cycles: int
    passes: int
    coexec_cycles: int | None
    matrix_cores: int

    @property
    def per_cu(self) -> float:
        """Operations per cycle of a compute unit."""
        return self.ops / self.cycles * self.matrix_cores


@dataclass(frozen=True, slots=True)
class Peak:
    """The peak of a product for one input format; `best` are the instructions that reach it.

    `sparse`: of instructions that count zeros which a sparse A does not store.
    """

    gpu: Gpu
    format: NumberFormat
    per_cu: float
    best: tuple[Instruction, ...]
    sparse: bool = False

    @property
    def tera_ops(self) -> float:
        """10¹² operations per second: ops per cycle and CU × CUs × clock."""
        return self.per_cu * self.gpu.compute_units * self.gpu.clock_ghz / 1000


def rate(arch: Architecture, inst: Instruction, **modifiers: int) -> Rate:
    """Return how fast `inst` is on `arch`, with the formats that `modifiers` choose."""
    cycles = inst.cycles_under(**modifiers)
    return Rate(
        inst,
        inst.ops,
        cycles,
        cycles // CYCLES_PER_PASS,
        inst.coexec_cycles,
        arch.matrix_cores_per_cu,
    )


def rates(arch: Architecture, instructions: Iterable[Instruction] | None = None) -> list[Rate]:
    """Return the throughput table of `arch`, in the order of the specification."""
    chosen = arch.values() if instructions is None else instructions
    return [rate(arch, inst) for inst in chosen]


def input_formats(inst: Instruction) -> list[tuple[NumberFormat, dict[str, int]]]:
    """Return every format that A and B of `inst` may both have, with the modifiers for it."""
    if not inst.alternatives:
        return [(inst.operands["A"].format, {})]
    return [
        (operand.format, {"cbsz": code, "blgp": code})
        for code, operand in enumerate(inst.alternatives["A"])
    ]


def peaks(arch: Architecture) -> list[Peak]:
    """Return the peak of every product of `arch` for every input format, fastest first.

    Those of sparse instructions follow those of the others.
    """
    found: dict[tuple[bool, str], tuple[NumberFormat, list[Rate]]] = {}
    for inst in arch.values():
        for kind, modifiers in input_formats(inst):
            rows = found.setdefault((inst.sparse, kind.name), (kind, []))[1]
            rows.append(rate(arch, inst, **modifiers))
    tops = []
    for (sparse, _), (kind, rows) in found.items():
        top = max(row.per_cu for row in rows)
        best = tuple(row.instruction for row in rows if row.per_cu == top)
        tops += [Peak(gpu, kind, top, best, sparse) for gpu in arch.gpus]
    return sorted(tops, key=lambda p: (p.gpu.name, p.sparse, -p.per_cu, p.format.name))
