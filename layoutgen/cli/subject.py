"""From the names on the command line to the architecture, the instruction and the operand."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from layoutgen.actions import FormatCode
from layoutgen.cli.errors import Fault
from layoutgen.cli.parser import MODIFIERS
from layoutgen.cli.words import Base, tuple_name
from layoutgen.digits import LayoutError
from layoutgen.model import Architecture, Instruction, Operand, UnknownName
from layoutgen.modifiers import IllegalModifier

if TYPE_CHECKING:
    from layoutgen.spec import Catalogue

FILES = {"v": "archVGPR", "a": "accVGPR"}
"""What the letters of registers stand for."""
SIGNS = ("blgp", "neg")
"""Two names of one field, where an instruction has `neg`."""
LAST_REGISTER = 255
"""The last archVGPR and the last accVGPR that an instruction can name: 8 bits in the encoding."""


@dataclass(frozen=True)
class Subject:
    """What a question is about."""

    arch: Architecture
    instruction: Instruction
    operand: Operand

    @property
    def title(self) -> str:
        """The operand in words: ``A of v_mfma_f32_32x32x1f32 on gfx908``."""
        return f"{self.operand.name} of {self.instruction.mnemonic} on {self.arch.name}"


def catalogue(options: argparse.Namespace) -> Catalogue:
    """Return the specifications: the built-in ones and those of ``--spec-dir``."""
    from layoutgen.spec import Catalogue

    for folder in options.spec_dir:
        if not folder.is_dir():
            raise Fault(f"--spec-dir {folder}: there is no such folder")
    return Catalogue(options.spec_dir)


def detail(options: argparse.Namespace, text: str) -> None:
    """Print a remark to stderr if ``-v`` was given."""
    if options.verbose:
        note(options, text)


def architecture(options: argparse.Namespace) -> Architecture:
    """Return the architecture that the command line names."""
    from layoutgen.called import named_format

    specs = catalogue(options)
    try:
        return named(options, specs, options.arch)
    except UnknownName as unknown:
        every = specs.architectures.values()
        if any(named_format(arch.formats, options.arch) for arch in every):
            raise Fault(
                f"{options.arch!r} is a format: the architecture comes first, as in "
                f"'layoutgen format {specs.names[-1]} {options.arch}'"
            ) from None
        swapped = [arch.name for arch in specs.architectures.values() if options.arch in arch]
        if swapped:
            raise Fault(
                f"{options.arch!r} is an instruction of {swapped[0]}: the architecture comes "
                f"first, as in 'layoutgen show {swapped[0]} {options.arch}'"
            ) from None
        raise unknown


def named(options: argparse.Namespace, specs: Catalogue, name: str) -> Architecture:
    """Return an architecture by its name, and tell of its files if ``-v`` was given."""
    arch = specs.arch(name)
    detail(options, f"{arch.name} is specified in {', '.join(arch.files)}")
    return arch


def instruction(options: argparse.Namespace) -> tuple[Architecture, Instruction]:
    """Return the instruction; a wrong name is told with the nearest and where it does exist."""
    arch = architecture(options)
    name: str = options.instruction
    if name in arch:
        return arch, arch[name]
    from layoutgen.alike import alike

    others = [a.name for a in catalogue(options).architectures.values() if name in a]
    there = f"; it is on {', '.join(others)}" if others else ""
    found = ", ".join(alike(name, arch))
    close = f"nearest: {found}" if found else f"see 'layoutgen list {arch.name}'"
    raise UnknownName(f"{arch.name} has no instruction {name!r}{there}; {close}")


def modifiers(options: argparse.Namespace, inst: Instruction | None = None) -> dict[str, Any]:
    """Return the modifier fields that the command line sets, of those that `inst` has."""
    given = {name: getattr(options, name) for name in MODIFIERS}
    found = {name: value for name, value in given.items() if value is not None}
    fields = inst.rules.fields if inst else ()
    known = dict.fromkeys("op_sel" if name.startswith("op_sel") else name for name in fields)
    for name in found:
        if inst is not None and name not in known:
            options_known = ", ".join(map(option_of, known))
            raise Fault(f"{inst.mnemonic} has no {option_of(name)}: it has {options_known}")
    return {name: _number(inst, name, value) for name, value in found.items()}


def _number(inst: Instruction | None, field: str, value: Any) -> Any:
    """Return the value of a field, or the code of the format that it names."""
    if not isinstance(value, str) or inst is None:
        return value
    actions = inst.rules.actions
    codes = next((a for a in actions if isinstance(a, FormatCode) and field in a.fields), None)
    if codes is None:
        raise Fault(f"{option_of(field)} {value!r} is not a whole number")
    if value not in codes.formats:
        known = ", ".join(codes.formats)
        raise Fault(f"{option_of(field)} {value!r} is no format of {inst.mnemonic}: {known}")
    return codes.formats.index(value)


def option_of(modifier: str) -> str:
    """Return the option that sets a modifier."""
    return f"--{modifier.replace('_', '-')}"


def idle(inst: Instruction, operand: str, given: Mapping[str, Any]) -> list[str]:
    """Return the modifiers that do not change where `operand` is read from."""
    found = []
    for name in (name for name, value in given.items() if value):
        same = SIGNS if name in SIGNS and "neg" in inst.rules.fields else (name,)
        others = {n: v for n, v in given.items() if n not in same}
        try:
            alone = inst.operand(operand, **others)
        except IllegalModifier:  # the others need it
            continue
        set_ = inst.operand(operand, **given)
        if _read_alike(alone, set_):
            found.append(name)
    return found


def _read_alike(one: Operand, other: Operand) -> bool:
    """Tell whether two readings of an operand are the same."""
    return (one.layout, one.format, one.reroute, one.negated) == (
        other.layout,
        other.format,
        other.reroute,
        other.negated,
    )


def subject(options: argparse.Namespace) -> Subject:
    """Return the operand with its modifiers, and what it belongs to."""
    arch, inst = instruction(options)
    name = operand_of(inst, options.operand)
    what = Subject(arch, inst, inst.operand(name, **modifiers(options, inst)))
    known = what.operand.provenance
    sources = "; ".join(source.title for source in known.sources)
    detail(options, f"layout of {what.title}: {known.grade} ({known.by}); sources: {sources}")
    return what


def operand_of(inst: Instruction, given: str) -> str:
    """Return the name of an operand as the instruction spells it, whatever its case."""
    by_folded = {name.lower(): name for name in inst.operands}
    if "[" in given:
        raise Fault(f"{given!r} is an element: 'layoutgen locate' tells where it lies")
    return inst.operand(by_folded.get(given.lower(), given)).name


def sources(
    options: argparse.Namespace, what: Subject, at: Mapping[str, int]
) -> list[tuple[Operand, dict[str, int]]]:
    """Return the elements that make one element of D, as read under modifiers."""
    from layoutgen.origins import origins

    if what.operand.name != "D":
        raise Fault(f"--sources asks what makes an element of D, not of {what.operand.name}")
    given = options.index
    pairs = given[0] if given is not None and len(given) == 1 else given
    set_fields = {n: v for n, v in what.operand.modifiers.as_dict().items() if v}
    found = origins(what.instruction, b=at["b"], i=at["i"], j=at["j"], pairs=pairs, **set_fields)
    return [(_in_file(options, origin.operand), origin.element) for origin in found]


def _in_file(options: argparse.Namespace, source: Operand) -> Operand:
    """Return a source under the letter of its file: C lies in the file of D."""
    if options.base is None or source.name != "C":
        return source
    return replace(source, register_files=(options.base[0],))


def check_place(options: argparse.Namespace, what: Subject) -> None:
    """Refuse --transpose and --index where they do nothing."""
    if options.transpose and what.operand.name not in ("C", "D"):
        raise Fault(
            "--transpose is about C and D, the tile of a product with A and B exchanged: ask for "
            f"the other operand instead of {what.operand.name}"
        )
    if options.index is not None and not options.sources:
        raise Fault("--index says which k a sparse A stores: it needs --sources")


def transposed(options: argparse.Namespace, at: Mapping[str, int]) -> dict[str, int]:
    """Return coordinates with rows and columns exchanged, if that is asked for."""
    if not options.transpose:
        return dict(at)
    return {**at, "i": at["j"], "j": at["i"]}


def base_of(options: argparse.Namespace, what: Subject) -> Base | None:
    """Return the first register of ``--base``, in which the operand must be able to begin."""
    if options.base is None:
        return None
    file, first, last = options.base
    operand, given = what.operand, f"{options.base[0]}{options.base[1]}"
    if file not in operand.register_files:
        other = operand.register_files[0]
        raise Fault(
            f"{what.title} lies in {FILES[other]}s only: --base {other}{first}, not {given}"
        )
    if over := first % operand.alignment:
        below = first - over
        raise Fault(
            f"--base {given}: {what.title} takes {operand.registers} registers and begins at a "
            f"multiple of {operand.alignment}: {file}{below} or {file}{below + operand.alignment}"
        )
    end = first + operand.registers - 1
    if end > LAST_REGISTER:
        raise Fault(
            f"--base {given}: {what.title} takes {operand.registers} registers, and there is no "
            f"{file}{end}: the last is {file}{LAST_REGISTER}"
        )
    if last is not None and last - first + 1 != operand.registers:
        raise Fault(
            f"--base {file}[{first}:{last}] is {last - first + 1} registers: {what.title} takes "
            f"{operand.registers}, {tuple_name(operand, Base(file, first))}"
        )
    return Base(file, first)


def within(what: Subject, name: str, value: int, size: int) -> int:
    """Return `value`, or raise :class:`LayoutError` unless it is in 0 … size-1."""
    if not 0 <= value < size:
        hint = ""
        if name == "k" and what.operand.name == "A" and what.instruction.sparse:
            hint = f"; of the {what.instruction.k} k, A stores {size}: k counts what is stored"
        if name == "group" and 0 <= value < what.instruction.k:
            hint = f"; for the group that k {value} is in give -k {value}"
        raise LayoutError(f"{what.title}: {name} {value} is out of range: 0 to {size - 1}{hint}")
    return value


def note(options: argparse.Namespace, text: str) -> None:
    """Print a remark to stderr, unless ``-q`` was given."""
    if not options.quiet:
        with suppress(OSError):  # the work is done, whether anybody can be told or not
            print(f"layoutgen: note: {text}", file=sys.stderr)
