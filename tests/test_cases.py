"""Questions of people who write kernels, from public threads, and their right answers."""

from __future__ import annotations

import pytest

import layoutgen
from layoutgen.assembly import assembly
from layoutgen.expr import evaluate
from layoutgen.model import Slot, UnknownName
from layoutgen.printing import TEXT, render

GFX908, GFX90A, GFX942, GFX950 = layoutgen.archs().values()


def slot(arch, name, operand, **coordinates):
    [found] = arch[name].operand(operand).locate(**({"b": 0} | coordinates))
    return found


def registers_in(name: str) -> int:
    """Return how many registers v7 or v[4:7] is."""
    first, _, last = name[1:].strip("[]").partition(":")
    return int(last or first) - int(first) + 1


def test_order_of_packed_i8() -> None:
    found = [slot(GFX90A, "v_mfma_i32_16x16x16i8", "A", i=3, k=k) for k in (8, 9, 11)]
    assert found == [Slot(35, 0, 0, 8), Slot(35, 0, 8, 8), Slot(35, 0, 24, 8)]


def test_lanes_of_32x32x8() -> None:
    assert slot(GFX942, "v_mfma_f32_32x32x8_f16", "D", i=22, j=5) == Slot(37, 10, 0, 32)
    [element] = GFX942["v_mfma_f32_32x32x8_f16"].operand("D").elements(lane=37, register=6)
    assert (element.i, element.j) == (14, 5)


def test_bases_of_a_transposed_accumulator() -> None:
    bases = layoutgen.export.linear_layout(
        GFX942["v_mfma_f32_32x32x8_f16"].operand("D"), transpose=True
    )
    assert bases.register == ((0, 1), (0, 2), (0, 8), (0, 16))
    assert bases.lane == ((1, 0), (2, 0), (4, 0), (8, 0), (16, 0), (0, 4))


def test_a_transposed_result_is_a_and_b_exchanged() -> None:
    [element] = GFX942["v_mfma_f32_16x16x16_f16"].operand("D").elements(lane=37, register=2)
    assert (element.i, element.j) == (10, 5)


@pytest.mark.parametrize(
    ("name", "count"),
    [
        ("v_mfma_f32_16x16x16_f16", 4),
        ("v_mfma_f32_32x32x8_f16", 4),
        ("v_mfma_f32_16x16x32_fp8_fp8", 8),
        ("v_mfma_f32_16x16x4_f32", 1),
    ],
)
def test_consecutive_k_in_a_lane(name: str, count: int) -> None:
    operand = GFX942[name].operand("A")
    first = [slot(GFX942, name, "A", i=3, k=k) for k in range(count)]
    assert operand.elements_per_lane == count
    assert {s.lane for s in first} == {3}
    assert [32 * s.register + s.bit for s in first] == [
        n * operand.format.bits for n in range(count)
    ]


def test_mixed_fp8_with_a_transposed_result() -> None:
    asked = {"a": "bf8", "b": "fp8", "m": 16, "n": 16, "k": 32}
    [plain] = layoutgen.which([GFX942], **asked)
    [turned] = layoutgen.which([GFX942], **asked, transpose=True)
    assert plain.instruction.mnemonic == "v_mfma_f32_16x16x32_bf8_fp8"
    assert turned.instruction.mnemonic == "v_mfma_f32_16x16x32_fp8_bf8"


def test_fp8_is_not_the_same_number_everywhere() -> None:
    inst = "v_mfma_f32_16x16x32_fp8_fp8"
    fnuz, ocp = GFX942[inst].operand("A"), GFX950[inst].operand("A")
    assert [o.format.encoding.value(0x40) for o in (fnuz, ocp)] == [1.0, 2.0]
    assert [o.format.encoding.max for o in (fnuz, ocp)] == [240.0, 448.0]
    assert (fnuz.table() == ocp.table()).all()


def test_neutral_scale() -> None:
    e8m0 = GFX950["v_mfma_scale_f32_16x16x128_f8f6f4"].operand("scale_a").format.encoding
    assert [e8m0.value(byte) for byte in (127, 126, 129, 0)] == [1.0, 0.5, 4.0, 2.0**-127]
    assert "scale-zero" in {d.id for d in GFX950.disagreements}


def test_an_example_of_each_instruction_has_operands_of_the_right_sizes() -> None:
    for arch in (GFX908, GFX90A, GFX942, GFX950):
        for inst in arch.values():
            line = assembly(inst).split(maxsplit=1)[1]
            sizes = [registers_in(name) for name in line.split(", ")]
            order = ["D", "A", "B", *([] if inst.sparse else ["C"]), *list(inst.operands)[4:]]
            assert sizes == [inst.operands[name].registers for name in order]


