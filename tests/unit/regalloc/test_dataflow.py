"""The worklist solver, both ways."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from regalloc.dataflow import elements, solve


def test_backward_around_a_loop() -> None:
    successors = [(1,), (2, 3), (1,), ()]
    predecessors = [(), (0, 2), (1,), (1,)]
    out, into = solve([3, 2, 1, 0], successors, predecessors, [0, 0b01, 0b10, 0b100], [0b10, 0, 0b01, 0])
    assert into == [0b101, 0b111, 0b110, 0b100]
    assert out == [0b111, 0b110, 0b111, 0]


def test_forward_at_a_join() -> None:
    successors = [(1, 2), (3,), (3,), ()]
    predecessors = [(), (0,), (0,), (1, 2)]
    into, out = solve([0, 1, 2, 3], predecessors, successors, [0b1, 0b10, 0b100, 0], [0, 0b1, 0, 0])
    assert into[3] == 0b111
    assert out[1] == 0b10


def test_blocks_outside_the_order_stay_empty() -> None:
    into, out = solve([0], [(), (0,)], [(1,), ()], [0b1, 0b1], [0, 0])
    assert (into, out) == ([0, 0], [1, 0])


@given(st.sets(st.integers(0, 3000)))
def test_elements(units: set[int]) -> None:
    assert elements(sum(1 << unit for unit in units)) == sorted(units)
