"""The layout algebra: both directions, tables, bases, and what is refused."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from layoutgen.digits import Digit, Layout, LayoutError

COORDINATES = ("b", "i", "k", "j")


@st.composite
def layouts(draw: st.DrawFn) -> Layout:
    """A random regrouping of up to seven digits, with replicas and holes."""
    sizes = draw(st.lists(st.integers(1, 4), min_size=1, max_size=6))
    digits = [Digit(f"d{n}", size) for n, size in enumerate(sizes)]
    names = COORDINATES[: draw(st.integers(1, 3))]
    cut: dict[str, list[Digit]] = {name: [] for name in names}
    lane: list[Digit] = []
    item: list[Digit] = []
    for digit in draw(st.permutations(digits)):
        cut[draw(st.sampled_from(names))].append(digit)
    for digit in draw(st.permutations(digits)):
        (lane if draw(st.booleans()) else item).append(digit)
    if draw(st.booleans()):
        lane.insert(draw(st.integers(0, len(lane))), Digit("copy", 2))
    fixed = {}
    if draw(st.booleans()):
        item.insert(draw(st.integers(0, len(item))), Digit("hole", 3))
        fixed = {"hole": draw(st.integers(0, 2))}
    coordinates = {name: tuple(part) for name, part in cut.items()}
    return Layout(coordinates, tuple(lane), tuple(item), fixed)


@given(layouts())
def test_inverse_undoes_forward_for_every_element(layout: Layout) -> None:
    seen = set()
    for row in layout.table().tolist():
        *values, lane, item = row
        coordinates = dict(zip(layout.shape, values, strict=True))
        assert (lane, item) in layout.forward(**coordinates)
        assert layout.inverse(lane, item) == coordinates
        seen.add((lane, item))
    assert len(seen) == len(layout.table())


@given(layouts())
def test_forward_undoes_inverse_for_every_slot(layout: Layout) -> None:
    held = 0
    for lane in range(layout.lanes):
        for item in range(layout.items):
            coordinates = layout.inverse(lane, item)
            if coordinates is not None:
                held += 1
                assert (lane, item) in layout.forward(**coordinates)
    assert held == len(layout.table())
    assert layout.items * layout.lanes == held * (3 if layout.fixed else 1)


@given(layouts(), st.integers(0, 2))
def test_a_hole_is_fixed_to_another_value_without_moving_anything_else(
    layout: Layout, value: int
) -> None:
    other = layout.fix(value)
    assert other.held * layout.lanes == len(layout.table())
    assert [hole.name for hole in other.holes] == list(layout.fixed)
    assert set(other.fixed.values()) <= {value}
    moved = other.table() - layout.table()
    assert not moved[:, :-1].any()
    step = next((p.stride for p in layout.places if p.digit.name == "hole"), 0)
    assert set(moved[:, -1].tolist()) == {step * (value - layout.fixed.get("hole", value))}


@given(layouts())
def test_table_is_in_order_of_the_coordinates(layout: Layout) -> None:
    rows = [tuple(row) for row in layout.table()[:, :-1].tolist()]
    assert rows == sorted(rows)


def accumulator(blocks: int = 2) -> Layout:
    sub, half, band = Digit("sub", 4), Digit("half", 2), Digit("band", 4)
    col, block = Digit("col", 32), Digit("block", blocks)
    return Layout(
        {"b": (block,), "i": (sub, half, band), "j": (col,)}, (col, half), (sub, band, block)
    )


def test_accumulator_of_a_32x32_tile() -> None:
    layout = accumulator()
    assert layout.forward(b=1, i=13, j=7) == [(39, 21)]
    assert layout.inverse(39, 21) == {"b": 1, "i": 13, "j": 7}
    assert (layout.lanes, layout.items) == (64, 32)
    assert layout.table().shape == (2048, 5)
    assert layout.table().dtype == np.int64


def test_bases_give_every_slot_by_exclusive_or() -> None:
    layout = accumulator()
    bases = layout.bases()
    assert bases["lane"][:5] == [(0, 0, 1), (0, 0, 2), (0, 0, 4), (0, 0, 8), (0, 0, 16)]
    assert bases["lane"][5] == (0, 4, 0)
    assert bases["item"] == [(0, 1, 0), (0, 2, 0), (0, 8, 0), (0, 16, 0), (1, 0, 0)]
    choose = random.Random(3)
    for _ in range(50):
        lane, item = choose.randrange(64), choose.randrange(32)
        found = [0, 0, 0]
        for side, value in (("lane", lane), ("item", item)):
            for bit, basis in enumerate(bases[side]):
                if value >> bit & 1:
                    found = [a ^ b for a, b in zip(found, basis, strict=True)]
        assert layout.inverse(lane, item) == dict(zip("bij", found, strict=True))


def test_bases_need_powers_of_two() -> None:
    three = Digit("three", 3)
    with pytest.raises(LayoutError, match="'three' has 3 values: linear layouts need powers"):
        Layout({"i": (three,)}, (three,), ()).bases()


A, B = Digit("a", 2), Digit("b", 2)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (({"i": (A, A)}, (A,), ()), "digit 'a' stands twice in coordinates"),
        (({"i": (A,)}, (A,), (A,)), "digit 'a' stands twice in lane and item"),
        (({"i": (A, B)}, (A,), ()), "digit 'b' stands neither in lane nor in item"),
        (({"i": (A,)}, (A,), (B,)), "item digit 'b' belongs to no coordinate"),
        (({"i": (A,)}, (A,), (B,), {"b": 2}), "item digit 'b' belongs to no coordinate"),
    ],
)
def test_digits_that_make_no_layout_are_refused(arguments: tuple, message: str) -> None:
    with pytest.raises(LayoutError, match=message):
        Layout(*arguments)


@pytest.mark.parametrize(
    ("coordinates", "message"),
    [
        ({"b": 0, "i": 32, "j": 0}, "i 32 is out of range: 0 to 31"),
        ({"b": 0, "i": -1, "j": 0}, "i -1 is out of range: 0 to 31"),
        ({"b": 0, "i": 0}, "coordinate 'j' is missing"),
        ({"b": 0, "i": 0, "j": 0, "k": 0}, "no coordinate 'k': there are b, i, j"),
    ],
)
def test_wrong_coordinates_are_refused(coordinates: dict[str, int], message: str) -> None:
    with pytest.raises(LayoutError, match=message):
        accumulator().forward(**coordinates)


def test_a_coordinate_that_can_only_be_0_may_be_left_out() -> None:
    layout = Layout({"b": (), "i": (Digit("row", 4),)}, (Digit("row", 4),), ())
    assert layout.forward(i=3) == layout.forward(b=0, i=3) == [(3, 0)]
    with pytest.raises(LayoutError, match="b 1 is out of range: 0 to 0"):
        layout.forward(b=1, i=3)


def test_wrong_slots_are_refused() -> None:
    with pytest.raises(LayoutError, match="lane 64 is out of range: 0 to 63"):
        accumulator().inverse(64, 0)
    with pytest.raises(LayoutError, match="item 32 is out of range: 0 to 31"):
        accumulator().inverse(0, 32)
