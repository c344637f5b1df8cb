"""The context of an architecture's page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from layoutgen import tables
from layoutgen.pages import blocks, examples, words
from layoutgen.pages.rst import Rst, code, escape, fill, list_table, merge
from layoutgen.printing import LATEX, render

if TYPE_CHECKING:
    from layoutgen.model import Architecture, Instruction, Operand

REGISTER_CAPTION = (
    "The same as the register file sees it: a line for each accVGPR, a column for each lane."
)
PRODUCT_CAPTION = (
    "A product as a whole: A at the left, B above, and D where a row of A meets a column of B. "
    "The frame follows one element of D."
)


def context(arch: Architecture, prefixes: Sequence[str]) -> dict[str, object]:
    """Return what the template ``architecture`` needs beside the globals.

    `prefixes` begin the labels of the page; each section has one for each of them.
    """
    every = list(arch.values())
    first = every[0]
    formats = {i.operands["A"].format.name: i.operands["A"] for i in every}
    return {
        "arch": arch,
        "extra_captions": (REGISTER_CAPTION, PRODUCT_CAPTION),
        "prefixes": prefixes,
        "first": first,
        "inputs": [code(name) for name in formats],
        "outputs": [code(n) for n in dict.fromkeys(i.operands["D"].format.name for i in every)],
        "elsewhere": elsewhere(arch),
        "availability": _availability(every),
        "packing_facts": merge(
            f"{operand.elements_per_lane} {operand.format.title}" for operand in formats.values()
        ),
        "block_table": _block_table(arch),
        "tiles": [_tile(members) for members in _grouped(every, "tile")],
        "input_table": _input_table(every),
        "packed": [operand for operand in formats.values() if operand.format.bits % 32],
        "shown_inputs": [_widest(members) for members in _grouped(every, "tile")],
        "multi_block": multi_block(every),
        "types": tables.register_types(every),
        "types_link": Rst("They are listed under :ref:`mfma-register-types`."),
        "policy": examples.runs_on(examples.POLICY, arch),
        "peak_example": _peak_example(arch),
        "groups": _groups(every),
        "disagreements": [
            {"entry": entry, "table": _affected(entry, arch)} for entry in arch.disagreements
        ],
        "all_sources": arch.sources,
    }


def label(arch: Architecture) -> str:
    """Return the label of the page of dense builtins: ``gfx908-dense-mfma-builtins``."""
    return f"{arch.name}-dense-mfma-builtins"


def multi_block(instructions: Iterable[Instruction]) -> list[Instruction]:
    """Return one instruction for each block count above one, fewest blocks first."""
    found: dict[int, Instruction] = {}
    for inst in instructions:
        if inst.blocks > 1:
            found.setdefault(inst.blocks, inst)
    return [found[blocks] for blocks in sorted(found)]


def _grouped(instructions: Iterable[Instruction], attribute: str) -> list[list[Instruction]]:
    groups: dict[object, list[Instruction]] = {}
    for inst in instructions:
        groups.setdefault(getattr(inst, attribute), []).append(inst)
    return list(groups.values())


def _widest(instructions: list[Instruction]) -> Instruction:
    """Return the instruction that shows most: of several groups of k and several items."""
    return max(instructions, key=lambda i: (i.k, i.operands["A"].format.bits))


def elsewhere(arch: Architecture) -> Rst:
    """Return for how many of the builtins the compiler generates code on other targets."""
    counts: dict[str, int] = {}
    for inst in arch.values():
        for target in inst.targets:
            counts[target] = counts.get(target, 0) + 1
    by_count: dict[int, list[str]] = {}
    for target, count in counts.items():
        if target != arch.name:
            by_count.setdefault(count, []).append(target)
    if not by_count:
        return Rst("The compiler generates code for them on no other target.")
    parts = [
        f"{'all' if count == len(arch) else count} of them on {merge(map(code, targets))}"
        for count, targets in sorted(by_count.items(), reverse=True)
    ]
    return Rst(f"The compiler also generates code for {merge(map(Rst, parts), last=' and for ')}.")


def _availability(every: list[Instruction]) -> Rst:
    rows = [
        (
            merge(code(t) for t in g.targets),
            str(len(g.instructions)),
            blocks.builtin_names(g.instructions),
        )
        for g in tables.target_groups(every)
    ]
    return list_table(("Targets", "Count", "Builtins"), rows, "Targets of each builtin")


def _block_table(arch: Architecture) -> Rst:
    rows = []
    for inst in arch.values():
        per_lane = inst.operands["A"].elements_per_lane
        rows.append(
            (
                blocks.builtin_link(inst),
                str(per_lane),
                f"{arch.wave}·{per_lane}/({inst.m}·{inst.k})",
                str(inst.blocks),
                str(inst.operands["D"].registers),
            )
        )
    header = ("Builtin", "e", "64·e/(M·K)", "Blocks", "accVGPRs per lane")
    return list_table(header, rows, "Blocks and accVGPRs of every builtin", "layout-block-count")


def _tile(members: list[Instruction]) -> dict[str, object]:
    """Return what the page says about the accumulator of one tile shape."""
    variants = sorted(_grouped(members, "blocks"), key=lambda group: -group[0].blocks)
    first = variants[0][0]
    operand = first.operands["D"]
    table = tables.bands(operand)
    name = words.size(first.tile)
    in_registers = table.shift is not None and table.shift.lanes == 0
    title = f"Rows, lanes and {words.register_name(operand)}s of a {name} tile"
    return {
        "name": first.tile,
        "first": first,
        "cell": _cell(operand),
        "formats": list(dict.fromkeys(i.operands["D"].format.title for i in members)),
        "introduction": _introduction(variants),
        "variants": [_variant(group, first) for group in variants],
        "table": blocks.bands(
            operand, f"{title}, block 0" if in_registers else title, 0 if in_registers else None
        ),
        "shift": _shift(table, operand.registers // first.blocks),
    }


def _cell(operand: Operand) -> str:
    """Return what the cells of the operand's figure show: ``lane and accVGPR``."""
    from layoutgen.figures.matrix import cell_text

    register = words.register_name(operand)
    return {"lane": "lane", "register": register, "both": f"lane and the {register}"}[
        cell_text(operand)
    ]


