"""What fields of the encoding do to operands on the way to the multiplier: one class for each.

:class:`Access` says all that can happen to an operand: the *lanes* that are read (one digit of
the lane number replaced, by a constant or by itself plus a constant), the value of the *hole*
digit of the item, the *format*, and the *sign*.  A specification names the actions by operand:
``A: broadcast``, ``B: lanes``, ``index: set``, ``scale_a: byte``, ``A: format``, ``A: negate``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

if TYPE_CHECKING:
    from layoutgen.expr import Expr


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


@dataclass(frozen=True, slots=True)
class Access:
    """How the multiplier reads an operand: lanes, value of the hole, code of the format, sign."""

    reroute: Reroute | None = None
    hole: int = 0
    code: int = 0
    negated: bool = False


AS_LAID_OUT = Access()


class Action(Protocol):
    """One thing that fields of the encoding do to operands."""

    @property
    def fields(self) -> tuple[str, ...]:
        """The fields that drive it."""

    def settings(self) -> Iterator[tuple[int, ...]]:
        """Yield every legal combination of values of the fields, all zero first."""

    @property
    def refuse(self) -> Callable[..., str | None]:
        """Return, for values of the fields, why they are not legal, or None."""

    @property
    def access(self) -> Callable[..., Access | None]:
        """Return, for an operand and legal values of the fields, how it is read, or None."""


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

NEGATION_BIT = {"A": 1, "B": 2, "C": 4}
FIELD_OF_FORMAT = {"A": "cbsz", "B": "blgp"}
FIELD_OF_BYTE = {"scale_a": "op_sel_a", "scale_b": "op_sel_b"}


@dataclass(frozen=True, slots=True)
class Broadcast:
    """cbsz, abid: 2^cbsz blocks of A share one, of `blocks` with `lanes` lanes each.

    Local reading of cbsz: block b is read from block ``2^cbsz·⌊b / 2^cbsz⌋ + abid``.
    """

    blocks: int
    lanes: int
    fields: ClassVar = ("cbsz", "abid")

    @property
    def sizes(self) -> range:
        """Legal values of cbsz."""
        return range(self.blocks.bit_length())

    def settings(self) -> Iterator[tuple[int, ...]]:
        """Yield every legal pair of cbsz and abid."""
        return ((cbsz, abid) for cbsz in self.sizes for abid in range(1 << cbsz))

    def refuse(self, cbsz: int, abid: int) -> str | None:
        """Return why cbsz or abid is not legal."""
        if self.blocks == 1 and (cbsz or abid):
            why = "the instruction has one block, so there is no other block of A to broadcast"
            return f"cbsz and abid must be 0: {why}"
        if cbsz not in self.sizes:
            return (
                f"cbsz {cbsz} is not in 0 to {self.sizes[-1]}: 2^cbsz blocks share one "
                f"block of A, and the instruction has {self.blocks} blocks"
            )
        last = (1 << cbsz) - 1
        if 0 <= abid <= last:
            return None
        allowed = f"in 0 to {last}" if last else "0"
        of = f"2^{cbsz} = {last + 1} blocks"
        return f"abid {abid} is not {allowed}: with cbsz {cbsz} it chooses one of {of}"

    def access(self, operand: str, cbsz: int, abid: int) -> Access | None:
        """Return which block of A is read."""
        if operand != "A" or not cbsz:
            return None
        return Access(Reroute(stride=self.lanes, size=1 << cbsz, value=abid))

    def global_reading(self, cbsz: int, abid: int) -> Reroute | None:
        """Return how A would be read under the global reading of cbsz, which we do not follow.

        Lane l reads lane ``l mod S + S·abid`` with ``S = wave / 2^cbsz``. Source: CDNA3 manual,
        7.1.5.1, and CDNA4 manual, 7.1.6.1.  Equal to the local reading where 2^cbsz is the
        block count.
        """
        if not cbsz:
            return None
        size = 1 << cbsz
        return Reroute(stride=self.lanes * self.blocks // size, size=size, value=abid)


@dataclass(frozen=True, slots=True)
class LanePattern:
    """blgp: which lane of B is read for each lane."""

    fields: ClassVar = ("blgp",)

    def settings(self) -> Iterator[tuple[int, ...]]:
        """Yield every legal code."""
        return ((code,) for code in range(len(BLGP_LANES)))

    def refuse(self, blgp: int) -> str | None:
        """Return why a code is not legal."""
        return _beyond("blgp", blgp, len(BLGP_LANES))

    def access(self, operand: str, blgp: int) -> Access | None:
        """Return which lanes of B are read."""
        return Access(BLGP_LANES[blgp]) if operand == "B" else None


@dataclass(frozen=True, slots=True)
class Negation:
    """neg: bit 0 changes the sign of A, bit 1 that of B, bit 2 that of C."""

    operands: tuple[str, ...]
    fields: ClassVar = ("neg",)

    def settings(self) -> Iterator[tuple[int, ...]]:
        """Yield every legal mask."""
        return ((mask,) for mask in range(8) if self.refuse(mask) is None)

    def refuse(self, neg: int) -> str | None:
        """Return why a mask is not legal."""
        if reason := _beyond("neg", neg, 8):
            return f"{reason}: bit 0 negates A, bit 1 B, bit 2 C"
        other = [o for o in NEGATION_BIT if neg & NEGATION_BIT[o] and o not in self.operands]
        return f"neg {neg}: the instruction cannot negate {other[0]}" if other else None

    def access(self, operand: str, neg: int) -> Access | None:
        """Return whether the sign of the operand is changed."""
        if operand not in self.operands or not neg & NEGATION_BIT[operand]:
            return None
        return Access(negated=True)


@dataclass(frozen=True, slots=True)
class FormatCode:
    """cbsz chooses the format of A, blgp that of B, by a code into `formats`, their names."""

    operand: str
    formats: tuple[str, ...]

    @property
    def fields(self) -> tuple[str, ...]:
        """The field that holds the code."""
        return (FIELD_OF_FORMAT[self.operand],)

    def settings(self) -> Iterator[tuple[int, ...]]:
        """Yield every legal code."""
        return ((code,) for code in range(len(self.formats)))

    def refuse(self, code: int) -> str | None:
        """Return why a code is not legal."""
        (field,) = self.fields
        if reason := _beyond(field, code, len(self.formats)):
            names = ", ".join(f"{n} {name}" for n, name in enumerate(self.formats))
            return f"{reason}, the format of {self.operand}: {names}"
        return None

    def access(self, operand: str, code: int) -> Access | None:
        """Return which format the operand has."""
        return Access(code=code) if operand == self.operand and code else None


@dataclass(frozen=True, slots=True)
class IndexSet:
    """cbsz, abid: with cbsz 0, abid chooses one of the `sets` in the index register, else set 0.

    Source: CDNA3 manual, 7.5, and CDNA4 manual, which read two bits of cbsz.  Where the register
    holds one set only, both fields are ignored, and must be 0 here.
    """

    sets: int
    fields: ClassVar = ("cbsz", "abid")
    FIRST_SET_ONLY: ClassVar = range(1, 4)

    def settings(self) -> Iterator[tuple[int, ...]]:
        """Yield every legal pair of cbsz and abid."""
        yield from product((0,), range(self.sets))
        if self.sets > 1:
            yield from product(self.FIRST_SET_ONLY, (0,))

    def refuse(self, cbsz: int, abid: int) -> str | None:
        """Return why cbsz or abid is not legal."""
        if self.sets == 1 and (cbsz or abid):
            return "cbsz and abid must be 0: the index register holds one set of indices only"
        if reason := _beyond("cbsz", cbsz, self.FIRST_SET_ONLY.stop):
            return f"{reason}: with 0 abid chooses the set of indices, else the first is taken"
        if cbsz and abid:
            return f"abid {abid} is not 0: with cbsz {cbsz} the first set of indices is taken"
        if reason := _beyond("abid", abid, self.sets):
            return f"{reason}: the index register holds {self.sets} sets of indices"
        return None

    def access(self, operand: str, cbsz: int, abid: int) -> Access | None:
        """Return which set of the index register is read."""
        return Access(hole=abid) if operand == "index" and not cbsz and abid else None


@dataclass(frozen=True, slots=True)
class ByteSelect:
    """op_sel: which of `bytes` bytes of the register of scales is read, the same in all lanes."""

    operand: str
    bytes: int

    @property
    def fields(self) -> tuple[str, ...]:
        """The field that chooses the byte."""
        return (FIELD_OF_BYTE[self.operand],)

    def settings(self) -> Iterator[tuple[int, ...]]:
        """Yield every byte."""
        return ((byte,) for byte in range(self.bytes))

    def refuse(self, byte: int) -> str | None:
        """Return why a byte is not legal."""
        reason = _beyond(self.fields[0], byte, self.bytes)
        return reason and f"{reason}: it is a byte of the register"

    def access(self, operand: str, byte: int) -> Access | None:
        """Return which byte is read."""
        return Access(hole=byte) if operand == self.operand and byte else None


def _beyond(field: str, value: int, count: int) -> str | None:
    if 0 <= value < count:
        return None
    return f"{field} {value} is not in 0 to {count - 1}"
