"""The public Python interface: architectures, instructions, operands, slots and elements."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from typing import Any, cast

import numpy as np
import pytest

import layoutgen
from layoutgen.digits import Digit, Layout, LayoutError
from layoutgen.disputes import touching
from layoutgen.model import Instruction, NumberFormat, Operand, Provenance, Slot, UnknownName
from layoutgen.modifiers import Modifiers
from layoutgen.origins import origins

ARCHS = layoutgen.archs()
GFX908 = ARCHS["gfx908"]


def test_an_architecture_has_several_names() -> None:
    assert layoutgen.arch("cdna1").name == layoutgen.arch("MI100").name == "gfx908"
    assert len(GFX908) == 20
    assert list(ARCHS) == ["gfx908", "gfx90a", "gfx942", "gfx950"]
    for name, aliases in {
        "gfx90a": ("cdna2", "mi200", "mi250x"),
        "gfx942": ("cdna3", "mi300", "mi300x"),
        "gfx950": ("cdna4", "mi350", "MI355X"),
    }.items():
        assert {layoutgen.arch(alias).name for alias in aliases} == {name}


def test_an_instruction_has_several_names() -> None:
    inst = GFX908["v_mfma_f32_32x32x1f32"]
    assert GFX908["__builtin_amdgcn_mfma_f32_32x32x1f32"] is inst
    assert GFX908["v_mfma_f32_32x32x1_2b_f32"] is inst
    assert (inst.m, inst.n, inst.k, inst.blocks, inst.cycles) == (32, 32, 1, 2, 64)


def test_a_wrong_name_offers_the_nearest() -> None:
    with pytest.raises(UnknownName, match=r"gfx908 has no instruction 'v_mfma_f32_4x4x4bf16_1k'"):
        GFX908["v_mfma_f32_4x4x4bf16_1k"]
    with pytest.raises(UnknownName, match=r"nearest: .*v_mfma_f32_4x4x2bf16"):
        GFX908["v_mfma_f32_4x4x4bf16_1k"]
    with pytest.raises(UnknownName, match="no architecture 'gfx980'; nearest: gfx950, "):
        layoutgen.arch("gfx980")
    with pytest.raises(UnknownName, match="no operand 'E': v_mfma_f32_4x4x1f32 has A, B, C, D"):
        GFX908["v_mfma_f32_4x4x1f32"].operand("E")


def test_block_counts_follow_from_the_elements_in_a_lane() -> None:
    counts = {name: inst.blocks for name, inst in GFX908.items()}
    one_block_packed = [
        "v_mfma_f32_32x32x8f16",
        "v_mfma_f32_16x16x16f16",
        "v_mfma_f32_32x32x4bf16",
        "v_mfma_f32_16x16x8bf16",
        "v_mfma_i32_32x32x8i8",
        "v_mfma_i32_16x16x16i8",
    ]
    assert all(counts[name] == 1 for name in one_block_packed)
    for inst in GFX908.values():
        per_lane = inst.operands["A"].elements_per_lane
        assert inst.blocks == 64 * per_lane / (inst.m * inst.k)
        assert inst.operands["D"].registers == inst.blocks * inst.m * inst.n // 64


def test_questions_of_kernel_developers() -> None:
    inst = GFX908["v_mfma_f32_16x16x4f16"]
    assert inst.blocks == 4
    assert inst.operand("D").locate(b=2, i=6, j=11) == [Slot(27, 10, 0, 32)]
    [element] = inst.operand("D").elements(lane=50, register=9)
    assert element.coordinates == {"b": 2, "i": 13, "j": 2}
    d = GFX908["v_mfma_f32_32x32x1f32"].operand("D")
    assert d.locate(b=1, i=13, j=7) == [Slot(lane=39, register=21, bit=0, width=32)]


def test_packed_elements_tell_their_bits() -> None:
    a = GFX908["v_mfma_i32_16x16x16i8"].operand("A")
    assert [a.locate(b=0, i=3, k=k)[0] for k in (8, 9, 11)] == [
        Slot(35, 0, 0, 8),
        Slot(35, 0, 8, 8),
        Slot(35, 0, 24, 8),
    ]
    assert [(e.k, e.bit) for e in a.elements(lane=35, register=0)] == [
        (8, 0),
        (9, 8),
        (10, 16),
        (11, 24),
    ]


def sampled(inst: Instruction) -> list[Modifiers]:
    """Return legal combinations of an instruction: a few of each kind."""
    every = [m for m in inst.rules.combinations() if m.blgp in (0, 3, 4) and m.abid in (0, 1, 3)]
    return every[:: max(1, len(every) // 8)]


@pytest.mark.parametrize("name", [(a.name, n) for a in ARCHS.values() for n in a], ids=str)
def test_tables_locate_and_elements_agree_under_modifiers(name: tuple[str, str]) -> None:
    inst = ARCHS[name[0]][name[1]]
    checked: set[tuple[str, ...]] = set()
    for modifiers in sampled(inst):
        for letter in inst.operands:
            operand = inst.operand(letter, **modifiers.as_dict())
            key = (str(operand.layout), operand.format.name, str(operand.reroute))
            if key in checked:
                continue
            checked.add(key)
            names = operand.columns[:3]
            held: dict[tuple[int, int], set[tuple[int, ...]]] = {}
            for row in operand.table().tolist():
                slot = Slot(*row[3:])
                for register in slot.registers:
                    start = slot.bit - 32 * (register - slot.register)
                    held.setdefault((slot.lane, register), set()).add((*row[:3], start))
                if row[0] in (0, inst.blocks - 1) and row[1] < 2:
                    assert operand.locate(**dict(zip(names, row, strict=False))) == [slot]
            for lane in (*range(0, 64, 7), 31, 32):
                for register in range(operand.registers):
                    found = {
                        (*(e.coordinates[n] for n in names), e.bit)
                        for e in operand.elements(lane, register)
                    }
                    assert found == held.get((lane, register), set())


def test_a_table_is_an_integer_array_with_named_columns() -> None:
    operand = GFX908["v_mfma_f32_32x32x1f32"].operand("A", cbsz=1, abid=1)
    table = operand.table()
    assert operand.columns == ("b", "i", "k", "lane", "register", "bit", "width")
    assert table.shape == (64, 7)
    assert np.issubdtype(table.dtype, np.integer)
    assert set(table[:, 3]) == set(range(32, 64))


def test_wrong_slots_are_refused() -> None:
    operand = GFX908["v_mfma_f32_32x32x1f32"].operand("D")
    with pytest.raises(LayoutError, match="lane 64 is out of range: 0 to 63"):
        operand.elements(lane=64, register=0)
    with pytest.raises(LayoutError, match="register 32 is out of range: 0 to 31"):
        operand.elements(lane=0, register=32)


def test_signature() -> None:
    assert GFX908["v_mfma_f32_32x32x4bf16"].signature == (
        "v16float __builtin_amdgcn_mfma_f32_32x32x4bf16"
        "(v2bfloat a, v2bfloat b, v16float c, const int cbsz, const int abid, const int blgp)"
    )
    assert GFX908["v_mfma_i32_4x4x4i8"].signature.startswith(
        "v4int __builtin_amdgcn_mfma_i32_4x4x4i8(int a, int b, v4int c,"
    )


def test_grades_are_those_of_the_architecture_and_the_family() -> None:
    sparse = ARCHS["gfx942"]["v_smfmac_f32_16x16x64_fp8_fp8"]
    assert [sparse.operands[o].provenance.grade for o in ("A", "D")] == [
        "document only",
        "run on silicon",
    ]
    assert "MI100" in GFX908["v_mfma_f32_4x4x1f32"].operands["A"].provenance.by
    for arch in ARCHS.values():
        for inst in arch.values():
            for operand in inst.operands.values():
                assert operand.provenance.by
                assert operand.provenance.sources


def test_an_instruction_without_a_builtin_has_no_signature() -> None:
    inst = ARCHS["gfx950"]["v_mfma_f32_16x16x128_f8f6f4"]
    assert (inst.builtin, inst.llvm_intrinsic, inst.signature, inst.aliases) == ("", "", "", ())


def test_a_disagreement_touches_the_instructions_that_it_is_about() -> None:
    def told(arch: str, name: str) -> list[str]:
        return [d.id for d in touching(ARCHS[arch], ARCHS[arch][name])]

    assert told("gfx942", "v_mfma_f64_4x4x4_4b_f64") == ["k-order", "f64-4x4x4-d", "partial-sums"]
    wide = "register-alignment"  # of what takes more than two registers
    assert told("gfx950", "v_mfma_f64_16x16x4_f64") == ["k-order", "partial-sums", wide]
    assert told("gfx950", "v_mfma_f32_16x16x1_4b_f32") == ["cbsz-groups", "f32-subnormals", wide]
    assert told("gfx950", "v_mfma_scale_f32_16x16x128_f8f6f4") == [
        "f8f6f4-chunks",
        "scale-zero",
        "accumulator-chain",
        "scaled-narrow-k",
        "scale-constants",
        "bf6-least",
        "partial-sums",
        wide,
    ]
    assert told("gfx942", "v_smfmac_f32_16x16x64_fp8_fp8") == [
        "sparse-8-bit-k",
        "sparse-sets-cbsz",
        wide,
        "sparse-register-files",
    ]
    assert told("gfx950", "v_smfmac_i32_16x16x128_i8") == [
        "sparse-ops",
        "accumulator-chain",
        "sparse-sets-cbsz",
        "sparse-8-bit-doubled-k",
        wide,
        "sparse-register-files",
    ]
    assert told("gfx950", "v_mfma_f32_16x16x32_f16") == [
        "k-order",
        "accumulator-chain",
        "partial-sums",
        wide,
    ]


def test_elements_that_straddle_registers_are_found_in_both() -> None:
    """Sixteen 6-bit elements in three registers: the sixth begins at bit 30, and ends in v1."""
    row, k = Digit("row", 64), Digit("k", 16)
    layout = Layout({"b": (), "i": (row,), "k": (k,)}, (row,), (k,))
    six = NumberFormat("fp6", "FP6", 6, "int", 32, "int")
    operand = Operand("A", six, layout, Provenance("document only", "nobody"))
    assert operand.registers == 3
    for register in range(3):
        low = 32 * register
        wanted = [
            (item, 6 * item - low)
            for item in range(16)
            if 6 * item < low + 32 and 6 * item + 6 > low
        ]
        found = operand.elements(lane=5, register=register)
        assert [(element.k, element.bit) for element in found] == wanted
        assert {(element.i, element.width) for element in found} == {(5, 6)}
    assert operand.elements(lane=5, register=1)[0].bit == -2
    [slot] = operand.locate(b=0, i=5, k=5)
    assert (slot, list(slot.registers)) == (Slot(5, 0, 30, 6), [0, 1])


@pytest.mark.parametrize(
    "name",
    [
        "gfx942:sramecc+:xnack-", "gfx942:xnack-", "GFX942", "MI-300X", "cdna-3", "MI308X",
        "AMD Instinct MI300X", "MI325", " mi300x ",
    ],
)  # fmt: skip
def test_an_architecture_by_every_name_that_people_paste(name: str) -> None:
    assert layoutgen.arch(name).name == "gfx942"


def test_a_product_without_its_last_letter() -> None:
    assert layoutgen.arch("mi355").name == "gfx950"
    with pytest.raises(UnknownName):  # gfx90a, or gfx908
        layoutgen.arch("gfx90")


@pytest.mark.parametrize(
    "name",
    [
        "32x32x8f16", "f32_32x32x8f16", "32x32x8_f16", "amdgcn_mfma_f32_32x32x8f16",
        "V_MFMA_F32_32X32X8F16_e64", "V_MFMA_F32_32X32X8F16_vgprcd_e64",
        "V_MFMA_F32_32X32X8F16_mac_vgprcd_e64", "V_MFMA_F32_32X32X8F16_gfx940_vcd",
        "v_mfma_f32_32x32x8_f16 ",
    ],
)  # fmt: skip
def test_an_instruction_by_every_name_that_people_paste(name: str) -> None:
    assert layoutgen.arch("gfx942")[name].mnemonic == "v_mfma_f32_32x32x8_f16"


def test_a_shape_is_a_dense_instruction() -> None:
    assert layoutgen.arch("gfx950")["16x16x32_f16"].mnemonic == "v_mfma_f32_16x16x32_f16"
    plain = layoutgen.arch("gfx950")["16x16x128_f8f6f4"]
    assert plain.mnemonic == "v_mfma_f32_16x16x128_f8f6f4"
    with pytest.raises(UnknownName, match="v_smfmac_f32_16x16x32_f16"):  # sparse alone
        layoutgen.arch("gfx942")["16x16x32_f16"]
    with pytest.raises(UnknownName, match="nearest: v_mfma_f32_32x32x8_f16"):
        layoutgen.arch("gfx942")["32x32x8"]


def test_subnormal_numbers_by_the_format_of_a() -> None:
    def told(arch: str, name: str, **modifiers: int) -> str | None:
        entry = ARCHS[arch].arithmetic_of(ARCHS[arch][name], **modifiers)
        return entry.subnormals if entry else None

    assert told("gfx90a", "v_mfma_f32_16x16x16f16") == "flushed"
    assert told("gfx942", "v_mfma_f32_16x16x16_f16") == "kept"
    assert told("gfx942", "v_mfma_f32_32x32x2_f32") == "of A, B as MODE says, of C, D kept"
    assert told("gfx950", "v_mfma_f32_16x16x128_f8f6f4", cbsz=4) == "kept"
    assert told("gfx942", "v_mfma_i32_16x16x32_i8") is None


def test_every_format_of_numbers_has_its_arithmetic() -> None:
    for arch in ARCHS.values():
        told = [name for entry in arch.arithmetic for name in entry.formats]
        factors = {
            operand.format.name
            for inst in arch.values()
            for name in "AB"
            for operand in inst.alternatives.get(name, (inst.operands[name],))
            if operand.format.encoding
        }
        assert sorted(told) == sorted(factors)


def test_numbers_of_numpy_give_plain_integers() -> None:
    d = layoutgen.arch("gfx942")["v_mfma_f32_32x32x8_f16"].operand("D")
    [slot] = d.locate(i=np.int64(5), j=np.uint8(3))
    [element] = d.elements(lane=np.int64(35), register=np.int32(1))
    assert json.loads(json.dumps([asdict(slot), asdict(element)]))[0] == asdict(slot)
    assert {type(value) for value in asdict(slot).values()} == {int}
    sparse = layoutgen.arch("gfx942")["v_smfmac_f32_16x16x32_f16"]
    made = origins(sparse, i=np.int64(3), j=7, pairs=np.int64(13))
    assert made == origins(sparse, i=3, j=7, pairs=13)
    assert made == origins(sparse, i=3, j=7, pairs=np.full(8, 13))
    assert {type(value) for origin in made for value in origin.element.values()} == {int}


def test_an_array_is_no_coordinate() -> None:
    d = layoutgen.arch("gfx942")["v_mfma_f32_32x32x8_f16"].operand("D")
    with pytest.raises(LayoutError, match=r"i array\(\[0, 1, 2\]\) is no whole number"):
        d.locate(i=cast("int", np.arange(3)), j=0)


@pytest.mark.parametrize("given", [3, None])
def test_what_is_no_name_is_no_instruction(given: Any) -> None:
    with pytest.raises(UnknownName, match=f"gfx908 has no instruction {given}: a name is a text"):
        GFX908[given]
    assert given not in GFX908
    assert GFX908.get(given) is None


def test_equal_objects_have_equal_hashes() -> None:
    for arch in ARCHS.values():
        assert len({*arch.values()}) == len(arch)
        for inst in arch.values():
            for name, operand in inst.operands.items():
                again = inst.operand(name)
                assert (operand, hash(operand)) == (again, hash(again))
                copy = replace(again, layout=replace(again.layout))
                assert (copy, hash(copy)) == (operand, hash(operand))
    inst = ARCHS["gfx942"]["v_smfmac_f32_16x16x32_f16"]
    again = replace(inst)
    assert (again, hash(again)) == (inst, hash(inst))
    assert len({*origins(inst, i=3, j=7), *origins(inst, i=3, j=7)}) == len(origins(inst, i=3, j=7))
    assert len({*layoutgen.which("gfx950"), *layoutgen.which("gfx950")}) == len(
        layoutgen.which("gfx950")
    )


@pytest.mark.parametrize(
    ("arch", "name", "letter", "given"),
    [
        ("gfx908", "v_mfma_f32_16x16x4f16", "D", {}),
        ("gfx908", "v_mfma_f32_16x16x4f16", "A", {"cbsz": 2, "abid": 1}),
        ("gfx942", "v_mfma_f64_16x16x4_f64", "D", {}),
        ("gfx950", "v_mfma_f32_16x16x128_f8f6f4", "A", {"cbsz": 2}),
    ],
)
def test_all_elements_of_a_lane(arch: str, name: str, letter: str, given: dict[str, int]) -> None:
    operand = ARCHS[arch][name].operand(letter, **given)
    for lane in (0, 21, 63):
        by_register = [
            (e.coordinates, 32 * r + e.bit)
            for r in range(operand.registers)
            for e in operand.elements(lane, r)
            if e.bit >= 0
        ]
        assert [(e.coordinates, e.bit) for e in operand.elements(lane=lane)] == by_register
    with pytest.raises(LayoutError, match="lane 64 is out of range"):
        operand.elements(lane=64)


@pytest.mark.parametrize("given", [None, 3, b"gfx942"])
def test_what_is_no_name_is_refused(given: Any) -> None:
    with pytest.raises(TypeError, match="an architecture has a name such as 'gfx942', not "):
        layoutgen.arch(given)


@pytest.mark.parametrize("wrong", [{"lane": 3.0}, {"register": 0.0}, {"lane": "3"}])
def test_what_is_no_whole_number_is_refused(wrong: dict[str, Any]) -> None:
    operand = layoutgen.arch("gfx942")["v_mfma_f32_32x32x8_f16"].operand("D")
    with pytest.raises(LayoutError, match="is no whole number"):
        operand.elements(**{"lane": 3, "register": 0, **wrong})
    with pytest.raises(LayoutError, match=r"i 3\.0 is no whole number"):
        operand.locate(**{"b": 0, "i": cast("int", 3.0), "j": 0})
