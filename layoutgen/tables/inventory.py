"""What occurs in an architecture: register types of its builtins, and where they are available."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from layoutgen.operand import REGISTER_BITS

if TYPE_CHECKING:
    from layoutgen.model import Instruction


@dataclass(frozen=True, slots=True)
class RegisterType:
    """The C type of one lane's share of an operand: a scalar, or a vector with a short name."""

    name: str
    element: str
    count: int
    registers: int
    formats: tuple[str, ...]
    note: str = ""

    @property
    def declaration(self) -> str | None:
        """The C++ text that declares it, or None for a scalar, which needs none."""
        if self.count == 1:
            return None
        return f"using {self.name} = {self.element} [[clang::ext_vector_type({self.count})]];"


@dataclass(frozen=True, slots=True)
class TargetGroup:
    """Instructions that the same targets have."""

    targets: tuple[str, ...]
    instructions: tuple[Instruction, ...]


def register_types(instructions: Iterable[Instruction]) -> list[RegisterType]:
    """Return the types of all operands, scalars first, then by element type and count.

    An operand whose format a modifier chooses has the type of its widest one in every format.
    """
    found: dict[str, RegisterType] = {}
    for inst in instructions:
        for name, operand in inst.operands.items():
            carrier = operand.c_element
            choices = inst.alternatives.get(name, (operand,))
            formats = tuple(dict.fromkeys(choice.format.title for choice in choices))
            if (known := found.get(operand.c_type)) is not None:
                formats = tuple(dict.fromkeys((*known.formats, *formats)))
            found[operand.c_type] = RegisterType(
                operand.c_type,
                carrier.c_type,
                operand.c_count,
                operand.c_count * carrier.bits // REGISTER_BITS,
                formats,
                carrier.note,
            )
    elements = list(dict.fromkeys(t.element for t in found.values()))
    return sorted(
        found.values(), key=lambda t: (t.count > 1, elements.index(t.element), t.count, t.name)
    )


def target_groups(instructions: Iterable[Instruction]) -> list[TargetGroup]:
    """Return the instructions by the set of targets that have them, largest set first."""
    groups: dict[tuple[str, ...], list[Instruction]] = {}
    for inst in instructions:
        groups.setdefault(inst.targets, []).append(inst)
    ordered = sorted(groups.items(), key=lambda group: (-len(group[0]), group[0]))
    return [TargetGroup(targets, tuple(members)) for targets, members in ordered]
