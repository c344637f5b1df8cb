"""cbsz, abid and blgp: what is legal, and which lane is read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from layoutgen.expr import Var, evaluate
from layoutgen.modifiers import BLGP_LANES, IllegalModifier, ModifierRules, Modifiers, Reroute

FOUR = ModifierRules(blocks=4, m=16)
SIXTEEN = ModifierRules(blocks=16, m=4)
ONE = ModifierRules(blocks=1, m=32)

# CDNA1 manual: the lane that B is read from for natural lane l.
MANUAL = {
    0: lambda lane: lane,
    1: lambda lane: lane % 32,
    2: lambda lane: lane % 32 + 32,
    3: lambda lane: (lane + 16) % 64,
    4: lambda lane: lane % 16,
    5: lambda lane: lane % 16 + 16,
    6: lambda lane: lane % 16 + 32,
    7: lambda lane: lane % 16 + 48,
}


@pytest.mark.parametrize("code", range(8))
def test_blgp_reads_the_lanes_of_the_manual(code: int) -> None:
    reroute = BLGP_LANES[code]
    for lane in range(64):
        assert (reroute.lane(lane) if reroute else lane) == MANUAL[code](lane)


def test_cbsz_broadcasts_within_groups_of_blocks() -> None:
    for blocks, m in ((2, 32), (4, 16), (16, 4)):
        rules = ModifierRules(blocks, m)
        for modifiers in rules.combinations():
            if not modifiers.cbsz or modifiers.blgp:
                continue
            reroute = rules.reroute("A", modifiers)
            assert reroute is not None
            size = 2**modifiers.cbsz
            for lane in range(64):
                block = lane // m
                source = size * (block // size) + modifiers.abid
                assert reroute.lane(lane) == lane % m + m * source


def test_readings_of_cbsz_differ_only_where_the_group_is_smaller_than_all_blocks() -> None:
    for rules in (ModifierRules(2, 32), FOUR, SIXTEEN):
        for modifiers in rules.combinations():
            partial = bool(modifiers.cbsz) and 2**modifiers.cbsz < rules.blocks
            assert rules.readings_differ(modifiers) == partial
            other = rules.global_reading(modifiers)
            if other:
                step = 64 >> modifiers.cbsz
                assert [other.lane(lane) for lane in range(64)] == [
                    lane % step + step * modifiers.abid for lane in range(64)
                ]


def test_modifiers_leave_the_other_operands_alone() -> None:
    every = Modifiers(cbsz=2, abid=1, blgp=5)
    assert FOUR.reroute("C", every) is FOUR.reroute("D", every) is None
    assert FOUR.reroute("A", Modifiers(blgp=5)) is None
    assert FOUR.reroute("B", Modifiers(cbsz=2, abid=1)) is None


@given(
    st.sampled_from([1, 2, 4, 16, 32]),
    st.sampled_from([1, 2, 4]),
    st.integers(0, 3),
    st.booleans(),
    st.integers(0, 63),
)
def test_readers_and_expression_agree_with_the_lane(
    stride: int, size: int, value: int, rotate: bool, lane: int
) -> None:
    reroute = Reroute(stride, size, value % size, rotate)
    source = reroute.lane(lane)
    assert lane in reroute.readers(source)
    assert reroute.readers(lane) == [r for r in range(128) if reroute.lane(r) == lane][:size]
    assert evaluate(reroute.expression(Var("l", 128)), {"l": lane}) == source


def test_combinations_are_those_that_check_accepts() -> None:
    for rules in (ONE, ModifierRules(2, 32), FOUR, SIXTEEN):
        accepted = set()
        for cbsz in range(8):
            for abid in range(16):
                for blgp in range(9):
                    try:
                        checked = rules.check({"cbsz": cbsz, "abid": abid, "blgp": blgp})
                    except IllegalModifier:
                        continue
                    accepted.add(checked)
        assert accepted == set(rules.combinations())
    assert len(list(SIXTEEN.combinations())) == (1 + 2 + 4 + 8 + 16) * 8


@pytest.mark.parametrize(
    ("rules", "given_values", "message"),
    [
        (ONE, {"cbsz": 1}, "must be 0: the instruction has one block"),
        (ONE, {"abid": 1}, "must be 0: the instruction has one block"),
        (FOUR, {"cbsz": 3}, "cbsz 3 is not in 0 to 2: .* the instruction has 4 blocks"),
        (FOUR, {"cbsz": -1}, "cbsz -1 is not in 0 to 2"),
        (FOUR, {"abid": 1}, "abid 1 is not 0: with cbsz 0 it chooses one of 2\\^0 = 1 blocks"),
        (FOUR, {"cbsz": 1, "abid": 2}, "abid 2 is not in 0 to 1"),
        (FOUR, {"blgp": 8}, "blgp 8 is not in 0 to 7"),
        (FOUR, {"blgp": -1}, "blgp -1 is not in 0 to 7"),
        (ModifierRules(1, 16, blgp=False), {"blgp": 1}, "no lane patterns"),
        (FOUR, {"neg": 1}, "no modifier 'neg': this instruction has cbsz, abid and blgp"),
    ],
)
def test_illegal_modifiers_are_refused_with_the_reason(
    rules: ModifierRules, given_values: dict[str, int], message: str
) -> None:
    with pytest.raises(IllegalModifier, match=message):
        rules.check(given_values)


def test_modifiers_print_as_the_assembler_writes_them() -> None:
    assert str(Modifiers(cbsz=1, abid=1)) == "cbsz:1 abid:1"
    assert str(Modifiers()) == ""
