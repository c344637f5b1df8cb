"""Wait states, as pages and the model have them, against those of the manuals and of LLVM.

The recorded facts are one use each: ``MFMA takes it as A or B``.  A row of a page may join
several with *, or*; each must have the numbers of the row.  Where manual and LLVM differ, the
record says which is followed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from layoutgen.validate import truth
from layoutgen.validate.artefacts import rst
from layoutgen.validate.findings import Finding, Tally
from layoutgen.validate.words import number

if TYPE_CHECKING:
    from layoutgen.model import Architecture
    from layoutgen.validate.subject import Subject

KIND = "rst"
PAGE = "layout-hazards"
"""Class of the tables that hold all wait states of an architecture."""
WAITS = "layout-waits"
"""Class of the table of one instruction: what it asks for after itself."""
DASH = "–"

_PASSES = re.compile(r"(?:After )?(\w+) pass(?:es)?")
_SOURCES = {"manual": "the manual", "llvm": "LLVM"}


@dataclass(frozen=True)
class Wait:
    """Wait states between two uses: by passes of the first, or under None whatever they are.

    `who` vouches for the numbers.
    """

    states: Mapping[int | None, int]
    who: str

    def after(self, passes: int | None) -> int | None:
        """Return the wait states after a first instruction of `passes`, None if not stated."""
        return self.states.get(None, self.states.get(passes))


@lru_cache(maxsize=1)
def record() -> Mapping[str, Any]:
    """Return the recorded facts, with their origin."""
    text = (truth.FACTS / "waits.json").read_text(encoding="utf-8")
    found: Mapping[str, Any] = json.loads(text)
    return found


@lru_cache(maxsize=8)
def waits(arch: str) -> Mapping[tuple[str, str], Wait]:
    """Return the facts of an architecture by the two uses, none of one that nobody recorded."""
    entries = record()["architectures"].get(arch, ())
    return {(entry["first"], entry["then"]): _wait(entry) for entry in entries}


def _wait(entry: Mapping[str, Any]) -> Wait:
    told = entry["manual"] if entry["manual"] is not None else entry["llvm"]
    who = " and ".join(name for key, name in _SOURCES.items() if entry[key] == told)
    keys = entry.get("passes", (None,))
    return Wait(dict(zip(keys, told, strict=True)), who)


def check(page: rst.Page, arch: str, instruction: str = "") -> Tally:
    """Hold every table of wait states on a page against the facts, cell by cell.

    On the page of an architecture every recorded fact must stand; on that of an `instruction`
    only what it asks for, after as many passes as it takes.
    """
    tally = Tally()
    tables = [part for part in page.parts if isinstance(part, rst.Table)]
    whole = [table for table in tables if PAGE in table.classes]
    for table in (*whole, *(t for t in tables if WAITS in t.classes)):
        for found in _of_table(page, table, arch, instruction):
            tally.count("L0", KIND, "wait states")
            tally.add([found] if found is not None else [])
    if whole:
        told = {(row[0].text, use) for table in whole for row in table.rows for use in _uses(row)}
        where = page.where(whole[0].line)
        tally.add(_missing(waits(arch), told, where, KIND))
    return tally


def of_instruction(subject: Subject, page: rst.Page) -> Tally:
    """Hold the wait states on the page of an instruction: those that it asks for, and all of them.

    The columns must be for as many passes as it takes.
    """
    tally = check(page, subject.arch, subject.mnemonic)
    names = _called(subject)
    mine = {k: w for k, w in waits(subject.arch).items() if _of(k) in names}
    facts = truth.truth(subject)
    passes = [facts[key].value for key in ("passes", "narrow passes") if key in facts]
    for part in page.parts:
        if not isinstance(part, rst.Table) or WAITS not in part.classes:
            continue
        where = page.where(part.line)
        told = {(row[0].text, use): row[0].line for row in part.rows for use in _uses(row)}
        found = list(_missing(mine, told, where, KIND, subject.mnemonic))
        for key, line in told.items():
            if key in waits(subject.arch) and key not in mine:
                against = f"the instruction is called {' or '.join(sorted(names))}"
                at = page.where(line)
                says = "is a wait state of another kind"
                found.append(Finding("L0", KIND, subject.mnemonic, at, key[0], says, against))
        columns = [_passes(text) for text in part.header[2:]]
        if columns != passes:
            says = f"are for {', '.join(map(str, columns))} passes"
            against = f"it takes {' or '.join(map(str, passes))}"
            found.append(Finding("L0", KIND, subject.mnemonic, where, "wait states", says, against))
        tally.add(found)
    return tally


def _called(subject: Subject) -> frozenset[str]:
    """What the facts call an instruction, by the type that it computes in."""
    kind, sizes = subject.formats["A"], subject.geometry
    firsts = {_of(key) for key in waits(subject.arch)}
    own = {"f64": f"F64 {sizes.m}×{sizes.n}×{sizes.k}", "f32": "F32 MFMA"}.get(kind, "XDL")
    return frozenset({"MFMA", own if own in firsts or kind == "f64" else "XDL"})


def _of(key: tuple[str, str]) -> str:
    """The first instruction of a hazard, without what it does."""
    return re.split(" writes | reads ", key[0])[0]


def check_model(arch: Architecture) -> Tally:
    """Hold the wait states of the model, which the command line prints, against the facts."""
    tally = Tally()
    where = f"hazards of {arch.name}"
    told = set()
    for hazard in arch.hazards:
        for use in hazard.then.split(", or "):
            told.add((hazard.first, use))
            for passes in hazard.passes or (None,):
                states = hazard.waits[0] if passes is None else hazard.wait(passes)
                key = (hazard.first, use)
                found = _against("interface", where, arch.name, "", key, passes, states)
                tally.count("L0", "interface", "wait states")
                tally.add([found] if found is not None else [])
    tally.add(_missing(waits(arch.name), told, where, "interface"))
    return tally


def _uses(row: tuple[rst.Cell, ...]) -> list[str]:
    return row[1].text.split(", or ")


def _of_table(
    page: rst.Page, table: rst.Table, arch: str, instruction: str
) -> Iterator[Finding | None]:
    """What differs, or None for a cell that holds."""
    columns = [_passes(text) for text in table.header[2:]]
    for row in table.rows:
        for passes, cell in zip(columns, row[2:], strict=True):
            where = page.where(cell.line)
            states = None if cell.text == DASH else _number(cell.text)
            if states is None and cell.text != DASH:
                says, against = f"says {cell.text!r}", "a number is wanted"
                yield Finding("L0", KIND, instruction, where, row[0].text, says, against)
                continue
            for use in _uses(row):
                key = (row[0].text, use)
                yield _against(KIND, where, arch, instruction, key, passes, states)


def _against(
    artefact: str,
    where: str,
    arch: str,
    instruction: str,
    key: tuple[str, str],
    passes: int | None,
    states: int | None,
) -> Finding | None:
    wait = waits(arch).get(key)
    subject = f"{key[0]}, then {key[1]}" + ("" if passes is None else f", {passes} passes")
    says = f"{DASH if states is None else states} wait states"
    if wait is None:
        against = f"no such hazard of {arch} is recorded from the manual or from LLVM"
        return Finding("L0", artefact, instruction, where, subject, says, against)
    wanted = wait.after(passes)
    if wanted == states:
        return None
    against = f"{wait.who}: {DASH if wanted is None else wanted}"
    return Finding("L0", artefact, instruction, where, subject, says, against)


def _missing(
    facts: Mapping[tuple[str, str], Wait],
    told: Iterable[tuple[str, str]],
    where: str,
    artefact: str,
    instruction: str = "",
) -> Iterator[Finding]:
    """Facts that are told nowhere."""
    known = set(told)
    for key, wait in facts.items():
        if key not in known:
            subject = f"{key[0]}, then {key[1]}"
            against = f"{wait.who}: {', '.join(map(str, wait.states.values()))}"
            yield Finding("L0", artefact, instruction, where, subject, "is told nowhere", against)


def _passes(header: str) -> int | None:
    """The passes of a column; None for one that holds whatever they are."""
    match = _PASSES.fullmatch(header)
    return number(match[1]) if match else None


def _number(text: str) -> int | None:
    return int(text) if text.isdecimal() else None
