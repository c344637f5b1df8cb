"""Leg L0: single facts, and who vouches for each of them.

Sizes come from the emulator's map, registers and types from the compiler's own declaration of
the builtin, cycles from its scheduling model and the calculator (:mod:`layoutgen.validate.facts`).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from layoutgen import proofs
from layoutgen.validate.evidence import Claim, Value
from layoutgen.validate.findings import Finding
from layoutgen.validate.geometry import named
from layoutgen.validate.subject import Subject

FACTS = Path(__file__).parent / "facts"
COMPILER = "clang 22.1.8"
CALCULATOR = "AMD's calculator"
CYCLES_PER_PASS = 4

# C type of the compiler → bits; which element types it carries.
C_TYPES = {"float": (32, ("f32",)), "_Float16": (16, ("f16",)), "short": (16, ("bf16",)),
           "int": (32, ("i32", "i8"))}  # fmt: skip
TITLES = {"f32": "FP32", "f16": "FP16", "bf16": "BF16", "i8": "INT8", "i32": "INT32"}
ELEMENTS = {"float": "float", "half": "_Float16", "bfloat": "short", "int": "int"}
"""The C type of an element by the stem of the vector's name."""
VECTORS = {"f32": "float", "f16": "half", "bf16": "bfloat", "i8": "int", "i32": "int"}


@dataclass(frozen=True)
class Fact:
    """A value, and in words who says so."""

    value: Value
    authority: str


@lru_cache(maxsize=1)
def compiler() -> Mapping[str, Any]:
    """Return what the compiler says of every builtin, by the builtin's name."""
    document = json.loads((FACTS / "compiler.json").read_text(encoding="utf-8"))
    builtins: Mapping[str, Any] = document["builtins"]
    return builtins


@lru_cache(maxsize=1)
def rates() -> Mapping[str, Any]:
    """Return the document of rates: `rates` by architecture and mnemonic, and `peaks`."""
    document: Mapping[str, Any] = json.loads((FACTS / "rates.json").read_text(encoding="utf-8"))
    return document


def builtin_of(arch: str, mnemonic: str) -> str | None:
    """Return the builtin that compiles to `mnemonic` on `arch`."""
    for name, entry in compiler().items():
        if arch in entry["mnemonics"].get(mnemonic, ()):
            return name
    return None


def truth(subject: Subject) -> dict[str, Fact]:
    """Return every fact of an instruction by the name of its field."""
    facts = {**_sizes(subject), **_legal(subject)}
    builtin = builtin_of(subject.arch, subject.mnemonic)
    if builtin is not None:
        facts |= _declared(subject, builtin)
        facts |= _timed(subject, builtin)
    line = proofs.proof(subject.arch).get(subject.mnemonic)
    if line is not None:
        facts["proof"] = Fact(str(line), "the record")
    return facts


def compare(
    subject: Subject, facts: Mapping[str, Fact], claims: Iterable[Claim]
) -> tuple[int, list[Finding]]:
    """Return how many claims were held against a fact, and those that differ."""
    checked, findings = 0, []
    for claim in claims:
        fact = facts.get(claim.field)
        if fact is None:
            continue
        checked += 1
        if claim.value != fact.value:
            says, against = _shown(claim.value), f"{fact.authority} has {_shown(fact.value)}"
            findings.append(
                Finding(
                    "L0", claim.artefact, subject.mnemonic, claim.where, claim.field,
                    f"says {says}", against,
                )
            )  # fmt: skip
    return checked, findings


def own_findings(subject: Subject) -> tuple[int, list[Finding]]:
    """Hold the emulator itself against the compiler, and its map against the mnemonics."""
    builtin = builtin_of(subject.arch, subject.mnemonic)
    if builtin is None:
        return 0, [_emulator(subject, "builtin", "runs it", f"{COMPILER} has no builtin for it")]
    checked, findings = 0, []
    for name, (c_type, _, registers) in _arguments(builtin).items():
        checked += 2
        if subject.registers[name] != registers:
            says = f"takes {subject.registers[name]} registers"
            findings.append(
                _emulator(subject, f"{name}.registers", says, f"{COMPILER} declares {registers}")
            )
        if subject.formats[name] not in C_TYPES[c_type][1]:
            says = f"takes {subject.formats[name]}"
            findings.append(
                _emulator(subject, f"{name}.type", says, f"{COMPILER} declares {c_type}")
            )
    sizes = subject.geometry
    for mnemonic in compiler()[builtin]["mnemonics"]:
        m, n, k, blocks = named(mnemonic)
        checked += 1
        if (m, n, k) != (sizes.m, sizes.n, sizes.k) or blocks not in (None, sizes.blocks):
            findings.append(
                _emulator(subject, "sizes", f"its map is {sizes}", f"the name is {mnemonic}")
            )
    return checked, findings


