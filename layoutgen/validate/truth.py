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

import numpy as np

from layoutgen import proofs
from layoutgen.validate.codes import LANES
from layoutgen.validate.evidence import Claim, Value
from layoutgen.validate.findings import Finding
from layoutgen.validate.geometry import named
from layoutgen.validate.subject import Subject

FACTS = Path(__file__).parent / "facts"
COMPILER = "clang 22.1.8"
CALCULATOR = "AMD's calculator, or the manual,"
CYCLES_PER_PASS = 4

_EIGHT_BITS = ("fp8_e4m3fnuz", "bf8_e5m2fnuz", "fp8_e4m3", "bf8_e5m2")
# C type of the compiler → bits; which element types it carries.
C_TYPES = {
    "double": (64, ("f64",)),
    "float": (32, ("f32", "xf32")),
    "_Float16": (16, ("f16",)),
    "short": (16, ("bf16",)),
    "__bf16": (16, ("bf16",)),
    "int": (32, ("i32", "i8", *_EIGHT_BITS, "pair", "e8m0")),
    "long long": (64, ("i8", *_EIGHT_BITS)),
}
NAMES = {"fp8_e4m3fnuz": "fp8", "bf8_e5m2fnuz": "bf8", "fp8_e4m3": "fp8",
         "bf8_e5m2": "bf8", "fp6_e2m3": "fp6", "bf6_e3m2": "bf6", "fp4_e2m1": "fp4"}  # fmt: skip
"""What artefacts call the emulator's element types; others have the same name."""
TITLES = {"f64": "FP64", "f32": "FP32", "xf32": "XF32", "f16": "FP16", "bf16": "BF16",
          "i8": "INT8", "i32": "INT32", "fp8_e4m3fnuz": "FP8 (E4M3 FNUZ)",
          "bf8_e5m2fnuz": "BF8 (E5M2 FNUZ)", "fp8_e4m3": "FP8 (E4M3)", "bf8_e5m2": "BF8 (E5M2)",
          "fp6_e2m3": "FP6 (E2M3)", "bf6_e3m2": "BF6 (E3M2)", "fp4_e2m1": "FP4 (E2M1)",
          "pair": "index pair", "e8m0": "E8M0"}  # fmt: skip
ELEMENTS = {"double": "double", "float": "float", "half": "_Float16", "bfloat": "short",
            "bf16": "__bf16", "int": "int", "long": "long long"}  # fmt: skip
"""The C type of an element by the stem of the vector's name."""
VECTORS = {element: stem for stem, element in ELEMENTS.items()}
_BYTES = {"opsel_scale_a": "op_sel_a", "opsel_scale_b": "op_sel_b"}
"""Parameters that artefacts call as the assembler calls the field."""


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


@lru_cache(maxsize=1)
def opcodes() -> Mapping[str, Mapping[str, int]]:
    """Return the opcodes that the assembler writes, by architecture and mnemonic."""
    document = json.loads((FACTS / "opcodes.json").read_text(encoding="utf-8"))
    found: Mapping[str, Mapping[str, int]] = document["opcodes"]
    return found


@lru_cache(maxsize=1)
def arithmetic() -> Mapping[str, Mapping[str, tuple[str, str, str]]]:
    """Return what happens to subnormal A, B and C, D, and the rounding, by target and format."""
    document = json.loads((FACTS / "arithmetic.json").read_text(encoding="utf-8"))
    found: Mapping[str, Mapping[str, tuple[str, str, str]]] = document["architectures"]
    return found


def builtin_of(arch: str, mnemonic: str) -> str | None:
    """Return the builtin that compiles to `mnemonic` on `arch`."""
    for name, entry in compiler().items():
        if arch in entry["mnemonics"].get(mnemonic, ()):
            return name
    return None


def made_by(arch: str, mnemonic: str) -> str | None:
    """Return the builtin that declares the operands of `mnemonic`.

    Without scales, f8f6f4 has no builtin of its own: the compiler makes it of the scaled one's.
    """
    scaled = mnemonic.replace("v_mfma_f32", "v_mfma_scale_f32")
    return builtin_of(arch, mnemonic) or builtin_of(arch, scaled)


