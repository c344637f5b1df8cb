"""The context of one builtin's page or fragment."""

from __future__ import annotations

from typing import TYPE_CHECKING

from layoutgen import tables
from layoutgen.assembly import assembly
from layoutgen.disputes import touching
from layoutgen.hazards import waits
from layoutgen.pages import blocks, fields, words
from layoutgen.pages.known import plain
from layoutgen.pages.parts import TITLES, parts
from layoutgen.pages.rst import Rst, code, escape, fill, list_table, merge
from layoutgen.snippets import snippet

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from layoutgen.model import Architecture, Instruction, Provenance


def context(
    arch: Architecture, inst: Instruction, proof: Mapping[tuple[str, str], str]
) -> dict[str, object]:
    """Return what the templates ``builtin`` and ``fragment`` need beside the globals."""
    pairs = tables.conflicts(inst)
    return {
        "arch": arch,
        "inst": inst,
        "label": label(arch, inst),
        "summary": summary(inst),
        "description": f"{inst.builtin or inst.mnemonic}: register layouts of "
        f"{_listed(inst)}, modifiers, throughput on {arch.name}.",
        "declaration": declaration(inst),
        "call": call(inst),
        "scaled_by": _scaled_by(arch, inst),
        "kernel": snippet(inst),
        "provenance": provenance(inst),
        "parts": parts(inst, _only_block(arch, inst)),
        "glance": glance(arch, inst, proof),
        "parameters": parameters(inst),
        "register_files": register_files(inst),
        "conflicts": merge(sorted({pair.cbsz for pair in pairs})),
        "conflict_link": Rst("See :ref:`both readings <mfma-cbsz-readings>`."),
        "effects": fields.effects(inst),
        "driven": fields.names(fields.driven(inst)),
        "combinations": sum(1 for _ in inst.rules.combinations()),
        "unused": fields.names([n for n in fields.arguments(inst) if _idle(inst, n)]),
        "waits": wait_table(arch, inst),
        "exec_ignored": arch.exec_ignored,
        "disputes": touching(arch, inst),
    }


def label(arch: Architecture, inst: Instruction) -> str:
    """Return the label of a builtin's page: ``gfx908-f32-32x32x1f32``."""
    return f"{arch.name}-{inst.slug}"


def summary(inst: Instruction) -> Rst:
    """Return one sentence of what the builtin does."""
    a, b, d = (escape(_title(inst, name)) for name in "ABD")
    blocks_ = "" if inst.blocks == 1 else f", in each of {words.count(inst.blocks, 'block')}"
    sparse = "sparse " if inst.sparse else ""
    scaled = ", each with its scales," if "scale_a" in inst.operands else ""
    return fill(
        f"Multiplies {sparse}*A* ({inst.m}×{inst.k}, {{a}}) by *B* ({inst.k}×{inst.n}, {{b}}) and "
        f"adds the product{scaled} to *C* ({inst.m}×{inst.n}, {{d}}){blocks_}.",
        a=a,
        b=b,
        d=d,
    )


def _title(inst: Instruction, name: str) -> str:
    """Return the format of an operand; where there are several to choose from, that."""
    return "a format by code" if name in inst.alternatives else inst.operands[name].format.title


def declaration(inst: Instruction) -> str:
    """Return the declaration over several lines, indented for a code block."""
    head, _, rest = inst.signature.partition("(")
    lines = rest.rstrip(")").split(", ")
    return f"{head}(\n" + ",\n".join(f"       {line}" for line in lines) + ");"


def call(inst: Instruction) -> str:
    """Return a call with all modifiers 0; empty if there is no builtin."""
    if not inst.builtin:
        return ""
    given = ", ".join(n.lower() if n in inst.operands else "0" for n in inst.arguments)
    return f"{inst.operands['D'].c_type} d = {inst.builtin}({given});"


def _scaled_by(arch: Architecture, inst: Instruction) -> str:
    """Return the builtin of the same product that takes scales, for an instruction without one."""
    return next(
        (
            other.builtin
            for other in arch.values()
            if not inst.builtin
            and "scale_a" in other.operands
            and (other.m, other.n, other.k) == (inst.m, inst.n, inst.k)
        ),
        "",
    )


def _listed(inst: Instruction) -> str:
    named = [n for n in inst.operands if n != "D"] + ["D"]
    return f"{', '.join(named[:-1]).replace('_', ' ')} and {named[-1]}"


def provenance(inst: Instruction) -> list[dict[str, object]]:
    """Return how well the layouts are known, operands of the same provenance together."""
    found: dict[Provenance, list[str]] = {}
    for name, operand in inst.operands.items():
        found.setdefault(operand.provenance, []).append(plain(name))
    return [{"names": merge(sorted(names)), "known": known} for known, names in found.items()]


def _only_block(arch: Architecture, inst: Instruction) -> str:
    """Return what to say below a figure that shows more blocks than the instruction has."""
    alike = [o for o in arch.values() if o.tile == inst.tile and _same_d(o, inst)]
    most = max(other.blocks for other in alike)
    if inst.blocks == most:
        return ""
    has = "block 0" if inst.blocks == 1 else f"blocks 0 to {inst.blocks - 1}"
    return (
        f" The figure serves all {words.size(inst.tile)} tiles: of its {most} blocks this "
        f"instruction has {has}."
    )


