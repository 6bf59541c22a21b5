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
from asmgen.passes.schedule.pipes import lds_clocks
from asmgen.passes.schedule.timing import is_awaited, rates_of
from isa.instruction import Instr, Row, Trait, Unit
from isa.named_tuple import NamedTuple
from isa.program import Kernel
from isa.registers import DWORD
from isa.target import Target
from isa.timing.caches import CACHES
from isa.timing.lds import LDS_RATES
from isa.timing.machine import MACHINES

_INTERVALS = 12  # that are followed; the first half of them only leads to the steady state
PIPES = (Resource.MATRIX, Resource.TRANSCENDENTAL, Resource.LDS)


def awaited_edges(problem: LoopProblem, kernel: Kernel, is_alone: bool) -> list[DependenceEdge]:
    """The edges of a problem with loads that no cache has: a loop reads most of its memory once. Before a
    barrier, a wave waits for its accesses of LDS. If the workgroup does not have a unit alone, another
    multiplies during the wait for stores: with it, 8 of 14 products of gfx942 find no order, and take 1.12 to
    1.43 times the clocks. Without the wait for loads too, they take up to 1.03 times the clocks.
    """
    target = kernel.target.target.name
    clocks, rates = CACHES[target].memory.clocks, rates_of(target)
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


def kept_waiting(problem: LoopProblem, kernel: Kernel) -> LoopProblem:
    """The problem with all that keeps a wave from issuing if no other workgroup
    multiplies meanwhile: waits for loads, the way of a store to LDS, barriers, branches, and the other waves
    that read from LDS with it."""
    idle = [_idle(instr.row, kernel.target.target) for instr in problem.instructions]
    for number in _waiting(problem.instructions):
        idle[number] += MACHINES[kernel.target.target.name].issue.clocks
    uses = [
        [use._replace(halves=use.halves + 2 * more) if use.resource is Resource.ISSUE else use for use in own]
        for own, more in zip(problem.uses, idle, strict=True)
    ]
    return problem._replace(uses=uses, edges=[_served(problem, kernel, edge) for edge in problem.edges])


def _served(problem: LoopProblem, kernel: Kernel, edge: DependenceEdge) -> DependenceEdge:
    """An edge from a load from LDS to a reader of its trip, with the clocks of the other waves' loads."""
    earlier, later = problem.instructions[edge.earlier], problem.instructions[edge.later]
    target = kernel.target.target
    is_value = not edge.trips and edge.clocks >= rates_of(target.name).of(earlier.row)[1]
    if not (is_value and is_lds_load(earlier)) or is_awaited(later, earlier):
        return edge
    waves = problem.sharers[Resource.LDS]
    return edge._replace(clocks=edge.clocks + waves * lds_clocks(earlier.row, target))


def _idle(row: Row, target: Target) -> int:
    """The clocks after the issue of an instruction in which the wave issues nothing."""
    machine, sent = MACHINES[target.name], LDS_RATES[target.name].sent.clocks
    if row.unit is Unit.BRANCH:
        return machine.branch.clocks - machine.issue.clocks
    if Trait.BARRIER in row.traits:
        return machine.barrier.clocks
    if sent and row.unit is Unit.LDS and Trait.STORE in row.traits:
        return row.memory_bytes // DWORD * sent + lds_clocks(row, target) - machine.issue.clocks
    return 0


def _waiting(code: Sequence[Instr]) -> Iterator[int]:
    """The instructions before which a wave waits for a load of the same trip. Waits of matrix instructions
    are over while the pipe is busy."""
    pending: dict[int, int] = {}  # the load of each unit
    for number, instr in enumerate(code):
        awaited = max([pending[unit] for unit in instr.units.read if unit in pending], default=-1)
        if awaited >= 0:
            pending = {unit: load for unit, load in pending.items() if load > awaited}
            if instr.row.unit is not Unit.MATRIX:
                yield number
        if instr.row.events and instr.row.defines:
            pending.update(dict.fromkeys(instr.units.written, number))


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


def clocks_between_trips(problem: LoopProblem, numbers: Sequence[int], stage: Sequence[int]) -> int:
    """The clocks of a trip in the steady state. `numbers` are the instructions in the order of an interval,
    each with its stage. Intervals are followed until they repeat, with all that the next interval asks
    for."""
    before: list[list[tuple[int, int, int]]] = [[] for _ in stage]
    back = 1
    for earlier, later, clocks, trips in problem.edges:
        intervals = stage[later] + trips - stage[earlier]
        if intervals >= 0:
            before[later].append((earlier, clocks, intervals))
            back = max(back, intervals)
    hold, pipes = _holds(problem), _pipes(problem)
    issued, now, free = list[list[int]](), 0, dict.fromkeys(Resource, 0)
    begins, last, alike = list[int](), list[int](), 0
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
        begin = begins[-1]
        relative = [
            now - begin,
            *[start - begin for start in here],
            *[max(0, at - now) for at in free.values()],
        ]
        alike, last = (alike + 1 if relative == last else 0), relative
        if alike >= back:  # the other intervals are the same
            length, left = now - begin, _INTERVALS - 1 - interval
            begins += [now + length * later for later in range(left)]
            now += length * left
            break
    half = _INTERVALS // 2
    return -(-(now - begins[half]) // half)


def clocks_of_order(problem: LoopProblem, order: LoopOrder) -> int:
    """The clocks of a trip of an order in the steady state."""
    stage = list(stages(order))
    return clocks_between_trips(problem, sorted(range(len(stage)), key=order.slot), stage)


def _holds(problem: LoopProblem) -> list[int]:
    return [
        max(1, max([-(-use.halves // 2) for use in uses if use.resource is Resource.ISSUE], default=1))
        for uses in problem.uses
    ]


def _pipes(problem: LoopProblem) -> list[list[tuple[Resource, int]]]:
    return [
        [(use.resource, -(-use.halves // 2)) for use in uses if use.resource in PIPES]
        for uses in problem.uses
    ]


class Trip(NamedTuple):
    """The instructions of a trip in the order in which a list scheduler without limits of registers issues
    them, and the clocks of their longest chain."""

    numbers: Sequence[int]
    chain: int


def in_a_trip(problem: LoopProblem) -> Trip:
    """A trip by itself. The instructions on which most clocks depend come first."""
    count = len(problem.instructions)
    after: list[list[tuple[int, int]]] = [[] for _ in range(count)]
    missing = [0] * count
    within = [edge for edge in problem.edges if not edge.trips]
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
