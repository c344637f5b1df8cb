"""The compiler of ziglang: for the GPU with a header of our own, and for this machine."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from platform import machine

import ziglang

from layoutgen import tables
from layoutgen.model import Instruction

HERE = Path(__file__).parent
LIBC = Path(ziglang.__file__).parent / "lib" / "libc" / "include"
SYSTEM = [
    word
    for name in ("generic-musl", f"{machine()}-linux-musl", f"{machine()}-linux-any")
    for word in ("-isystem", LIBC / name)
]
"""Where the headers of the C library are, for programs that have code for the host as well."""
STRICT = ("-Wall", "-Wextra", "-Werror", "-Wconversion", "-fno-lax-vector-conversions")
BACKEND = ("-nogpulib", "-fverify-intermediate-code", "-O1", "-S", "-o", "-")


def zig(tool: str, *arguments: object) -> subprocess.CompletedProcess[str]:
    """Run a tool of the LLVM that comes with ziglang."""
    command = [sys.executable, "-m", "ziglang", tool, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def for_gpu(source: Path, target: str, *options: object) -> subprocess.CompletedProcess[str]:
    """Compile a HIP file for one target; what it returns has the assembly as its output."""
    hip = ("-x", "hip", f"--offload-arch={target}", "--offload-device-only", "-nogpuinc")
    header = ("-I", HERE / "device", "-std=c++17")
    return zig("clang", *hip, *header, *STRICT, *BACKEND, *options, source)


def for_host(source: Path, target: str, *options: object) -> subprocess.CompletedProcess[str]:
    """Compile the host's part of a HIP file, which launches the kernels."""
    hip = ("-x", "hip", f"--offload-arch={target}", "--offload-host-only", "-nogpuinc")
    header = ("-nogpulib", "-I", HERE / "device", "-std=c++17")
    return zig("clang", *hip, *header, *SYSTEM, *STRICT, "-O1", "-S", "-o", "-", *options, source)


def c_for_gpu(source: Path, target: str, *options: object) -> subprocess.CompletedProcess[str]:
    """Compile a C file for one target."""
    machine = ("-target", "amdgcn-amd-amdhsa", f"-mcpu={target}", "-x", "c", "-std=c11")
    return zig("clang", *machine, *STRICT, *BACKEND, *options, source)


def assembly(result: subprocess.CompletedProcess[str]) -> str:
    """Return what was compiled; the compiler must not have said a word."""
    assert (result.returncode, result.stderr) == (0, "")
    return result.stdout


def declared(instructions: Iterable[Instruction]) -> str:
    """Return C that declares the builtins as we do; another type than the compiler's is refused."""
    chosen = list(instructions)
    types = [
        f"typedef {t.element} {t.name} __attribute__((ext_vector_type({t.count})));\n"
        for t in tables.register_types(chosen)
        if t.count > 1
    ]
    return "".join([*types, *(f"extern {inst.signature};\n" for inst in chosen)])


def called(inst: Instruction) -> str:
    """Return a C function that calls a builtin with all fields 0."""
    operands = [inst.operands[name] for name in inst.arguments if name in inst.operands]
    parameters = ", ".join(f"{o.c_type} {o.name.lower()}" for o in operands)
    given = (n.lower() if n in inst.operands else "0" for n in inst.arguments)
    kind = inst.operands["D"].c_type
    return (
        f"{kind} call_{inst.name}({parameters});\n"
        f"{kind} call_{inst.name}({parameters}) {{\n"
        f"  return {inst.builtin}({', '.join(given)});\n}}\n"
    )
