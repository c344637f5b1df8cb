"""The compiler itself says what each builtin becomes: mnemonic, and registers of every operand.

Clang comes with ``ziglang``; nothing of the facts or the specifications is used to read what it
prints.
"""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

import layoutgen
from layoutgen.validate.truth import compiler

ARCH = layoutgen.arch("gfx908")
VECTOR = "typedef {element} {name} __attribute__((ext_vector_type({count})));"
FLAGS = ("-target", "amdgcn-amd-amdhsa", "-mcpu=gfx908", "-nogpulib", "-x", "c", "-std=c11",
         "-Wall", "-Werror", "-O1", "-S", "-o", "-", "-")  # fmt: skip
_LINE = re.compile(r"(v_mfma_\w+) (\S+), (\S+), (\S+), (\S+)")
_RANGE = re.compile(r"([av])(?:(\d+)|\[(\d+):(\d+)\])")


def _source() -> str:
    """One function for each builtin of gfx908, with vector types of their own."""
    types: dict[str, str] = {}
    functions = []
    for name, entry in compiler().items():
        if "gfx908" not in entry["targets"]:
            continue
        used = [entry["result"], *(a for a in entry["arguments"] if not a["immediate"])]
        spelled = []
        for one in used:
            word = one["type"] if one["count"] == 1 else f"v{one['count']}_{one['type']}"
            if one["count"] > 1:
                types[word] = VECTOR.format(element=one["type"], name=word, count=one["count"])
            spelled.append(word)
        result, a, b, c = spelled
        short = name.removeprefix("__builtin_amdgcn_")
        functions.append(
            f"{result} call_{short}({a} a, {b} b, {c} c) {{ return {name}(a, b, c, 0, 0, 0); }}"
        )
    return "\n".join([*types.values(), *functions])


@pytest.fixture(scope="module")
def assembly() -> dict[str, tuple[str, ...]]:
    """D, A, B and C as registers, by mnemonic, as the compiler prints them."""
    command = [sys.executable, "-m", "ziglang", "clang", *FLAGS]
    done = subprocess.run(command, input=_source(), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return {match[1]: match.groups()[1:] for match in _LINE.finditer(done.stdout)}


def test_the_compiler_makes_exactly_the_instructions_of_the_specifications(
    assembly: dict[str, tuple[str, ...]],
) -> None:
    assert sorted(assembly) == sorted(ARCH)


@pytest.mark.parametrize("mnemonic", list(ARCH))
def test_register_ranges_in_the_assembly_are_those_of_the_operands(
    mnemonic: str, assembly: dict[str, tuple[str, ...]]
) -> None:
    for name, printed in zip("DABC", assembly[mnemonic], strict=True):
        match = _RANGE.fullmatch(printed)
        assert match is not None, printed
        count = int(match[4]) - int(match[3]) + 1 if match[3] else 1
        operand = ARCH[mnemonic].operands[name]
        assert count == operand.registers
        assert match[1] in operand.register_files
