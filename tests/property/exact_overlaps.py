"""A random loop in the heuristic's order and in the exact order: their intervals, and whether they compute the same."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import exp, log

from asmgen.emission.emit import emit
from asmgen.passes.schedule.modulo.exact_find import Shortest, shortest_order
from asmgen.passes.schedule.modulo.heuristic import Wanted, lifetime_edges
from asmgen.passes.schedule.modulo.legal import violations
from asmgen.passes.schedule.modulo.loop_code import in_order
from asmgen.passes.schedule.modulo.order import LoopOrder
from asmgen.passes.schedule.modulo.problem import problems_of
from asmgen.passes.schedule.modulo.shape import Shape, shape_of
from isa.emulator import run, run_kernel
from isa.named_tuple import NamedTuple
from isa.program import Kernel
from regalloc.verify import verify
from tests.property.modulo_loops import RandomLoop, random_loop
from tests.property.test_modulo_loops import GRID, as_one_block, finished
from tests.unit.select.running import difference

MOST_CLOCKS = 6000  # of an interval
NEAR = 1.05  # times the exact interval: the most that the heuristic's may have, in the geometric mean


class Compared(NamedTuple):
    """The orders of a loop, the number of them that ran on the emulator, and their faults."""

    found: Shortest
    runs: int
    faults: list[str]

    @property
    def ratio(self) -> float | None:
        """The heuristic's interval by the exact interval; None if either found no order of several stages."""
        heuristic, exact = self.found.heuristic, self.found.order
        if not self.runs or heuristic is None or exact is None:
            return None
        return heuristic.interval / exact.interval


def mean_ratio(ratios: Sequence[float]) -> float:
    """The geometric mean of ratios; 1 for none."""
    return exp(sum(map(log, ratios)) / max(1, len(ratios)))


def compare(seed: int, target: str, seconds: float) -> Compared:
    """Search both orders of the loop of a seed, the exact order for so many seconds, and run the loop in each order of
    several stages: its text, with the sanitizer, against the loop as it is, on virtual registers."""
    made, copies = random_loop(seed, target), 1 + seed % 2
    kernel, number = as_one_block(made.kernel)
    shape = shape_of(kernel, number)
    assert shape is not None
    (problem,) = problems_of(kernel, [number])
    problem = problem._replace(edges=[*problem.edges, *lifetime_edges(shape, problem.edges, copies)])
    together = {at: makers for makers in shape.makers.values() for at in makers}
    found = shortest_order(Wanted(problem, 1, MOST_CLOCKS, together), seconds)
    heuristic, exact = found.heuristic, found.order
    orders = [exact] if heuristic == exact else [heuristic, exact]
    faults, runs = list[str](), 0
    if heuristic is not None and (exact is None or exact.interval > heuristic.interval):
        faults.append(f"the exact order has a longer interval than the heuristic's {heuristic.interval} clocks")
    for order in filter(None, orders):
        broken = next(violations(problem, order), None)
        if broken is not None:
            faults.append(broken.message)
        elif max(order.stage(at) for at in range(len(shape.code))):
            runs += 1
            faults += _difference(made, kernel, shape, order, copies)
    return Compared(found, runs, faults)


def _difference(made: RandomLoop, kernel: Kernel, shape: Shape, order: LoopOrder, copies: int) -> Iterator[str]:
    wanted = run_kernel(made.kernel, GRID, [buffer.copy() for buffer in made.buffers])
    result = in_order(kernel, shape, order, copies)
    verify(result)
    done = finished(result)
    buffers = [buffer.copy() for buffer in made.buffers]
    found = run(emit(done, kernel.target), done.name, GRID, done.workgroup, buffers, sanitize=True)
    if fault := difference(wanted, found):
        yield f"{made.trips} trips in {order.interval} clocks each: {fault}"
