"""What the templates put on a page: formulas, layout tables and modifier tables as markup."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from layoutgen import tables
from layoutgen.pages import words
from layoutgen.pages.rst import Rst, code, link, list_table, math, math_block, merge
from layoutgen.printing import LATEX, render

if TYPE_CHECKING:
    from layoutgen.expr import Expr
    from layoutgen.model import Architecture, Disagreement, Instruction, Operand

COEXECUTION = "VALU co-execution cycles"
"""What tables call the cycles that work of the vector ALU can overlap."""


def forward(operand: Operand) -> Rst:
    """Return the formulas of lane, register and (in narrow elements) bit."""
    found = operand.formulas.forward
    rows = [
        (r"\text{lane}", found["lane"]),
        (rf"\text{{{words.register_name(operand)}}}", found["register"]),
    ]
    if operand.format.bits % 32:
        rows.append((r"\text{bit}", found["bit"]))
    return _formulas(rows)


def inverse(operand: Operand) -> Rst:
    """Return the formulas of the coordinates, the block last."""
    found = operand.formulas.inverse
    names = sorted(found, key=lambda name: name == "b")
    return _formulas([(name, found[name]) for name in names])


def product(inst: Instruction) -> Rst:
    """Return what the instruction computes, as a formula for each block, row and column."""
    total = rf"\sum_{{k=0}}^{{{inst.k - 1}}} A_{{b,i,k}} \, B_{{b,k,j}}"
    added = total if inst.k > 1 else r"A_{b,i,0} \, B_{b,0,j}"
    return Rst(f".. math::\n\n   D_{{b,i,j}} = C_{{b,i,j}} + {added}\n")


def held(operand: Operand) -> Rst:
    """Return what one lane holds: ``four elements of one row and one block, in two VGPRs``."""
    (mine,) = tables.shares(operand, (range(1),))
    shape = operand.layout.shape
    fixed = [
        f"one {words.NOUNS[name]}"
        for name, values in mine.coordinates
        if len(values) == 1 < shape[name]
    ]
    elements = words.count(operand.elements_per_lane, "element")
    of = f" of {merge(fixed)}" if fixed else ""
    registers = words.count(operand.registers, words.register_name(operand))
    return Rst(f"{elements}{of}, in {registers}")


def _formulas(rows: Sequence[tuple[str, Expr]]) -> Rst:
    return math_block((left, render(expr, LATEX)) for left, expr in rows)


def inline(expr: Expr) -> Rst:
    """Return an expression as an inline formula."""
    return math(render(expr, LATEX))


def bands(operand: Operand, title: str, block: int | None = None) -> Rst:
    """Return the merged table of an operand, or of one of its blocks."""
    table = tables.bands(operand)
    chosen = table.bands if block is None else table.of_block(block)
    several = block is None and table.blocks > 1
    header = [
        *(["Block"] if several else []),
        words.HEADERS[table.listed],
        *([] if table.whole else [words.HEADERS[table.along]]),
        "Lanes",
        *(["Items"] if table.packed else []),
        f"{words.register_name(operand)}s",
    ]
    rows = [
        [
            *([str(band.block)] if several else []),
            words.span(band.listed),
            *([] if table.whole else [words.span(band.along)]),
            words.span(band.lanes),
            *([words.span(band.items)] if table.packed else []),
            words.span(band.registers),
        ]
        for band in chosen
    ]
    return list_table(header, rows, title, f"layout-bands operand-{operand.name.lower()}")


def packing(operand: Operand, title: str) -> Rst:
    """Return the table of a lane's items: register, and bits in it."""
    rows = [
        (str(place.item), words.span(place.registers), words.span(place.bits))
        for place in tables.packing(operand)
    ]
    return list_table(("Item", "VGPR", "Bits"), rows, title, "layout-packing")


