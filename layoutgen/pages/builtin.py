"""The context of one builtin's page or fragment."""

from __future__ import annotations

from typing import TYPE_CHECKING

from layoutgen import tables
from layoutgen.pages import words
from layoutgen.pages.rst import Rst, code, fill, list_table, merge
from layoutgen.snippets import snippet

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from layoutgen.model import Architecture, Instruction, Provenance

TITLES = {"A": "A", "B": "B", "C": "C and D", "D": "C and D"}
"""What the pages call the operands; C lies as D does."""


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
        "description": f"{inst.builtin}: register layouts of A, B, C and D, modifiers, throughput "
        f"on {arch.name}.",
        "declaration": declaration(inst),
        "call": call(inst),
        "kernel": snippet(inst),
        "provenance": provenance(inst),
        "only_block": _only_block(arch, inst),
        "glance": glance(arch, inst, proof),
        "parameters": parameters(inst),
        "register_files": register_files(inst),
        "conflicts": merge(sorted({pair.cbsz for pair in pairs})),
        "conflict_link": Rst("See :ref:`both readings <mfma-cbsz-readings>`."),
        "combinations": sum(1 for _ in inst.rules.combinations()),
    }


def label(arch: Architecture, inst: Instruction) -> str:
    """Return the label of a builtin's page: ``gfx908-f32-32x32x1f32``."""
    return f"{arch.name}-{inst.slug}"


def summary(inst: Instruction) -> Rst:
    """Return one sentence of what the builtin does."""
    a, d = inst.operands["A"].format.title, inst.operands["D"].format.title
    blocks = "" if inst.blocks == 1 else f", in each of {words.count(inst.blocks, 'block')}"
    return fill(
        f"Multiplies *A* ({inst.m}×{inst.k}, {{a}}) by *B* ({inst.k}×{inst.n}, {{a}}) and adds the "
        f"product to *C* ({inst.m}×{inst.n}, {{d}}){blocks}.",
        a=a,
        d=d,
    )


def declaration(inst: Instruction) -> str:
    """Return the declaration over several lines, indented for a code block."""
    head, _, rest = inst.signature.partition("(")
    lines = rest.rstrip(")").split(", ")
    return f"{head}(\n" + ",\n".join(f"       {line}" for line in lines) + ");"


def call(inst: Instruction) -> str:
    """Return a call with all modifiers 0."""
    return f"{inst.operands['D'].c_type} d = {inst.builtin}(a, b, c, 0, 0, 0);"


def provenance(inst: Instruction) -> list[dict[str, object]]:
    """Return how well the layouts are known, operands of the same provenance together."""
    found: dict[Provenance, list[str]] = {}
    for name in "ABCD":
        found.setdefault(inst.operands[name].provenance, []).append(name)
    return [{"names": merge(names), "known": known} for known, names in found.items()]


def _only_block(arch: Architecture, inst: Instruction) -> str:
    """Return what to say below a figure that shows more blocks than the instruction has."""
    most = max(other.blocks for other in arch.values() if other.tile == inst.tile)
    if inst.blocks == most:
        return ""
    has = "block 0" if inst.blocks == 1 else f"blocks 0 to {inst.blocks - 1}"
    return (
        f" The figure serves all {words.size(inst.tile)} tiles: of its {most} blocks this "
        f"instruction has {has}."
    )


def glance(arch: Architecture, inst: Instruction, proof: Mapping[tuple[str, str], str]) -> Rst:
    """Return the table of facts; the line of proof has its fixed place at the end."""
    row = tables.rate(arch, inst)
    coexec = {None: "not published", 0: "0 (not possible)"}.get(
        row.coexec_cycles, str(row.coexec_cycles)
    )
    facts: list[tuple[str, object]] = [
        ("Instruction", code(inst.mnemonic)),
        *(("Spelling on newer targets", code(name)) for name in inst.spellings),
        ("LLVM intrinsic", code(inst.llvm_intrinsic)),
        ("Targets", merge(code(target) for target in inst.targets)),
        ("M × N × K", words.shape(inst)),
        ("Blocks", str(inst.blocks)),
        ("Operations", str(row.ops)),
        ("Cycles", f"{row.cycles} ({row.passes} {'pass' if row.passes == 1 else 'passes'})"),
        ("VALU co-execution cycles", coexec),
        ("Operations per cycle and CU", words.whole(row.per_cu)),
        ("How well the layouts are known", _grades(inst)),
    ]
    if (line := proof.get((arch.name, inst.mnemonic))) is not None:
        facts.append(("Checked", line))
    return list_table(("Property", "Value"), facts, f"On {arch.name}", "layout-facts")


def _grades(inst: Instruction) -> str:
    grades: dict[str, list[str]] = {}
    for name in "ABCD":
        grades.setdefault(inst.operands[name].provenance.grade, []).append(name)
    return "; ".join(f"{', '.join(names)}: {grade}" for grade, names in grades.items())


def parameters(inst: Instruction) -> Rst:
    """Return the table of parameters and the result: type, registers of a lane, values."""
    rows: list[Sequence[object]] = [(code(name.lower()), *_share(inst, name)) for name in "ABC"]
    fields = {
        "cbsz": _values(inst.rules.cbsz),
        "abid": Rst(r"0 to 2\ :sup:`cbsz` − 1") if inst.blocks > 1 else "0",
        "blgp": _values(inst.rules.blgp_codes),
    }
    rows += [(code(name), code("const int"), "none", values) for name, values in fields.items()]
    rows.append(("result", *_share(inst, "D")))
    header = ("Parameter", "Type", "Registers", "Values")
    return list_table(header, rows, "Parameters and result of one lane", "layout-parameters")


def _share(inst: Instruction, name: str) -> tuple[object, ...]:
    operand = inst.operands[name]
    content = f"{operand.elements_per_lane} × {operand.format.title} of {name}"
    return code(operand.c_type), str(operand.registers), content


def register_files(inst: Instruction) -> Rst:
    """Return which register files may hold the operands, as a sentence."""
    found: dict[str, list[Rst]] = {}
    for name in "ABCD":
        files = words.register_files(inst.operands[name])
        found.setdefault(files, []).append(Rst(f"*{name}*"))
    parts = [Rst(f"{merge(names)} lie in {files}") for files, names in found.items()]
    return Rst(f"{merge(parts, last=', ')}.")


def _values(values: range) -> str:
    return "0" if len(values) == 1 else f"0 to {values[-1]}"
