"""The VGPRs that no order of a loop undercuts, without a solver."""

from __future__ import annotations

import random

import pytest

from asmgen.passes.schedule.modulo import DependenceEdge
from asmgen.passes.schedule.modulo.least_lives import least_of_distances, least_vectors
from asmgen.passes.schedule.modulo.merged import VECTORS, merged
from asmgen.passes.schedule.modulo.values import registers
from asmgen.passes.schedule.orders import known_order
from tests.small_loops import GROUP, SEEDS, orders_of, random_loop
from tests.unit.passes.test_known_orders import every_loop
from tests.unit.passes.test_merged_lives import value

MAXIMUM = [DependenceEdge(0, 2, 10, 0), DependenceEdge(1, 2, 10, 0), DependenceEdge(2, 3, 4, 0), DependenceEdge(2, 4, 4, 0)]


def test_values_are_live_while_an_instruction_between_their_makers_and_readers_issues() -> None:
    """Instruction 2 is a maximum of two values of 4 registers that 3 and 4 read again: 9 registers with its own, 3 in the
    mean of 100 clocks."""
    values = [value(0, (2, 0), (3, 0)), value(1, (2, 0), (4, 0)), value(2, (3, 0), (4, 0), units=1)]
    assert least_vectors(MAXIMUM, values, 100) == 9
    assert least_vectors(MAXIMUM, values[:2], 100) == 8
    assert least_vectors(MAXIMUM[:2], values, 100) == 8, "3 and 4 may issue first: the values before 2 frees theirs"
    assert least_vectors([], values, 100) == 4, "any may issue first: a value at the issue of its maker"


def test_values_of_other_trips_are_live_too() -> None:
    """A value that a trip reads 25 clocks later at least lives in three trips of 10 clocks at the end of each interval, and
    one of three trips later beside a value of this trip."""
    long = [DependenceEdge(0, 1, 25, 0)]
    assert least_vectors(long, [value(0, (1, 0))], 10) == 12
    assert least_vectors([DependenceEdge(0, 1, 20, 0)], [value(0, (1, 0))], 10) == 8
    late = [DependenceEdge(0, 1, 4, 0), DependenceEdge(1, 0, 1, 1)]
    assert least_vectors(late, [value(0, (1, 2))], 10) == 12


def test_registers_that_are_always_live_count() -> None:
    assert least_vectors([], [value(None)], 10) == 4
    assert least_vectors([], [value(None), value(0, units=1)], 10) == 5


@GROUP
@pytest.mark.parametrize("seed", SEEDS)
def test_no_order_has_fewer_registers(seed: int) -> None:
    problem, values = random_loop(random.Random(seed))
    interval, fewest, *_ = orders_of(seed)
    least = least_vectors(problem.edges, values, interval)
    assert 0 < least <= fewest or not values
    distances: dict[tuple[int, int], int] = {}
    for earlier, later, clocks, trips in problem.edges:
        distances[earlier, later] = max(clocks - trips * interval, distances.get((earlier, later), -99))
    assert least_of_distances(distances, merged(values), interval) == least


@pytest.mark.broad
def test_the_fewest_registers_of_shipped_loops_need_no_solver() -> None:
    """The product's loops of gfx942 and gfx950 took searches of 19 and 165 seconds, among orders of few copies only."""
    least: dict[tuple[str, str], int] = {}
    for source, target, loop in every_loop():
        known = known_order(loop.problem, loop.values, target)
        if known is not None and known.order is not None:
            taken = registers(loop.values, known.order)
            vectors = sum(taken.get(file, 0) for file in VECTORS)
            assert known.least_of_lives <= vectors, (source, target)
            if known.least_of_lives == vectors:
                least[source, target] = vectors
    assert ("gemm", "gfx950") in least
