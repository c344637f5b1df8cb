"""The text of the kernels: as a person would write them, and from the terminal."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from layoutgen import archs
from layoutgen.cli import main
from layoutgen.probe import program
from layoutgen.snippets import snippet

ARCHS = archs()
EVERY = [inst for arch in ARCHS.values() for inst in arch.values()]


def test_a_kernel_is_short() -> None:
    for text in map(snippet, EVERY):
        lines = text.splitlines()
        assert max(map(len, lines), default=0) <= 92
        assert len(lines) <= 64


def test_only_instructions_with_a_builtin_have_a_kernel() -> None:
    assert [i.mnemonic for i in EVERY if not snippet(i)] == [
        i.mnemonic for i in EVERY if not i.builtin
    ]


def test_a_kernel_names_its_targets_and_dimensions() -> None:
    for inst in EVERY:
        text = snippet(inst)
        if text:
            eight = any("FP8" in o.format.title or "BF8" in o.format.title
                        for o in inst.operands.values())  # fmt: skip
            codes = "scale_a" not in inst.operands and eight
            alone = next(name for name, arch in ARCHS.items() if inst in arch.values())
            targets = [alone] if codes else inst.targets
            assert f"--offload-arch={' or '.join(targets)}," in text
            told = dict(re.findall(r"\b([MNK]) = (\d+)", text.partition("int lane")[0]))
            assert told.items() <= {"M": str(inst.m), "N": str(inst.n), "K": str(inst.k)}.items()


def test_a_kernel_on_a_later_architecture_is_the_same() -> None:
    for inst in EVERY:
        first = ARCHS[inst.targets[0]][inst.name]
        codes = r"(?m)^// (One|An element|Build) .*$"  # mnemonics, and encodings of FP8
        assert re.sub(codes, "", snippet(inst)) == re.sub(codes, "", snippet(first))


def test_codes_of_eight_bits_are_those_of_the_targets_named() -> None:
    """FP8 of gfx942 is FNUZ, that of gfx950 OCP."""
    name = "v_mfma_f32_16x16x32_fp8_bf8"
    assert "--offload-arch=gfx942," in (first := snippet(ARCHS["gfx942"][name]))
    assert "--offload-arch=gfx950," in (later := snippet(ARCHS["gfx950"][name]))
    assert ("FNUZ" in first, "FNUZ" in later) == (True, False)


@pytest.mark.parametrize(
    ("given", "product", "targets"),
    [
        (0, "A * B", "gfx90a or gfx942 or gfx950"),
        (1, "-A * B", "gfx942 or gfx950"),
        (3, "-A * -B", "gfx942 or gfx950"),
        (6, "A * -B - C (C is 0)", "gfx942 or gfx950"),
    ],
)
def test_signs_are_told_and_only_where_they_are_legal(
    given: int, product: str, targets: str
) -> None:
    text = snippet(ARCHS["gfx950"]["v_mfma_f64_16x16x4_f64"], neg=given)
    assert f"computes D = {product} with one " in text
    assert f"--offload-arch={targets}," in text


def test_the_lanes_that_are_read_are_told() -> None:
    inst = ARCHS["gfx908"]["v_mfma_f32_4x4x1f32"]
    assert "'" not in snippet(inst).partition("#include")[0]
    for given in inst.rules.combinations():
        text = snippet(inst, **given.as_dict()).partition("#include")[0]
        told = dict(re.findall(r"// ([AB])' has in each lane what lane (.+) loads of", text))
        a, b = (f"{name}'" if name in told else name for name in "AB")
        assert f"computes D = {a} * {b} with one " in text
        for name in "AB":
            expression = told.get(name, "lane").replace("/", "//")
            reroute = inst.rules.reroute(name, given)
            for lane in range(64):
                read = reroute.lane(lane) if reroute else lane
                assert eval(expression, {"lane": lane}) == read


def test_a_sparse_kernel_tells_the_stored_k_from_the_k_of_b() -> None:
    told = "The k of A is the stored position, not the k of B."
    for inst in EVERY:
        if inst.builtin:
            assert (told in snippet(inst)) == inst.sparse


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = main([*words])
    told = capsys.readouterr()
    return code, told.out, told.err


def test_the_command_writes_the_kernel_with_modifiers(capsys: pytest.CaptureFixture[str]) -> None:
    name = "v_mfma_scale_f32_16x16x128_f8f6f4"
    code, out, err = run(capsys, "snippet", "mi355x", name, "--cbsz", "2", "--op-sel", "0,3")
    assert (code, err) == (0, "")
    assert out == snippet(ARCHS["gfx950"][name], cbsz=2, op_sel=(0, 3))
    assert "/* cbsz */ 2," in out
    assert "/* op_sel_b */ 3," in out


def test_the_command_refuses_what_cannot_be_called(capsys: pytest.CaptureFixture[str]) -> None:
    name = "v_mfma_f32_16x16x128_f8f6f4"
    code, out, err = run(capsys, "snippet", "gfx950", name)
    assert (code, out) == (2, "")
    assert f"{name} has no builtin that a kernel could call: the compiler makes it of" in err
    assert err.endswith("ask for v_mfma_scale_f32_16x16x128_f8f6f4\n")
    code, out, err = run(capsys, "snippet", "gfx908", "v_mfma_f32_16x16x4f16", "--cbsz", "3")
    assert (code, out) == (2, "")
    assert "cbsz 3 is not in 0 to 2" in err


def test_the_command_writes_the_program_of_the_probe(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "probe.hip"
    assert run(capsys, "probe", "cdna1", "-o", str(file)) == (0, "", "")
    assert file.read_text("utf-8") == program(ARCHS["gfx908"])
