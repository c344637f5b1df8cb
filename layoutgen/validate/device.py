"""What a real device computed, held against the tables and the emulator.

The tables say which slots of A and B each slot of D multiplies; the device named them.  Where they
differ, the operand is named whose slots can be understood as other slots of the tables; of several,
that with the fewest registers, lanes or slots that changed places, and all of them where these are
equally many (k in another order is one of A or of B).  The emulator gets random numbers, and the
products that the device named must give the same D.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from layoutgen.probe import LANES, Case, cases
from layoutgen.validate.device_emulator import emulated_d
from layoutgen.validate.device_file import Device, Run, key
from layoutgen.validate.device_tables import (
    Expected,
    by_the_other_reading,
    describe,
    expected,
)
from layoutgen.validate.findings import Finding, Tally

if TYPE_CHECKING:
    from layoutgen.model import Architecture, Instruction
    from layoutgen.validate.codes import IntArray

LEG = "device"
MOST = 6
"""So many findings of one kind are told of one run."""
COLUMNS = "DAB"
BIG = 1 << 32
"""More than there are items in a lane."""


def check(arch: Architecture, device: Device, where: str = "device") -> Tally:
    """Return what the tables and the emulator have to say against a device, with counts.

    Findings stand at `where`, the name of the file.
    """
    tally = Tally()
    for told in device.runs:
        run = replace(told)  # a copy: its products are let go with it
        wanted = expected(run.case)
        found = _findings(arch, run.case, run, wanted)
        tally.add(replace(finding, where=where) for finding in found)
        if reading := _reading(run.case, run, wanted):
            tally.count(LEG, device.gpu, f"runs by the {reading} reading of cbsz")
        tally.count(LEG, device.gpu, "runs")
        tally.count(LEG, device.gpu, "products", len(run.triples))
    asked = {run.instruction for run in device.runs}
    tally.count(LEG, device.gpu, "instructions", len(asked))
    return tally


def missing(arch: Architecture, device: Device) -> list[Case]:
    """Return the runs that the program makes and the file does not tell about."""
    told = {key(run.case) for run in device.runs}
    return [case for case in cases(arch) if key(case) not in told]


def _findings(arch: Architecture, case: Case, run: Run, wanted: Expected) -> Iterator[Finding]:
    inst = case.instruction
    for a, d in run.unclear[:MOST]:
        says = f"answers to A at {_place(inst, 'A', a, case)}, but not with one slot of B"
        yield _finding(run, f"D at {_place(inst, 'D', d, case)}", says, "a product has one")
    if run.sign != wanted.sign and len(run.triples):
        yield _finding(run, "sign of the products", str(run.sign), f"the tables: {wanted.sign}")
    yield from _products(case, run, wanted)
    yield from _accumulators(case, run, wanted)
    yield from _scales(case, run, wanted)
    if run.unclear or run.sign == 0 or not len(run.triples):
        return
    emulated, predicted = emulated_d(arch, case, run)
    for slot in np.flatnonzero(emulated != predicted)[:MOST].tolist():
        says = f"its products make {predicted[slot]:g} of random numbers"
        against = f"the emulator: {emulated[slot]:g}"
        yield _finding(run, f"D at {_place(inst, 'D', slot, case)}", says, against)


def _reading(case: Case, run: Run, wanted: Expected) -> str | None:
    """Return which reading of cbsz a run follows, if the two differ there and one of them holds."""
    other = by_the_other_reading(case)
    if other is None:
        return None
    seen = {tuple(row) for row in run.triples.tolist()}
    for name, reading in (("local", wanted), ("global", other)):
        if seen == {tuple(row) for row in reading.triples.tolist()}:
            return name
    return None


def _products(case: Case, run: Run, wanted: Expected) -> Iterator[Finding]:
    """Yield what differs, of every operand that explains it in the fewest words."""
    if not len(run.triples):
        says = "no slot of A reaches D" + " by one slot of B" * bool(run.unclear)
        yield _finding(run, "A", says, f"the tables have {len(wanted.triples)} products")
        return
    if _reading(case, run, wanted) == "global":
        says = "is read by the global reading of cbsz"
        yield _finding(run, "A", says, "the tables follow the local one: see the disagreement")
        return
    seen, told = _by_slot(run.triples), _by_slot(wanted.triples)
    readings = {name: Reading(case, name, seen[name], told[name]) for name in COLUMNS}
    best = min(reading.doubt for reading in readings.values())
    named = [name for name in COLUMNS if readings[name].doubt == best]
    if best[0]:
        named = named[:1]  # none explains the run: one is enough to see that it differs
    elif len(named) > 1 and best[1]:
        says = "a change of one of them, whichever, explains the products"
        yield _finding(run, " or ".join(named), says, "the tables")
    for name in named:
        yield from _slots(case, run, wanted, readings[name])


@dataclass(frozen=True, eq=False)
class Reading:
    """What differs, with all of it blamed on one operand: `seen` and `told` are its slots."""

    case: Case
    name: str
    seen: dict[int, frozenset[int]]
    told: dict[int, frozenset[int]]

    @cached_property
    def differ(self) -> list[int]:
        """The slots that do something else than the tables say."""
        slots = sorted(self.seen.keys() | self.told.keys())
        return [slot for slot in slots if self.seen.get(slot) != self.told.get(slot)]

    @cached_property
    def like(self) -> dict[int, int]:
        """For slots that do what another slot of the tables does: that slot."""
        slot_of = {does: slot for slot, does in self.told.items()}
        does = {slot: self.seen[slot] for slot in self.differ if slot in self.seen}
        return {slot: slot_of[what] for slot, what in does.items() if what in slot_of}

    @cached_property
    def doubt(self) -> tuple[int, int, bool]:
        """Slots not explained; how long the explanation is; whether no modifier acts on it."""
        inst = self.case.instruction
        touched = set(self.case.fields) & {*inst.rules.fields_for(self.name)}
        strange = len(self.differ) - len(self.like)
        length = len(self.differ) if strange else self._length()
        return strange, length, not touched

    def _length(self) -> int:
        """Return how many registers and lanes have changed places, or else how many slots.

        A register that moves in every lane alike is one; so is a lane with all its registers.
        """
        width = self.case.instruction.operand(self.name, **self.case.fields).format.bits
        slots = np.array([*self.told], dtype=np.int64)
        to = np.array([self.like.get(slot, slot) for slot in self.told], dtype=np.int64)
        lengths = [len(self.differ)]
        for per in {1, 32 // width if width < 32 and 32 % width == 0 else 1}:
            if (slots // LANES % per != to // LANES % per).any():
                continue
            moved = [
                _moved(slots // n % m, to // n % m) for n, m in ((1, LANES), (LANES * per, BIG))
            ]
            lengths += [] if None in moved else [sum(n for n in moved if n)]
        return min(lengths)


def _moved(old: IntArray, new: IntArray) -> int | None:
    """Return how many values of a digit become others, or None if one becomes several."""
    pairs = np.unique(np.column_stack([old, new]), axis=0)
    if len(pairs) != len(np.unique(old)):
        return None
    return int((pairs[:, 0] != pairs[:, 1]).sum())


def _slots(case: Case, run: Run, wanted: Expected, reading: Reading) -> Iterator[Finding]:
    """Yield the slots of one operand that do something else than the tables say."""
    name, inst = reading.name, case.instruction
    for slot in reading.differ[:MOST]:
        subject = f"{name} at {_place(inst, name, slot, case)}"
        of_tables = wanted.names[name].get(slot) if slot in reading.told else "it is not read"
        does = reading.seen.get(slot)
        if does is None:
            says = "is not read"
        elif (like := reading.like.get(slot)) is not None:
            place = _place(inst, name, like, case)
            says = f"is {wanted.names[name].get(like)}, which the tables have at {place}"
        else:
            right = len(does & reading.told.get(slot, frozenset()))
            says = f"{right} of its {len(does)} products are those of the tables"
        yield _finding(run, subject, says, f"the tables: {of_tables}")
    if (more := len(reading.differ) - MOST) > 0:
        yield _finding(run, f"{more} more slots of {name}", "differ as well", "the tables")


def _by_slot(triples: IntArray) -> dict[str, dict[int, frozenset[int]]]:
    """Return for each operand what every slot does: the pairs of slots of the other two."""
    size = int(triples.max(initial=0)) + 1
    found: dict[str, dict[int, frozenset[int]]] = {}
    for n, name in enumerate(COLUMNS):
        others = triples[:, (n + 1) % 3] * size * 4096 + triples[:, (n + 2) % 3]
        order = np.argsort(triples[:, n], kind="stable")
        slots, starts = np.unique(triples[order, n], return_index=True)
        parts = np.split(others[order], starts[1:])
        found[name] = {
            int(slot): frozenset(part.tolist()) for slot, part in zip(slots, parts, strict=True)
        }
    return found


def _accumulators(case: Case, run: Run, wanted: Expected) -> Iterator[Finding]:
    inst = case.instruction
    d = list(wanted.names["D"])
    c_of = {name: slot for slot, name in wanted.names["C"].items()}
    found = 0
    for slot in sorted(d):
        c = c_of[wanted.names["D"][slot].replace("D", "C", 1)]
        right = c if wanted.accumulator_sign > 0 else -1 - c
        seen = run.accumulators[slot]
        if seen == right or found == MOST:
            continue
        found += 1
        sign = "" if seen is None or (seen < 0) == (right < 0) else " with the other sign"
        at = None if seen is None else max(seen, -1 - seen)
        says = (
            "begins with no C" if at is None else f"begins with C at {_place(inst, 'C', at, case)}"
        )
        against = f"the tables: C at {_place(inst, 'C', c, case)}"
        yield _finding(run, f"D at {_place(inst, 'D', slot, case)}", says + sign, against)


def _scales(case: Case, run: Run, wanted: Expected) -> Iterator[Finding]:
    for name, right in wanted.scales.items():
        operand = name[-1].upper()
        seen = np.array(run.scales.get(name, []), dtype=np.int64)
        if len(seen) != len(right):
            told = f"{len(seen)} slots of {operand}"
            yield _finding(run, name, f"is told for {told}", f"there are {len(right)}")
            continue
        for slot in np.flatnonzero((seen != right) & (right >= 0))[:MOST].tolist():
            subject = f"{operand} at {_place(case.instruction, operand, slot, case)}"
            says = (
                f"takes the scale at {describe(int(seen[slot]), 8)}"
                if seen[slot] >= 0
                else "no scale"
            )
            yield _finding(run, subject, says, f"the tables: {describe(int(right[slot]), 8)}")


def _place(inst: Instruction, name: str, slot: int, case: Case) -> str:
    width = inst.operand(name, **case.fields).format.bits
    return describe(slot, width)


def _finding(run: Run, subject: str, says: str, against: str) -> Finding:
    told = run.title.removeprefix(run.instruction).strip()
    return Finding(LEG, "device", run.instruction, "device", subject, says, against, told)
