"""The kernels on the pages, run: every one computes the product, and no wrong index does."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from host import Host
from matrices import problem

from layoutgen import archs
from layoutgen.model import Architecture, Instruction
from layoutgen.snippets import snippet

ARCHS = archs()
pytestmark = pytest.mark.xdist_group("compiler")


def callable_ones(arch: Architecture) -> list[Instruction]:
    return [inst for inst in arch.values() if inst.builtin]


def named(text: str, name: str) -> str:
    """Return the text of a kernel under another name."""
    found, count = re.subn(r"(__launch_bounds__\(64\) )\w+\(", rf"\1{name}(", text)
    assert count == 1
    return found


def host(folder: Path, arch: str, kernels: dict[str, str], instructions: list[Instruction]) -> Host:
    """Compile kernels, each under the name that is its key."""
    texts = "".join(named(text, name) for name, text in kernels.items())
    includes = "#include <hip/hip_runtime.h>\n"
    whole = f'{includes}extern "C" {{\n{texts.replace(includes, "")}}}\n'
    return Host(folder, arch, whole, instructions, arch)


def solves(machine: Host, name: str, inst: Instruction, **modifiers: Any) -> bool:
    random = np.random.default_rng(len(name))
    given = problem(inst, random, **modifiers)
    machine.launch(name, *given.arguments, given.d)
    return given.solved()


@pytest.mark.parametrize("arch", ARCHS.values(), ids=list(ARCHS))
def test_every_kernel_computes_the_product(tmp_path: Path, arch: Architecture) -> None:
    instructions = callable_ones(arch)
    machine = host(tmp_path, arch.name, {i.name: snippet(i) for i in instructions}, instructions)
    assert [i.name for i in instructions if not solves(machine, i.name, i)] == []


def mistakes(text: str) -> Iterator[str]:
    """Yield the kernel with one wrong lane: once for each array that it reads or writes."""
    parts = text.split("\n\n")
    for n, part in enumerate(parts):
        if re.search(r"\b[A-Z]\w*\[", part):
            wrong = re.sub(r"\blane\b", "(lane ^ 1)", part)
            assert wrong != part
            yield "\n\n".join([*parts[:n], wrong, *parts[n + 1 :]])


@pytest.mark.parametrize("arch", ARCHS.values(), ids=list(ARCHS))
def test_a_wrong_index_is_noticed_in_every_kernel(tmp_path: Path, arch: Architecture) -> None:
    instructions = [inst for inst in callable_ones(arch) if inst.targets[0] == arch.name]
    wrong = {
        f"{inst.name}_{n}": (inst, text)
        for inst in instructions
        for n, text in enumerate(mistakes(snippet(inst)))
    }
    assert len(wrong) >= 3 * len(instructions)
    machine = host(tmp_path, arch.name, {n: text for n, (_, text) in wrong.items()}, instructions)
    assert [name for name, (inst, _) in wrong.items() if solves(machine, name, inst)] == []


SCALED = [inst for inst in ARCHS["gfx950"].values() if "scale_a" in inst.arguments]


@pytest.mark.parametrize("inst", SCALED, ids=lambda inst: inst.name)
def test_every_pair_of_formats_and_every_byte_of_the_scales(
    tmp_path: Path, inst: Instruction
) -> None:
    fields = ("cbsz", "blgp", "op_sel_a", "op_sel_b")
    settings = [(a, b, a % 4, (b + 1) % 4) for a, b in product(range(5), repeat=2)]
    cases = {"k_{}_{}_{}_{}".format(*s): dict(zip(fields, s, strict=True)) for s in settings}
    kernels = {name: snippet(inst, **case) for name, case in cases.items()}
    machine = host(tmp_path, "gfx950", kernels, [inst])
    assert [name for name, case in cases.items() if not solves(machine, name, inst, **case)] == []


def test_every_set_of_indices(tmp_path: Path) -> None:
    sparse = [i for i in ARCHS["gfx942"].values() if i.sparse]
    cases = {f"{i.name}_{n}": (i, n) for i in sparse for n in i.rules.legal()["abid"]}
    assert len(cases) > len(sparse)
    kernels = {name: snippet(inst, abid=n) for name, (inst, n) in cases.items()}
    machine = host(tmp_path, "gfx942", kernels, sparse)
    wrong = [name for name, (inst, n) in cases.items() if not solves(machine, name, inst, abid=n)]
    assert wrong == []


def test_a_sign_in_the_call_is_the_sign_of_the_product(tmp_path: Path) -> None:
    inst = ARCHS["gfx942"]["v_mfma_f64_16x16x4_f64"]
    kernels = {f"neg_{n}": snippet(inst, neg=n) for n in (1, 2, 3)}
    machine = host(tmp_path, "gfx942", kernels, [inst])
    for n, sign in ((1, -1), (2, -1), (3, 1)):
        given = problem(inst, np.random.default_rng(n))
        machine.launch(f"neg_{n}", *given.arguments, given.d)
        assert (given.d == sign * given.product).all()


def test_lanes_that_do_not_meet_are_an_error(tmp_path: Path) -> None:
    inst = ARCHS["gfx908"]["v_mfma_f32_4x4x1f32"]
    text = snippet(inst).replace("  // C is zero", "  if (lane == 3) return;\n  // C is zero")
    machine = host(tmp_path, "gfx908", {"diverging": text}, [inst])
    machine.patience = 0.5
    with pytest.raises(threading.BrokenBarrierError):
        solves(machine, "diverging", inst)


def test_a_block_of_a_that_is_shared_makes_the_products_of_the_others(tmp_path: Path) -> None:
    """cbsz and abid stand in the call; A is loaded as without them."""
    inst = ARCHS["gfx908"]["v_mfma_f32_16x16x4f16"]
    settings = [(cbsz, abid) for cbsz in (1, 2) for abid in range(1 << cbsz)]
    kernels = {f"k_{c}_{a}": snippet(inst, cbsz=c, abid=a) for c, a in settings}
    machine = host(tmp_path, "gfx908", kernels, [inst])
    for cbsz, abid in settings:
        given = problem(inst, np.random.default_rng(abid))
        machine.launch(f"k_{cbsz}_{abid}", *given.arguments, given.d)
        a, b = (matrix.astype(np.float64) for matrix in given.arguments)
        block = np.arange(inst.blocks)
        assert (given.d == a[(block >> cbsz << cbsz) + abid] @ b).all()
