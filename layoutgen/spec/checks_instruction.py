"""Checks of instructions: against their mnemonic, their tile, and what follows from both."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import prod

from layoutgen.model import CYCLES_PER_PASS, REGISTER_BITS, nearest
from layoutgen.spec.build import Quantities, quantities
from layoutgen.spec.checks_tile import product_text
from layoutgen.spec.document import Document, Path
from layoutgen.spec.errors import Code, Diagnostic, listed, quoted
from layoutgen.spec.mnemonic import CONVENTION, Mnemonic, older_spelling, parse
from layoutgen.spec.schema import ArchitectureFile, FormatSpec, InstructionSpec, TileFile


@dataclass(frozen=True)
class Known:
    """What instructions refer to; kinds in `incomplete` are not missed."""

    tiles: Mapping[str, tuple[Document, TileFile]]
    formats: Mapping[str, FormatSpec]
    incomplete: frozenset[str]

    def misses(self, kind: str, name: str) -> str | None:
        """Say that a tile or an element type is missing, if it is and no file is to blame."""
        names = list(self.tiles if kind == "tile" else self.formats)
        if name in names or kind in self.incomplete:
            return None
        noun = "tile" if kind == "tile" else "element type"
        return f"there is no {noun} {quoted(name)}{nearest(name, names)}"


@dataclass(frozen=True)
class Case:
    """An instruction: where it stands, what is stated, what its mnemonic says."""

    document: Document
    arch: ArchitectureFile
    mnemonic: str
    spec: InstructionSpec
    name: Mnemonic

    @property
    def elements_per_lane(self) -> int | None:
        """Elements of A in a lane: the instruction's own, or the default of its type."""
        return self.spec.elements_per_lane or self.arch.elements_per_lane.get(self.name.a)

    @property
    def sizes(self) -> Quantities | None:
        """What follows from the elements per lane, if it is whole."""
        per_lane = self.elements_per_lane
        return quantities(self.name, per_lane, self.arch.wave) if per_lane else None

    def problem(
        self, code: Code, at: Path, message: str, *, key: bool = False, hint: str = ""
    ) -> Diagnostic:
        """Return a diagnostic at a path below the instruction."""
        path = ("instructions", self.mnemonic, *at)
        return self.document.at(code, path, message, key=key, hint=hint)


def check_instructions(
    architectures: Sequence[tuple[Document, ArchitectureFile]], known: Known
) -> Iterator[Diagnostic]:
    """Yield what is wrong with the instructions of all architectures."""
    whole: list[Case] = []
    for document, arch in architectures:
        yield from _check_targets(document, arch)
        missed = {t: m for t in arch.elements_per_lane if (m := known.misses("formats", t))}
        for type_, message in missed.items():
            yield document.at("spec-unknown-name", ("elements_per_lane", type_), message, key=True)
        excused = bool(missed) or "formats" in known.incomplete
        for mnemonic, spec in arch.instructions.items():
            name = parse(mnemonic)
            if name is None:
                yield _no_mnemonic(document, mnemonic)
                continue
            case = Case(document, arch, mnemonic, spec, name)
            yield from _check_stated(case)
            if problems := list(_check_names(case, known, excused)):
                yield from problems
            elif case.sizes:
                yield from _check_derived(case, case.sizes, known)
                whole.append(case)
    yield from _check_layouts(whole, known)


def _no_mnemonic(document: Document, mnemonic: str) -> Diagnostic:
    older = older_spelling(mnemonic)
    message = f"{quoted(mnemonic)} is no mnemonic; wanted {CONVENTION}"
    hint = ""
    if older != mnemonic and parse(older):
        hint = f"write {older}: the block count and the newer spelling follow from it"
    at = ("instructions", mnemonic)
    return document.at("spec-mnemonic", at, message, key=True, hint=hint)


def _check_targets(document: Document, arch: ArchitectureFile) -> Iterator[Diagnostic]:
    lists: list[tuple[Path, tuple[str, ...]]] = [(("targets",), arch.targets)]
    for mnemonic, spec in arch.instructions.items():
        if spec.targets is not None:
            lists.append((("instructions", mnemonic, "targets"), spec.targets))
    for at, targets in lists:
        if arch.architecture not in targets:
            near = nearest(arch.architecture, list(targets), 1).removeprefix("; nearest: ")
            message = f"the targets leave out {quoted(arch.architecture)} itself"
            hint = f"{quoted(near)} is there: is that what was meant?" if near else ""
            yield document.at("spec-targets", at, message, hint=hint)
    every = sorted({target for _, targets in lists for target in targets})
    if arch.renamed_from is not None and arch.renamed_from not in every:
        message = (
            f"no instruction has the target {quoted(arch.renamed_from)}"
            f"{nearest(arch.renamed_from, every)}; there are {listed(every)}"
        )
        yield document.at("spec-unknown-name", ("renamed_from",), message)


def _check_stated(case: Case) -> Iterator[Diagnostic]:
    """Cycles are whole passes, and co-execution does not last longer than the instruction."""
    cycles, coexec = case.spec.cycles, case.spec.coexec
    if rest := cycles % CYCLES_PER_PASS:
        near = [c for c in (cycles - rest, cycles - rest + CYCLES_PER_PASS) if c]
        message = (
            f"{cycles} cycles are no whole passes of {CYCLES_PER_PASS}; "
            f"nearest: {listed([str(c) for c in near], 'or')}"
        )
        yield case.problem("spec-cycles", ("cycles",), message)
    elif coexec > cycles:
        message = f"{coexec} cycles of co-execution are more than the {cycles} that it takes"
        yield case.problem("spec-coexec", ("coexec",), message)