def truth(subject: Subject) -> dict[str, Fact]:
    """Return every fact of an instruction by the name of its field."""
    facts = {**_sizes(subject), **_legal(subject)}
    builtin = made_by(subject.arch, subject.mnemonic)
    if builtin is not None:
        facts |= _declared(subject, builtin)
        facts |= _timed(subject, builtin)
    facts |= _recorded(subject)
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
    builtin = made_by(subject.arch, subject.mnemonic)
    if builtin is None:
        return 0, [_emulator(subject, "builtin", "runs it", f"{COMPILER} has no builtin for it")]
    checked, findings = 0, []
    for name, (c_type, _, registers) in _arguments(builtin).items():
        if name not in subject.operands:
            continue
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
    timed, found = _timing(subject, builtin)
    checked, findings = checked + timed, findings + found
    sizes = subject.geometry
    for mnemonic in (subject.mnemonic, *compiler()[builtin]["mnemonics"]):
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
    facts: dict[str, Value] = {"m": g.m, "n": g.n, "k": g.k, "blocks": g.blocks}
    for name in subject.operands:
        _, facts[f"{name}.rows"], facts[f"{name}.columns"] = g.shape(name)
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
    broadcast = subject.record.cbsz_role == "broadcast"
    shared = range(1, subject.geometry.blocks.bit_length() - 1) if broadcast else range(0)
    facts["disputed cbsz"] = Fact(tuple(shared), "arithmetic: groups smaller than the blocks")
    return facts


def _recorded(subject: Subject) -> dict[str, Fact]:
    facts = {}
    opcode = opcodes().get(subject.arch, {}).get(subject.mnemonic)
    if opcode is not None:
        facts["opcode"] = Fact(opcode, f"the assembler of {COMPILER}")
    kind = subject.formats["A"]
    told = arithmetic().get(subject.arch, {}).get(NAMES.get(kind, kind))
    if told is not None:
        facts["subnormals"] = Fact(subnormals(*told[:2]), "the record")
    return facts


def subnormals(inputs: str, results: str) -> str:
    """Return in words what becomes of subnormal A, B and of subnormal C, D."""
    return inputs if inputs == results else f"of A, B {inputs}, of C, D {results}"


def _arguments(builtin: str) -> dict[str, tuple[str, int, int]]:
    """C type, count and registers of the operands."""
    entry = compiler()[builtin]
    arguments = {
        a["name"].upper() if len(a["name"]) == 1 else a["name"]: a
        for a in entry["arguments"]
        if not a["immediate"]
    }
    arguments["D"] = entry["result"]
    return {name: (a["type"], a["count"], a["registers"]) for name, a in arguments.items()}


def c_name(c_type: str, count: int) -> str:
    """Return the name of a type of `count` elements, as the reference has it."""
    return c_type if count == 1 else f"v{count}{VECTORS[c_type]}"


def _declared(subject: Subject, builtin: str) -> dict[str, Fact]:
    entry = compiler()[builtin]
    own = builtin_of(subject.arch, subject.mnemonic)
    facts: dict[str, Value] = {"builtin": own or "", "mnemonic": subject.mnemonic}
    for name, (c_type, count, registers) in _arguments(builtin).items():
        if name not in subject.operands:
            continue
        kind = subject.formats[name]
        facts |= {
            f"{name}.registers": registers,
            f"{name}.type": NAMES.get(kind, kind),
            f"{name}.title": TITLES[kind],
            f"{name}.bits": subject.widths[name],
            f"{name}.elements": elements_read(subject, name),
            f"{name}.c_type": c_name(c_type, count),
        }
    facts["signature"] = _signature(builtin) if own else ""
    facts["intrinsic"] = (
        "llvm.amdgcn." + builtin.removeprefix("__builtin_amdgcn_").replace("_", ".") if own else ""
    )
    facts["targets"] = tuple(entry["targets"])
    others = [m for m in entry["mnemonics"] if m != subject.mnemonic] if own else []
    facts["spellings"] = tuple(others)
    if others:
        facts["renamed on"] = tuple(entry["mnemonics"][others[0]])
    return {name: Fact(value, COMPILER) for name, value in facts.items()}


