"""The exact orders of small random loops, by trying all orders. A failure prints its seed as the test's parameter."""

from __future__ import annotations

import random

import pytest

from asmgen.passes.schedule.modulo import LoopOrder, LoopProblem, Resource
from asmgen.passes.schedule.modulo.constraints import Constraints
from asmgen.passes.schedule.modulo.distances import Restriction
from asmgen.passes.schedule.modulo.exact import exact_order
from asmgen.passes.schedule.modulo.fewer import fewer_registers
from asmgen.passes.schedule.modulo.least_in_order import least_by_rules, least_in_order
from asmgen.passes.schedule.modulo.legal import violations
from asmgen.passes.schedule.modulo.merged import merged
from asmgen.passes.schedule.modulo.values import registers
from tests.small_loops import GROUP, MANY_ORDERS, SEEDS, STAGES, all_orders, orders_of, random_loop

SECONDS = 60.0
pytestmark = GROUP


@pytest.mark.parametrize("seed", SEEDS)
def test_no_order_of_a_small_loop_is_better(seed: int) -> None:
    problem, values = random_loop(random.Random(seed))
    made = exact_order(problem, values, SECONDS)
    assert made.order is not None
    assert not list(violations(problem, made.order))
    assert made.least_interval == made.order.interval
    orders = orders_of(seed)
    assert made.order.interval == orders.interval
    assert sum(registers(values, made.order).values()) == made.least_vectors == orders.fewest


@pytest.mark.parametrize("seed", range(1, 12))  # in the loop of seed 0, three instructions would have to move at once
def test_changes_at_random_find_the_fewest_registers_of_small_loops(seed: int) -> None:
    problem, values = random_loop(random.Random(seed))
    orders = orders_of(seed)
    constraints = Constraints(problem, orders.interval, Restriction(False, 0, STAGES))
    assert fewer_registers(constraints, merged(values), orders.worst, 0, -1.0).interval == orders.interval, "no time is left"
    made = fewer_registers(constraints, merged(values), orders.worst, orders.fewest, 5.0)
    assert not list(violations(problem, made))
    assert sum(registers(values, made).values()) == orders.fewest


def keeps_order(problem: LoopProblem, order: LoopOrder, is_even: bool) -> bool:
    """Whether the matrix instructions of a trip are in their order, and before those of the next trip."""
    of_matrix = [
        (order.start[number], -(-use.halves // 2)) for number, uses in enumerate(problem.uses) for use in uses if use.resource is Resource.MATRIX
    ]
    if not of_matrix:
        return True
    starts = [start for start, _ in of_matrix]
    ends = [start + clocks for start, clocks in of_matrix]
    even = [starts[0] + at * order.interval // len(starts) for at in range(len(starts))]
    return all(end <= start for end, start in zip(ends, [*starts[1:], starts[0] + order.interval], strict=True)) and starts in (
        [even] if is_even else [starts]
    )


@pytest.mark.parametrize("seed", [seed for seed in range(12) if seed != MANY_ORDERS])
def test_an_order_of_matrix_instructions_is_kept_with_the_fewest_registers(seed: int) -> None:
    problem, values = random_loop(random.Random(seed), (Resource.MATRIX,))
    lives = merged(values)
    for is_even in (False, True):
        restriction = Restriction(True, 0, STAGES, is_even)
        for interval in range(2, 8):
            kept = [order for order in all_orders(problem, interval) if keeps_order(problem, order, is_even)]
            answer = Constraints(problem, interval, restriction).solve(SECONDS)
            assert answer.is_refuted == (not kept)
            if answer.order is not None:
                assert keeps_order(problem, answer.order, is_even)
                fewest = min(sum(registers(values, order).values()) for order in kept)
                windows = Constraints(problem, interval, restriction).windows
                places = Constraints(problem, interval, restriction).places
                for order in kept:
                    pairs = zip(places(order), windows, strict=True)
                    assert all(first <= place <= last for place, (first, last) in pairs)
                assert is_even or least_in_order(problem, values, interval, fewest + 9) <= fewest
                for most in (fewest - 1, fewest):
                    constraints = Constraints(problem, interval, restriction)
                    assert least_by_rules(constraints.rules, lives, fewest + 9) <= fewest
                    constraints.count_registers(lives, most, most)
                    constraints.begin_with(answer.order)
                    assert constraints.solve(SECONDS).is_refuted == (most < fewest)
                break
