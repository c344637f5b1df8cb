"""What figures say: names of registers, ranges, and the rule of a layout in one sentence."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from layoutgen.expr import Expr, Sum, variables
from layoutgen.printing import TEXT, render

if TYPE_CHECKING:
    from layoutgen.model import Operand

REGISTER_BITS = 32
NEUTRAL = "r"
"""Letter of registers in pictures for operands that do not all have the same one."""

REGISTER_NAMES = {"v": "VGPR", "a": "accVGPR", NEUTRAL: "register"}
FILES = {"v": "archVGPR", "a": "accVGPR"}

OPERANDS = {
    "A": "A",
    "B": "B",
    "C": "C",
    "D": "Accumulator (C and D)",
    "index": "Index",
    "scale_a": "Scales of A",
    "scale_b": "Scales of B",
}
"""How titles call an operand."""


def letter(operand: Operand) -> str:
    """Return the letter of the register file that figures show: ``a`` for accVGPRs."""
    return operand.register_files[0]


def register_kind(operand: Operand) -> str:
    """Return the word for that register file."""
    return REGISTER_NAMES[letter(operand)]


def files(found: Mapping[tuple[str, ...], Sequence[str]]) -> str:
    """Return what the letter of registers stands for: files, each with the architectures.

    ``v: archVGPR or accVGPR.`` where all have the same files.
    """
    if len(found) == 1:
        (held,) = found
        return f"{held[0]}: {listing((FILES[name] for name in held), 'or')}."
    parts = (
        f"{listing((FILES[name] for name in held), 'or')} ({listing(held, 'or')}) on {listing(on)}"
        for held, on in found.items()
    )
    letters = {held[0] for held in found}
    return f"{letters.pop() if len(letters) == 1 else NEUTRAL}: {'; '.join(parts)}."


def bits(register: int, bit: int, width: int, prefix: str) -> str:
    """Return a register with the bits of an element: ``v1[31:16]``, ``v[2:3]``, or two parts."""
    last = bit + width - 1
    if last < REGISTER_BITS:
        return f"{prefix}{register}[{last}:{bit}]"
    if bit == 0 and width % REGISTER_BITS == 0:
        return f"{prefix}[{register}:{register + width // REGISTER_BITS - 1}]"
    return (
        f"{prefix}{register}[{REGISTER_BITS - 1}:{bit}]"
        f"+{prefix}{register + 1}[{last - REGISTER_BITS}:0]"
    )


def register(number: int, bit: int, width: int, prefix: str) -> str:
    """Return the same without the bits where the element fills the register: ``a5``."""
    if bit == 0 and width == REGISTER_BITS:
        return f"{prefix}{number}"
    return bits(number, bit, width, prefix)


def span(values: range, prefix: str = "") -> str:
    """Return a range with both ends: ``a0–a3``; a single value alone."""
    first, last = f"{prefix}{values[0]}", f"{prefix}{values[-1]}"
    return first if first == last else f"{first}–{last}"


def lanes(values: range) -> str:
    """Return ``lanes 0–31`` or ``lane 5``."""
    return f"lane{'s' if len(values) > 1 else ''} {span(values)}"


def axis(name: str) -> str:
    """Return the name of a coordinate with what it counts: ``row i``."""
    return {"i": "row i", "j": "column j"}.get(name, name)


def formulas(operand: Operand) -> list[str]:
    """Return lane, register and, of parts of registers, bit of an element, as ``lane = …``."""
    forward = operand.formulas.forward
    shown = ["lane", "register", *(["bit"] if operand.format.bits % REGISTER_BITS else [])]
    return [f"{name} = {render(forward[name], TEXT)}" for name in shown]


def inverse(operand: Operand, names: Iterable[str] | None = None) -> list[str]:
    """Return the coordinates (`names`, or all) of the element in a slot, as ``i = …``."""
    expressions = operand.formulas.inverse
    chosen = expressions if names is None else names
    return [f"{name} = {render(expressions[name], TEXT)}" for name in chosen]


def held(operand: Operand) -> str:
    """Return what a lane holds: ``4 elements of 16 bits per lane in 2 VGPRs (v0–v1); 2 blocks``."""
    each, taken = operand.elements_per_lane, operand.registers
    blocks = operand.layout.shape["b"]
    parts = [
        f"{counted(each, 'element')} of {operand.format.bits} bits per lane in "
        f"{counted(taken, register_kind(operand))} ({span(range(taken), letter(operand))})"
    ]
    if blocks > 1:
        parts.append(f"{blocks} blocks")
    if set_fields := str(operand.modifiers):
        parts.append(f"as read under {set_fields}")
    return "; ".join(parts)


def rule(operand: Operand) -> str:
    """Return the rule of the layout, both directions, as sentences for those who do not see."""
    names = [name for name in operand.layout.shape if name != "b"]
    back = ", ".join(inverse(operand))
    read = "is read from" if operand.reroute else "is held in"
    return (
        f"Element ({', '.join(names)}) of block b {read} {', '.join(formulas(operand))}. "
        f"In reverse, a slot of the register file holds {back}."
    )


def block_shift(operand: Operand) -> str:
    """Return what block b adds to lane and register: ``adds 16·b to the register``, or nothing."""
    forward = operand.formulas.forward
    found = [(what, _share_of_block(forward[what])) for what in ("lane", "register")]
    parts = [f"{text} to the {what}" for what, text in found if text]
    return f"adds {' and '.join(parts)}" if parts else ""


def listing(items: Iterable[str], word: str = "and") -> str:
    """Return ``a, b and c``."""
    *most, last = items
    return f"{', '.join(most)} {word} {last}" if most else last


def counted(count: int, noun: str) -> str:
    """Return ``1 block`` or ``2 blocks``."""
    return f"{count} {noun}{'s' if count > 1 else ''}"


def _share_of_block(expr: Expr) -> str | None:
    terms = expr.terms if isinstance(expr, Sum) else ((1, expr),)
    mine = tuple(term for term in terms if "b" in variables(term[1]))
    if not mine or any(variables(atom) != {"b"} for _, atom in mine):
        return None
    return render(Sum(mine) if len(mine) > 1 or mine[0][0] != 1 else mine[0][1], TEXT)
