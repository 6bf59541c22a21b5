"""Accesses of memory and LDS: the queues of the units that serve them, and the counters that they increment.

The order of issue is the order of service. An access that finds a queue full waits for its place there.
"""

from __future__ import annotations

from bisect import insort
from collections import deque
from collections.abc import Sequence

from msgspec import Struct

from isa.named_tuple import NamedTuple
from isa.timing.bounds import Bounds
from isa.timing.charges import block
from isa.timing.machine import Machine
from isa.timing.memory import NO_COST, Cost, Costs, Service
from isa.timing.operation import PORTS, SCALAR_MEMORY_PORT, VECTOR_MEMORY_PORT, Operation
from isa.timing.returns import Returns
from isa.timing.state import INSTRUCTION_BITS, PENDING, QUEUE, Loading, Shared, Wave


class _Served(NamedTuple):
    """A unit that serves an access of a SIMD.

    * `instance`: of the unit, busy for `clocks`
    * `queue`: of the accesses that wait for it, None if it has none
    * `taken`: the room of the unit that others take, of which the access takes `room` and others may take
      `left` then; None if it has no room
    """

    instance: int
    clocks: int
    queue: deque[tuple[int, int, int]] | None
    taken: deque[tuple[int, int]] | None
    room: int
    left: int


class _Placed(Struct, frozen=True):
    """The unit that serves an access of a SIMD.

    * `services`: in order; `queues`: those of them that have a queue, which the access must find open
    * `fair`: whether an access that finds a queue full has its place from then on
    * `rooms`: the room that it takes until its data are there
    * `conflict`: clocks of the services that are there because lanes share a bank
    * `back`: the instance that gives the data back in the order of issue, -1 if there is none, for
      `back_clocks`. `as_ready`: the way back that gives data back as they are ready, None if there is none
    """

    services: tuple[_Served, ...]
    queues: tuple[deque[tuple[int, int, int]], ...]
    fair: bool
    rooms: tuple[tuple[deque[tuple[int, int]], int], ...]
    conflict: int
    back: int
    back_clocks: int
    as_ready: Returns | None


