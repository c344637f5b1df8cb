"""Architectures, instructions, operands, slots and elements: frozen data, derived quantities.

What a specification states is a field; everything else is a property.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from math import prod
from typing import TYPE_CHECKING

from layoutgen.alike import alike, stem
from layoutgen.digits import Layout, LayoutError
from layoutgen.modifiers import ModifierRules, Modifiers, Reroute

if TYPE_CHECKING:
    from layoutgen.digits import IntArray
    from layoutgen.formulas import Formulas

REGISTER_BITS = 32
CYCLES_PER_PASS = 4
"""One pass of the matrix core takes four cycles (LLVM's SISchedule.td, ISA manuals)."""


class UnknownName(KeyError):
    """A name that is not there; the text offers the nearest ones."""

    def __str__(self) -> str:
        """Return the message without the quotes that KeyError puts round it."""
        return str(self.args[0])


@dataclass(frozen=True, slots=True)
class NumberFormat:
    """An element type: its width in bits, and the C type that carries it in a builtin's call."""

    name: str
    title: str
    bits: int
    c_type: str
    c_bits: int
    vector: str
    note: str = ""

    def c_count(self, elements: int) -> int:
        """Return how many C elements carry `elements` elements of this format."""
        return elements * self.bits // self.c_bits

    def alias(self, elements: int) -> str:
        """Return the name of the C type that carries `elements` elements: ``v4half``."""
        count = self.c_count(elements)
        return self.c_type if count == 1 else f"v{count}{self.vector}"


@dataclass(frozen=True, slots=True)
class Source:
    """A document or program that a fact was taken from."""

    id: str
    title: str
    url: str = ""


@dataclass(frozen=True, slots=True)
class Provenance:
    """How well a table is known: its grade, who vouches for it, and the sources."""

    grade: str
    by: str
    sources: tuple[Source, ...] = ()


@dataclass(frozen=True, slots=True)
class Slot:
    """Where an element lives: lane, first 32-bit register, bit in that register, width in bits."""

    lane: int
    register: int
    bit: int
    width: int

    @property
    def registers(self) -> range:
        """The registers that hold at least one bit of the element."""
        return range(self.register, self.register + 1 + (self.bit + self.width - 1) // 32)


@dataclass(frozen=True, slots=True)
class Element:
    """An element of an operand by its coordinates, and the bit where it starts in a register."""

    b: int
    i: int | None = None
    j: int | None = None
    k: int | None = None
    group: int | None = None
    bit: int = 0
    width: int = 0

    @property
    def coordinates(self) -> dict[str, int]:
        """The coordinates that this operand has, by name."""
        named = {"b": self.b, "i": self.i, "k": self.k, "j": self.j, "group": self.group}
        return {name: value for name, value in named.items() if value is not None}


@dataclass(frozen=True)
class Operand:
    """One matrix operand of an instruction, as laid out or as read under modifiers."""

    name: str
    format: NumberFormat
    layout: Layout
    provenance: Provenance
    register_files: tuple[str, ...] = ("v",)
    modifiers: Modifiers = field(default_factory=Modifiers)
    reroute: Reroute | None = None

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the table's columns: the coordinates, then lane, register, bit, width."""
        return (*self.layout.shape, "lane", "register", "bit", "width")

    @property
    def elements_per_lane(self) -> int:
        """How many elements each lane holds."""
        return self.layout.items

    @property
    def registers(self) -> int:
        """How many 32-bit registers of each lane the operand takes."""
        return -(-self.layout.items * self.format.bits // REGISTER_BITS)

    @property
    def c_type(self) -> str:
        """Name of the C type that carries one lane's share."""
        return self.format.alias(self.elements_per_lane)

    def locate(self, **coordinates: int) -> list[Slot]:
        """Return the slots of one element, one per copy; under modifiers, where it is read from.

        Raises :class:`~layoutgen.digits.LayoutError` for a missing, unknown or out-of-range
        coordinate.
        """
        return [self._slot(lane, item) for lane, item in self.layout.forward(**coordinates)]

    def elements(self, lane: int, register: int) -> list[Element]:
        """Return the elements that touch one 32-bit register of one lane, lowest bit first.

        Under modifiers: the elements for which the multiplier reads that register; a broadcast
        gives several, and a register that is never read gives none.
        An element that began in the register before has a negative bit.
        Raises :class:`~layoutgen.digits.LayoutError` for a lane or register out of range.
        """
        if not 0 <= lane < self.layout.lanes:
            raise LayoutError(f"lane {lane} is out of range: 0 to {self.layout.lanes - 1}")
        if not 0 <= register < self.registers:
            raise LayoutError(f"register {register} is out of range: 0 to {self.registers - 1}")
        width = self.format.bits
        low = register * REGISTER_BITS
        items = range(low // width, min(-(-(low + REGISTER_BITS) // width), self.layout.items))
        readers = self.reroute.readers(lane) if self.reroute else [lane]
        found = ((self.layout.inverse(reader, item), item) for item in items for reader in readers)
        return [
            Element(**coordinates, bit=item * width - low, width=width)
            for coordinates, item in found
            if coordinates is not None
        ]

    def table(self) -> IntArray:
        """Return every element as a row of :attr:`columns`: an (n, 7) array of int64."""
        import numpy as np

        rows = self.layout.table()
        coordinates, lane, item = rows[:, :-2], rows[:, -2], rows[:, -1]
        if self.reroute:
            lane = self.reroute.lane(lane)
        start = item * self.format.bits
        width = np.full_like(start, self.format.bits)
        columns = [lane, start // REGISTER_BITS, start % REGISTER_BITS, width]
        return np.column_stack([coordinates, *columns])

    @cached_property
    def formulas(self) -> Formulas:
        """The formulas of both directions, with the modifiers that are set."""
        from layoutgen.formulas import formulas

        return formulas(self.layout, self.format.bits, self.reroute)

    def _slot(self, lane: int, item: int) -> Slot:
        start = item * self.format.bits
        source = self.reroute.lane(lane) if self.reroute else lane
        return Slot(source, start // REGISTER_BITS, start % REGISTER_BITS, self.format.bits)


@dataclass(frozen=True)
class Instruction:
    """One matrix instruction on one architecture."""

    mnemonic: str
    spellings: tuple[str, ...]
    kind: str
    m: int
    n: int
    k: int
    rules: ModifierRules
    operands: Mapping[str, Operand]
    cycles: int
    coexec_cycles: int
    targets: tuple[str, ...]

    @property
    def blocks(self) -> int:
        """How many independent products the instruction computes: 64·e / (M·K)."""
        return self.rules.blocks

    @property
    def builtin(self) -> str:
        """Name of the compiler's builtin."""
        return f"__builtin_amdgcn_{self.mnemonic.removeprefix('v_')}"

    @property
    def llvm_intrinsic(self) -> str:
        """Name of the LLVM intrinsic."""
        return f"llvm.amdgcn.{self.mnemonic.removeprefix('v_').replace('_', '.')}"

    @property
    def slug(self) -> str:
        """Short stable name for files and addresses: ``f32-32x32x1f32``."""
        return self.mnemonic.split("_", 2)[2].replace("_", "-")

    @property
    def aliases(self) -> tuple[str, ...]:
        """Every other name of the instruction: the builtin and the spellings of other LLVMs."""
        return (self.builtin, *self.spellings)

    @property
    def tile(self) -> str:
        """The tile shape: ``32x32``."""
        return f"{self.m}x{self.n}"

    @property
    def passes(self) -> int:
        """Passes through the matrix core, four cycles each."""
        return self.cycles // CYCLES_PER_PASS

    @property
    def ops(self) -> int:
        """Floating-point or integer operations: a multiplication and an addition per product."""
        return 2 * prod((self.m, self.n, self.k, self.blocks))

    def operand(self, name: str, **modifiers: int) -> Operand:
        """Return an operand as the multiplier reads it under `modifiers`.

        Raises :class:`UnknownName` and :class:`layoutgen.modifiers.IllegalModifier`.
        """
        if name not in self.operands:
            known = ", ".join(self.operands)
            raise UnknownName(f"no operand {name!r}: {self.mnemonic} has {known}")
        plain = self.operands[name]
        checked = self.rules.check(modifiers)
        if checked == Modifiers():
            return plain
        return Operand(
            plain.name,
            plain.format,
            plain.layout,
            plain.provenance,
            plain.register_files,
            checked,
            self.rules.reroute(name, checked),
        )

    @property
    def signature(self) -> str:
        """The builtin's C declaration, in the register type names of the reference."""
        a, b, c = (self.operands[name].c_type for name in "ABC")
        fields = ", ".join(f"const int {name}" for name in ("cbsz", "abid", "blgp"))
        return f"{self.operands['D'].c_type} {self.builtin}({a} a, {b} b, {c} c, {fields})"


@dataclass(frozen=True, slots=True)
class Gpu:
    """A product, for its peak rate: compute units, and the peak engine clock in GHz."""

    name: str
    compute_units: int
    clock_ghz: float


@dataclass(frozen=True, slots=True)
class Reading:
    """One side of a disagreement: what is claimed, who says so since when, and a short name."""

    claim: str
    who: str
    name: str = ""


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A place where sources differ; the reader is told all readings and which one is followed."""

    id: str
    title: str
    question: str
    readings: tuple[Reading, ...]
    followed: str
    settled_by: str


@dataclass(frozen=True)
class Architecture(Mapping[str, Instruction]):
    """A GPU architecture: a mapping of mnemonics to instructions that knows every spelling."""

    name: str
    aliases: tuple[str, ...]
    title: str
    series: str
    wave: int
    matrix_cores_per_cu: int
    gpus: tuple[Gpu, ...]
    instructions: Mapping[str, Instruction]
    disagreements: tuple[Disagreement, ...] = ()
    sources: tuple[Source, ...] = ()
    files: tuple[str, ...] = field(default=(), compare=False)

    @cached_property
    def _by_name(self) -> dict[str, Instruction]:
        every = self.instructions.values()
        return {f"v_{stem(name)}": i for i in every for name in (i.mnemonic, *i.spellings)}

    def __getitem__(self, name: str) -> Instruction:
        """Return the instruction with this mnemonic, other spelling, builtin or intrinsic."""
        plain = f"v_{stem(name)}"
        found = self.instructions[plain] if plain in self.instructions else self._by_name.get(plain)
        if found is None:
            close = ", ".join(alike(name, self))
            hint = f"; nearest: {close}" if close else ""
            raise UnknownName(f"{self.name} has no instruction {name!r}{hint}")
        return found

    def __iter__(self) -> Iterator[str]:
        """Iterate over the mnemonics in the order of the specification."""
        return iter(self.instructions)

    def __len__(self) -> int:
        """Return the number of instructions."""
        return len(self.instructions)

    def __hash__(self) -> int:
        """Hash by name: a catalogue holds one architecture of a name."""
        return hash(self.name)

    def all_names(self) -> list[str]:
        """Return every name by which an instruction is found."""
        return [*self.instructions, *(a for i in self.instructions.values() for a in i.aliases)]


def nearest(name: str, known: list[str], count: int = 3) -> str:
    """Return ``"; nearest: …"`` with the names most like `name`, or an empty string."""
    import difflib

    close = difflib.get_close_matches(name, known, n=count, cutoff=0.5)
    return f"; nearest: {', '.join(close)}" if close else ""
