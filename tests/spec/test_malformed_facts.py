"""Facts that contradict each other: one located message each, and the right value."""

from __future__ import annotations

import pytest

TILE, ARCH, SMALL = "tile-32x32.yaml", "toy.yaml", "tile-4x4.yaml"
FAMILY, TYPES, WHY = "families.yaml", "formats.yaml", "disagreements.yaml"
D = "digits: {sub: 4, half: 2, band: 4, col: 32, block: blocks}"
D_ROWS = "i: [sub, half, band]"
D_COLUMNS = "j: [col]\n    b:"
D_TAIL = D_ROWS + (
    " # i = sub + 4·half + 8·band\n    j: [col]\n    b: [block]\n"
    "    lane: [col, half] # lane = col + 32·half\n    item: [sub, band, block]"
)
D_TAIL_WITHOUT_BAND = D_TAIL.replace("half, band]", "half, §band]").replace(
    "sub, band, b", "sub, b"
)
F32, BF16 = "mfma_f32_32x32x1f32", "mfma_f32_4x4x2bf16"
F16, I8 = "mfma_f32_32x32x8f16", "mfma_i32_32x32x4i8"
SPARSE = "smfmac_f32_32x32x32_f16"
INDEX = "i: [row]\n    group: [sub, part]\n    lane: [row, block, part]\n    item: [sub, set]"
HAZARDS = "hazards:"
ARITHMETIC = (
    "arithmetic:\n"
    "  - {formats: [f32], inputs: kept, results: kept, rounding: nearest even,"
    " grade: document only, by: a test, sources: [manual]}\n"
)
TWICE = ARITHMETIC.partition("\n")[2].replace("[f32]", "[bf16, §f32]")
CALL = "[A, B, C, index, cbsz, abid]"


