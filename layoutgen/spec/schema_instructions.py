"""The shape of files about instructions: families of them, and the architectures that have them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, ClassVar, Literal, TypeAlias

from layoutgen.spec.fields import (
    About,
    Action,
    Argument,
    Bits,
    Clock,
    Count,
    CountOrZero,
    Extra,
    Grade,
    Limits,
    Name,
    Names,
    Opcode,
    Operand,
    Record,
    RegisterFileNames,
    Source,
    Text,
    Variant,
)


@dataclass(kw_only=True, eq=False, repr=False)
class GpuSpec(Record):
    """A product, for its peak rate."""

    name: Text
    compute_units: Count
    clock_ghz: Annotated[Clock, About("Peak engine clock in GHz.")]


@dataclass(kw_only=True, eq=False, repr=False)
class RegisterFiles(Record):
    """Register files that each operand may lie in: v is archVGPR, a is accVGPR."""

    A: RegisterFileNames
    B: RegisterFileNames
    C: RegisterFileNames
    D: RegisterFileNames
    index: RegisterFileNames = ("v",)
    scale_a: RegisterFileNames = ("v",)
    scale_b: RegisterFileNames = ("v",)


@dataclass(kw_only=True, eq=False, repr=False)
class CarrierSpec(Record):
    """A C type that carries elements of A and B in a builtin's call."""

    c_type: Annotated[Text, About("The type: long long.")]
    bits: Annotated[Bits, About("Its width in bits.")]
    vector: Annotated[Name, About("Stem of the vector type's name.")]
    note: Annotated[str, About("A remark for the list of register types.")] = ""


@dataclass(kw_only=True, eq=False, repr=False)
class CodeSpec(Record):
    """A format that a modifier can choose; its code is its place in the list."""

    format: Annotated[Name, About("The element type.")]
    variant: Annotated[Variant | None, About("Variant of the layouts of A and B.")] = None


@dataclass(kw_only=True, eq=False, repr=False)
class FamilySpec(Record):
    """Instructions that differ in shape and types only, and what their names do not say."""

    elements_per_lane: Annotated[Count, About("Elements of A that a lane holds.")]
    instructions: Annotated[
        Names, Limits(min_length=1), About("What builtin and mnemonic share, without v_.")
    ]
    arguments: Annotated[
        tuple[Argument, ...], About("Of the builtin's call, in order; none: there is no builtin.")
    ] = ("A", "B", "C", "cbsz", "abid", "blgp")
    modifiers: Annotated[
        dict[Source, Action],
        About("What fields of the encoding can do to an operand; an architecture may differ."),
    ]
    variants: Annotated[
        dict[Operand, Variant], About("Variants of the layouts, where not the plain one.")
    ] = field(default_factory=dict)
    formats: Annotated[
        dict[Extra, Name],
        About("Element types of operands that the name does not tell; these are its operands."),
    ] = field(default_factory=dict)
    codes: Annotated[
        tuple[CodeSpec, ...], About("Formats of A and B that modifiers choose, by code.")
    ] = ()
    compression: Annotated[Count, About("Of so many k, A stores one.")] = 1
    group: Annotated[Count, About("So many k share an entry of the index, or a scale.")] = 1
    carrier: Annotated[
        CarrierSpec | None, About("C type for A and B, where it is not the format's own.")
    ] = None


@dataclass(kw_only=True, eq=False, repr=False)
class FamiliesFile(Record):
    """Families of instructions: one description for all architectures."""

    kind: ClassVar[str] = "families"
    families: dict[Name, FamilySpec]

    @property
    def names(self) -> tuple[str, ...]:
        """The families that it defines."""
        return tuple(self.families)


@dataclass(kw_only=True, eq=False, repr=False)
class EvidenceSpec(Record):
    """How well layouts are known, and to which of them that applies."""

    grade: Annotated[Grade, About("How well the layouts are known.")]
    by: Annotated[Text, About("Who vouches for the grade.")]
    sources: Annotated[Names, Limits(min_length=1)]
    families: Annotated[Names, About("Families that it is about; none: all.")] = ()
    operands: Annotated[tuple[Operand, ...], About("Operands that it is about; none: all.")] = ()


