"""The example of a compute policy: compiled for all targets, and run without a GPU."""

from __future__ import annotations

import ctypes
import re
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from compiler import SYSTEM, assembly, c_for_gpu, called, declared, for_gpu, for_host, zig
from host import Host

from layoutgen import archs

FILE = Path(__file__).parents[2] / "examples" / "matrix_multiply_cdna_mfma.hip"
TEXT = FILE.read_text("utf-8")
ARCHS = archs()
USED = sorted(set(re.findall(r"__builtin_amdgcn_\w+", TEXT)))
POLICIES = ("scalar FMA", "MFMA f32 32x32x1", "MFMA f32 32x32x2", "MFMA f16 32x32x8")

pytestmark = pytest.mark.xdist_group("compiler")


def targets() -> list[str]:
    """Return the targets that have all builtins of the example."""
    return [name for name, arch in ARCHS.items() if all(builtin in arch for builtin in USED)]


@cache
def targets_of_the_compiler() -> list[str]:
    """Return all targets of the compiler for which it compiles every builtin of the example."""
    told = zig("clang", "-target", "amdgcn-amd-amdhsa", "-print-supported-cpus")
    names = re.findall(r"(?m)^\t(gfx\S+)$", told.stdout + told.stderr)
    assert len(names) > 40
    with TemporaryDirectory() as folder, ThreadPoolExecutor(2) as pool:
        source = Path(folder) / "all.c"
        chosen = [ARCHS["gfx908"][builtin] for builtin in USED]
        source.write_text(declared(chosen) + "".join(map(called, chosen)), encoding="utf-8")
        results = pool.map(partial(c_for_gpu, source), names)
        return [n for n, result in zip(names, results, strict=True) if result.returncode == 0]


def test_the_guards_name_every_target_that_has_the_builtins() -> None:
    found = targets_of_the_compiler()
    guards = re.findall(r"defined\(__(\w+)__\)", TEXT)
    assert sorted(guards) == sorted(name.replace("-", "_") for name in found)
    (named,) = re.findall(r"targets\[\] = \{(.+)\};", TEXT)
    gpus = [name for name in found if not name.endswith("-generic")]
    assert re.findall(r'"(\w+)"', named) == gpus == targets()


def test_it_compiles_for_every_target() -> None:
    assert "gfx9-4-generic" in targets_of_the_compiler()
    for target in targets_of_the_compiler():
        code = assembly(for_gpu(FILE, target, *SYSTEM))
        arch = ARCHS.get(target, ARCHS["gfx942"])
        spelled = {arch[builtin].mnemonic for builtin in USED}
        assert set(re.findall(r"\bv_mfma_\w+", code)) == spelled, target


def test_what_the_pages_quote_fits_their_width() -> None:
    parts = re.findall(r"(?s)\[Sphinx ([\w ]+) start\]\n(.*?)\n[^\n]*\[Sphinx \1 end\]", TEXT)
    assert len(parts) == TEXT.count("[Sphinx") / 2
    for name, text in parts:
        assert max(map(len, text.splitlines())) <= 80, name


def test_the_host_code_compiles() -> None:
    assert "hipLaunchKernel" in assembly(for_host(FILE, "gfx908"))


def test_it_compiles_for_a_gpu_without_the_builtins() -> None:
    assert "v_mfma" not in assembly(for_gpu(FILE, "gfx1100", *SYSTEM))


def program(folder: Path, target: str, text: str = TEXT) -> Host:
    """Compile the example for this machine, as if for a GPU; empty: as if there was none."""
    arch = ARCHS[target or "gfx908"]
    builtins = [arch[name] for name in USED]
    options = [f"-D__{arch.name}__"]
    if zig("clang", "-dumpmachine").stdout.startswith("x86_64"):
        options.append("-mf16c")  # else _Float16 is converted by functions of a library
    host = Host(folder, "example", text, builtins, arch.name, *options)
    device = (ctypes.c_char * 256).in_dll(host.library, "host_device")
    device.value = f"{target}:sramecc+:xnack-".encode() if target else b""
    return host


