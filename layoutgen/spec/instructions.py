"""The instructions of one architecture: family, name and what differs there, put together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from layoutgen.actions import (
    Action,
    Broadcast,
    ByteSelect,
    FormatCode,
    IndexSet,
    LanePattern,
    Negation,
)
from layoutgen.facts import Provenance
from layoutgen.formats import Carrier, NumberFormat
from layoutgen.model import Instruction
from layoutgen.modifiers import ModifierRules
from layoutgen.operand import Operand
from layoutgen.spec.build import Files, build_format, build_source
from layoutgen.spec.derive import (
    Shape,
    build_layout,
    layout_name,
    operands,
    own_format,
    plain_format,
    shape,
)
from layoutgen.spec.mnemonic import Mnemonic, parse
from layoutgen.spec.schema_instructions import ArchitectureFile, EvidenceSpec, FamilySpec


@dataclass(frozen=True)
class Described:
    """An instruction by its parts: name, family, and what follows from both."""

    name: Mnemonic
    key: str
    family: FamilySpec
    sizes: Shape


class Builder:
    """Builds the instructions of one architecture, and each format and provenance once."""

    def __init__(self, files: Files, arch: ArchitectureFile) -> None:
        """Note the mnemonic and the family of each instruction."""
        self.files = files
        self.arch = arch
        self.formats: dict[str, NumberFormat] = {}
        self.provenances: dict[int, Provenance] = {}
        family_of = {i: key for key, f in files.families.items() for i in f.instructions}
        every = (self._described(name, family_of[name]) for name in arch.instructions)
        self.described = {d.name.spelt(arch.spelling, d.sizes.blocks): d for d in every}

    def _described(self, text: str, key: str) -> Described:
        name, family = parse(text), self.files.families[key]
        assert name is not None, "checked before"
        sizes = shape(name, family, self.arch.wave)
        assert sizes is not None, "checked before"
        return Described(name, key, family, sizes)

    def instruction(self, mnemonic: str) -> Instruction:
        """Return the instruction with this mnemonic."""
        d = self.described[mnemonic]
        name, family, sizes = d.name, d.family, d.sizes
        spec = self.arch.instructions[name.name]
        parts = {o: self.operand(d, o) for o in operands(family)}
        having = [a for a in self.files.architectures.values() if name.name in a.instructions]
        spellings = dict.fromkeys(name.spelt(a.spelling, sizes.blocks) for a in having)
        modifiers = family.modifiers if spec.modifiers is None else spec.modifiers
        return Instruction(
            name=name.name,
            family=d.key,
            mnemonic=mnemonic,
            spellings=tuple(s for s in spellings if s != mnemonic),
            kind=name.kind,
            m=name.m,
            n=name.n,
            k=name.k,
            rules=ModifierRules(sizes.blocks, tuple(_actions(modifiers, d, parts))),
            operands=parts,
            cycles=spec.cycles,
            coexec_cycles=spec.coexec,
            targets=tuple(a.architecture for a in having),
            arguments=family.arguments,
            alternatives={o: self.alternatives(d, parts[o]) for o in "AB" if family.codes},
            opcode=spec.opcode,
            narrow=(spec.narrow.bits, spec.narrow.cycles) if spec.narrow else None,
        )

    def operand(self, d: Described, operand: str, code: int = 0) -> Operand:
        """Return an operand, in the format of a code where the family has codes."""
        called, variant = plain_format(d.name, d.family, operand), None
        if d.family.codes and operand in "AB":
            called, variant = d.family.codes[code].format, d.family.codes[code].variant
        format = self.format(called)
        lies = layout_name(d.family, operand, variant)
        layout = self.files.tiles[d.name.tile].layouts[lies]
        built = Operand(
            name=operand,
            format=format,
            layout=build_layout(layout, d.sizes.quantities(operand, format.bits)),
            provenance=self.provenance(d.key, operand),
            register_files=getattr(self.arch.register_files, operand),
            variant=lies.partition("-")[2],
        )
        alignment = self.arch.register_alignment if built.registers > 1 else 1
        if (c := d.family.carrier) is None or operand not in "AB":
            return replace(built, alignment=alignment)
        carrier = Carrier(c.c_type, c.bits, c.vector, c.note)
        return replace(built, alignment=alignment, carrier=carrier)

    def alternatives(self, d: Described, plain: Operand) -> tuple[Operand, ...]:
        """Return an operand in every format that a code chooses; the C type stays the same."""
        bits = plain.layout.items * plain.format.bits
        every = (self.operand(d, plain.name, code) for code in range(len(d.family.codes)))
        return tuple(replace(o, c_bits=bits, carrier=plain.c_element) for o in every)

    def format(self, name: str) -> NumberFormat:
        """Return the element type that this architecture means by a name."""
        if name not in self.formats:
            self.formats[name] = build_format(self.files, own_format(self.arch, name), name)
        return self.formats[name]

    def provenance(self, family: str, operand: str) -> Provenance:
        """Return how well a layout is known: the last evidence that is about it."""
        evidence = enumerate(self.arch.evidence)
        place, found = [(n, e) for n, e in evidence if _applies(e, family, operand)][-1]
        if place not in self.provenances:
            sources = tuple(build_source(self.files, source) for source in found.sources)
            self.provenances[place] = Provenance(found.grade, found.by, sources)
        return self.provenances[place]

    def paths(self) -> tuple[str, ...]:
        """Return the files that the instructions come from, the architecture's own first."""
        every = list(self.described.values())
        used = [("architecture", self.arch.architecture)]
        used += [("tile", tile) for tile in sorted({d.name.tile for d in every})]
        used += [("families", d.key) for d in every]
        names = {plain_format(d.name, d.family, o) for d in every for o in operands(d.family)}
        names |= {code.format for d in every for code in d.family.codes}
        used += [("formats", own_format(self.arch, name)) for name in sorted(names)]
        cited = {key for e in self.arch.evidence for key in e.sources}
        used += [("sources", key) for key in sorted(cited.union(self.arch.sources))]
        used += [("disagreements", key) for key in self.arch.disagreements]
        return tuple(dict.fromkeys(str(self.files.paths[name]) for name in used))


def _applies(evidence: EvidenceSpec, family: str, operand: str) -> bool:
    return (not evidence.families or family in evidence.families) and (
        not evidence.operands or operand in evidence.operands
    )


def _actions(
    modifiers: Mapping[str, str], d: Described, parts: Mapping[str, Operand]
) -> Iterator[Action]:
    """Yield what the fields of the encoding do to the operands."""
    for operand, action in modifiers.items():
        match action:
            case "broadcast":
                yield Broadcast(d.sizes.blocks, d.name.m)
            case "lanes":
                yield LanePattern()
            case "format":
                yield FormatCode(operand, tuple(code.format for code in d.family.codes))
            case "set":
                yield IndexSet(parts[operand].layout.holes[0].size)
            case "byte":
                yield ByteSelect(operand, parts[operand].layout.holes[0].size)
    if negated := tuple(o for o, action in modifiers.items() if action == "negate"):
        yield Negation(negated)