def example(operand: Operand) -> Rst:
    """Return one element and its slot as a sentence: the middle of the last block."""
    shape = operand.layout.shape
    at = {name: size // 2 + size // 8 for name, size in shape.items()} | {"b": shape["b"] - 1}
    slot = operand.locate(**at)[0]
    names = [f"{name} = {value}" for name, value in at.items()]
    where = f"lane {slot.lane}, {words.register_name(operand)} {slot.register}"
    if slot.width % 32:
        where += f", bits {words.span(range(slot.bit, slot.bit + slot.width))}"
    return Rst(f"{', '.join(names)} lies in {where}.")


def broadcast_rules(inst: Instruction, title: str) -> Rst:
    """Return the table of cbsz: groups of blocks, legal abid, and the block that they read."""
    rows = []
    for group in tables.broadcast_groups(inst):
        if group.cbsz == 0:
            rows.append(("0", "0", "each block reads its own block of A"))
            continue
        last = words.span(group.abids)
        reads = "; ".join(
            f"blocks {words.span(blocks)} read block {f'{base} + ' if base else ''}abid"
            for blocks, base in group.groups
        )
        rows.append((str(group.cbsz), last, reads))
    return list_table(("cbsz", "abid", "Which block of A is read"), rows, title, "layout-cbsz")


def broadcasts(inst: Instruction, title: str) -> Rst:
    """Return every pair of cbsz and abid with the block that each block reads.

    Where all blocks read one block, which is abid, one row tells it for every abid.
    """
    rows = []
    for b in tables.broadcasts(inst):
        if len(set(b.local)) > 1:
            rows.append((str(b.cbsz), str(b.abid), words.listing(b.local)))
        elif b.abid == 0:
            every = words.span(inst.rules.abid(b.cbsz))
            all_blocks = words.span(range(inst.blocks))
            rows.append((str(b.cbsz), every, f"blocks {all_blocks} read block abid"))
    header = ("cbsz", "abid", f"Block of A read by blocks 0 to {inst.blocks - 1}, in order")
    return list_table(header, rows, title, "layout-broadcast")


def conflicts(inst: Instruction, title: str) -> Rst:
    """Return the pairs of cbsz and abid for which the two readings differ, in both readings."""
    rows = [
        (str(b.cbsz), str(b.abid), words.listing(b.local), words.listing(b.other))
        for b in tables.conflicts(inst)
    ]
    header = ("cbsz", "abid", "Local reading: blocks read", "Global reading: blocks read")
    return list_table(header, rows, title, "layout-conflict")


def lane_patterns(inst: Instruction, title: str) -> Rst:
    """Return the table of blgp codes: the lanes that each group of lanes reads B from."""
    patterns = tables.lane_patterns(inst)
    header = ["blgp", *(f"Lanes {words.span(group)} read" for group in patterns[0].groups)]
    rows = [[str(p.code), *(words.span(source) for source in p.sources)] for p in patterns]
    return list_table(header, rows, title, "layout-blgp")


def patterns_of(inst: Instruction, title: str) -> Rst:
    """Return the blgp table of one instruction: the part of B that each group of lanes reads."""
    operand = inst.operands["B"]
    patterns = tables.lane_patterns(inst)
    full = operand.layout.shape
    held = {s.lanes: words.share(s, full) for s in tables.shares(operand, patterns[0].groups)}
    header = ["blgp", *(f"Lanes {words.span(group)}" for group in patterns[0].groups)]
    rows = [[str(p.code), *(held[source] for source in p.sources)] for p in patterns]
    return list_table(header, rows, title, "layout-blgp")


def throughput(
    arch: Architecture,
    title: str,
    link: bool,
    instructions: Iterable[Instruction] | None = None,
) -> Rst:
    """Return the throughput table of all instructions, or of some; with `link` every builtin
    leads to its page.
    """
    rows = [
        (
            builtin_link(r.instruction, full=True) if link else code(r.instruction.builtin),
            str(r.ops),
            str(r.cycles),
            str(r.passes),
            "–" if r.coexec_cycles is None else str(r.coexec_cycles),
            words.whole(r.per_cu),
        )
        for r in tables.rates(arch, instructions)
    ]
    header = ("Builtin", "Ops", "Cycles", "Passes", COEXECUTION, "Ops/cycle/CU")
    return list_table(header, rows, title, "layout-throughput")


def peaks(arch: Architecture, title: str) -> Rst:
    """Return the peak rates of the products, by input format."""
    rows = [
        (
            peak.gpu.name,
            peak.format.title,
            words.whole(peak.per_cu),
            str(peak.gpu.compute_units),
            f"{peak.gpu.clock_ghz:g} GHz",
            f"{words.decimal(peak.tera_ops)} {'TOPS' if integer(peak.format.name) else 'TFLOPS'}",
        )
        for peak in tables.peaks(arch)
    ]
    header = ("GPU", "Inputs", "Ops/cycle/CU", "CUs", "Clock", "Peak")
    return list_table(header, rows, title, "layout-peak")


def integer(name: str) -> bool:
    """Tell whether a number format, by its name, holds integers."""
    return name.startswith(("i", "u"))


def affected(disagreement: Disagreement, arch: Architecture) -> list[tuple[Instruction, Rst]]:
    """Return the instructions that a disagreement touches, with the values where it does."""
    found = []
    for inst in arch.values():
        if disagreement.id == "cbsz-groups" and (pairs := tables.conflicts(inst)):
            values = sorted({pair.cbsz for pair in pairs})
            found.append((inst, Rst(f"cbsz {merge(values)}, every abid")))
        if disagreement.id == "k-order" and inst.k > 1:
            found.append((inst, Rst(f"k 0 to {inst.k - 1}")))
    return found


def builtin_link(inst: Instruction, *, full: bool = False) -> Rst:
    """Return a reference to a builtin's page of the same folder, as ``mfma_f32_32x32x1f32``.

    With `full` the text is the whole name of the builtin.
    """
    name = inst.builtin if full else short(inst)
    return link("doc", Rst(name), inst.slug)


def short(inst: Instruction) -> str:
    """Return the name without what all builtins share: ``mfma_f32_32x32x1f32``."""
    return inst.mnemonic.removeprefix("v_")


def builtin_names(instructions: Iterable[Instruction]) -> Rst:
    """Return the builtins' short names, each as a literal."""
    return merge(code(short(inst)) for inst in instructions)
