"""The context of the page of number formats; every number comes from the encodings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from math import frexp, isinf, isnan
from typing import TYPE_CHECKING

from layoutgen.pages import words
from layoutgen.pages.known import every_source
from layoutgen.pages.rst import Rst, code, escape, list_table, merge

if TYPE_CHECKING:
    from layoutgen.formats import Encoding
    from layoutgen.model import Architecture, NumberFormat

BYTES = (0x00, 0x01, 0x08, 0x38, 0x3C, 0x40, 0x7B, 0x7C, 0x7E, 0x7F, 0x80, 0xC0, 0xFF)
"""Bytes whose meaning the page tells in every format of eight bits with a sign."""

LISTED_BITS = 6
"""Formats up to so many bits are listed with all their numbers."""

Used = dict[str, tuple["NumberFormat", list[str], list[str]]]
"""By title: a format, the architectures that use it, and the operands that have it."""


def context(archs: Sequence[Architecture]) -> dict[str, object]:
    """Return what the template ``number-formats`` needs beside the globals."""
    used = formats(archs)
    floats = {t: (f, on) for t, (f, on, _) in used.items() if f.encoding}
    entries = {e.id: e for arch in archs for e in arch.disagreements}
    eight = [f for f, _ in floats.values() if f.encoding and f.bits == 8 and f.encoding.signed]
    fnuz = [f for f in eight if f.encoding and f.encoding.specials == "fnuz"]
    return {
        "overview": _overview(used),
        "manuals": every_source(archs),
        "scales": any("scale_a" in where for _, _, where in used.values()),
        "fields": _fields([f for f, _ in floats.values()]),
        "extremes": _extremes([f for f, _ in floats.values()]),
        "specials": _specials([f for f, _ in floats.values()]),
        "bytes": _bytes(eight) if eight else "",
        "twice": [_twice(f, eight) for f in fnuz],
        "listed": [_listing(f) for f, _ in floats.values() if f.bits <= LISTED_BITS],
        "subnormals": _subnormals(archs),
        "told_by": [
            (arch.name, merge(escape(arch.formats[name].title) for name in entry.formats), entry)
            for arch in archs
            for entry in arch.arithmetic
        ],
        "clamping": merge(code(arch.name) for arch in archs if arch.overflow),
        "integers": [escape(f.title) for f, _, _ in used.values() if not f.encoding],
        "cut": [cut for f, _ in floats.values() if (cut := _cut(f))],
        "disagreements": [e for e in entries.values() if e.about == "numbers"],
    }


def formats(archs: Sequence[Architecture]) -> Used:
    """Return every number format of matrices and scales, in the order of the instructions."""
    found: Used = {}
    for arch in archs:
        for inst in arch.values():
            for name, operand in inst.operands.items():
                for one in inst.alternatives.get(name, (operand,)):
                    if name == "index":
                        continue
                    _, on, where = found.setdefault(one.format.title, (one.format, [], []))
                    if arch.name not in on:
                        on.append(arch.name)
                    if name not in where:
                        where.append(name)
    return dict(sorted(found.items(), key=lambda item: (-item[1][0].bits, item[0])))


def _subnormals(archs: Sequence[Architecture]) -> Rst:
    """Return the table of what becomes of subnormal numbers, empty where nobody says."""
    rows = [
        (
            code(arch.name),
            merge(escape(arch.formats[name].title) for name in entry.formats),
            entry.inputs,
            entry.results,
            entry.rounding,
        )
        for arch in archs
        for entry in arch.arithmetic
    ]
    header = ("Target", "Format of A and B", "Subnormal A, B", "Subnormal C, D", "D is rounded to")
    title = "Subnormal numbers and rounding"
    return list_table(header, rows, title, "layout-subnormals") if rows else Rst("")


def _overview(used: Used) -> Rst:
    rows = [
        (title, str(kind.bits), merge(sorted(where)).replace("_", " "), merge(map(code, on)))
        for title, (kind, on, where) in used.items()
    ]
    header = ("Format", "Bits", "Used for", "Targets")
    return list_table(header, rows, "Which architecture uses which format", "layout-formats-used")


def _encoding(kind: NumberFormat) -> Encoding:
    assert kind.encoding is not None, "a floating-point format"
    return kind.encoding


def _fields(found: Iterable[NumberFormat]) -> Rst:
    rows = []
    for kind in found:
        e = _encoding(kind)
        top = e.bits - 1
        rows.append(
            (
                kind.title,
                str(top) if e.signed else "none",
                _field(e.mantissa, e.exponent),
                _field(0, e.mantissa),
                str(e.bias),
            )
        )
    header = ("Format", "Sign bit", "Exponent bits", "Mantissa bits", "Bias")
    return list_table(header, rows, "Bit fields", "layout-fields")


def _cut(kind: NumberFormat) -> tuple[NumberFormat, int, int, Rst, Rst] | None:
    """Return how many mantissa bits take part and how many do not, and the extremes of the rest.

    None for a format that uses all its bits.
    """
    e = _encoding(kind)
    if e.precision is None:
        return None
    used = replace(e, mantissa=e.precision, precision=None)
    least = used.min_normal if used.min_subnormal is None else used.min_subnormal
    return kind, e.precision, e.mantissa - e.precision, exact(used.max), exact(least)


def _field(start: int, size: int) -> str:
    return words.span(range(start, start + size)) if size else "none"


def _extremes(found: Iterable[NumberFormat]) -> Rst:
    rows = []
    for kind in found:
        e = _encoding(kind)
        least = e.min_subnormal
        rows.append(
            (
                kind.title,
                exact(e.max),
                exact(e.min_normal),
                exact(e.min_normal if least is None else least),
                code(f"0x{one(e):0{-(-e.bits // 4)}X}"),
            )
        )
    header = ("Format", "Largest", "Smallest normal", "Smallest of all", "Code of 1.0")
    return list_table(header, rows, "Ranges", "layout-ranges")


def one(encoding: Encoding) -> int:
    """Return the code of 1.0."""
    return encoding.bias << encoding.mantissa


def _specials(found: Iterable[NumberFormat]) -> Rst:
    rows = []
    for kind in found:
        e = _encoding(kind)
        digits = -(-e.bits // 4)
        infinities = merge(code(f"0x{c:0{digits}X}") for c in e.infinities) or "none"
        nans = merge(_codes(codes, digits) for codes in e.nans) or "none"
        rows.append((kind.title, infinities, nans, "yes" if e.negative_zero else "no"))
    header = ("Format", "Infinities", "NaN", "Negative zero")
    return list_table(header, rows, "Codes that are no numbers", "layout-specials")


def _codes(found: range, digits: int) -> Rst:
    first, last = (code(f"0x{c:0{digits}X}") for c in (found[0], found[-1]))
    return first if first == last else Rst(f"{first} to {last}")


def _bytes(found: Sequence[NumberFormat]) -> Rst:
    rows = [
        (code(f"0x{byte:02X}"), *(exact(_encoding(kind).value(byte)) for kind in found))
        for byte in BYTES
    ]
    header = ("Byte", *(kind.title for kind in found))
    return list_table(header, rows, "What a byte stands for", "layout-codes")


def _twice(kind: NumberFormat, others: Sequence[NumberFormat]) -> Rst:
    """Return how a FNUZ format differs from the one with the same fields."""
    e = _encoding(kind)
    other = next(
        (
            o
            for o in others
            if (_encoding(o).exponent, _encoding(o).mantissa) == (e.exponent, e.mantissa)
            and _encoding(o).bias != e.bias
        ),
        None,
    )
    if other is None:
        return Rst("")
    byte = one(e)
    return Rst(
        f"The byte {code(f'0x{byte:02X}')} is {exact(e.value(byte))} in {escape(kind.title)} and "
        f"{exact(_encoding(other).value(byte))} in {escape(other.title)}: the bias is "
        f"{e.bias} and {_encoding(other).bias}. {_largest(e, _encoding(other))}"
    )


def _largest(one_: Encoding, other: Encoding) -> str:
    if one_.max == other.max:
        return f"The largest number of both is {exact(one_.max)}."
    return f"The largest numbers are {exact(one_.max)} and {exact(other.max)}."


def _listing(kind: NumberFormat) -> Rst:
    e = _encoding(kind)
    positive = [e.value(c) for c in range(1 << (e.bits - 1))]
    numbers = ", ".join(f"{value:g}" for value in positive)
    return Rst(f"{escape(kind.title)}: {numbers}; and the same with the sign changed.")


def exact(value: float) -> Rst:
    """Return a number as a reader can check it: whole, a power of two, or rounded."""
    if isnan(value):
        return Rst("NaN")
    if isinf(value):
        return Rst("−∞" if value < 0 else "∞")
    mantissa, exponent = frexp(abs(value))
    sign = "−" if str(value).startswith("-") else ""
    if value == 0 or 2**-4 <= abs(value) < 10**7:
        return Rst(f"{sign}{abs(value):.10g}")
    if mantissa == 0.5:
        return Rst(rf"{sign}2\ :sup:`{exponent - 1}`".replace("`-", "`−"))
    digits, power = f"{abs(value):.4e}".split("e")
    return Rst(rf"{sign}{digits}·10\ :sup:`{int(power)}`".replace("`-", "`−"))
