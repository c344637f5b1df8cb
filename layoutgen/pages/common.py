"""The context of the page of common parameters, over all architectures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from layoutgen import tables
from layoutgen.pages import words
from layoutgen.pages.architecture import multi_block
from layoutgen.pages.rst import Rst, code, list_table

if TYPE_CHECKING:
    from layoutgen.model import Architecture, Instruction


def context(archs: Sequence[Architecture]) -> dict[str, object]:
    """Return what the template ``common-parameters`` needs beside the globals."""
    every = list({i.mnemonic: i for arch in archs for i in arch.values()}.values())
    shared = multi_block(every)
    entries = {e.id: e for arch in archs for e in arch.disagreements}
    return {
        "first": every[0],
        "legal": _legal(every),
        "multi_block": shared,
        "users": _users(every),
        "broadcast_examples": [_broadcast_example(inst) for inst in shared],
        "cbsz_disagreements": [e for key, e in entries.items() if key == "cbsz-groups"],
        "conflicting": [inst for inst in shared if tables.conflicts(inst)],
        "pattern_examples": _pattern_examples(every),
        "pattern_example": _pattern_example(_pattern_examples(every)[-1]),
    }


def _legal(every: list[Instruction]) -> Rst:
    """Return the legal values of each modifier by block count."""
    by_blocks = {inst.blocks: inst for inst in every}
    rows = []
    for blocks in sorted(by_blocks):
        rules = by_blocks[blocks].rules
        abids = "; ".join(
            f"{words.span(rules.abid(value))} with cbsz {value}" for value in rules.cbsz if value
        )
        rows.append(
            (
                str(blocks),
                words.span(range(rules.cbsz[-1] + 1)),
                f"0 with cbsz 0; {abids}" if abids else "0",
                words.span(range(rules.blgp_codes[-1] + 1)),
            )
        )
    header = ("Blocks", "cbsz", "abid", "blgp")
    return list_table(header, rows, "Legal values by block count", "layout-legal")


def _users(every: list[Instruction]) -> dict[int, list[Rst]]:
    found: dict[int, list[Rst]] = {}
    for inst in every:
        found.setdefault(inst.blocks, []).append(code(inst.mnemonic))
    return found


def _broadcast_example(inst: Instruction) -> Rst:
    """Return a worked example: cbsz 1, abid 1, an element of the last block."""
    at = {"b": inst.blocks - 1, "i": 1, "k": 0}
    pair = next(p for p in tables.broadcasts(inst) if (p.cbsz, p.abid) == (1, 1))
    own = inst.operand("A").locate(**at)[0].lane
    read = inst.operand("A", cbsz=1, abid=1).locate(**at)[0].lane
    if own == read:
        at["b"] -= 1
        own = inst.operand("A").locate(**at)[0].lane
        read = inst.operand("A", cbsz=1, abid=1).locate(**at)[0].lane
    return Rst(
        f"**Example.** {code(inst.mnemonic)} with cbsz 1 and abid 1: blocks 0 to "
        f"{inst.blocks - 1} read blocks {words.listing(pair.local)} of *A*. The element b = "
        f"{at['b']}, i = {at['i']}, k = 0 lies in lane {own}; the multiplier reads lane {read} "
        f"for it, where b = {pair.local[at['b']]} lies."
    )


def _pattern_examples(every: list[Instruction]) -> list[Instruction]:
    """Return instructions whose B differs in kind: by blocks, by columns and by k."""
    found: dict[tuple[object, ...], Instruction] = {}
    for inst in every:
        operand = inst.operands["B"]
        groups = tables.lane_patterns(inst)[0].groups
        full = operand.layout.shape
        kind = tuple(
            tuple(name for name, values in share.coordinates if len(values) < full[name])
            for share in tables.shares(operand, groups)
        )
        found.setdefault(kind, inst)
    return list(found.values())


def _pattern_example(inst: Instruction) -> Rst:
    """Return a worked example: blgp 3 and an element of B."""
    at = {"b": inst.blocks - 1, "k": inst.k - 1, "j": 2}
    own = inst.operand("B").locate(**at)[0].lane
    read = inst.operand("B", blgp=3).locate(**at)[0].lane
    element = inst.operands["B"].layout.inverse(read, 0)
    assert element is not None, "B of a dense instruction has no holes"
    there = ", ".join(f"{name} = {value}" for name, value in element.items())
    return Rst(
        f"**Example.** {code(inst.mnemonic)} with blgp 3: the element b = {at['b']}, k = "
        f"{at['k']}, j = {at['j']} of *B* lies in lane {own}; the multiplier reads lane {read} "
        f"for it, whose first item is {there}."
    )