def _same_d(one: Instruction, other: Instruction) -> bool:
    d, e = one.operands["D"], other.operands["D"]
    return (d.variant, d.format.bits) == (e.variant, e.format.bits)


def glance(arch: Architecture, inst: Instruction, proof: Mapping[tuple[str, str], str]) -> Rst:
    """Return the table of facts; the line of proof has its fixed place at the end."""
    row = tables.rate(arch, inst)
    coexec = {None: "not published", 0: "0 (not possible)"}.get(
        row.coexec_cycles, str(row.coexec_cycles)
    )
    facts: list[tuple[str, object]] = [
        ("Instruction", code(inst.mnemonic)),
        *(("Spelling on other targets", code(name)) for name in inst.spellings),
        *([("Opcode", f"{inst.opcode} (VOP3P-MAI)")] if inst.opcode is not None else []),
        ("In the assembler", code(assembly(inst))),
        *([("LLVM intrinsic", code(inst.llvm_intrinsic))] if inst.builtin else []),
        ("Targets", merge(code(target) for target in inst.targets)),
        ("M × N × K", words.shape(inst)),
        ("Blocks", str(inst.blocks)),
        ("Operations", str(row.ops)),
        ("Cycles", _cycles(row)),
        ("VALU co-execution cycles", coexec),
        ("Operations per cycle and CU", words.whole(row.per_cu)),
    ]
    for suffix, modifiers in blocks.speeds(inst):
        if inst.cycles_under(**modifiers) != inst.cycles:
            other = tables.rate(arch, inst, **modifiers)
            facts.append((f"Cycles{suffix}", _cycles(other)))
            facts.append((f"Operations per cycle and CU{suffix}", words.whole(other.per_cu)))
    facts.append(("How well the layouts are known", _grades(inst)))
    if (line := proof.get((arch.name, inst.mnemonic))) is not None:
        facts.append(("Checked", line))
    return list_table(("Property", "Value"), facts, f"On {arch.name}", "layout-facts")


def _cycles(row: tables.Rate) -> str:
    return f"{row.cycles} ({words.passes(row.passes)})"


def _grades(inst: Instruction) -> str:
    grades: dict[str, list[str]] = {}
    for name, operand in inst.operands.items():
        grades.setdefault(operand.provenance.grade, []).append(plain(name))
    return "; ".join(f"{', '.join(sorted(names))}: {grade}" for grade, names in grades.items())


def parameters(inst: Instruction) -> Rst:
    """Return the table of parameters and the result: type, registers of a lane, values.

    Without a builtin: operands and fields of the instruction.
    """
    order = inst.arguments or (*(n for n in inst.operands if n != "D"), *fields.arguments(inst))
    rows: list[Sequence[object]] = []
    for name in order:
        if name in inst.operands:
            rows.append((code(name.lower()), *_share(inst, name)))
        else:
            rows.append((code(name), code("const int"), "none", fields.values(inst, name)))
    rows.append(("result", *_share(inst, "D")))
    header = ("Parameter", "Type", "Registers", "Values")
    return list_table(header, rows, "Parameters and result of one lane", "layout-parameters")


def _share(inst: Instruction, name: str) -> tuple[object, ...]:
    operand = inst.operands[name]
    if name in inst.alternatives:
        every = sorted({o.registers for o in inst.alternatives[name]})
        content = (
            f"{operand.elements_per_lane} × the format of {name}, which takes "
            f"{merge(every, last=' or ')} of the registers"
        )
    else:
        of = "" if name == "index" else f" of {plain(name)}"
        content = f"{operand.elements_per_lane} × {operand.format.title}{of}"
    return code(operand.c_type), str(operand.registers), content


def register_files(inst: Instruction) -> Rst:
    """Return which register files may hold the operands, and where they begin, as sentences."""
    found: dict[str, list[Rst]] = {}
    for name, operand in inst.operands.items():
        files = words.register_files(operand)
        shown = Rst(f"*{name}*") if name in "ABCD" else escape(TITLES[name])
        found.setdefault(files, []).append(shown)
    parts_ = [
        f"{merge(names)} {'lie' if len(names) > 1 else 'lies'} in {files}"
        for files, names in found.items()
    ]
    text = "; ".join(parts_)
    text = f"{text[0].upper()}{text[1:]}."
    even = max(operand.alignment for operand in inst.operands.values())
    if even > 1:
        text += f" An operand of several registers begins at a register number divisible by {even}."
    return Rst(text)


def _idle(inst: Instruction, name: str) -> bool:
    return fields.values(inst, name) == "0"


def wait_table(arch: Architecture, inst: Instruction) -> Rst:
    """Return the wait states that the instruction asks for, by what comes after it."""
    speeds = [modifiers for _, modifiers in blocks.speeds(inst)]
    columns = [waits(arch, inst, **modifiers) for modifiers in speeds]
    rows = []
    for wait in columns[0]:
        cells = [next((str(w.states) for w in c if w.hazard == wait.hazard), "–") for c in columns]
        rows.append((wait.hazard.first, wait.hazard.then, *cells))
    if not rows:
        return Rst("")
    every = (inst.cycles_under(**modifiers) // 4 for modifiers in speeds)
    header = ("First", "Then", *(f"After {words.passes(p)}" for p in every))
    return list_table(header, rows, f"Wait states on {arch.name}", "layout-waits")