@pytest.mark.parametrize(
    ("code", "file", "old", "new", "words"),
    [
        pytest.param(f"spec-{code}", file, old, new, words, id=f"{code}: {what}")
        for code, what, file, old, new, words in [
            # Digits of a tile.
            ("digit-unknown", "rows", TILE, D_ROWS, "i: [sub, half, §bond]", "nearest: band"),
            ("digit-unknown", "lane", TILE, "[col, half]", "[col, §halve]", "nearest: half"),
            ("digit-twice", "a list", TILE, D_ROWS, "i: [sub, half, §sub]", "the coordinates"),
            ("digit-twice", "two lists", TILE, D_COLUMNS, "j: [§sub]\n    b:", "first is in 'i'"),
            ("digit-twice", "slots", TILE, "item: [sub, b", "item: [§half, b", "is in 'lane'"),
            ("digit-unused", "no slot", TILE, D_TAIL, D_TAIL_WITHOUT_BAND, "lane nor in item"),
            ("digit-unused", "no list", TILE, D, f"{D[:-1]}, §x: 2}}", "'x' is declared but"),
            ("size", "rows", TILE, D_ROWS, "i: §[sub, band]", "sub·band = 4·4 … 32 rows"),
            ("size", "columns", TILE, D_COLUMNS, "j: §[]\n    b:", "1 values (no digits) … 32 col"),
            ("size", "shape", TILE, "tile: 32x32", "tile: §32x23", "has 32 columns after"),
            ("size", "both", TILE, "tile: 32x32", "tile: §8x8", "has 32 rows and 32 columns"),
            # Names.
            ("redefined", "alias", ARCH, "[demo, ", "[§toy, ", "architecture 'toy' is defined"),
            ("redefined", "alias", ARCH, "[demo, ", "[demo, §demo, ", "'demo' is defined"),
            ("repeated", "file", ARCH, "C: [a]", "C: [a, §a]", "'a' stands twice in 'C'"),
            ("repeated", "source", ARCH, "[manual, tool]", "[tool, §tool]", "twice in 'sources'"),
            ("repeated", "twice", FAMILY, f"[{F32}]", f"[{F32}, §{F32}]", "stands twice in"),
            ("redefined", "in two", FAMILY, f"[{I8}]", f"[{I8}, §{F16}]", f"'{F16}' is defined"),
            (
                "repeated",
                "two entries",
                ARCH,
                HAZARDS,
                f"{ARITHMETIC}{TWICE}{HAZARDS}",
                "'f32' is told already",
            ),
            (
                "unknown-name",
                "format",
                ARCH,
                HAZARDS,
                f"{ARITHMETIC.replace('f32', '§f33')}{HAZARDS}",
                "nearest: f32",
            ),
            ("repeated", "reading", WHY, "name: any", "name: §consecutive", "is there already"),
            ("unknown-name", "source", ARCH, "[manual, tool]", "[§manuel]", "nearest: manual"),
            (
                "unknown-name",
                "source",
                ARCH,
                "[manual]\nd",
                "[§tools]\nd",
                "no source 'tools'; near",
            ),
            (
                "unknown-name",
                "family",
                ARCH,
                "[sparse]",
                "[§sparce]",
                "no family 'sparce'; nearest",
            ),
            ("unknown-name", "place", ARCH, "[k-order]", "[§k-oder]", "nearest: k-order"),
            ("unknown-name", "about", WHY, "[mfma_f32_32x32x8f16]", "[§mfma_x]", "no instruction"),
            ("unknown-name", "reading", WHY, "followed: c", "followed: §in-", "consecutive, any"),
            ("unknown-name", "own", ARCH, "gpus:", "formats: {f16: §f17}\ngpus:", "type 'f17'"),
            ("unknown-name", "index", FAMILY, "index: pair", "index: §pear", "nearest: pair"),
            (
                "unknown-name",
                "tile",
                FAMILY,
                f"[{BF16}",
                f"[{BF16}, §mfma_f32_5x4x2bf16",
                "no tile '5x4'; near",
            ),
            (
                "unknown-name",
                "type of A",
                FAMILY,
                f"[{BF16}",
                f"[{BF16}, §mfma_f32_4x4x2bf17",
                "nearest: bf16",
            ),
            (
                "unknown-name",
                "type of D",
                FAMILY,
                f"[{BF16}",
                f"[{BF16}, §mfma_f33_4x4x2bf16",
                "type 'f33'",
            ),
            ("unknown-name", "nothing", ARCH, BF16, "§mfma_f32_4x4x2bf17", f"nearest: {BF16}"),
            # Families.
            ("mnemonic", "no k", FAMILY, f"[{BF16}]", f"[{BF16}, §mfma_f32_4x4bf16]", "{kind}_{t"),
            (
                "elements-per-lane",
                "three",
                FAMILY,
                f"[{F32}]",
                f"[{F32}, §mfma_f32_32x32x5f32]",
                "possible: 5",
            ),
            ("modifier", "action", FAMILY, "{index: set}", "{index: §byte}", "cannot 'byte'; want"),
            ("modifier", "operand", FAMILY, "{A: broadcast", "{index: §set", "no operand 'index'"),
            ("modifier", "codes", FAMILY, "{A: broadcast", "{A: §format", "no 'codes' to choose"),
            (
                "modifier",
                "field",
                FAMILY,
                "{index: set}",
                "{index: set, A: §broadcast}",
                "cbsz alr",
            ),
            ("modifier", "own", ARCH, "{A: broadcast}", "{A: §lanes}", "'A' cannot 'lanes'"),
            ("arguments", "left out", FAMILY, CALL, "§[A, B, C, cbsz]", "leaves out … 'index'"),
            ("arguments", "too many", FAMILY, CALL, f"{CALL[:-1]}, §scale_a]", "no operand 'scale"),
            # Types.
            ("contradiction", "encoding", TYPES, "{exponent: 8", "§{exponent: 5", "29 bits (1 + 5"),
            # Instructions.
            ("cycles", "odd", ARCH, "cycles: 8,", "cycles: §10,", "nearest: 8 or 12"),
            ("cycles", "narrow", ARCH, "cycles: 16}", "cycles: §32}", "not fewer than 32"),
            ("cycles", "odd", ARCH, "cycles: 16}", "cycles: §18}", "18 cycles are no whole pass"),
            ("coexec", "more", ARCH, "coexec: 0", "coexec: §12", "12 cycles … more than the 8"),
            ("evidence", "first", ARCH, "tool]}", "tool], §families: [f16]}", "first entry of 'ev"),
            ("hazard", "waits", ARCH, "wait: [5, 11]", "wait: §[5]", "1 numbers, but 2 would be"),
            ("contradiction", "blocks", ARCH, "blocks: 2", "blocks: §4", "is 4, but 2 follows"),
            ("contradiction", "ops", ARCH, "16384", "§8192", "16384 follows: 2·32·32·8·1"),
            ("contradiction", "passes", ARCH, "passes: 16", "passes: §64", "16 follows: 64 cycles"),
            ("contradiction", "A", ARCH, "{A: 1", "{A: §2", "'A' of 'registers' is 2, but 1"),
            ("contradiction", "D", ARCH, "D: 32", "D: §16", "32 follows: 32 elements of 32 bits"),
            ("contradiction", "sparse", ARCH, "A: 4", "A: §8", "4 follows: 8 elements of 16 bits"),
            ("contradiction", "index", ARCH, "D: 32}", "§index: 1}", "has no operand 'index'"),
        ]
    ],
)
def test_a_contradiction_is_told_where_it_stands(refused, code, file, old, new, words):
    found = refused((file, old, new))
    assert found.code == code
    assert all(part in found.message for part in words.split(" … "))


