"""The clock loop: replays a trace on a compute unit (on RDNA a workgroup processor) and charges each clock
of each wave to a cause.

The loop goes from event to event. An event is the clock at which a wave could issue its next instruction
for all that the wave itself knows: its registers, its counters, its last branch. What waves share is
decided then: the ports of the SIMD, of which each takes an instruction a clock and which the oldest wave of
the highest priority gets, the pipes of the vector ALU and its queue, and the queues of memory.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Sequence
from heapq import heapify, heappop, heappush

import numpy as np

from isa.diagnostics import InternalError
from isa.timing.machine import FETCHED_BYTES, MACHINES, Machine
from isa.timing.memory import NO_COST, ConstantMemory, Cost, Costs, Memory, Service
from isa.timing.operation import (
    ACCESS,
    AGO_TRANSCENDENTAL,
    BARRIER,
    BRANCH,
    HINT,
    IDLE,
    MATRIX_PIPE,
    PIPES,
    PORTS,
    SCALAR,
    SCALAR_MEMORY_PORT,
    SCALAR_PORT,
    SINCE_SCALAR,
    TRANSCENDENTAL_PIPE,
    VECTOR,
    WAIT,
    Operation,
    operations_of,  # fmt: skip
)
from isa.timing.state import (
    AGE,
    AGE_BITS,
    AT_BARRIER,
    BRANCHED,
    CONFLICT,
    COUNTED,
    DEPENDENT,
    ENDED,
    FETCH,
    FIRST_PORT,
    INSTRUCTION,
    INSTRUCTION_BITS,
    ISSUED,
    LOWEST,
    PORT,
    QUEUE,
    SLEEP,
    WHO,
    WHO_BITS,
    Group,
    Placement,
    Shared,
    Wave,
)
from isa.timing.steady import Steady
from isa.timing.timeline import Timeline, WaveClocks
from isa.timing.trace import Trace

_BEFORE_WAIT = frozenset({VECTOR, SCALAR, ACCESS})


class Code:
    """The code in the instruction cache: when each piece of it is there."""

    def __init__(self) -> None:
        self._there: dict[int, int] = {}

    def fetched(self, piece: int, clock: int, fetch: int) -> int:
        """When a wave that needs a piece at a clock has it, if a fetch takes `fetch` clocks."""
        return self._there.setdefault(piece, clock + fetch)


def replay(
    trace: Trace, memory: Memory | None = None, placement: Sequence[Placement] | None = None,
    machine: Machine | None = None, code: Code | None = None,
) -> Timeline:  # fmt: skip
    """The clocks of a trace. Waves that are not placed start together, on the SIMDs in turn. `code` is what
    the instruction cache has, and gets what the waves fetch; without it, the cache has all code."""
    if not trace.instructions:
        raise InternalError("isa.timing", "trace", "has no instructions")
    if machine is None:
        machine = MACHINES[trace.target.name]
    if placement is None:
        placement = [Placement(wave.number % trace.target.simds) for wave in trace.waves]
    costs = (memory or ConstantMemory()).costs(trace, machine)
    return _Replay(trace, machine, costs, placement, code).timeline()


class _Replay:
    """The state of a compute unit while it replays a trace."""

    def __init__(
        self, trace: Trace, machine: Machine, costs: Costs, placement: Sequence[Placement], code: Code | None
    ) -> None:  # fmt: skip
        self.code = code
        ends = (*trace.addresses[1:], trace.addresses[-1] + 4 if trace.addresses else 0)
        # the piece with the last byte of each instruction
        self.pieces = [(end - 1) // FETCHED_BYTES for end in ends]
        self.fetch = machine.fetch.clocks
        program = operations_of(trace.instructions, trace.target, machine)
        self.trace = trace
        self.machine = machine
        self.operations = program.operations
        self.is_issued = np.array([each.kind != HINT for each in program.operations], np.bool_)
        self.costs = costs.table
        self.issue_clocks = machine.issue.clocks
        counters = len(trace.target.counters)
        self.limits = [counter.maximum for counter in trace.target.counters]
        first = program.operations[0]
        self.waves = [
            Wave(i, wave, place, cost, program.registers, counters, machine.masks.clocks, first)
            for i, (wave, place, cost) in enumerate(zip(trace.waves, placement, costs.of_steps, strict=True))
        ]
        simds = 1 + max((place.simd for place in placement), default=0)
        shared = Shared(simds, machine, costs.units)
        self.port_free, self.port_user, self.port_waiting = (
            shared.port_free, shared.port_user, shared.port_waiting,
        )  # fmt: skip
        self.execute_free, self.drained = shared.execute_free, shared.drained
        self.scalar_free = shared.scalar_free
        self.leaving, self.dispatched = shared.leaving, shared.dispatched
        self.scalars_leaving = shared.scalars_leaving
        self.pipe_free, self.pipe_user = shared.pipe_free, shared.pipe_user
        self.instances, self.unit_queue = shared.instances, shared.unit_queue
        self.unit_free, self.unit_taken = shared.unit_free, shared.unit_taken
        self.events = shared.events
        self.groups: dict[int, Group] = {}
        for wave in self.waves:
            self.groups.setdefault(wave.group, Group()).members += 1
        self.by_age = sorted(self.waves, key=lambda wave: (wave.start, wave.index))
        for age, wave in enumerate(self.by_age):
            wave.age = age
            wave.rank = LOWEST | age
            wave.next = wave.start + machine.launch.clocks
        self.execute, self.credit = machine.execute.clocks, machine.credit.clocks
        self.queue = machine.queue.clocks
        self.barrier = machine.barrier.clocks
        self.scalar_execute, self.scalar_queue = machine.scalar_execute.clocks, machine.scalar_queue.clocks
        self.matrix_execute, self.matrix_drain = machine.matrix_execute.clocks, machine.matrix_drain.clocks
        self.delay_after_wait = machine.delay_after_wait.clocks
        self.matrix_again = machine.matrix_again.clocks
        self.branch, self.fall_through = machine.branch.clocks, machine.fall_through.clocks
        self.before_wait, self.overwrite = machine.before_wait.clocks, machine.overwrite.clocks
        self.vector_to_memory, self.end = machine.vector_to_memory.clocks, machine.end.clocks
        self.vector_done, self.scalar_done = machine.vector_done.clocks, machine.scalar_done.clocks
        self.scalar_source = machine.scalar_source.clocks
        self.vector, self.transcendental = machine.vector.clocks, machine.transcendental.clocks
        self.mask, self.masks = machine.mask.clocks, machine.masks.clocks
        self.scalar_to_vector = machine.scalar_to_vector.clocks
        self.has_delays = trace.target.has_delay_alu
        self.steady = Steady(self.by_age, shared, self.groups)
        self.issuers = (
            self._issue_vector, self._issue_scalar, self._issue_access, self._issue_branch, self._issue_wait,
            self._issue_barrier, self._issue_idle, self._issue_scalar,
        )  # fmt: skip

    def timeline(self) -> Timeline:
        """Replay every wave to its end."""
        for wave in self.waves:
            if wave.steps:
                self._ask(wave)
        heapify(self.events)
        self._run()
        while waiting := [group for group in self.groups.values() if group.waiting]:
            # the trace was cut: what opens the barrier is not in it
            self._unlock(min(waiting, key=lambda group: min(wave.clock for wave in group.waiting)))
            self._run()
        clocks = [self._clocks_of(wave) for wave in self.waves]
        return Timeline(self.trace, tuple(clocks), max((wave.end for wave in clocks), default=0))

    def _run(self) -> None:
        """Take events in order until no wave has a step left."""
        events, by_age, issuers = self.events, self.by_age, self.issuers
        free, waiting = self.port_free, self.port_waiting
        while events:
            event = heappop(events)
            clock, who = event >> WHO_BITS, event & WHO
            if who < FIRST_PORT:
                wave = by_age[who & AGE]
                operation = wave.operation
                port = wave.ports + operation.port
                if free[port] > clock or waiting[port]:
                    self._park(wave, port, clock)
                else:
                    issuers[operation.kind](wave, operation, port, clock)
                continue
            port = who - FIRST_PORT
            wave = by_age[heappop(waiting[port]) & AGE]
            operation = wave.operation
            issuers[operation.kind](wave, operation, port, clock)
            if waiting[port]:
                heappush(events, max(free[port], clock) << WHO_BITS | who)

    def _park(self, wave: Wave, port: int, clock: int) -> None:
        """Let a wave wait for its port, which takes the oldest wave of the highest priority as soon as it is
        free."""
        wave.blocked = (PORT, *self.port_user[port])
        if not self.port_waiting[port]:
            heappush(self.events, max(self.port_free[port], clock) << WHO_BITS | FIRST_PORT + port)
        heappush(self.port_waiting[port], wave.rank)

    def _ask(self, wave: Wave) -> None:
        """Find from when on a wave may issue its next instruction, as far as the wave itself knows, and have
        it asked then."""
        position = wave.position
        if position == wave.length:
            self._leave(wave)
            return
        operation = wave.operation = self.operations[wave.steps[position]]
        kind = operation.kind
        if kind == HINT:
            self._heed(wave, operation)
            wave.position = position + 1
            self._ask(wave)
            return
        if self.code is not None:
            self._fetch(wave, self.code)
        wave.bound, wave.cause, wave.culprit = wave.next, DEPENDENT, -1
        if wave.delays:
            self._bound_delays(wave)
        if kind == VECTOR:
            if wave.overwrite_until > wave.bound or not operation.waits_in_queue:
                self._bound_vector(wave, operation)
        elif kind == ACCESS:
            self._bound_access(wave, operation)
        elif kind in (WAIT, IDLE):
            if wave.last_kind in _BEFORE_WAIT and wave.clock + self.before_wait > wave.bound:
                wave.bound, wave.cause = wave.clock + self.before_wait, PORT
            if operation.idle_clocks:
                wave.bound, wave.cause = wave.bound + operation.idle_clocks, SLEEP
            self._bound_wait(wave, operation)
        else:
            self._bound_scalar(wave, operation)
        heappush(self.events, wave.bound << WHO_BITS | wave.rank)

    def _fetch(self, wave: Wave, code: Code) -> None:
        """Let a wave wait for its next instruction to come to the instruction cache."""
        piece = self.pieces[wave.steps[wave.position]]
        if piece == wave.piece:
            return
        wave.piece = piece
        there = code.fetched(piece, wave.next, self.fetch)
        if there > wave.next:
            wave.next, wave.next_cause, wave.next_culprit = there, FETCH, (-1, -1)

    def _heed(self, wave: Wave, hint: Operation) -> None:
        """Take a hint, which needs no issue."""
        wave.issue.append(wave.next)
        vectors, scalars = hint.done
        for asked, clock, instruction in (
            (vectors and wave.vector_step >= 0, wave.vector_busy + self.vector_done, wave.vector_step),
            (scalars and wave.scalar_step >= 0, wave.scalar_busy + self.scalar_done, wave.scalar_step),
        ):
            if asked and clock > wave.next:
                wave.next, wave.next_cause, wave.next_culprit = clock, DEPENDENT, (instruction, -1)
        if hint.delays:
            wave.delays = list(hint.delays)
            if wave.last_kind == WAIT:
                wave.next += self.delay_after_wait

    def _bound_delays(self, wave: Wave) -> None:
        """Apply the delays that a hint asked for before this instruction, and keep those for later ones."""
        for skip, what, count in wave.delays:
            if skip:
                continue
            if what == SINCE_SCALAR:
                clock, instruction = wave.scalar_clock + count + 1, wave.scalar_step
            else:
                issues, latency = (
                    (wave.transcendental_issues, self.transcendental)
                    if what == AGO_TRANSCENDENTAL
                    else (wave.vector_issues, self.vector)
                )
                if len(issues) < count:
                    continue
                clock, instruction = issues[-count]
                clock += latency
            if clock > wave.bound:
                wave.bound, wave.culprit = clock, instruction
        wave.delays = [(skip - 1, what, count) for skip, what, count in wave.delays if skip]

    def _bound_vector(self, wave: Wave, operation: Operation) -> None:
        """A vector instruction waits for its operands in the queue, if there is a queue."""
        if wave.idle[wave.position]:
            return
        bound = wave.bound
        for register in operation.scalar_reads:
            if wave.from_scalar[register] and wave.from_scalar[register] + self.scalar_to_vector > bound:
                bound = wave.from_scalar[register] + self.scalar_to_vector
                wave.culprit = wave.writers[register]
        if operation.scalar_writes and self.masks:
            if wave.scalar_busy + self.scalar_done > bound and wave.scalar_step >= 0:
                bound, wave.culprit = wave.scalar_busy + self.scalar_done, wave.scalar_step
            if wave.masks_done[0] > bound:
                bound, wave.cause, wave.culprit = wave.masks_done[0], QUEUE, wave.vector_step
        if not self.queue:
            for register in operation.reads:
                if wave.vector_ready[register] > bound:
                    bound, wave.culprit = wave.vector_ready[register], wave.writers[register]
        if operation.is_matrix and not wave.behind_matrix:
            for register in operation.writes:
                if wave.matrix_again[register] > bound:
                    bound, wave.culprit = wave.matrix_again[register], wave.writers[register]
        if wave.overwrite_until > bound:
            for register in operation.writes:
                if wave.overwrite[register] > bound:
                    bound, wave.culprit = wave.overwrite[register], wave.last_access
        wave.bound = bound

    def _bound_scalar(self, wave: Wave, operation: Operation) -> None:
        ready = wave.from_vector
        if operation.writes_scalar and wave.scalar_source > wave.bound:
            wave.bound, wave.culprit = wave.scalar_source, wave.vector_step
        for registers in (operation.reads, operation.writes):
            for register in registers:
                if ready[register] > wave.bound:
                    wave.bound, wave.culprit = ready[register], wave.writers[register]
        if operation.kind == SCALAR and self.scalar_queue:
            return
        ready = wave.from_scalar
        done = 0 if operation.kind == SCALAR else self.scalar_done
        for register in operation.reads:
            if ready[register] + done > wave.bound and ready[register]:
                wave.bound, wave.culprit = ready[register] + done, wave.writers[register]

    def _bound_access(self, wave: Wave, operation: Operation) -> None:
        self._bound_scalar(wave, operation)
        if operation.port != SCALAR_MEMORY_PORT and wave.vector_step >= 0:
            ready = wave.vector_busy + self.vector_to_memory
            if ready > wave.bound:
                wave.bound, wave.culprit = ready, wave.vector_step
        for counter, _ in operation.events:
            outstanding = wave.counters[counter]
            if len(outstanding) >= self.limits[counter]:
                del outstanding[: bisect_left(outstanding, wave.bound + 1 << INSTRUCTION_BITS)]
            if len(outstanding) >= self.limits[counter]:
                oldest = outstanding[0]
                wave.bound, wave.cause, wave.culprit = (
                    oldest >> INSTRUCTION_BITS,
                    QUEUE,
                    oldest & INSTRUCTION,
                )

    def _bound_wait(self, wave: Wave, operation: Operation) -> None:
        for counter, left in operation.waits:
            outstanding = wave.counters[counter]
            if len(outstanding) > left:
                last = outstanding[len(outstanding) - left - 1]
                if last >> INSTRUCTION_BITS > wave.bound:
                    wave.bound = last >> INSTRUCTION_BITS
                    wave.cause, wave.culprit = COUNTED, last & INSTRUCTION

    def _later(self, wave: Wave, clock: int, blocked: tuple[int, int, int]) -> None:
        """Have a wave asked again later, because something that waves share is busy."""
        wave.blocked = blocked
        heappush(self.events, clock << WHO_BITS | wave.rank)

    def _issue_vector(self, wave: Wave, operation: Operation, port: int, clock: int) -> None:
        simd, instruction = wave.simd, wave.steps[wave.position]
        if wave.idle[wave.position]:
            self.port_free[port] = clock + self.issue_clocks
            self._issued(wave, instruction, port, VECTOR, clock)
            return
        if operation.apart:
            matrix = simd * PIPES + MATRIX_PIPE
            apart = self.pipe_free[matrix] + operation.apart
            if apart > clock and self.pipe_free[matrix]:
                self._later(wave, apart, (PORT, *self.pipe_user[matrix]))
                return
        if operation.pipe_hold and not (operation.is_matrix and self.queue):
            pipe = simd * PIPES + operation.pipe
            if self.pipe_free[pipe] > clock:
                self._later(wave, self.pipe_free[pipe], (PORT, *self.pipe_user[pipe]))
                return
            self.pipe_free[pipe] = clock + operation.pipe_hold
            self.pipe_user[pipe] = (instruction, wave.index)
        execute = clock + (self.matrix_execute if operation.is_matrix else self.execute)
        free = self.execute_free[simd] if operation.is_matrix else self.drained[simd]
        if free > execute:
            execute = free
        ready = wave.vector_ready
        for register in operation.reads:
            if ready[register] > execute:
                execute = ready[register]
        self.execute_free[simd] = self.drained[simd] = execute + operation.execute_hold
        if operation.is_matrix:
            self.drained[simd] += self.matrix_drain
        free = clock + operation.hold
        if self.queue:
            leaving, dispatched = self.leaving[simd], self.dispatched[simd]
            leaving.append(execute + self.credit)
            # vector instructions leave the queue for the pipeline, but not behind a matrix instruction
            dispatched.append(
                self.execute_free[simd] + self.credit if operation.is_matrix else dispatched[-1]
            )
            free = max(free, leaving[0], dispatched[0])
        self.port_free[port] = free
        wave.behind_matrix = operation.is_matrix and self.queue > 0
        if wave.behind_matrix:
            for register in operation.writes:
                wave.matrix_again[register] = execute + self.matrix_again
        to_vector = execute + operation.latency
        for register in operation.writes:
            ready[register] = to_vector
            wave.writers[register] = instruction
        last = execute + operation.execute_hold - self.issue_clocks  # of its passes
        if operation.scalar_writes and self.masks:
            wave.masks_done.append(last + self.vector_done)
        for register in operation.scalar_writes:
            ready[register] = execute + self.mask
            wave.from_vector[register], wave.from_scalar[register] = execute + operation.scalar_latency, 0
            wave.writers[register] = instruction
        if operation.pipe != MATRIX_PIPE:
            wave.vector_busy, wave.vector_step = last, instruction
        if self.has_delays:
            if operation.pipe == TRANSCENDENTAL_PIPE:
                wave.transcendental_issues.append((clock, instruction))
            else:
                wave.vector_issues.append((clock, instruction))
        if operation.reads_scalar:
            wave.scalar_source = clock + self.scalar_source
        self._issued(wave, instruction, port, VECTOR, clock)

    def _issue_scalar(self, wave: Wave, operation: Operation, port: int, clock: int) -> None:
        instruction, simd = wave.steps[wave.position], wave.simd
        if wave.behind_matrix and self.dispatched[simd][0] > clock:
            self._later(wave, self.dispatched[simd][0], (QUEUE, wave.vector_step, -1))
            return
        free, execute = clock + operation.hold, clock
        if self.scalar_queue and operation.port % PORTS == SCALAR_PORT:
            execute = max(clock + self.scalar_execute, self.scalar_free[simd])
            for register in operation.ordered:
                if wave.from_scalar[register] > execute:
                    execute = wave.from_scalar[register]
            self.scalar_free[simd] = execute + operation.execute_hold
            self.scalars_leaving[simd].append(execute + self.credit)
            free = max(free, self.scalars_leaving[simd][0])
        self.port_free[port] = free
        wave.scalar_clock, wave.scalar_busy = clock, execute + operation.latency
        wave.scalar_step = instruction
        for register in operation.writes:
            wave.vector_ready[register] = wave.from_scalar[register] = wave.scalar_busy
            wave.from_vector[register] = 0
            wave.writers[register] = instruction
        if operation.signals:
            self._arrive(wave, instruction, clock)
        if operation.priority >= 0:
            wave.rank = 3 - operation.priority << AGE_BITS | wave.age
        self._issued(wave, instruction, port, SCALAR, clock)

    def _issue_access(self, wave: Wave, operation: Operation, port: int, clock: int) -> None:
        instruction, number = wave.steps[wave.position], wave.costs[wave.position]
        done, hold = clock + self.issue_clocks, 0
        if number == NO_COST:
            self.port_free[port] = done
        else:
            cost = self.costs[number]
            reserved, wave.reserved = wave.reserved or self._reserve(wave, instruction, cost, clock), None
            opens, read, done = reserved
            if opens > clock:
                wave.reserved = reserved
                return
            self.port_free[port] = clock + cost.port
            if cost.holds:
                hold = done - cost.latency - clock
            if operation.port != SCALAR_MEMORY_PORT:
                wave.overwrite_until, wave.last_access = read + self.overwrite, instruction
                for register in operation.reads:
                    wave.overwrite[register] = wave.overwrite_until
        for counter, in_order in operation.events:
            if in_order:
                done = wave.in_order[counter] = max(done, wave.in_order[counter])
            insort(wave.counters[counter], done << INSTRUCTION_BITS | instruction)
        self._issued(wave, instruction, port, ACCESS, clock, hold)

    def _reserve(self, wave: Wave, instruction: int, cost: Cost, clock: int) -> tuple[int, int, int]:
        """Find when the queues of an access's units are open for it, when the first unit is done with it, and
        when its data are there. If the queues open later, the wave asks again then. Queues are fair: an
        access that asks later gets no earlier place."""
        opens, first, whose = clock, -1, -1
        instances = [self._instance(service.unit, wave.simd) for service in cost.services]
        for instance in instances:
            queue = self.unit_queue[instance]
            if queue and len(queue) == queue.maxlen and queue[0][0] > opens:
                opens, first, whose = queue[0]
        if opens > clock:
            self._later(wave, opens, (QUEUE, first, whose))
        read, done = 0, opens
        for service, instance in zip(cost.services, instances, strict=True):
            done = self._serve(wave, instruction, service, instance, done)
            read = read or done
        done += cost.latency
        if cost.returns:
            instance = self._instance(cost.returns.unit, wave.simd)
            done = self.unit_free[instance] = max(done, self.unit_free[instance] + cost.returns.clocks)
        for service, instance in zip(cost.services, instances, strict=True):
            if service.room and self.instances[service.unit][2]:
                self.unit_taken[instance].append((done, service.room))
        return opens, read, done

    def _instance(self, unit: int, simd: int) -> int:
        """The instance of a unit that serves a SIMD."""
        first, each, _ = self.instances[unit]
        return first + simd // each

    def _serve(self, wave: Wave, instruction: int, service: Service, instance: int, clock: int) -> int:
        """When a unit is done with an access that comes at a clock."""
        start = max(clock, self.unit_free[instance])
        limit = self.instances[service.unit][2]
        if limit and service.room:
            start = self._room_at(instance, start, limit - service.room)
        if service.conflict:
            wave.conflicts[instruction] = service.conflict
        self.unit_queue[instance].append((start, instruction, wave.index))
        self.unit_free[instance] = start + service.clocks
        return start + service.clocks

    def _room_at(self, instance: int, start: int, room: int) -> int:
        """From when on at most `room` of a unit is taken. Its room is free again in order."""
        taken = self.unit_taken[instance]
        while taken and taken[0][0] <= start:
            taken.popleft()
        used = sum([part for _, part in taken])
        while taken and used > room:
            returned, part = taken.popleft()
            start, used = max(start, returned), used - part
        return start

    def _issue_branch(self, wave: Wave, operation: Operation, port: int, clock: int) -> None:
        position, steps = wave.position, wave.steps
        instruction = steps[position]
        taken = position + 1 < len(steps) and steps[position + 1] != instruction + 1
        if taken and steps[position + 1] < instruction and wave is self.steady.leader:
            clock += self.steady.skip(clock)
            position = wave.position
            taken = steps[position + 1] != instruction + 1
        self.port_free[port] = clock + operation.hold
        clocks = self.branch if taken else self.fall_through
        self._issued(wave, instruction, port, BRANCH, clock, clocks, BRANCHED)

    def _issue_wait(self, wave: Wave, operation: Operation, port: int, clock: int) -> None:
        self.port_free[port] = clock + operation.hold
        for counter, left in operation.waits:
            outstanding = wave.counters[counter]
            if len(outstanding) > left:
                del outstanding[: len(outstanding) - left]
        self._issued(wave, wave.steps[wave.position], port, WAIT, clock)

    def _issue_idle(self, wave: Wave, operation: Operation, port: int, clock: int) -> None:
        self.port_free[port] = clock + operation.hold
        self._issued(wave, wave.steps[wave.position], port, IDLE, clock)

    def _issue_barrier(self, wave: Wave, operation: Operation, port: int, clock: int) -> None:
        """A wave at a barrier goes on when all waves of its workgroup have arrived."""
        instruction = wave.steps[wave.position]
        self.port_free[port] = clock + operation.hold
        group = self.groups[wave.group]
        phase = wave.phase
        wave.phase += 1
        if operation.signals:
            self._arrive(wave, instruction, clock)
        self._record(wave, instruction, port, BARRIER, clock)
        if phase < len(group.released):
            self._release(wave, *group.released[phase])
        else:
            group.waiting.append(wave)

    def _arrive(self, wave: Wave, instruction: int, clock: int) -> None:
        group = self.groups[wave.group]
        group.arrived += 1
        group.last = (instruction, wave.index)
        self._open(group, clock)

    def _unlock(self, group: Group) -> None:
        """Open a barrier that waves of the trace never reach."""
        group.arrived = group.members
        self._open(group, max(wave.clock for wave in group.waiting))

    def _open(self, group: Group, clock: int) -> None:
        """Open the barrier if every wave that is left has arrived."""
        if not group.arrived or group.arrived < group.members:
            return
        group.arrived = 0
        group.released.append((clock, group.last))
        waiting, group.waiting = group.waiting, []
        for wave in waiting:
            self._release(wave, clock, group.last)

    def _release(self, wave: Wave, clock: int, last: tuple[int, int]) -> None:
        """Let a wave go on after its barrier, which opened at `clock`."""
        if clock + self.barrier > wave.next:
            wave.next, wave.next_cause, wave.next_culprit = clock + self.barrier, AT_BARRIER, last
        wave.position += 1
        self._ask(wave)

    def _issued(
        self, wave: Wave, instruction: int, port: int, kind: int, clock: int, clocks: int = 0,
        cause: int = PORT,
    ) -> None:  # fmt: skip
        """Note that a wave issued its instruction, after which it may issue the next in `clocks` if that is
        later than usual, and go on with it."""
        self._record(wave, instruction, port, kind, clock)
        if clocks > self.issue_clocks:
            wave.next, wave.next_cause, wave.next_culprit = clock + clocks, cause, (instruction, -1)
        wave.position += 1
        self._ask(wave)

    def _record(self, wave: Wave, instruction: int, port: int, kind: int, clock: int) -> None:
        """Note that a wave issued its instruction, and why not sooner."""
        if clock > wave.slot_end:
            self._charge(wave, clock)
        wave.issue.append(clock)
        wave.clock = clock
        wave.last_kind = kind
        if kind != VECTOR:
            wave.behind_matrix = False
        wave.slot_end = wave.next = clock + self.issue_clocks
        self.port_user[port] = (instruction, wave.index)

    def _charge(self, wave: Wave, clock: int) -> None:
        """Charge the clocks since the wave's last issue."""
        position, since = wave.position, wave.slot_end
        if wave.next > since:
            wave.charges.append(
                (3 * position - 1, wave.next_cause, min(wave.next, clock) - since, *wave.next_culprit)
            )
            since = wave.next
        bound = min(wave.bound, clock)
        if bound > since:
            conflict = min(bound - since, wave.conflicts.get(wave.culprit, 0)) if wave.cause == COUNTED else 0
            if bound - since > conflict:
                wave.charges.append((3 * position, wave.cause, bound - since - conflict, wave.culprit, -1))
            if conflict:
                wave.charges.append((3 * position, CONFLICT, conflict, wave.culprit, -1))
            since = bound
        if clock > since:
            cause, culprit, other = wave.blocked
            wave.charges.append((3 * position, cause, clock - since, culprit, other))

    def _leave(self, wave: Wave) -> None:
        """A wave is done: its workgroup's barriers no longer wait for it."""
        wave.end = max(wave.next, wave.clock + self.end)
        if wave is self.steady.leader:
            self.steady.leave()
        group = self.groups[wave.group]
        group.members -= 1
        self._open(group, wave.next)

    def _clocks_of(self, wave: Wave) -> WaveClocks:
        """The record of a wave that is done."""
        steps, stalls = wave.traced.steps, wave.journal.charged()
        issued = np.flatnonzero(self.is_issued[steps])
        charges = np.full((len(issued), 5), -1, np.int64)
        charges[:, 0], charges[:, 1], charges[:, 2] = 3 * issued + 1, ISSUED, self.issue_clocks
        if wave.end > wave.slot_end:
            last = np.array([[3 * len(steps) - 1, ENDED, wave.end - wave.slot_end, -1, -1]])
            stalls = np.concatenate((stalls, last))
        charges = np.concatenate((stalls, charges))
        charges = charges[np.argsort(charges[:, 0], kind="stable")]
        return WaveClocks(
            wave=wave.index,
            simd=wave.simd,
            start=wave.start,
            end=wave.end,
            issue=wave.journal.issued(),
            step=np.maximum(charges[:, 0] // 3, 0).astype(np.int32),
            cause=charges[:, 1].astype(np.int8),
            clocks=charges[:, 2],
            culprit=charges[:, 3].astype(np.int32),
            other=charges[:, 4].astype(np.int32),
        )
