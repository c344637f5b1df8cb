"""The shape of specification files, as frozen pydantic models: one model for each kind of file.

What kind a file is, its first key says: `tile`, `architecture`, `formats`, `sources` or
`disagreements`.  Checks that need more than one field stand in :mod:`layoutgen.spec.checks`.
"""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, PositiveInt, StringConstraints

Name: TypeAlias = Annotated[str, StringConstraints(pattern=r"^[a-z_][a-z0-9_-]*$")]
Text: TypeAlias = Annotated[str, StringConstraints(min_length=1, strip_whitespace=True)]
Coordinate: TypeAlias = Literal["b", "i", "j", "k"]
Quantity: TypeAlias = Literal["blocks", "k_per_lane", "k_groups"]
Size: TypeAlias = PositiveInt | Quantity
Grade: TypeAlias = Literal["run on silicon", "used by a compiler", "document only"]
RegisterFile: TypeAlias = Literal["v", "a"]
Digits: TypeAlias = tuple[Name, ...]


class Strict(BaseModel):
    """Frozen; no unknown fields, no silent conversions."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class LayoutSpec(Strict):
    """The digits of one operand, and how well they are known."""

    digits: dict[Name, Size] = Field(description="Each digit and how many values it takes.")
    b: Digits = Field(description="Digits of the block, least significant first.")
    i: Digits | None = Field(None, description="Digits of the row.")
    j: Digits | None = Field(None, description="Digits of the column.")
    k: Digits | None = Field(None, description="Digits of the reduction index.")
    lane: Digits = Field(description="Digits of the lane.")
    item: Digits = Field(description="Digits of the position among a lane's elements.")
    grade: Grade = Field(description="How well the layout is known.")
    by: Text = Field(description="Who vouches for the grade.")
    sources: tuple[Name, ...] = Field(min_length=1, description="Keys of the sources file.")


class TileFile(Strict):
    """The operands of one tile shape."""

    tile: Annotated[str, StringConstraints(pattern=r"^[1-9][0-9]*x[1-9][0-9]*$")] = Field(
        description="Rows and columns of the tile: 32x32."
    )
    layouts: dict[Literal["A", "B", "D"], LayoutSpec] = Field(
        description="A, B and D (C lies as D does)."
    )


class FormatSpec(Strict):
    """An element type."""

    title: Text = Field(description="The name that people read.")
    bits: PositiveInt = Field(description="Width of an element in bits.")
    c_type: Text = Field(description="C type that carries it in a builtin's call.")
    c_bits: PositiveInt = Field(description="Width of that C type in bits.")
    vector: Name = Field(description="Stem of the vector type's name: half for v4half.")
    note: str = Field("", description="A remark for the list of register types.")


class FormatsFile(Strict):
    """Element types by name."""

    formats: dict[Name, FormatSpec]


class SourceSpec(Strict):
    """A document or program."""

    title: Text
    url: Annotated[str, StringConstraints(pattern=r"^https://")] | None = None


class SourcesFile(Strict):
    """Sources by key."""

    sources: dict[Name, SourceSpec]


class ReadingSpec(Strict):
    """One side of a disagreement."""

    claim: Text
    who: Text


class DisagreementSpec(Strict):
    """A place where sources differ."""

    title: Text
    question: Text
    readings: tuple[ReadingSpec, ...] = Field(min_length=2)
    followed: Name
    settled_by: Text


class DisagreementsFile(Strict):
    """Disagreements by key."""

    disagreements: dict[Name, DisagreementSpec]


class GpuSpec(Strict):
    """A product, for its peak rate."""

    name: Text
    compute_units: PositiveInt
    clock_ghz: Annotated[float, Field(gt=0)] = Field(description="Peak engine clock in GHz.")


class RegisterFiles(Strict):
    """Register files that each operand may lie in: v is archVGPR, a is accVGPR."""

    A: tuple[RegisterFile, ...] = Field(min_length=1)
    B: tuple[RegisterFile, ...] = Field(min_length=1)
    C: tuple[RegisterFile, ...] = Field(min_length=1)
    D: tuple[RegisterFile, ...] = Field(min_length=1)


class InstructionSpec(Strict):
    """What the mnemonic does not say.  Derived quantities may be stated; they are checked."""

    cycles: PositiveInt = Field(description="Issue to issue, on one matrix core.")
    coexec: Annotated[int, Field(ge=0)] = Field(description="Cycles that VALU work may overlap.")
    elements_per_lane: PositiveInt | None = Field(
        None, description="Elements of A in a lane, where the type's default does not hold."
    )
    targets: tuple[Name, ...] | None = Field(
        None, description="Targets that have the instruction, where the default does not hold."
    )
    blocks: PositiveInt | None = Field(None, description="Check: number of blocks.")
    ops: PositiveInt | None = Field(None, description="Check: operations.")
    passes: PositiveInt | None = Field(None, description="Check: passes of four cycles.")
    registers: dict[Literal["A", "B", "C", "D"], PositiveInt] | None = Field(
        None, description="Check: 32-bit registers of each operand in a lane."
    )


class ArchitectureFile(Strict):
    """One architecture and its matrix instructions."""

    architecture: Name
    aliases: tuple[Name, ...] = ()
    title: Text
    series: Text
    wave: Literal[64] = Field(description="Lanes of a wavefront.")
    matrix_cores_per_cu: PositiveInt
    register_files: RegisterFiles
    elements_per_lane: dict[Name, PositiveInt] = Field(
        description="Elements of A, and of B, that a lane holds, by element type."
    )
    targets: tuple[Name, ...] = Field(description="Targets that have an instruction by default.")
    renamed_from: Name | None = Field(
        None, description="First target on which LLVM writes the block count in the mnemonic."
    )
    gpus: tuple[GpuSpec, ...] = ()
    sources: tuple[Name, ...] = ()
    disagreements: tuple[Name, ...] = ()
    instructions: dict[Name, InstructionSpec] = Field(min_length=1)


KINDS: dict[str, type[Strict]] = {
    "tile": TileFile,
    "architecture": ArchitectureFile,
    "formats": FormatsFile,
    "sources": SourcesFile,
    "disagreements": DisagreementsFile,
}
