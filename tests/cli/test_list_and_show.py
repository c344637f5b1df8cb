"""``layoutgen list`` and ``layoutgen show``."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import layoutgen as library

ARCHS = library.archs()
GFX908 = ARCHS["gfx908"]
FACTS: dict[str, dict[str, Any]] = json.loads(
    (Path(__file__).parents[1] / "data" / "gfx908-instructions.json").read_text(encoding="utf-8")
)["instructions"]

FACTS_OF_ALL: dict[str, Any] = json.loads(
    (Path(__file__).parents[1] / "data" / "builtins-by-target.json").read_text(encoding="utf-8")
)


def test_list_names_the_architectures_with_their_other_names(ask) -> None:
    (line,) = (line for line in ask("list").lines if line.startswith("gfx908"))
    assert "cdna1, mi100" in line
    found = {a["arch"]: a for a in ask("list --format json").json["architectures"]}
    assert found["gfx908"]["aliases"] == ["cdna1", "mi100"]
    assert found["gfx908"]["instructions"] == 20


def test_list_of_an_architecture_names_its_instructions(ask) -> None:
    listed = ask("list gfx908 --format json").json
    assert listed["arch"] == "gfx908"
    assert {i["instruction"] for i in listed["instructions"]} == set(FACTS)
    assert [line.split()[0] for line in ask("list mi100").lines[1:]] == list(GFX908)


def test_list_as_csv_has_a_row_for_each_instruction(ask) -> None:
    assert len(ask("list gfx908 --format csv").lines) == 21


@pytest.mark.parametrize("name", FACTS)
def test_show_agrees_with_the_manuals(ask, name: str) -> None:
    fact = FACTS[name]
    shown = ask(f"show gfx908 {name} --format json").json
    assert shown["instruction"] == name
    for key in ("m", "n", "k", "blocks", "ops", "cycles", "passes", "coexec_cycles"):
        assert shown[key] == fact[key], key
    assert {o: part["registers"] for o, part in shown["operands"].items()} == fact["registers"]
    assert shown["builtin"] == fact["builtin"]


def test_show_has_the_keys_of_the_contract(ask) -> None:
    shown = ask("show gfx908 v_mfma_f32_16x16x4f16 --format json").json
    assert set(shown) >= {
        "arch", "instruction", "builtin", "aliases", "m", "n", "k", "blocks", "wave", "operands",
        "ops", "cycles", "passes", "coexec_cycles", "modifiers", "signature", "provenance",
    }  # fmt: skip
    assert shown["modifiers"] == {
        "cbsz": [0, 1, 2],
        "abid": [0, 1, 2, 3],
        "blgp": [0, 1, 2, 3, 4, 5, 6, 7],
    }
    for operand in shown["operands"].values():
        assert set(operand) >= {"type", "bits", "elements_per_lane", "registers"}
    assert shown["operands"]["A"]["type"] == "f16"
    assert shown["operands"]["D"]["register_files"] == ["a"]
    assert "v_mfma_f32_16x16x4_4b_f16" in shown["aliases"]


@pytest.mark.parametrize("fields", ["", "--cbsz 2 --abid 3 --blgp 3"])
def test_the_formulas_of_show_compute_the_table(ask, fields: str) -> None:
    name = "gfx908 v_mfma_f32_16x16x4f16"
    operands = ask(f"show {name} --format json {fields}").json["operands"]
    for operand, shown in operands.items():
        table = ask(f"table {name} {operand} --format json -q {fields}").json
        forward = shown["formulas"]["forward"]
        for row in table["rows"]:
            values = dict(zip(table["columns"], row, strict=True))
            for slot in ("lane", "register", "bit"):
                assert eval(forward[slot], {}, values) == values[slot]


@pytest.mark.parametrize("arch", ARCHS)
def test_show_fits_a_screen(ask, arch: str) -> None:
    for name, inst in ARCHS[arch].items():
        answer = ask(f"show {arch} {name}")
        disputes = sum(line.startswith("sources disagree") for line in answer.lines)
        assert len(answer.lines) <= 42 + 4 * len(inst.operands) + 6 * disputes
        assert max(map(len, answer.lines)) <= 80
    assert max(map(len, ask(f"show {arch}").lines)) <= 80


def test_show_is_as_wide_as_the_terminal(ask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "132")
    widest = max(map(len, ask("show gfx942 v_mfma_f32_32x32x8_f16").lines))
    assert 110 < widest <= 132


def flat(text: str) -> str:
    """Return a text as one line."""
    return " ".join(text.split())


def test_show_tells_what_the_sources_claim_where_they_disagree(ask, layoutgen) -> None:
    line = "show gfx942 v_mfma_f64_4x4x4f64"
    text = flat(ask(line).out)
    assert (
        "sources disagree: where D of the F64 4×4×4 instruction lies "
        "here: Rows are the slowest part: lane = 16·i + 4·b + j. "
        "others: Blocks are the slowest part: lane = j + 4·i + 16·b."
    ) in text
    who = "the general formula of the CDNA3 and CDNA4 manuals"
    assert who not in text
    assert who in flat(layoutgen(f"{line} -v").out)
    assert "here: 32 cycles others: 16 cycles (4 passes)" in flat(ask("show gfx950").out)


def test_show_tells_what_a_kernel_developer_needs(ask) -> None:
    text = flat(ask("show gfx908 v_mfma_f32_32x32x1f32").out)
    for fact in (
        "__builtin_amdgcn_mfma_f32_32x32x1f32(float a, float b, v32float c,",
        "v_mfma_f32_32x32x1_2b_f32",
        "32×32, k = 1, 2 blocks, wave 64",
        "4096, 256 per cycle and CU",
        "64 = 16 passes",
        "cbsz 0 to 1, abid 0 to 1, blgp 0 to 7",
        "gfx908, gfx90a, gfx942, gfx950",
        "lane = 32·(⌊i/4⌋ mod 2) + j",
        "run on silicon",
    ):
        assert fact in text


def test_show_tells_only_of_disagreements_that_matter_to_the_instruction(ask) -> None:
    def told(name: str) -> set[str]:
        document = ask(f"show gfx908 {name} --format json").json
        return {entry["id"] for entry in document["disagreements"]}

    assert told("v_mfma_f32_16x16x4f16") == {"cbsz-groups", "k-order", "partial-sums"}
    assert told("v_mfma_f32_32x32x8f16") == {"k-order", "partial-sums"}  # one block
    assert told("v_mfma_i32_32x32x4i8") == {"k-order"}  # two blocks: both readings are the same
    assert told("v_mfma_f32_4x4x1f32") == {"cbsz-groups"}  # k is 0


def test_show_writes_formulas_in_other_notations(ask) -> None:
    line = "show gfx908 v_mfma_f32_32x32x1f32 --notation"
    assert "lane = 32 * (i / 4 % 2) + j" in ask(f"{line} c").out
    assert "lane = 32 * (i // 4 % 2) + j" in ask(f"{line} python").out
    in_c = ask(f"{line} c").out
    assert "reg = 16 * b + 4 * (i / 8) + (i % 4)" in in_c
    assert "b = reg / 16" in in_c
    assert not re.search(r"\bregister\b", in_c.partition("D[")[2]), "a keyword of C"
    assert r"\left\lfloor" in ask(f"{line} latex").out


def test_show_with_modifiers_gives_the_formulas_under_them(ask) -> None:
    text = ask("show gfx908 v_mfma_f32_16x16x4f16 --cbsz 2 --abid 3").out
    assert "A[i][k] of block b under cbsz:2 abid:3" in text
    assert "read from lane = i + 48" in text


@pytest.mark.parametrize(
    ("line", "facts"),
    [
        (
            "gfx908 v_mfma_f32_32x32x1f32",
            [
                "v_mfma_f32_32x32x1f32 a[0:31], v0, v1, a[0:31]",
                "VOP3P-MAI, opcode 64 (0x40), 64 bits",
                "VALU work overlaps 56",
                "are two files: the larger number of a wavefront counts",
                "18 before v_accvgpr_read reads D",
            ],
        ),
        (
            "gfx950 v_mfma_scale_f32_16x16x128_f8f6f4 --cbsz 2 --blgp 4 --op-sel 0,1",
            [
                "v[0:3], v[4:9], v[10:13], v[0:3], v14, v15",
                "op_sel:[0,1,0] op_sel_hi:[0,0,0] cbsz:2 blgp:4",
                "128 bits: v_mfma_ld_scale_b32 is its first half",
                "65536, 16384 per cycle and CU",
                "16 = 4 passes; 16 where A and B are of 6 bits or fewer, else 32",
                "overlaps is not published",
                "cbsz: format of A: 0 fp8, 1 bf8, 2 fp6, 3 bf6, 4 fp4; it takes 8, 8, 6, 6, 4 ",
                "op_sel_b: the byte of scale_b that is read, in all lanes the same",
                "scale_b[group][j] of block b under op_sel:[0,1,0] op_sel_hi:[0,0,0] cbsz:2 blgp:4",
            ],
        ),
        (
            "gfx950 v_mfma_f32_16x16x128_f8f6f4",
            [
                "none of its own: the compiler makes it of",
                "__builtin_amdgcn_mfma_scale_f32_16x16x128_f8f6f4 where op_sel_a, scale_a,",
            ],
        ),
        (
            "gfx942 v_smfmac_f32_16x16x32_f16",
            [
                "D = A·B + D, of A two of every four k: 16×16, k = 32",
                "with cbsz 0, abid says which of the 4 index sets in the register; else the",
                "are one file: a wavefront takes the sum of both",
            ],
        ),
        (
            "gfx942 v_mfma_f64_16x16x4_f64 --neg [1,0,0]",
            [
                "neg 0 to 7",
                "neg: its bits change the signs of A, B, C; in the builtin's call it is blgp",
                "-A[i][k] of block b under neg:[1,0,0]",
                "i = 4·⌊register/2⌋ + ⌊lane/16⌋",
            ],
        ),
    ],
)  # fmt: skip
def test_show_tells_of_every_kind_of_instruction(ask, line: str, facts: list[str]) -> None:
    text = flat(ask(f"show {line}").out)
    for fact in facts:
        assert fact in text


def test_show_tells_where_an_operand_may_begin(ask) -> None:
    def begins(arch: str, name: str) -> dict[str, str]:
        lines = ask(f"show {arch} {name}").lines
        start = next(n for n, line in enumerate(lines) if line.startswith("operand "))
        rows = [line.split() for line in lines[start + 1 : start + 5]]
        return {row[0]: row[4] for row in rows}

    everywhere = {
        "gfx908": "any", "gfx90a": "even", "gfx942": "even", "gfx950": "even",
    }  # fmt: skip
    for arch, several in everywhere.items():
        assert begins(arch, "mfma_f32_16x16x16f16") == dict.fromkeys("ABCD", several)
        assert begins(arch, "mfma_f32_32x32x1f32")["A"] == "any"


def test_show_json_of_every_instruction_has_what_the_text_says(ask) -> None:
    shown = ask("show gfx950 v_mfma_f32_32x32x64_f8f6f4 --cbsz 4 --blgp 4 -f json").json
    assert shown["made_by"] == "__builtin_amdgcn_mfma_scale_f32_32x32x64_f8f6f4"
    assert (shown["builtin"], shown["signature"]) == ("", "")
    assert (shown["cycles"], shown["coexec_cycles"], shown["opcode"]) == (32, None, 46)
    assert shown["formats_by_code"]["A"] == ["fp8", "bf8", "fp6", "bf6", "fp4"]
    assert shown["operands"]["A"]["registers"] == 4
    assert shown["operands"]["A"]["alignment"] == 2
    assert {w["states"] for w in shown["wait_states"] if "VALU, VMEM" in w["then"]} == {12}


def test_show_of_an_architecture(ask) -> None:
    text = ask("show mi300x").out
    assert text.startswith("gfx942 (CDNA3, MI300 series)\n")
    for fact in ("46: 32 mfma, 14 smfmac", "fp8: FP8 (E4M3 FNUZ), 8 bits", "MI300X: f16 1307.4"):
        assert fact in text
    assert ask("show gfx942 -f json").json["unified_registers"] is True


@pytest.mark.parametrize(
    ("arch", "needed"), [("gfx908", 100), ("gfx90a", 160), ("gfx942", 160), ("gfx950", 160)]
)
def test_registers_of_a_wavefront(ask, arch: str, needed: int) -> None:
    line = f"show {arch} --arch-vgprs 100 --acc-vgprs 60"
    assert f"100 archVGPRs and 60 accVGPRs: {needed} registers in all" in ask(line).out
    assert ask(f"{line} -f json").json["registers"]["needed"] == needed


@pytest.mark.parametrize(("arch", "count"), FACTS_OF_ALL["counts"].items())
def test_list_counts_what_the_manuals_have(ask, arch: str, count: int) -> None:
    assert len(ask(f"list {arch} -f json").json["instructions"]) == count


@pytest.mark.parametrize("arch", ARCHS)
def test_the_builtins_are_those_that_the_compiler_generates_code_for(ask, arch: str) -> None:
    listed = ask(f"list {arch} -f json").json["instructions"]
    ours = {i["builtin"] for i in listed if i["builtin"]}
    assert ours == set(FACTS_OF_ALL["builtins"][arch])


def test_how_a_sparse_index_is_packed(ask) -> None:
    packing = "bits [1:0] are the lower of the two k that A stores of four, [3:2] the higher"
    codes = "4 = k 0 and 1, 8 = k 0 and 2, 9 = k 1 and 2"
    for line in ("show gfx942 v_smfmac_f32_16x16x32_f16", "format gfx942 pair"):
        assert packing in flat(ask(line).out)
        assert codes in flat(ask(line).out)
    assert "lower of the two" not in flat(ask("show gfx942 v_mfma_f32_32x32x8_f16").out)


def test_what_becomes_of_lanes_that_exec_turns_off(ask) -> None:
    ignored = "EXEC        lanes that EXEC turns off take part all the same"
    assert ignored in ask("show gfx942 v_mfma_f32_32x32x8_f16").out
    assert "EXEC  " not in ask("show gfx90a v_mfma_f32_32x32x8f16").out
    assert "  EXEC          lanes that EXEC turns off take part" in ask("show gfx950").out
    assert "  EXEC          the sources do not say" in ask("show gfx90a").out


def test_show_of_an_architecture_tells_subnormals_by_format(ask) -> None:
    lines = [line[16:] for line in ask("show gfx90a").lines]
    assert "f16, bf16: flushed; D is rounded to nearest even" in lines
    assert "f32: as MODE says; D is rounded to nearest even" in lines