def test_two_different_instructions_on_one_accumulator_are_an_open_question() -> None:
    [entry] = [d for d in GFX950.disagreements if d.id == "accumulator-chain"]
    assert any("5 wait states" in reading.claim for reading in entry.readings)


def test_what_1k_means() -> None:
    plain, first_k = GFX90A["v_mfma_f32_32x32x4bf16"], GFX90A["v_mfma_f32_32x32x4bf16_1k"]
    older = GFX90A["v_mfma_f32_32x32x2bf16"]
    assert [i.blocks for i in (plain, first_k, older)] == [1, 2, 2]
    assert [i.operands["A"].registers for i in (plain, first_k, older)] == [1, 2, 1]
    assert plain.operand("A").locate(b=0, i=20, k=3) == [Slot(52, 0, 16, 16)]
    assert first_k.operand("A").locate(b=1, i=20, k=3) == [Slot(52, 1, 16, 16)]
    assert older.operand("A").locate(b=1, i=20, k=1) == [Slot(52, 0, 16, 16)]
    with pytest.raises(UnknownName, match="nearest: v_mfma_f32_4x4x2bf16"):
        GFX908["v_mfma_f32_4x4x4bf16_1k"]


def test_xf32_is_on_gfx942_only() -> None:
    assert slot(GFX942, "v_mfma_f32_16x16x8_xf32", "A", i=7, k=5) == Slot(39, 1, 0, 32)
    assert slot(GFX942, "v_mfma_f32_32x32x4_xf32", "B", k=3, j=9) == Slot(41, 1, 0, 32)
    for arch in (GFX908, GFX90A, GFX950):
        with pytest.raises(UnknownName):
            arch["v_mfma_f32_16x16x8_xf32"]


def test_the_scale_byte_is_the_same_in_all_lanes() -> None:
    inst = GFX950["v_mfma_scale_f32_32x32x64_f8f6f4"]
    assert str(inst.operand("scale_b", op_sel=(0, 1)).modifiers) == (
        "op_sel:[0,1,0] op_sel_hi:[0,0,0]"
    )
    assert {s.bit for s in inst.operand("scale_a", op_sel=(0, 1)).locate(b=0, i=5, group=1)} == {0}
    assert inst.operand("scale_b", op_sel=(0, 1)).locate(b=0, group=1, j=5) == [Slot(37, 0, 8, 8)]
    assert inst.operand("scale_b", op_sel=(0, 1)).elements(lane=37, register=0)[0].bit == 8
    assert inst.operand("scale_b").registers == 1


def test_with_8_bit_data_a_lane_does_not_hold_the_k_of_its_scale() -> None:
    inst = GFX950["v_mfma_scale_f32_16x16x128_f8f6f4"]
    [of_scale] = inst.operand("scale_a").locate(b=0, i=0, group=1)
    wide = {inst.operand("A").locate(b=0, i=0, k=k)[0].lane for k in range(32, 64)}
    narrow = {inst.operand("A", cbsz=4).locate(b=0, i=0, k=k)[0].lane for k in range(32, 64)}
    assert of_scale.lane == 16
    assert (wide, narrow) == ({32, 48}, {16})


@pytest.mark.parametrize(
    ("code", "bits", "registers"), [(0, 8, 8), (1, 8, 8), (2, 6, 6), (3, 6, 6), (4, 4, 4)]
)
def test_a_format_code_changes_the_registers_and_not_the_c_type(code, bits, registers) -> None:
    for name in ("v_mfma_scale_f32_16x16x128_f8f6f4", "v_mfma_f32_32x32x64_f8f6f4"):
        for letter, field in (("A", "cbsz"), ("B", "blgp")):
            operand = GFX950[name].operand(letter, **{field: code})
            assert (operand.format.bits, operand.registers) == (bits, registers)
            assert operand.c_type == "v8int"


def test_six_bit_elements_straddle_registers() -> None:
    a = GFX950["v_mfma_f32_16x16x128_f8f6f4"].operand("A", cbsz=2)
    [straddling] = a.locate(b=0, i=0, k=5)
    assert (straddling.register, straddling.bit, list(straddling.registers)) == (0, 30, [0, 1])
    assert [(e.k, e.bit) for e in a.elements(lane=0, register=1)][:2] == [(5, -2), (6, 4)]


