"""The text of a kernel in which one wavefront computes one product."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from layoutgen.snippets.comment import comment
from layoutgen.snippets.memory import Array
from layoutgen.snippets.packing import Packing, store
from layoutgen.spec import Catalogue

if TYPE_CHECKING:
    from layoutgen.model import Architecture, Instruction
    from layoutgen.modifiers import Modifiers
    from layoutgen.operand import Operand

RESULTS = ("C", "D")
WIDTH = 92


def snippet(
    inst: Instruction, peers: Mapping[str, Architecture] | None = None, /, **modifiers: Any
) -> str:
    """Return a HIP file with a kernel for one wavefront: D = A · B by one call of the builtin.

    It names the targets on which the call means the same, by `peers`, the architectures by name;
    None: those of the package.

    The matrices lie row-major in memory, those of several blocks one after the other.  Elements
    narrower than a byte, codes of narrow formats, indices of a sparse A and scales have a byte
    each.  Under `modifiers` the registers are filled as without them, but for the format of A or B,
    the set of indices and the byte of the scales; the modifiers stand in the call.  The text is
    empty where the instruction has no builtin.

    Raises :class:`layoutgen.modifiers.IllegalModifier`.
    """
    if not inst.builtin:
        return ""
    checked = inst.rules.check(modifiers)
    operands = {name: inst.operand(name, **modifiers) for name in inst.operands}
    loaded = [
        Packing(Array(inst, operand)) for name, operand in operands.items() if name not in RESULTS
    ]
    result = Array(inst, operands["D"])
    body = list(_body(inst, loaded, result, checked))
    lines = [
        *comment(inst, loaded, checked, peers or _of_the_package()),
        "#include <hip/hip_runtime.h>",
        "",
        *_types(loaded, result.operand),
        *_head(inst, loaded, result),
        *_constants(inst, body),
        "  const int lane = static_cast<int>(threadIdx.x);",
        "",
        *(f"  {line}" if line else "" for line in body),
        "}",
    ]
    return "\n".join(lines) + "\n"


@cache
def _of_the_package() -> Mapping[str, Architecture]:
    return Catalogue().architectures


def _types(loaded: list[Packing], result: Operand) -> Iterator[str]:
    """Yield the declarations of all vector types."""
    found = [(p.type, p.element, p.count) for p in loaded]
    arguments = [*(p.array.operand for p in loaded), result]
    found += [(o.c_type, o.c_element.c_type, o.c_count) for o in arguments]
    yield from dict.fromkeys(
        f"using {name} = {element} [[clang::ext_vector_type({count})]];"
        for name, element, count in found
        if count > 1
    )
    if any(count > 1 for _, _, count in found):
        yield ""


def _head(inst: Instruction, loaded: list[Packing], result: Array) -> Iterator[str]:
    parameters = [f"const {p.array.element}* {p.array.name}" for p in loaded]
    parameters.append(f"{result.element}* {result.name}")
    opening = f"__global__ void __launch_bounds__(64) {inst.name}"
    yield from _bracketed(opening, parameters, " {", WIDTH)


def _constants(inst: Instruction, body: Iterable[str]) -> Iterator[str]:
    """Yield the dimensions that the code makes use of."""
    text = "\n".join(body)
    sizes = {"M": inst.m, "N": inst.n, "K": inst.k}
    used = [f"{n} = {size}" for n, size in sizes.items() if re.search(rf"\b{n}\b", text)]
    if used:
        yield f"  constexpr int {', '.join(used)};"


def _body(
    inst: Instruction, loaded: list[Packing], result: Array, modifiers: Modifiers
) -> Iterator[str]:
    for packing in loaded:
        yield from packing.load()
        yield ""
    kind = result.operand.c_type
    yield "// C is zero; in a loop over k, D of one call is C of the next."
    yield f"const {kind} c = {'0' if result.items == 1 else '{}'};"
    values = {p.array.operand.name: p.argument for p in loaded} | {"C": "c"}
    arguments = [
        values.get(name) or f"/* {name} */ {field_value(inst, name, modifiers)}"
        for name in inst.arguments
    ]
    yield from _bracketed(f"const {kind} d = {inst.builtin}", arguments, ";", WIDTH - 2)
    yield ""
    yield from store(result)


def field_value(inst: Instruction, name: str, modifiers: Modifiers) -> int:
    """Return the argument of a field; where there is neg, its bits are the argument blgp."""
    held = "neg" if name == "blgp" and "neg" in inst.rules.fields else name
    value: int = getattr(modifiers, held)
    return value


def _bracketed(opening: str, parts: list[str], ending: str, width: int) -> Iterator[str]:
    """Yield a call or a declaration: on one line, with its parts on the next, or on one each."""
    inner = f"    {', '.join(parts)}){ending}"
    if len(opening) + len(inner) - 3 <= width:
        yield f"{opening}({inner.strip()}"
        return
    yield f"{opening}("
    if len(inner) <= width:
        yield inner
        return
    yield from (f"    {part}," for part in parts[:-1])
    yield f"    {parts[-1]}){ending}"
