"""Loops with overlapping trips compute the same: random loops, in orders of the heuristic for random
latencies.

Each loop runs as it is, and in its order with one to three copies of the kernel: on virtual registers, and as
text with the sanitizer on after the passes that come later. An ordinary run tries 40 loops; the slow set
tries 1,000.
"""

from __future__ import annotations

import math
import random
from collections import Counter

import numpy as np
import pytest

from asmgen.emission.emit import emit
from asmgen.passes.schedule import schedule
from asmgen.passes.schedule.carried import before_carried_loads
from asmgen.passes.schedule.modulo.bound import least_interval, takes_longer
from asmgen.passes.schedule.modulo.choices import MOST_COPIES
from asmgen.passes.schedule.modulo.clocks import awaited_edges, clocks_of_loads, clocks_of_order, stages
from asmgen.passes.schedule.modulo.heuristic import Wanted, lifetime_edges, modulo_order
from asmgen.passes.schedule.modulo.legal import Rule, violations
from asmgen.passes.schedule.modulo.loop_code import in_order
from asmgen.passes.schedule.modulo.order import LoopOrder
from asmgen.passes.schedule.modulo.problem import LoopProblem, Resource, problems_of
from asmgen.passes.schedule.modulo.rotate import headed_loops, rotated
from asmgen.passes.schedule.modulo.shape import shape_of
from asmgen.pipeline import final_passes
from isa.emulator import run, run_kernel
from isa.program import Kernel
from regalloc import allocate, check, rewrite
from regalloc.verify import verify
from tests.property.modulo_loops import RandomLoop, random_loop
from tests.unit.select.running import difference

TARGETS = ("gfx942", "gfx1100", "gfx90a", "gfx950")
LOOPS, MORE_LOOPS = range(40), range(1000, 2000)
RUN = LOOPS[:24]  # on the emulator too
GRID = (1, 1, 1)


def as_one_block(kernel: Kernel) -> tuple[Kernel, int]:
    """The kernel with its loop as a loop of one block, and the number of that block."""
    label = "loop"
    for loop in list(headed_loops(kernel)):
        kernel, label = rotated(kernel, loop), "body"
        verify(kernel)
    return kernel, next(number for number, block in enumerate(kernel.blocks) if block.label == label)


def overlapping(made: RandomLoop, draw: random.Random, seen: Counter[str]) -> Kernel | None:
    """The kernel in an order for latencies drawn at random; None if there is none."""
    kernel, number = as_one_block(made.kernel)
    shape = shape_of(kernel, number)
    assert shape is not None
    (problem,) = problems_of(kernel, [number])
    latency = draw.choice((1, 40, 200, 800))
    edges = [edge._replace(clocks=edge.clocks + draw.choice((0, 0, latency))) if edge.clocks > 1 else edge for edge in problem.edges]
    copies = draw.randrange(1, MOST_COPIES + 1)
    together = {at: makers for makers in shape.makers.values() for at in makers}
    slower = problem._replace(edges=[*edges, *lifetime_edges(shape, edges, copies)])
    order = modulo_order(Wanted(slower, draw.choice((40, 120, 400, 900)), 6000, together))
    if order is None:
        return None
    broken = [each for each in violations(problem, order) if each.rule is not Rule.SHAPE]
    assert not broken, broken
    stages = 1 + max(order.stage(at) for at in range(len(shape.code)))
    seen[f"{stages} stages"] += 1
    if stages == 1:
        return None
    result = in_order(kernel, shape, order, copies)
    seen["begins for certain"] += sum("enter" in block.label for block in result.blocks) + 1 < stages
    verify(result)
    return result


def finished(kernel: Kernel) -> Kernel:
    ordered = schedule(before_carried_loads(kernel))
    allocation = allocate(ordered)
    done = rewrite(ordered, allocation)
    check(ordered, allocation, done)
    for final_pass in final_passes():
        done = final_pass(done)
    return done


def hold_loop(seed: int, target: str, seen: Counter[str]) -> None:
    made, draw = random_loop(seed, target), random.Random(seed)
    verify(made.kernel)
    wanted = run_kernel(made.kernel, GRID, [buffer.copy() for buffer in made.buffers])
    for _ in range(2):
        kernel = overlapping(made, draw, seen)
        if kernel is None:
            continue
        found = run_kernel(kernel, GRID, [buffer.copy() for buffer in made.buffers])
        assert not (fault := difference(wanted, found)), f"seed {seed} on {target}, {made.trips} trips: {fault}"
        done = finished(kernel)
        found = run(emit(done, kernel.target), done.name, GRID, done.workgroup, [buffer.copy() for buffer in made.buffers], sanitize=True)
        assert not (fault := difference(wanted, found)), f"text of seed {seed} on {target}, {made.trips} trips: {fault}"
        seen["orders"] += 1


