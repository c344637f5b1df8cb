"""The witness files read as known by other means: manuals, calculators, debuggers."""

from __future__ import annotations

import importlib
import json
from pathlib import Path

import numpy as np
import pytest

from layoutgen.validate.witnesses import names, reading, refresh
from layoutgen.validate.witnesses.label import ANY, Label
from layoutgen.validate.witnesses.names import mnemonics
from layoutgen.validate.witnesses.published import bit_labels, find_published, geometry_labels
from layoutgen.validate.witnesses.reading import (
    IreeRecord,
    TritonRecord,
    as_array,
    coverage,
    find,
    iree_labels,
    load_iree,
    load_triton,
    triton_labels,
    triton_tile,
)

IREE = load_iree()
TRITON = load_triton()


def iree(intrinsic: str, operand: str) -> IreeRecord:
    (record,) = (one for one in IREE if (one.intrinsic, one.operand) == (intrinsic, operand))
    return record


def triton(version: int, m: int, n: int, k: int, transposed: bool, width: int = 32) -> TritonRecord:
    wanted = (version, m, n, k, transposed, width)
    (record,) = (
        one
        for one in TRITON
        if one.layout.startswith("AMDMFMALayout")
        and (one.version, one.m, one.n, one.k, one.transposed, one.element_bitwidth) == wanted
    )
    return record


def at(labels: tuple[Label, ...], lane: int, item: int) -> tuple[int, int, int]:
    (found,) = (one for one in labels if (one.lane, one.item) == (lane, item))
    return found.block, found.row, found.col


# --- single elements -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arch", "instruction", "operand", "lane", "item", "element"),
    [
        # D: (block, i, j)
        ("gfx908", "v_mfma_f32_32x32x1f32", "D", 39, 21, (1, 13, 7)),
        ("gfx908", "v_mfma_f32_16x16x1f32", "D", 37, 13, (3, 9, 5)),
        ("gfx908", "v_mfma_f32_4x4x1f32", "D", 37, 2, (9, 2, 1)),
        ("gfx908", "v_mfma_f32_32x32x2f32", "D", 37, 10, (0, 22, 5)),
        ("gfx908", "v_mfma_i32_16x16x16i8", "C", 37, 2, (0, 10, 5)),
        ("gfx90a", "v_mfma_f64_16x16x4f64", "D", 37, 2, (0, 10, 5)),
        ("gfx90a", "v_mfma_f64_4x4x4f64", "D", 37, 0, (1, 2, 1)),
        ("gfx942", "v_mfma_f32_32x32x8_f16", "D", 37, 10, (0, 22, 5)),
        ("gfx942", "v_mfma_f32_16x16x16_f16", "D", 37, 2, (0, 10, 5)),
        ("gfx942", "v_mfma_f32_32x32x4_xf32", "D", 37, 10, (0, 22, 5)),
        ("gfx950", "v_mfma_f32_32x32x64_f8f6f4", "D", 37, 10, (0, 22, 5)),
        # A: (block, i, k)
        ("gfx908", "v_mfma_f32_32x32x1f32", "A", 39, 0, (1, 7, 0)),
        ("gfx908", "v_mfma_f32_16x16x4f16", "A", 37, 3, (2, 5, 3)),
        ("gfx90a", "v_mfma_f64_4x4x4f64", "A", 37, 0, (1, 1, 2)),
        ("gfx942", "v_mfma_f32_16x16x32_fp8_bf8", "A", 37, 6, (0, 5, 22)),
        # B: (block, k, j)
        ("gfx908", "v_mfma_f32_4x4x4f16", "B", 37, 3, (9, 3, 1)),
        ("gfx942", "v_mfma_f32_32x32x8_f16", "B", 37, 3, (0, 7, 5)),
        # scales: (0, i, group) and (0, group, j)
        ("gfx950", "v_mfma_scale_f32_16x16x128_f8f6f4", "scale_a", 37, 0, (0, 5, 2)),
        ("gfx950", "v_mfma_scale_f32_16x16x128_f8f6f4", "scale_b", 37, 0, (0, 2, 5)),
        ("gfx950", "v_mfma_scale_f32_32x32x64_f8f6f4", "scale_b", 37, 0, (0, 1, 5)),
    ],
)
def test_every_witness_puts_a_known_element_where_it_is_known_to_be(
    arch: str,
    instruction: str,
    operand: str,
    lane: int,
    item: int,
    element: tuple[int, int, int],
) -> None:
    witnesses = find(arch, instruction, operand)
    assert witnesses
    for witness in witnesses:
        block, row, col = at(witness.labels, lane, item)
        assert (row, col) == element[1:], witness.name
        assert block in (element[0], ANY), witness.name


