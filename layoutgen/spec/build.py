"""From checked specification files to the model: derive, and put the parts together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

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


@dataclass(frozen=True)
class Files:
    """Checked specification files: what they define, by name, and the file of each name."""

    tiles: Mapping[str, schema.TileFile]
    architectures: Mapping[str, schema.ArchitectureFile]
    formats: Mapping[str, schema.FormatSpec]
    sources: Mapping[str, schema.SourceSpec]
    disagreements: Mapping[str, schema.DisagreementSpec]
    paths: Mapping[tuple[str, str], Path]

    @classmethod
    def of(cls, files: Iterable[tuple[Path, schema.File]]) -> Files:
        """Put together what `files`, each with its path, define."""
        tiles: dict[str, schema.TileFile] = {}
        architectures: dict[str, schema.ArchitectureFile] = {}
        formats: dict[str, schema.FormatSpec] = {}
        sources: dict[str, schema.SourceSpec] = {}
        disagreements: dict[str, schema.DisagreementSpec] = {}
        paths: dict[tuple[str, str], Path] = {}
        for path, file in files:
            match file:
                case schema.TileFile():
                    tiles[file.tile] = file
                case schema.ArchitectureFile():
                    architectures[file.architecture] = file
                case schema.FormatsFile():
                    formats.update(file.formats)
                case schema.SourcesFile():
                    sources.update(file.sources)
                case schema.DisagreementsFile():
                    disagreements.update(file.disagreements)
            paths.update({(file.kind, name): path for name in file.names})
        return cls(tiles, architectures, formats, sources, disagreements, paths)


@dataclass(frozen=True, slots=True)
class Quantities:
    """The quantities of an instruction that sizes of digits may name."""

    blocks: int
    k_per_lane: int
    k_groups: int

    def size(self, size: int | str) -> int:
        """Return a size that is a number already, or the quantity that it names."""
        value: int = size if isinstance(size, int) else getattr(self, size)
        return value


def quantities(name: Mnemonic, elements_per_lane: int, wave: int) -> Quantities | None:
    """Return blocks = wave·e / (M·K) and what follows, or None where nothing fits whole."""
    blocks, rest = divmod(wave * elements_per_lane, name.m * name.k)
    groups, rest_k = divmod(name.k, elements_per_lane)
    return None if rest or rest_k or not blocks else Quantities(blocks, elements_per_lane, groups)


def build_layout(spec: schema.LayoutSpec, sizes: Quantities) -> Layout:
    """Return the layout of one operand with the instruction's own sizes put in."""
    digits = {name: Digit(name, sizes.size(size)) for name, size in spec.digits.items()}

    def take(names: tuple[str, ...]) -> tuple[Digit, ...]:
        return tuple(digits[name] for name in names)

    coordinates = {name: take(cut) for name, cut in spec.coordinates.items()}
    return Layout(coordinates, take(spec.lane), take(spec.item))


def build_architecture(files: Files, name: str) -> Architecture:
    """Return the model of one architecture."""
    spec = files.architectures[name]
    builder = _Builder(files, spec)
    return Architecture(
        name=spec.architecture,
        aliases=spec.aliases,
        title=spec.title,
        series=spec.series,
        wave=spec.wave,
        matrix_cores_per_cu=spec.matrix_cores_per_cu,
        gpus=tuple(Gpu(g.name, g.compute_units, g.clock_ghz) for g in spec.gpus),
        instructions=Instructions(builder, spec.instructions),
        disagreements=tuple(build_disagreement(files, key) for key in spec.disagreements),
        sources=tuple(build_source(files, key) for key in spec.sources),
        files=builder.paths(),
    )


def build_format(files: Files, name: str) -> NumberFormat:
    """Return the model of an element type."""
    spec = files.formats[name]
    return NumberFormat(
        name, spec.title, spec.bits, spec.c_type, spec.c_bits, spec.vector, spec.note
    )


def build_source(files: Files, key: str) -> Source:
    """Return the model of a source."""
    spec = files.sources[key]
    return Source(key, spec.title, spec.url or "")


