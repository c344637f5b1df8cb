"""``layoutgen format`` and ``layoutgen hazards``."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("gfx942 fp8 0x40", "fp8 0x40 = 0 1000 000 = 1"),
        ("gfx950 fp8 0x40", "fp8 0x40 = 0 1000 000 = 2"),
        ("gfx942 fp8 0x7f", "fp8 0x7f = 0 1111 111 = 240"),
        ("gfx950 fp8 0x7e", "fp8 0x7e = 0 1111 110 = 448"),
        ("gfx942 fp8 0x80", "fp8 0x80 = 1 0000 000 = NaN"),
        ("gfx950 bf8 0x7c", "bf8 0x7c = 0 11111 00 = infinity"),
        ("gfx950 e8m0 0", "e8m0 0x00 = 00000000 = 2^-127"),
        ("gfx950 fp6 31", "fp6 0x1f = 0 11 111 = 7.5"),
        ("gfx950 bf6 1", "bf6 0x01 = 0 000 01 = 0.0625"),
        ("gfx942 i8 0xff", "i8 0xff = 11111111 = -1"),
        ("gfx942 pair 13", "pair 0xd = 1101 = k 1 and 3 of the group"),
        ("gfx950 e4m3 --of 1", "fp8 0x38 = 0 0111 000 = 1"),
        ("gfx942 e4m3 --of 1", "fp8 0x40 = 0 1000 000 = 1"),
        ("gfx950 fp4 --of 2.5", "fp4 0x4 = 0 10 0 = 2"),
        ("gfx950 fp4 --of 1000", "fp4 0x7 = 0 11 1 = 6"),
        ("gfx950 bf8 --of=-inf", "bf8 0xfc = 1 11111 00 = -infinity"),
        ("gfx950 bf8 --of -inf", "bf8 0xfc = 1 11111 00 = -infinity"),
        ("gfx950 bf8 --of -1e-3", "bf8 0x94 = 1 00101 00 = -2^-10"),
        ("gfx950 fp4 --of -0.0", "fp4 0x8 = 1 00 0 = -0"),
        ("gfx950 fp4 --of -0.1", "fp4 0x8 = 1 00 0 = -0"),
        ("gfx950 fp4 --of 0", "fp4 0x0 = 0 00 0 = 0"),
        (
            "gfx950 f32 0x3f801000",
            f"f32 0x3f801000 = 0 01111111 00{8 * '0'}1{12 * '0'} = 2049·2^-11 = 1.00048828125",
        ),
        ("gfx942 xf32 0x3f800000", "xf32 0x3f800000 = 0 01111111 0000000000 0000000000000 = 1"),
        ("gfx950 bf16 --of 3.140625", "bf16 0x4049 = 0 10000000 1001001 = 3.140625"),
    ],
)
def test_what_a_code_stands_for(layoutgen, question: str, expected: str) -> None:
    answer = layoutgen(f"format {question}")
    assert (answer.code, answer.out) == (0, f"{expected}\n")


def test_neutral_scale_and_its_neighbours(layoutgen) -> None:
    answer = layoutgen("format gfx950 e8m0 127 126 129 0 -f json")
    assert [code["value"] for code in answer.json["codes"]] == [1.0, 0.5, 4.0, 2.0**-127]
    told = layoutgen("format gfx950 e8m0 0").err
    assert "the compiler takes the instruction without scales" in told


def test_xf32_is_what_the_multiplier_takes(layoutgen) -> None:
    answer = layoutgen("format gfx942 xf32 0x3f801fff 0x3f800fff 0x7f800001")
    first, second, third = answer.lines
    assert first.endswith("= 1; stored is the FP32 number 8396799·2^-23 ≈ 1.00097644")
    assert second.endswith("= 1; stored is the FP32 number 8392703·2^-23 ≈ 1.00048816")
    assert third.endswith("= NaN")
    assert answer.err.count("note") == 1
    assert "xf32 0x3f801fff, rounded to 10 bits, is 1025·2^-10 = 1.0009765625" in answer.err
    [code] = layoutgen("format gfx942 xf32 0x3f801fff -f json").json["codes"]
    assert (code["value"], code["stored"]) == (1.0, 8396799 / 2**23)
    assert layoutgen("format gfx942 xf32 1 -f csv").lines[0] == "format,code,bits,value,stored"


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("mi200 f16 1", "f16 0x0001 is a subnormal number; instructions of gfx90a: of A, B flush"),
        ("mi200 bf16 1 2", "bf16 0x0001, bf16 0x0002 are subnormal numbers; "),
        ("mi200 f32 1", "of C, D as MODE says with A in f32; of C, D flushed with A in f16, bf16"),
        ("gfx942 f32 1", "of A, B as MODE says; of C, D kept"),
        ("gfx942 f32 1", "sources disagree about A and B: The flags of MODE are ignored"),
    ],
)  # fmt: skip
def test_subnormal_numbers_are_told(layoutgen, question: str, told: str) -> None:
    assert told in layoutgen(f"format {question}").err


@pytest.mark.parametrize(
    "question", ["mi200 f16 0x0400", "mi200 f16 0", "gfx942 f16 1", "mi200 i8 1"]
)
def test_nothing_is_told_of_numbers_that_are_kept(ask, question: str) -> None:
    ask(f"format {question}")


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("gfx950 e8m0 --of -1", "e8m0 has no sign: -1 is out of range"),
        ("gfx950 e8m0 --of 0", "e8m0 has no zero"),
        ("gfx942 fp8 --of -0.0", "fp8 has no -0"),
    ],
)
def test_what_cannot_be_held_is_told(layoutgen, question: str, told: str) -> None:
    answer = layoutgen(f"format {question}")
    assert answer.code == 0
    assert told in answer.err


def test_a_format_by_itself(ask) -> None:
    for arch, largest, smallest in (("gfx942", "240", "2^-10"), ("gfx950", "448", "2^-9")):
        facts = dict(line.split(maxsplit=1) for line in ask(f"format {arch} fp8").lines[1:])
        assert (facts["max"], facts["bias"]) == (largest, {"240": "8", "448": "7"}[largest])
        assert next(line.split() for line in ask(f"format {arch} fp8").lines if " min  " in line)[
            1
        ] == (smallest)


def test_all_formats_of_an_architecture(ask) -> None:
    listed = [line.split()[0] for line in ask("format gfx950").lines[1:]]
    assert listed == [
        "f32", "f16", "bf16", "i8", "i32", "f64", "bf8", "fp8", "fp6", "bf6", "fp4", "e8m0", "pair",
    ]  # fmt: skip
    document = ask("format gfx942 -f json").json["formats"]
    assert document["xf32"]["encoding"]["precision"] == 10
    assert document["fp8"]["encoding"]["nans"] == [[0x80, 0x80]]
    assert document["i8"]["encoding"] is None


@pytest.mark.parametrize(
    ("arch", "waits"), [("gfx942", ["5", "7", "11", "19"]), ("gfx950", ["5", "8", "12", "20"])]
)
def test_wait_states_by_passes(ask, arch: str, waits: list[str]) -> None:
    head, *rows = (line.split(",") for line in ask(f"hazards {arch} -f csv -q").lines)
    assert head[2:] == ["2 passes", "4 passes", "8 passes", "16 passes"]
    [found] = [row for row in rows if row[0] == "XDL writes D" and "FLAT use it" in "".join(row)]
    assert found[-4:] == waits


def test_wait_states_after_an_instruction(layoutgen) -> None:
    answer = layoutgen("hazards gfx950 v_mfma_f32_16x16x32_f16 -f json")
    waits = {w["then"]: w["states"] for w in answer.json["wait_states"]}
    assert waits["VALU, VMEM, LDS or FLAT use it"] == 8
    assert "needs 5 wait states" in answer.err
    narrow = layoutgen("hazards gfx950 v_mfma_f32_16x16x128_f8f6f4 --cbsz 4 --blgp 4 -f json")
    assert {w["then"]: w["states"] for w in narrow.json["wait_states"]} == waits
