"""Tables over the instructions of a page: targets, blocks, legal values, builtins, disputes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from layoutgen import tables
from layoutgen.disputes import touches
from layoutgen.pages import blocks, fields, words
from layoutgen.pages.rst import Rst, code, list_table, merge

if TYPE_CHECKING:
    from layoutgen.model import Architecture, Disagreement, Instruction


def availability(every: Sequence[Instruction]) -> Rst:
    """Return the table of builtins by the targets that have them."""
    rows = [
        (
            merge(code(t) for t in g.targets),
            str(len(g.instructions)),
            blocks.builtin_names(g.instructions),
        )
        for g in tables.target_groups(every)
    ]
    return list_table(("Targets", "Count", "Builtins"), rows, "Targets of each builtin")


def block_table(arch: Architecture, every: Sequence[Instruction], to: blocks.Target) -> Rst:
    """Return the rule of blocks, written out for every builtin."""
    rows = []
    for inst in every:
        a = inst.operands["A"]
        stored = a.layout.shape["k"]
        rows.append(
            (
                blocks.builtin_link(inst, to=to),
                str(a.elements_per_lane),
                f"{arch.wave}·{a.elements_per_lane}/({inst.m}·{stored})",
                str(inst.blocks),
                str(inst.operands["D"].registers),
            )
        )
    registers = f"{words.register_name(every[0].operands['D'])}s per lane"
    header = ("Builtin", "e", "64·e/(M·K)", "Blocks", registers)
    return list_table(header, rows, "Blocks and registers of every builtin", "layout-block-count")


def legal(every: Sequence[Instruction], to: blocks.Target) -> Rst:
    """Return the legal values of every modifier, instructions that take the same together."""
    rows = [
        ((merge(blocks.builtin_link(i, to=to) for i in insts),), insts[0])
        for insts in fields.alike(every)
    ]
    return fields.legal(rows, ("Builtins",))


def builtin_groups(every: Sequence[Instruction], to: blocks.Target) -> list[dict[str, object]]:
    """Return the builtins by the type of their result, and within that by their inputs."""
    found: dict[str, dict[str, list[Instruction]]] = {}
    for inst in every:
        a, b, d = (inst.operands[name].format.title for name in "ABD")
        inputs = a if a == b else f"{a} × {b}"
        found.setdefault(d, {}).setdefault(inputs, []).append(inst)
    return [
        {
            "title": f"{d}-accumulate builtins",
            "parts": [_part(inputs, members, to) for inputs, members in by_input.items()],
        }
        for d, by_input in found.items()
    ]


def _part(title: str, members: list[Instruction], to: blocks.Target) -> dict[str, object]:
    rows = [
        (
            blocks.builtin_link(i, full=True, to=to),
            str(i.blocks),
            code(i.operands["A"].c_type),
            code(i.operands["B"].c_type),
            code(i.operands["D"].c_type),
            str(i.cycles),
        )
        for i in members
    ]
    header = ("Builtin", "Blocks", "A", "B", "C and D", "Cycles")
    held = dict.fromkeys(
        (i.operands["A"].elements_per_lane, i.operands["A"].c_type) for i in members
    )
    each = merge(
        (Rst(f"{words.number(count)}, as {code(kind)}") for count, kind in held), last=" or "
    )
    return {
        "title": f"{title} matrix inputs",
        "sentence": Rst(f"Elements of *A* that a lane holds: {each}."),
        "table": list_table(header, rows, f"Builtins with {title} inputs", "layout-builtins"),
    }


def disagreements(
    arch: Architecture, every: Sequence[Instruction], to: blocks.Target
) -> list[dict[str, object]]:
    """Return the disagreements that touch `every`, each with what it is about."""
    found = []
    for entry in arch.disagreements:
        mine = [inst for inst in every if touches(entry, inst)]
        if mine or not any(touches(entry, inst) for inst in arch.values()):
            found.append({"entry": entry, "affected": _affected(entry, mine, every, to)})
    return found


def _affected(
    entry: Disagreement, mine: list[Instruction], every: Sequence[Instruction], to: blocks.Target
) -> Rst:
    if not mine:
        return Rst("No instruction on this page is affected.")
    rows: list[tuple[object, object]] = []
    for inst in mine:
        if entry.id == "cbsz-groups":
            values = merge(sorted({pair.cbsz for pair in tables.conflicts(inst)}))
            rows.append((blocks.builtin_link(inst, to=to), Rst(f"cbsz {values}, every abid")))
        elif entry.id == "k-order":
            rows.append((blocks.builtin_link(inst, to=to), f"k 0 to {inst.k - 1}"))
    if len(mine) == len(every) > 1:
        return Rst("It is about every instruction on this page.")
    if rows:
        return list_table(("Builtin", "Where it matters"), rows, "What is affected")
    return Rst(f"It is about {merge(blocks.builtin_link(i, to=to) for i in mine)}.")