def build_disagreement(files: Files, key: str) -> Disagreement:
    """Return the model of a disagreement."""
    spec = files.disagreements[key]
    readings = tuple(Reading(r.claim, r.who, r.name) for r in spec.readings)
    return Disagreement(key, spec.title, spec.question, readings, spec.followed, spec.settled_by)


class Instructions(Mapping[str, Instruction]):
    """The instructions of an architecture by mnemonic, each built when it is first asked for."""

    def __init__(self, builder: _Builder, names: Iterable[str]) -> None:
        """Take the names in their order."""
        self._builder = builder
        self._built: dict[str, Instruction | None] = dict.fromkeys(names)

    def __getitem__(self, name: str) -> Instruction:
        """Return the instruction with this mnemonic."""
        found = self._built[name]
        if found is None:
            found = self._built[name] = self._builder.instruction(name)
        return found

    def __iter__(self) -> Iterator[str]:
        """Iterate over the mnemonics."""
        return iter(self._built)

    def __len__(self) -> int:
        """Return the number of instructions."""
        return len(self._built)

    def __contains__(self, name: object) -> bool:
        """Tell whether there is an instruction with this mnemonic, without building it."""
        return name in self._built


class _Builder:
    """Builds the instructions of one architecture, and each format and provenance once."""

    def __init__(self, files: Files, arch: schema.ArchitectureFile) -> None:
        self.files = files
        self.arch = arch
        self.formats: dict[str, NumberFormat] = {}
        self.provenances: dict[tuple[str, str], Provenance] = {}

    def instruction(self, mnemonic: str) -> Instruction:
        arch, spec, name = self.arch, self.arch.instructions[mnemonic], parse(mnemonic)
        assert name is not None, "checked before"
        sizes = quantities(
            name, spec.elements_per_lane or arch.elements_per_lane[name.a], arch.wave
        )
        assert sizes is not None, "checked before"
        targets = spec.targets or arch.targets
        renamed = arch.renamed_from is not None and arch.renamed_from in targets
        return Instruction(
            mnemonic=mnemonic,
            spellings=(name.with_blocks(sizes.blocks),) if renamed else (),
            kind=name.kind,
            m=name.m,
            n=name.n,
            k=name.k,
            rules=ModifierRules(sizes.blocks, name.m),
            operands={letter: self.operand(name, letter, sizes) for letter in "ABCD"},
            cycles=spec.cycles,
            coexec_cycles=spec.coexec,
            targets=targets,
        )

    def operand(self, name: Mnemonic, letter: str, sizes: Quantities) -> Operand:
        layout = self.files.tiles[name.tile].layouts[letter]
        return Operand(
            name=letter,
            format=self.format(name.a if letter in "AB" else name.d),
            layout=build_layout(layout, sizes),
            provenance=self.provenance(name.tile, letter, layout),
            register_files=getattr(self.arch.register_files, letter),
        )

    def format(self, name: str) -> NumberFormat:
        if name not in self.formats:
            self.formats[name] = build_format(self.files, name)
        return self.formats[name]

    def provenance(self, tile: str, letter: str, layout: schema.LayoutSpec) -> Provenance:
        if (tile, letter) not in self.provenances:
            sources = tuple(build_source(self.files, key) for key in layout.sources)
            self.provenances[tile, letter] = Provenance(layout.grade, layout.by, sources)
        return self.provenances[tile, letter]

    def paths(self) -> tuple[str, ...]:
        """Return the files that the instructions come from, the architecture's own first."""
        parsed = [name for mnemonic in self.arch.instructions if (name := parse(mnemonic))]
        tiles = sorted({name.tile for name in parsed})
        used = [("architecture", self.arch.architecture)]
        used += [("tile", tile) for tile in tiles]
        used += [("formats", name) for n in parsed for name in (n.a, n.d)]
        layouts = (self.files.tiles[tile].layouts[letter] for tile in tiles for letter in "ABCD")
        cited = {key for layout in layouts for key in layout.sources}
        used += [("sources", key) for key in sorted(cited.union(self.arch.sources))]
        used += [("disagreements", key) for key in self.arch.disagreements]
        return tuple(dict.fromkeys(str(self.files.paths[name]) for name in used))
