"""Which instruction to take: those that suit given types and a tile, the fastest first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from layoutgen.actions import FIELD_OF_FORMAT
from layoutgen.model import Architecture, Instruction, NumberFormat, Operand, UnknownName, nearest
from layoutgen.tables.rates import Rate, rate

OTHER_NAMES = {
    "double": "f64", "fp64": "f64", "float64": "f64",
    "float": "f32", "fp32": "f32", "float32": "f32", "single": "f32",
    "tf32": "xf32", "f8": "fp8", "f6": "fp6", "f4": "fp4",
    "half": "f16", "fp16": "f16", "float16": "f16",
    "bfloat16": "bf16", "bfloat": "bf16",
    "float8": "fp8", "fp8_e4m3": "fp8", "fp8_e5m2": "bf8", "f8e4m3": "fp8", "f8e5m2": "bf8",
    "e4m3": "fp8", "e5m2": "bf8", "e2m3": "fp6", "e3m2": "bf6", "e2m1": "fp4",
    "int8": "i8", "int32": "i32", "int": "i32",
}  # fmt: skip
"""What types are called elsewhere, and here."""


@dataclass(frozen=True, slots=True, repr=False)
class Choice:
    """An instruction that suits, how fast it is, and how many of them a tile takes.

    `modifiers` choose the formats of A and B where the instruction has codes for them.  `count`
    is None where no whole tile was asked for.
    """

    arch: Architecture
    instruction: Instruction
    rate: Rate
    count: int | None
    modifiers: Mapping[str, int] = field(default_factory=dict)

    def __repr__(self) -> str:
        """Return names in place of all that is known of the instruction."""
        given = ", ".join(f"{name}={value}" for name, value in self.modifiers.items())
        rate = f"{self.rate.per_cu:g} per cycle and CU"
        count = "" if self.count is None else f", {self.count} for the tile"
        name = f"{self.arch.name} {self.instruction.mnemonic}"
        return f"<Choice {name}{f' ({given})' if given else ''}: {rate}{count}>"

    @property
    def cycles(self) -> int | None:
        """Cycles of one matrix core for the tile, without anything in between."""
        return None if self.count is None else self.count * self.rate.cycles

    def operand(self, name: str) -> Operand:
        """Return an operand in the format that was chosen."""
        return self.instruction.operand(name, **self.modifiers)


def which(
    archs: Iterable[Architecture | str] | Architecture | str | None = None,
    *,
    a: str | None = None,
    b: str | None = None,
    d: str | None = None,
    m: int | None = None,
    n: int | None = None,
    k: int | None = None,
    sparse: bool = False,
    scaled: bool = True,
    transpose: bool = False,
) -> list[Choice]:
    """Return the instructions of `archs` (all, if not given) that suit, best first for each.

    `archs` are architectures or their names, or one of them.
    `a`, `b` and `d` are types; `b` is that of `a` if not given.  A tile of `m` rows, `n` columns
    and reduction length `k` must be whole numbers of the instruction's own, and its parts must
    fill the blocks; what is not given may be anything.  Ranked by operations per cycle, then fewer
    operands, fewer blocks, and the larger tile, which reads A and B less often.  Instructions with
    a sparse A are left out unless `sparse`, those with scales if not `scaled`.  With `transpose`
    the tile is wanted transposed: the instruction's A is the given B, and its rows the columns.
    Raises :class:`~layoutgen.model.UnknownName` for an unknown type.

    >>> import layoutgen
    >>> best = which([layoutgen.arch("gfx908")], a="f16", m=64, n=64, k=16)[0]
    >>> best.instruction.mnemonic, best.count, best.cycles
    ('v_mfma_f32_32x32x8f16', 8, 512)
    >>> best = which("gfx950", a="fp4", b="fp6")[0]
    >>> best.instruction.mnemonic, best.modifiers
    ('v_mfma_f32_32x32x64_f8f6f4', {'cbsz': 4, 'blgp': 2})
    """
    chosen = _chosen(archs)
    b = b if b is not None else a
    if transpose:
        a, b, m, n = b, a, n, m
    named = (("A", a), ("B", b), ("D", d))
    wanted = {o: _format(name, o, chosen) for o, name in named if name is not None}
    found = []
    for arch in chosen:
        suiting = [
            Choice(arch, inst, rate(arch, inst, **given), _count(inst, m, n, k), given)
            for inst in arch.values()
            if sparse or not inst.sparse
            if scaled or "scale_a" not in inst.operands
            if _fits(inst, m, n, k)
            for given in _formats_chosen(inst, wanted)
            if all(inst.operand(o, **given).format.name == name for o, name in wanted.items())
        ]
        found += sorted(suiting, key=_rank)
    return found


def _formats_chosen(inst: Instruction, wanted: Mapping[str, str]) -> list[dict[str, int]]:
    """Return the modifiers that give A and B the types that are wanted, or none if nothing does.

    A type that is not asked for stays that of code 0.
    """
    given: dict[str, int] = {}
    for name, each in inst.alternatives.items():
        if name not in wanted:
            continue
        codes = [n for n, operand in enumerate(each) if operand.format.name == wanted[name]]
        if not codes:
            return []
        given[FIELD_OF_FORMAT[name]] = codes[0]
    return [given]


def types(archs: Iterable[Architecture], operand: str) -> list[str]:
    """Return the types that an operand has on `archs`, in the order of the specifications."""
    found: dict[str, None] = {}
    for inst in (inst for arch in archs for inst in arch.values()):
        each = inst.alternatives.get(operand, (inst.operands[operand],))
        found |= dict.fromkeys(o.format.name for o in each)
    return list(found)


def format_named(arch: Architecture, name: str) -> NumberFormat:
    """Return an element type of `arch` by what it is called here or elsewhere.

    Raises :class:`~layoutgen.model.UnknownName`.
    """
    known = arch.formats
    folded = name.lower()
    found = known.get(folded) or known.get(OTHER_NAMES.get(folded, folded))
    if found is None:
        offered = nearest(folded, sorted(known | OTHER_NAMES))
        raise UnknownName(f"{arch.name} has no format {name!r}{offered}; it has {', '.join(known)}")
    return found


def _rank(choice: Choice) -> tuple[float, int, int, int]:
    inst = choice.instruction
    return -choice.rate.per_cu, len(inst.operands), inst.blocks, -inst.m * inst.n


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
    known = {name for o in "ABD" for name in types(archs, o)}
    if found not in known and found not in OTHER_NAMES.values():
        offered = nearest(found, sorted(known | OTHER_NAMES.keys()))
        raise UnknownName(
            f"no type {name!r}{offered}; {operand} may be {', '.join(types(archs, operand))}"
        )
    return found


def _chosen(archs: Iterable[Architecture | str] | Architecture | str | None) -> list[Architecture]:
    from layoutgen.spec.catalogue import Catalogue, named

    if archs is None:
        return list(Catalogue().architectures.values())
    if isinstance(archs, Architecture | str):
        return [named(archs)]
    return list(map(named, archs))
