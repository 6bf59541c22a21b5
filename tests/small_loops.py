"""Random loops of few instructions, and all their orders, by trying each.

Tests of several files ask for the orders of the same loops: they are in a group, and the orders are tried once.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

import pytest

from asmgen.passes.schedule.modulo import DependenceEdge, LoopOrder, LoopProblem, Resource, loop_problems
from asmgen.passes.schedule.modulo.exact import with_branch
from asmgen.passes.schedule.modulo.legal import violations
from asmgen.passes.schedule.modulo.problem import Use
from asmgen.passes.schedule.modulo.values import LoopValue, Reader, registers
from isa.registers import RegisterClass
from tests.unit.passes.test_least_interval import loop

GROUP = pytest.mark.xdist_group("orders of small loops")
STAGES = 3  # that are tried besides the first
SAMPLED = 40  # one order of so many
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
    edges = [[edge for edge in problem.edges if max(edge.earlier, edge.later) == number] for number in range(last + 1)]

    def place(number: int) -> Iterator[LoopOrder]:
        if number == last:
            order = LoopOrder(interval, list(fixed))
            if next(violations(problem, order), None) is None:
                yield order
            return
        for start in starts:
            fixed[number] = start
            if all(fixed[later] + trips * interval >= fixed[earlier] + clocks for earlier, later, clocks, trips in edges[number]):
                yield from place(number + 1)

    return place(0)


class Orders(NamedTuple):
    """Facts of all orders of the least interval that has an order. `fewest` registers, and `worst`, an order that takes most."""

    interval: int
    fewest: int
    worst: LoopOrder
    sample: list[LoopOrder]


@cache
def orders_of(seed: int) -> Orders:
    problem, values = random_loop(random.Random(seed))
    interval = next(interval for interval in range(1, 40) if next(all_orders(problem, interval), None) is not None)
    orders = list(all_orders(problem, interval))
    taken = [sum(registers(values, order).values()) for order in orders]
    return Orders(interval, min(taken), orders[taken.index(max(taken))], orders[::SAMPLED])
