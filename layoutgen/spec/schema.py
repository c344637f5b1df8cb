"""The shape of specification files, as frozen dataclasses: one class for each kind of file.

What kind a file is, its first key says: `tile`, `architecture`, `formats`, `sources` or
`disagreements`.  :mod:`layoutgen.spec.validate` has pydantic check data against these classes
and make a JSON Schema of them; the classes themselves need neither pydantic nor YAML, so that
checked data is read back fast.  Checks of several fields stand in :mod:`layoutgen.spec.checks`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal, TypeAlias


class Limits:
    """Conditions on a value, by the names that ``pydantic.Field`` has for them."""

    def __init__(self, **conditions: Any) -> None:
        """Keep the conditions."""
        self.conditions = conditions

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> Any:
        """Tell pydantic the conditions."""
        from pydantic import Field

        return handler.generate_schema(Annotated[source, Field(**self.conditions)])


class About:
    """The description of a field."""

    def __init__(self, text: str) -> None:
        """Keep the text."""
        self.text = text

    def __get_pydantic_json_schema__(self, core_schema: Any, handler: Any) -> Any:
        """Put the description beside what the JSON Schema says of the type."""
        return {**handler(core_schema), "description": self.text}


PATTERNS = {
    r"^[a-z_][a-z0-9_-]{0,63}$": "a name of small letters, digits, - and _, at most 64 long",
    r"^[1-9][0-9]{0,2}x[1-9][0-9]{0,2}$": "rows and columns, such as 32x32",
    r"^https://[^\s<>\"]+$": "an address that begins with https://",
}
"""Patterns of texts, and how to say them."""

_NAME, _SHAPE, _ADDRESS = PATTERNS

Name: TypeAlias = Annotated[str, Limits(pattern=_NAME)]
Shape: TypeAlias = Annotated[str, Limits(pattern=_SHAPE)]
Address: TypeAlias = Annotated[str, Limits(pattern=_ADDRESS)]
Text: TypeAlias = Annotated[str, Limits(pattern=r"\S")]
Count: TypeAlias = Annotated[int, Limits(ge=1, le=1_000_000)]
CountOrZero: TypeAlias = Annotated[int, Limits(ge=0, le=1_000_000)]
Bits: TypeAlias = Annotated[int, Limits(ge=1, le=1024)]
Clock: TypeAlias = Annotated[float, Limits(gt=0, le=1000)]
Quantity: TypeAlias = Literal["blocks", "k_per_lane", "k_groups"]
Size: TypeAlias = Annotated[int, Limits(ge=1, le=1024)] | Quantity
Grade: TypeAlias = Literal["run on silicon", "used by a compiler", "document only"]
RegisterFile: TypeAlias = Literal["v", "a"]
RegisterFileNames: TypeAlias = Annotated[tuple[RegisterFile, ...], Limits(min_length=1)]
Digits: TypeAlias = tuple[Name, ...]
Names: TypeAlias = tuple[Name, ...]


class Record:
    """Base of all mappings with fixed fields: no unknown fields, no silent conversions.

    Equality and representation stand here once: to generate them for every class would take a
    tenth of the time in which a question in the terminal is answered.
    """

    __pydantic_config__: ClassVar[dict[str, Any]] = {"strict": True, "extra": "forbid"}

    def __eq__(self, other: object) -> bool:
        """Tell whether both are of one class and have equal fields."""
        return type(self) is type(other) and vars(self) == vars(other)

    def __repr__(self) -> str:
        """Return the class and its fields."""
        fields = ", ".join(f"{name}={value!r}" for name, value in vars(self).items())
        return f"{type(self).__name__}({fields})"


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class LayoutSpec(Record):
    """The digits of one operand, and how well they are known."""

    digits: Annotated[dict[Name, Size], About("Each digit and how many values it takes.")]
    b: Annotated[Digits, About("Digits of the block, least significant first.")]
    lane: Annotated[Digits, About("Digits of the lane, least significant first.")]
    item: Annotated[Digits, About("Digits of the position among a lane's elements.")]
    grade: Annotated[Grade, About("How well the layout is known.")]
    by: Annotated[Text, About("Who vouches for the grade.")]
    sources: Annotated[Names, Limits(min_length=1)]

    @property
    def coordinates(self) -> dict[str, Digits]:
        """Digits of each coordinate, in the order of the table's columns."""
        return {name: getattr(self, name) for name in ("b", "i", "k", "j") if hasattr(self, name)}


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class LayoutA(LayoutSpec):
    """The digits of A, which has rows and k."""

    i: Annotated[Digits, About("Digits of the row, least significant first.")]
    k: Annotated[Digits, About("Digits of the reduction index, least significant first.")]


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class LayoutB(LayoutSpec):
    """The digits of B, which has k and columns."""

    k: Annotated[Digits, About("Digits of the reduction index, least significant first.")]
    j: Annotated[Digits, About("Digits of the column, least significant first.")]


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class LayoutD(LayoutSpec):
    """The digits of D and C, which have rows and columns."""

    i: Annotated[Digits, About("Digits of the row, least significant first.")]
    j: Annotated[Digits, About("Digits of the column, least significant first.")]


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Layouts(Record):
    """The operands of a tile; C lies as D does."""

    A: LayoutA
    B: LayoutB
    D: LayoutD

    def __getitem__(self, operand: str) -> LayoutSpec:
        """Return the layout of an operand by its name."""
        found: LayoutSpec = getattr(self, "D" if operand == "C" else operand)
        return found


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class TileFile(Record):
    """A tile shape: the layout of every operand."""

    kind: ClassVar[str] = "tile"
    tile: Annotated[Shape, About("Rows and columns of the tile: 32x32.")]
    layouts: Annotated[Layouts, About("The layout of A, B and D (C lies as D does).")]

    @property
    def names(self) -> tuple[str, ...]:
        """The tile shape that it defines."""
        return (self.tile,)


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class FormatSpec(Record):
    """An element type."""

    title: Annotated[Text, About("The name that people read.")]
    bits: Annotated[Bits, About("Width of an element in bits.")]
    c_type: Annotated[Text, About("C type that carries it in a builtin's call.")]
    c_bits: Annotated[Bits, About("Width of that C type in bits.")]
    vector: Annotated[Name, About("Stem of the vector type's name: half for v4half.")]
    note: Annotated[str, About("A remark for the list of register types.")] = ""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class FormatsFile(Record):
    """Element types by the name that mnemonics have for them."""

    kind: ClassVar[str] = "formats"
    formats: dict[Name, FormatSpec]

    @property
    def names(self) -> tuple[str, ...]:
        """The formats that it defines."""
        return tuple(self.formats)


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class SourceSpec(Record):
    """A document or program that facts were taken from."""

    title: Text
    url: Address | None = None


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class SourcesFile(Record):
    """Documents and programs by the key that other files cite."""

    kind: ClassVar[str] = "sources"
    sources: dict[Name, SourceSpec]

    @property
    def names(self) -> tuple[str, ...]:
        """The sources that it defines."""
        return tuple(self.sources)


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class ReadingSpec(Record):
    """One side of a disagreement."""

    name: Annotated[Name, About("A short name, for `followed`.")]
    claim: Annotated[Text, About("What is claimed.")]
    who: Annotated[Text, About("Who says so.")]


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class DisagreementSpec(Record):
    """A place where sources differ."""

    title: Text
    question: Text
    readings: Annotated[tuple[ReadingSpec, ...], Limits(min_length=2)]
    followed: Annotated[Name, About("Name of the reading that the layouts follow.")]
    settled_by: Annotated[Text, About("What would settle it.")]


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class DisagreementsFile(Record):
    """Places where sources differ, by the key that architectures cite."""

    kind: ClassVar[str] = "disagreements"
    disagreements: dict[Name, DisagreementSpec]

    @property
    def names(self) -> tuple[str, ...]:
        """The disagreements that it defines."""
        return tuple(self.disagreements)


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class GpuSpec(Record):
    """A product, for its peak rate."""

    name: Text
    compute_units: Count
    clock_ghz: Annotated[Clock, About("Peak engine clock in GHz.")]


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class RegisterFiles(Record):
    """Register files that each operand may lie in: v is archVGPR, a is accVGPR."""

    A: RegisterFileNames
    B: RegisterFileNames
    C: RegisterFileNames
    D: RegisterFileNames


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class InstructionSpec(Record):
    """What the mnemonic does not say.  Derived quantities may be stated; they are checked."""

    cycles: Annotated[Count, About("Issue to issue, on one matrix core.")]
    coexec: Annotated[CountOrZero, About("Cycles that VALU work may overlap.")]
    elements_per_lane: Annotated[
        Count | None, About("Elements of A in a lane, where the type's default does not hold.")
    ] = None
    targets: Annotated[
        Names | None, About("Targets that have it, where the default does not hold.")
    ] = None
    blocks: Annotated[Count | None, About("Check: number of blocks.")] = None
    ops: Annotated[Count | None, About("Check: operations.")] = None
    passes: Annotated[Count | None, About("Check: passes of four cycles.")] = None
    registers: Annotated[
        dict[Literal["A", "B", "C", "D"], Count] | None,
        About("Check: 32-bit registers of each operand in a lane."),
    ] = None


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class ArchitectureFile(Record):
    """An architecture and its matrix instructions."""

    kind: ClassVar[str] = "architecture"
    architecture: Annotated[Name, About("The name of the target: gfx908.")]
    aliases: Annotated[Names, About("Other names by which it is found.")] = ()
    title: Annotated[Text, About("Name of the architecture: CDNA.")]
    series: Annotated[Text, About("The products that have it: MI100.")]
    wave: Annotated[Literal[64], About("Lanes of a wavefront.")]
    matrix_cores_per_cu: Count
    register_files: RegisterFiles
    elements_per_lane: Annotated[
        dict[Name, Count],
        About("Elements of A, and of B, that a lane holds, by element type."),
    ]
    targets: Annotated[Names, About("Targets that have an instruction by default.")]
    renamed_from: Annotated[
        Name | None,
        About("First target on which LLVM writes the block count in the mnemonic."),
    ] = None
    gpus: tuple[GpuSpec, ...] = ()
    sources: Annotated[Names, About("Keys of the sources of this file's facts.")] = ()
    disagreements: Annotated[Names, About("Keys of the disagreements that concern it.")] = ()
    instructions: Annotated[dict[Name, InstructionSpec], Limits(min_length=1)]

    @property
    def names(self) -> tuple[str, ...]:
        """The architecture and its aliases."""
        return (self.architecture, *self.aliases)


File: TypeAlias = TileFile | ArchitectureFile | FormatsFile | SourcesFile | DisagreementsFile

KINDS: dict[str, type[File]] = {
    shape.kind: shape
    for shape in (TileFile, ArchitectureFile, FormatsFile, SourcesFile, DisagreementsFile)
}
"""Kinds of files: the first key, and the shape."""
