"""What cbsz, abid and blgp do: legal values, and the lane that an operand is read from.

A modifier acts on the way from the register file to the multiplier: for every lane that the
layout names it tells the *source lane* that the multiplier reads instead.  All of them do the
same thing: they replace one digit of the lane number, either by a constant (a broadcast) or by
itself plus a constant (a rotation).  D is never affected.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, fields
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from layoutgen.expr import Expr


class IllegalModifier(ValueError):
    """A modifier value that the instruction does not take; the text gives the reason."""


@dataclass(frozen=True, slots=True)
class Modifiers:
    """Values of the modifier fields of one instruction; all zero is the plain instruction."""

    cbsz: int = 0
    abid: int = 0
    blgp: int = 0

    def as_dict(self) -> dict[str, int]:
        """Return the values by name."""
        return asdict(self)

    def __str__(self) -> str:
        """Return the fields that are set, as the assembler writes them: ``cbsz:1 abid:1``."""
        return " ".join(f"{name}:{value}" for name, value in asdict(self).items() if value)


NAMES = tuple(f.name for f in fields(Modifiers))


@dataclass(frozen=True, slots=True)
class Reroute:
    """The source lane has `value` as its digit of this stride and size, or its own plus `value`.

    Digit of lane l: ``⌊l / stride⌋ mod size``.
    """

    stride: int
    size: int
    value: int
    rotate: bool = False

    def lane(self, lane: Any) -> Any:
        """Return the lane that is read for `lane`, an int or an integer array."""
        digit = lane // self.stride % self.size
        wanted = (digit + self.value) % self.size if self.rotate else self.value
        return lane + (wanted - digit) * self.stride

    def readers(self, lane: int) -> list[int]:
        """Return the lanes for which `lane` is read, in ascending order."""
        digit = lane // self.stride % self.size
        base = lane - digit * self.stride
        if self.rotate:
            return [base + (digit - self.value) % self.size * self.stride]
        if digit != self.value:
            return []
        return [base + other * self.stride for other in range(self.size)]

    def expression(self, lane: Expr) -> Expr:
        """Return the source lane of the expression `lane`, simplified."""
        from layoutgen.expr import add, const, floordiv, mod, scale

        span = self.stride * self.size
        above = scale(floordiv(lane, span), span)
        if self.rotate:
            return add(above, mod(add(lane, const(self.value * self.stride)), span))
        return add(above, const(self.value * self.stride), mod(lane, self.stride))


# Lane patterns of B by blgp code. Source: AMD's matrix instruction calculator, and the encoding
# tables of the CDNA manuals, which agree. Codes 1 and 2 broadcast one half of the wavefront,
# 3 rotates by 16 lanes, 4 to 7 broadcast one group of 16 lanes.
BLGP_LANES: tuple[Reroute | None, ...] = (
    None,
    Reroute(stride=32, size=2, value=0),
    Reroute(stride=32, size=2, value=1),
    Reroute(stride=16, size=4, value=1, rotate=True),
    *(Reroute(stride=16, size=4, value=group) for group in range(4)),
)


@dataclass(frozen=True, slots=True)
class ModifierRules:
    """Which modifiers an instruction takes: `blocks` of `m` rows each, and whether blgp works."""

    blocks: int
    m: int
    blgp: bool = True

    @property
    def cbsz(self) -> range:
        """Legal values of cbsz: 2^cbsz blocks share one block of A."""
        return range(self.blocks.bit_length())

    def abid(self, cbsz: int) -> range:
        """Legal values of abid under `cbsz`: which of the 2^cbsz blocks is shared."""
        return range(1 << cbsz)

    @property
    def blgp_codes(self) -> range:
        """Legal values of blgp."""
        return range(len(BLGP_LANES) if self.blgp else 1)

    def combinations(self) -> Iterator[Modifiers]:
        """Yield every legal combination, the plain one first."""
        for cbsz in self.cbsz:
            for abid in self.abid(cbsz):
                for blgp in self.blgp_codes:
                    yield Modifiers(cbsz, abid, blgp)

    def legal(self) -> dict[str, list[int]]:
        """Return the legal values of every field, each taken by itself."""
        return {
            "cbsz": list(self.cbsz),
            "abid": list(self.abid(self.cbsz[-1])),
            "blgp": list(self.blgp_codes),
        }

    def check(self, given: Mapping[str, int]) -> Modifiers:
        """Return `given` as :class:`Modifiers`; raise :class:`IllegalModifier` with the reason."""
        for name in given:
            if name not in NAMES:
                raise IllegalModifier(f"no modifier {name!r}: this instruction has {_list(NAMES)}")
        wanted = Modifiers(**given)
        if self.blocks == 1 and (wanted.cbsz or wanted.abid):
            raise IllegalModifier(
                "cbsz and abid must be 0: the instruction has one block, so there is no other "
                "block of A to broadcast"
            )
        if wanted.cbsz not in self.cbsz:
            raise IllegalModifier(
                f"cbsz {wanted.cbsz} is not in 0 to {self.cbsz[-1]}: 2^cbsz blocks share one "
                f"block of A, and the instruction has {self.blocks} blocks"
            )
        if wanted.abid not in self.abid(wanted.cbsz):
            last = self.abid(wanted.cbsz)[-1]
            allowed = f"in 0 to {last}" if last else "0"
            raise IllegalModifier(
                f"abid {wanted.abid} is not {allowed}: with cbsz {wanted.cbsz} it chooses one of "
                f"2^{wanted.cbsz} = {last + 1} blocks"
            )
        if wanted.blgp not in self.blgp_codes:
            last = self.blgp_codes[-1]
            allowed = f"in 0 to {last}" if last else "0: the instruction has no lane patterns"
            raise IllegalModifier(f"blgp {wanted.blgp} is not {allowed}")
        return wanted

    def reroute(self, operand: str, modifiers: Modifiers) -> Reroute | None:
        """Return how the lanes of `operand` are read under `modifiers`; None means as laid out.

        Local reading of cbsz: block b of A is read from block
        ``2^cbsz·⌊b / 2^cbsz⌋ + abid``.
        """
        if operand == "A" and modifiers.cbsz:
            return Reroute(stride=self.m, size=1 << modifiers.cbsz, value=modifiers.abid)
        if operand == "B":
            return BLGP_LANES[modifiers.blgp]
        return None

    def global_reading(self, modifiers: Modifiers) -> Reroute | None:
        """Return how A would be read under the global reading of cbsz, which we do not follow.

        Lane l reads lane ``l mod S + S·abid`` with ``S = wave / 2^cbsz``. Source: CDNA3 manual,
        7.1.5.1, and CDNA4 manual, 7.1.6.1.  Equal to the local reading where 2^cbsz is the
        block count.
        """
        if not modifiers.cbsz:
            return None
        size = 1 << modifiers.cbsz
        return Reroute(stride=self.m * self.blocks // size, size=size, value=modifiers.abid)

    def readings_differ(self, modifiers: Modifiers) -> bool:
        """Tell whether the local and the global reading of cbsz read different lanes."""
        return self.reroute("A", modifiers) != self.global_reading(modifiers)


def _list(names: tuple[str, ...]) -> str:
    return f"{', '.join(names[:-1])} and {names[-1]}"