def test_a_size_that_fits_no_instruction_is_told_at_the_list(refused):
    found = refused(
        (TILE, D, D.replace("half: 2", "half: 2, copy: 2")),
        (TILE, "lane: [col, half]", "lane: §[col, half, copy]"),
    )
    assert found.code == "spec-size"
    assert "col·half·copy = 32·2·2" in found.message
    assert "(and 3 more) has 64 lanes" in found.message


def test_a_wrong_k_is_told_at_the_list(refused):
    digits = "digits: {row: 32, block: blocks, sub: k_per_lane, group: k_groups}"
    found = refused(
        (TILE, digits, digits.replace("k_groups", "3")),
        (TILE, "k: [sub, group]", "k: §[sub, group]"),
    )
    assert found.code == "spec-size"
    assert "sub·group = k_per_lane·3" in found.message


def test_an_instruction_that_does_not_fit_a_good_tile_is_told_itself(refused):
    more = f"""\
[{BF16}]
  four:
    elements_per_lane: 4
    modifiers: {{}}
    instructions: [mfma_f32_4x4x4f16]
  two:
    elements_per_lane: 2
    modifiers: {{}}
    instructions: [§mfma_i32_4x4x4i8]"""
    found = refused((FAMILY, f"[{BF16}]", more))
    assert found.code == "spec-size"
    assert "has 64 lanes, but 'lane' of 'D' in tile 4x4 gives 32" in found.message
    assert found.hint == "the list is in specs/tile-4x4.yaml:25:11"


def test_elements_per_lane_that_do_not_fit(refused):
    found = refused(
        (FAMILY, "elements_per_lane: 2", "elements_per_lane: 3"), (FAMILY, BF16, f"§{BF16}")
    )
    assert found.code == "spec-elements-per-lane"
    assert found.message.endswith("possible: 1 or 2")


def test_a_quantity_that_is_not_divided_whole_fits_nothing(refused):
    found = refused(
        (TILE, "k_per_lane/8", "k_per_lane/3"),
        (TILE, "[sub, group, chunk]", "§[sub, group, chunk]"),
    )
    assert found.code == "spec-size"
    assert "has 0 values (sub·group·chunk = 8·k_groups·k_per_lane/3)" in found.message


def test_a_hole_must_be_a_digit_of_the_item_alone(refused):
    found = refused((TILE, "holes: [set]", "holes: [§sub]"))
    assert found.code == "spec-digit-unused"
    assert "'sub' cannot be a hole: it stands in a coordinate" in found.message


def test_an_operand_that_a_modifier_chooses_from_needs_a_hole(refused):
    found = refused(
        (TILE, ", set: sets}", "}"),
        (FAMILY, f"[{SPARSE}]", f"[§{SPARSE}]"),
        (TILE, "item: [sub, set]\n    holes: [set]", "item: [sub]"),
    )
    assert found.code == "spec-modifier"
    assert "must have one hole" in found.message


def test_a_variant_that_no_tile_has_is_told_at_the_instruction(refused):
    found = refused((FAMILY, "chunks8", "chunks9"), (FAMILY, f"[{SPARSE}]", f"[§{SPARSE}]"))
    assert found.code == "spec-unknown-name"
    assert "tile 32x32 has no layout 'B-chunks9' for 'B'; nearest: B-chunks8" in found.message


def test_a_redefinition_names_both_places(refused):
    found = refused(
        (SMALL, "tile: 4x4", "tile: §32x32"),
        (FAMILY, f"[{BF16}]", "[mfma_f32_32x32x2bf16]"),
        (ARCH, f"  {BF16}", "  mfma_f32_32x32x2bf16"),
    )
    assert found.code == "spec-redefined"
    assert "specs/tile-32x32.yaml:4:7" in found.hint


@pytest.mark.parametrize("spelling", ["v_mfma_f32_32x32x1_2b_f32", "v_mfma_f32_32x32x1f32"])
def test_a_mnemonic_is_told_how_to_write_it(refused, spelling):
    found = refused((ARCH, F32, f"§{spelling}"))
    assert (found.code, found.hint) == ("spec-unknown-name", f"write {F32}")


def test_a_mnemonic_in_a_family_is_told_how_to_write_it(refused):
    found = refused((FAMILY, f"[{F32}]", f"[{F32}, §v_mfma_f32_32x32x2_f32]"))
    assert found.hint.startswith("write mfma_f32_32x32x2_f32:")
