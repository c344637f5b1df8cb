"""The text of the program: what is the same for all, and a call for every run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from layoutgen import __version__
from layoutgen.probe.cases import LANES, Case, cases
from layoutgen.probe.numbers import codes
from layoutgen.snippets import field_value
from layoutgen.tables import register_types

if TYPE_CHECKING:
    from layoutgen.model import Architecture, Instruction
    from layoutgen.operand import Operand

KINDS = {"f32": "f", "f64": "d", "i32": "i"}
"""How the program reads D, by its format."""


def program(arch: Architecture, runs: Iterable[Case] | None = None) -> str:
    """Return a HIP program that makes `runs`: by default all that :func:`cases` yields.

    It prints JSON for :mod:`layoutgen.validate.device` on standard output.
    """
    chosen = list(cases(arch) if runs is None else runs)
    tables = _Codes()
    lines = [_case(n, case, tables) for n, case in enumerate(chosen)]
    parts = [
        f"// Probes every matrix instruction of {arch.name} ({arch.series}) that a builtin makes.",
        f"// Written by layoutgen {__version__}; run it on such a GPU:",
        "//",
        f"//   amdclang++ -O1 -std=c++17 --offload-arch={arch.name} probe.hip -o probe",
        "//   ./probe > device.json",
        "//   layoutgen validate --device device.json",
        "//",
        _text("prelude.hip"),
        *_types(arch),
        "",
        *(_call(n, case) for n, case in enumerate(chosen)),
        "",
        _text("records.hip"),
        *tables.declarations(),
        "",
        f'static const char* const ARCH = "{arch.name}";',
        "static const Case CASES[] = {",
        *lines,
        "};",
        "",
        _text("driver.hip"),
    ]
    return "\n".join(parts)


def _text(name: str) -> str:
    return (Path(__file__).parent / name).read_text(encoding="utf-8")


def _types(arch: Architecture) -> Iterator[str]:
    found = (t.declaration for t in register_types(i for i in arch.values() if i.builtin))
    return (declaration for declaration in found if declaration)


def _call(number: int, case: Case) -> str:
    """Return the struct by which the kernel calls the builtin of one run."""
    inst, caller = case.instruction, case.caller or case.instruction
    taken = {"A": "A a", "B": "B b", "C": "D c", "index": "int index"}
    taken |= {name: f"int {name}" for name in ("scale_a", "scale_b")}
    parameters = [text if n in inst.operands else text.split()[0] for n, text in taken.items()]
    given = (_argument(case, caller, name) for name in caller.arguments)
    types = (f"using {name} = {inst.operands[name].c_type};" for name in "ABD")
    return (
        f"struct Call{number} {{\n  {' '.join(types)}\n"
        f"  static __device__ D call({', '.join(parameters)}) {{\n"
        f"    return {caller.builtin}({', '.join(given)});\n  }}\n}};\n"
        f"template __global__ void run<Call{number}>(Inputs, unsigned*);"
    )


def _argument(case: Case, caller: Instruction, name: str) -> str:
    """Return an argument of the call: an operand, a modifier, or 0 for a scale that is not used."""
    if name in case.instruction.operands:
        return name.lower()
    return "0" if name in caller.operands else str(field_value(caller, name, case.modifiers))


def _case(number: int, case: Case, tables: _Codes) -> str:
    inst = case.instruction
    fields = ", ".join(f'\\"{name}\\": {value}' for name, value in case.fields.items())
    scaled = "true" if "scale_a" in inst.operands else "false"
    d = inst.operands["D"]
    a, b = (inst.operand(name, **case.fields) for name in "AB")
    parts = [
        f'"{inst.mnemonic}"',
        f'"{fields}"',
        str(case.rotation),
        scaled,
        f"'{KINDS[d.format.name]}'",
        f"run<Call{number}>",
        tables.operand(a, 1),
        tables.operand(b, LANES * b.layout.items),
        str(d.registers),
    ]
    return f"  {{{', '.join(parts)}}},"


class _Codes:
    """The tables of codes that the runs need, each once."""

    def __init__(self) -> None:
        self._found: dict[tuple[int, ...], str] = {}

    def operand(self, operand: Operand, most: int) -> str:
        """Return the initialiser of an operand with the codes of 0 to `most`, or fewer."""
        found = tuple(codes(operand.format, most))
        name = self._found.setdefault(found, f"CODES{len(self._found)}")
        registers = operand.c_count * operand.c_element.bits // 32
        numbers = (registers, operand.layout.items, operand.format.bits, len(found) - 1)
        return f"{{{', '.join(map(str, numbers))}, {name}}}"

    def declarations(self) -> Iterator[str]:
        """Yield the tables."""
        for values, name in self._found.items():
            numbers = ", ".join(f"{value:#x}" for value in values)
            yield f"static const unsigned long long {name}[] = {{{numbers}}};"
