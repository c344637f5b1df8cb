"""What the templates put on a page: formulas, layout tables and modifier tables as markup."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, TypeAlias

from layoutgen import tables
from layoutgen.pages import words
from layoutgen.pages.rst import Rst, code, escape, link, list_table, math, math_block, merge
from layoutgen.printing import LATEX, render

if TYPE_CHECKING:
    from layoutgen.expr import Expr
    from layoutgen.model import Architecture, Instruction, Operand, Slot

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
    stored = inst.operands["A"].layout.shape["k"]
    if inst.sparse:
        total = rf"\sum_{{c=0}}^{{{stored - 1}}} A_{{b,i,c}} \, B_{{b,\kappa(i,c),j}}"
    elif "scale_a" in inst.operands:
        of = inst.k // inst.operands["scale_a"].layout.shape["group"]
        group = rf"\lfloor k/{of} \rfloor"
        total = (
            rf"\sum_{{k=0}}^{{{inst.k - 1}}} S^A_{{i,{group}}} \, A_{{b,i,k}} \, "
            rf"S^B_{{{group},j}} \, B_{{b,k,j}}"
        )
    elif inst.k > 1:
        total = rf"\sum_{{k=0}}^{{{inst.k - 1}}} A_{{b,i,k}} \, B_{{b,k,j}}"
    else:
        total = r"A_{b,i,0} \, B_{b,0,j}"
    return Rst(f".. math::\n\n   D_{{b,i,j}} = C_{{b,i,j}} + {total}\n")


def held(operand: Operand) -> Rst:
    """Return what one lane holds: ``four elements of one row and one block, in two VGPRs``."""
    (mine,) = tables.shares(operand, (range(1),))
    shape = operand.layout.shape
    fixed = [
        f"one {words.NOUNS[name]}"
        for name, values in mine.coordinates
        if len(values) == 1 < shape[name]
    ]
    elements = words.count(operand.elements_per_lane, words.unit(operand))
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
    """Return the table of a lane's items: a row for those of each register, with their bits.

    An item that begins in one register and ends in the next has a row of its own.
    """
    rows = []
    for registers, places in groupby(tables.packing(operand), key=lambda p: p.registers):
        held = list(places)
        items = range(held[0].item, held[-1].item + 1)
        bits = ", ".join(words.span(place.bits) for place in held)
        rows.append((words.span(items), words.span(registers), bits))
    return list_table(("Items", "VGPR", "Bits"), rows, title, "layout-packing")


def example(operand: Operand) -> Rst:
    """Return one element and its slot as a sentence: the middle of the last block."""
    shape = operand.layout.shape
    at = {name: size // 2 + size // 8 for name, size in shape.items()} | {"b": shape["b"] - 1}
    slot = operand.locate(**at)[0]
    names = [f"{name} = {value}" for name, value in at.items()]
    return Rst(f"{', '.join(names)} lies in lane {slot.lane}, {place(operand, slot)}.")


def place(operand: Operand, slot: Slot) -> str:
    """Return the registers of a slot in words, with the bits of each where they are not all."""
    name, found = words.register_name(operand), []
    for register in slot.registers:
        before = 32 * (register - slot.register)
        first, last = max(slot.bit - before, 0), min(slot.bit + slot.width - before, 32)
        bits = "" if last - first == 32 else f", bits {words.span(range(first, last))}"
        found.append(f"{name} {register}{bits}")
    return " and ".join(found)


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


def broadcasts(inst: Instruction, title: str, cbsz: int | None = None) -> Rst:
    """Return every pair of cbsz and abid, or those of one cbsz, with the block that each block
    reads.

    Where all blocks read one block, which is abid, one row tells it for every abid.
    """
    rows = []
    for b in tables.broadcasts(inst):
        if cbsz not in (None, b.cbsz):
            continue
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


def lane_patterns(inst: Instruction, title: str, blgp: int | None = None) -> Rst:
    """Return the table of blgp codes, or of one: from where each group of lanes reads B."""
    patterns = tables.lane_patterns(inst)
    header = ["blgp", *(f"Lanes {words.span(group)} read" for group in patterns[0].groups)]
    rows = [
        [str(p.code), *(words.span(source) for source in p.sources)]
        for p in patterns
        if blgp in (None, p.code)
    ]
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
    link: Target | bool,
    instructions: Iterable[Instruction] | None = None,
) -> Rst:
    """Return the throughput table of all instructions, or of some; with `link` every builtin
    leads to its page.  One that is faster with narrow formats has two rows.
    """
    to = same_folder if link is True else link
    rows = []
    for inst in arch.values() if instructions is None else instructions:
        name = builtin_link(inst, full=True, to=to) if to else code(inst.builtin or inst.mnemonic)
        for suffix, modifiers in speeds(inst):
            r = tables.rate(arch, inst, **modifiers)
            rows.append(
                (
                    Rst(f"{name}{suffix}"),
                    str(r.ops),
                    str(r.cycles),
                    str(r.passes),
                    "–" if r.coexec_cycles is None else str(r.coexec_cycles),
                    words.whole(r.per_cu),
                )
            )
    header = ("Builtin", "Ops", "Cycles", "Passes", COEXECUTION, "Ops/cycle/CU")
    return list_table(header, rows, title, "layout-throughput")


def speeds(inst: Instruction) -> list[tuple[str, dict[str, int]]]:
    """Return what sets the speeds of an instruction apart, with modifiers that give each."""
    found: dict[int, tuple[list[int], dict[str, int]]] = {}
    for kind, modifiers in tables.input_formats(inst):
        widths, _ = found.setdefault(inst.cycles_under(**modifiers), ([], modifiers))
        widths.append(kind.bits)
    if len(found) == 1:
        return [("", {})]
    slowest = max(found)
    return [
        (f" with {min(ws)}-bit A or B" if cycles == slowest else f" with at most {max(ws)} bits", m)
        for cycles, (ws, m) in found.items()
    ]


def peaks(arch: Architecture, title: str) -> Rst:
    """Return the peak rates of the products, by input format; sparse ones last."""
    rows = [
        (
            peak.gpu.name,
            Rst(f"{escape(peak.format.title)}{', sparse' if peak.sparse else ''}"),
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


Target: TypeAlias = "Callable[[Instruction], str]"
"""Gives the document of an instruction, as a page refers to it."""


def same_folder(inst: Instruction) -> str:
    """Return the document of an instruction for a page in the same folder."""
    return inst.slug


def builtin_link(inst: Instruction, *, full: bool = False, to: Target = same_folder) -> Rst:
    """Return a reference to the page of an instruction, as ``mfma_f32_32x32x1f32``.

    With `full` the text is the whole name of the builtin, or of an instruction without one.
    """
    name = (inst.builtin or inst.mnemonic) if full else inst.name
    return link("doc", Rst(name), to(inst))


def builtin_names(instructions: Iterable[Instruction]) -> Rst:
    """Return the builtins' names without their prefix, each as a literal."""
    return merge(code(inst.name) for inst in instructions)
