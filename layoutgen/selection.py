"""Which instruction to take: those that suit given types and a tile, the fastest first."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from layoutgen.model import Architecture, Instruction, UnknownName, nearest
from layoutgen.tables.rates import Rate, rate

OTHER_NAMES = {
    "double": "f64", "fp64": "f64", "float64": "f64",
    "float": "f32", "fp32": "f32", "float32": "f32", "single": "f32",
    "tf32": "xf32",
    "half": "f16", "fp16": "f16", "float16": "f16",
    "bfloat16": "bf16", "bfloat": "bf16",
    "e4m3": "fp8", "e5m2": "bf8", "e2m3": "fp6", "e3m2": "bf6", "e2m1": "fp4",
    "int8": "i8", "int32": "i32", "int": "i32",
}  # fmt: skip
"""What types are called elsewhere, and here."""

DENSE = ("mfma", "wmma")
"""Kinds of instructions that take any A; others want it sparse."""


@dataclass(frozen=True, slots=True)
class Choice:
    """An instruction that suits, how fast it is, and how many of them a tile takes.

    `count` is None where no whole tile was asked for.
    """

    arch: Architecture
    instruction: Instruction
    rate: Rate
    count: int | None

    @property
    def cycles(self) -> int | None:
        """Cycles of one matrix core for the tile, without anything in between."""
        return None if self.count is None else self.count * self.instruction.cycles


def which(
    archs: Iterable[Architecture] | None = None,
    *,
    a: str | None = None,
    b: str | None = None,
    d: str | None = None,
    m: int | None = None,
    n: int | None = None,
    k: int | None = None,
    sparse: bool = False,
) -> list[Choice]:
    """Return the instructions of `archs` (all, if not given) that suit, best first for each.

    `a`, `b` and `d` are types; `b` is that of `a` if not given.  A tile of `m` rows, `n` columns
    and reduction length `k` must be whole numbers of the instruction's own, and its parts must
    fill the blocks; what is not given may be anything.  Ranked by operations per cycle, then fewer
    blocks, then the larger tile, which reads A and B less often.  Instructions with a sparse A are
    left out unless `sparse`.  Raises :class:`~layoutgen.model.UnknownName` for an unknown type.

    >>> import layoutgen
    >>> best = which([layoutgen.arch("gfx908")], a="f16", m=64, n=64, k=16)[0]
    >>> best.instruction.mnemonic, best.count, best.cycles
    ('v_mfma_f32_32x32x8f16', 8, 512)
    """
    chosen = list(_all() if archs is None else archs)
    wanted = {
        operand: _format(name, operand, chosen)
        for operand, name in (("A", a), ("B", b if b is not None else a), ("D", d))
        if name is not None
    }
    found = []
    for arch in chosen:
        suiting = [
            Choice(arch, inst, rate(arch, inst), _count(inst, m, n, k))
            for inst in arch.values()
            if sparse or inst.kind in DENSE
            if all(inst.operands[o].format.name == name for o, name in wanted.items())
            if _fits(inst, m, n, k)
        ]
        found += sorted(suiting, key=_rank)
    return found


def types(archs: Iterable[Architecture], operand: str) -> list[str]:
    """Return the types that an operand has on `archs`, in the order of the specifications."""
    every = (inst.operands[operand].format.name for arch in archs for inst in arch.values())
    return list(dict.fromkeys(every))


def _rank(choice: Choice) -> tuple[float, int, int]:
    inst = choice.instruction
    return -choice.rate.per_cu, inst.blocks, -inst.m * inst.n


def _fits(inst: Instruction, m: int | None, n: int | None, k: int | None) -> bool:
    """Tell whether a tile is whole tiles of `inst`, as many as it has blocks or a multiple."""
    sizes = ((m, inst.m), (n, inst.n), (k, inst.k))
    if any(wanted is not None and wanted % own for wanted, own in sizes):
        return False
    return m is None or n is None or (m // inst.m) * (n // inst.n) % inst.blocks == 0


def _count(inst: Instruction, m: int | None, n: int | None, k: int | None) -> int | None:
    """Return how many times `inst` is issued for a tile that it fits."""
    if m is None or n is None or k is None:
        return None
    return (m // inst.m) * (n // inst.n) * (k // inst.k) // inst.blocks


def _format(name: str, operand: str, archs: list[Architecture]) -> str:
    folded = name.lower()
    found = OTHER_NAMES.get(folded, folded)
    known = {
        inst.operands[o].format.name for arch in archs for inst in arch.values() for o in "ABD"
    }
    if found not in known and found not in OTHER_NAMES.values():
        offered = nearest(found, sorted(known | OTHER_NAMES.keys()))
        raise UnknownName(
            f"no type {name!r}{offered}; {operand} may be {', '.join(types(archs, operand))}"
        )
    return found


def _all() -> Iterable[Architecture]:
    from layoutgen.spec import Catalogue

    return Catalogue().architectures.values()
