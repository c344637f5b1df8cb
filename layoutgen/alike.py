"""Instructions like one that is not there: by what the name says, not only by its letters."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from layoutgen.model import Architecture, Instruction

_PARTS = re.compile(
    r"^(?P<kind>[a-z_]+?)_(?P<d>[a-z]+\d+)_(?P<m>\d+)x(?P<n>\d+)x(?P<k>\d+)_?(?P<a>.*)$"
)
_SHAPE = re.compile(r"(?:[a-z]+\d+_)?\d+x\d+x\d+_?[a-z0-9_]*[a-z][0-9a-z_]*")
_ENCODING = re.compile(r"(?:_mac)?(?:_vgprcd)?(?:_e64)?(?:_gfx\w+_[av]cd|_vi)?$")
_BLOCKS = re.compile(r"^\d+b_")


def alike(name: str, arch: Architecture, count: int = 3) -> list[str]:
    """Return the mnemonics of `arch` most like `name`: first those with its input type and tile.

    A name that does not read as a mnemonic is compared letter by letter, or looked for in others.
    """
    import difflib

    wanted = _PARTS.match(stem(name))
    if wanted is None:
        close = difflib.get_close_matches(name, list(arch), n=count, cutoff=0.5)
        containing = [each for each in arch if stem(name) and stem(name) in each]
        return close or containing[:count]
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
    """Return what a mnemonic, a builtin and an intrinsic share: ``mfma_f32_32x32x1f32``.

    So do names of encodings, which assemblers and LLVM write with a suffix.
    """
    folded = name.strip().lower().replace(".", "_")
    for prefix in ("llvm_", "__builtin_", "amdgcn_", "v_"):
        folded = folded.removeprefix(prefix)
    return _ENCODING.sub("", folded)


def shaped(name: str, known: Iterable[str]) -> list[str]:
    """Return the dense instructions of `known` whose names end in `name`: ``32x32x8f16``.

    It may begin with the type of the result, and has to tell those of the inputs.
    """
    tail = stem(name)
    if not _SHAPE.fullmatch(tail):
        return []
    return [each for each in known if re.fullmatch(rf"v_mfma_(?:[a-z]+\d+_)?{tail}", each)]
