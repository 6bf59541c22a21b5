"""The VGPRs that no order of a loop undercuts, by least cuts."""

from __future__ import annotations

import random

import pytest

from asmgen.passes.schedule.modulo import DependenceEdge, LoopProblem
from asmgen.passes.schedule.modulo.least_cut import least_by_cuts
from asmgen.passes.schedule.modulo.least_lives import least_vectors
from asmgen.passes.schedule.modulo.merged import merged
from asmgen.passes.schedule.modulo.values import LoopValue
from tests.small_loops import GROUP, SEEDS, orders_of, random_loop
from tests.unit.passes.test_merged_lives import value


def least(edges: list[DependenceEdge], values: list[LoopValue], interval: int) -> int:
    distances: dict[tuple[int, int], int] = {}
    for earlier, later, clocks, trips in edges:
        distances[earlier, later] = max(clocks - trips * interval, distances.get((earlier, later), -(1 << 20)))
    return least_by_cuts(distances, merged(values), interval, 60.0)


SUM = [DependenceEdge(*pair, 10, 0) for pair in ((0, 2), (1, 2), (0, 3), (1, 3), (2, 4), (3, 4), (5, 3), (3, 6))]
VALUES = [value(0, (2, 0)), value(1, (2, 0)), value(2, (4, 0), units=3), value(5, (6, 0), units=8)]


def test_either_operands_or_their_sum_is_live() -> None:
    """Instruction 2 makes 3 registers of two values of 4, before 3 issues or after it. Then 8 registers are live anyway."""
    assert least(SUM, VALUES, 1000) == 11
    assert least_vectors(SUM, VALUES, 1000) == 8
    assert least(SUM, [*VALUES[:2], value(2, (4, 0), units=1), VALUES[3]], 1000) == 9, "a smaller sum"
    assert least(SUM, [*VALUES, value(None)], 1000) == 15
    assert least(SUM, [value(None)], 1000) == 4


def test_a_value_of_another_trip_counts() -> None:
    """Instruction 1 reads the value that instruction 0 made in the trip before. Instruction 2 issues between these two."""
    edges = [DependenceEdge(0, 2, 10, 0), DependenceEdge(2, 1, 10, 1)]
    assert least(edges, [value(0, (1, 1))], 100) == 4
    assert least([*edges, DependenceEdge(0, 0, 1, 1), DependenceEdge(2, 1, 110, 1)], [value(0, (1, 1))], 100) == 8


@GROUP
@pytest.mark.parametrize("seed", SEEDS)
def test_no_order_has_fewer_registers(seed: int) -> None:
    problem, values = random_loop(random.Random(seed))
    interval, fewest, *_ = orders_of(seed)
    assert least(list(problem.edges), values, interval) <= fewest


def test_a_search_without_time_has_no_bound() -> None:
    problem = LoopProblem("loop", (), SUM, (), {})
    distances = {(edge.earlier, edge.later): edge.clocks for edge in problem.edges}
    assert least_by_cuts(distances, merged(VALUES), 1000, -1.0) == 0