def test_a_transposed_tile_has_row_and_column_exchanged() -> None:
    plain, transposed = (triton(3, 16, 16, 16, turned) for turned in (False, True))
    assert (37, 2, 10, 5) in triton_tile(plain)
    assert (37, 2, 5, 10) in triton_tile(transposed)
    assert triton_labels(plain) == triton_labels(transposed)


def test_the_bases_of_the_transposed_32x32_tile() -> None:
    record = triton(3, 32, 32, 8, transposed=True)
    assert record.register == ((0, 1), (0, 2), (0, 8), (0, 16))
    assert record.lane == ((1, 0), (2, 0), (4, 0), (8, 0), (16, 0), (0, 4))
    assert record.warp == record.block == ()


def test_a_double_is_one_item() -> None:
    record = triton(2, 16, 16, 4, transposed=False, width=64)
    assert record.register == ((4, 0), (8, 0))
    assert at(iree_labels(iree("MFMA_F64_16x16x4_F64", "acc")), 63, 3) == (0, 15, 15)


def test_a_wide_tile_is_sixteen_blocks() -> None:
    for tile, transposed in (((4, 64), False), ((4, 64), True), ((64, 4), True)):
        labels = triton_labels(triton(1, *tile, 64, transposed))
        assert at(labels, 37, 2) == (9, 2, 1)


# --- IREE's notation -------------------------------------------------------------------------


def test_the_block_is_the_slow_part_of_a_32x32_item_in_the_slice_that_iree_hands_to_a_lane() -> (
    None
):
    record = iree("MFMA_F32_32x32x1x2B_F32", "acc")
    assert (record.outer, record.element) == ((1, 4, 1), (2, 4, 1))
    assert record.slice == (2, 4, 4, 1)
    assert at(iree_labels(record), 39, 21) == (1, 13, 7)


def test_items_are_ordered_as_the_slice_of_every_multi_block_accumulator() -> None:
    records = [one for one in IREE if one.slice]
    assert len(records) == 13
    for record in records:
        pairs = zip(record.outer, record.element, strict=True)
        digits = [size for pair in pairs for size in pair if size > 1]
        assert digits == [size for size in record.slice if size > 1], record.name


def test_only_the_two_block_accumulators_depend_on_where_outer_stands() -> None:
    """Elsewhere 'all outer, then all element' is the same order."""
    different = set()
    for record in IREE:
        rank = len(record.outer)
        early = [d for d in range(rank) if record.element[d] > 1]
        late = [d for d in range(rank) if record.outer[d] > 1]
        if early and late and min(early) < max(late):
            different.add((record.intrinsic.split("_")[2], record.operand))
    assert different == {("32x32x1x2B", "acc"), ("32x32x4x2B", "acc")}


def test_lanes_repeat_where_iree_counts_fewer_than_a_wave() -> None:
    labels = iree_labels(iree("WMMAR3_F32_16x16x16_F16", "lhs"))
    assert at(labels, 21, 3) == at(labels, 5, 3) == (0, 5, 3)


def test_k_of_a_scaled_operand_joins_group_and_place() -> None:
    for record in IREE:
        if record.name == "MFMA_SCALE_F32_16x16x128_B32<f4E2M1FN>" and record.operand == "lhs":
            assert at(iree_labels(record), 37, 7) == (0, 5, 32 * 2 + 7)
            break
    else:
        pytest.fail("no such record")


