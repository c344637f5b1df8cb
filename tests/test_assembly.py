"""Lines of assembly: LLVM's assembler takes them, and encodes what the specification says."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path

import pytest

import layoutgen
from layoutgen.assembly import assembly
from layoutgen.model import Architecture
from layoutgen.validate import truth

ARCHS = layoutgen.archs()
VOP3P_MAI = 0b110100111
LD_SCALE = 44
"""The first half of a scaled instruction loads the scales; its opcode, in LLVM and the manual."""


def assembled(arch: Architecture, lines: list[str], folder: Path) -> list[list[int]]:
    """Return the bytes of each line, as LLVM encodes it."""
    (folder / "lines.s").write_text("\n".join(lines) + "\n", encoding="utf-8")
    command = [sys.executable, "-m", "ziglang", "clang", "-cc1as", "-show-encoding"]
    command += ["-triple", "amdgcn-amd-amdhsa", "-target-cpu", arch.name, "-filetype", "asm"]
    result = subprocess.run(
        [*command, "lines.s", "-o", "-"], cwd=folder, capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stderr
    found = re.findall(r"; encoding: \[(.*)\]", result.stdout)
    return [[int(byte, 16) for byte in encoding.split(",")] for encoding in found]


def field(encoding: list[int], low: int, width: int) -> int:
    return int.from_bytes(bytes(encoding), "little") >> low & ((1 << width) - 1)


@pytest.mark.parametrize("arch", ARCHS.values(), ids=ARCHS)
def test_every_legal_setting_of_every_instruction_assembles(arch, tmp_path: Path) -> None:
    asked = [(inst, given) for inst in arch.values() for given in inst.rules.combinations()]
    lines = [assembly(inst, **asdict(given)) for inst, given in asked]
    encodings = assembled(arch, lines, tmp_path)
    assert len(encodings) == len(asked)
    for (inst, given), encoding in zip(asked, encodings, strict=True):
        *prefix, own = [encoding[n : n + 8] for n in range(0, len(encoding), 8)]
        assert field(own, 23, 9) == VOP3P_MAI
        assert field(own, 16, 7) == inst.opcode, inst.mnemonic
        assert inst.opcode == truth.opcodes()[arch.name][inst.mnemonic], "the record of validation"
        assert field(own, 8, 3) == given.cbsz
        assert field(own, 61, 3) == (given.blgp or given.neg)
        if "scale_a" in inst.operands:
            assert [field(half, 16, 7) for half in prefix] == [LD_SCALE]
            assert field(own, 11, 4) == 1  # the scales count
        else:
            assert not prefix
            assert field(own, 11, 4) == given.abid


def test_no_two_instructions_have_one_opcode() -> None:
    for arch in ARCHS.values():
        plain = [i.opcode for i in arch.values() if "scale_a" not in i.operands]
        assert len(set(plain)) == len(plain)


@pytest.mark.parametrize(
    ("arch", "name", "fields", "expected"),
    [
        ("gfx908", "v_mfma_f32_32x32x1f32", {}, "a[0:31], v0, v1, a[0:31]"),
        ("gfx908", "v_mfma_f32_16x16x16f16", {}, "a[0:3], v[0:1], v[2:3], a[0:3]"),
        (
            "gfx942",
            "v_mfma_f64_16x16x4_f64",
            {"neg": 5},
            "v[0:7], v[8:9], v[10:11], v[0:7] neg:[1,0,1]",
        ),
        ("gfx942", "v_smfmac_f32_16x16x32_f16", {"abid": 2}, "v[0:3], v[4:5], v[6:9], v10 abid:2"),
        (
            "gfx950",
            "v_mfma_scale_f32_16x16x128_f8f6f4",
            {"cbsz": 2, "blgp": 4, "op_sel": (0, 1)},
            "v[0:3], v[4:9], v[10:13], v[0:3], v14, v15"
            " op_sel:[0,1,0] op_sel_hi:[0,0,0] cbsz:2 blgp:4",
        ),
    ],
)  # fmt: skip
def test_operands_have_their_sizes(arch: str, name: str, fields, expected: str) -> None:
    assert assembly(ARCHS[arch][name], **fields) == f"{name} {expected}"
