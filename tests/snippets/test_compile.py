"""Signatures and kernels, compiled for every target that we list, and refused for the others.

The front end of the compiler lets instructions pass that a target does not have; only generating
code tells.  In the assembly stand the mnemonic and the registers: both must be those that we tell.
"""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import pytest
from compiler import assembly, c_for_gpu, called, declared, for_gpu

from layoutgen import archs
from layoutgen.model import Architecture, Instruction
from layoutgen.snippets import snippet

ARCHS = archs()
BUILTINS = {i.name: i for arch in ARCHS.values() for i in arch.values() if i.builtin}
OTHERS = ("gfx906", "gfx1100")
"""A GPU of the same family without matrix cores, and one with other matrix instructions."""
pytestmark = pytest.mark.xdist_group("compiler")


def written(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("arch", ARCHS.values(), ids=list(ARCHS))
def test_signatures_and_registers_are_those_of_the_compiler(
    tmp_path: Path, arch: Architecture
) -> None:
    chosen = [inst for inst in arch.values() if inst.builtin]
    text = declared(chosen) + "".join(map(called, chosen))
    code = assembly(c_for_gpu(written(tmp_path, "all.c", text), arch.name))
    found = kernels(code)
    assert [*found] == [f"call_{inst.name}" for inst in chosen]
    for inst in chosen:
        check(inst, *found[f"call_{inst.name}"])


@pytest.mark.parametrize(
    ("right", "wrong"),
    [("float a", "double a"), ("v32float c", "v16float c"), ("abid", "abid, int")],
)
def test_another_signature_is_refused(tmp_path: Path, right: str, wrong: str) -> None:
    inst = BUILTINS["mfma_f32_32x32x1f32"]
    text = declared([*BUILTINS.values()])
    assert inst.signature.replace(right, wrong) != inst.signature
    text = text.replace(inst.signature, inst.signature.replace(right, wrong))
    result = c_for_gpu(written(tmp_path, "wrong.c", text), "gfx950")
    assert result.returncode != 0
    assert f"'{inst.builtin}'" in result.stderr


@pytest.mark.parametrize("target", [*ARCHS, *OTHERS])
def test_a_builtin_is_refused_for_a_target_that_we_do_not_list(tmp_path: Path, target: str) -> None:
    unlisted = [inst for inst in BUILTINS.values() if target not in inst.targets]
    assert unlisted
    sources = [written(tmp_path, f"{i.name}.c", declared([i]) + called(i)) for i in unlisted]
    with ThreadPoolExecutor(2) as pool:
        results = pool.map(partial(c_for_gpu, target=target), sources)
    for inst, result in zip(unlisted, results, strict=True):
        assert result.returncode != 0, inst.name
        assert re.search(r"Cannot select|needs target feature", result.stderr), inst.name


def kernels(code: str) -> dict[str, tuple[str, list[str]]]:
    """Return the matrix instruction of each kernel in some assembly: mnemonic and operands."""
    found = {}
    for name, body in re.findall(r"(?ms)^(\w+):[^\n]*; @\1\n(.*?)^\.Lfunc_end", code):
        lines = re.findall(r"(?m)^\s+(v_s?mf\S+) ([^;\n]+)", body)
        assert len(lines) == 1, name
        mnemonic, operands = lines[0]
        found[name] = mnemonic, re.findall(r"[va]\[\d+:\d+\]|[va]\d+|(?<= )\d+(?=,|$| )", operands)
    return found


def registers(text: str) -> tuple[str, int, int]:
    """Return the file, the first number and the count of ``a[0:31]`` or ``v3``."""
    numbers = [int(n) for n in re.findall(r"\d+", text)]
    return text[0], numbers[0], numbers[-1] - numbers[0] + 1


@pytest.mark.parametrize("arch", ARCHS.values(), ids=list(ARCHS))
def test_the_assembly_of_every_kernel_has_our_mnemonic_and_registers(
    tmp_path: Path, arch: Architecture
) -> None:
    chosen = {inst.name: inst for inst in arch.values() if inst.builtin}
    source = written(tmp_path, "all.hip", "".join(map(snippet, chosen.values())))
    code = assembly(for_gpu(source, arch.name))
    plain = {re.sub(r"^_Z\d+", "", name): line for name, line in kernels(code).items()}
    found = {next(n for n in chosen if name.startswith(f"{n}P")): x for name, x in plain.items()}
    assert found.keys() == chosen.keys()
    for name, line in found.items():
        check(chosen[name], *line)


def check(inst: Instruction, mnemonic: str, texts: list[str]) -> None:
    """Hold the mnemonic and the registers in a line of assembly against the specification."""
    assert mnemonic.removesuffix("_e64") == inst.mnemonic
    rest = [n for n in inst.arguments if n in inst.operands and n not in "ABC"]
    order = ["D", "A", "B", *([] if inst.sparse else ["C"]), *rest]
    assert len(texts) == len(order), f"{inst.name}: {texts}"
    for operand, text in zip((inst.operands[n] for n in order), texts, strict=True):
        if text.isdigit():
            assert operand.name == "C", f"{inst.name}: {texts}"
            continue
        file, first, count = registers(text)
        assert file in operand.register_files, f"{inst.name} {operand.name}: {texts}"
        assert count == operand.registers, f"{inst.name} {operand.name}: {texts}"
        assert first % operand.alignment == 0, f"{inst.name} {operand.name}: {texts}"