@pytest.mark.parametrize(
    ("arch", "wanted"),
    [(GFX942, [5, 7, 11, 19]), (GFX950, [5, 8, 12, 20])],
    ids=lambda v: str(v)[:6],
)
def test_wait_states_before_the_result_is_used(arch, wanted) -> None:
    hazards = [h for h in arch.hazards if h.first.startswith("XDL writes") and "VALU" in h.then]
    assert [hazards[0].wait(passes) for passes in (2, 4, 8, 16)] == wanted


def test_registers_of_both_kinds() -> None:
    for arch in (GFX90A, GFX942, GFX950):
        d = arch["v_mfma_f32_16x16x16f16" if arch is GFX90A else "v_mfma_f32_16x16x16_f16"].operand(
            "D"
        )
        assert d.locate(b=0, i=6, j=3) == [Slot(19, 2, 0, 32)]
        assert set(d.register_files) == {"a", "v"}
        assert arch.registers_needed(100, 60) == 160
    assert GFX908.registers_needed(100, 60) == 100
    assert GFX908["v_mfma_f32_16x16x16f16"].operand("D").register_files == ("a",)


def test_tuples_of_registers_begin_at_even_ones_but_on_gfx908() -> None:
    pair = "__builtin_amdgcn_mfma_f32_16x16x16f16"
    assert [a[pair].operand("A").alignment for a in (GFX908, GFX90A, GFX942, GFX950)] == [
        1,
        2,
        2,
        2,
    ]
    assert GFX90A["v_mfma_f32_32x32x1f32"].operand("A").alignment == 1


def test_what_a_lane_owns() -> None:
    d = GFX942["v_mfma_f32_32x32x8_f16"].operand("D")
    owned = [e for r in range(d.registers) for e in d.elements(lane=37, register=r)]
    assert {e.j for e in owned} == {5}
    assert [e.i for e in owned] == [*range(4, 8), *range(12, 16), *range(20, 24), *range(28, 32)]


def test_what_moves_along_the_items_of_a_lane() -> None:
    inst = GFX942["v_mfma_f32_16x16x16_f16"]
    moving = {}
    for letter in "ABD":
        operand = inst.operand(letter)
        held = [operand.elements(lane=21, register=r) for r in range(operand.registers)]
        both = [e.coordinates for elements in held for e in elements]
        moving[letter] = [n for n in both[0] if len({c[n] for c in both}) > 1]
    assert moving == {"A": ["k"], "B": ["k"], "D": ["i"]}


def test_the_row_of_an_f64_result() -> None:
    d = GFX90A["v_mfma_f64_16x16x4f64"].operand("D")
    row = d.formulas.inverse["i"]
    assert render(row, TEXT) == "4·⌊register/2⌋ + ⌊lane/16⌋"
    assert evaluate(row, {"register": 0, "lane": 16, "bit": 0}) == 1
    assert d.locate(b=0, i=9, j=3) == [Slot(19, 4, 0, 64)]
    assert [(e.i, e.bit) for e in d.elements(lane=19, register=5)] == [(9, -32)]


def test_f64_blocks_of_four_rows() -> None:
    d = GFX942["v_mfma_f64_4x4x4_4b_f64"].operand("D")
    assert d.locate(b=2, i=3, j=1) == [Slot(16 * 3 + 4 * 2 + 1, 0, 0, 64)]
    assert d.registers == 2


def test_negation_of_f64() -> None:
    inst = GFX942["v_mfma_f64_16x16x4_f64"]
    assert [inst.operand(o, neg=5).negated for o in "ABCD"] == [True, False, True, False]
    assert inst.operand("A", blgp=5).modifiers == inst.operand("A", neg=5).modifiers


def test_the_index_of_a_sparse_instruction() -> None:
    inst = GFX942["v_smfmac_f32_16x16x32_f16"]
    assert inst.operand("index").columns[:3] == ("b", "i", "group")
    assert inst.operand("index").locate(b=0, i=3, group=7) == [Slot(51, 0, 4, 4)]
    assert inst.operand("index", abid=2).locate(b=0, i=3, group=7) == [Slot(51, 0, 20, 4)]
    assert inst.operand("index", cbsz=1).locate(b=0, i=3, group=7) == [Slot(51, 0, 4, 4)]
    held = inst.operand("index", abid=2).elements(lane=51, register=0)
    assert [(e.group, e.bit) for e in held] == [(6, 16), (7, 20)]
