"""All that is known about an instruction, as the lines of one screen."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from layoutgen.alike import made_by
from layoutgen.assembly import assembly
from layoutgen.cli.effects import effects, legal
from layoutgen.cli.screen import answered, width
from layoutgen.cli.tabular import Grid, text
from layoutgen.codes import pair_packing
from layoutgen.disputes import touching
from layoutgen.facts import Arithmetic
from layoutgen.hazards import waits
from layoutgen.model import CYCLES_PER_PASS, Architecture, Disagreement, Instruction, Operand

if TYPE_CHECKING:
    from layoutgen.printing import Notation

EXEC_IGNORED = "lanes that EXEC turns off take part all the same"
NO_BREAK = "\N{NO-BREAK SPACE}"
COMPUTES = {"sparse": "A·B + D, of A two of every four k", "scaled": "A·B + C, both scaled"}


def sheet(
    arch: Architecture,
    inst: Instruction,
    given: Mapping[str, Any],
    notation: Notation,
    *,
    who: bool = False,
) -> Iterator[str]:
    """Yield the lines about `inst`, with the modifiers that are set.

    Where sources disagree the claims are told; with `who` also who makes them.
    """
    operands = [inst.operand(name, **given) for name in inst.operands]
    yield from _heading(arch, inst, given)
    yield ""
    yield text(_registers(operands))
    yield from _formulas(operands, notation)
    yield ""
    yield from _sources(arch, inst, operands, who=who)


def builtin_text(arch: Architecture, inst: Instruction) -> str:
    """Return the builtin's declaration, or how else the instruction is had."""
    if inst.builtin:
        return inst.signature
    maker = made_by(inst, arch)
    if maker is None:
        return "none"
    extra = [a for a in maker.arguments if a not in (*inst.operands, *inst.rules.fields)]
    return (
        f"none of its own: the compiler makes it of {maker.builtin} where {', '.join(extra)} are "
        "all the constant 0"
    )


def labelled(facts: Mapping[str, str | list[str]], column: int) -> Iterator[str]:
    """Yield facts with their names in a column of that width; a list has a line for each entry."""
    for name, fact in facts.items():
        parts = [fact] if isinstance(fact, str) else fact
        for n, part in enumerate(part for part in parts if part):
            label = f"  {name if n == 0 else '':<{column}}"
            nested = 4 if part.startswith(" ") else 0
            yield from answered(label, part, len(label) + nested)


def _heading(arch: Architecture, inst: Instruction, given: Mapping[str, Any]) -> Iterator[str]:
    cycles = inst.cycles_under(**given)
    per_cu = inst.ops * arch.matrix_cores_per_cu // cycles
    facts: dict[str, str | list[str]] = {
        "builtin": builtin_text(arch, inst),
        "other names": ", ".join(filter(None, (inst.llvm_intrinsic, *inst.spellings))),
        "assembly": assembly(inst, **given),
        "encoding": _encoding(inst),
        "computes": _computes(arch, inst),
        "operations": [f"{inst.ops}, {per_cu} per cycle and CU", _peaks(arch, per_cu)],
        "cycles": _cycles(inst, cycles),
        "subnormals": _subnormals(arch, inst, given),
        "modifiers": [legal(inst), *effects(inst)],
        "index": list(pair_packing()) if inst.sparse else "",
        "registers": _files(arch),
        "EXEC": EXEC_IGNORED if arch.exec_ignored else "",
        "wait states": _waits(arch, inst, given),
        "available": ", ".join(inst.targets),
    }
    yield f"{inst.mnemonic} on {arch.name} ({arch.title}, {arch.series})"
    yield from labelled(facts, 12)


def _peaks(arch: Architecture, per_cu: int) -> str:
    """Return what products reach with the instruction: ops per cycle and CU × CUs × clock."""
    rates = ((gpu.name, per_cu * gpu.compute_units * gpu.clock_ghz / 1000) for gpu in arch.gpus)
    return "; ".join(
        f"{name} at its peak clock: {rate:.1f}·10¹² per second" for name, rate in rates
    )


def _encoding(inst: Instruction) -> str:
    if inst.opcode is None:
        return ""
    text = f"VOP3P-MAI, opcode {inst.opcode} (0x{inst.opcode:02x})"
    if "scale_a" in inst.operands:
        return f"{text}, 128 bits: v_mfma_ld_scale_b32 is its first half"
    return f"{text}, 64 bits"


def _computes(arch: Architecture, inst: Instruction) -> str:
    blocks = f"{inst.blocks} blocks" if inst.blocks > 1 else "1 block"
    kind = "sparse" if inst.sparse else "scaled" if "scale_a" in inst.operands else ""
    formula = COMPUTES.get(kind, "A·B + C")
    return f"D = {formula}: {inst.m}×{inst.n}, k = {inst.k}, {blocks}, wave {arch.wave}"


