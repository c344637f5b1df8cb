"""What stands above a kernel: what it computes, how the matrices lie, and where it runs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from layoutgen.expr import Var
from layoutgen.modifiers import IllegalModifier
from layoutgen.printing import C, render

if TYPE_CHECKING:
    from layoutgen.model import Architecture, Instruction
    from layoutgen.modifiers import Modifiers
    from layoutgen.snippets.packing import Packing


def comment(
    inst: Instruction,
    loaded: list[Packing],
    modifiers: Modifiers,
    peers: Mapping[str, Architecture],
) -> Iterator[str]:
    """Yield the lines above the kernel of `inst`, whose call has `modifiers`."""
    stored = inst.operands["A"].layout.shape["k"]
    yield f"// One wavefront computes {_product(inst, modifiers)} with one {inst.mnemonic}."
    sizes = {"A": (inst.m, stored), "B": (inst.k, inst.n), "D": (inst.m, inst.n)}
    told = ", ".join(f"{name} is {rows} x {columns}" for name, (rows, columns) in sizes.items())
    yield f"// {told}, row-major."
    if inst.blocks > 1:
        yield f"// {inst.blocks} blocks make as many products; their matrices follow one another."
    yield from _rerouted(inst, modifiers)
    if inst.sparse:
        yield "// Of every four k A stores two. The k of A is the stored position, not the k of B."
        yield "// Index says which k are stored: two bits each, the lower k first."
        yield "// A row of Index has a byte for each four k."
    if any(p.array.grouped and not inst.sparse for p in loaded):
        yield "// A scale is a power of two in E8M0, for a row of A or a column of B and 32 k."
    for packing in loaded:
        array = packing.array
        if array.element == "unsigned char" and not array.grouped:
            title = array.operand.format.title
            yield f"// An element of {array.name} is a code of {title} in a byte."
    built_for = " or ".join(_targets(inst, modifiers, peers))
    yield f"// Build with --offload-arch={built_for}, launch with 64 threads."


def _product(inst: Instruction, modifiers: Modifiers) -> str:
    """Return what is computed: ``D = A * B``, with signs, and a prime where lanes are others."""
    access = {name: inst.rules.access(name, modifiers) for name in "ABC"}
    sign = {name: "-" if access[name].negated else "" for name in "ABC"}
    prime = {name: "'" if access[name].reroute else "" for name in "AB"}
    a, b = (f"{sign[name]}{name}{prime[name]}" for name in "AB")
    return f"D = {a} * {b}" + (" - C (C is 0)" if sign["C"] else "")


def _rerouted(inst: Instruction, modifiers: Modifiers) -> Iterator[str]:
    """Yield for A and B which lane's elements the multiplier takes, if not each lane's own."""
    for name in "AB":
        if reroute := inst.rules.reroute(name, modifiers):
            lane = render(reroute.expression(Var("lane", inst.operands[name].layout.lanes)), C)
            yield f"// {name}' has in each lane what lane {lane} loads of {name}."


def _targets(
    inst: Instruction, modifiers: Modifiers, peers: Mapping[str, Architecture]
) -> list[str]:
    """Return the targets where the call is legal and the bits of all operands mean the same."""
    return [
        target
        for target in inst.targets
        if target not in peers
        or inst.name not in peers[target]
        or _same(inst, peers[target][inst.name], modifiers)
    ]


def _same(inst: Instruction, other: Instruction, modifiers: Modifiers) -> bool:
    """Tell whether a call of `inst` has the same meaning as one of `other`."""
    given = {name: value for name, value in modifiers.as_dict().items() if value}
    try:
        operands = {name: other.operand(name, **given) for name in other.operands}
    except IllegalModifier:
        return False
    return all(
        operands[name].format.encoding == inst.operand(name, **given).format.encoding
        and other.rules.access(name, modifiers) == inst.rules.access(name, modifiers)
        for name in inst.operands
    )
