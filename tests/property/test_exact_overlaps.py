"""Random loops in exact orders compute the same, and the heuristic's intervals are near the least.

The loops are those of `test_modulo_loops`. An ordinary run tries 12 loops; the slow set tries 1,000.
"""

from __future__ import annotations

from math import exp, log

import pytest

from asmgen.emission.emit import emit
from asmgen.passes.schedule.modulo.exact_find import exact_finder
from asmgen.passes.schedule.modulo.heuristic import lifetime_edges, modulo_order
from asmgen.passes.schedule.modulo.legal import violations
from asmgen.passes.schedule.modulo.loop_code import in_order
from asmgen.passes.schedule.modulo.problem import problems_of
from asmgen.passes.schedule.modulo.shape import shape_of
from isa.emulator import run, run_kernel
from regalloc.verify import verify
from tests.property.modulo_loops import random_loop
from tests.property.test_modulo_loops import GRID, TARGETS, as_one_block, finished
from tests.unit.select.running import difference

LOOPS, MORE_LOOPS = range(5, 12), range(1000, 2000)
SECONDS = 60.0
MOST_CLOCKS = 6000
NEAR = 1.05  # times the least interval, in the geometric mean


def hold_loop(seed: int, target: str) -> float | None:
    """The heuristic's interval by the exact interval; None if either finds no order of several stages."""
    made, copies = random_loop(seed, target), 1 + seed % 2
    kernel, number = as_one_block(made.kernel)
    shape = shape_of(kernel, number)
    assert shape is not None
    (problem,) = problems_of(kernel, [number])
    edges = [*problem.edges, *lifetime_edges(shape, problem.edges, copies)]
    together = {at: makers for makers in shape.makers.values() for at in makers}
    heuristic = modulo_order(problem, edges, together, 1, MOST_CLOCKS)
    order = exact_finder(SECONDS)(problem, edges, together, 1, MOST_CLOCKS, {}, None)
    if order is None:
        assert heuristic is None, (seed, target)
        return None
    assert heuristic is None or order.interval <= heuristic.interval
    assert not list(violations(problem._replace(edges=edges), order)), (seed, target)
    if not max(order.stage(at) for at in range(len(shape.code))):
        return None
    wanted = run_kernel(made.kernel, GRID, [buffer.copy() for buffer in made.buffers])
    result = in_order(kernel, shape, order, copies)
    verify(result)
    done = finished(result)
    found = run(emit(done, kernel.target), done.name, GRID, done.workgroup, [buffer.copy() for buffer in made.buffers], sanitize=True)
    assert not (fault := difference(wanted, found)), f"seed {seed} on {target}, {made.trips} trips: {fault}"
    return heuristic.interval / order.interval if heuristic is not None else None


def hold(seeds: range) -> None:
    near = [ratio for seed in seeds if (ratio := hold_loop(seed, TARGETS[seed % len(TARGETS)])) is not None]
    assert len(near) >= len(seeds) // 2
    mean = exp(sum(map(log, near)) / len(near))
    print(f"{len(near)} loops, the heuristic's intervals are {mean:.4f} times the least")
    assert mean <= NEAR


def test_random_loops_in_exact_orders() -> None:
    hold(LOOPS)


@pytest.mark.slow
@pytest.mark.parametrize("first", MORE_LOOPS[::100])
def test_more_random_loops_in_exact_orders(first: int) -> None:
    hold(range(first, first + 100))
