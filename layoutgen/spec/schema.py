"""The shape of specification files, as frozen dataclasses: one class for each kind of file.

What kind a file is, its first key says: `tile`, `families`, `architecture`, `formats`, `sources`
or `disagreements`.  :mod:`layoutgen.spec.validate` has pydantic check data against these classes
and make a JSON Schema of them; the classes themselves need neither pydantic nor YAML, so that
checked data is read back fast.  Checks of several fields stand in :mod:`layoutgen.spec.checks`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal, TypeAlias

from layoutgen.spec.fields import (
    About,
    Address,
    Bits,
    Count,
    CountOrZero,
    Digits,
    LayoutName,
    Limits,
    Name,
    Names,
    Record,
    Shape,
    Size,
    Text,
)
from layoutgen.spec.schema_instructions import ArchitectureFile, FamiliesFile

COORDINATES = {
    "A": ("b", "i", "k"),
    "B": ("b", "k", "j"),
    "D": ("b", "i", "j"),
    "index": ("b", "i", "group"),
    "scale_a": ("b", "i", "group"),
    "scale_b": ("b", "group", "j"),
}
"""The coordinates of each operand, in the order of the table's columns; C lies as D does."""


@dataclass(kw_only=True, eq=False, repr=False)
class LayoutSpec(Record):
    """The digits of one operand: those of its coordinates, and the same again in lane and item."""

    digits: Annotated[dict[Name, Size], About("Each digit and how many values it takes.")]
    b: Annotated[Digits, About("Digits of the block, least significant first.")]
    i: Annotated[Digits | None, About("Digits of the row.")] = None
    k: Annotated[Digits | None, About("Digits of the reduction index, as it is stored.")] = None
    group: Annotated[
        Digits | None, About("Digits of the group of k that shares an index entry or a scale.")
    ] = None
    j: Annotated[Digits | None, About("Digits of the column.")] = None
    lane: Annotated[Digits, About("Digits of the lane, least significant first.")]
    item: Annotated[Digits, About("Digits of the position among a lane's elements.")]
    holes: Annotated[Digits, About("Digits of the item that a modifier fixes to a value.")] = ()

    @property
    def coordinates(self) -> dict[str, Digits]:
        """Digits of each coordinate that is there, in the order of the table's columns."""
        given = {name: getattr(self, name) for name in ("b", "i", "k", "group", "j")}
        return {name: digits for name, digits in given.items() if digits is not None}


@dataclass(kw_only=True, eq=False, repr=False)
class TileFile(Record):
    """A tile shape: the layout of every operand, and variants of it; C lies as D does."""

    kind: ClassVar[str] = "tile"
    tile: Annotated[Shape, About("Rows and columns of the tile: 32x32.")]
    layouts: Annotated[
        dict[LayoutName, LayoutSpec],
        About("Layouts by operand; a variant has a name after the operand's: B-chunks8."),
    ]

    @property
    def names(self) -> tuple[str, ...]:
        """The tile shape that it defines."""
        return (self.tile,)


@dataclass(kw_only=True, eq=False, repr=False)
class EncodingSpec(Record):
    """What the bits of a floating-point number mean, sign, exponent and mantissa."""

    exponent: Annotated[CountOrZero, About("Bits of the exponent.")]
    mantissa: Annotated[CountOrZero, About("Bits of the mantissa.")]
    bias: CountOrZero
    specials: Annotated[
        Literal["ieee", "nan", "fnuz", "none", "scale"],
        About(
            "Codes that are no numbers. ieee: the largest exponent; nan: the largest code; "
            "fnuz: negative zero is the only NaN; none: there are none; scale: unsigned powers "
            "of two, the largest code is NaN."
        ),
    ]
    precision: Annotated[
        Count | None, About("Mantissa bits that take part in a product, if fewer than stored.")
    ] = None


@dataclass(kw_only=True, eq=False, repr=False)
class FormatSpec(Record):
    """An element type."""

    title: Annotated[Text, About("The name that people read.")]
    bits: Annotated[Bits, About("Width of an element in bits.")]
    c_type: Annotated[Text, About("C type that carries it in a builtin's call.")]
    c_bits: Annotated[Bits, About("Width of that C type in bits.")]
    vector: Annotated[Name, About("Stem of the vector type's name: half for v4half.")]
    note: Annotated[str, About("A remark for the list of register types.")] = ""
    encoding: Annotated[
        EncodingSpec | None, About("What the bits mean, unless it is an integer.")
    ] = None


@dataclass(kw_only=True, eq=False, repr=False)
class FormatsFile(Record):
    """Element types by the name that mnemonics have for them."""

    kind: ClassVar[str] = "formats"
    formats: dict[Name, FormatSpec]

    @property
    def names(self) -> tuple[str, ...]:
        """The formats that it defines."""
        return tuple(self.formats)


@dataclass(kw_only=True, eq=False, repr=False)
class SourceSpec(Record):
    """A document or program that facts were taken from."""

    title: Text
    url: Address | None = None


@dataclass(kw_only=True, eq=False, repr=False)
class SourcesFile(Record):
    """Documents and programs by the key that other files cite."""

    kind: ClassVar[str] = "sources"
    sources: dict[Name, SourceSpec]

    @property
    def names(self) -> tuple[str, ...]:
        """The sources that it defines."""
        return tuple(self.sources)


@dataclass(kw_only=True, eq=False, repr=False)
class ReadingSpec(Record):
    """One side of a disagreement."""

    name: Annotated[Name, About("A short name, for `followed`.")]
    claim: Annotated[Text, About("What is claimed.")]
    who: Annotated[Text, About("Who says so.")]


@dataclass(kw_only=True, eq=False, repr=False)
class DisagreementSpec(Record):
    """A place where sources differ."""

    about: Annotated[
        Literal["layouts", "numbers", "wait states"], About("Which pages tell it beside others.")
    ] = "layouts"
    title: Text
    question: Text
    readings: Annotated[tuple[ReadingSpec, ...], Limits(min_length=2)]
    followed: Annotated[Name, About("Name of the reading that the layouts follow.")]
    settled_by: Annotated[Text, About("What would settle it.")]
    instructions: Annotated[
        Names, About("Instructions that it is about; none: whatever it applies to.")
    ] = ()


@dataclass(kw_only=True, eq=False, repr=False)
class DisagreementsFile(Record):
    """Places where sources differ, by the key that architectures cite."""

    kind: ClassVar[str] = "disagreements"
    disagreements: dict[Name, DisagreementSpec]

    @property
    def names(self) -> tuple[str, ...]:
        """The disagreements that it defines."""
        return tuple(self.disagreements)


File: TypeAlias = (
    TileFile | FamiliesFile | ArchitectureFile | FormatsFile | SourcesFile | DisagreementsFile
)

KINDS: dict[str, type[File]] = {
    shape.kind: shape
    for shape in (
        TileFile,
        FamiliesFile,
        ArchitectureFile,
        FormatsFile,
        SourcesFile,
        DisagreementsFile,
    )
}
"""Kinds of files: the first key, and the shape."""
