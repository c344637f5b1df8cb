"""Read the witness files: from a compiler's own layout notation to plain labels.

A *label* says: item ``item`` of lane ``lane`` holds the element (``row``, ``col``) of block
``block``. Row and column are (i, k) for A, (k, j) for B, (i, j) for C and D, (i, group) for the
scales of A and (group, j) for the scales of B, where a group is 32 consecutive k. An item counts
elements, not registers: item 2 of an F64 operand is the register pair 4, 5.

IREE
    ``outer``, ``thread``, ``tstrides`` and ``element`` have one entry per dimension of the
    operand: (M, K), (K, N), (M, N), with a leading block dimension for multi-block instructions
    and with K as (K/32, 32) for scaled ones. In each dimension

        coordinate = element·(thread·outer_index + lane_index) + element_index

    with ``lane_index = lane // tstrides mod thread``. The item of an element is its place in the
    row-major order of (outer_index, element_index) of the first dimension, then of the second, and
    so on: the last dimension runs fastest, and in each dimension the element faster than the outer.

    IREE's comment on ``MMASingleSubgroupLayout`` orders all outer indices before all element
    indices. The two orders differ where an element index of an early dimension stands before an
    outer index of a later one, and that is in D of the two-block 32×32 shapes only: outer
    (1, 4, 1), element (2, 4, 1). There IREE itself takes the order given here: the slice that its
    pass hands to a lane is 2×4×4×1 (field ``slice``), and in the code that it makes for gfx942
    block 1 is in the registers 16 to 31. By the comment they would be 4 to 7, 12 to 15, and so on.

    A dimension whose ``thread`` is 1 has no lane part, whatever its stride. A product of
    ``thread`` below the wave size means that lanes repeat one another (A and B on RDNA3).
    Blocks show up in two ways: as lanes (``thread[0]``: A and B, and D of the 4×4 shapes) or as
    items (``element[0]``: D of the 16×16 and 32×32 shapes, whose block is the slow part of item).

Triton
    A linear layout: the tile coordinate is the XOR of the bases selected by the set bits of the
    lane and of the register. Triton transposes by swapping A and B: a *transposed* layout is D of
    the instruction with its row and column exchanged. The 64×4 and 4×64 tiles are the sixteen
    blocks of a 4×4 instruction side by side. Only D and the scales are witnesses here: the k
    order of a dot operand is whatever its user asked for.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

from layoutgen.validate.witnesses.label import Label, Witness
from layoutgen.validate.witnesses.published import find_published, speaks

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = [
    "Instructions",
    "IreeRecord",
    "Label",
    "TritonRecord",
    "Witness",
    "as_array",
    "coverage",
    "find",
    "iree_labels",
    "load_iree",
    "load_triton",
    "triton_labels",
    "triton_tile",
]

HERE = Path(__file__).parent
IREE_FILE = HERE / "iree.json"
TRITON_FILE = HERE / "triton.json"

SCALE_GROUP = 32
"""Consecutive k that share one scale."""

OPERANDS = {
    "lhs": ("A",),
    "rhs": ("B",),
    "acc": ("C", "D"),
    "lhs_scale": ("scale_a",),
    "rhs_scale": ("scale_b",),
}
"""The tools' operands and ours: C and D share one layout."""

Instructions = Mapping[str, tuple[str, ...]]
"""Architecture to the mnemonics that a record speaks for."""


# --- what a record says ----------------------------------------------------------------------


@dataclass(frozen=True)
class IreeRecord:
    """One operand of one IREE intrinsic, as ``get_single_subgroup_layout`` describes it."""

    intrinsic: str
    kind: str
    """``mma``, ``virtual`` (made of several instructions) or ``scaled``."""
    operand: str
    m: int
    n: int
    k: int
    blocks: int
    wave: int
    types: tuple[str, str, str]
    """MLIR's element types of lhs, rhs and acc."""
    targets: tuple[str, ...]
    """Architectures for which IREE itself lists the intrinsic."""
    instructions: Instructions
    outer: tuple[int, ...]
    thread: tuple[int, ...]
    tstrides: tuple[int, ...]
    element: tuple[int, ...]
    slice: tuple[int, ...] = ()
    """Multi-block D only: sizes of the slice that IREE's pass hands to a lane."""

    @property
    def name(self) -> str:
        """The intrinsic, with the element types where the name does not tell them."""
        return f"{self.intrinsic}<{self.types[0]}>" if self.kind == "scaled" else self.intrinsic


