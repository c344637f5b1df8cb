"""The context of an architecture's page of instructions whose formats are chosen by a code."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from layoutgen.actions import ByteSelect, FormatCode
from layoutgen.pages import blocks, chapters, fields, numbers, words
from layoutgen.pages.architecture import elsewhere
from layoutgen.pages.known import known
from layoutgen.pages.listings import block_table, disagreements
from layoutgen.pages.parts import ORDER, parts
from layoutgen.pages.rst import Rst, code, list_table, merge

if TYPE_CHECKING:
    from layoutgen.model import Architecture, Instruction, Operand

EXAMPLES = (127, 126, 129, 0, 255)
"""Bytes of scales whose values the page tells."""


def context(
    arch: Architecture,
    prefixes: Mapping[str, Sequence[str]],
    archs: Sequence[Architecture],
    to: blocks.Target = blocks.same_folder,
) -> dict[str, object]:
    """Return what the template ``scaled`` needs beside the globals.

    The arguments are those of :func:`layoutgen.pages.architecture.context`.
    """
    every = chapters.chapters(arch)["scaled"]
    scaled = [inst for inst in every if "scale_a" in inst.operands]
    first = scaled[0] if scaled else every[0]
    actions = first.rules.actions
    return {
        "arch": arch,
        "every": every,
        "to": to,
        "prefixes": prefixes[arch.name],
        "dense": chapters.reference(prefixes[arch.name][-1], "dense", "dense builtins"),
        "with_scales": merge(blocks.builtin_link(i, to=to) for i in scaled),
        "without": merge(blocks.builtin_link(i, to=to) for i in every if i not in scaled),
        "elsewhere": elsewhere(arch, scaled),
        "scaled_count": len(scaled),
        "first": first,
        "formats": [fields.formats(first, a) for a in actions if isinstance(a, FormatCode)],
        "taken": code(first.operands["A"].c_type),
        "bytes": [fields.byte_table(first, a) for a in actions if isinstance(a, ByteSelect)],
        "assembler": _assembler(first),
        "shapes": [_shape(inst) for inst in (scaled or every)],
        "scale_values": _scale_values(first) if scaled else "",
        "per_scale": first.k // first.operands["scale_a"].layout.shape["group"] if scaled else 0,
        "block_table": block_table(arch, every, to),
        "disagreements": disagreements(arch, every, to),
    }


def _assembler(inst: Instruction) -> Rst:
    """Return how the assembler writes a choice of bytes that differs between A and B."""
    if "op_sel_b" not in inst.rules.fields:
        return Rst("")
    return code(str(inst.rules.check({"op_sel_a": 0, "op_sel_b": 1})))


def _scale_values(inst: Instruction) -> Rst:
    kind = inst.operands["scale_a"].format
    assert kind.encoding is not None, "scales are floating-point"
    rows = [
        (f"{byte} (0x{byte:02X})", numbers.exact(kind.encoding.value(byte))) for byte in EXAMPLES
    ]
    return list_table(("Byte", "Scale"), rows, "Scales as bytes", "layout-codes")


def _shape(inst: Instruction) -> dict[str, object]:
    return {
        "inst": inst,
        "title": words.shape(inst),
        "parts": parts(inst),
        "known": known([inst], ORDER),
        "coverage": _coverage(inst) if "scale_a" in inst.operands else "",
        "apart": [_apart(inst, name) for name in "AB" if "scale_a" in inst.operands],
    }


def _coverage(inst: Instruction) -> Rst:
    """Return, for each group of lanes, the k that it holds and the k that its scale is for."""
    scale = inst.operands["scale_a"]
    widths = fields.codes(inst, "A")
    size = inst.m
    rows = []
    for start in range(0, scale.layout.lanes, size):
        groups = _held(scale, start, "group")
        of = inst.k // scale.layout.shape["group"]
        covers = [k for g in groups for k in range(of * g, of * (g + 1))]
        held = (_held(inst.alternatives["A"][members[0]], start, "k") for members, _ in widths)
        rows.append(
            (
                words.span(range(start, start + size)),
                runs(covers),
                *(runs(ks) for ks in held),
            )
        )
    kinds = (f"k held with {formats[0].bits}-bit data" for _, formats in widths)
    header = ("Lanes", "k of their scale", *kinds)
    title = "What a lane holds, and what its scale is for: A; B alike"
    return list_table(header, rows, title, "layout-coverage")


def _apart(inst: Instruction, name: str) -> Rst:
    """Return an example of an element that is scaled by another lane than its own."""
    scale, operand = inst.operands[f"scale_{name.lower()}"], inst.operands[name]
    other = "i" if name == "A" else "j"
    of = inst.k // scale.layout.shape["group"]
    for k in range(inst.k):
        own = operand.locate(**{"b": 0, other: 0, "k": k})[0].lane
        scaling = scale.locate(**{"b": 0, other: 0, "group": k // of})[0].lane
        if own != scaling:
            return Rst(
                f"With {operand.format.bits}-bit data the element {other} = 0, k = {k} of *{name}* "
                f"lies in lane {own}, and the scale for it in lane {scaling}."
            )
    return Rst("")


def _held(operand: Operand, lane: int, coordinate: str) -> list[int]:
    """Return the values of a coordinate that one lane holds, in order."""
    rows = operand.table()
    column = operand.columns.index(coordinate)
    mine = rows[rows[:, -4] == lane]
    return sorted({int(value) for value in mine[:, column]})


def runs(values: Iterable[int]) -> str:
    """Return numbers as ranges: ``0–15, 64–79``."""
    found: list[range] = []
    for value in values:
        if found and found[-1].stop == value:
            found[-1] = range(found[-1].start, value + 1)
        else:
            found.append(range(value, value + 1))
    return ", ".join(words.span(part) for part in found)
