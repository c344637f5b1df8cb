"""What a page says about the accumulator of a tile shape."""

from __future__ import annotations

from typing import TYPE_CHECKING

from layoutgen import tables
from layoutgen.figures import names
from layoutgen.pages import blocks, words
from layoutgen.pages.chapters import grouped
from layoutgen.pages.known import known
from layoutgen.pages.rst import Rst, code, merge

if TYPE_CHECKING:
    from layoutgen.model import Instruction, Operand

USUAL_BITS = 32


def tiles(insts: list[Instruction], to: blocks.Target) -> list[dict[str, object]]:
    """Return what to say about every accumulator that `insts` have, in their order."""
    groups: dict[str, list[Instruction]] = {}
    for inst in insts:
        groups.setdefault(names.accumulator(inst), []).append(inst)
    return [_tile(members, to) for members in groups.values()]


def _tile(members: list[Instruction], to: blocks.Target) -> dict[str, object]:
    variants = sorted(grouped(members, "blocks"), key=lambda group: -group[0].blocks)
    first = variants[0][0]
    operand = first.operands["D"]
    table = tables.bands(operand)
    name = words.size(first.tile)
    formats = list(dict.fromkeys(i.operands["D"].format.title for i in members))
    wide = "" if operand.format.bits == USUAL_BITS else f" of {merge(formats)}"
    in_registers = table.shift is not None and table.shift.lanes == 0
    title = f"Rows, lanes and {words.register_name(operand)}s of a {name} tile{wide}"
    return {
        "name": first.tile,
        "title": Rst(f"{name} tiles{wide}"),
        "first": first,
        "cell": _cell(operand),
        "formats": formats,
        "introduction": _introduction(variants),
        "variants": [_variant(group, first, to) for group in variants],
        "table": blocks.bands(
            operand, f"{title}, block 0" if in_registers else title, 0 if in_registers else None
        ),
        "shift": _shift(table, operand),
        "known": known(members, "D", to),
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
        d = group[0].operands["D"]
        registers = words.count(d.registers, words.register_name(d))
        parts.append(
            f"{words.count(len(group), 'builtin')} of {words.count(group[0].blocks, 'block')} "
            f"({registers} per lane)"
        )
    return Rst(f"This page has {merge(map(Rst, parts))} with this tile.")


def _variant(group: list[Instruction], first: Instruction, to: blocks.Target) -> dict[str, object]:
    inst = group[0]
    d = inst.operands["D"]
    types = merge(dict.fromkeys(code(i.operands["D"].c_type) for i in group), last=" or ")
    sentence = f"The result is a {types}."
    if inst.blocks == 1 and first.blocks > 1:
        registers = words.count(d.registers, words.register_name(d))
        sentence += (
            f" Its block lies as block 0 of the form with {words.count(first.blocks, 'block')} "
            f"does, in {registers} of each lane."
        )
    return {
        "title": words.count(inst.blocks, "block").capitalize(),
        "links": [blocks.builtin_link(i, to=to) for i in group],
        "operand": d,
        "sentence": Rst(sentence),
    }


def _shift(table: tables.BandTable, operand: Operand) -> Rst:
    """Return how the other blocks differ from block 0."""
    shift = table.shift
    if shift is None:
        return Rst("")
    if shift.lanes:
        lanes = sorted(lane for band in table.of_block(0) for lane in band.lanes)
        if lanes[-1] - lanes[0] < shift.lanes:
            last = f"{shift.lanes}·b + {lanes[-1]}"
            return Rst(f"Block *b* lies in lanes {shift.lanes}·b to {last}.")
        return Rst(
            f"Block *b* lies {shift.lanes}·b lanes further on than block 0, with the lanes of the "
            "other blocks between its own."
        )
    size = operand.registers // table.blocks
    name = words.register_name(operand)
    where = "; ".join(
        f"block {b} in {name}s {words.span(range(b * size, (b + 1) * size))}"
        for b in range(1, table.blocks)
    )
    return Rst(f"The other blocks use the same lanes: {where}.")
