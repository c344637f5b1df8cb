"""Whole numbers as the bits of an element."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from layoutgen.formats import NumberFormat


def code(fmt: NumberFormat, number: int) -> int | None:
    """Return the bits of a whole number in a format, or None if the format cannot hold it."""
    if fmt.encoding is None:
        return number if number < 1 << (fmt.bits - 1) else None
    if number == 0:
        return 0
    encoding = fmt.encoding
    exponent = number.bit_length() - 1
    precise = encoding.mantissa if encoding.precision is None else encoding.precision
    if number % (1 << max(0, exponent - precise)):
        return None
    mantissa = ((number << encoding.mantissa) >> exponent) - (1 << encoding.mantissa)
    found = exponent + encoding.bias << encoding.mantissa | mantissa
    fits = exponent + encoding.bias < 1 << encoding.exponent
    return found if fits and encoding.value(found) == number else None


def codes(fmt: NumberFormat, most: int) -> list[int]:
    """Return the bits of 0, 1, 2 and so on: up to `most`, or as far as none is missing."""
    found: list[int] = []
    while len(found) <= most and (bits := code(fmt, len(found))) is not None:
        found.append(bits)
    return found
