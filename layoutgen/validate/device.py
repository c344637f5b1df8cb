"""What a real device computed, held against the tables and the emulator.

The tables say which slots of A and B each slot of D multiplies; the device named them.  Where they
differ, one operand is named: that whose slots can be understood as other slots of the tables, or
with the fewest slots in question.  The emulator gets random numbers, and
the products that the device named must give the same D.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from layoutgen.model import UnknownName
from layoutgen.modifiers import IllegalModifier
from layoutgen.probe import LANES, Case, cases
from layoutgen.validate.device_emulator import emulated_d
from layoutgen.validate.device_file import Device, DeviceFileError, Run
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


def check(arch: Architecture, device: Device, where: str = "device") -> Tally:
    """Return what the tables and the emulator have to say against a device, with counts.

    Findings stand at `where`, the name of the file.

    Raises :class:`layoutgen.validate.device_file.DeviceFileError` for an instruction or a
    modifier that the architecture does not have, and for a file without runs.
    """
    if not device.runs:
        raise DeviceFileError("there is no run in it")
    tally = Tally()
    for run in device.runs:
        case = _case(arch, run)
        _refuse_slots_beyond(case, run)
        wanted = expected(case)
        found = _findings(arch, case, run, wanted)
        tally.add(replace(finding, where=where) for finding in found)
        if reading := _reading(case, run, wanted):
            tally.count(LEG, device.gpu, f"runs by the {reading} reading of cbsz")
        tally.count(LEG, device.gpu, "runs")
        tally.count(LEG, device.gpu, "products", len(run.triples))
    asked = {run.instruction for run in device.runs}
    tally.count(LEG, device.gpu, "instructions", len(asked))
    return tally


def missing(arch: Architecture, device: Device) -> list[str]:
    """Return the mnemonics that the program asks and the file does not tell about."""
    asked = {run.instruction for run in device.runs}
    return [
        name
        for name in dict.fromkeys(case.instruction.mnemonic for case in cases(arch))
        if name not in asked
    ]


def _case(arch: Architecture, run: Run) -> Case:
    try:
        inst = arch[run.instruction]
        return Case(inst, inst.rules.check(run.modifiers), run.rotation)
    except (UnknownName, IllegalModifier) as error:
        raise DeviceFileError(f"{run.title}: {error}") from None


def _refuse_slots_beyond(case: Case, run: Run) -> None:
    """Raise :class:`DeviceFileError` for a slot that an operand does not have."""
    sizes = {
        name: LANES * case.instruction.operand(name, **case.fields).layout.items
        for name in ("A", "B", "C", "D")
    }
    given = {name: run.triples[:, n].tolist() for n, name in enumerate(COLUMNS)}
    given["A"] += [a for a, _ in run.unclear]
    given["D"] += [d for _, d in run.unclear]
    given["C"] = [max(c, -1 - c) for c in run.accumulators if c is not None]
    if len(run.accumulators) != sizes["D"]:
        told = f"{len(run.accumulators)} accumulators"
        raise DeviceFileError(f"{run.title}: {told}, D has {sizes['D']} slots")
    for name, slots in given.items():
        if wrong := [slot for slot in slots if not 0 <= slot < sizes[name]]:
            told = f"slot {wrong[0]} of {name} is out of range: 0 to {sizes[name] - 1}"
            raise DeviceFileError(f"{run.title}: {told}")


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
    if run.unclear or run.sign == 0:
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
    """Yield the slots that do something else than the tables say, of the operand with fewest."""
    if _reading(case, run, wanted) == "global":
        says = "is read by the global reading of cbsz"
        yield _finding(run, "A", says, "the tables follow the local one: see the disagreement")
        return
    seen, told = _by_slot(run.triples), _by_slot(wanted.triples)
    differ = {
        name: [s for s in sorted(seen[name].keys() | told[name].keys())
               if seen[name].get(s) != told[name].get(s)]
        for name in COLUMNS
    }  # fmt: skip
    meanings = {name: {does: slot for slot, does in told[name].items()} for name in COLUMNS}

    def doubt(name: str) -> tuple[int, int, bool]:
        """Slots that do what no slot of the tables does; all slots; not changed by modifiers."""
        strange = [s for s in differ[name] if seen[name].get(s) not in meanings[name]]
        touched = set(case.fields) & {*case.instruction.rules.fields_for(name)}
        return len(strange), len(differ[name]), not touched

    name = min(COLUMNS, key=doubt)
    meaning = meanings[name]
    for slot in differ[name][:MOST]:
        subject = f"{name} at {_place(case.instruction, name, slot, case)}"
        of_tables = wanted.names[name].get(slot) if slot in told[name] else "it is not read"
        does = seen[name].get(slot)
        if does is None:
            says = "is not read"
        elif (like := meaning.get(does)) is not None:
            place = _place(case.instruction, name, like, case)
            says = f"is {wanted.names[name].get(like)}, which the tables have at {place}"
        else:
            right = len(does & told[name].get(slot, frozenset()))
            says = f"{right} of its {len(does)} products are those of the tables"
        yield _finding(run, subject, says, f"the tables: {of_tables}")
    if (more := len(differ[name]) - MOST) > 0:
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