def elements_read(subject: Subject, operand: str) -> int:
    """Return how many elements of an operand a lane holds: those that are read, if any are not."""
    read = subject.observation().columns.get(operand)
    if read is None:
        return subject.slots(operand) // LANES
    return len(np.unique(read)) // LANES


def _signature(builtin: str) -> str:
    entry = compiler()[builtin]
    given = []
    for argument in entry["arguments"]:
        name = _BYTES.get(argument["name"], argument["name"])
        kind = "const int" if argument["immediate"] else c_name(argument["type"], argument["count"])
        given.append(f"{kind} {name}")
    result = c_name(entry["result"]["type"], entry["result"]["count"])
    return f"{result} {builtin}({', '.join(given)})"


def _timed(subject: Subject, builtin: str) -> dict[str, Fact]:
    facts: dict[str, Fact] = {}
    by = "LLVM's scheduling model"
    operations = _sizes(subject)["ops"].value
    assert isinstance(operations, int), "a product of sizes"
    passes, narrow = _passes(subject, builtin)
    if narrow is not None:
        facts["narrow passes"] = Fact(narrow, by)
        facts["narrow cycles"] = Fact(narrow * CYCLES_PER_PASS, by)
    if passes is not None:
        facts["passes"] = Fact(passes, by)
        facts["cycles"] = Fact(passes * CYCLES_PER_PASS, by)
    row = rates()["rates"].get(subject.arch, {}).get(subject.mnemonic)
    if row is not None:
        if row["coexec"] is not None:
            facts["coexec"] = Fact(row["coexec"], CALCULATOR)
        facts["per_cu"] = Fact(row["per_cu"], CALCULATOR)
        facts["matrix cores"] = Fact(row["per_cu"] * row["cycles"] // operations, CALCULATOR)
        if passes is None or _disputed(subject):
            facts["cycles"] = Fact(row["cycles"], CALCULATOR)
            facts["passes"] = Fact(row["cycles"] // CYCLES_PER_PASS, CALCULATOR)
    return facts


def _passes(subject: Subject, builtin: str) -> tuple[int | None, int | None]:
    """Passes, and those where no element has more than six bits, if that makes a difference."""
    passes = (compiler()[builtin]["passes"] or {}).get(subject.arch)
    if isinstance(passes, Mapping):
        return passes["any_f8"], passes["both_formats_f6_or_f4"]
    return passes, None


def _disputed(subject: Subject) -> bool:
    key = (subject.arch, subject.mnemonic)
    return any((one["arch"], one["instruction"]) == key for one in rates()["disputed"])


def _timing(subject: Subject, builtin: str) -> tuple[int, list[Finding]]:
    """Hold the sources of cycles against each other; where they differ, it must be listed."""
    passes, narrow = _passes(subject, builtin)
    row = rates()["rates"].get(subject.arch, {}).get(subject.mnemonic)
    if row is None or passes is None:
        return 0, []
    pairs = [(passes, row["cycles"]), (narrow, row.get("narrow", {}).get("cycles"))]
    differ = any(p is not None and c is not None and p * CYCLES_PER_PASS != c for p, c in pairs)
    if differ == _disputed(subject):
        return 1, []
    says = f"{row['cycles']} cycles by {CALCULATOR}, {passes} passes by LLVM"
    against = "is not listed as disputed" if differ else "is listed as disputed, and they agree"
    return 1, [_emulator(subject, "cycles", says, against)]


def _shown(value: Value) -> str:
    if isinstance(value, tuple):
        return ", ".join(map(str, value)) or "nothing"
    return str(value)
