"""Read ``published.json``: layouts of other projects, written down by hand, as plain labels.

Bits
    ``lane`` and ``item`` list their bits, the lowest first, by the bit of the coordinate that it
    is: ``i3`` is the bit of weight 8 of i.  ``-`` is a bit of the block, which is not told: the
    block of such labels is :data:`ANY`.  ``group`` counts groups of four k.

Geometry
    The constants of Composable Kernel's ``mfma_type``.  With T lanes to a block, s rows to a
    group and G input blocks: column = lane mod T, and register r of an output block is row
    ``(r / s)·s·(64 / T) + s·(lane / T) + r mod s``.  A lane holds ``k_per_blk`` k of A and of B:
    of one block, those from ``k_per_blk·(lane / T)`` on; of several, those of block lane / T.
    The 4×4 forms are taken as one block of 4×64, whose A is shared: A is not told.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from layoutgen.validate.witnesses.label import ANY, LANES, Label, Witness

PUBLISHED_FILE = Path(__file__).parent / "published.json"

_ORDER = {
    "A": ("i", "k"),
    "B": ("k", "j"),
    "C": ("i", "j"),
    "D": ("i", "j"),
    "index": ("i", "group"),
}
_TILE_OF_4 = 4


@cache
def tools() -> tuple[Mapping[str, Any], ...]:
    """Return the projects of the file, with their records."""
    document = json.loads(PUBLISHED_FILE.read_text(encoding="utf-8"))
    return tuple(document["tools"])


def find_published(arch: str, instruction: str, operand: str) -> Iterator[Witness]:
    """Yield the witnesses of one operand."""
    for tool in tools():
        for record in tool["records"]:
            if instruction not in record["instructions"].get(arch, ()):
                continue
            labels = tuple(sorted(_labels(record, operand)))
            if labels:
                yield Witness(tool["tool"], tool["version"], record["name"], (), labels)


def speaks(arch: str, instruction: str, operand: str) -> tuple[str, ...]:
    """Return the names of the projects that speak of an operand."""
    return tuple(one.tool for one in find_published(arch, instruction, operand))


def _labels(record: Mapping[str, Any], operand: str) -> Iterator[Label]:
    if "geometry" in record:
        if operand in record.get("only", "ABCD"):
            yield from geometry_labels(record["geometry"], operand)
    elif operand in record["operands"]:
        one = record["operands"][operand]
        yield from bit_labels(operand, one["lane"].split(), one["item"].split())


def bit_labels(operand: str, lane_bits: list[str], item_bits: list[str]) -> Iterator[Label]:
    """Yield the labels of a layout that is told by its bits."""
    for lane in range(1 << len(lane_bits)):
        for item in range(1 << len(item_bits)):
            found = dict.fromkeys(_ORDER[operand], 0)
            for value, bits in ((lane, lane_bits), (item, item_bits)):
                for place, bit in enumerate(bits):
                    if bit != "-":
                        name = bit.rstrip("0123456789")
                        found[name] |= (value >> place & 1) << int(bit.removeprefix(name))
            row, col = found.values()
            block = ANY if "-" in (*lane_bits, *item_bits) else 0
            yield Label(lane, item, block, row, col)


def geometry_labels(of: Mapping[str, int], operand: str) -> Iterator[Label]:
    """Yield the labels that the constants of Composable Kernel stand for."""
    threads, size = of["num_threads_per_blk"], of["group_size"]
    several = of["num_output_blks"] > 1
    registers = size * of["num_groups_per_blk"]
    of_four = threads == LANES
    for lane in range(LANES):
        part, inside = divmod(lane, threads)
        if of_four:
            part, inside = divmod(lane, _TILE_OF_4)
        if operand in "CD":
            for item in range(registers * of["num_output_blks"]):
                block, r = divmod(item, registers)
                above = 0 if of_four else size * part
                row = r // size * size * (LANES // threads) + above + r % size
                yield Label(lane, item, part if of_four else block, row, inside)
        elif operand == "B" or not of_four:
            for item in range(of["k_per_blk"]):
                block = part if several or of_four else 0
                k = item if several or of_four else of["k_per_blk"] * part + item
                pair = (inside, k) if operand == "A" else (k, inside)
                yield Label(lane, item, block, *pair)
