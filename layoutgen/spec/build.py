"""From checked specification files to the model: derive, and put the parts together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from layoutgen.digits import Digit, Layout
from layoutgen.model import (
    Architecture,
    Disagreement,
    Gpu,
    Instruction,
    NumberFormat,
    Operand,
    Provenance,
    Reading,
    Source,
)
from layoutgen.modifiers import ModifierRules
from layoutgen.spec import schema
from layoutgen.spec.mnemonic import Mnemonic, parse

COORDINATES = ("b", "i", "k", "j")
"""Order of the coordinate columns: A has b,i,k, B has b,k,j, C and D have b,i,j."""


@dataclass(frozen=True)
class Files:
    """Checked specification files by kind and by their own key."""

    tiles: Mapping[str, schema.TileFile]
    architectures: Mapping[str, schema.ArchitectureFile]
    formats: Mapping[str, schema.FormatSpec]
    sources: Mapping[str, schema.SourceSpec]
    disagreements: Mapping[str, schema.DisagreementSpec]


@dataclass(frozen=True, slots=True)
class Quantities:
    """The quantities of an instruction that sizes of digits may name."""

    blocks: int
    k_per_lane: int
    k_groups: int


def quantities(name: Mnemonic, elements_per_lane: int, wave: int) -> Quantities | None:
    """Return blocks = wave·e / (M·K) and what follows, or None where nothing fits whole."""
    blocks, rest = divmod(wave * elements_per_lane, name.m * name.k)
    groups, rest_k = divmod(name.k, elements_per_lane)
    return None if rest or rest_k or not blocks else Quantities(blocks, elements_per_lane, groups)


def build_layout(spec: schema.LayoutSpec, sizes: Quantities) -> Layout:
    """Return the layout of one operand with the instruction's own sizes put in."""
    digits = {
        name: Digit(name, size if isinstance(size, int) else getattr(sizes, size))
        for name, size in spec.digits.items()
    }

    def take(names: tuple[str, ...]) -> tuple[Digit, ...]:
        return tuple(digits[name] for name in names)

    coordinates = {c: take(cut) for c in COORDINATES if (cut := getattr(spec, c)) is not None}
    return Layout(coordinates, take(spec.lane), take(spec.item))


def build_architecture(files: Files, name: str) -> Architecture:
    """Return the model of one architecture."""
    spec = files.architectures[name]
    sources = {key: Source(key, s.title, s.url or "") for key, s in files.sources.items()}
    return Architecture(
        name=spec.architecture,
        aliases=spec.aliases,
        title=spec.title,
        series=spec.series,
        wave=spec.wave,
        matrix_cores_per_cu=spec.matrix_cores_per_cu,
        gpus=tuple(Gpu(g.name, g.compute_units, g.clock_ghz) for g in spec.gpus),
        instructions={
            mnemonic: _instruction(files, spec, sources, mnemonic) for mnemonic in spec.instructions
        },
        disagreements=tuple(_disagreement(files, key) for key in spec.disagreements),
        sources=tuple(sources[key] for key in spec.sources),
    )


def _instruction(
    files: Files,
    arch: schema.ArchitectureFile,
    sources: Mapping[str, Source],
    mnemonic: str,
) -> Instruction:
    spec = arch.instructions[mnemonic]
    name = parse(mnemonic)
    assert name is not None, "checked before"
    sizes = quantities(name, spec.elements_per_lane or arch.elements_per_lane[name.a], arch.wave)
    assert sizes is not None, "checked before"
    targets = spec.targets or arch.targets
    renamed = arch.renamed_from is not None and arch.renamed_from in targets
    layouts = files.tiles[name.tile].layouts

    def operand(letter: str) -> Operand:
        layout = layouts["D" if letter == "C" else letter]
        return Operand(
            name=letter,
            format=_format(files, name.a if letter in "AB" else name.d),
            layout=build_layout(layout, sizes),
            provenance=Provenance(
                layout.grade, layout.by, tuple(sources[key] for key in layout.sources)
            ),
            register_files=getattr(arch.register_files, letter),
        )

    return Instruction(
        mnemonic=mnemonic,
        spellings=(name.with_blocks(sizes.blocks),) if renamed else (),
        kind=name.kind,
        m=name.m,
        n=name.n,
        k=name.k,
        rules=ModifierRules(sizes.blocks, name.m),
        operands={letter: operand(letter) for letter in "ABCD"},
        cycles=spec.cycles,
        coexec_cycles=spec.coexec,
        targets=targets,
    )


def _format(files: Files, name: str) -> NumberFormat:
    spec = files.formats[name]
    return NumberFormat(
        name, spec.title, spec.bits, spec.c_type, spec.c_bits, spec.vector, spec.note
    )


def _disagreement(files: Files, key: str) -> Disagreement:
    spec = files.disagreements[key]
    readings = tuple(Reading(r.claim, r.who) for r in spec.readings)
    return Disagreement(key, spec.title, spec.question, readings, spec.followed, spec.settled_by)