def main(host: Host, *arguments: object, capfd: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    words = [b"mm", *(str(argument).encode() for argument in arguments)]
    code = host.library.main(len(words), (ctypes.c_char_p * (len(words) + 1))(*words, None))
    ctypes.CDLL(None).fflush(None)  # what the program printed
    if host.failed:
        raise host.failed[0]
    out, err = capfd.readouterr()
    return code, out, err


@pytest.mark.parametrize("target", ["gfx908", "gfx950"])
def test_every_policy_computes_the_product_of_ragged_sizes(
    tmp_path: Path, target: str, capfd: pytest.CaptureFixture[str]
) -> None:
    host = program(tmp_path, target)
    for m, n, k in ((1, 1, 1), (67, 33, 19), (64, 65, 16)):
        code, out, err = main(host, m, n, k, capfd=capfd)
        assert (code, err) == (0, "")
        right = [f"{policy}: all {m * n} elements are right" for policy in POLICIES]
        assert out.splitlines() == [f"{m} x {n} x {k} on {target}:sramecc+:xnack-", *right]


def test_without_a_gpu_it_says_so(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    host = program(tmp_path, "")
    assert main(host, capfd=capfd) == (1, "", "no AMD GPU found: this example needs one\n")


def test_wrong_arguments_are_told(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    host = program(tmp_path, "gfx90a")
    assert main(host, 1, 2, capfd=capfd) == (2, "", "usage: mm [M N K]\n")
    for wrong in ("x", "12abc", "", "1.5", "0", "-3", "4097", "99999999999999999999", "0x10"):
        told = f"mm: {wrong} is not a whole number from 1 to 4096\n"
        assert main(host, 1, wrong, 2, capfd=capfd) == (2, "", told)


def test_long_work_of_the_host_is_told(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    host = program(tmp_path, "gfx90a", TEXT.replace("size_t{1} << 31", "30"))
    assert main(host, 2, 3, 4, capfd=capfd)[::2] == (0, "")
    told = "computing 2 x 3 x 5 on the host to compare with\n"
    assert main(host, 2, 3, 5, capfd=capfd)[::2] == (0, told)


def test_on_another_gpu_it_takes_the_scalar_policy(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    host = program(tmp_path, "gfx908")
    device = (ctypes.c_char * 256).in_dll(host.library, "host_device")
    device.value = b"gfx9080"
    code, out, _ = main(host, 5, 6, 7, capfd=capfd)
    assert (code, out.splitlines()[1:]) == (
        0,
        [
            "scalar FMA: all 30 elements are right",
            "gfx9080 has none of the builtins: scalar policy only",
        ],
    )


def test_code_without_the_builtins_is_told_on_a_gpu_that_has_them(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    host = program(tmp_path, "gfx942", TEXT.replace("define HAS_MFMA 1", "define HAS_MFMA 0"))
    code, out, err = main(host, 5, 6, 7, capfd=capfd)
    assert (code, out.splitlines()[1:]) == (1, ["scalar FMA: all 30 elements are right"])
    without = "has the builtins, but this program was compiled without: see HAS_MFMA"
    assert err == f"gfx942:sramecc+:xnack- {without}\n"


def test_a_tile_that_does_not_fit_the_policy_is_refused(tmp_path: Path) -> None:
    source = tmp_path / "example.hip"
    source.write_text(TEXT.replace("TilePolicy<64, 64, 16>", "TilePolicy<96, 64, 16>"), "utf-8")
    told = for_gpu(source, "gfx908", *SYSTEM).stderr
    assert "block_tile_m must be a multiple of thread_tile_m" in told


MISTAKES = {
    "MFMA f32 32x32x1": ("tile[tile_a_row + lane][ki]", "tile[tile_a_row + lane % 32][ki]"),
    "MFMA f32 32x32x2": ("tile[ki + lane / 32][tile_b_col", "tile[ki + 1 - lane / 32][tile_b_col"),
    "MFMA f16 32x32x8": ("tile[ki + 4 * (lane / 32) + item]", "tile[ki + 2 * (lane / 32) + item]"),
}


def test_a_wrong_index_in_a_policy_is_found_by_the_program(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    text = TEXT
    for right, wrong in MISTAKES.values():
        assert text.count(right) == 1
        text = text.replace(right, wrong)
    code, out, _ = main(program(tmp_path, "gfx942", text), 70, 40, 24, capfd=capfd)
    told = re.findall(r"(?m)^(.+): C\[\d+\]\[\d+\] is \S+, and must be \S+$", out)
    assert (code, told) == (1, [*MISTAKES])
