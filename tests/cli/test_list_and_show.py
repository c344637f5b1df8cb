"""``layoutgen list`` and ``layoutgen show``."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import layoutgen as library

GFX908 = library.arch("gfx908")
FACTS: dict[str, dict[str, Any]] = json.loads(
    (Path(__file__).parents[1] / "data" / "gfx908-instructions.json").read_text(encoding="utf-8")
)["instructions"]


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
        table = ask(f"table {name} {operand} --format json {fields}").json
        forward = shown["formulas"]["forward"]
        for row in table["rows"]:
            values = dict(zip(table["columns"], row, strict=True))
            for slot in ("lane", "register", "bit"):
                assert eval(forward[slot], {}, values) == values[slot]


def test_show_fits_a_screen(ask) -> None:
    for name in GFX908:
        answer = ask(f"show gfx908 {name}")
        assert len(answer.lines) <= 45
        assert max(map(len, answer.lines)) <= 100


def test_show_tells_what_a_kernel_developer_needs(ask) -> None:
    text = ask("show gfx908 v_mfma_f32_32x32x1f32").out
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

    assert told("v_mfma_f32_16x16x4f16") == {"cbsz-groups", "k-order"}
    assert told("v_mfma_f32_32x32x8f16") == {"k-order"}  # one block
    assert told("v_mfma_f32_32x32x2bf16") == {"k-order"}  # two: both readings are the same
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
