"""Accesses of memory and LDS: the queues of the units that serve them, and the counters that they increment.

The order of issue is the order of service. An access that finds a queue full waits for its place there.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Sequence

from isa.timing.machine import Machine
from isa.timing.memory import NO_COST, Cost
from isa.timing.operation import SCALAR_MEMORY_PORT, Operation
from isa.timing.state import INSTRUCTION_BITS, QUEUE, Shared, Wave

_Place = tuple[int, int, int, int]
"""The instance of a unit that serves an access, for how many clocks, the room that the access takes there,
and the room of the unit, if the access takes any."""


class Accesses:
    """The units that serve the accesses of a compute unit."""

    def __init__(self, machine: Machine, costs: Sequence[Cost], shared: Shared) -> None:
        self._issue_clocks = machine.issue.clocks
        self._overwrite = machine.overwrite.clocks
        self._costs = costs
        self._conflicts = [sum([each.conflict for each in cost.services]) for cost in costs]
        self._port_free = shared.port_free
        self._instances = shared.instances
        self._queues = shared.unit_queue
        self._free = shared.unit_free
        self._taken = shared.unit_taken
        self._placed: dict[tuple[int, int], tuple[_Place, ...]] = {}  # by cost and SIMD

    def issue(self, wave: Wave, operation: Operation, port: int, clock: int) -> tuple[int, int]:
        """Issue an access. Returns the clock at which its queues are open, which is later than `clock` if the
        wave has to ask again then, and for how many clocks the wave issues nothing."""
        number = wave.costs[wave.position]
        done, pause = clock + self._issue_clocks, 0
        if number == NO_COST:
            self._port_free[port] = done
        else:
            cost = self._costs[number]
            reserved, wave.reserved = wave.reserved or self._reserve(wave, number, cost, clock), None
            opens, read, done = reserved
            if opens > clock:
                wave.reserved = reserved
                return opens, 0
            self._port_free[port] = clock + cost.port
            if cost.holds:
                pause = done - cost.latency - clock
            if operation.port != SCALAR_MEMORY_PORT:
                wave.last_access = wave.instruction
                until = wave.overwrite_until = read + self._overwrite
                overwrite = wave.overwrite
                for register in operation.reads:
                    overwrite[register] = until
        for counter, in_order in operation.events:
            if in_order:
                done = wave.in_order[counter] = max(done, wave.in_order[counter])
            insort(wave.counters[counter], done << INSTRUCTION_BITS | wave.instruction)
        return clock, pause

    def _reserve(self, wave: Wave, number: int, cost: Cost, clock: int) -> tuple[int, int, int]:
        """Find when the queues of an access's units are open for it, when the first unit is done with it, and
        when its data are there. If the queues open later, the wave asks again then. Queues are fair: an
        access that asks later gets no earlier place."""
        queues = self._queues
        places = self._placed.get((number, wave.simd)) or self._place(number, wave.simd)
        conflict = self._conflicts[number]
        opens, first, whose = clock, -1, -1
        for instance, _, _, _ in places:
            queue = queues[instance]
            if queue and len(queue) == queue.maxlen and queue[0][0] > opens:
                opens, first, whose = queue[0]
        if opens > clock:
            wave.blocked = (QUEUE, first, whose)
        read, done = 0, opens
        for instance, clocks, room, limit in places:
            start = self._free[instance]
            if done > start:
                start = done
            if limit:
                start = self._room_at(instance, start, limit - room)
            queues[instance].append((start, wave.instruction, wave.index))
            done = self._free[instance] = start + clocks
            read = read or done
        done += cost.latency
        if cost.returns:
            instance = self._instance(cost.returns.unit, wave.simd)
            done = self._free[instance] = max(done, self._free[instance] + cost.returns.clocks)
        for instance, _, room, limit in places:
            if limit:
                self._taken[instance].append((done, room))
        if conflict:
            wave.conflicts[wave.instruction] = conflict
        return opens, read, done

    def _place(self, number: int, simd: int) -> tuple[_Place, ...]:
        """The units that serve an access of a SIMD, by its cost."""
        places: list[_Place] = []
        for service in self._costs[number].services:
            room = self._instances[service.unit][2] if service.room else 0
            places.append((self._instance(service.unit, simd), service.clocks, service.room, room))
        self._placed[number, simd] = tuple(places)
        return self._placed[number, simd]

    def _instance(self, unit: int, simd: int) -> int:
        """The instance of a unit that serves a SIMD."""
        first, each, _ = self._instances[unit]
        return first + simd // each

    def _room_at(self, instance: int, start: int, room: int) -> int:
        """From when on at most `room` of a unit is taken. Its room is free again in order."""
        taken = self._taken[instance]
        while taken and taken[0][0] <= start:
            taken.popleft()
        used = sum([part for _, part in taken])
        while taken and used > room:
            returned, part = taken.popleft()
            start, used = max(start, returned), used - part
        return start