def test_ragged_arrays_are_refused() -> None:
    record = iree("MFMA_F32_16x16x4_F32", "lhs")
    broken = IreeRecord(**{**vars(record), "outer": (1,)})
    with pytest.raises(ValueError, match="MFMA_F32_16x16x4_F32 lhs: dimensions differ"):
        iree_labels(broken)


# --- all records -----------------------------------------------------------------------------


def shape(record: IreeRecord) -> tuple[int, int, int]:
    groups = record.k // reading.SCALE_GROUP
    rows, cols = {
        "lhs": (record.m, record.k),
        "rhs": (record.k, record.n),
        "acc": (record.m, record.n),
        "lhs_scale": (record.m, groups),
        "rhs_scale": (groups, record.n),
    }[record.operand]
    return record.blocks, rows, cols


@pytest.mark.parametrize(
    "record", [one for one in IREE if one.instructions], ids=lambda one: f"{one.name}-{one.operand}"
)
def test_iree_fills_every_element_equally_often(record: IreeRecord) -> None:
    labels = as_array(iree_labels(record))
    counts = np.zeros(shape(record), dtype=int)
    np.add.at(counts, tuple(labels[:, 2:].T), 1)
    repeats = 2 if record.intrinsic.startswith("WMMAR3") and record.operand != "acc" else 1
    assert (counts == repeats).all()
    slots = labels[:, 0] * (labels[:, 1].max() + 1) + labels[:, 1]
    assert np.array_equal(np.sort(slots), np.arange(len(labels)))


@pytest.mark.parametrize("record", TRITON, ids=lambda one: one.layout)
def test_triton_fills_every_element_once(record: TritonRecord) -> None:
    tile = triton_tile(record)
    assert len(tile) == record.shape[0] * record.shape[1]
    assert {place[2:] for place in tile} == {
        (row, col) for row in range(record.shape[0]) for col in range(record.shape[1])
    }


def test_bases_do_not_depend_on_k_or_on_the_version() -> None:
    seen: dict[tuple[object, ...], tuple[object, ...]] = {}
    for record in TRITON:
        if record.layout.startswith("AMDMFMALayout"):
            key = (record.m, record.n, record.transposed, record.element_bitwidth)
            bases = (record.register, record.lane)
            assert seen.setdefault(key, bases) == bases


def test_witnesses_agree_about_d() -> None:
    shared = 0
    for arch, instructions in coverage().items():
        for name, operands in instructions.items():
            if {"IREE", "Triton"} <= set(operands["D"]):
                shared += 1
                whole = [one for one in find(arch, name, "D") if one.labels[0].block != ANY]
                assert len({frozenset(one.labels) for one in whole}) == 1, name
    assert shared > 70


# --- names -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arch", "dense", "a", "d"),
    [
        ("gfx908", 20, 16, 18),
        ("gfx90a", 27, 23, 25),
        ("gfx942", 32, 29, 32),
        ("gfx950", 40, 39, 40),
    ],
)
def test_coverage_of_the_dense_instructions(arch: str, dense: int, a: int, d: int) -> None:
    covered = coverage()[arch]
    assert sum("A" in operands for operands in covered.values()) == a
    assert sum("D" in operands for operands in covered.values()) == d
    every = {
        name
        for _, shapes, _ in names._DENSE
        for one in shapes
        for scaled in (False, True)
        for name in mnemonics(arch, one, scaled=scaled)
    }
    assert len(every) == dense
    assert set(covered) <= every


def test_what_nobody_speaks_of_is_empty() -> None:
    for operand in ("A", "B", "C", "D", "index"):
        assert find("gfx942", "v_smfmac_i32_16x16x64_i8", operand) == ()


def test_who_runs_kernels_tells_no_blocks() -> None:
    (one,) = find("gfx908", "v_mfma_f32_32x32x2bf16", "D")
    assert (one.tool, {label.block for label in one.labels}) == ("MMA-Sim", {ANY})


