"""Facts that contradict each other: one located message each, and the right value."""

from __future__ import annotations

import pytest

TILE, ARCH, SMALL = "tile-32x32.yaml", "toy.yaml", "tile-4x4.yaml"
WHY = "disagreements.yaml"
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
F32, BF16 = "v_mfma_f32_32x32x1f32", "v_mfma_f32_4x4x2bf16"


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
            (
                "repeated",
                "target",
                ARCH,
                "[toy, later]",
                "[toy, later, §toy]",
                "'toy' stands twice",
            ),
            ("repeated", "file", ARCH, "C: [a]", "C: [a, §a]", "'a' stands twice in 'C'"),
            ("repeated", "source", TILE, "[manual, tool]", "[tool, §tool]", "twice in 'sources'"),
            ("repeated", "reading", WHY, "name: any", "name: §consecutive", "is there already"),
            ("unknown-name", "source", TILE, "[manual, tool]", "[§manuel]", "nearest: manual"),
            ("unknown-name", "source", ARCH, "[manual]", "[§tools]", "no source 'tools'; nearest"),
            ("unknown-name", "place", ARCH, "[k-order]", "[§k-oder]", "nearest: k-order"),
            ("unknown-name", "reading", WHY, "followed: c", "followed: §in-", "consecutive, any"),
            ("unknown-name", "type", ARCH, "i8: 4}", "§i9: 4}", "no element type 'i9'; nearest"),
            ("unknown-name", "tile", ARCH, BF16, "§v_mfma_f32_5x4x2bf16", "no tile '5x4'; nearest"),
            ("unknown-name", "type of A", ARCH, BF16, "§v_mfma_f32_4x4x2bf17", "nearest: bf16"),
            ("unknown-name", "type of D", ARCH, BF16, "§v_mfma_f33_4x4x2bf16", "type 'f33'"),
            ("unknown-name", "renamed", ARCH, "from: later", "from: §latter", "nearest: later"),
            # Instructions.
            ("mnemonic", "no k", ARCH, BF16, "§v_mfma_f32_4x4bf16", "wanted v_mfma_{type of D}"),
            ("mnemonic", "newer", ARCH, F32, "§v_mfma_f32_32x32x1_2b_f32", "is no mnemonic"),
            ("targets", "file", ARCH, "[toy, later]", "§[tony, later]", "leave out 'toy' itself"),
            ("targets", "own", ARCH, "targets: [toy]}", "targets: §[later]}", "leave out 'toy'"),
            ("cycles", "odd", ARCH, "cycles: 8,", "cycles: §10,", "nearest: 8 or 12"),
            ("coexec", "more", ARCH, "coexec: 0", "coexec: §12", "12 cycles … more than the 8"),
            ("elements-per-lane", "own", ARCH, "[toy]}", "[toy], elements_per_lane: §3}", "1 or 2"),
            ("contradiction", "blocks", ARCH, "blocks: 2", "blocks: §4", "is 4, but 2 follows"),
            ("contradiction", "ops", ARCH, "16384", "§8192", "16384 follows: 2·32·32·8·1"),
            ("contradiction", "passes", ARCH, "passes: 16", "passes: §64", "16 follows: 64 cycles"),
            ("contradiction", "A", ARCH, "{A: 1", "{A: §2", "'A' of 'registers' is 2, but 1"),
            ("contradiction", "D", ARCH, "D: 32", "D: §16", "32 follows: 32 elements of 32 bits"),
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
    assert "(and 2 more) has 64 lanes" in found.message


def test_a_wrong_k_is_told_at_the_list(refused):
    digits = "digits: {row: 32, block: blocks, sub: k_per_lane, group: k_groups}"
    found = refused(
        (TILE, digits, digits.replace("k_groups", "3")),
        (TILE, "k: [sub, group]", "k: §[sub, group]"),
    )
    assert found.code == "spec-size"
    assert "sub·group = k_per_lane·3" in found.message


def test_an_instruction_that_does_not_fit_a_good_tile_is_told_itself(refused):
    more = "  v_mfma_f32_4x4x4f16: {cycles: 8, coexec: 0}\n  §v_mfma_i32_4x4x4i8: {cycles: 8, "
    found = refused(
        (ARCH, f"  {BF16}", f"{more}coexec: 0, elements_per_lane: 2}}\n  {BF16}"),
    )
    assert found.code == "spec-size"
    assert "has 64 lanes, but 'lane' of 'D' in tile 4x4 gives 32" in found.message
    assert found.hint == "the list is in specs/tile-4x4.yaml:31:11"


def test_elements_per_lane_without_an_entry(refused):
    found = refused((ARCH, ", bf16: 2", ""), (ARCH, BF16, f"§{BF16}"))
    assert found.code == "spec-elements-per-lane"
    assert "no entry for 'bf16'" in found.message


def test_elements_per_lane_that_do_not_fit(refused):
    found = refused((ARCH, "bf16: 2", "bf16: 3"), (ARCH, BF16, f"§{BF16}"))
    assert found.code == "spec-elements-per-lane"
    assert found.message.endswith("possible: 1 or 2")


def test_a_redefinition_names_both_places(refused):
    found = refused((SMALL, "tile: 4x4", "tile: §32x32"), (ARCH, f"  {BF16}", "  # "))
    assert found.code == "spec-redefined"
    assert "specs/tile-32x32.yaml:4:7" in found.hint


def test_the_newer_spelling_is_told_how_to_write_it(refused):
    found = refused((ARCH, F32, "§v_mfma_f32_32x32x1_2b_f32"))
    assert found.hint.startswith(f"write {F32}:")


def test_a_misspelt_target_is_guessed(refused):
    found = refused((ARCH, "targets: [toy]}", "targets: §[toi]}"))
    assert found.hint == "'toi' is there: is that what was meant?"
