"""An order in which the matrix instructions of a trip take turns without a pause, between an instruction and
the same instruction of the next trip.

    gfx950, a product of f16 with k=128 and a buffer, 506 instructions: 4,580 clocks, the bound by turns
    (`turns`); no order that keeps the order of matrix instructions has so few

A matrix instruction waits for parts of both factors. Next is the matrix instruction that needs the fewest
further instructions before it, so that few parts of the factors keep the pipe busy while others are loaded.
Each starts as late as it may. The other instructions issue in the slots between, first those that have to
start soonest. (J. R. Jackson, Scheduling a production line to minimize maximum tardiness, 1955.)

This needs no solver.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from graphlib import CycleError, TopologicalSorter
from heapq import heappop, heappush
from itertools import pairwise

from asmgen.passes.schedule.modulo.distances import HALVES, issue_slot
from asmgen.passes.schedule.modulo.order import LoopOrder
from asmgen.passes.schedule.modulo.problem import LoopProblem, Resource
from asmgen.passes.schedule.modulo.turns import halves_of, way_around


def order_in_turns(problem: LoopProblem, number: int, interval: int) -> LoopOrder | None:
    """An order with an interval, whole issue slots, in which a trip is followed from an instruction to the
    same instruction of the next trip. None if it finds none. It may break dependences that a way does not
    have."""
    count = len(problem.uses)
    slot = HALVES * issue_slot(problem)
    holds, matrix = [
        [-(-int(halves) // slot) for halves in halves_of(problem, number, resource)]
        for resource in (Resource.ISSUE, Resource.MATRIX)
    ]
    before = [
        {earlier: -(-HALVES * clocks // slot) for earlier, clocks in each.items()}
        for each in way_around(problem, number).before
    ]
    turns = list(_turns(before, [at for at in range(count) if matrix[at]]))
    slots = HALVES * interval // slot
    latest = _latest(before, turns, matrix, slots)
    if latest is None:
        return None
    starts = _in_slots(before, holds, latest, frozenset(turns), slots)
    if starts is None:
        return None
    places = [starts[(at - number) % count] - (slots if at < number else 0) for at in range(count)]
    first = min(places)
    return LoopOrder(interval, [(place - first) * slot // HALVES for place in places])


def _turns(before: Sequence[Mapping[int, int]], of_matrix: Sequence[int]) -> Iterator[int]:
    """Matrix instructions in their turns: next is the instruction that needs the fewest others besides those
    that earlier turns need."""
    needed = [0] * len(before)  # as bits, with the instruction itself
    for later, each in enumerate(before):
        needed[later] = 1 << later
        for earlier in each:
            needed[later] |= needed[earlier]
    left, taken = list(of_matrix), 0
    pipe = sum(1 << each for each in left)
    while left:
        ready = [each for each in left if not needed[each] & pipe & ~taken & ~(1 << each)]
        turn = min(ready, key=lambda each: (needed[each] & ~taken).bit_count())
        left.remove(turn)
        taken |= needed[turn]
        yield turn


def _latest(
    before: Sequence[Mapping[int, int]], turns: Sequence[int], matrix: Sequence[int], slots: int
) -> list[int] | None:
    """The latest slot of each instruction of a way of so many slots, if matrix instructions take turns; None
    if the first instruction of the way would be late."""
    last = len(before) - 1
    after: list[dict[int, int]] = [{} for _ in before]
    for later, each in enumerate(before):
        for earlier, far in each.items():
            after[earlier][later] = far
    for turn, following in pairwise(turns):
        after[turn][following] = max(matrix[turn], after[turn].get(following, 0))
    latest = [slots - 1] * last + [slots]
    try:
        for at in TopologicalSorter(dict(enumerate(after))).static_order():
            latest[at] = min([latest[at], *(latest[later] - far for later, far in after[at].items())])
    except CycleError:
        return None
    return latest if latest[0] >= 0 else None


def _in_slots(
    before: Sequence[Mapping[int, int]],
    holds: Sequence[int],
    latest: Sequence[int],
    turns: frozenset[int],
    slots: int,
) -> list[int] | None:
    """The slots of the instructions of a way, if each of `turns` has its latest; None if two of them issue at
    once or another instruction is late."""
    last = len(before) - 1
    starts = {0: 0, last: slots, **{turn: latest[turn] for turn in turns}}
    is_taken = [False] * (slots + max(holds))
    for at, start in starts.items():
        if start < 0 or any(is_taken[start : start + holds[at]]):
            return None
        is_taken[start : start + holds[at]] = [True] * holds[at]
    after: list[list[int]] = [[] for _ in before]
    waits = [0] * len(before)
    for later, each in enumerate(before):
        waits[later] = sum(earlier not in starts for earlier in each)
        for earlier in each:
            after[earlier].append(later)

    def from_(at: int) -> int:
        return max([starts[earlier] + far for earlier, far in before[at].items()], default=0)

    waiting = [(from_(at), at) for at in range(last) if at not in starts and not waits[at]]
    waiting.sort()
    urgent: list[tuple[int, int]] = []
    for slot in range(slots):
        while waiting and waiting[0][0] <= slot:
            at = heappop(waiting)[1]
            heappush(urgent, (latest[at], at))
        if is_taken[slot] or not urgent or any(is_taken[slot : slot + holds[urgent[0][1]]]):
            continue
        end, at = heappop(urgent)
        if slot > end:
            return None
        starts[at] = slot
        is_taken[slot : slot + holds[at]] = [True] * holds[at]
        for later in after[at]:
            waits[later] -= 1
            if not waits[later] and later not in starts:
                heappush(waiting, (from_(later), later))
    if len(starts) <= last or any(starts[at] < from_(at) for at in turns):
        return None
    return [starts[at] for at in range(last + 1)]