@pytest.mark.parametrize(
    ("arch", "size", "types", "names"),
    [
        ("gfx908", (16, 16, 8, 1), ("bf16", "bf16", "f32"), ("v_mfma_f32_16x16x8bf16",)),
        ("gfx908", (4, 4, 4, 16), ("bf16", "bf16", "f32"), ()),
        ("gfx90a", (4, 4, 4, 16), ("bf16", "bf16", "f32"), ("v_mfma_f32_4x4x4bf16_1k",)),
        ("gfx942", (4, 4, 4, 16), ("bf16", "bf16", "f32"), ("v_mfma_f32_4x4x4_16b_bf16",)),
        (
            "gfx942",
            (32, 32, 16, 1),
            ("f8E4M3FNUZ", "f8E5M2FNUZ", "f32"),
            ("v_mfma_f32_32x32x16_fp8_bf8",),
        ),
        ("gfx950", (32, 32, 16, 1), ("f8E4M3FNUZ", "f8E5M2FNUZ", "f32"), ()),
        (
            "gfx950",
            (16, 16, 128, 1),
            ("f8E5M2", "f8E4M3FN", "f32"),
            ("v_mfma_f32_16x16x128_f8f6f4",),
        ),
        ("gfx12", (16, 16, 16, 1), ("i8", "i8", "i32"), ("v_wmma_i32_16x16x16_iu8",)),
    ],
)
def test_mnemonics_from_shape_and_types(
    arch: str,
    size: tuple[int, int, int, int],
    types: tuple[str, str, str],
    names: tuple[str, ...],
) -> None:
    assert mnemonics(arch, size, types) == names


# --- files -----------------------------------------------------------------------------------


@pytest.mark.parametrize("path", [reading.IREE_FILE, reading.TRITON_FILE], ids=lambda one: one.name)
def test_a_file_is_small_dated_and_as_the_writer_would_write_it(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    content = json.loads(text)
    assert len(text) < 300_000
    assert {"tool", "package", "version", "date", "command", "records"} <= set(content)
    assert refresh.render(content) == text


def test_a_missing_tool_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def absent(name: str) -> None:
        raise ModuleNotFoundError(f"No module named {name!r}")

    monkeypatch.setattr(importlib, "import_module", absent)
    assert refresh.main(["--check", "triton"]) == 2
    assert "pip install --no-deps triton" in capsys.readouterr().err


# --- what was written down by hand --------------------------------------------------------------


def test_bits_are_put_together_and_a_block_may_be_left_open() -> None:
    labels = set(bit_labels("B", ["j0", "j1", "-", "k1"], ["k0"]))
    assert Label(lane=9, item=1, block=ANY, row=3, col=1) in labels
    assert len(labels) == 32


def test_the_geometry_of_composable_kernel() -> None:
    of = {"group_size": 4, "num_groups_per_blk": 4, "num_threads_per_blk": 32,
          "num_input_blks": 2, "num_output_blks": 2, "n_per_blk": 32, "k_per_blk": 4}  # fmt: skip
    d = set(geometry_labels(of, "D"))
    assert Label(lane=33, item=21, block=1, row=13, col=1) in d
    assert Label(lane=40, item=3, block=1, row=8, col=3) in set(geometry_labels(of, "A"))
    one = {**of, "num_output_blks": 1}
    assert Label(lane=40, item=3, block=0, row=7, col=8) in set(geometry_labels(one, "B"))


def test_who_speaks_of_a_sparse_index() -> None:
    (one,) = find_published("gfx950", "v_smfmac_f32_16x16x128_fp8_bf8", "index")
    assert (one.tool, len(one.labels)) == ("hip-fpsan", 16 * 32)
    # Nibble 6 of lane 16·(2·1 + 0) + 3: groups with q2 = 0, q4 = 1, nibble q0 + 2·q3 + 4·q1.
    assert Label(lane=35, item=6, block=0, row=3, col=16 + 8 + 2) in one.labels
    assert find("gfx950", "v_smfmac_i32_16x16x128_i8", "index") == ()
