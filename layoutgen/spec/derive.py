"""What follows from an instruction's name and family: quantities, sizes of digits, layouts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from layoutgen.digits import Digit, Layout
from layoutgen.operand import REGISTER_BITS

if TYPE_CHECKING:
    from layoutgen.spec.mnemonic import Mnemonic
    from layoutgen.spec.schema import LayoutSpec
    from layoutgen.spec.schema_instructions import ArchitectureFile, FamilySpec


@dataclass(frozen=True, slots=True)
class Quantities:
    """The quantities of an operand that sizes of digits may name.

    `k_per_lane` counts what the operand stores along k: half of the k for a sparse A, groups of
    k for the index and for scales.  `sets` is how often a lane's share fits into one register.
    """

    blocks: int
    k_per_lane: int
    k_groups: int
    sets: int

    def size(self, size: int | str) -> int:
        """Return a size that is a number already, or the quantity that it names.

        A quantity that is not divided whole gives 0, which fits nothing.
        """
        if isinstance(size, int):
            return size
        quantity, _, divisor = size.partition("/")
        value, rest = divmod(int(getattr(self, quantity)), int(divisor or 1))
        return 0 if rest else value


@dataclass(frozen=True, slots=True)
class Shape:
    """Blocks and lane groups of an instruction, and what each operand stores along k."""

    blocks: int
    k_groups: int
    stored: Mapping[str, int]

    def quantities(self, operand: str, bits: int) -> Quantities:
        """Return the quantities of an operand with elements of `bits` bits."""
        per_lane = self.stored[operand] // self.k_groups
        sets = max(1, REGISTER_BITS // (bits * per_lane)) if per_lane else 1
        return Quantities(self.blocks, per_lane, self.k_groups, sets)


def shape(name: Mnemonic, family: FamilySpec, wave: int) -> Shape | None:
    """Return blocks = wave·e / (M·K of A) and what follows, or None where nothing fits whole."""
    stored_a, rest = divmod(name.k, family.compression)
    entries, rest_group = divmod(name.k, family.group)
    per_lane = family.elements_per_lane
    if rest or rest_group or not stored_a:
        return None
    blocks, rest_blocks = divmod(wave * per_lane, name.m * stored_a)
    groups, rest_k = divmod(stored_a, per_lane)
    if rest_blocks or rest_k or not blocks or any(n % groups for n in (name.k, entries)):
        return None
    stored = dict.fromkeys(("index", "scale_a", "scale_b"), entries)
    return Shape(blocks, groups, {"A": stored_a, "B": name.k, "C": name.k, "D": name.k, **stored})


def operands(family: FamilySpec) -> tuple[str, ...]:
    """Return the names of an instruction's operands."""
    return ("A", "B", "C", "D", *family.formats)


def plain_format(name: Mnemonic, family: FamilySpec, operand: str) -> str:
    """Return the name of an operand's element type, before the architecture's own."""
    if operand in "AB" and family.codes:
        return family.codes[0].format
    return {"A": name.a, "B": name.b, "C": name.d, "D": name.d, **family.formats}[operand]


def own_format(arch: ArchitectureFile, name: str) -> str:
    """Return the key of the element type that an architecture means by a name."""
    return arch.formats.get(name, name)


def layout_name(family: FamilySpec, operand: str, variant: str | None = None) -> str:
    """Return the name of an operand's layout in the tile file; C lies as D does."""
    chosen = variant or family.variants.get(operand)
    stem = "D" if operand == "C" else operand
    if operand == "C" and chosen is None:
        chosen = family.variants.get("D")
    return f"{stem}-{chosen}" if chosen else stem


def build_layout(spec: LayoutSpec, sizes: Quantities) -> Layout:
    """Return the layout of one operand with the instruction's own sizes put in."""
    digits = {name: Digit(name, sizes.size(size)) for name, size in spec.digits.items()}

    def take(names: tuple[str, ...]) -> tuple[Digit, ...]:
        return tuple(digits[name] for name in names)

    coordinates = tuple((name, take(cut)) for name, cut in spec.coordinates.items())
    return _shared(coordinates, take(spec.lane), take(spec.item), tuple(spec.holes))


@cache
def _shared(
    coordinates: tuple[tuple[str, tuple[Digit, ...]], ...],
    lane: tuple[Digit, ...],
    item: tuple[Digit, ...],
    holes: tuple[str, ...],
) -> Layout:
    """Return one layout for all operands that lie alike, so that its table is made once."""
    return Layout(dict(coordinates), lane, item, dict.fromkeys(holes, 0))