def _emulator(subject: Subject, field: str, says: str, against: str) -> Finding:
    return Finding("L0", "emulator", subject.mnemonic, "emulator", field, says, against)


def _sizes(subject: Subject) -> dict[str, Fact]:
    by = "the emulator's map"
    g = subject.geometry
    rows = {"A": (g.m, g.k), "B": (g.k, g.n), "C": (g.m, g.n), "D": (g.m, g.n)}
    facts: dict[str, Value] = {"m": g.m, "n": g.n, "k": g.k, "blocks": g.blocks}
    facts |= {f"{name}.rows": down for name, (down, _) in rows.items()}
    facts |= {f"{name}.columns": across for name, (_, across) in rows.items()}
    facts |= {"shape": (g.m, g.n, g.k), "tile": (g.m, g.n)}
    facts["ops"] = 2 * g.m * g.n * g.k * g.blocks
    return {name: Fact(value, by) for name, value in facts.items()}


def _legal(subject: Subject) -> dict[str, Fact]:
    by = "the emulator"
    settings = subject.settings
    values: dict[str, Value] = {
        name: tuple(sorted({getattr(s, name) for s in settings})) for name in settings[0]._fields
    }
    for cbsz in sorted({s.cbsz for s in settings}):
        abids = sorted({s.abid for s in settings if s.cbsz == cbsz})
        values[f"abid with cbsz {cbsz}"] = tuple(abids)
    facts = {n: Fact(v, by) for n, v in {**values, "combinations": len(settings)}.items()}
    # Both readings of cbsz are the same where 2^cbsz is the number of blocks, and for 0.
    shared = range(1, subject.geometry.blocks.bit_length() - 1)
    facts["disputed cbsz"] = Fact(tuple(shared), "arithmetic: groups smaller than the blocks")
    return facts


def _arguments(builtin: str) -> dict[str, tuple[str, int, int]]:
    """C type, count and registers of A, B, C and D."""
    entry = compiler()[builtin]
    arguments = {a["name"].upper(): a for a in entry["arguments"] if a["name"] in "abc"}
    arguments["D"] = entry["result"]
    return {name: (a["type"], a["count"], a["registers"]) for name, a in arguments.items()}


def _declared(subject: Subject, builtin: str) -> dict[str, Fact]:
    facts: dict[str, Value] = {"builtin": builtin, "mnemonic": subject.mnemonic}
    types = {}
    for name, (c_type, count, registers) in _arguments(builtin).items():
        kind = subject.formats[name]
        elements = registers * 32 // subject.widths[name]
        short = c_type if count == 1 else f"v{count}{VECTORS[kind]}"
        types[name] = short
        facts |= {
            f"{name}.registers": registers,
            f"{name}.type": kind,
            f"{name}.title": TITLES[kind],
            f"{name}.bits": subject.widths[name],
            f"{name}.elements": elements,
            f"{name}.c_type": short,
        }
    fields = ", ".join(
        f"const int {a['name']}" for a in compiler()[builtin]["arguments"] if a["immediate"]
    )
    parts = ", ".join(f"{types[name]} {name.lower()}" for name in "ABC")
    facts["signature"] = f"{types['D']} {builtin}({parts}, {fields})"
    entry = compiler()[builtin]
    facts["intrinsic"] = "llvm.amdgcn." + builtin.removeprefix("__builtin_amdgcn_").replace(
        "_", "."
    )
    facts["targets"] = tuple(entry["targets"])
    others = [m for m in entry["mnemonics"] if m != subject.mnemonic]
    facts["spellings"] = tuple(others)
    if others:
        facts["renamed on"] = tuple(entry["mnemonics"][others[0]])
    return {name: Fact(value, COMPILER) for name, value in facts.items()}


def _timed(subject: Subject, builtin: str) -> dict[str, Fact]:
    facts = {}
    passes = (compiler()[builtin]["passes"] or {}).get(subject.arch)
    if passes is not None:
        by = "LLVM's scheduling model"
        facts["passes"] = Fact(passes, by)
        facts["cycles"] = Fact(passes * CYCLES_PER_PASS, by)
    row = rates()["rates"].get(subject.arch, {}).get(subject.mnemonic)
    if row is not None:
        facts["coexec"] = Fact(row["coexec"], CALCULATOR)
        facts["per_cu"] = Fact(row["per_cu"], CALCULATOR)
        operations = _sizes(subject)["ops"].value
        assert isinstance(operations, int), "a product of sizes"
        facts["matrix cores"] = Fact(row["per_cu"] * row["cycles"] // operations, CALCULATOR)
        facts.setdefault("cycles", Fact(row["cycles"], CALCULATOR))
    return facts


def _shown(value: Value) -> str:
    if isinstance(value, tuple):
        return ", ".join(map(str, value)) or "nothing"
    return str(value)
