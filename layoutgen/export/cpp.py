"""Layouts as a C++17 header, also for HIP: ``constexpr`` functions in both directions.

One struct for each operand of each instruction.  The index expressions are the formulas of the
layouts, printed from the same trees as on the pages, and the compiler proves for each operand that
the two directions are inverse.  The header includes nothing, and headers of several architectures
or instructions can be included together.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import accumulate
from math import prod
from operator import mul

from layoutgen import __version__
from layoutgen.digits import Digit, Layout
from layoutgen.expr import Expr, Var, add, floordiv, mod, scale
from layoutgen.formulas import formulas
from layoutgen.model import Architecture, Instruction, Operand
from layoutgen.printing import C, render

COORDINATES = ("b", "i", "j", "k", "group")
SET = "set"
"""The name of the set that a hole of the item chooses."""
NOTATION = replace(
    C,
    names={
        **{name: f"e.{name}" for name in COORDINATES},
        "lane": "s.lane",
        "register": "s.reg",
        "bit": "s.bit",
    },
)

COMMON = """\
#ifndef LAYOUTGEN_COMMON
#define LAYOUTGEN_COMMON
namespace layoutgen {

/// Where an element lies: lane, offset of the first 32-bit register that holds it, bit in that.
struct slot {
  int lane;
  int reg;
  int bit;
  friend constexpr bool operator==(slot x, slot y) {
    return x.lane == y.lane && x.reg == y.reg && x.bit == y.bit;
  }
};

/// Whether locate and at are inverse: every slot that holds an element is one of those where that
/// element lies, and there are as many of them as elements, copies and sets.
template <class Operand>
constexpr bool inverse() {
  int held = 0;
  for (int lane = 0; lane < Operand::wave; ++lane) {
    for (int n = 0; n < Operand::items; ++n) {
      const slot s = Operand::place(lane, n);
      for (int set = 0; set < Operand::sets; ++set) {
        if (!Operand::holds(s, set)) continue;
        const typename Operand::element e = Operand::at(s);
        bool found = false;
        for (int copy = 0; copy < Operand::copies; ++copy) {
          if (Operand::locate(e, copy, set) == s) found = true;
        }
        if (!found || !Operand::contains(e)) return false;
        ++held;
      }
    }
  }
  return held == Operand::elements * Operand::copies * Operand::sets;
}

}  // namespace layoutgen
#endif
"""

OPERAND = """\
  /// {title}
  struct {name} {{
    struct element {{ int {members}; }};
    static constexpr int wave = {lanes}, items = {items}, bits = {bits}, registers = {registers};
    static constexpr int elements = {elements}, copies = {copies}, sets = {sets};
    static constexpr bool contains([[maybe_unused]] element e) {{
      return {within};
    }}
    static constexpr slot locate([[maybe_unused]] element e, [[maybe_unused]] int copy = 0,
                                 [[maybe_unused]] int set = {default}) {{
      return {{{forward}}};
    }}
    static constexpr bool holds([[maybe_unused]] slot s, [[maybe_unused]] int set = {default}) {{
      return {holds};
    }}
    static constexpr element at([[maybe_unused]] slot s) {{
      return {{{inverse}}};
    }}
    static constexpr int item(slot s) {{ return (32 * s.reg + s.bit) / bits; }}
    static constexpr slot place(int lane, int item) {{
      return {{lane, item * bits / 32, item * bits % 32}};
    }}
  }};
"""


@dataclass(frozen=True)
class _Struct:
    """The struct of an operand: its code, or the name of one before it that is the same."""

    name: str
    code: str
    same_as: str | None


def header(
    arch: Architecture,
    instructions: Iterable[Instruction] | None = None,
    *,
    operands: Iterable[str] | None = None,
) -> str:
    """Return a header with all instructions of `arch`, or only with `instructions`.

    `operands` keeps only those.
    """
    chosen = list(arch.values() if instructions is None else instructions)
    kept = None if operands is None else set(operands)
    body = "\n".join(_instruction(arch, inst, _kept(inst, kept)) for inst in chosen)
    return f"{_opening(arch, chosen[0], _kept(chosen[0], kept)[-1])}\n{COMMON}\n{body}"


def _kept(inst: Instruction, names: set[str] | None) -> list[Operand]:
    """Return the operands, and after each the same in every format that modifiers choose."""
    found: list[Operand] = []
    for operand in inst.operands.values():
        if names is None or operand.name in names:
            formats = inst.alternatives.get(operand.name, ())
            found += [operand, *(replace(o, name=f"{o.name}_{o.format.name}") for o in formats)]
    return found


def _opening(arch: Architecture, inst: Instruction, operand: Operand) -> str:
    last = {name: size - 1 for name, size in operand.layout.shape.items()}
    slot = operand.locate(**last)[0]
    name = f"{operand.name}{''.join(f'[{v}]' for n, v in last.items() if n != 'b')}"
    what = f"block {last['b']}" if "b" in last else "it"
    return f"""\
