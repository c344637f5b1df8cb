"""Instructions like one that is not there: by what the name says, not only by its letters."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from layoutgen.model import Architecture, Instruction

_PARTS = re.compile(
    r"^(?P<kind>[a-z_]+?)_(?P<d>[a-z]+\d+)_(?P<m>\d+)x(?P<n>\d+)x(?P<k>\d+)_?(?P<a>.*)$"
)
_BLOCKS = re.compile(r"^\d+b_")


def alike(name: str, arch: Architecture, count: int = 3) -> list[str]:
    """Return the mnemonics of `arch` most like `name`: first those with its input type and tile.

    A name that does not read as a mnemonic is compared letter by letter.
    """
    import difflib

    wanted = _PARTS.match(stem(name))
    if wanted is None:
        return difflib.get_close_matches(name, list(arch), n=count, cutoff=0.5)
    type_a = _BLOCKS.sub("", wanted["a"])
    m, n, k = (int(wanted[part]) for part in "mnk")

    def distance(inst: Instruction) -> tuple[bool, bool, bool, bool, int, float]:
        its_type = inst.operands["A"].format.name
        likeness = difflib.SequenceMatcher(None, name, inst.mnemonic).ratio()
        return (
            its_type != type_a.split("_")[0],
            (inst.m, inst.n) != (m, n),
            inst.kind != wanted["kind"],
            inst.operands["D"].format.name != wanted["d"],
            abs(inst.k - k),
            -likeness,
        )

    best = sorted(arch.values(), key=distance)[:count]
    return [inst.mnemonic for inst in best]


def made_by(inst: Instruction, arch: Architecture) -> Instruction | None:
    """Return the instruction of which the compiler makes `inst`, which has no builtin of its own.

    It computes the same of the same operands and of others besides, which are idle when they are
    constants of 0.  Source: LLVM, for the builtins of v_mfma_scale.
    """
    for other in arch.values():
        more = other.operands.keys() > inst.operands.keys()
        if other.builtin and more and _size(other) == _size(inst):
            return other
    return None


def _size(inst: Instruction) -> tuple[object, ...]:
    formats = ((name, [o.format for o in each]) for name, each in inst.alternatives.items())
    return inst.m, inst.n, inst.k, inst.blocks, dict(formats)


def stem(name: str) -> str:
    """Return what a mnemonic, a builtin and an intrinsic share: ``mfma_f32_32x32x1f32``."""
    folded = name.lower().replace(".", "_")
    for prefix in ("llvm_amdgcn_", "__builtin_amdgcn_", "v_"):
        folded = folded.removeprefix(prefix)
    return folded
