"""What is run: each instruction plainly, with each modifier by itself, and with all of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from layoutgen.modifiers import Modifiers

if TYPE_CHECKING:
    from layoutgen.model import Architecture, Instruction

LANES = 64
PAIRS = ((0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3))
"""The pairs of k that a sparse A may store, of four."""
ROTATIONS = 3
"""How many patterns of indices a sparse instruction is run with, where no modifier is set."""


@dataclass(frozen=True)
class Case:
    """One run: an instruction, its modifiers, and for sparse ones which pattern of indices.

    `caller` is the instruction whose builtin is called, if it is another one.
    """

    instruction: Instruction
    modifiers: Modifiers
    rotation: int = -1
    caller: Instruction | None = None

    @property
    def fields(self) -> dict[str, int]:
        """The modifiers that are set."""
        return {name: value for name, value in self.modifiers.as_dict().items() if value}


def cases(arch: Architecture) -> Iterator[Case]:
    """Yield the runs of every instruction that a builtin can make."""
    for inst in arch.values():
        caller = None if inst.builtin else _maker(arch, inst)
        if not inst.builtin and caller is None:
            continue
        for number, modifiers in enumerate(_settings(inst)):
            rotations = range(1 if number else ROTATIONS) if inst.sparse else (-1,)
            for rotation in rotations:
                yield Case(inst, modifiers, rotation, caller)


def _maker(arch: Architecture, inst: Instruction) -> Instruction | None:
    """Return the instruction whose builtin makes `inst`, which has none of its own.

    With scales of constant 0 the compiler takes the instruction without scales.  Source: LLVM; see
    the disagreement ``scale-zero``.
    """
    scaled = inst.name.replace("mfma_", "mfma_scale_", 1)
    return next((i for i in arch.values() if i.name == scaled and i.builtin), None)


def _settings(inst: Instruction) -> list[Modifiers]:
    """Return the plain setting, each setting of one action alone, and the last of all together."""
    found = [Modifiers()]
    last: dict[str, int] = {}
    for action in inst.rules.actions:
        for values in action.settings():
            alone = dict(zip(action.fields, values, strict=True))
            found.append(inst.rules.check(_joined(inst, {}, alone)))
        last = _joined(inst, last, alone)
    found.append(inst.rules.check(last))
    return list(dict.fromkeys(found))


def _joined(inst: Instruction, one: dict[str, int], other: dict[str, int]) -> dict[str, int]:
    """Return two settings together: bits of one field that several actions share add up."""
    shared = {name: one.get(name, 0) | other.get(name, 0) for name in (*one, *other)}
    return {name: shared[name] for name in inst.rules.fields if name in shared}


def index_nibble(lane: int, nibble: int, rotation: int) -> tuple[int, int]:
    """Return the pair of k that the program puts into one nibble of a lane's index register."""
    return PAIRS[(lane // 4 + lane + nibble + rotation) % len(PAIRS)]
