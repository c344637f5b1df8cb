"""From checked specification files to the model: derive, and put the parts together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from layoutgen.facts import Arithmetic, Disagreement, Gpu, Hazard, Provenance, Reading, Source
from layoutgen.formats import Encoding, NumberFormat
from layoutgen.model import Architecture
from layoutgen.spec import schema
from layoutgen.spec.schema_instructions import ArchitectureFile, FamiliesFile, FamilySpec


@dataclass(frozen=True)
class Files:
    """Checked specification files: what they define, by name, and the file of each name."""

    tiles: Mapping[str, schema.TileFile]
    families: Mapping[str, FamilySpec]
    architectures: Mapping[str, ArchitectureFile]
    formats: Mapping[str, schema.FormatSpec]
    sources: Mapping[str, schema.SourceSpec]
    disagreements: Mapping[str, schema.DisagreementSpec]
    paths: Mapping[tuple[str, str], Path]

    @classmethod
    def of(cls, files: Iterable[tuple[Path, schema.File]]) -> Files:
        """Put together what `files`, each with its path, define."""
        tiles: dict[str, schema.TileFile] = {}
        families: dict[str, FamilySpec] = {}
        architectures: dict[str, ArchitectureFile] = {}
        formats: dict[str, schema.FormatSpec] = {}
        sources: dict[str, schema.SourceSpec] = {}
        disagreements: dict[str, schema.DisagreementSpec] = {}
        paths: dict[tuple[str, str], Path] = {}
        for path, file in files:
            match file:
                case schema.TileFile():
                    tiles[file.tile] = file
                case FamiliesFile():
                    families.update(file.families)
                case ArchitectureFile():
                    architectures[file.architecture] = file
                case schema.FormatsFile():
                    formats.update(file.formats)
                case schema.SourcesFile():
                    sources.update(file.sources)
                case schema.DisagreementsFile():
                    disagreements.update(file.disagreements)
            paths.update({(file.kind, name): path for name in file.names})
        return cls(tiles, families, architectures, formats, sources, disagreements, paths)


def build_architecture(files: Files, name: str) -> Architecture:
    """Return the model of one architecture."""
    from layoutgen.spec.instructions import Builder
    from layoutgen.spec.lazy import Instructions

    spec = files.architectures[name]
    builder = Builder(files, spec)
    return Architecture(
        name=spec.architecture,
        aliases=spec.aliases,
        title=spec.title,
        series=spec.series,
        wave=spec.wave,
        matrix_cores_per_cu=spec.matrix_cores_per_cu,
        gpus=tuple(Gpu(g.name, g.compute_units, g.clock_ghz) for g in spec.gpus),
        instructions=Instructions(builder.described, builder.instruction),
        disagreements=tuple(build_disagreement(files, key) for key in spec.disagreements),
        sources=tuple(build_source(files, key) for key in spec.sources),
        files=builder.paths(),
        register_alignment=spec.register_alignment,
        unified_registers=spec.unified_registers,
        exec_ignored=spec.exec_ignored,
        overflow=spec.overflow or "",
        arithmetic=tuple(
            Arithmetic(
                a.formats,
                a.inputs,
                a.results,
                a.rounding,
                Provenance(a.grade, a.by, tuple(build_source(files, key) for key in a.sources)),
            )
            for a in spec.arithmetic
        ),
        hazards=tuple(Hazard(h.first, h.then, h.wait, h.passes) for h in spec.hazards),
    )


def build_format(files: Files, key: str, name: str | None = None) -> NumberFormat:
    """Return the model of an element type; `name` is what mnemonics call it."""
    spec = files.formats[key]
    e = spec.encoding
    encoding = Encoding(e.exponent, e.mantissa, e.bias, e.specials, e.precision) if e else None
    return NumberFormat(
        name or key,
        spec.title,
        spec.bits,
        spec.c_type,
        spec.c_bits,
        spec.vector,
        spec.note,
        encoding,
    )


def build_source(files: Files, key: str) -> Source:
    """Return the model of a source."""
    spec = files.sources[key]
    return Source(key, spec.title, spec.url or "")


def build_disagreement(files: Files, key: str) -> Disagreement:
    """Return the model of a disagreement."""
    spec = files.disagreements[key]
    readings = tuple(Reading(r.claim, r.who, r.name) for r in spec.readings)
    return Disagreement(
        key,
        spec.title,
        spec.question,
        readings,
        spec.followed,
        spec.settled_by,
        spec.instructions,
        spec.about,
    )
