"""Number formats: how wide an element is, what its bits mean, and the C type that carries it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import inf, isnan, nan
from typing import Literal, TypeAlias

Specials: TypeAlias = Literal["ieee", "nan", "fnuz", "none", "scale"]
"""Which codes are no numbers.

* ``ieee``: the largest exponent holds the infinities (mantissa 0) and NaNs.
* ``nan``: only the largest code of either sign is NaN; there is no infinity (OCP E4M3).
* ``fnuz``: what would be -0 is the only NaN; there is no infinity and no negative zero.
* ``none``: every code is a number.
* ``scale``: no sign and no zero, the largest code is NaN (E8M0).
"""


@dataclass(frozen=True, slots=True)
class Encoding:
    """A floating-point encoding: sign, exponent and mantissa, from the most significant bit.

    `precision` is the number of mantissa bits that take part in a product, where that is fewer
    than are stored.
    """

    exponent: int
    mantissa: int
    bias: int
    specials: Specials
    precision: int | None = None

    @property
    def signed(self) -> bool:
        """Whether there is a sign bit."""
        return self.specials != "scale"

    @property
    def bits(self) -> int:
        """Width of a code in bits."""
        return self.signed + self.exponent + self.mantissa

    def value(self, code: int) -> float:
        """Return the number that `code` stands for; raises ValueError if it is out of range."""
        if not 0 <= code < 1 << self.bits:
            raise ValueError(f"code {code} is out of range: 0 to {(1 << self.bits) - 1}")
        if any(code in codes for codes in self.nans):
            return nan
        if self.specials == "scale":
            return 2.0 ** (code - self.bias)
        negative, rest = divmod(code, 1 << (self.bits - 1))
        if rest in (code % (1 << (self.bits - 1)) for code in self.infinities):
            return -inf if negative else inf
        exponent, mantissa = divmod(rest, 1 << self.mantissa)
        whole = mantissa + ((1 << self.mantissa) if exponent else 0)
        magnitude = whole * 2.0 ** (max(exponent, 1) - self.bias - self.mantissa)
        return -magnitude if negative else magnitude

    @property
    def dropped(self) -> int:
        """How many of the lowest mantissa bits are stored and take no part in a product."""
        return 0 if self.precision is None else self.mantissa - self.precision

    def multiplied(self, code: int) -> float:
        """Return the number that a product takes for `code`: without the bits that are dropped."""
        stored = self.value(code)
        return stored if isnan(stored) else self.value(code >> self.dropped << self.dropped)

    def rounded(self, code: int) -> float:
        """Return the number of `code` rounded, ties to even, to the bits that are not dropped."""
        stored = self.value(code)
        if isnan(stored):
            return stored
        kept, rest = divmod(code, 1 << self.dropped)
        half = (1 << self.dropped) / 2
        up = rest > half or (0 < rest == half and kept % 2 == 1)
        return self.value((kept + up) << self.dropped)

    def subnormal(self, code: int) -> bool:
        """Tell whether `code` is a number below the normal ones, and not 0."""
        number = abs(self.value(code))
        return self.min_subnormal is not None and 0 < number < self.min_normal

    @property
    def nans(self) -> tuple[range, ...]:
        """The codes that are NaN."""
        sign = 1 << (self.bits - 1)
        match self.specials:
            case "ieee":
                first = (((1 << self.exponent) - 1) << self.mantissa) + 1
                return range(first, sign), range(sign + first, 2 * sign)
            case "nan":
                return range(sign - 1, sign), range(2 * sign - 1, 2 * sign)
            case "fnuz":
                return (range(sign, sign + 1),)
            case "scale":
                return (range(2 * sign - 1, 2 * sign),)
            case _:
                return ()

    @property
    def infinities(self) -> tuple[int, ...]:
        """The codes of plus and minus infinity, if there are any."""
        if self.specials != "ieee":
            return ()
        code = ((1 << self.exponent) - 1) << self.mantissa
        return code, code + (1 << (self.bits - 1))

    @property
    def max(self) -> float:
        """The largest number."""
        top = 1 << (self.bits - self.signed)
        no_numbers = (*(codes.start for codes in self.nans), *self.infinities, top)
        return self.value(min(no_numbers) - 1)

    @property
    def min_normal(self) -> float:
        """The smallest positive number with the full precision."""
        return self.value(0 if self.specials == "scale" else 1 << self.mantissa)

    @property
    def min_subnormal(self) -> float | None:
        """The smallest positive number of all, if there are numbers below the normal ones."""
        return self.value(1) if self.mantissa else None

    @property
    def negative_zero(self) -> bool:
        """Whether there is a -0."""
        return self.specials in ("ieee", "nan", "none")

    def numbers(self) -> Iterator[float]:
        """Yield the value of every code, in order; for narrow formats."""
        return (self.value(code) for code in range(1 << self.bits))


@dataclass(frozen=True, slots=True)
class Carrier:
    """The C type that carries elements in a builtin's call: `bits` wide, `vector` for several."""

    c_type: str
    bits: int
    vector: str
    note: str = ""

    def alias(self, count: int) -> str:
        """Return the name of the type of `count` of them: ``v4half``, or the scalar's own."""
        return self.c_type if count == 1 else f"v{count}{self.vector}"


@dataclass(frozen=True, slots=True)
class NumberFormat:
    """An element type: its width in bits, and the C type that usually carries it.

    `encoding` is None for integers, which are two's complement, and for the sparse index.
    """

    name: str
    title: str
    bits: int
    c_type: str
    c_bits: int
    vector: str
    note: str = ""
    encoding: Encoding | None = None

    @property
    def carrier(self) -> Carrier:
        """The C type that carries elements of this format where an instruction has no other."""
        return Carrier(self.c_type, self.c_bits, self.vector, self.note)

    def c_count(self, elements: int) -> int:
        """Return how many C elements carry `elements` elements of this format."""
        return elements * self.bits // self.c_bits

    def alias(self, elements: int) -> str:
        """Return the name of the C type that carries `elements` elements: ``v4half``."""
        return self.carrier.alias(self.c_count(elements))
