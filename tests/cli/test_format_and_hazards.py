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