@dataclass(kw_only=True, eq=False, repr=False)
class HazardSpec(Record):
    """Wait states between two instructions."""

    first: Annotated[Text, About("The first instruction.")]
    then: Annotated[Text, About("What the second one does.")]
    wait: Annotated[
        tuple[CountOrZero, ...],
        Limits(min_length=1),
        About("Wait states; with `passes`, one number for each."),
    ]
    passes: Annotated[
        tuple[Count, ...], About("Passes of the first instruction that the numbers are for.")
    ] = ()


Subnormals: TypeAlias = Literal["kept", "flushed", "as MODE says"]
"""What becomes of a number below the smallest normal one."""


@dataclass(kw_only=True, eq=False, repr=False)
class ArithmeticSpec(Record):
    """What instructions on some formats do with subnormal numbers, and how they round."""

    formats: Annotated[Names, Limits(min_length=1), About("Formats of A and B.")]
    inputs: Annotated[Subnormals, About("Subnormal elements of A and B.")]
    results: Annotated[Subnormals, About("Subnormal elements of C and D.")]
    rounding: Annotated[Literal["nearest even", "as MODE says"], About("How D is rounded.")]
    grade: Annotated[Grade, About("How well it is known.")]
    by: Annotated[Text, About("Who vouches for the grade.")]
    sources: Annotated[Names, Limits(min_length=1)]


@dataclass(kw_only=True, eq=False, repr=False)
class NarrowSpec(Record):
    """Cycles where no element of A or B is wide."""

    bits: Annotated[Bits, About("The widest element.")]
    cycles: Count


@dataclass(kw_only=True, eq=False, repr=False)
class InstructionSpec(Record):
    """What differs between architectures.  Derived quantities may be stated; they are checked."""

    cycles: Annotated[Count, About("Issue to issue, on one matrix core.")]
    coexec: Annotated[
        CountOrZero | None, About("Cycles that VALU work may overlap, if that is published.")
    ] = None
    opcode: Annotated[
        Opcode | None, About("Number of the operation in the encoding VOP3P-MAI (LLVM).")
    ] = None
    narrow: Annotated[NarrowSpec | None, About("Fewer cycles with narrow elements.")] = None
    modifiers: Annotated[
        dict[Source, Action] | None,
        About("What fields can do to an operand here, where the family's does not hold."),
    ] = None
    blocks: Annotated[Count | None, About("Check: number of blocks.")] = None
    ops: Annotated[Count | None, About("Check: operations.")] = None
    passes: Annotated[Count | None, About("Check: passes of four cycles.")] = None
    registers: Annotated[
        dict[Operand, Count] | None,
        About("Check: 32-bit registers of each operand in a lane."),
    ] = None


@dataclass(kw_only=True, eq=False, repr=False)
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
    spelling: Annotated[
        Literal["older", "newer"],
        About("How mnemonics are spelt: v_mfma_f32_32x32x1f32, or v_mfma_f32_32x32x1_2b_f32."),
    ] = "older"
    register_alignment: Annotated[
        Count, About("Operands of several registers begin at a multiple of it.")
    ] = 1
    unified_registers: Annotated[bool, About("archVGPRs and accVGPRs are one register file.")] = (
        False
    )
    exec_ignored: Annotated[
        bool, About("A source says that lanes which EXEC turns off take part all the same.")
    ] = False
    overflow: Annotated[
        Literal["clamp by FP16_OVFL"] | None, About("What becomes of results that are too large.")
    ] = None
    formats: Annotated[
        dict[Name, Name],
        About("Element types that are different here from those that the name stands for."),
    ] = field(default_factory=dict)
    gpus: tuple[GpuSpec, ...] = ()
    evidence: Annotated[
        tuple[EvidenceSpec, ...],
        Limits(min_length=1),
        About("How well layouts are known; of those that apply, the last one holds."),
    ]
    arithmetic: Annotated[
        tuple[ArithmeticSpec, ...], About("Subnormal numbers and rounding, by format.")
    ] = ()
    hazards: tuple[HazardSpec, ...] = ()
    sources: Annotated[Names, About("Keys of the sources of this file's facts.")] = ()
    disagreements: Annotated[Names, About("Keys of the disagreements that concern it.")] = ()
    instructions: Annotated[dict[Name, InstructionSpec], Limits(min_length=1)]

    @property
    def names(self) -> tuple[str, ...]:
        """The architecture and its aliases."""
        return (self.architecture, *self.aliases)
