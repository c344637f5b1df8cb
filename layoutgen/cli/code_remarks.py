"""Notes on what codes of number formats stand for: what is read otherwise, or cannot be held."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import copysign, isinf, isnan
from typing import TYPE_CHECKING

from layoutgen.codes import Code, both_ways
from layoutgen.facts import Arithmetic, Reading
from layoutgen.formats import NumberFormat

if TYPE_CHECKING:
    from layoutgen.model import Architecture, Instruction

KEPT = "kept"


def remarks(arch: Architecture, codes: Sequence[Code], asked: Sequence[float]) -> Iterator[str]:
    """Yield what is to be said of `codes`, the last of which are nearest to numbers `asked` for."""
    nearest = codes[len(codes) - len(asked) :]
    for value, code in zip(asked, nearest, strict=True):
        yield from _not_held(value, code)
    for code in codes:
        yield from _dropped(arch, code)
    yield from _subnormal(arch, codes)
    if any(code.kind.name == "e8m0" and code.code == 0 for code in codes):
        yield from (f"{r.claim} ({r.who})" for r in _others(arch, "scale-zero"))


def subnormals(arch: Architecture, kind: NumberFormat) -> str:
    """Return what becomes of subnormal numbers of a format, in A and B and in C and D.

    Empty if nothing is known, or if the format has none.
    """
    if kind.encoding is None or kind.encoding.min_subnormal is None:
        return ""
    inputs = [f"of A, B {e.inputs}" for e in arch.arithmetic if kind.name in e.formats]
    results: dict[str, list[str]] = {}
    for entry in arch.arithmetic:
        if factors := _factors(arch, kind, entry):
            results.setdefault(entry.results, []).extend(factors)
    told = [
        f"of C, D {result}{f' with A in {_list(names)}' if len(results) > 1 else ''}"
        for result, names in results.items()
    ]
    return "; ".join((*inputs, *told))


def _factors(arch: Architecture, kind: NumberFormat, entry: Arithmetic) -> list[str]:
    """Return the formats of A, of those of an entry, that instructions with such a D have."""
    found = {
        name
        for inst in arch.values()
        if inst.operands["D"].format == kind
        for name in _formats_of_a(inst)
    }
    return [name for name in entry.formats if name in found]


def _formats_of_a(inst: Instruction) -> list[str]:
    return [o.format.name for o in inst.alternatives.get("A", (inst.operands["A"],))]


def _list(names: Sequence[str]) -> str:
    return ", ".join(names)


def _subnormal(arch: Architecture, codes: Sequence[Code]) -> Iterator[str]:
    """Tell what instructions do with subnormal numbers, unless they keep them."""
    small = [code for code in codes if code.subnormal and code.value]
    if not small:
        return
    kind = small[0].kind
    told = subnormals(arch, kind)
    if all(entry.subnormals == KEPT for entry in arch.arithmetic if _touches(arch, kind, entry)):
        return
    names = _list([code.name for code in small])
    verb = "is a subnormal number" if len(small) == 1 else "are subnormal numbers"
    yield f"{names} {verb}; instructions of {arch.name}: {told}"
    if kind.name == "f32":
        for reading in _others(arch, "f32-subnormals"):
            yield f"sources disagree about A and B: {reading.claim} ({reading.who})"


def _touches(arch: Architecture, kind: NumberFormat, entry: Arithmetic) -> bool:
    return kind.name in entry.formats or bool(_factors(arch, kind, entry))


def _dropped(arch: Architecture, code: Code) -> Iterator[str]:
    """Tell what a source gives that rounds what others drop, if that is another number."""
    e = code.kind.encoding
    if e is None or code.stored is None or isnan(code.stored):
        return
    rounded = e.rounded(code.code)
    if rounded == code.value:
        return
    for reading in _others(arch, "xf32-bits"):
        yield (
            f"sources disagree: {code.name}, rounded to {e.precision} bits, is "
            f"{both_ways(rounded)} ({reading.who}); here the lowest {e.dropped} bits are dropped"
        )


def _not_held(value: float, code: Code) -> Iterator[str]:
    """Tell what of a number that was asked for a format cannot hold at all."""
    e = code.kind.encoding
    if e is None or isnan(value) or isinf(value):
        return
    name = code.kind.name
    if value < 0 and not e.signed:
        yield f"{name} has no sign: {value:g} is out of range, and the smallest number is nearest"
    elif value == 0 and not e.signed:
        yield f"{name} has no zero: its smallest number is nearest"
    elif value == 0 and copysign(1, value) < 0 and not e.negative_zero:
        yield f"{name} has no -0: 0 is nearest"


def _others(arch: Architecture, key: str) -> Iterator[Reading]:
    """Yield the readings of a disagreement that are not followed."""
    for entry in arch.disagreements:
        if entry.id == key:
            yield from (r for r in entry.readings if r.name != entry.followed)
