"""The clocks from trip to trip of a loop in an order, as a lone wave issues it in order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from heapq import heapify, heappop, heappush

from asmgen.passes.clauses import is_global_load, is_lds_load
from asmgen.passes.dependence.facts import order_facts
from asmgen.passes.dependence.memory import Memory
from asmgen.passes.schedule.modulo.order import LoopOrder
from asmgen.passes.schedule.modulo.problem import DependenceEdge, LoopProblem, Resource
from asmgen.passes.schedule.modulo.shape import Shape
from asmgen.passes.schedule.pipes import has_unit_alone
from asmgen.passes.schedule.timing import is_awaited, rates_of
from isa.instruction import Instr
from isa.named_tuple import NamedTuple
from isa.program import Kernel
from isa.timing.caches import CACHES

_INTERVALS = 12  # that are followed; the first half of them only leads to the steady state
_PIPES = (Resource.MATRIX, Resource.TRANSCENDENTAL, Resource.LDS)


def awaited_edges(problem: LoopProblem, kernel: Kernel) -> list[DependenceEdge]:
    """The edges of a problem with loads that no cache has: a loop reads most of its memory once. Before a
    barrier, a wave waits for its accesses of LDS. If LDS has room for another workgroup, that multiplies
    during the wait for stores: with it, 8 of 14 products of gfx942 find no order, and take 1.12 to 1.43 times
    the clocks. Without the wait for loads too, they take up to 1.03 times the clocks.
    """
    target = kernel.target.target.name
    clocks, rates, is_alone = CACHES[target].memory.clocks, rates_of(target), has_unit_alone(kernel)
    loads = [is_global_load(instr) for instr in problem.instructions]

    def waited(edge: DependenceEdge) -> int:
        earlier, later = problem.instructions[edge.earlier], problem.instructions[edge.later]
        if loads[edge.earlier] and edge.clocks > 1:
            return clocks
        if (is_alone or is_lds_load(earlier)) and is_awaited(later, earlier):
            return rates.of(earlier.row)[1]
        return 0

    return [edge._replace(clocks=max(edge.clocks, waited(edge))) for edge in problem.edges]


def taken_edges(problem: LoopProblem, lifetimes: Iterable[DependenceEdge]) -> list[DependenceEdge]:
    """The edges from the readers of values to their makers of later trips, if a register is written anew only
    after LDS has taken the accesses that read it: those of a wave of each SIMD, which issue together."""
    waves = problem.sharers[Resource.LDS] // problem.sharers[Resource.VECTOR]

    def taken(number: int) -> int:
        halves = sum([use.halves for use in problem.uses[number] if use.resource is Resource.LDS])
        return halves * waves // 2

    return [edge._replace(clocks=max(edge.clocks, taken(edge.earlier))) for edge in lifetimes]


def clocks_of_loads(kernel: Kernel, shape: Shape) -> int:
    """The clocks after which a load may fill the same registers again, since a reader comes in between; 0 if
    no load has such a reader. In an order with several copies of the kernel, a load does so after as many
    trips. A reader that waits for the load of its own trip may read a copy (`lifetime_edges`)."""
    memory = Memory(kernel)
    loads = {
        value: maker
        for value, (maker, *others) in shape.makers.items()
        if not others and is_global_load(shape.code[maker])
    }

    def has_order(load: Instr) -> bool:
        return any(memory.touches(load, order_facts(load.row)))

    for reader, uses in enumerate(shape.uses):
        for value, trips in uses:
            maker = loads.get(value, reader)
            if maker != reader and (not trips or not has_order(shape.code[maker])):
                return CACHES[kernel.target.target.name].memory.clocks + 1
    return 0


def clocks_between_trips(
    problem: LoopProblem, edges: Iterable[DependenceEdge], numbers: Sequence[int], stage: Sequence[int]
) -> int:
    """The clocks of a trip in the steady state. `numbers` are the instructions in the order of an interval,
    each with its stage."""
    before: list[list[tuple[int, int, int]]] = [[] for _ in stage]
    for earlier, later, clocks, trips in edges:
        intervals = stage[later] + trips - stage[earlier]
        if intervals >= 0:
            before[later].append((earlier, clocks, intervals))
    hold, pipes = _holds(problem), _pipes(problem)
    issued, now, free = list[list[int]](), 0, dict.fromkeys(Resource, 0)
    begins: list[int] = []
    for interval in range(_INTERVALS):
        begins.append(now)
        here = [0] * len(stage)
        issued.append(here)
        for number in numbers:
            start = now
            for earlier, clocks, intervals in before[number]:
                if intervals <= interval:
                    ready = issued[interval - intervals][earlier] + clocks
                    if ready > start:
                        start = ready
            for pipe, clocks in pipes[number]:
                start = max(start, free[pipe])
                free[pipe] = start + clocks
            here[number] = start
            now = start + hold[number]
    half = _INTERVALS // 2
    return -(-(now - begins[half]) // half)


def clocks_of_order(problem: LoopProblem, edges: Iterable[DependenceEdge], order: LoopOrder) -> int:
    """The clocks of a trip of an order in the steady state."""
    stage = list(stages(order))
    return clocks_between_trips(problem, edges, sorted(range(len(stage)), key=order.slot), stage)


def _holds(problem: LoopProblem) -> list[int]:
    return [
        max(1, max([-(-use.halves // 2) for use in uses if use.resource is Resource.ISSUE], default=1))
        for uses in problem.uses
    ]


def _pipes(problem: LoopProblem) -> list[list[tuple[Resource, int]]]:
    return [
        [(use.resource, -(-use.halves // 2)) for use in uses if use.resource in _PIPES]
        for uses in problem.uses
    ]


class Trip(NamedTuple):
    """The instructions of a trip in the order in which a list scheduler without limits of registers issues
    them, and the clocks of their longest chain."""

    numbers: Sequence[int]
    chain: int


def in_a_trip(problem: LoopProblem, edges: Sequence[DependenceEdge]) -> Trip:
    """A trip by itself. The instructions on which most clocks depend come first."""
    count = len(problem.instructions)
    after: list[list[tuple[int, int]]] = [[] for _ in range(count)]
    missing = [0] * count
    within = [edge for edge in edges if not edge.trips]
    for earlier, later, clocks, _ in within:
        after[earlier].append((later, clocks))
        missing[later] += 1
    heights = [0] * count
    for number in reversed(range(count)):
        heights[number] = max([clocks + heights[later] for later, clocks in after[number]], default=0)
    hold, ready_at, order, now = _holds(problem), [0] * count, list[int](), 0
    waiting = [(0, number) for number in range(count - 1) if not missing[number]]
    ready: list[tuple[int, int]] = []
    heapify(waiting)
    while waiting or ready:
        if not ready:
            now = max(now, waiting[0][0])
        while waiting and waiting[0][0] <= now:
            _, number = heappop(waiting)
            heappush(ready, (-heights[number], number))
        _, number = heappop(ready)
        order.append(number)
        for later, clocks in after[number]:
            ready_at[later] = max(ready_at[later], now + clocks)
            missing[later] -= 1
            if not missing[later] and later != count - 1:
                heappush(waiting, (ready_at[later], later))
        now += hold[number]
    return Trip([*order, count - 1], max(heights))


def stages(order: LoopOrder) -> Iterator[int]:
    """The stage of each instruction of an order."""
    return map(order.stage, range(len(order.start)))
