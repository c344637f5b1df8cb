"""Codes of number formats: what number bits stand for, and which bits stand for a number."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from math import copysign, frexp, inf, isinf, isnan

from layoutgen.formats import Encoding, NumberFormat
from layoutgen.origins import PAIRS

PAIR = "pair"
"""The format of an entry of the sparse index."""
WIDEST = 16
"""Formats of more bits have too many codes to look through."""


class CodeError(ValueError):
    """A code that is out of range, or a number that a format cannot be asked for."""


@dataclass(frozen=True, slots=True)
class Code:
    """A code of a format: `value` is its number, or the two stored positions of an index pair.

    Where a format stores more bits than are multiplied (XF32), `value` is the number that is
    multiplied, and `stored` that of all bits; elsewhere `stored` is None.
    """

    kind: NumberFormat
    code: int
    value: float | int | tuple[int, int]
    stored: float | None = None

    @property
    def fields(self) -> str:
        """The bits, from the highest: sign, exponent, mantissa and what is dropped of it apart."""
        bits = f"{self.code:0{self.kind.bits}b}"
        e = self.kind.encoding
        if e is None:
            return bits
        sign, rest = bits[: int(e.signed)], bits[int(e.signed) :]
        used = len(rest) - e.dropped
        parts = (sign, rest[: e.exponent], rest[e.exponent : used], rest[used:])
        return " ".join(filter(None, parts))

    @property
    def value_text(self) -> str:
        """The value in words."""
        if isinstance(self.value, tuple):
            return f"k {self.value[0]} and {self.value[1]} of the group"
        return both_ways(self.value)

    @property
    def value_json(self) -> object:
        """The value as JSON data; what is no finite number as text."""
        return list(self.value) if isinstance(self.value, tuple) else as_json(self.value)

    @property
    def name(self) -> str:
        """Format and code: ``fp8 0x40``."""
        digits = -(-self.kind.bits // 4)
        return f"{self.kind.name} 0x{self.code:0{digits}x}"

    @property
    def text(self) -> str:
        """Code, bits and value in one line: ``fp8 0x40 = 0 1000 000 = 1``.

        It also tells the number that is stored, if another one is multiplied.
        """
        line = f"{self.name} = {self.fields} = {self.value_text}"
        if self.stored is None or self.stored == self.value or isnan(self.stored):
            return line
        return f"{line}; stored is the FP32 number {both_ways(self.stored)}"

    @property
    def subnormal(self) -> bool:
        """Whether it is a number below the normal ones, and not 0."""
        return self.kind.encoding is not None and self.kind.encoding.subnormal(self.code)


def code_of(kind: NumberFormat, code: int) -> Code:
    """Return what `code` stands for: a number, two's complement for integers.

    Raises :class:`CodeError` for a code that is out of range or stands for nothing.

    >>> import layoutgen
    >>> from layoutgen.selection import format_named
    >>> [code_of(format_named(layoutgen.arch(a), "fp8"), 0x40).value for a in ("gfx942", "gfx950")]
    [1.0, 2.0]
    """
    if not 0 <= code < 1 << kind.bits:
        raise CodeError(f"{kind.name} {code:#x} is out of range: 0 to {(1 << kind.bits) - 1:#x}")
    if (e := kind.encoding) is not None:
        stored = e.value(code) if e.dropped else None
        return Code(kind, code, e.multiplied(code), stored)
    if kind.name == PAIR:
        if code not in PAIRS:
            known = ", ".join(map(str, PAIRS))
            raise CodeError(f"{code} is no index pair, whose first k is the lower: {known}")
        return Code(kind, code, PAIRS[code])
    return Code(kind, code, code - (code >> (kind.bits - 1) << kind.bits))


def pair_packing() -> tuple[str, str]:
    """Return how an index pair names the two k that are stored of four, and what its codes are."""
    codes = ", ".join(f"{code} = k {low} and {high}" for code, (low, high) in PAIRS.items())
    return "bits [1:0] are the lower of the two k that A stores of four, [3:2] the higher", codes


def nearest_code(kind: NumberFormat, value: float) -> Code:
    """Return the code whose number is nearest to `value`; of two, the one with an even code.

    A zero has the sign of `value`, if the format has such a zero.
    Raises :class:`CodeError` for formats without a number for each code, or of more than 16 bits.
    """
    encoding = kind.encoding
    if encoding is None or kind.bits > WIDEST:
        raise CodeError(f"--of asks for codes of at most {WIDEST} bits of a floating-point format")
    if isnan(value):
        if not encoding.nans:
            raise CodeError(f"{kind.name} has no NaN")
        return code_of(kind, encoding.nans[0].start)
    if isinf(value) and encoding.infinities:
        return code_of(kind, encoding.infinities[value < 0])
    if isinf(value):
        raise CodeError(f"{kind.name} has no infinity")
    return code_of(kind, _nearest(encoding, value))


def _nearest(encoding: Encoding, value: float) -> int:
    def distance(code: int) -> tuple[float, bool, int, int]:
        number = encoding.value(code)
        if isnan(number) or isinf(number):
            return inf, True, 0, 0
        other_sign = copysign(1, number) != copysign(1, value)
        return abs(number - value), other_sign, code & 1, code

    return min(range(1 << encoding.bits), key=distance)


def as_json(value: float) -> object:
    """Return a number as JSON data; what is not finite as text."""
    return plain(value) if isnan(value) or isinf(value) else value


def both_ways(value: float) -> str:
    """Return a number exactly; as a decimal as well where that is a whole number times a power.

    >>> both_ways(2049 / 2**11), both_ways(2**-127)
    ('2049·2^-11 = 1.00048828125', '2^-127')
    """
    exact = plain(value)
    if "·" not in exact:
        return exact
    short = f"{value:.12g}"
    sign = "=" if Decimal(short) == Decimal(value) else "≈"
    return f"{exact} {sign} {short if sign == '=' else f'{value:.9g}'}"


def plain(value: float) -> str:
    """Return a number exactly: as a short decimal, or as a power of two times a whole number."""
    if isnan(value):
        return "NaN"
    if isinf(value):
        return "-infinity" if value < 0 else "infinity"
    if value == int(value) and abs(value) < 1 << 24:
        return f"{value:.0f}"
    short = f"{value:.12g}"
    if float(short) == value and len(short) <= 10 and "e" not in short:
        return short
    fraction, exponent = frexp(value)
    while fraction != int(fraction):
        fraction, exponent = fraction * 2, exponent - 1
    whole = int(fraction)
    factor = {1: "", -1: "-"}.get(whole, f"{whole}·")
    return f"{factor}2^{exponent}"
