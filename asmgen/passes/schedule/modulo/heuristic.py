"""Iterative modulo scheduling: an order of a loop's trips with a given interval.

Instructions take a slot in succession, by the clocks that depend on them. An instruction without a free slot
takes the slot of others, which look for another. (B. R. Rau, Iterative modulo scheduling, 1994.)

The branch of the loop and the instructions that it waits for come first. No instruction of the next trip
issues before the branch, so the first stage ends with it; what only the branch needs comes right before it. A
register must not be made anew before its last reader, so that it needs no copy: with `copies` registers for
each value, the reader comes before the maker of so many trips later.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from heapq import heapify, heappop, heappush
from math import gcd
from types import MappingProxyType

from asmgen.passes.schedule.modulo.order import LoopOrder
from asmgen.passes.schedule.modulo.problem import DependenceEdge, LoopProblem, Resource
from asmgen.passes.schedule.modulo.shape import Shape
from isa.named_tuple import NamedTuple

STEPS = 64  # the shortest interval is found to 1 / STEPS of it,
MOST_INTERVALS = 8  # in as many tries at most
MOST_OTHERS = 4  # the tries if an order is found that does not fit: that of a shorter interval may
# A search gives an interval up if it has placed instructions more often than this, on average. 61 of 64
# searches that find an order for a loop without matrix instructions place them at most 1.3 times.
TRIES, TRIES_OF_OTHERS = 2, 4 / 3
DENSE = 8  # a resource that is idle for less than 1 / DENSE of the interval has no room for gaps
# An instruction that could only issue in the last part of a stage after the first waits for the next stage:
# so most instructions have the same stage, and few trips share the code of the epilogue.
LATE = 8
MOST_TURNS = 6  # trips that the longest chain of a loop passes through

_MEMORY = len(Resource)  # after the resources of the problem


Fits = Callable[[LoopOrder], bool]


class Wanted(NamedTuple):
    """The order that a search should find: one of the problem, with an interval from `least` to `most`
    clocks. Instructions that are `together`, by number, have the same stage. `in_memory` are the clocks of
    accesses, by number, for which memory takes no other access of the waves. An order that does not fit
    counts as not found."""

    problem: LoopProblem
    least: int
    most: int
    together: Mapping[int, Sequence[int]] = MappingProxyType({})
    in_memory: Mapping[int, int] = MappingProxyType({})
    fits: Fits | None = None

    def takes(self, order: LoopOrder) -> bool:
        return self.fits is None or self.fits(order)


FindOrder = Callable[[Wanted], LoopOrder | None]
"""A search for an order, as `modulo_order`."""


def lifetime_edges(shape: Shape, edges: Iterable[DependenceEdge], copies: int) -> Iterator[DependenceEdge]:
    """The makers of a value after its readers of `copies` trips before. A reader that itself waits for the
    maker of the same trip needs a copy in any order."""
    after: dict[int, set[int]] = {}
    for earlier, later, _, trips in edges:
        if not trips:
            after.setdefault(earlier, set()).add(later)
    reached: dict[int, set[int]] = {}
    for reader, uses in enumerate(shape.uses):
        for value, trips in uses:
            for maker in shape.makers[value]:
                if maker == reader:
                    continue
                if copies <= trips and reader in _reached(maker, after, reached):
                    continue
                yield DependenceEdge(reader, maker, 1, copies - trips)


def _reached(first: int, after: Mapping[int, set[int]], known: dict[int, set[int]]) -> set[int]:
    """The instructions that wait for an instruction."""
    if first not in known:
        seen, waiting = set[int](), [first]
        while waiting:
            for later in after.get(waiting.pop(), ()):
                if later not in seen:
                    seen.add(later)
                    waiting.append(later)
        known[first] = seen
    return known[first]


def modulo_order(wanted: Wanted) -> LoopOrder | None:
    """The wanted order with the shortest interval that is found; None if no order is found."""
    loop, least, most = _Loop(wanted), wanted.least, wanted.most
    if least > most or loop.heights(most) is None:
        return None

    def searched(interval: int) -> LoopOrder | None:
        search = _Search(loop, interval, is_dense)
        return search.order() if search.run() else None

    def at(interval: int) -> LoopOrder | None:
        order = searched(interval)
        return order if order is not None and wanted.takes(order) else None

    is_dense = True
    found = searched(most)
    if found is None and any(loop.is_aligned(resource, most) for resource in range(_MEMORY + 1)):
        is_dense = False
        found = searched(most)
    if found is None:
        return None
    intervals = MOST_INTERVALS
    if not wanted.takes(found):
        found, intervals = None, MOST_OTHERS
    least = loop.least_interval(least, most)
    shortest = at(least)
    if shortest is not None:
        return shortest
    for _ in range(intervals):
        if most - least <= most // STEPS:
            break
        # the heuristic mostly finds an order near the least interval if it finds any
        interval = least + max((most - least) // 4, most // STEPS)
        if interval == least:  # tried already
            break
        better = at(interval)
        if better is None:
            least = interval
        else:
            found, most = better, interval
    return found


class _Loop:
    """A loop, for the searches of all intervals. The last of its instructions is its branch."""

    def __init__(self, wanted: Wanted) -> None:
        problem = wanted.problem
        self.count = count = len(problem.instructions)
        self.together = wanted.together
        self.branch = count - 1
        self.is_product = any(use.resource is Resource.MATRIX for uses in problem.uses for use in uses)
        resources = {resource: number for number, resource in enumerate(Resource)}
        # whole clocks of each resource, and whether half a clock comes after them
        self.uses = [
            [
                (resources[resource], *divmod(halves * problem.sharers[resource], 2))
                for resource, halves in uses
                if halves
            ]
            for uses in problem.uses
        ]
        for number, clocks in wanted.in_memory.items():
            self.uses[number].append((_MEMORY, clocks, 0))
        self.hold = max([whole for resource, whole, _ in self.uses[self.branch] if not resource], default=1)
        self.steps = [self._step(resource) for resource in range(_MEMORY + 1)]
        self.densest = max(range(_MEMORY + 1), key=lambda resource: self.steps[resource][1])
        self.is_dense = [any(each[0] == self.densest for each in uses) for uses in self.uses]
        dense = [uses for uses, is_dense in zip(self.uses, self.is_dense, strict=True) if is_dense]
        self.hold_of_dense = max(
            [whole for uses in dense for resource, whole, _ in uses if not resource], default=1
        )
        # only the edges of the most clocks between two instructions matter
        longest: dict[tuple[int, int, int], int] = {}
        for earlier, later, clocks, trips in problem.edges:
            ends = earlier, later, trips
            longest[ends] = max(clocks, longest.get(ends, 0))
        self._heights: dict[int, list[int] | None] = {}  # by interval
        self.edges = [DependenceEdge(*ends[:2], clocks, ends[2]) for ends, clocks in sorted(longest.items())]
        self.before: list[list[tuple[int, int, int]]] = [[] for _ in range(count)]
        self.after: list[list[tuple[int, int, int]]] = [[] for _ in range(count)]
        for earlier, later, clocks, trips in self.edges:
            self.before[later].append((earlier, clocks, trips))
            self.after[earlier].append((later, clocks, trips))

    def _step(self, resource: int) -> tuple[int, int]:
        """The clocks of which each use of a resource takes a multiple, and those of all uses together."""
        halves = [2 * whole + half for uses in self.uses for own, whole, half in uses if own == resource]
        return gcd(*halves) // 2, sum(halves) // 2

    def is_aligned(self, resource: int, interval: int) -> bool:
        """Whether a resource is hardly idle, so that its uses should begin at multiples of their step."""
        step, together = self.steps[resource]
        return step >= 2 and DENSE * together >= (DENSE - 1) * interval

    def least_interval(self, least: int, most: int) -> int:
        """The first interval from `least` on that no circuit exceeds, to 1 / STEPS of it; none exceeds
        `most`."""
        if self.heights(least) is not None:
            return least
        while most - least > max(1, least // STEPS):
            middle = (least + most) // 2
            if self.heights(middle) is None:
                least = middle
            else:
                most = middle
        return most

    def heights(self, interval: int) -> list[int] | None:
        """The clocks from each instruction to the last that waits for it; None if a circuit takes more than
        the interval, so that the clocks still grow after `MOST_TURNS` turns of the loop."""
        if interval not in self._heights:
            self._heights[interval] = self._heights_within(interval)
        return self._heights[interval]

    def _heights_within(self, interval: int) -> list[int] | None:
        heights = [0] * self.count
        after = [
            [(later, clocks - interval * trips) for later, clocks, trips in edges] for edges in self.after
        ]
        for _ in range(MOST_TURNS):
            is_same = True
            for number in range(self.count - 1, -1, -1):
                height = old = heights[number]
                for later, clocks in after[number]:
                    other = heights[later] + clocks
                    if other > height:
                        height = other
                if height != old:
                    heights[number], is_same = height, False
            # no instruction of the next trip comes before the branch
            of_next = max(heights) + self.hold - interval
            if of_next > heights[self.branch]:
                heights[self.branch], is_same = of_next, False
            if is_same:
                return heights
        return None


class _Search:
    def __init__(self, loop: _Loop, interval: int, is_dense: bool) -> None:
        self._loop, self._interval = loop, interval
        self._all = (1 << interval) - 1
        # a bit for each clock of the interval: busy at all, and for the whole clock
        self._busy, self._full = [0] * (_MEMORY + 1), [0] * (_MEMORY + 1)
        self._begins = [self._aligned(resource) if is_dense else self._all for resource in range(_MEMORY + 1)]
        self._kept = self._kept_for(loop.densest) if is_dense else 0
        self._start: dict[int, int] = {}
        self._last = [-(1 << 30)] * loop.count
        self._fixed = set[int]()
        self.places = 0  # that instructions took, again and again

    def run(self) -> bool:
        heights = self._loop.heights(self._interval)
        if heights is None or not self._place_branch():
            return False
        waiting = [
            (-heights[number], number) for number in range(self._loop.branch) if number not in self._fixed
        ]
        heapify(waiting)
        tries = TRIES if self._loop.is_product else TRIES_OF_OTHERS
        while waiting and self.places < tries * self._loop.count:
            self.places += 1
            evicted = self._place(heappop(waiting)[1])
            if evicted is None:
                return False
            for number in evicted:
                heappush(waiting, (-heights[number], number))
        return not waiting

    def order(self) -> LoopOrder:
        """The order that was found."""
        return LoopOrder(self._interval, [self._start[number] for number in range(self._loop.count)])

    def _place_branch(self) -> bool:
        """Place the branch at the end of the first stage, with the instructions that it waits for in a trip:
        late if only the branch needs them, so that readers of the counter may come late, and otherwise
        early."""
        before, after, branch = self._loop.before, self._loop.after, self._loop.branch
        wanted, waiting = {branch}, [branch]
        while waiting:
            for earlier, _, trips in before[waiting.pop()]:
                if not trips and earlier not in wanted:
                    wanted.add(earlier)
                    waiting.append(earlier)
        self._fixed = wanted
        self._take(branch, self._interval - self._loop.hold)
        for number in sorted(wanted - {branch}, reverse=True):
            following = [(later, clocks) for later, clocks, trips in after[number] if not trips]
            if all(later in self._start for later, _ in following):
                latest = min(self._start[later] - clocks for later, clocks in following)
                slot = self._last_free(number, latest)
                if slot is None or slot < 0:
                    return False
                self._take(number, slot)
        for number in sorted(wanted - self._start.keys()):
            slot = self._free(number, self._earliest(number, 0))
            if slot is None:
                return False
            self._take(number, slot)
        return all(self._earliest(number, 0) <= self._start[number] for number in wanted)

    def _earliest(self, number: int, least: int) -> int:
        """The first clock that those placed before an instruction allow."""
        start, interval = self._start, self._interval
        for earlier, clocks, trips in self._loop.before[number]:
            if earlier in start:
                ready = start[earlier] + clocks - interval * trips
                if ready > least:
                    least = ready
        return least

    def _aligned(self, resource: int) -> int:
        """The clocks at which uses of a resource begin: if it is hardly idle, multiples of its step, so that
        no part of a use is left between them."""
        if not self._loop.is_aligned(resource, self._interval):
            return self._all
        step, _ = self._loop.steps[resource]
        return ((1 << step * (self._interval // step)) - 1) // ((1 << step) - 1)

    def _kept_for(self, resource: int) -> int:
        """The clocks of issue that are kept for the uses of a resource."""
        begins, hold = self._begins[resource], self._loop.hold_of_dense
        if begins == self._all or self._loop.steps[resource][0] < 2 * hold:
            return 0
        return begins * ((1 << hold) - 1) & self._all

    def _free(self, number: int, earliest: int) -> int | None:
        """The first clock from `earliest` on at which the resources of an instruction are free."""
        free = self._turned(self._free_clocks(number), earliest % self._interval)
        return earliest + (free & -free).bit_length() - 1 if free else None

    def _last_free(self, number: int, latest: int) -> int | None:
        """The last clock up to `latest` at which the resources of an instruction are free."""
        free = self._turned(self._free_clocks(number), (latest + 1) % self._interval)
        return latest + free.bit_length() - self._interval if free else None

    def _free_clocks(self, number: int) -> int:
        """The clocks of the interval at which the resources of an instruction are free."""
        interval, every, free = self._interval, self._all, self._all
        is_other = not self._loop.is_dense[number]
        for resource, whole, half in self._loop.uses[number]:
            taken, span = self._busy[resource] if whole else 0, 1
            if is_other and not resource:
                taken |= self._kept
            while taken and span < whole:
                step = span if 2 * span < whole else whole - span
                taken |= taken >> step | taken << interval - step & every
                span += step
            if half:
                taken |= self._turned(self._full[resource], whole % interval)
            free &= ~taken & self._begins[resource]
        return free

    def _turned(self, bits: int, clocks: int) -> int:
        """The clocks of the interval, counted from a later clock."""
        return bits >> clocks | (bits << self._interval - clocks & self._all)

    def _bits(self, clock: int, clocks: int) -> int:
        """The clocks of the interval from a clock on."""
        clocks = min(clocks, self._interval)
        bits = ((1 << clocks) - 1) << clock % self._interval
        return (bits | bits >> self._interval) & self._all

    def _place(self, number: int) -> list[int] | None:
        """Place an instruction; the instructions that lose their places. None if these have to stay, since
        the branch waits for them."""
        loop, start = self._loop, self._start
        earliest = self._earliest(number, 0)
        others = [each for each in loop.together.get(number, ()) if each in start]
        if others:
            earliest = max(earliest, self._stage(start[others[0]]) * self._interval)
        before_next = -earliest % self._interval
        if earliest > self._interval and LATE * before_next <= self._interval:
            earliest += before_next
        slot = self._free(number, earliest)
        evicted = dict[int, None]()
        if slot is None or slot == self._last[number]:
            slot = max(earliest, self._last[number] + 1)
            evicted = dict.fromkeys(self._meeting(number, slot))
        self._last[number] = slot
        for each in others:
            if self._stage(start[each]) != self._stage(slot):
                evicted[each] = None
        for later, clocks, trips in loop.after[number]:
            if later in start and later != number and start[later] < slot + clocks - self._interval * trips:
                evicted[later] = None
        if not self._fixed.isdisjoint(evicted):
            return None
        for each in evicted:
            self._give_back(each)
        self._take(number, slot)
        return list(evicted)

    def _meeting(self, number: int, slot: int) -> Iterator[int]:
        """The instructions that want a resource in the same clock."""
        wanted = [
            (resource, bits)
            for resource, whole, half in self._loop.uses[number]
            if (bits := self._bits(slot, whole + half)) & self._busy[resource]
        ]
        for other, start in self._start.items() if wanted else ():
            for resource, whole, half in self._loop.uses[other]:
                for own, bits in wanted:
                    if own == resource and bits & self._bits(start, whole + half):
                        yield other

    def _stage(self, clock: int) -> int:
        return clock // self._interval

    def _take(self, number: int, clock: int) -> None:
        self._start[number] = clock
        for resource, whole, half in self._loop.uses[number]:
            bits = self._bits(clock, whole)
            if half:
                last = self._bits(clock + whole, 1)
                self._full[resource] |= last & self._busy[resource]
                self._busy[resource] |= last
            self._busy[resource] |= bits
            self._full[resource] |= bits

    def _give_back(self, number: int) -> None:
        clock = self._start.pop(number)
        for resource, whole, half in self._loop.uses[number]:
            bits = self._bits(clock, whole)
            self._busy[resource] &= ~bits
            self._full[resource] &= ~bits
            if half:
                last = self._bits(clock + whole, 1)
                self._busy[resource] &= ~last | self._full[resource]
                self._full[resource] &= ~last
