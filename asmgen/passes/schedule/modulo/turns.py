"""The least interval between trips by instructions that take turns on the way to the next trip.

    s_waitcnt    ds_read 48 times    v_mfma 64 times, 32 clocks each    the s_waitcnt of the next trip

A circuit of dependences has the clocks of a single v_mfma. But all 64 come after the wait of their trip and
before the wait of the next trip, and they take turns in the matrix pipe. So the waits are at least 2,048
clocks apart. A trip is followed from an instruction to the same instruction of the next trip. Each
instruction on the way has a *head*, the clocks after the first instruction before which it does not start. It
follows from the head of an earlier instruction and the clocks between, or from a set of earlier instructions
that use the same part of the machine: the least head of the set, then the clocks of all their uses, then the
least distance from the end of a use. (P. Baptiste, C. Le Pape, W. Nuijten,
Constraint-based scheduling, 2001.)

    gfx950, a product of f16 with k=128 and a buffer, 371 instructions: 4,572 clocks; the matrix pipe is busy
    for 4,096 of them

This needs no solver.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from asmgen.passes.schedule.modulo.bound import Bound
from asmgen.passes.schedule.modulo.distances import issue_slot
from asmgen.passes.schedule.modulo.problem import LoopProblem, Resource
from isa.named_tuple import NamedTuple

_HALVES = 2  # of a clock
_MOST_TRIED = 4  # instructions from which trips are followed
_NONE = -(1 << 40)


def bound_by_turns(problem: LoopProblem, bound: Bound) -> Bound:
    """A bound of the loop by instructions that take turns; `bound` itself if none is a slot higher."""
    slot = issue_slot(problem)
    least = -(-bound.interval // slot) * slot
    for number in _promising(problem, least):
        interval = least_around(problem, number)
        if interval > least:
            least, bound = interval, Bound(interval, None, (), bound.busy, number)
    return bound


def least_around(problem: LoopProblem, number: int) -> int:
    """The clocks from an instruction of a trip to the same instruction of the next trip that no order
    undercuts; 0 if nothing keeps them apart."""
    way = way_around(problem, number)
    return max(0, _heads(way, is_in_turns=True)[-1])


class Way(NamedTuple):
    """A trip from an instruction to the same instruction of the next trip, both included. `before` has the
    earlier instructions of each with the clocks between, `halves` the half clocks for which each instruction
    uses the resources that are used at all."""

    before: Sequence[dict[int, int]]
    halves: Sequence[Any]


def way_around(problem: LoopProblem, number: int) -> Way:
    """The trip from an instruction to the same instruction of the next trip."""
    count, slot = len(problem.uses), issue_slot(problem)
    before: list[dict[int, int]] = [{} for _ in range(count + 1)]
    holds: list[int] = _halves(problem, Resource.ISSUE).tolist()
    for earlier, later, clocks, trips in problem.edges:
        # a later instruction waits until the earlier has issued, for an issue slot of the wave
        halves = max(_HALVES * clocks, holds[earlier] if clocks and earlier != later else 0)
        far = -(-halves // (_HALVES * slot)) * slot
        for trip in range(2 - trips):
            first, last = earlier + trip * count - number, later + (trip + trips) * count - number
            if 0 <= first < last <= count:
                before[last][first] = max(far, before[last].get(first, far))
    used = [halves_of(problem, number, each) for each in Resource]
    return Way(before, [halves for halves in used if halves.any()])


def halves_of(problem: LoopProblem, number: int, resource: Resource) -> Any:
    """The half clocks for which each instruction of the trip around an instruction uses a resource."""
    halves = np.roll(_halves(problem, resource), -number)
    return np.append(halves, halves[0])


def _halves(problem: LoopProblem, resource: Resource) -> Any:
    return np.array([sum(use.halves for use in uses if use.resource is resource) for uses in problem.uses])


def _heads(way: Way, is_in_turns: bool) -> list[int]:
    """The heads of the instructions on a way; `_NONE` for an instruction that does not depend on the first.
    Without `is_in_turns` by dependences only."""
    count = len(way.before)
    heads = np.full(count, _NONE, dtype=np.int64)
    heads[0] = 0
    distances = np.full((count, count) if is_in_turns else (0, 0), _NONE, dtype=np.int64)  # later by earlier
    for later in range(1, count):
        earlier = [each for each in way.before[later] if heads[each] > _NONE]
        if not earlier:
            continue
        clocks = np.array([way.before[later][each] for each in earlier])
        heads[later] = (heads[earlier] + clocks).max()
        if is_in_turns:
            row = distances[later]
            row[:] = (distances[earlier] + clocks[:, None]).max(axis=0)
            row[earlier] = np.maximum(row[earlier], clocks)
            row[row < _NONE // 2] = _NONE
            heads[later] = max(heads[later], *(_in_turns(heads, row, halves) for halves in way.halves))
    return heads.tolist()


def _in_turns(heads: Any, distances: Any, halves: Any) -> int:
    """The head of an instruction by those before it that use a resource. `distances` are the clocks from
    their starts to that of the instruction."""
    users = np.nonzero((distances > _NONE) & (halves > 0))[0]
    if len(users) < _HALVES:
        return _NONE
    tails = distances[users] - -(-halves[users] // _HALVES)
    order = np.argsort(-tails, kind="stable")
    tails, users = tails[order], users[order]
    least = np.unique(heads[users])
    is_in_set = heads[users][None, :] >= least[:, None]
    clocks = -(-np.where(is_in_set, halves[users], 0).cumsum(axis=1) // _HALVES)
    return int(np.where(is_in_set, least[:, None] + clocks + tails, _NONE).max())


def _promising(problem: LoopProblem, interval: int) -> list[int]:
    """Instructions around which a way may take longer than an interval: the uses of all instructions on it,
    and its longest chain, do. First those with most clocks on their way."""
    halves = np.array([sum(use.halves for use in uses) for uses in problem.uses])
    ways = enumerate(_on_ways(problem))
    clocks = {number: int(halves[on_way].sum()) // _HALVES for number, on_way in ways if len(on_way)}
    tried = list[int]()
    for number in sorted(clocks, key=lambda each: -clocks[each]):
        if len(tried) == _MOST_TRIED:
            break
        if clocks[number] + _heads(way_around(problem, number), is_in_turns=False)[-1] > interval:
            tried.append(number)
    return tried


def _on_ways(problem: LoopProblem) -> Iterator[Any]:
    """For each instruction, those that depend on it and on which its next trip depends."""
    count = len(problem.uses)
    after, before = _reached(problem, True), _reached(problem, False)
    for number in range(count):
        both = after[number] & before[count + number]
        bits = np.frombuffer(both.to_bytes(2 * count // 8 + 1, "little"), dtype=np.uint8)
        yield np.nonzero(np.unpackbits(bits, bitorder="little"))[0] % count


def _reached(problem: LoopProblem, is_after: bool) -> list[int]:
    """For each instruction of two trips, those that depend on it, or on which it depends, as bits."""
    count = len(problem.uses)
    near: list[set[int]] = [set() for _ in range(2 * count)]
    for earlier, later, _, trips in problem.edges:
        for trip in range(2 - trips):
            first, last = earlier + trip * count, later + (trip + trips) * count
            if first < last:
                near[first if is_after else last].add(last if is_after else first)
    reached = [0] * (2 * count)
    for node in range(2 * count - 1, -1, -1) if is_after else range(2 * count):
        for other in near[node]:
            reached[node] |= reached[other] | 1 << other
    return reached
