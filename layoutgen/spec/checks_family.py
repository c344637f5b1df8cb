"""Checks of families of instructions: names, types, modifiers, and that the layouts fit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import prod

from layoutgen.actions import FIELD_OF_BYTE, FIELD_OF_FORMAT
from layoutgen.model import nearest
from layoutgen.spec.checks_tile import product_text
from layoutgen.spec.derive import Shape, layout_name, operands, plain_format, shape
from layoutgen.spec.document import Document, Path
from layoutgen.spec.errors import Code, Diagnostic, listed, quoted
from layoutgen.spec.mnemonic import CONVENTION, Mnemonic, meant, parse
from layoutgen.spec.schema import FormatSpec, TileFile
from layoutgen.spec.schema_instructions import FamilySpec

WAVE = 64

FIELDS: Mapping[tuple[str, str], tuple[str, ...]] = {
    ("A", "broadcast"): ("cbsz", "abid"),
    ("B", "lanes"): ("blgp",),
    ("index", "set"): ("cbsz", "abid"),
    **{(operand, "format"): (name,) for operand, name in FIELD_OF_FORMAT.items()},
    **{(operand, "byte"): (name,) for operand, name in FIELD_OF_BYTE.items()},
    **{(operand, "negate"): () for operand in "ABC"},
}
"""What can be done to which operand, and the fields that it takes for itself."""

MORE_OPERANDS = ("index", "scale_a", "scale_b")
"""Operands that only some families have."""


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
    """An instruction of a family: where it stands, and what its name and family say."""

    document: Document
    at: Path
    family: FamilySpec
    name: Mnemonic
    sizes: Shape = field(default_factory=lambda: Shape(0, 0, {}))

    def problem(self, code: Code, message: str, hint: str = "") -> Diagnostic:
        """Return a diagnostic at the instruction's name."""
        return self.document.at(code, self.at, message, hint=hint)

    def layouts(self) -> Iterator[tuple[str, str, str]]:
        """Yield operands, the names of their layouts, and the names of their element types."""
        for operand in operands(self.family):
            codes = self.family.codes if operand in "AB" else ()
            for code in codes:
                yield operand, layout_name(self.family, operand, code.variant), code.format
            if not codes and operand != "C":
                plain = plain_format(self.name, self.family, operand)
                yield operand, layout_name(self.family, operand), plain


def check_families(
    families: Sequence[tuple[Document, str, FamilySpec]], known: Known
) -> Iterator[Diagnostic]:
    """Yield what is wrong with families, and with the tiles where they do not serve them."""
    whole: list[Case] = []
    for document, key, family in families:
        at: Path = ("families", key)
        yield from check_modifiers(document, (*at, "modifiers"), family.modifiers, family)
        yield from _check_arguments(document, at, family)
        for n, text in enumerate(family.instructions):
            where = (*at, "instructions", n)
            name = parse(text)
            if name is None:
                yield _no_name(document, where, text)
                continue
            case = Case(document, where, family, name)
            if problems := list(_check_names(case, known)):
                yield from problems
            elif sizes := shape(name, family, WAVE):
                whole.append(Case(document, where, family, name, sizes))
            else:
                yield _does_not_fit(case)
    yield from _check_layouts(whole, known)


def check_modifiers(
    document: Document, at: Path, modifiers: Mapping[str, str], family: FamilySpec
) -> Iterator[Diagnostic]:
    """Yield actions that an operand cannot take, or that need a field of another one."""
    taken: dict[str, str] = {}
    for operand, action in modifiers.items():
        message = ""
        if (operand, action) not in FIELDS:
            can = [a for o, a in FIELDS if o == operand]
            message = f"{quoted(operand)} cannot {quoted(action)}; wanted {listed(can, 'or')}"
        elif operand not in operands(family):
            message = f"the family has no operand {quoted(operand)}: 'formats' does not name it"
        elif action == "format" and not family.codes:
            message = "the family has no 'codes' to choose a format from"
        for name in FIELDS.get((operand, action), ()):
            if taken.setdefault(name, operand) != operand:
                message = message or f"{name} already serves {quoted(taken[name])}"
        if message:
            yield document.at("spec-modifier", (*at, operand), message)


def _check_arguments(document: Document, at: Path, family: FamilySpec) -> Iterator[Diagnostic]:
    """The call has every operand but D, and none that is not there."""
    if not family.arguments:
        return
    wanted = [operand for operand in operands(family) if operand != "D"]
    for operand in wanted:
        if operand not in family.arguments:
            message = f"'arguments' leaves out the operand {quoted(operand)}"
            yield document.at("spec-arguments", (*at, "arguments"), message)
    for n, name in enumerate(family.arguments):
        if name in MORE_OPERANDS and name not in wanted:
            message = f"the family has no operand {quoted(name)}: 'formats' does not name it"
            yield document.at("spec-arguments", (*at, "arguments", n), message)