@dataclass(frozen=True)
class TritonRecord:
    """One layout of Triton's Gluon as a linear layout."""

    layout: str
    """The call that makes the layout, as written in Gluon."""
    operand: str
    version: int
    m: int
    n: int
    k: int
    transposed: bool
    element_bitwidth: int
    instructions: Instructions
    register: tuple[tuple[int, int], ...]
    lane: tuple[tuple[int, int], ...]
    warp: tuple[tuple[int, int], ...]
    block: tuple[tuple[int, int], ...]
    shape: tuple[int, int]

    @property
    def wave(self) -> int:
        """Lanes of the wave."""
        return 1 << len(self.lane)


# --- readers ---------------------------------------------------------------------------------


def iree_labels(record: IreeRecord) -> tuple[Label, ...]:
    """Every (lane, item) of the record with its block, row and column, sorted."""
    if not len(record.outer) == len(record.thread) == len(record.tstrides) == len(record.element):
        raise ValueError(f"{record.name} {record.operand}: dimensions differ in number")
    labels = []
    for lane in range(record.wave):
        of_lane = [
            0 if count == 1 else lane // stride % count
            for count, stride in zip(record.thread, record.tstrides, strict=True)
        ]
        places = [
            [
                element * (thread * outer_index + lane_index) + element_index
                for outer_index in range(outer)
                for element_index in range(element)
            ]
            for outer, thread, element, lane_index in zip(
                record.outer, record.thread, record.element, of_lane, strict=True
            )
        ]
        for item, coordinates in enumerate(product(*places)):
            labels.append(Label(lane, item, *_matrix(record, coordinates)))
    return tuple(labels)


def _matrix(record: IreeRecord, coordinates: Sequence[int]) -> tuple[int, int, int]:
    """(block, row, col) of an element given by IREE's dimensions."""
    if record.kind == "scaled":
        if record.operand == "lhs":
            row, group, k = coordinates
            return 0, row, SCALE_GROUP * group + k
        if record.operand == "rhs":
            group, k, col = coordinates
            return 0, SCALE_GROUP * group + k, col
    if len(coordinates) == 3:
        block, row, col = coordinates
        return block, row, col
    row, col = coordinates
    return 0, row, col


def triton_tile(record: TritonRecord) -> tuple[tuple[int, int, int, int], ...]:
    """(lane, register, row, col) of the tile as Triton numbers it, before any reading of it.

    ``register`` counts elements. The tile is ``record.shape``; of a transposed layout too it is
    the tensor's own row and column.
    """
    tile = []
    for lane in range(1 << len(record.lane)):
        for register in range(1 << len(record.register)):
            row = col = 0
            for bit, (base_row, base_col) in _selected(record, lane, register):
                row ^= base_row * bit
                col ^= base_col * bit
            tile.append((lane, register, row, col))
    return tuple(tile)


def _selected(
    record: TritonRecord, lane: int, register: int
) -> Iterator[tuple[int, tuple[int, int]]]:
    for index, bases in ((lane, record.lane), (register, record.register)):
        for position, base in enumerate(bases):
            yield index >> position & 1, base


def triton_labels(record: TritonRecord) -> tuple[Label, ...]:
    """Labels of the *instruction*: transposed layouts turned back, wide tiles cut into blocks."""
    swap = record.transposed or record.operand == "rhs_scale"
    rows, cols = record.shape[::-1] if swap else record.shape
    labels = []
    for lane, register, tile_row, tile_col in triton_tile(record):
        row, col = (tile_col, tile_row) if swap else (tile_row, tile_col)
        block = 0
        if record.operand == "acc" and {rows, cols} == {4, 64}:
            block = row // 4 + col // 4
            row, col = row % 4, col % 4
        labels.append(Label(lane, register, block, row, col))
    return tuple(labels)


def as_array(labels: Sequence[Label]) -> NDArray[np.int64]:
    """Labels as an (n, 5) array with the columns lane, item, block, row, col."""
    import numpy as np

    rows = [(one.lane, one.item, one.block, one.row, one.col) for one in labels]
    return np.array(rows, dtype=np.int64).reshape(-1, 5)


# --- files -----------------------------------------------------------------------------------