class Accesses:
    """The units that serve the accesses of a compute unit."""

    def __init__(
        self, machine: Machine, costs: Costs, shared: Shared, bounds: Bounds, by_age: Sequence[Wave]
    ) -> None:
        """`by_age` are the waves by their age."""
        self._issue_clocks = machine.issue.clocks
        self._overwrite, self._sent = machine.overwrite.clocks, machine.sent.clocks
        self._costs = costs.table
        self._port_free = shared.port_free
        self._instances = shared.instances
        self._queues = shared.unit_queue
        self._free = shared.unit_free
        self._taken = shared.unit_taken
        self._lines = shared.lines
        self._fetched = shared.fetched
        # by SIMD and cost, as soon as an access of the SIMD has it
        simds = len(shared.port_free) // PORTS
        self._placed: list[list[_Placed | None]] = [[None] * len(costs.table) for _ in range(simds)]
        ways = [each for unit, each in zip(costs.units, self._instances, strict=True) if unit.as_ready]
        self.returns = {
            first + n: Returns(first + n, shared.events, self._free, by_age, bounds.is_known)
            for first, each, _, _ in ways
            for n in range(-(-simds // each))
        }
        self._way_of = {
            simd: self.returns[first + simd // each] for first, each, _, _ in ways for simd in range(simds)
        }

    def issue(self, wave: Wave, operation: Operation, port: int, clock: int) -> int:
        """Issue an access. Returns 0, or the later clock at which its queues are open and the wave has to ask
        again."""
        number = wave.costs[wave.position]
        done = clock + self._issue_clocks
        way, clocks = None, 0
        if number == NO_COST:
            self._port_free[port] = done
        else:
            cost = self._costs[number]
            reserved, wave.reserved = wave.reserved, None
            placed = self._placed[wave.simd][number] or self._place(number, wave.simd)
            way, clocks = placed.as_ready, placed.back_clocks
            if reserved is None:
                opens = self._opens(wave, placed, clock) if placed.queues else clock
                if opens > clock and not placed.fair:
                    return opens
                reserved = self._reserve(wave, placed, cost, opens)
            opens, read, done = reserved
            if opens > clock:
                wave.reserved = reserved
                return opens
            self._port_free[port] = clock + cost.port
            if cost.holds:
                wave.pause = done - cost.latency - clock
            if operation.port == VECTOR_MEMORY_PORT and self._sent:
                wave.last_access = operation.number
                wave.sent = read + self._sent
            elif operation.port != SCALAR_MEMORY_PORT:
                wave.last_access = operation.number
                until = wave.overwrite_until = read + self._overwrite
                overwrite = wave.overwrite
                for register in operation.sent:
                    overwrite[register] = until
        if way is not None or (wave.returning and _is_behind(wave, operation)):
            follows, wave.follows = wave.follows, wave.clause > 1
            wave.clause -= 1
            counters = tuple([counter for counter, _ in operation.events])
            load = Loading(operation.number, counters, done, clocks, follows)
            (way or self._way_of[wave.simd]).add(wave, load)
            return 0
        for counter, in_order in operation.events:
            outstanding = wave.counters[counter]
            if in_order:
                if wave.in_order[counter] > done:
                    done = wave.in_order[counter]
                wave.in_order[counter] = done
            ending = done << INSTRUCTION_BITS | operation.number
            if outstanding and outstanding[-1] > ending:
                insort(outstanding, ending)
            else:
                outstanding.append(ending)
        return 0

    def _opens(self, wave: Wave, placed: _Placed, clock: int) -> int:
        """When the queues of an access's units are open for it, `clock` at the earliest."""
        opens, first, whose = clock, -1, -1
        for queue in placed.queues:
            if len(queue) == queue.maxlen and queue[0][0] > opens:
                opens, first, whose = queue[0]
        if opens > clock:
            block(wave, clock, (QUEUE, first, whose))
        return opens

    def _reserve(self, wave: Wave, placed: _Placed, cost: Cost, opens: int) -> tuple[int, int, int]:
        """Find when the first unit is done with an access, and when its data are there, if its queues open at
        `opens`. If that is later, the wave asks again then, but keeps its place."""
        free, read, done = self._free, 0, opens
        for instance, clocks, queue, taken, _, left in placed.services:
            start = free[instance]
            if done > start:
                start = done
            if taken is not None:
                start = _room_at(taken, start, left)
            if queue is not None:
                queue.append((start, wave.operation.number, wave.index))
            done = free[instance] = start + clocks
            read = read or done
        if cost.line >= 0:
            done = self._there(cost, done)
        elif cost.shared >= 0:
            done = self._shared(wave, cost, done)
        else:
            done += cost.latency
        if placed.back >= 0:
            back = free[placed.back] + placed.back_clocks
            if back > done:
                done = back
            free[placed.back] = done
        for taken, room in placed.rooms:
            taken.append((done, room))
        if placed.conflict:
            wave.conflicts[wave.operation.number] = placed.conflict
        return opens, read, done

    def _there(self, cost: Cost, served: int) -> int:
        """When an access has its line, which others fetch too, if its services are done at `served`."""
        there = self._lines.setdefault(cost.line, served + cost.latency)
        return max(there, served + cost.hit)

    def _shared(self, wave: Wave, cost: Cost, served: int) -> int:
        """When an access has its lines, which other waves load at the same step, if its services are done at
        `served`. The first wave at the step fetches them."""
        there, step, _ = self._fetched.get(cost.shared, (0, -1, -1))
        if step < wave.position:
            there = served + cost.latency
            self._fetched[cost.shared] = there, wave.position, cost.owner
        return max(there if step <= wave.position else 0, served + cost.hit)

    def _place(self, number: int, simd: int) -> _Placed:
        """Find the unit that serves an access of a SIMD, by its cost."""
        cost = self._costs[number]
        back = self._instance(cost.returns.unit, simd) if cost.returns else -1
        services = tuple([self._served(each, self._instance(each.unit, simd)) for each in cost.services])
        placed = self._placed[simd][number] = _Placed(
            services,
            tuple([each.queue for each in services if each.queue is not None]),
            all(self._instances[each.unit][3] for each in cost.services),
            tuple([(each.taken, each.room) for each in services if each.taken is not None]),
            sum([each.conflict for each in cost.services]),
            back if back not in self.returns else -1,
            cost.returns.clocks if cost.returns else 0,
            self.returns.get(back),
        )
        return placed

    def _served(self, service: Service, instance: int) -> _Served:
        queue, limit = self._queues[instance], self._instances[service.unit][2]
        taken = self._taken[instance] if service.room and limit else None
        return _Served(
            instance,
            service.clocks,
            queue if queue.maxlen else None,
            taken,
            service.room,
            limit - service.room,
        )

    def _instance(self, unit: int, simd: int) -> int:
        """The instance of a unit that serves a SIMD."""
        first, each, _, _ = self._instances[unit]
        return first + simd // each


def _room_at(taken: deque[tuple[int, int]], start: int, left: int) -> int:
    """From when on at most `left` of a unit is taken. Its room is free again in order."""
    while taken and taken[0][0] <= start:
        taken.popleft()
    used = sum([part for _, part in taken])
    while taken and used > left:
        returned, part = taken.popleft()
        start, used = max(start, returned), used - part
    return start


def _is_behind(wave: Wave, operation: Operation) -> bool:
    """Whether an access completes after loads that wait for their data."""
    return any(
        in_order and wave.counters[counter] and wave.counters[counter][-1] >= PENDING
        for counter, in_order in operation.events
    )
