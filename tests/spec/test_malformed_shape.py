"""Files with the wrong fields, types or values: one located message each, with what is right."""

from __future__ import annotations

from pathlib import Path

import pytest

DATA = Path(__file__).parents[1] / "data" / "spec"
TILE, FAMILY, ARCH = "tile-32x32.yaml", "families.yaml", "toy.yaml"
FIRST = "{cycles: 64, coexec: 56, blocks: 2, registers: {A: 1, D: 32}}"
A_ROWS = "i: [row]\n"
A = """\
  A:
    digits: {row: 32, block: blocks, sub: k_per_lane, group: k_groups}
    b: [block]
    i: [row]
"""
MANUAL = "manual:\n    title: A manual"
CONSECUTIVE = "      - {name: consecutive, claim: One after another., who: the manual}\n      "
A_WITHOUT_I = A.replace("A:", "§A:").replace("    i: [row]\n", "")


@pytest.mark.parametrize(
    ("code", "file", "old", "new", "words"),
    [
        pytest.param(f"spec-{code}", file, old, new, words, id=f"{code}: {what}")
        for code, what, file, old, new, words in [
            ("kind", "misspelt", ARCH, "architecture: toy", "§architectur: toy", "nearest: a"),
            ("kind", "late", TILE, "tile: 32x32", "§layout: {}\ntile: 32x32", "first key"),
            ("unknown-field", "top", ARCH, "wave: 64", "wave: 64\n§waves: 64", "nearest: wave"),
            ("unknown-field", "meant", ARCH, "wave: 64", "§wvae: 64", "missing is 'wave'"),
            ("unknown-field", "deep", ARCH, FIRST, "{cycles: 64, coexec: 56, §pass: 2}", "pass"),
            ("unknown-field", "j of A", TILE, A_ROWS, "i: [row]\n    §j: [col]\n", "'A' … 'j'"),
            ("value", "layout", TILE, "\n  D:", "\n  §E:", "'E' is not allowed; wanted A, B, D,"),
            ("value", "variant", TILE, "\n  D-f64:", "\n  §D.f64:", "or a variant of one: B-ch"),
            ("missing-field", "rows", TILE, A, A_WITHOUT_I, "'i' is missing from 'A'"),
            ("missing-field", "several", ARCH, "{name: Toy 100, ", "§{", "'name' is missing"),
            ("missing-field", "all", "sources.yaml", MANUAL, "§manual: {}", "'title' is"),
            ("value", "text", ARCH, "wave: 64", 'wave: §"64"', "the text '64'; wanted 64"),
            ("type", "cycles", ARCH, "cycles: 8,", "cycles: §eight,", "wanted a whole number"),
            ("type", "fraction", ARCH, "cycles: 8,", "cycles: §8.5,", "number 8.5; wanted a w"),
            ("type", "boolean", ARCH, "cycles: 8,", "cycles: §true,", "the boolean true"),
            ("type", "number", ARCH, "title: Toy", "title: §5", "number 5; wanted text"),
            ("type", "no list", TILE, "i: [row]", "i: §row", "text 'row'; wanted a list"),
            ("key", "list", ARCH, "gpus:\n  - {", "gpus:\n  §0: {", "the number 0"),
            ("type", "no mapping", ARCH, FIRST, "§64", "the number 64; wanted a mapping"),
            ("type", "entry", TILE, "i: [row]", "i: [§5]", "entry 1 of 'i' is the number 5"),
            ("value", "wave", ARCH, "wave: 64", "wave: §32", "'wave' is the number 32; wanted 64"),
            ("value", "zero", TILE, "{sub: 4,", "{sub: §0,", "at least 1, blocks, k_per"),
            ("value", "negative", ARCH, "coexec: 0", "coexec: §-4", "at least 0"),
            ("value", "huge", TILE, "{sub: 4,", "{sub: §4000000,", "at most 1024"),
            ("value", "quantity", TILE, "sub: k_per_lane", "sub: §k_per_line", "k_per_lane"),
            ("value", "grade", ARCH, "run on silicon", "§run on silicone", "nearest: run on"),
            ("value", "file", ARCH, "C: [a]", "C: [§b]", "wanted v or a"),
            ("value", "shape", TILE, "tile: 32x32", "tile: §32 by 32", "such as 32x32"),
            ("value", "capitals", ARCH, "[demo,", "[§Demo,", "small letters"),
            ("value", "digit's name", TILE, "{row: 32", "{§Row: 32", "'Row' is not allowed"),
            ("value", "operand", ARCH, "A: 1, D: 32", "§E: 1, D: 32", "wanted A, B, C, D, ind"),
            ("value", "action", FAMILY, "B: lanes", "B: §lines", "nearest: lanes"),
            (
                "value",
                "specials",
                "formats.yaml",
                "specials: ieee",
                "specials: §iee",
                "nearest: ie",
            ),
            (
                "value",
                "spelling",
                ARCH,
                "spelling: older",
                "spelling: §old",
                "wanted older or newer",
            ),
            ("unknown-field", "family", FAMILY, "compression", "§compressed", "no field 'compr"),
            ("value", "empty text", ARCH, "title: Toy", 'title: §""', "an empty text"),
            ("value", "address", "sources.yaml", "https", "§http", "begins with https"),
            ("value", "empty list", ARCH, "C: [a]", "C: §[]", "at least 1 entry"),
            ("value", "clock", ARCH, "1.502", "§0.0", "more than 0"),
            (
                "value",
                "one reading",
                "disagreements.yaml",
                CONSECUTIVE,
                "      §",
                "at least 2 entries",
            ),
        ]
    ],
)
def test_shape_is_refused_where_it_is_wrong(refused, code, file, old, new, words):
    found = refused((file, old, new))
    assert found.code == code
    assert all(part in found.message for part in words.split(" … "))


def test_an_unknown_field_is_told_with_all_known_ones(refused):
    found = refused((ARCH, "coexec: 0", "coexec: 0, §latency: 8"))
    known = "cycles, coexec, opcode, narrow, modifiers, blocks, ops, passes, registers"
    assert found.hint == f"fields: {known}"


def test_missing_fields_of_one_mapping_are_one_message(refused):
    pair = "pair:\n    title: index pair\n    bits: 4\n"
    found = refused(("formats.yaml", pair, "§pair:\n"))
    assert found.code == "spec-missing-field"
    assert "'title' and 'bits' are missing from 'pair'" in found.message


def test_a_missing_operand_is_told(refused):
    text = (DATA / TILE).read_text(encoding="utf-8")
    without_b = text[: text.index("  B:")] + text[text.index("  D:") :]
    found = refused((TILE, "", without_b.replace("layouts:", "§layouts:")))
    assert (found.code, found.message) == ("spec-missing-field", "'B' is missing from 'layouts'")