def _subnormals(arch: Architecture, inst: Instruction, given: Mapping[str, Any]) -> str:
    told = arch.arithmetic_of(inst, **given)
    if told is None:
        return ""
    return arithmetic_text(told)


def arithmetic_text(told: Arithmetic) -> str:
    """Return what becomes of subnormal numbers, and how D is rounded."""
    return f"{told.subnormals}; D is rounded to {told.rounding}"


def _cycles(inst: Instruction, cycles: int) -> str:
    text = f"{cycles} = {cycles // CYCLES_PER_PASS} passes"
    if inst.narrow is not None:
        bits, fewer = inst.narrow
        text += f"; {fewer} where A and B are of {bits} bits or fewer, else {inst.cycles}"
    if inst.coexec_cycles is None:
        return f"{text}; how far VALU work overlaps is not published"
    return f"{text}; VALU work overlaps {inst.coexec_cycles}"


def _files(arch: Architecture) -> str:
    if arch.unified_registers:
        return "archVGPRs (v) and accVGPRs (a) are one file: a wavefront takes the sum of both"
    return "archVGPRs (v) and accVGPRs (a) are two files: the larger number of a wavefront counts"


def _waits(arch: Architecture, inst: Instruction, given: Mapping[str, Any]) -> str:
    return "; ".join(f"{w.states} before {w.told}" for w in waits(arch, inst, **given))


def _registers(operands: list[Operand]) -> Grid:
    columns = ("operand", "type", "elements per lane", "registers", "begin at", "file", "C type")
    rows = [
        (
            o.name,
            o.format.name,
            o.elements_per_lane,
            o.registers,
            "any" if o.alignment == 1 else "even" if o.alignment == 2 else f"{o.alignment}n",
            " or ".join(o.register_files),
            o.c_type,
        )
        for o in operands
    ]
    return Grid(columns, rows)


def _formulas(operands: list[Operand], notation: Notation) -> Iterator[str]:
    from layoutgen.export.documents import formulas_in

    laid: dict[tuple[str, str], list[str]] = {}
    for operand in operands:
        both = formulas_in(operand.formulas, notation)
        reads = "read from " if operand.reroute else ""
        stored = "registers hold " if operand.reroute else ""
        forward, inverse = (_equations(both[way], notation) for way in ("forward", "inverse"))
        lines = (f"{reads}{forward}", f"{stored}{inverse}")
        laid.setdefault(lines, []).append(_indexed(operand))
    for (forward, inverse), names in laid.items():
        yield ", ".join(names)
        yield from _folded(forward)
        yield from _folded(inverse)


def _indexed(operand: Operand) -> str:
    inner = "".join(f"[{name}]" for name in operand.layout.shape if name != "b")
    acts = operand.reroute or any(operand.layout.fixed.values()) or operand.negated
    under = f" under {operand.modifiers}" if acts else ""
    minus = "-" if operand.negated else ""
    return f"{minus}{operand.name}{inner} of block b{under}"


def _equations(named: dict[str, str], notation: Notation) -> str:
    return ",  ".join(
        f"{notation.names.get(name, name)} = {formula}" for name, formula in named.items()
    )


def _folded(equations: str) -> list[str]:
    """Return equations as lines, folded between them where each fits into a line."""
    whole = ",  ".join(
        equation.replace(" ", NO_BREAK) if len(equation) < width() - 6 else equation
        for equation in equations.split(",  ")
    )
    return [line.replace(NO_BREAK, " ") for line in answered("  ", whole, 4)]


def _sources(
    arch: Architecture, inst: Instruction, operands: list[Operand], *, who: bool
) -> Iterator[str]:
    known: dict[tuple[str, str], list[str]] = {}
    for operand in operands:
        p = operand.provenance
        titles = "; ".join(source.title for source in p.sources)
        known.setdefault((f"{p.grade} ({p.by})", titles), []).append(operand.name)
    for (grade, titles), names in known.items():
        yield from answered(f"layout of {', '.join(names)}: ", grade, 4)
        yield from answered("  sources: ", titles, 4)
    for entry in touching(arch, inst):
        yield from answered("sources disagree: ", f"{entry.title[0].lower()}{entry.title[1:]}", 4)
        for label, claim in readings(entry, who=who):
            yield from answered(f"  {label}: ", claim, 4)


def readings(entry: Disagreement, *, who: bool) -> Iterator[tuple[str, str]]:
    """Yield what the sources of a disagreement claim, first what is followed; and `who` says so."""
    for reading in sorted(entry.readings, key=lambda reading: reading.name != entry.followed):
        label = "here" if reading.name == entry.followed else "others"
        yield label, f"{reading.claim} ({reading.who})" if who else reading.claim