def load_iree(path: Path = IREE_FILE) -> tuple[IreeRecord, ...]:
    """The records of IREE's file, in its order."""
    return tuple(
        IreeRecord(
            intrinsic=raw["intrinsic"],
            kind=raw["kind"],
            operand=raw["operand"],
            m=raw["m"],
            n=raw["n"],
            k=raw["k"],
            blocks=raw["blocks"],
            wave=raw["wave"],
            types=_three(raw["types"]),
            targets=tuple(raw["targets"]),
            instructions=_instructions(raw["instructions"]),
            outer=tuple(raw["outer"]),
            thread=tuple(raw["thread"]),
            tstrides=tuple(raw["tstrides"]),
            element=tuple(raw["element"]),
            slice=tuple(raw.get("slice", ())),
        )
        for raw in _read(path)["records"]
    )


def load_triton(path: Path = TRITON_FILE) -> tuple[TritonRecord, ...]:
    """The records of Triton's file, in its order."""
    return tuple(
        TritonRecord(
            layout=raw["layout"],
            operand=raw["operand"],
            version=raw["version"],
            m=raw["m"],
            n=raw["n"],
            k=raw["k"],
            transposed=raw["transposed"],
            element_bitwidth=raw["element_bitwidth"],
            instructions=_instructions(raw["instructions"]),
            register=_bases(raw["register"]),
            lane=_bases(raw["lane"]),
            warp=_bases(raw["warp"]),
            block=_bases(raw["block"]),
            shape=_pair(raw["shape"]),
        )
        for raw in _read(path)["records"]
    )


def _read(path: Path) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return document


def _instructions(raw: Mapping[str, Sequence[str]]) -> Instructions:
    return {arch: tuple(names) for arch, names in raw.items()}


def _three(raw: Sequence[str]) -> tuple[str, str, str]:
    first, second, third = raw
    return first, second, third


def _pair(raw: Sequence[int]) -> tuple[int, int]:
    first, second = raw
    return first, second


def _bases(raw: Sequence[Sequence[int]]) -> tuple[tuple[int, int], ...]:
    return tuple(_pair(base) for base in raw)


@cache
def _index() -> Mapping[tuple[str, str, str], tuple[tuple[str, IreeRecord | TritonRecord], ...]]:
    """(architecture, mnemonic, operand) to (tool, record)."""
    index: dict[tuple[str, str, str], tuple[tuple[str, IreeRecord | TritonRecord], ...]] = {}
    records: list[tuple[str, IreeRecord | TritonRecord]] = [("IREE", one) for one in load_iree()]
    records += [("Triton", one) for one in load_triton()]
    for tool, record in records:
        for arch, names in record.instructions.items():
            for key in product((arch,), names, OPERANDS[record.operand]):
                index[key] = (*index.get(key, ()), (tool, record))
    return index


@cache
def _version(path: Path) -> str:
    return str(_read(path)["version"])


def find(arch: str, instruction: str, operand: str) -> tuple[Witness, ...]:
    """All witnesses of one operand: A, B, C, D, index or scales; empty if nobody speaks of it.

    ``arch`` and ``instruction`` are spelled as the assembler does: ``gfx908``,
    ``v_mfma_f32_32x32x8f16``. The ``f8f6f4`` instructions get one witness per element type.
    """
    witnesses: list[Witness] = []
    for tool, record in _index().get((arch, instruction, operand), ()):
        if isinstance(record, IreeRecord):
            version, labels = _version(IREE_FILE), iree_labels(record)
            witnesses.append(Witness(tool, version, record.name, record.types, labels))
        else:
            version, labels = _version(TRITON_FILE), triton_labels(record)
            witnesses.append(Witness(tool, version, record.layout, (), labels))
    return (*witnesses, *find_published(arch, instruction, operand))


def coverage() -> dict[str, dict[str, dict[str, tuple[str, ...]]]]:
    """Architecture → mnemonic → operand → the tools that speak of it."""
    table: dict[str, dict[str, dict[str, tuple[str, ...]]]] = {}
    for (arch, name, operand), found in sorted(_index().items()):
        tools = tuple(sorted({tool for tool, _ in found}))
        more = speaks(arch, name, operand)
        table.setdefault(arch, {}).setdefault(name, {})[operand] = tuple(sorted({*tools, *more}))
    return table
