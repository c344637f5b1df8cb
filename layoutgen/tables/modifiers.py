"""What cbsz, abid and blgp do to A and B, as tables, in both readings of cbsz."""

from __future__ import annotations

from dataclasses import dataclass
from math import gcd
from typing import TYPE_CHECKING

from layoutgen.modifiers import BLGP_LANES, Modifiers, Reroute

if TYPE_CHECKING:
    from layoutgen.model import Instruction, Operand


@dataclass(frozen=True, slots=True)
class LanePattern:
    """One blgp code: for each group of lanes, the lanes of B that it reads."""

    code: int
    groups: tuple[range, ...]
    sources: tuple[range, ...]


@dataclass(frozen=True, slots=True)
class Share:
    """What a group of lanes holds of an operand: the values of each coordinate."""

    lanes: range
    coordinates: tuple[tuple[str, range], ...]


@dataclass(frozen=True, slots=True)
class Broadcast:
    """One pair of cbsz and abid: for each block, the block of A it reads, in both readings."""

    blocks: int
    cbsz: int
    abid: int
    local: tuple[int, ...]
    other: tuple[int, ...]

    @property
    def differ(self) -> bool:
        """Whether the two readings give different blocks."""
        return self.local != self.other


@dataclass(frozen=True, slots=True)
class BroadcastGroups:
    """One cbsz value: groups of blocks, and the block that each of them reads for abid 0."""

    cbsz: int
    abids: range
    groups: tuple[tuple[range, int], ...]


def lane_patterns(inst: Instruction) -> tuple[LanePattern, ...]:
    """Return every legal blgp code with the lanes that each group of lanes reads."""
    lanes = inst.operands["B"].layout.lanes
    size = gcd(lanes, *(reroute.stride for reroute in BLGP_LANES if reroute))
    groups = tuple(range(start, start + size) for start in range(0, lanes, size))
    found = []
    for code in inst.rules.blgp_codes:
        reroute = inst.rules.reroute("B", Modifiers(blgp=code))
        starts = [reroute.lane(group.start) if reroute else group.start for group in groups]
        found.append(LanePattern(code, groups, tuple(range(s, s + size) for s in starts)))
    return tuple(found)


def shares(operand: Operand, groups: tuple[range, ...]) -> tuple[Share, ...]:
    """Return what each group of lanes holds: the extent of every coordinate of `operand`."""
    rows = operand.table()
    lane = rows[:, -4]
    found = []
    for group in groups:
        mine = rows[(lane >= group.start) & (lane < group.stop)]
        extents = tuple(
            (name, range(int(mine[:, n].min()), int(mine[:, n].max()) + 1))
            for n, name in enumerate(operand.layout.shape)
        )
        found.append(Share(group, extents))
    return tuple(found)


def broadcasts(inst: Instruction) -> tuple[Broadcast, ...]:
    """Return every legal pair of cbsz and abid; none for an instruction of one block."""
    if inst.blocks == 1:
        return ()
    pairs = [(cbsz, abid) for cbsz in inst.rules.cbsz for abid in inst.rules.abid(cbsz)]
    lanes = _first_lanes(inst)
    return tuple(
        Broadcast(
            inst.blocks,
            cbsz,
            abid,
            _sources(lanes, inst.rules.reroute("A", Modifiers(cbsz, abid))),
            _sources(lanes, inst.rules.global_reading(Modifiers(cbsz, abid))),
        )
        for cbsz, abid in pairs
    )


def conflicts(inst: Instruction) -> tuple[Broadcast, ...]:
    """Return the pairs of cbsz and abid for which the two readings differ."""
    return tuple(b for b in broadcasts(inst) if b.differ)


def broadcast_groups(inst: Instruction) -> tuple[BroadcastGroups, ...]:
    """Return, for each cbsz, the groups of blocks that read one block: base + abid."""
    found = []
    lanes = _first_lanes(inst)
    for cbsz in inst.rules.cbsz:
        sources = _sources(lanes, inst.rules.reroute("A", Modifiers(cbsz)))
        bases = sorted(set(sources))
        groups = tuple(
            (range(sources.index(base), sources.index(base) + sources.count(base)), base)
            for base in bases
        )
        found.append(BroadcastGroups(cbsz, inst.rules.abid(cbsz), groups))
    return tuple(found)


def _first_lanes(inst: Instruction) -> list[int]:
    """Return the lane in which each block of A begins."""
    operand = inst.operands["A"]
    return [operand.locate(b=b, i=0, k=0)[0].lane for b in range(inst.blocks)]


def _sources(lanes: list[int], reroute: Reroute | None) -> tuple[int, ...]:
    """Return, for each block, the block of A whose lanes are read instead."""
    block_of = {lane: b for b, lane in enumerate(lanes)}
    return tuple(block_of[reroute.lane(lane) if reroute else lane] for lane in lanes)
