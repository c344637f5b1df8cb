"""Which instruction to take: those that suit given types and a tile, the fastest first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import SupportsIndex

from layoutgen.actions import FIELD_OF_FORMAT
from layoutgen.called import called, named_format, unknown_format
from layoutgen.digits import LayoutError, whole
from layoutgen.model import Architecture, Instruction, NumberFormat, Operand, UnknownName, nearest
from layoutgen.tables.rates import Rate, rate


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

    def __hash__(self) -> int:
        """Hash by architecture, instruction and count; equal choices have the same."""
        return hash((self.arch, self.instruction, self.count))

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
    m: SupportsIndex | None = None,
    n: SupportsIndex | None = None,
    k: SupportsIndex | None = None,
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
    Types may be called as elsewhere: ``half``, ``float8_e4m3fnuz``, ``f4E2M1FN``.
    Raises :class:`~layoutgen.model.UnknownName` for an unknown type, and for one of which `archs`
    have another kind only; :class:`~layoutgen.digits.LayoutError` for a size below 1.

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
    given_types = {o: name for o, name in named if name is not None}
    for operand, name in given_types.items():
        _check(name, operand, chosen)
    size = (_size("m", m), _size("n", n), _size("k", k))
    found = []
    for arch in chosen:
        wanted = {o: _own_name(arch, name) for o, name in given_types.items()}
        suiting = [
            Choice(arch, inst, rate(arch, inst, **given), _count(inst, *size), given)
            for inst in arch.values()
            if sparse or not inst.sparse
            if scaled or "scale_a" not in inst.operands
            if _fits(inst, *size)
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
    found = named_format(arch.formats, name)
    if found is None:
        raise unknown_format(arch, name, _chosen(None))
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


def _size(name: str, value: SupportsIndex | None) -> int | None:
    """Return a length of the tile, which must be 1 or more."""
    if value is None:
        return None
    found = whole(name, value)
    if found < 1:
        raise LayoutError(f"{name} {found} is out of range: 1 or more")
    return found


def _own_name(arch: Architecture, name: str) -> str:
    """Return what `arch` calls a type; empty if it has none of that name."""
    found = named_format(arch.formats, name)
    return found.name if found else ""


def _check(name: str, operand: str, archs: list[Architecture]) -> None:
    """Refuse a type that no architecture has, or of which `archs` have another kind only."""
    if any(_own_name(arch, name) for arch in archs):
        return
    elsewhere = [arch for arch in _chosen(None) if _own_name(arch, name)]
    meant = {_own_name(arch, name) for arch in elsewhere}
    for arch in archs:
        if meant & arch.formats.keys():
            raise unknown_format(arch, name, elsewhere)
    if not elsewhere:
        known = [kind for arch in archs for kind in arch.formats.values()]
        spelled = {n for kind in known for n in (kind.name, *called(kind))}
        offered = nearest(name.lower(), sorted(spelled))
        raise UnknownName(
            f"no type {name!r}{offered}; {operand} may be {', '.join(types(archs, operand))}"
        )


def _chosen(archs: Iterable[Architecture | str] | Architecture | str | None) -> list[Architecture]:
    from layoutgen.spec.catalogue import Catalogue, named

    if archs is None:
        return list(Catalogue().architectures.values())
    if isinstance(archs, Architecture | str):
        return [named(archs)]
    return list(map(named, archs))
