"""Layouts as a C++17 header, also for HIP: ``constexpr`` functions in both directions.

One struct for each operand of each instruction.  The index expressions are the formulas of the
layouts, printed from the same trees as on the pages, and the compiler proves for each operand that
the two directions are inverse.  The header includes nothing, and headers of several architectures
or instructions can be included together.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from math import prod

from layoutgen import __version__
from layoutgen.expr import Expr, Var, add, floordiv, mod, scale
from layoutgen.model import REGISTER_BITS, Architecture, Instruction, Operand
from layoutgen.printing import C, render

COORDINATES = ("b", "i", "j", "k", "group")
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
/// element lies, and there are as many of them as elements and copies.
template <class Operand>
constexpr bool inverse() {
  int held = 0;
  for (int lane = 0; lane < Operand::wave; ++lane) {
    for (int n = 0; n < Operand::items; ++n) {
      const slot s = Operand::place(lane, n);
      if (!Operand::holds(s)) continue;
      const typename Operand::element e = Operand::at(s);
      bool found = false;
      for (int copy = 0; copy < Operand::copies; ++copy) {
        if (Operand::locate(e, copy) == s) found = true;
      }
      if (!found || !Operand::contains(e)) return false;
      ++held;
    }
  }
  return held == Operand::elements * Operand::copies;
}

}  // namespace layoutgen
#endif
"""

OPERAND = """\
  /// {title}
  struct {name} {{
    struct element {{ int {members}; }};
    static constexpr int wave = {lanes}, items = {items}, bits = {bits}, registers = {registers};
    static constexpr int elements = {elements}, copies = {copies};
    static constexpr bool contains([[maybe_unused]] element e) {{
      return {within};
    }}
    static constexpr slot locate([[maybe_unused]] element e, [[maybe_unused]] int copy = 0) {{
      return {{{forward}}};
    }}
    static constexpr bool holds([[maybe_unused]] slot s) {{ return {holds}; }}
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
    return [o for o in inst.operands.values() if names is None or o.name in names]


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
// place(lane, item) is the slot of an item.
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
    layout, formulas = operand.layout, operand.formulas
    inner = "".join(f"[{name}]" for name in layout.shape if name != "b")
    forward = {**formulas.forward, "lane": add(formulas.forward["lane"], _copy_offset(operand))}
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
        within=" && ".join(f"e.{n} >= 0 && e.{n} < {size}" for n, size in layout.shape.items()),
        forward=_list(forward.values()),
        holds=_holds(operand),
        inverse=_list(formulas.inverse.values()),
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


def _holds(operand: Operand) -> str:
    """Return the condition under which a slot holds an element: holes have their fixed value."""
    layout = operand.layout
    bit = Var("bit", REGISTER_BITS)
    start = add(scale(Var("register", operand.registers), REGISTER_BITS), bit)
    item = floordiv(start, operand.format.bits)
    conditions = [
        f"{render(mod(floordiv(item, p.stride), p.digit.size), NOTATION)} == "
        f"{layout.fixed[p.digit.name]}"
        for p in layout.places
        if p.side == "item" and p.coordinate is None
    ]
    return " && ".join(conditions) or "true"
