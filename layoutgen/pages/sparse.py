"""The context of an architecture's page of sparse builtins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from layoutgen.pages import blocks, chapters, words
from layoutgen.pages.architecture import elsewhere, sisters
from layoutgen.pages.known import known
from layoutgen.pages.listings import (
    availability,
    block_table,
    builtin_groups,
    disagreements,
    legal,
)
from layoutgen.pages.parts import ORDER, parts
from layoutgen.pages.rst import Rst, code, list_table, merge

if TYPE_CHECKING:
    from layoutgen.model import Architecture, Instruction


def context(
    arch: Architecture,
    prefixes: Mapping[str, Sequence[str]],
    archs: Sequence[Architecture],
    to: blocks.Target = blocks.same_folder,
) -> dict[str, object]:
    """Return what the template ``sparse`` needs beside the globals.

    The arguments are those of :func:`layoutgen.pages.architecture.context`.
    """
    every = chapters.chapters(arch)["sparse"]
    first = every[0]
    return {
        "arch": arch,
        "every": every,
        "to": to,
        "prefixes": prefixes[arch.name],
        "dense": chapters.reference(prefixes[arch.name][-1], "dense", "the dense ones"),
        "sisters": sisters(
            arch, [a for a in archs if "sparse" in chapters.chapters(a)], prefixes, "sparse"
        ),
        "without": [code(a.name) for a in archs if "sparse" not in chapters.chapters(a)],
        "elsewhere": elsewhere(arch, every),
        "availability": availability(every),
        "group": group(first),
        "kept": kept(first),
        "bits": first.operands["index"].format.bits // kept(first),
        "nibbles": _nibbles(first),
        "index_table": _index_table(every, to),
        "legal": legal(every, to),
        "shapes": [_shape(members, to) for members in shapes(every)],
        "ops": _ops(first),
        "halved": any(d.id == "sparse-ops" for d in arch.disagreements),
        "block_table": block_table(arch, every, to),
        "groups": builtin_groups(every, to),
        "disagreements": disagreements(arch, every, to),
    }


def group(inst: Instruction) -> int:
    """Return how many dense k a pair of indices is about: four."""
    return inst.k // inst.operands["index"].layout.shape["group"]


def kept(inst: Instruction) -> int:
    """Return how many of them A stores: two."""
    return inst.operands["A"].layout.shape["k"] * group(inst) // inst.k


def shapes(every: Sequence[Instruction]) -> list[list[Instruction]]:
    """Return the instructions that have A, B and index in the same places, together."""
    found: dict[object, list[Instruction]] = {}
    for inst in every:
        lies = tuple((inst.operands[n].variant, inst.operands[n].format.bits) for n in "AB")
        found.setdefault((inst.m, inst.n, inst.k, lies), []).append(inst)
    return list(found.values())


def _shape(members: list[Instruction], to: blocks.Target) -> dict[str, object]:
    inst = members[0]
    bits = inst.operands["A"].format.bits
    stored = inst.operands["A"].layout.shape["k"]
    return {
        "inst": inst,
        "title": f"{words.shape(inst)}, {bits}-bit elements",
        "links": merge(blocks.builtin_link(i, to=to) for i in members),
        "stored": stored,
        "parts": parts(inst),
        "same_group": _same_group(inst),
        "known": known(members, ORDER, to),
    }


def _same_group(inst: Instruction) -> bool:
    """Tell whether the lane of a stored element of A has the same group of lanes as its B."""
    a, b = inst.operands["A"], inst.operands["B"]
    ratio = inst.k // a.layout.shape["k"]
    return all(
        a.locate(b=0, i=0, k=k)[0].lane // inst.m
        == b.locate(b=0, k=ratio * k, j=0)[0].lane // inst.n
        for k in range(a.layout.shape["k"])
    )


def _nibbles(inst: Instruction) -> Rst:
    """Return every pair of indices, as bits and as a number, with the k that it stores."""
    size, bits = group(inst), inst.operands["index"].format.bits // kept(inst)
    rows = [
        (
            str(low),
            str(high),
            code(f"{low | high << bits:0{kept(inst) * bits}b}"),
            str(low | high << bits),
            f"{size}q + {low} and {size}q + {high}",
        )
        for low in range(size)
        for high in range(low + 1, size)
    ]
    header = ("idx0", "idx1", "Bits", "Number", "k that are stored")
    return list_table(header, rows, "The six pairs of indices", "layout-pairs")


def _index_table(every: Sequence[Instruction], to: blocks.Target) -> Rst:
    """Return how much of the index register a set takes, and how many sets there are."""
    rows = []
    for members in shapes(every):
        index = members[0].operands["index"]
        width = index.elements_per_lane * index.format.bits
        rows.append(
            (
                merge(blocks.builtin_link(i, to=to) for i in members),
                str(index.elements_per_lane),
                str(width),
                str(32 // width),
            )
        )
    header = ("Builtins", "Pairs of a lane", "Bits of a set", "Sets in a register")
    return list_table(header, rows, "The index register", "layout-index")


def _ops(inst: Instruction) -> Rst:
    return Rst(
        f"{code(inst.mnemonic)}: 2 × {inst.m} × {inst.n} × {inst.k} = {inst.ops} operations, "
        "though half of the products are with zeros that are not stored"
    )
