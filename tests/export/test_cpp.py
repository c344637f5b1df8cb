"""The C++ header: compiled for the host and for the GPU; run, it gives the tables."""

from __future__ import annotations

import ctypes
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from layoutgen import archs
from layoutgen.digits import Digit, Layout
from layoutgen.export.cpp import header
from layoutgen.model import Architecture, Instruction, Operand

if TYPE_CHECKING:
    from layoutgen.digits import IntArray

ARCHS = archs()
SCALED = ("v_mfma_scale_f32_32x32x64_f8f6f4", "v_mfma_scale_f32_16x16x128_f8f6f4")
STRICT = ("-std=c++17", "-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-pedantic", "-Werror")

pytestmark = pytest.mark.xdist_group("compiler")


def zig(tool: str, *arguments: object) -> subprocess.CompletedProcess[str]:
    """Run a tool of the LLVM that comes with ziglang."""
    command = [sys.executable, "-m", "ziglang", tool, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def compiled(source: Path, *options: object) -> None:
    output = () if "-fsyntax-only" in options else ("-o", source.with_suffix(".o"))
    result = zig("clang", *STRICT, *options, source, *output)
    assert (result.returncode, result.stderr) == (0, "")


def reader(struct: str, name: str, operand: Operand) -> str:
    """Return a C function that writes all slots of all elements, then all elements of slots."""
    shape = operand.layout.shape
    loops = "".join(f"for (int {n} = 0; {n} < {size}; ++{n}) " for n, size in shape.items())
    members = "".join(f"*out++ = e.{n}; " for n in shape)
    return (
        f'extern "C" void {name}(int *out) {{ using Op = {struct};\n'
        f"{loops}for (int copy = 0; copy < Op::copies; ++copy) {{\n"
        f"  const Op::element e{{{', '.join(shape)}}}; const auto s = Op::locate(e, copy);\n"
        f"  {members}*out++ = s.lane; *out++ = s.reg; *out++ = s.bit; *out++ = Op::bits; }}\n"
        f"for (int lane = 0; lane < Op::wave; ++lane) for (int n = 0; n < Op::items; ++n) {{\n"
        f"  const auto s = Op::place(lane, n); if (!Op::holds(s)) continue;\n"
        f"  const auto e = Op::at(s);\n"
        f"  {members}*out++ = s.lane; *out++ = s.reg; *out++ = s.bit; *out++ = Op::bits; }} }}\n"
    )


Library = Callable[..., "tuple[IntArray, IntArray]"]


def operands_of(inst: Instruction) -> Iterator[tuple[str, Operand]]:
    """Yield every operand with its name in the header: A, and A_fp6 where codes choose formats."""
    for name, operand in inst.operands.items():
        yield name, operand
        for other in inst.alternatives.get(name, ()):
            yield f"{name}_{other.format.name}", other


def library(folder: Path, arch: Architecture) -> Library:
    """Compile the header of `arch` for this machine; return what gives both tables."""
    functions = [
        (f"layoutgen::{arch.name}::{inst.mnemonic}::{name}", f"{inst.mnemonic}_{name}", o)
        for inst in arch.values()
        for name, o in operands_of(inst)
    ]
    source = folder / f"{arch.name}.cpp"
    source.write_text(header(arch) + "".join(reader(*f) for f in functions), encoding="utf-8")
    compiled(source, "-c", "-O1", "-fPIC", "-fno-builtin")
    shared = source.with_suffix(".so")
    linked = zig("ld.lld", "-shared", "-o", shared, source.with_suffix(".o"))
    assert linked.returncode == 0, linked.stderr
    loaded = ctypes.CDLL(str(shared))

    def tables(inst: Instruction, operand: Operand, name: str = "") -> tuple[IntArray, IntArray]:
        rows = len(operand.table())
        found = np.full((2, rows, len(operand.columns)), -1, dtype=np.int32)
        function = f"{inst.mnemonic}_{name or operand.name}"
        getattr(loaded, function)(ctypes.c_void_p(found.ctypes.data))
        return found[0].astype(np.int64), found[1].astype(np.int64)

    return tables


@pytest.fixture(scope="module", params=ARCHS.values(), ids=list(ARCHS))
def on_the_host(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Architecture, Library]:
    return request.param, library(tmp_path_factory.mktemp("host"), request.param)


def test_run_on_the_host_both_directions_are_the_tables(
    on_the_host: tuple[Architecture, Library],
) -> None:
    arch, tables = on_the_host
    for inst in arch.values():
        for name, operand in operands_of(inst):
            forward, inverse = tables(inst, operand, name)
            expected = operand.table()
            assert (forward == expected).all(), f"{inst.mnemonic} {name}"
            by_slot = expected[np.lexsort(expected[:, [-2, -3, -4]].T)]
            assert (inverse == by_slot).all(), f"{inst.mnemonic} {name}"


GPU_CODE = [("hip", arch) for arch in ARCHS.values()] + [("c++", ARCHS["gfx950"])]


@pytest.mark.parametrize(("language", "arch"), GPU_CODE, ids=lambda v: getattr(v, "name", v))
def test_the_header_compiles_for_the_gpu(tmp_path: Path, arch: Architecture, language: str) -> None:
    if language == "hip":
        target = [f"--offload-arch={arch.name}", "--offload-device-only", "-nogpuinc"]
    else:
        target = ["-target", "amdgcn-amd-amdhsa", f"-mcpu={arch.name}"]
    inst = next(iter(arch.values()))
    operand = f"layoutgen::{arch.name}::{inst.mnemonic}::D"
    kernel = (
        '\nextern "C" __attribute__((device)) int row(int lane, int item) {\n'
        f"  return {operand}::at({operand}::place(lane, item)).i;\n}}\n"
    )
    if language == "c++":
        kernel = kernel.replace("__attribute__((device)) ", "")
    source = tmp_path / "kernel.cpp"
    source.write_text(header(arch) + kernel, encoding="utf-8")
    compiled(source, "-x", language, *target, "-nogpulib", "-O1", "-S")


def test_sets_of_the_index_and_bytes_of_the_scales(tmp_path: Path) -> None:
    asked = [
        ("gfx942", "v_smfmac_f32_16x16x32_f16", "index", "abid", {"b": 0, "i": 3, "group": 7}),
        ("gfx942", "v_smfmac_i32_32x32x32_i8", "index", "abid", {"b": 0, "i": 30, "group": 5}),
        ("gfx950", "v_smfmac_f32_32x32x32_bf16", "index", "abid", {"b": 0, "i": 1, "group": 6}),
        ("gfx950", SCALED[0], "scale_a", "op_sel", {"b": 0, "i": 9, "group": 1}),
        ("gfx950", SCALED[1], "scale_b", "op_sel", {"b": 0, "group": 3, "j": 9}),
    ]  # fmt: skip
    headers = [header(ARCHS[arch], [ARCHS[arch][name]]) for arch, name, *_ in asked]
    lines = []
    for arch, name, operand, field, at in asked:
        inst = ARCHS[arch][name]
        struct = f"layoutgen::{arch}::{name}::{operand}"
        sets = inst.operands[operand].layout.holes[0].size
        lines.append(f"static_assert({struct}::sets == {sets});")
        for value in range(sets):
            [s] = inst.operand(operand, **{field: value}).locate(**at)
            element = ", ".join(map(str, at.values()))
            slot = f"layoutgen::slot{{{s.lane}, {s.register}, {s.bit}}}"
            lines.append(f"static_assert({struct}::locate({{{element}}}, 0, {value}) == {slot});")
            lines.append(f"static_assert({struct}::holds({slot}, {value}));")
            lines.append(f"static_assert(!{struct}::holds({slot}, {(value + 1) % sets}));")
    source = tmp_path / "sets.cpp"
    source.write_text("\n".join([*headers, *lines]) + "\n", encoding="utf-8")
    compiled(source, "-fsyntax-only")


def test_headers_can_be_included_together_and_twice(tmp_path: Path) -> None:
    arch = ARCHS["gfx908"]
    one, two = list(arch.values())[:2]
    (tmp_path / "one.hpp").write_text(header(arch, [one]), encoding="utf-8")
    (tmp_path / "both.hpp").write_text(header(arch, [one, two]), encoding="utf-8")
    source = tmp_path / "user.cpp"
    includes = ("one.hpp", "both.hpp", "one.hpp")
    source.write_text("".join(f'#include "{name}"\n' for name in includes), encoding="utf-8")
    compiled(source, "-c")


def test_the_code_in_the_manual_compiles(tmp_path: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "cli" / "export.rst").read_text("utf-8")
    block = page.partition(".. code-block:: cpp\n")[2].partition("\n``locate")[0]
    (tmp_path / "layouts.hpp").write_text(header(ARCHS["gfx908"]), encoding="utf-8")
    source = tmp_path / "manual.cpp"
    source.write_text("\n".join(line[3:] for line in block.splitlines()), encoding="utf-8")
    assert "static_assert" in source.read_text("utf-8")
    compiled(source, "-c")


def changed(inst: Instruction, operand: Operand) -> Instruction:
    operands = {**inst.operands, operand.name: operand}
    return Instruction(**{**vars(inst), "operands": operands})


def replaced(operand: Operand, layout: Layout) -> Operand:
    return Operand(operand.name, operand.format, layout, operand.provenance)


def test_copies_and_holes_are_proved_too(tmp_path: Path) -> None:
    arch = ARCHS["gfx908"]
    inst = arch["v_mfma_f32_32x32x8f16"]
    row, half, copy, pair = Digit("row", 16), Digit("half", 2), Digit("copy", 2), Digit("pair", 2)
    layout = Layout(
        {"b": (), "i": (row,), "k": (pair,)},
        (copy, row, Digit("more", 2)),
        (half, pair),
        {"half": 1},
    )
    odd = changed(inst, replaced(inst.operands["A"], layout))
    one = Architecture(**{**public(arch), "instructions": {odd.mnemonic: odd}})
    forward, inverse = library(tmp_path, one)(odd, odd.operands["A"])
    expected = odd.operands["A"].table()
    assert (forward == expected).all()
    assert (inverse == expected[np.lexsort(expected[:, [-2, -3, -4]].T)]).all()


def public(arch: Architecture) -> dict[str, object]:
    return {name: getattr(arch, name) for name in arch.__dataclass_fields__}


def test_a_header_that_is_wrong_does_not_compile(tmp_path: Path) -> None:
    arch = ARCHS["gfx908"]
    right = header(arch, [arch["v_mfma_f32_32x32x2f32"]])
    wrong = right.replace(
        "8 * (s.reg / 4) + 4 * (s.lane / 32)", "8 * (s.reg / 4) + 2 * (s.lane / 32)"
    )
    assert wrong != right
    source = tmp_path / "wrong.cpp"
    source.write_text(wrong, encoding="utf-8")
    result = zig("clang", *STRICT, "-fsyntax-only", source)
    assert result.returncode != 0
    assert "v_mfma_f32_32x32x2f32 C" in result.stderr
