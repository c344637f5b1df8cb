"""Settings of the modifiers, by the names that artefacts use, and how the emulator takes them.

The emulator knows the fields of the encoding: on F64 of gfx942 and later the bits of ``blgp``
negate.  Artefacts, as the assembler, call these bits ``neg``.  Which fields act on which operand
follows from the roles that the emulator gives them.
"""

from __future__ import annotations

from typing import NamedTuple

from layoutgen import emulator


class Modifiers(NamedTuple):
    """One setting of the fields that modify an instruction; all zero is the plain one."""

    cbsz: int = 0
    abid: int = 0
    blgp: int = 0
    neg: int = 0
    op_sel_a: int = 0
    op_sel_b: int = 0


PLAIN = Modifiers()


def told(record: emulator.Instruction, modifiers: Modifiers) -> emulator.ScaledModifiers:
    """Return `modifiers` as the emulator takes them."""
    cbsz, abid, blgp, negated, op_sel_a, op_sel_b = modifiers
    if record.blgp_role == "negate":
        blgp = negated or blgp
    return emulator.ScaledModifiers(cbsz, abid, blgp, op_sel_a, op_sel_b)


def settings(record: emulator.Instruction) -> tuple[Modifiers, ...]:
    """Return every setting that the emulator lets pass."""
    legal = emulator.legal_modifiers(record.arch, record.mnemonic)
    return tuple(named(record, Modifiers(**one._asdict())) for one in legal)


def named(record: emulator.Instruction, encoded: Modifiers) -> Modifiers:
    """Return the values of the encoding's fields by the names that artefacts use."""
    if record.blgp_role != "negate":
        return encoded
    return encoded._replace(blgp=0, neg=encoded.blgp)


def fields_of(record: emulator.Instruction, operand: str) -> tuple[str, ...]:
    """Return the fields that act on an operand."""
    negating = ("neg",) if record.blgp_role == "negate" else ()
    match operand:
        case "A":
            by_role = {"broadcast": ("cbsz", "abid"), "format": ("cbsz",)}
            return (*by_role.get(record.cbsz_role, ()), *negating)
        case "B":
            return ("blgp",) if record.blgp_role in ("lanes", "format") else negating
        case "C":
            return negating
        case "index":
            return ("cbsz", "abid")
        case "scale_a" | "scale_b":
            return (f"op_sel_{operand[-1]}",)
        case _:
            return ()


def acting(record: emulator.Instruction, operand: str, modifiers: Modifiers) -> Modifiers:
    """Return the part of `modifiers` that acts on an operand."""
    return Modifiers(**{name: getattr(modifiers, name) for name in fields_of(record, operand)})


def operands(record: emulator.Instruction) -> tuple[str, ...]:
    """Return the names of an instruction's operands."""
    extra = ("index",) if record.sparse else ("scale_a", "scale_b") if record.scaled else ()
    return ("A", "B", "C", "D", *extra)


def describe(modifiers: Modifiers) -> str:
    """Return the modifiers that are set: ``cbsz:1 abid:1``."""
    return " ".join(f"{n}:{v}" for n, v in modifiers._asdict().items() if v)