def _check_names(case: Case, known: Known, excused: bool) -> Iterator[Diagnostic]:
    """Tile, types and elements per lane are there and fit; without them nothing can follow."""
    name = case.name
    for kind, wanted in (("tile", name.tile), ("formats", name.d), ("formats", name.a)):
        if message := known.misses(kind, wanted):
            yield case.problem("spec-unknown-name", (), message, key=True)
            return
    per_lane = case.elements_per_lane
    if per_lane is None:
        if not excused:
            message = f"'elements_per_lane' has no entry for {quoted(name.a)}"
            hint = "add one to the file's elements_per_lane, or state it for this instruction"
            yield case.problem("spec-elements-per-lane", (), message, key=True, hint=hint)
    elif case.sizes is None:
        fits = [e for e in range(1, name.k + 1) if quantities(name, e, case.arch.wave)]
        wanted = listed([str(e) for e in fits], "or") or "none for this tile and k"
        message = (
            f"{per_lane} elements per lane do not fit {case.mnemonic}: blocks = "
            f"{case.arch.wave}·{per_lane} / ({name.m}·{name.k}) and k / {per_lane} must be whole; "
            f"possible: {wanted}"
        )
        if case.spec.elements_per_lane:
            yield case.problem("spec-elements-per-lane", ("elements_per_lane",), message)
        else:
            yield case.problem("spec-elements-per-lane", (), message, key=True)


def _check_derived(case: Case, sizes: Quantities, known: Known) -> Iterator[Diagnostic]:
    """Stated quantities are those that follow."""
    spec, name = case.spec, case.name
    volume = prod((name.m, name.n, sizes.blocks))
    derived: list[tuple[Path, int | None, int, str]] = [
        (
            ("blocks",),
            spec.blocks,
            sizes.blocks,
            f"{case.arch.wave}·{sizes.k_per_lane} / ({name.m}·{name.k})",
        ),
        (
            ("ops",),
            spec.ops,
            2 * volume * name.k,
            f"2·{name.m}·{name.n}·{name.k}·{sizes.blocks}",
        ),
    ]
    if spec.cycles % CYCLES_PER_PASS == 0:
        passes = spec.cycles // CYCLES_PER_PASS
        why = f"{spec.cycles} cycles / {CYCLES_PER_PASS}"
        derived.append((("passes",), spec.passes, passes, why))
    for operand, stated in (spec.registers or {}).items():
        type_ = name.a if operand in "AB" else name.d
        if type_ not in known.formats:
            continue
        elements = sizes.k_per_lane if operand in "AB" else volume // case.arch.wave
        bits = known.formats[type_].bits
        derived.append(
            (
                ("registers", operand),
                stated,
                -(-elements * bits // REGISTER_BITS),
                f"{elements} elements of {bits} bits in a lane",
            )
        )
    for at, value, right, why in derived:
        if value is not None and value != right:
            what = " of ".join(quoted(step) for step in reversed(at))
            message = f"{what} is {value}, but {right} follows: {why}"
            yield case.problem("spec-contradiction", at, message)


@dataclass(frozen=True)
class _Misfit:
    """A list of digits whose product is not what an instruction needs."""

    case: Case
    operand: str
    list: str
    value: int
    wanted: int
    what: str


def _misfits(case: Case, sizes: Quantities, tile: TileFile) -> Iterator[_Misfit]:
    """Yield the first list of each operand that does not fit an instruction."""
    name = case.name
    wanted = {
        "b": (sizes.blocks, "blocks"),
        "i": (name.m, "rows"),
        "j": (name.n, "columns"),
        "k": (name.k, "values of k"),
        "lane": (case.arch.wave, "lanes"),
    }
    for operand in "ABD":
        spec = tile.layouts[operand]
        for at, digits in {**spec.coordinates, "lane": spec.lane}.items():
            value = prod(sizes.size(spec.digits[d]) for d in digits)
            if value != wanted[at][0]:
                yield _Misfit(case, operand, at, value, *wanted[at])
                break


def _check_layouts(cases: Sequence[Case], known: Known) -> Iterator[Diagnostic]:
    """Sizes multiply to what each instruction needs.

    Where a list fails most instructions of a tile, it is to blame; where it fails few, they are.
    """
    found: dict[tuple[str, str, str], list[_Misfit]] = {}
    users: dict[str, int] = {}
    for case in cases:
        sizes, tile = case.sizes, case.name.tile
        if sizes and tile in known.tiles:
            users[tile] = users.get(tile, 0) + 1
            for misfit in _misfits(case, sizes, known.tiles[tile][1]):
                found.setdefault((tile, misfit.operand, misfit.list), []).append(misfit)
    for (tile, operand, at), misfits in found.items():
        document, file = known.tiles[tile]
        spec = file.layouts[operand]
        path = ("layouts", operand, at)
        digits = getattr(spec, at)
        if 2 * len(misfits) > users[tile]:
            first = misfits[0]
            more = f" (and {len(misfits) - 1} more)" if len(misfits) > 1 else ""
            message = (
                f"{quoted(at)} of {quoted(operand)} has {first.value} values "
                f"({product_text(spec, digits)}); {first.case.mnemonic}{more} has "
                f"{first.wanted} {first.what}"
            )
            yield document.at("spec-size", path, message)
            continue
        mark = document.mark(path)
        for misfit in misfits:
            message = (
                f"{misfit.case.mnemonic} has {misfit.wanted} {misfit.what}, but {quoted(at)} of "
                f"{quoted(operand)} in tile {tile} gives {misfit.value}"
            )
            hint = f"the list is in {document.path}:{mark.line}:{mark.column}"
            yield misfit.case.problem("spec-size", (), message, key=True, hint=hint)