def _introduction(variants: list[list[Instruction]]) -> Rst:
    parts = []
    for group in variants:
        inst = group[0]
        registers = inst.operands["D"].registers
        parts.append(
            f"{words.count(len(group), 'builtin')} of {words.count(inst.blocks, 'block')} "
            f"({registers} accVGPRs per lane)"
        )
    return Rst(f"This page has {merge(parts)} with this tile.")


def _variant(group: list[Instruction], first: Instruction) -> dict[str, object]:
    inst = group[0]
    types = merge(dict.fromkeys(code(i.operands["D"].c_type) for i in group), last=" or ")
    sentence = f"The result is a {types}."
    if inst.blocks == 1 and first.blocks > 1:
        registers = words.count(inst.operands["D"].registers, "accVGPR")
        sentence += (
            f" Its block lies as block 0 of the form with {words.count(first.blocks, 'block')} "
            f"does, in {registers} of each lane; ``cbsz`` and ``abid`` must be 0."
        )
    return {
        "title": words.count(inst.blocks, "block").capitalize(),
        "links": [blocks.builtin_link(i) for i in group],
        "operand": inst.operands["D"],
        "sentence": Rst(sentence),
    }


def _shift(table: tables.BandTable, registers: int) -> Rst:
    """Return how the other blocks differ from block 0."""
    shift = table.shift
    if shift is None:
        return Rst("")
    if shift.lanes:
        last = table.of_block(0)[-1].lanes.stop - 1
        return Rst(f"Block *b* lies in lanes {shift.lanes}·b to {shift.lanes}·b + {last}.")
    where = "; ".join(
        f"block {b} in accVGPRs {words.span(range(b * registers, (b + 1) * registers))}"
        for b in range(1, table.blocks)
    )
    return Rst(f"The other blocks use the same lanes: {where}.")


def _input_table(every: list[Instruction]) -> Rst:
    """Return, for every builtin, the lane of an element of A and of B."""
    groups: dict[tuple[str, str], list[Instruction]] = {}
    for inst in every:
        lanes = [render(inst.operands[name].formulas.forward["lane"], LATEX) for name in "AB"]
        groups.setdefault((lanes[0], lanes[1]), []).append(inst)
    rows = [
        (
            merge(blocks.builtin_link(i) for i in members),
            Rst(f":math:`{a}`"),
            Rst(f":math:`{b}`"),
        )
        for (a, b), members in groups.items()
    ]
    header = ("Builtins", "Lane of A(b, i, k)", "Lane of B(b, k, j)")
    return list_table(header, rows, "Lanes of A and B", "layout-inputs")


def _peak_example(arch: Architecture) -> Rst:
    lines = []
    for gpu in arch.gpus:
        peak = next(p for p in tables.peaks(arch) if p.gpu == gpu)
        inst = peak.best[0]
        lines.append(
            fill(
                f"{{gpu}} has {gpu.compute_units} CUs and a peak clock of {gpu.clock_ghz:g} GHz. "
                f"{code(inst.mnemonic)} does {inst.ops} operations in {inst.cycles} cycles: "
                f"{inst.ops} / {inst.cycles} × {arch.matrix_cores_per_cu} = "
                f"{words.whole(peak.per_cu)} in a cycle of a CU, and {words.whole(peak.per_cu)} × "
                f"{gpu.compute_units} × {gpu.clock_ghz:g} GHz = {words.decimal(peak.tera_ops)} "
                "TFLOPS.",
                gpu=gpu.name,
            )
        )
    return Rst(" ".join(lines))


def _groups(every: list[Instruction]) -> list[dict[str, object]]:
    """Return the builtins by the type of their result, and within that by their inputs."""
    found: dict[str, dict[str, list[Instruction]]] = {}
    for inst in every:
        d, a = inst.operands["D"].format.title, inst.operands["A"].format.title
        found.setdefault(d, {}).setdefault(a, []).append(inst)
    return [
        {
            "title": f"{d}-accumulate builtins",
            "parts": [_part(a, members) for a, members in by_input.items()],
        }
        for d, by_input in found.items()
    ]


def _part(title: str, members: list[Instruction]) -> dict[str, object]:
    a = members[0].operands["A"]
    rows = [
        (
            blocks.builtin_link(i, full=True),
            str(i.blocks),
            code(i.operands["A"].c_type),
            code(i.operands["D"].c_type),
            str(i.cycles),
        )
        for i in members
    ]
    header = ("Builtin", "Blocks", "A and B", "C and D", "Cycles")
    each = words.count(a.elements_per_lane, f"{escape(title)} element")
    return {
        "title": f"{title} matrix inputs",
        "sentence": Rst(f"A lane holds {each} of *A* and as many of *B*, as {code(a.c_type)}."),
        "table": list_table(header, rows, f"Builtins with {title} inputs", "layout-builtins"),
    }


def _affected(entry: object, arch: Architecture) -> Rst:
    from layoutgen.model import Disagreement

    assert isinstance(entry, Disagreement)
    rows = [(blocks.builtin_link(i), values) for i, values in blocks.affected(entry, arch)]
    return (
        list_table(("Builtin", "Where it matters"), rows, "What is affected") if rows else Rst("")
    )
