"""Modifier fields: what is legal, and how operands are read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from layoutgen.actions import (
    AS_LAID_OUT,
    Access,
    Broadcast,
    ByteSelect,
    FormatCode,
    IndexSet,
    LanePattern,
    Negation,
)
from layoutgen.expr import Var, evaluate
from layoutgen.modifiers import BLGP_LANES, IllegalModifier, ModifierRules, Modifiers, Reroute


def dense(blocks: int, m: int) -> ModifierRules:
    return ModifierRules(blocks, (Broadcast(blocks, m), LanePattern()))


FOUR, SIXTEEN, ONE = dense(4, 16), dense(16, 4), dense(1, 32)
NO_LANES = ModifierRules(1, (Broadcast(1, 16),))
F64 = ModifierRules(1, (Negation(("A", "B", "C")),))
SPARSE = ModifierRules(1, (IndexSet(4),))
ONE_SET = ModifierRules(1, (IndexSet(1),))
NAMES = ("fp8", "bf8", "fp6", "bf6", "fp4")
SCALED = ModifierRules(
    1,
    (
        FormatCode("A", NAMES),
        FormatCode("B", NAMES),
        ByteSelect("scale_a", 4),
        ByteSelect("scale_b", 4),
    ),
)

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
        rules = dense(blocks, m)
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
    for rules in (dense(2, 32), FOUR, SIXTEEN):
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
    for rules in (ONE, dense(2, 32), FOUR, SIXTEEN, NO_LANES, SPARSE, ONE_SET, SCALED):
        accepted = set()
        for cbsz in range(8):
            for abid in range(16):
                for blgp in range(9):
                    try:
                        checked = rules.check({"cbsz": cbsz, "abid": abid, "blgp": blgp})
                    except IllegalModifier:
                        continue
                    accepted.add(checked)
        legal = set(rules.combinations())
        assert accepted == {m for m in legal if not (m.op_sel_a or m.op_sel_b)}
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
        (NO_LANES, {"blgp": 1}, "blgp 1 is not 0: the instruction has no lane patterns"),
        (F64, {"cbsz": 1}, "cbsz 1 is not 0: the instruction makes no use of it"),
        (F64, {"neg": 8}, "neg 8 is not in 0 to 7: bit 0 negates A, bit 1 B, bit 2 C"),
        (F64, {"blgp": 3, "neg": 5}, "blgp 3 and neg 5: they are the same field"),
        (ModifierRules(1, (Negation(("A",)),)), {"neg": 2}, "neg 2: .* cannot negate B"),
        (SPARSE, {"abid": 4}, "abid 4 is not in 0 to 3: the index register holds 4 sets"),
        (SPARSE, {"cbsz": 1, "abid": 1}, "abid 1 is not 0: with cbsz 1 the first set"),
        (SPARSE, {"cbsz": 4}, "cbsz 4 is not in 0 to 3: with 0 abid chooses the set"),
        (ONE_SET, {"abid": 1}, "must be 0: the index register holds one set"),
        (SCALED, {"cbsz": 5}, "cbsz 5 is not in 0 to 4, the format of A: 0 fp8, 1 bf8, 2 fp6"),
        (SCALED, {"blgp": 5}, "blgp 5 is not in 0 to 4, the format of B"),
        (SCALED, {"abid": 1}, "abid 1 is not 0"),
        (SCALED, {"op_sel_b": 4}, "op_sel_b 4 is not in 0 to 3: it is a byte of the register"),
        (SCALED, {"op_sel": (1, 2, 3)}, "op_sel takes one value, or one for A and one for B"),
        (FOUR, {"op_sel_a": 1}, "no modifier 'op_sel_a': this instruction has cbsz, abid and"),
        (FOUR, {"cbsz": 1.0}, "cbsz 1.0 is no whole number"),
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
    assert str(Modifiers(neg=5)) == "neg:[1,0,1]"
    assert str(Modifiers(op_sel_b=1)) == "op_sel:[0,1,0] op_sel_hi:[0,0,0]"
    assert str(Modifiers(blgp=4, op_sel_a=3)) == "op_sel:[1,0,0] op_sel_hi:[1,0,0] blgp:4"
    assert str(Modifiers()) == ""


def test_a_field_of_other_instructions_may_be_given_as_zero() -> None:
    assert FOUR.check({"neg": 0, "op_sel": 0, "cbsz": 1}) == Modifiers(cbsz=1)
    assert SPARSE.check({"cbsz": 0, "abid": 3, "blgp": 0}) == Modifiers(abid=3)


def test_op_sel_stands_for_both_scales_or_is_a_pair() -> None:
    assert SCALED.check({"op_sel": 2}) == Modifiers(op_sel_a=2, op_sel_b=2)
    assert SCALED.check({"op_sel": (0, 1)}) == SCALED.check({"op_sel_b": 1})


def test_neg_is_the_field_that_the_builtin_calls_blgp() -> None:
    assert F64.check({"blgp": 5}) == F64.check({"neg": 5}) == Modifiers(neg=5)
    assert F64.check({"blgp": 5, "neg": 0}) == F64.check({"blgp": 5, "neg": 5})


def test_negation_changes_signs_and_nothing_else() -> None:
    for mask in range(8):
        read = [F64.access(operand, Modifiers(neg=mask)) for operand in "ABCD"]
        assert [r.negated for r in read] == [bool(mask & 1), bool(mask & 2), bool(mask & 4), False]
        assert {r.reroute for r in read} == {None}


def test_abid_chooses_the_set_of_indices_where_cbsz_is_zero() -> None:
    assert [SPARSE.access("index", m).hole for m in SPARSE.combinations()] == [0, 1, 2, 3, 0, 0, 0]
    assert {SPARSE.access("A", m) for m in SPARSE.combinations()} == {AS_LAID_OUT}


def test_codes_and_bytes_act_on_their_own_operand() -> None:
    every = Modifiers(cbsz=4, blgp=2, op_sel_a=1, op_sel_b=3)
    assert SCALED.access("A", every) == Access(code=4)
    assert SCALED.access("B", every) == Access(code=2)
    assert SCALED.access("scale_a", every) == Access(hole=1)
    assert SCALED.access("scale_b", every) == Access(hole=3)
    assert SCALED.access("D", every) == AS_LAID_OUT
    assert len(list(SCALED.combinations())) == 5 * 5 * 4 * 4


def test_legal_values_are_told_for_every_field() -> None:
    assert SPARSE.legal() == {"cbsz": [0, 1, 2, 3], "abid": [0, 1, 2, 3], "blgp": [0]}
    assert F64.legal() == {"cbsz": [0], "abid": [0], "blgp": [0], "neg": list(range(8))}
    assert list(SCALED.legal()) == ["cbsz", "abid", "blgp", "op_sel_a", "op_sel_b"]


def test_what_is_no_broadcast_and_no_lane_pattern_is_not_taken_for_one() -> None:
    for rules in (SCALED, SPARSE, F64):
        assert (rules.cbsz, rules.blgp_codes) == (range(1), range(1))
        assert not any(map(rules.readings_differ, rules.combinations()))