def test_random_loops() -> None:
    seen = Counter[str]()
    for seed in RUN:
        hold_loop(seed, TARGETS[seed % len(TARGETS)], seen)
    assert seen["orders"] >= len(RUN)
    assert {"2 stages", "3 stages", "4 stages"} <= set(seen)
    assert 3 <= seen["begins for certain"] < seen["orders"]


def hold_intervals(seeds: range) -> None:
    """Without limits of registers the interval is within 5 % of the least, in the geometric mean, and the order is legal."""
    logarithms: list[float] = []
    for seed in seeds:
        kernel, number = as_one_block(random_loop(seed, TARGETS[seed % len(TARGETS)]).kernel)
        (problem,) = problems_of(kernel, [number])
        least = least_interval(problem).interval
        order = modulo_order(Wanted(problem, least, 4 * least))
        assert order is not None
        assert not list(violations(problem, order)), f"seed {seed}"
        logarithms.append(math.log(order.interval / least))
    assert math.exp(sum(logarithms) / len(logarithms)) <= 1.05


def test_intervals_are_near_the_least() -> None:
    hold_intervals(LOOPS)


def test_no_order_loads_sooner_into_the_same_registers() -> None:
    """The clocks of loads, which tell without a graph that no order is short enough, are no more than those of
    the longest circuit."""
    bounded = 0
    for seed in LOOPS:
        kernel, number = as_one_block(random_loop(seed, TARGETS[seed % len(TARGETS)]).kernel)
        shape = shape_of(kernel, number)
        assert shape is not None
        clocks = clocks_of_loads(kernel, shape)
        bounded += clocks > 0
        (problem,) = problems_of(kernel, [number])
        edges = awaited_edges(problem, kernel, is_alone=False)
        for copies in range(1, 4):
            held = problem._replace(edges=[*edges, *lifetime_edges(shape, edges, copies)])
            assert not clocks or takes_longer(held, (clocks - 1) // copies), f"seed {seed}, {copies} copies"
    assert bounded > len(LOOPS) // 2


def clocks_of_all_intervals(problem: LoopProblem, order: LoopOrder) -> int:
    """The clocks of a trip if each of twelve intervals is followed: the mean of the last six."""
    stage = list(stages(order))
    issued: dict[tuple[int, int], int] = {}
    begins, now, free = list[int](), 0, dict.fromkeys(Resource, 0)
    for interval in range(12):
        begins.append(now)
        for number in sorted(range(len(stage)), key=order.slot):
            reads = [edge for edge in problem.edges if edge.later == number]
            origins = [(edge.earlier, interval - (stage[number] + edge.trips - stage[edge.earlier]), edge.clocks) for edge in reads]
            start = max([now, *[issued[earlier, at] + clocks for earlier, at, clocks in origins if (earlier, at) in issued]])
            for use in problem.uses[number]:
                if use.resource in (Resource.MATRIX, Resource.TRANSCENDENTAL, Resource.LDS):
                    start = max(start, free[use.resource])
                    free[use.resource] = start - (-use.halves // 2)
            issued[number, interval] = start
            holds = [-(-use.halves // 2) for use in problem.uses[number] if use.resource is Resource.ISSUE]
            now = start + max([1, *holds])
    return -(-(now - begins[6]) // 6)


def test_intervals_that_repeat_are_not_followed() -> None:
    followed = 0
    for seed in LOOPS:
        kernel, number = as_one_block(random_loop(seed, TARGETS[seed % len(TARGETS)]).kernel)
        (problem,) = problems_of(kernel, [number])
        order = modulo_order(Wanted(problem, 1, 4000))
        if order is not None:
            assert clocks_of_order(problem, order) == clocks_of_all_intervals(problem, order), f"seed {seed}"
            followed += 1
    assert followed > len(LOOPS) // 2


@pytest.mark.slow
def test_more_intervals_are_near_the_least() -> None:
    hold_intervals(MORE_LOOPS[::5])


@pytest.mark.slow
@pytest.mark.parametrize("first", MORE_LOOPS[::100])
def test_more_random_loops(first: int) -> None:
    seen = Counter[str]()
    for seed in range(first, first + 100):
        hold_loop(seed, TARGETS[seed % len(TARGETS)], seen)
    assert seen["orders"] >= 100
    assert np.all([seen[f"{stages} stages"] for stages in (2, 3, 4, 5)])