def _no_name(document: Document, at: Path, text: str) -> Diagnostic:
    message = f"{quoted(text)} is no name of an instruction; wanted {CONVENTION}"
    wanted = meant(text)
    hint = ""
    if wanted != text and parse(wanted):
        hint = f"write {wanted}: v_, the block count and the newer spelling follow from it"
    return document.at("spec-mnemonic", at, message, hint=hint)


def _check_names(case: Case, known: Known) -> Iterator[Diagnostic]:
    """Tile, types and layouts are there; without them nothing can follow."""
    name, family = case.name, case.family
    types = [name.d] if family.codes else [name.d, name.a, name.b]
    for kind, wanted in (("tile", name.tile), *(("formats", t) for t in types)):
        if message := known.misses(kind, wanted):
            yield case.problem("spec-unknown-name", message)
            return
    if name.tile not in known.tiles:
        return
    layouts = known.tiles[name.tile][1].layouts
    for operand, layout, _ in case.layouts():
        if layout not in layouts:
            message = (
                f"tile {name.tile} has no layout {quoted(layout)} for {quoted(operand)}"
                f"{nearest(layout, list(layouts))}"
            )
            yield case.problem("spec-unknown-name", message)
            return
        action = family.modifiers.get(operand)
        if action in ("set", "byte") and len(layouts[layout].holes) != 1:
            message = f"{layout} of tile {name.tile} must have one hole: {action} fixes it"
            yield case.problem("spec-modifier", message)
            return


def _does_not_fit(case: Case) -> Diagnostic:
    family, name = case.family, case.name
    stored = "K" if family.compression == 1 else f"K/{family.compression}"
    fits = [e for e in range(1, name.k + 1) if shape(name, _holding(family, e), WAVE)]
    wanted = listed([str(e) for e in fits], "or") or "none for this tile and k"
    message = (
        f"{family.elements_per_lane} elements per lane do not fit {name.name}: blocks = "
        f"{WAVE}·{family.elements_per_lane} / ({name.m}·{stored}) and {stored} / "
        f"{family.elements_per_lane} must be whole, K = {name.k}; possible: {wanted}"
    )
    return case.problem("spec-elements-per-lane", message)


def _holding(family: FamilySpec, elements_per_lane: int) -> FamilySpec:
    return replace(family, elements_per_lane=elements_per_lane)


@dataclass(frozen=True)
class _Misfit:
    """A list of digits whose product is not what an instruction needs."""

    case: Case
    list: str
    value: int
    wanted: int
    what: str


def _misfits(case: Case, known: Known) -> Iterator[tuple[str, _Misfit]]:
    """Yield the first list of each layout that does not fit an instruction."""
    name = case.name
    for operand, layout, type_ in case.layouts():
        if type_ not in known.formats:
            continue
        spec = known.tiles[name.tile][1].layouts[layout]
        sizes = case.sizes.quantities(operand, known.formats[type_].bits)
        wanted = {
            "b": (case.sizes.blocks, "blocks"),
            "i": (name.m, "rows"),
            "j": (name.n, "columns"),
            "k": (case.sizes.stored[operand], "stored values of k"),
            "group": (case.sizes.stored[operand], "groups of k"),
            "lane": (WAVE, "lanes"),
        }
        for at, digits in {**spec.coordinates, "lane": spec.lane}.items():
            value = prod(sizes.size(spec.digits[d]) for d in digits)
            if value != wanted[at][0]:
                yield layout, _Misfit(case, at, value, *wanted[at])
                break


def _check_layouts(cases: Sequence[Case], known: Known) -> Iterator[Diagnostic]:
    """Sizes multiply to what each instruction needs.

    Where a list fails most of the instructions that use a layout, it is to blame; where it fails
    few, they are.
    """
    found: dict[tuple[str, str, str], list[_Misfit]] = {}
    users: dict[tuple[str, str], int] = {}
    for case in cases:
        tile = case.name.tile
        if tile not in known.tiles:
            continue
        for layout in {layout for _, layout, _ in case.layouts()}:
            users[tile, layout] = users.get((tile, layout), 0) + 1
        for layout, misfit in _misfits(case, known):
            found.setdefault((tile, layout, misfit.list), []).append(misfit)
    for (tile, layout, at), misfits in found.items():
        document, file = known.tiles[tile]
        spec, path = file.layouts[layout], ("layouts", layout, at)
        if 2 * len(misfits) > users[tile, layout]:
            first = misfits[0]
            more = f" (and {len(misfits) - 1} more)" if len(misfits) > 1 else ""
            message = (
                f"{quoted(at)} of {quoted(layout)} has {first.value} values "
                f"({product_text(spec, getattr(spec, at))}); {first.case.name.name}{more} has "
                f"{first.wanted} {first.what}"
            )
            yield document.at("spec-size", path, message)
            continue
        mark = document.mark(path)
        for misfit in misfits:
            message = (
                f"{misfit.case.name.name} has {misfit.wanted} {misfit.what}, but {quoted(at)} of "
                f"{quoted(layout)} in tile {tile} gives {misfit.value}"
            )
            hint = f"the list is in {document.path}:{mark.line}:{mark.column}"
            yield misfit.case.problem("spec-size", message, hint)
