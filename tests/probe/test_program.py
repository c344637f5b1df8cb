"""The program that asks a real GPU: compiled for every target, and run with the emulator."""

from __future__ import annotations

import ctypes
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from compiler import assembly, for_gpu, for_host
from emulated_device import entry
from host import Host

from layoutgen import archs
from layoutgen.model import Architecture
from layoutgen.probe import Case, cases, program

ARCHS = archs()
pytestmark = pytest.mark.xdist_group("compiler")


FIELDS = ("cbsz", "abid", "blgp", "neg", "op_sel", "op_sel_hi")


def fields(line: str) -> str:
    """Return the modifiers in a line of assembly, in the order in which we write them."""
    found = [re.search(rf"\b{name}:(\[[\d,]+\]|\d+)", line) for name in FIELDS]
    told = {name: match[1] for name, match in zip(FIELDS, found, strict=True) if match}
    return " ".join(f"{n}:{v}" for n, v in told.items() if v.strip("[]0,"))


@pytest.mark.parametrize("arch", ARCHS.values(), ids=list(ARCHS))
def test_each_run_is_the_instruction_with_its_modifiers(tmp_path: Path, arch: Architecture) -> None:
    source = tmp_path / "probe.hip"
    source.write_text(program(arch), encoding="utf-8")
    code = assembly(for_gpu(source, arch.name))
    bodies = re.findall(r"(?ms)^_Z3runI\d+Call(\d+)E\w+:[^\n]*\n(.*?)^\.Lfunc_end", code)
    runs = list(cases(arch))
    found = {int(n): re.findall(r"(?m)^\s+(v_s?mf\S+) (.+)$", body) for n, body in bodies}
    assert sorted(found) == list(range(len(runs)))
    assert {case.instruction.mnemonic for case in runs} == {*arch}
    for number, case in enumerate(runs):
        ((mnemonic, rest),) = found[number]
        assert mnemonic.removesuffix("_e64") == case.instruction.mnemonic
        assert fields(rest) == fields(str(case.modifiers)), (case, rest)


@pytest.mark.parametrize("arch", ARCHS.values(), ids=list(ARCHS))
def test_the_host_code_compiles(tmp_path: Path, arch: Architecture) -> None:
    source = tmp_path / "probe.hip"
    source.write_text(program(arch), encoding="utf-8")
    assert "hipLaunchKernel" in assembly(for_host(source, arch.name))


def some(arch: str) -> list[Case]:
    """Return a few runs that are quick to make one lane at a time."""
    wanted = {
        "gfx908": [("v_mfma_f32_4x4x1f32", {}), ("v_mfma_f32_4x4x1f32", {"cbsz": 2, "abid": 1})],
        "gfx90a": [("v_mfma_f64_4x4x4f64", {}), ("v_mfma_i32_4x4x4i8", {"blgp": 3})],
        "gfx942": [
            ("v_mfma_f64_4x4x4_4b_f64", {"neg": 5}),
            ("v_smfmac_f32_32x32x16_f16", {"abid": 2}),
        ],
    }
    return [
        case
        for name, given in wanted[arch]
        for case in cases(ARCHS[arch])
        if case.instruction.mnemonic == ARCHS[arch][name].mnemonic and case.fields == given
    ]


class Output:
    """The program on this machine, and what it prints."""

    def __init__(self, folder: Path, arch: str, runs: list[Case], device: str) -> None:
        text = program(ARCHS[arch], runs)
        instructions = [inst for inst in ARCHS[arch].values() if inst.builtin]
        self.host = Host(folder, "probe", text, instructions, arch)
        self.tell("host_device", device.encode())

    def tell(self, symbol: str, text: bytes) -> None:
        """Set a text of the machine."""
        (ctypes.c_char * 256).in_dll(self.host.library, symbol).value = text

    def main(self, *words: str) -> int:
        given = [word.encode() for word in ("probe", *words)]
        code: int = self.host.library.main(
            len(given), (ctypes.c_char_p * (len(given) + 1))(*given, None)
        )
        ctypes.CDLL(None).fflush(None)  # what the program printed
        if self.host.failed:
            raise self.host.failed[0]
        return code


@pytest.mark.parametrize("arch", ["gfx908", "gfx90a", "gfx942"])
def test_run_by_lanes_it_prints_what_the_emulator_does(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], arch: str
) -> None:
    runs = some(arch)
    assert len(runs) >= 2
    assert Output(tmp_path, arch, runs, f"{arch}:sramecc+:xnack-").main() == 0
    out, err = capfd.readouterr()
    printed = json.loads(out)
    assert (err, printed["arch"], printed["gpu"]) == ("", arch, "emulator")
    assert printed["target"] == f"{arch}:sramecc+:xnack-"
    assert printed["runs"] == [entry(ARCHS[arch], case) for case in runs]


def test_arguments_choose_instructions(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert Output(tmp_path, "gfx90a", some("gfx90a"), "gfx90a").main("v_mfma_f64_4x4x4f64") == 0
    runs = json.loads(capfd.readouterr().out)["runs"]
    assert [run["instruction"] for run in runs] == ["v_mfma_f64_4x4x4f64"]


@pytest.mark.parametrize(
    ("device", "told"),
    [
        ("", "no AMD GPU found: this program needs a gfx90a"),
        ("gfx942:xnack-", "this GPU is a gfx942:xnack-, and the program was made for gfx90a"),
        ("gfx90", "this GPU is a gfx90, and the program was made for gfx90a"),
    ],
)
def test_on_another_machine_it_says_so(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], device: str, told: str
) -> None:
    assert Output(tmp_path, "gfx90a", some("gfx90a"), device).main() == 1
    assert capfd.readouterr() == ("", f"{told}\n")


def test_the_name_of_a_gpu_cannot_break_the_output(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    made = Output(tmp_path, "gfx90a", some("gfx90a"), 'gfx90a:"x"+')
    made.tell("host_name", b'the "new"\\one\n\x1b[31m%s \xff')
    assert made.main("none") == 0
    printed = json.loads(capfd.readouterr().out)
    assert printed["gpu"] == 'the "new"\\one\n\x1b[31m%s \xff'
    assert (printed["target"], printed["runs"]) == ('gfx90a:"x"+', [])


CALL = """
import ctypes, sys
library = ctypes.CDLL(sys.argv[1])
(ctypes.c_char * 256).in_dll(library, "host_device").value = b"gfx90a"
sys.exit(library.main(2, (ctypes.c_char_p * 3)(b"probe", b"none", None)))
"""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a Linux device")
def test_output_that_was_not_written_is_told(tmp_path: Path) -> None:
    Output(tmp_path, "gfx90a", some("gfx90a"), "gfx90a")
    command = [sys.executable, "-c", CALL, str(tmp_path / "probe.so")]
    for place, code, told in (
        ("/dev/null", 0, ""),
        ("/dev/full", 1, "cannot write the output: it is not complete\n"),
    ):
        with Path(place).open("w") as out:
            done = subprocess.run(command, stdout=out, stderr=subprocess.PIPE, text=True)
        assert (done.returncode, done.stderr) == (code, told)
