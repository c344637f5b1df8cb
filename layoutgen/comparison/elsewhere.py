"""Rules of matrix instructions on GPUs that are not specified here, to know them in a table.

Each is a layout written as in the specifications: digits with their sizes, least significant
first.  What they are taken from stands with each.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from layoutgen.digits import Digit, Layout

RDNA3 = "RDNA3 ISA manual, WMMA"
RDNA4 = "RDNA4 ISA manual, WMMA"
TRITON = "Triton, pull request 8174"


@dataclass(frozen=True)
class Rule:
    """Where `operands` lie of an instruction elsewhere: its name, the digits, and the source.

    A digit of `lane` that stands in no coordinate is one of copies.
    """

    name: str
    operands: str
    coordinates: Mapping[str, str]
    lane: str
    item: str
    source: str

    @cached_property
    def layout(self) -> Layout:
        """The digits as a layout, of one block."""
        sides = (*self.coordinates.values(), self.lane, self.item)
        sizes = dict(word.split(":") for text in sides for word in text.split() if ":" in word)

        def digits(text: str) -> tuple[Digit, ...]:
            names = (word.partition(":")[0] for word in text.split())
            return tuple(Digit(name, int(sizes[name])) for name in names)

        cut = {name: digits(text) for name, text in self.coordinates.items()}
        return Layout({"b": (), **cut}, digits(self.lane), digits(self.item))


def _accumulator(name: str, row: str, lane: str, source: str) -> Rule:
    return Rule(name, "CD", {"i": row, "j": "col:16"}, lane, "register", source)


def _factors(name: str, k: str, lane: str, item: str, source: str) -> tuple[Rule, Rule]:
    """Return the rules of A and of B, which are the same but for the names of coordinates."""
    return (
        Rule(name, "A", {"i": "line:16", "k": k}, lane, item, source),
        Rule(name, "B", {"k": k, "j": "line:16"}, lane, item, source),
    )


RULES = (
    _accumulator("gfx11 in wave32", "half:2 register:8", "col half", RDNA3),
    _accumulator("gfx11 in wave64", "quarter:4 register:4", "col quarter", RDNA3),
    _accumulator("gfx12 in wave32", "register:8 half:2", "col half", RDNA4),
    _accumulator("gfx12 in wave64", "register:4 upper:2 half:2", "col half upper", RDNA4),
    *_factors("gfx11 in wave32", "item:16", "line copy:2", "item", RDNA3),
    *_factors("gfx11 in wave64", "item:16", "line copy:4", "item", RDNA3),
    *_factors("gfx12 in wave32", "low:4 half:2 high:2", "line half", "low high", RDNA4),
    *_factors("gfx1250", "low:8 half:2 high:2", "line half", "low high", TRITON),
)
"""F32 and I32 tiles of 16×16; of A and B those of 16-bit types."""


def rules_of(operand: str, layout: Layout) -> list[Rule]:
    """Return the rules for an operand of this shape."""
    return [
        rule
        for rule in RULES
        if operand in rule.operands
        and rule.layout.shape == layout.shape
        and rule.layout.lanes <= layout.lanes
    ]
