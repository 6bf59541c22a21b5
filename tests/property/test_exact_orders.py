"""The exact orders of small random loops, by trying all orders. A failure prints its seed as the test's parameter."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from asmgen.passes.schedule.modulo import DependenceEdge, LoopOrder, LoopProblem, Resource, loop_problems
from asmgen.passes.schedule.modulo.constraints import Constraints, Restriction
from asmgen.passes.schedule.modulo.exact import exact_order, with_branch
from asmgen.passes.schedule.modulo.fewer import fewer_registers
from asmgen.passes.schedule.modulo.legal import violations
from asmgen.passes.schedule.modulo.merged import merged
from asmgen.passes.schedule.modulo.problem import Use
from asmgen.passes.schedule.modulo.values import LoopValue, Reader, registers
from isa.registers import RegisterClass
from tests.unit.passes.test_least_interval import loop

STAGES = 3  # that are tried besides the first
SECONDS = 60.0
MANY_ORDERS = 17  # the seed of the loop with the most orders: half of the time of all
SEEDS = [pytest.param(seed, marks=pytest.mark.slow if seed == MANY_ORDERS else ()) for seed in range(24)]


def random_loop(draw: random.Random, piped: tuple[Resource, ...] = (Resource.LDS, Resource.MATRIX)) -> tuple[LoopProblem, list[LoopValue]]:
    """A loop of up to four instructions and a branch: an instruction issues for a clock or, one of two, for half of it. One
    of two uses a pipe."""
    (sample,) = loop_problems(loop("v_add_u32_e32 %x, 1, %old"))
    count = draw.randint(1, 4)
    code = [*[sample.instructions[0]] * count, sample.instructions[-1]]
    edges: list[DependenceEdge] = []
    for _ in range(draw.randint(0, 5)):
        earlier, later = draw.randrange(count), draw.randrange(count)
        trips = draw.randint(0, 1) if earlier < later else draw.randint(1, 2)
        edges.append(DependenceEdge(earlier, later, draw.randint(1, 4), trips))
    uses = [[Use(Resource.ISSUE, draw.choice((1, 2)))] for _ in range(count)]
    for some in uses:
        if draw.random() < 0.5:
            some.append(Use(draw.choice(piped), draw.choice((2, 3, 4))))
    values = [
        LoopValue(f"%{edge.earlier}", RegisterClass.VGPR, draw.randint(1, 3), edge.earlier, (Reader(edge.later, edge.trips),)) for edge in edges
    ]
    values += [LoopValue("%", RegisterClass.VGPR, 1, maker, ()) for maker in range(count) if draw.random() < 0.3]
    sharers = dict.fromkeys(Resource, 1)
    return with_branch(LoopProblem("loop", code, edges, [*uses, [Use(Resource.ISSUE, 2)]], sharers)), values


def all_orders(problem: LoopProblem, interval: int) -> Iterator[LoopOrder]:
    """Every legal order of an interval that has few stages."""
    last, starts = len(problem.instructions) - 1, range((STAGES + 1) * interval)
    fixed = [0] * last + [interval - 1]

    def place(number: int) -> Iterator[LoopOrder]:
        if number == last:
            order = LoopOrder(interval, list(fixed))
            if next(violations(problem, order), None) is None:
                yield order
            return
        for start in starts:
            fixed[number] = start
            if all(
                fixed[later] + trips * interval >= fixed[earlier] + clocks
                for earlier, later, clocks, trips in problem.edges
                if max(earlier, later) == number
            ):
                yield from place(number + 1)

    return place(0)


@pytest.mark.parametrize("seed", SEEDS)
def test_no_order_of_a_small_loop_is_better(seed: int) -> None:
    problem, values = random_loop(random.Random(seed))
    made = exact_order(problem, values, SECONDS)
    assert made.order is not None
    assert not list(violations(problem, made.order))
    assert made.least_interval == made.order.interval
    for interval in range(1, made.order.interval):
        assert next(all_orders(problem, interval), None) is None, interval
    fewest = min(sum(registers(values, order).values()) for order in all_orders(problem, made.order.interval))
    assert sum(registers(values, made.order).values()) == fewest
    assert made.least_vectors == fewest


@pytest.mark.parametrize("seed", range(1, 12))  # in the loop of seed 0, three instructions would have to move at once
def test_changes_at_random_find_the_fewest_registers_of_small_loops(seed: int) -> None:
    problem, values = random_loop(random.Random(seed))
    interval = next(interval for interval in range(2, 40) if next(all_orders(problem, interval), None) is not None)
    orders = list(all_orders(problem, interval))
    taken = [sum(registers(values, order).values()) for order in orders]
    constraints = Constraints(problem, interval, Restriction(False, 0, STAGES))
    worst = orders[taken.index(max(taken))]
    assert fewer_registers(constraints, merged(values), worst, 0, -1.0).interval == interval, "no time is left"
    made = fewer_registers(constraints, merged(values), worst, min(taken), 5.0)
    assert not list(violations(problem, made))
    assert sum(registers(values, made).values()) == min(taken)


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
                for most in (fewest - 1, fewest):
                    constraints = Constraints(problem, interval, restriction)
                    constraints.count_registers(lives, most, most)
                    constraints.begin_with(answer.order)
                    assert constraints.solve(SECONDS).is_refuted == (most < fewest)
                break
