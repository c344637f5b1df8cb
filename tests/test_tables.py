"""The tables say what the layouts say, and what the hand-made page of gfx908 says."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import layoutgen
from layoutgen import tables
from layoutgen.digits import Digit, Layout
from layoutgen.model import Gpu, Instruction, NumberFormat, Operand, Provenance

ARCH = layoutgen.arch("gfx908")
PAGE = json.loads((Path(__file__).parent / "data" / "gfx908_page.json").read_text())
EVERY = [(inst, name) for inst in ARCH.values() for name in "ABCD"]


def ends(values: range) -> list[int]:
    return [values[0], values[-1]]


def expand(operand: Operand, table: tables.BandTable) -> np.ndarray:
    """Write every element of every band as a row of the operand's own table."""
    names = list(operand.layout.shape)
    rows = []
    for band in table.bands:
        for value, item in zip(band.listed, band.items, strict=True):
            for other, lane in zip(band.along, band.lanes, strict=True):
                at = {"b": band.block, table.listed: value, table.along: other}
                start = item * table.width
                rows.append([*(at[n] for n in names), lane, start // 32, start % 32, table.width])
    return np.array(sorted(rows))


def operand(layout: Layout, bits: int) -> Operand:
    form = NumberFormat("x", "X", bits, "int", 32, "int")
    return Operand("A", form, layout, Provenance("document only", "nobody"))


@pytest.mark.parametrize(("inst", "name"), EVERY, ids=lambda v: getattr(v, "slug", v))
def test_the_bands_hold_every_element_once(inst: Instruction, name: str) -> None:
    plain = inst.operands[name]
    table = tables.bands(plain)
    assert np.array_equal(expand(plain, table), plain.table())
    assert len(table.bands) <= 16


@pytest.mark.parametrize(
    ("name", "modifiers"),
    [("A", {"cbsz": 1, "abid": 1}), ("A", {"cbsz": 4, "abid": 9}), ("B", {"blgp": 3})],
)
def test_under_modifiers_the_bands_tell_the_lanes_that_are_read(
    name: str, modifiers: dict[str, int]
) -> None:
    read = ARCH["v_mfma_f32_4x4x4f16"].operand(name, **modifiers)
    assert np.array_equal(expand(read, tables.bands(read)), read.table())


def test_bands_show_replicas_chunks_and_elements_across_registers() -> None:
    copied = Layout(
        {"b": (), "i": (row := Digit("row", 4),), "k": (k := Digit("k", 2),)},
        (row, Digit("copy", 2)),
        (k,),
    )
    assert [ends(b.lanes) for b in tables.bands(operand(copied, 32)).bands] == [[0, 3], [4, 7]]

    sub, group, chunk = Digit("sub", 2), Digit("group", 2), Digit("chunk", 2)
    chunked = Layout({"b": (), "i": (row,), "k": (sub, group, chunk)}, (row, group), (sub, chunk))
    found = [
        (ends(b.listed), ends(b.lanes), ends(b.items))
        for b in tables.bands(operand(chunked, 8)).bands
    ]
    assert found == [
        ([0, 1], [0, 3], [0, 1]),
        ([2, 3], [4, 7], [0, 1]),
        ([4, 5], [0, 3], [2, 3]),
        ([6, 7], [4, 7], [2, 3]),
    ]

    six = Layout({"b": (), "i": (row,), "k": (k6 := Digit("k", 16),)}, (row,), (k6,))
    (band,) = tables.bands(operand(six, 6)).bands
    assert ends(band.registers) == [0, 2]
    assert [ends(p.registers) for p in tables.packing(operand(six, 6))][5] == [0, 1]


def test_bands_show_the_other_coordinate_where_a_band_holds_only_part_of_it() -> None:
    left, right, k = Digit("left", 2), Digit("right", 2), Digit("k", 2)
    split = Layout({"b": (), "i": (left, right), "k": (k,)}, (left, k), (right,))
    table = tables.bands(operand(split, 32))
    assert not table.whole
    assert [(ends(b.listed), ends(b.along), ends(b.lanes)) for b in table.bands] == [
        ([0, 0], [0, 1], [0, 1]),
        ([0, 0], [2, 3], [0, 1]),
        ([1, 1], [0, 1], [2, 3]),
        ([1, 1], [2, 3], [2, 3]),
    ]


@pytest.mark.parametrize("tile", ["32x32", "16x16"])
def test_the_rows_and_lanes_are_those_of_the_hand_made_page(tile: str) -> None:
    page = PAGE["row_to_lane"][tile]
    for inst in (i for i in ARCH.values() if i.tile == tile):
        bands = tables.bands(inst.operands["D"]).of_block(0)
        ours = [[ends(b.listed), ends(b.lanes), ends(b.registers)] for b in bands]
        assert [row[: len(page["columns"])] for row in ours] == page["rows"]


def test_a_4x4_tile_takes_four_lanes_for_each_block() -> None:
    bands = tables.bands(ARCH["v_mfma_f32_4x4x1f32"].operands["D"]).bands
    assert [(b.block, ends(b.listed), ends(b.lanes), ends(b.registers)) for b in bands] == [
        (b, [0, 3], [4 * b, 4 * b + 3], [0, 3]) for b in range(16)
    ]


@pytest.mark.parametrize(
    ("name", "lanes", "items"),
    [("32x32x1f32", 0, 16), ("16x16x1f32", 0, 4), ("4x4x1f32", 4, 0)],
)
def test_what_a_block_adds_to_the_one_before(name: str, lanes: int, items: int) -> None:
    d = ARCH[f"v_mfma_f32_{name}"].operands["D"]
    assert tables.bands(d).shift == tables.Shift(lanes, items)


def test_one_block_adds_nothing_to_nothing() -> None:
    assert tables.bands(ARCH["v_mfma_f32_32x32x2f32"].operands["D"]).shift is None


def test_items_are_packed_from_the_lowest_bit() -> None:
    places = tables.packing(ARCH["v_mfma_f32_32x32x4f16"].operands["A"])
    assert [(ends(p.registers), ends(p.bits)) for p in places] == [
        ([0, 0], [0, 15]),
        ([0, 0], [16, 31]),
        ([1, 1], [0, 15]),
        ([1, 1], [16, 31]),
    ]


def test_by_slot_is_the_table_in_order_of_lane_register_and_bit() -> None:
    plain = ARCH["v_mfma_i32_16x16x16i8"].operands["A"]
    rows = tables.by_slot(plain)
    slots = [tuple(row) for row in rows[:, -4:-1]]
    assert slots == sorted(slots)
    assert sorted(map(tuple, rows)) == sorted(map(tuple, plain.table()))


def test_throughput_is_that_of_the_hand_made_page() -> None:
    ours = [[r.instruction.builtin, r.ops, r.cycles, r.coexec_cycles] for r in tables.rates(ARCH)]
    assert ours == PAGE["throughput"]["rows"]
    assert all(r.passes * 4 == r.cycles for r in tables.rates(ARCH))


def test_peak_rates_of_mi100_are_those_that_amd_publishes() -> None:
    found = {p.format.name: (p.per_cu, round(p.tera_ops, 1)) for p in tables.peaks(ARCH)}
    assert found == {
        "f32": (256, 46.1),
        "f16": (1024, 184.6),
        "bf16": (512, 92.3),
        "i8": (1024, 184.6),
    }


PEAKS = json.loads((Path(__file__).parent / "data" / "peaks.json").read_text())["peaks"]


@pytest.mark.parametrize("row", PEAKS, ids=lambda row: f"{row['gpu']}-{row['inputs']}")
def test_peak_rates_without_sparsity_are_those_of_the_data_sheets(row: dict[str, Any]) -> None:
    found = {
        (p.gpu.name, p.format.name): round(p.tera_ops, 1)
        for arch in layoutgen.archs().values()
        for p in tables.peaks(arch)
        if not p.sparse
    }
    assert found[row["gpu"], row["inputs"]] == row["published"]


def test_zeros_that_are_not_stored_count_in_the_peak_of_sparse_instructions() -> None:
    found = {(p.format.name, p.sparse): p for p in tables.peaks(layoutgen.arch("gfx950"))}
    assert found["f16", True].per_cu == 2 * found["f16", False].per_cu
    assert all(i.sparse for p in found.values() if p.sparse for i in p.best)


def test_the_peak_is_that_of_the_fastest_instruction_of_each_input_format() -> None:
    """As measured or invented cycles may differ: slow ones among them do not lower the peak."""
    slow = {"v_mfma_f32_32x32x4f16": 128, "v_mfma_f32_4x4x4f16": 16, "v_mfma_f32_16x16x1f32": 16}
    made = {n: replace(i, cycles=slow.get(n, i.cycles)) for n, i in ARCH.instructions.items()}
    arch = replace(ARCH, instructions=made, gpus=(*ARCH.gpus, Gpu("Half", 60, 1.0)))
    found = {(p.gpu.name, p.format.name): p for p in tables.peaks(arch)}
    assert len(found) == 8
    assert found["MI100", "f16"].per_cu == found["Half", "f16"].per_cu == 1024
    assert found["MI100", "f32"].per_cu == 512, "the one that is faster than before"
    assert [i.mnemonic for i in found["MI100", "f32"].best] == ["v_mfma_f32_16x16x1f32"]
    best = {i.mnemonic for i in found["MI100", "f16"].best}
    assert best == {
        "v_mfma_f32_16x16x4f16",
        "v_mfma_f32_32x32x8f16",
        "v_mfma_f32_16x16x16f16",
    }
    assert found["Half", "f16"].tera_ops == pytest.approx(1024 * 60 / 1000)
    assert [p.gpu.name for p in tables.peaks(arch)] == ["Half"] * 4 + ["MI100"] * 4


def test_blgp_patterns_are_those_of_the_manual() -> None:
    lane = np.arange(64)
    manual = [
        lane,
        lane % 32,
        lane % 32 + 32,
        (lane + 16) % 64,
        *(lane % 16 + 16 * quarter for quarter in range(4)),
    ]
    for inst in ARCH.values():
        patterns = tables.lane_patterns(inst)
        assert [list(np.concatenate(p.sources)) for p in patterns] == [list(m) for m in manual]


def test_shares_tell_what_a_group_of_lanes_holds() -> None:
    b = ARCH["v_mfma_f32_32x32x2f32"].operands["B"]
    (share,) = tables.shares(b, (range(48, 64),))
    assert dict(share.coordinates) == {"b": range(1), "k": range(1, 2), "j": range(16, 32)}


def test_the_readings_of_cbsz_differ_where_two_to_the_cbsz_is_less_than_the_blocks() -> None:
    for inst in ARCH.values():
        found = {pair.cbsz for pair in tables.conflicts(inst)}
        assert found == {v for v in inst.rules.cbsz if 1 < 1 << v < inst.blocks}


def test_both_readings_of_cbsz_as_the_sources_write_them() -> None:
    inst = ARCH["v_mfma_f32_4x4x4f16"]
    for pair in tables.broadcasts(inst):
        group, lanes = 1 << pair.cbsz, 64 >> pair.cbsz
        assert pair.local == tuple(group * (b // group) + pair.abid for b in range(16))
        if pair.cbsz:
            assert pair.other == tuple((4 * b % lanes + lanes * pair.abid) // 4 for b in range(16))


def test_broadcast_groups_say_the_same_as_the_broadcasts() -> None:
    for inst in ARCH.values():
        groups = {g.cbsz: g for g in tables.broadcast_groups(inst)}
        for pair in tables.broadcasts(inst):
            read = {b: base + pair.abid for bs, base in groups[pair.cbsz].groups for b in bs}
            assert tuple(read[b] for b in range(inst.blocks)) == pair.local


def test_the_types_of_the_hand_made_page_are_there() -> None:
    text = {t.declaration for t in tables.register_types(ARCH.values()) if t.declaration}
    assert text == {
        "using v4float = float [[clang::ext_vector_type(4)]];",
        "using v16float = float [[clang::ext_vector_type(16)]];",
        "using v32float = float [[clang::ext_vector_type(32)]];",
        "using v4half = _Float16 [[clang::ext_vector_type(4)]];",
        "using v4int = int [[clang::ext_vector_type(4)]];",
        "using v16int = int [[clang::ext_vector_type(16)]];",
        "using v32int = int [[clang::ext_vector_type(32)]];",
        "using v2bfloat = short [[clang::ext_vector_type(2)]];",
    }


def test_target_groups_hold_every_instruction_once() -> None:
    groups = tables.target_groups(ARCH.values())
    assert [(g.targets[-1], len(g.instructions)) for g in groups] == [("gfx950", 13), ("gfx90a", 7)]