// Register layouts of {arch.name} ({arch.title}, {arch.series}), for C++17 and HIP.
// Made by layoutgen {__version__} from its specifications: make it again, do not edit it.
//
//   using {operand.name} = layoutgen::{_namespace(arch)}::{inst.mnemonic}::{operand.name};
//   constexpr auto s = {operand.name}::locate({{{", ".join(map(str, last.values()))}}});
//   // {name} of {what}: lane {slot.lane}, register {slot.register}, bit {slot.bit}
//   constexpr auto e = {operand.name}::at(s);  // the element again: {_dotted(last)}
//
// item(s) counts the elements of a lane: the index into the vector that a builtin takes.
// place(lane, item) is the slot of an item.  A_fp6 is A in the format FP6, where modifiers choose
// it; `set` is the set of a sparse index, or the byte of a scale.
"""


def _dotted(last: dict[str, int]) -> str:
    return ", ".join(f"e.{name} {value}" for name, value in last.items())


def _namespace(arch: Architecture) -> str:
    return "".join(c if c.isalnum() else "_" for c in arch.name)


def _instruction(arch: Architecture, inst: Instruction, operands: list[Operand]) -> str:
    space, name = _namespace(arch), inst.mnemonic
    guard = f"LAYOUTGEN_{space}_{name}".upper()
    structs = list(_structs(operands))
    code = "\n".join(s.code for s in structs)
    asserts = "".join(
        f'static_assert(inverse<{name}::{s.name}>(), "{name} {s.name}");\n'
        for s in structs
        if s.same_as is None
    )
    return (
        f"#ifndef {guard}\n#define {guard}\n"
        f"namespace layoutgen::{space} {{\n\n"
        f"struct {name} {{\n"
        f"  static constexpr int m = {inst.m}, n = {inst.n}, k = {inst.k};\n"
        f"  static constexpr int blocks = {inst.blocks}, wave = {arch.wave};\n\n"
        f"{code}}};\n{asserts}\n"
        f"}}  // namespace layoutgen::{space}\n#endif\n"
    )


def _structs(operands: list[Operand]) -> Iterator[_Struct]:
    """Yield the struct of each operand; operands that lie alike share one."""
    before: dict[tuple[object, ...], str] = {}
    for operand in operands:
        name, layout = operand.name, operand.layout
        parts = (*layout.coordinates.items(), layout.lane, layout.item, *layout.fixed.items())
        key = (operand.format.bits, *parts)
        same = before.setdefault(key, name)
        if same != name:
            yield _Struct(name, f"  using {name} = {same};\n", same)
        else:
            yield _Struct(name, _operand(operand), None)


def _operand(operand: Operand) -> str:
    layout, both = operand.layout, formulas(_open(operand.layout), operand.format.bits)
    inner = "".join(f"[{name}]" for name in layout.shape if name != "b")
    forward = {**both.forward, "lane": add(both.forward["lane"], _copy_offset(operand))}
    return OPERAND.format(
        title=f"{operand.name}{inner} of block b: {operand.format.title}",
        name=operand.name,
        members=", ".join(layout.shape),
        lanes=layout.lanes,
        items=layout.items,
        bits=operand.format.bits,
        registers=operand.registers,
        elements=prod(layout.shape.values()),
        copies=len(layout.copies),
        sets=prod(digit.size for digit in layout.holes),
        default=sum(weight * layout.fixed[digit.name] for digit, weight in _sets(layout)),
        within=" && ".join(f"e.{n} >= 0 && e.{n} < {size}" for n, size in layout.shape.items()),
        forward=_list(forward.values()),
        holds=_holds(operand),
        inverse=_list(e for name, e in both.inverse.items() if name != SET),
    )


def _list(expressions: Iterable[Expr]) -> str:
    return ", ".join(render(e, NOTATION) for e in expressions)


def _copy_offset(operand: Operand) -> Expr:
    """Return how many lanes a copy of an element is away from the first one."""
    layout = operand.layout
    copy, weight, parts = Var("copy", len(layout.copies)), 1, []
    for place in layout.places:
        if place.side == "lane" and place.coordinate is None:
            digit = mod(floordiv(copy, weight), place.digit.size)
            parts.append(scale(digit, place.stride))
            weight *= place.digit.size
    return add(*parts)


def _open(layout: Layout) -> Layout:
    """Return the layout with its holes as digits of a coordinate more: which set it is."""
    if not layout.holes:
        return layout
    return Layout({**layout.coordinates, SET: layout.holes}, layout.lane, layout.item)


def _sets(layout: Layout) -> list[tuple[Digit, int]]:
    """Return the holes, each with its weight in the number of the set."""
    weights = accumulate((digit.size for digit in layout.holes), mul, initial=1)
    return list(zip(layout.holes, weights, strict=False))


def _holds(operand: Operand) -> str:
    """Return the condition under which a slot holds an element of the set that is asked for."""
    if not operand.layout.holes:
        return "true"
    held = formulas(_open(operand.layout), operand.format.bits).inverse[SET]
    return f"{render(held, NOTATION)} == {SET}"
