"""Architectures and instructions: frozen data, derived quantities.

What a specification states is a field; everything else is a property.  Operands stand in
:mod:`layoutgen.operand`, element types in :mod:`layoutgen.formats`, and what is told about a fact
in :mod:`layoutgen.facts`; all can be imported from here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import prod
from typing import Any

from layoutgen.alike import alike, shaped, stem
from layoutgen.facts import Arithmetic, Disagreement, Gpu, Hazard, Provenance, Reading, Source
from layoutgen.formats import Carrier, Encoding, NumberFormat
from layoutgen.modifiers import ModifierRules, Modifiers
from layoutgen.operand import REGISTER_BITS, Element, Operand, Slot

__all__ = [
    "CYCLES_PER_PASS",
    "REGISTER_BITS",
    "Architecture",
    "Carrier",
    "Disagreement",
    "Element",
    "Encoding",
    "Gpu",
    "Hazard",
    "Instruction",
    "NumberFormat",
    "Operand",
    "Provenance",
    "Reading",
    "Slot",
    "Source",
    "UnknownName",
    "nearest",
]

CYCLES_PER_PASS = 4
"""One pass of the matrix core takes four cycles (LLVM's SISchedule.td, ISA manuals)."""


class UnknownName(KeyError):
    """A name that is not there; the text offers the nearest ones."""

    def __str__(self) -> str:
        """Return the message without the quotes that KeyError puts round it."""
        return str(self.args[0])


@dataclass(frozen=True)
class Instruction:
    """One matrix instruction on one architecture.

    `name` is what the builtin and the older mnemonic share; `mnemonic` is the architecture's own
    spelling, and `spellings` are those of other architectures.  `k` counts the k of B: a sparse
    A stores fewer.  `arguments` are operands and fields in the order of the builtin's call, and
    empty where the instruction has no builtin.  `alternatives` are the operands by the code of
    their format, where a modifier chooses it.  `coexec_cycles` is None where nobody says.
    `narrow` is (bits, cycles) where the instruction is faster with no element wider than that.
    `opcode` is the number of the operation in the encoding VOP3P-MAI, if it is stated.
    """

    name: str
    family: str
    mnemonic: str
    spellings: tuple[str, ...]
    kind: str
    m: int
    n: int
    k: int
    rules: ModifierRules
    operands: Mapping[str, Operand]
    cycles: int
    coexec_cycles: int | None
    targets: tuple[str, ...]
    arguments: tuple[str, ...] = ()
    alternatives: Mapping[str, tuple[Operand, ...]] = field(default_factory=dict)
    narrow: tuple[int, int] | None = None
    opcode: int | None = None

    def __hash__(self) -> int:
        """Hash by names, sizes and cycles; equal instructions have the same."""
        return hash((self.name, self.mnemonic, self.m, self.n, self.k, self.cycles))

    @property
    def blocks(self) -> int:
        """How many independent products the instruction computes: wave·e / (M·K of A)."""
        return self.rules.blocks

    @property
    def builtin(self) -> str:
        """Name of the compiler's builtin; empty if there is none."""
        return f"__builtin_amdgcn_{self.name}" if self.arguments else ""

    @property
    def llvm_intrinsic(self) -> str:
        """Name of the LLVM intrinsic, without types that overload it; empty if there is none."""
        return f"llvm.amdgcn.{self.name.replace('_', '.')}" if self.arguments else ""

    @property
    def slug(self) -> str:
        """Short stable name for files and addresses: ``f32-32x32x1f32``."""
        return self.name.removeprefix("mfma_").replace("_", "-")

    @property
    def aliases(self) -> tuple[str, ...]:
        """Every other name of the instruction: the builtin and the spellings of other LLVMs."""
        return tuple(filter(None, (self.builtin, *self.spellings)))

    @property
    def tile(self) -> str:
        """The tile shape: ``32x32``."""
        return f"{self.m}x{self.n}"

    @property
    def passes(self) -> int:
        """Passes through the matrix core, four cycles each."""
        return self.cycles // CYCLES_PER_PASS

    @property
    def sparse(self) -> bool:
        """Whether A is stored without the k whose elements are zero."""
        return "index" in self.operands

    @property
    def ops(self) -> int:
        """Floating-point or integer operations: a multiplication and an addition per product.

        The zeros that a sparse A does not store count as well, as they do in published rates.
        """
        return 2 * prod((self.m, self.n, self.k, self.blocks))

    def cycles_under(self, **modifiers: Any) -> int:
        """Return the cycles, which depend on the formats that modifiers may choose."""
        if self.narrow is None:
            return self.cycles
        bits, cycles = self.narrow
        widest = max(self.operand(name, **modifiers).format.bits for name in "AB")
        return cycles if widest <= bits else self.cycles

    def operand(self, name: str, **modifiers: Any) -> Operand:
        """Return an operand as the multiplier reads it under `modifiers`.

        Raises :class:`UnknownName` and :class:`layoutgen.modifiers.IllegalModifier`.
        """
        if name not in self.operands:
            known = ", ".join(self.operands)
            raise UnknownName(f"no operand {name!r}: {self.mnemonic} has {known}")
        checked = self.rules.check(modifiers)
        if checked == Modifiers():
            return self.operands[name]
        access = self.rules.access(name, checked)
        chosen = self.alternatives[name][access.code] if access.code else self.operands[name]
        return replace(
            chosen,
            layout=chosen.layout.fix(access.hole) if access.hole else chosen.layout,
            modifiers=checked,
            reroute=access.reroute,
            negated=access.negated,
        )

    @property
    def signature(self) -> str:
        """The builtin's C declaration, in the register type names of the reference, or empty."""
        if not self.builtin:
            return ""
        taken = ", ".join(map(self._parameter, self.arguments))
        return f"{self.operands['D'].c_type} {self.builtin}({taken})"

    def _parameter(self, argument: str) -> str:
        operand = self.operands.get(argument)
        return f"{operand.c_type} {argument.lower()}" if operand else f"const int {argument}"


@dataclass(frozen=True)
class Architecture(Mapping[str, Instruction]):
    """A GPU architecture: a mapping of mnemonics to instructions that knows every spelling.

    `register_alignment`: operands of more than one register begin at a multiple of it.
    `unified_registers`: archVGPRs and accVGPRs are one file, so that a wavefront needs the sum
    of both, and not the larger.
    `overflow`: what becomes of results that are too large, empty if no source says.
    `exec_ignored`: a source says that lanes which EXEC turns off take part all the same.
    """

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
    register_alignment: int = 1
    unified_registers: bool = False
    hazards: tuple[Hazard, ...] = ()
    arithmetic: tuple[Arithmetic, ...] = ()
    exec_ignored: bool = False
    overflow: str = ""

    @cached_property
    def _by_name(self) -> dict[str, Instruction]:
        every = self.instructions.values()
        names = ((name, i) for i in every for name in (i.mnemonic, i.name, *i.spellings))
        return {f"v_{stem(name)}": i for name, i in names}

    def __getitem__(self, name: str) -> Instruction:
        """Return the instruction with this mnemonic, other spelling, builtin or intrinsic.

        Raises :class:`UnknownName`, which is a KeyError, for any other key.
        """
        if not isinstance(name, str):
            raise UnknownName(
                f"{self.name} has no instruction {name!r}: a name is a text such as "
                f"{next(iter(self), '')!r}"
            )
        found = self.find(name)
        if found is None:
            close = ", ".join(alike(name, self))
            hint = f"; nearest: {close}" if close else ""
            raise UnknownName(f"{self.name} has no instruction {name!r}{hint}")
        return found

    def find(self, name: str) -> Instruction | None:
        """Return the instruction of a name, or None; looks for no names like it, so it is quick."""
        plain = f"v_{stem(name)}"
        if plain in self.instructions:
            return self.instructions[plain]
        return self._by_name.get(plain) or self._by_shape(name)

    def _by_shape(self, name: str) -> Instruction | None:
        """Return the only dense instruction whose name ends in `name`: ``32x32x8f16``."""
        every = (self._by_name[each] for each in shaped(name, self._by_name))
        found = {inst.name: inst for inst in every}
        return next(iter(found.values())) if len(found) == 1 else None

    def __iter__(self) -> Iterator[str]:
        """Iterate over the mnemonics in the order of the specification."""
        return iter(self.instructions)

    def __len__(self) -> int:
        """Return the number of instructions."""
        return len(self.instructions)

    def __hash__(self) -> int:
        """Hash by name: a catalogue holds one architecture of a name."""
        return hash(self.name)

    @cached_property
    def formats(self) -> dict[str, NumberFormat]:
        """Every element type by name, those that modifiers choose included."""
        found: dict[str, NumberFormat] = {}
        for inst in self.values():
            chosen = (operand for each in inst.alternatives.values() for operand in each)
            for operand in (*inst.operands.values(), *chosen):
                found.setdefault(operand.format.name, operand.format)
        return found

    def arithmetic_of(self, inst: Instruction, **modifiers: Any) -> Arithmetic | None:
        """Return what is known of subnormal numbers and rounding, None of integers or if untold."""
        name = inst.operand("A", **modifiers).format.name
        return next((entry for entry in self.arithmetic if name in entry.formats), None)

    def all_names(self) -> list[str]:
        """Return every name by which an instruction is found."""
        return [*self.instructions, *(a for i in self.instructions.values() for a in i.aliases)]

    def registers_needed(self, arch_vgprs: int, acc_vgprs: int) -> int:
        """Return how many registers a wavefront with so many of both kinds takes of its file.

        Of separate files the larger share counts; in a unified one accVGPRs begin at a multiple
        of four.  Source: LLVM's AMDGPU usage guide, ``.amdhsa_accum_offset``.
        """
        if not self.unified_registers:
            return max(arch_vgprs, acc_vgprs)
        return -(-arch_vgprs // 4) * 4 + acc_vgprs if acc_vgprs else arch_vgprs


def nearest(name: str, known: list[str], count: int = 3) -> str:
    """Return ``"; nearest: …"`` with the names most like `name`, or an empty string."""
    import difflib

    close = difflib.get_close_matches(name, known, n=count, cutoff=0.5)
    return f"; nearest: {', '.join(close)}" if close else ""
