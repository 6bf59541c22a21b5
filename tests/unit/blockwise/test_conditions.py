"""Two conditions that bound an index on both sides are a single range."""

from __future__ import annotations

import pytest

from asmgen.blockwise.actions import Below
from asmgen.blockwise.lowering.addresses.conditions import range_of
from asmgen.index import Index, constant, symbol

INDEX, OTHER = symbol("i", -20, 20), symbol("j", -20, 20)
ABOVE, BELOW = Below(constant(2), INDEX), Below(INDEX, constant(10))


@pytest.mark.parametrize(
    ("one", "other"),
    [(ABOVE, BELOW), (BELOW, ABOVE), (Below(constant(0), INDEX + 3), Below(INDEX + 3, constant(7))), (Below(constant(-5), INDEX), BELOW)],
)
def test_a_range_holds_what_both_conditions_hold(one: Below, other: Below) -> None:
    def holds(condition: Below, value: int) -> bool:
        left, right = ((side - INDEX + value if side.terms else side).constant for side in condition)
        return left < right

    found = range_of(one, other)
    assert found is not None and found.of == INDEX
    for value in range(-20, 21):
        assert (found.first <= value < found.first + found.length) == (holds(one, value) and holds(other, value))


@pytest.mark.parametrize(
    "other",
    [True, Below(constant(9), INDEX), Below(OTHER, constant(10)), Below(INDEX, OTHER), Below(INDEX, constant(2)), Below(INDEX, constant(1 << 30))],
    ids=["is known", "bounds the same side", "is of another index", "has no constant", "leaves nothing", "is too far away"],
)
def test_it_is_no_range_if_the_other_condition(other: Below | bool) -> None:
    assert range_of(ABOVE, other) is None


def test_an_index_that_overflows_has_no_range() -> None:
    far: Index = symbol("far", 0, 1 << 30)
    assert range_of(Below(constant(2), far), Below(far, constant(10))) is None
