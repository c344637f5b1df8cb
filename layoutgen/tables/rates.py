"""Throughput of instructions and peak rates of products."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from layoutgen.model import Architecture, Gpu, Instruction, NumberFormat


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
    """The peak of a product for one input format; `best` are the instructions that reach it."""

    gpu: Gpu
    format: NumberFormat
    per_cu: float
    best: tuple[Instruction, ...]

    @property
    def tera_ops(self) -> float:
        """10¹² operations per second: ops per cycle and CU × CUs × clock."""
        return self.per_cu * self.gpu.compute_units * self.gpu.clock_ghz / 1000


def rate(arch: Architecture, inst: Instruction) -> Rate:
    """Return how fast `inst` is on `arch`."""
    return Rate(
        inst, inst.ops, inst.cycles, inst.passes, inst.coexec_cycles, arch.matrix_cores_per_cu
    )


def rates(arch: Architecture, instructions: Iterable[Instruction] | None = None) -> list[Rate]:
    """Return the throughput table of `arch`, in the order of the specification."""
    chosen = arch.values() if instructions is None else instructions
    return [rate(arch, inst) for inst in chosen]


def peaks(arch: Architecture) -> list[Peak]:
    """Return the peak of every product of `arch` for every input format, fastest first."""
    by_format: dict[str, list[Rate]] = {}
    for row in rates(arch):
        by_format.setdefault(row.instruction.operands["A"].format.name, []).append(row)
    found = []
    for gpu in arch.gpus:
        for rows in by_format.values():
            top = max(row.per_cu for row in rows)
            best = tuple(row.instruction for row in rows if row.per_cu == top)
            found.append(Peak(gpu, best[0].operands["A"].format, top, best))
    return sorted(found, key=lambda p: (p.gpu.name, -p.per_cu, p.format.name))
