"""The clock loop: replays a trace on a compute unit (on RDNA a workgroup processor) and charges each clock
of each wave to a cause.

The loop goes from event to event. An event is the clock at which a wave could issue its next instruction
for all that the wave itself knows: its registers, its counters, its last branch. What waves share is
decided then: the ports of the SIMD, of which each takes an instruction a clock and which the oldest wave of
the highest priority gets, the pipes of the vector ALU and its queue, and the queues of memory.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import deque
from collections.abc import Sequence
from heapq import heapify, heappop, heappush

import numpy as np
from numpy.typing import NDArray

from isa.named_tuple import NamedTuple
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
from isa.timing.timeline import CAUSES, Cause, Timeline, WaveClocks
from isa.timing.trace import Trace, TracedWave

_ISSUED, _DEPENDENCY, _COUNTER, _PORT, _QUEUE, _CONFLICT, _BARRIER, _FETCH, _BRANCH, _SLEEP, _END = range(11)
assert [CAUSES[_ISSUED], CAUSES[_CONFLICT], CAUSES[_END]] == [Cause.ISSUED, Cause.LDS_CONFLICT, Cause.END]

_WHO_BITS = 22  # of an event: a wave by its rank, or a port from `_FIRST_PORT` on
_WHO = (1 << _WHO_BITS) - 1
_FIRST_PORT = 1 << _WHO_BITS - 1
_AGE_BITS = 19  # of a rank: the wave's age after its priority
_AGE = (1 << _AGE_BITS) - 1
_LOWEST = 3 << _AGE_BITS  # the rank of a wave of priority 0, besides its age
_INSTRUCTION_BITS = 24  # of an outstanding access
_INSTRUCTION = (1 << _INSTRUCTION_BITS) - 1

_BEFORE_WAIT = frozenset({VECTOR, SCALAR, ACCESS})


class Placement(NamedTuple):
    """Where a wave runs, and the clock at which it starts."""

    simd: int
    start: int = 0


class _Wave:
    """A wave on its way through its steps."""

    __slots__ = (
        "age", "blocked", "bound", "cause", "charges", "clock", "conflicts", "costs", "counters", "culprit",
        "delays", "end", "from_scalar", "from_vector", "group", "hold_end", "idle", "in_order", "index",
        "issue", "last_access", "last_kind", "masks_done", "next", "next_cause", "next_culprit",
        "overwrite", "overwrite_until", "phase", "piece", "position", "rank", "reserved", "scalar_busy",
        "scalar_clock", "scalar_source", "scalar_step", "simd", "slot_end", "start", "steps",
        "transcendental_issues", "vector_busy", "vector_issues", "vector_ready", "vector_step", "writers",
    )  # fmt: skip

    def __init__(
        self,
        index: int,
        wave: TracedWave,
        place: Placement,
        costs: NDArray[np.int32],
        registers: int,
        counters: int,
    ) -> None:
        self.index = index
        self.simd = place.simd
        self.start = place.start
        self.group = wave.group
        self.steps: list[int] = wave.steps.tolist()
        self.idle: list[bool] = wave.idle.tolist()
        self.costs: list[int] = costs.tolist()
        self.position = 0
        self.issue: list[int] = []
        self.charges: list[tuple[int, int, int, int, int]] = []
        self.vector_ready = [0] * registers  # when a vector instruction that reads it may execute
        # when another than a vector instruction that reads it may issue, if a vector instruction wrote it
        self.from_vector = [0] * registers
        # when a scalar instruction that reads it may execute, if a scalar instruction wrote it
        self.from_scalar = [0] * registers
        self.overwrite = [0] * registers  # when it may be overwritten
        self.writers = [-1] * registers  # the instruction that wrote it last
        self.counters: list[list[int]] = [[] for _ in range(counters)]
        self.in_order = [0] * counters  # the last completion of those that complete in order
        self.clock = self.end = place.start  # of the last issue, and of the wave's end
        self.last_kind = HINT
        self.slot_end = place.start  # the end of the last issue
        self.next = place.start  # from when on the wave may issue, for what it issued last
        self.next_cause = _FETCH
        self.next_culprit: tuple[int, int] = (-1, -1)
        self.vector_busy = 0  # the last execution in the vector ALU
        self.vector_step = -1
        self.scalar_clock = 0  # the last issue to the scalar ALU
        self.scalar_busy = 0  # when its result is there
        self.scalar_step = -1
        self.scalar_source = 0  # from when on SGPRs may be written
        self.masks_done: deque[int] = deque()  # of the last vector instructions that write SGPRs
        self.hold_end = 0  # the end of the last instruction's time in its unit
        self.delays: list[tuple[int, int, int]] = []  # that hints asked for
        self.vector_issues: deque[tuple[int, int]] = deque(maxlen=4)
        self.transcendental_issues: deque[tuple[int, int]] = deque(maxlen=3)
        self.overwrite_until = 0
        self.last_access = -1
        self.bound = 0  # from when on the wave may issue its next instruction, for all that it knows
        self.cause = _DEPENDENCY
        self.culprit = -1
        self.blocked: tuple[int, int, int] = (_PORT, -1, -1)  # what the wave shares and waits for
        self.conflicts: dict[int, int] = {}  # clocks of LDS conflicts of an instruction's last access
        self.phase = 0  # barriers passed
        self.piece = -1  # of the code, with the last instruction
        # of an access that waits for its place in a queue: as `_reserve` returns it
        self.reserved: tuple[int, int, int] | None = None


class _Group:
    """A workgroup at its barrier."""

    __slots__ = ("arrived", "last", "members", "released", "waiting")

    def __init__(self) -> None:
        self.members = 0
        self.arrived = 0
        self.last: tuple[int, int] = (-1, -1)  # the last to arrive: wave and instruction
        self.released: list[tuple[int, tuple[int, int]]] = []  # the last arrival of each phase
        self.waiting: list[_Wave] = []


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
        self.costs = costs.table
        self.issue_clocks = machine.issue.clocks
        counters = len(trace.target.counters)
        self.limits = [counter.maximum for counter in trace.target.counters]
        self.waves = [
            _Wave(i, wave, place, cost, program.registers, counters)
            for i, (wave, place, cost) in enumerate(zip(trace.waves, placement, costs.of_steps, strict=True))
        ]
        simds = 1 + max((place.simd for place in placement), default=0)
        self._make_units(simds, costs)
        self.groups: dict[int, _Group] = {}
        for wave in self.waves:
            self.groups.setdefault(wave.group, _Group()).members += 1
        self.events: list[int] = []
        self.by_age = sorted(self.waves, key=lambda wave: (wave.start, wave.index))
        for age, wave in enumerate(self.by_age):
            wave.age = age
            wave.rank = _LOWEST | age
            wave.next = wave.start + machine.launch.clocks
        self.execute, self.credit = machine.execute.clocks, machine.credit.clocks
        self.queue, self.matrix_queue = machine.queue.clocks, machine.matrix_queue.clocks
        self.barrier = machine.barrier.clocks
        self.scalar_execute, self.scalar_queue = machine.scalar_execute.clocks, machine.scalar_queue.clocks
        self.matrix_execute = machine.matrix_execute.clocks
        self.branch, self.fall_through = machine.branch.clocks, machine.fall_through.clocks
        self.before_wait, self.overwrite = machine.before_wait.clocks, machine.overwrite.clocks
        self.vector_to_memory, self.end = machine.vector_to_memory.clocks, machine.end.clocks
        self.vector_done, self.scalar_done = machine.vector_done.clocks, machine.scalar_done.clocks
        self.scalar_source = machine.scalar_source.clocks
        self.vector, self.transcendental = machine.vector.clocks, machine.transcendental.clocks
        self.mask, self.masks = machine.mask.clocks, machine.masks.clocks
        self.scalar_to_vector = machine.scalar_to_vector.clocks
        for wave in self.waves:
            wave.masks_done = deque([0] * (self.masks or 1), self.masks or 1)
        self.has_delays = trace.target.has_delay_alu
        self.issuers = (
            self._issue_vector, self._issue_scalar, self._issue_access, self._issue_branch, self._issue_wait,
            self._issue_barrier, self._issue_idle, self._issue_scalar,
        )  # fmt: skip

    def _make_units(self, simds: int, costs: Costs) -> None:
        self.port_free = [0] * (simds * PORTS)
        self.port_user = [(-1, -1)] * (simds * PORTS)
        self.port_waiting: list[list[int]] = [[] for _ in range(simds * PORTS)]
        self.execute_free = [0] * simds
        # when instructions leave the vector ALU, so that others may enter its queue
        self.leaving = [deque([0], self.machine.queue.clocks or 1) for _ in range(simds)]
        self.matrices_leaving = [deque([0], self.machine.matrix_queue.clocks or 1) for _ in range(simds)]
        self.scalar_free = [0] * simds
        self.scalars_leaving = [deque([0], self.machine.scalar_queue.clocks or 1) for _ in range(simds)]
        for places in self.leaving + self.matrices_leaving + self.scalars_leaving:
            places.extend([0] * ((places.maxlen or 1) - 1))
        self.pipe_free = [0] * (simds * PIPES)
        self.pipe_user = [(-1, -1)] * (simds * PIPES)
        # a unit's instances: the first, the SIMDs of each, and its room
        self.instances: list[tuple[int, int, int]] = []
        # the last accesses of each instance, as many as its queue takes: start of service, and whose they are
        self.unit_queue: list[deque[tuple[int, int, int]]] = []
        count = 0
        for unit in costs.units:
            each = unit.simds or simds
            copies = -(-simds // each)
            self.instances.append((count, each, unit.room))
            self.unit_queue += [deque(maxlen=unit.depth) for _ in range(copies)]
            count += copies
        self.unit_free = [0] * count
        self.unit_taken: list[deque[tuple[int, int]]] = [deque() for _ in range(count)]

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
        events, by_age, operations = self.events, self.by_age, self.operations
        free, waiting, issuers = self.port_free, self.port_waiting, self.issuers
        while events:
            event = heappop(events)
            clock, who = event >> _WHO_BITS, event & _WHO
            if who < _FIRST_PORT:
                wave = by_age[who & _AGE]
                operation = operations[wave.steps[wave.position]]
                port = wave.simd * PORTS + operation.port
                if free[port] > clock or waiting[port]:
                    self._park(wave, port, clock)
                else:
                    issuers[operation.kind](wave, operation, port, clock)
                continue
            port = who - _FIRST_PORT
            wave = by_age[heappop(waiting[port]) & _AGE]
            operation = operations[wave.steps[wave.position]]
            issuers[operation.kind](wave, operation, port, clock)
            if waiting[port]:
                heappush(events, max(free[port], clock) << _WHO_BITS | who)

    def _park(self, wave: _Wave, port: int, clock: int) -> None:
        """Let a wave wait for its port, which takes the oldest wave of the highest priority as soon as it is
        free."""
        wave.blocked = (_PORT, *self.port_user[port])
        if not self.port_waiting[port]:
            heappush(self.events, max(self.port_free[port], clock) << _WHO_BITS | _FIRST_PORT + port)
        heappush(self.port_waiting[port], wave.rank)

    def _ask(self, wave: _Wave) -> None:
        """Find from when on a wave may issue its next instruction, as far as the wave itself knows, and
        have it
        asked then."""
        operation = self.operations[wave.steps[wave.position]]
        while operation.kind == HINT:
            self._heed(wave, operation)
            wave.position += 1
            if wave.position == len(wave.steps):
                self._leave(wave)
                return
            operation = self.operations[wave.steps[wave.position]]
        if self.code is not None:
            self._fetch(wave, self.code)
        wave.bound, wave.cause, wave.culprit = wave.next, _DEPENDENCY, -1
        if wave.delays:
            self._bound_delays(wave)
        kind = operation.kind
        if kind == VECTOR:
            self._bound_vector(wave, operation)
        elif kind == ACCESS:
            self._bound_access(wave, operation)
        elif kind in (WAIT, IDLE):
            if wave.last_kind in _BEFORE_WAIT and wave.hold_end + self.before_wait > wave.bound:
                wave.bound, wave.cause = wave.hold_end + self.before_wait, _PORT
            self._bound_wait(wave, operation)
        else:
            self._bound_scalar(wave, operation)
        heappush(self.events, wave.bound << _WHO_BITS | wave.rank)

    def _fetch(self, wave: _Wave, code: Code) -> None:
        """Let a wave wait for its next instruction to come to the instruction cache."""
        piece = self.pieces[wave.steps[wave.position]]
        if piece == wave.piece:
            return
        wave.piece = piece
        there = code.fetched(piece, wave.next, self.fetch)
        if there > wave.next:
            wave.next, wave.next_cause, wave.next_culprit = there, _FETCH, (-1, -1)

    def _heed(self, wave: _Wave, hint: Operation) -> None:
        """Take a hint, which needs no issue."""
        wave.issue.append(wave.next)
        vectors, scalars = hint.done
        for asked, clock, instruction in (
            (vectors and wave.vector_step >= 0, wave.vector_busy + self.vector_done, wave.vector_step),
            (scalars and wave.scalar_step >= 0, wave.scalar_busy + self.scalar_done, wave.scalar_step),
        ):
            if asked and clock > wave.next:
                wave.next, wave.next_cause, wave.next_culprit = clock, _DEPENDENCY, (instruction, -1)
        if hint.delays:
            wave.delays = list(hint.delays)

    def _bound_delays(self, wave: _Wave) -> None:
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

    def _bound_vector(self, wave: _Wave, operation: Operation) -> None:
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
                bound, wave.cause, wave.culprit = wave.masks_done[0], _QUEUE, wave.vector_step
        if not self.queue:
            for register in operation.reads:
                if wave.vector_ready[register] > bound:
                    bound, wave.culprit = wave.vector_ready[register], wave.writers[register]
        if wave.overwrite_until > bound:
            for register in operation.writes:
                if wave.overwrite[register] > bound:
                    bound, wave.culprit = wave.overwrite[register], wave.last_access
        wave.bound = bound

    def _bound_scalar(self, wave: _Wave, operation: Operation) -> None:
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

    def _bound_access(self, wave: _Wave, operation: Operation) -> None:
        self._bound_scalar(wave, operation)
        if operation.port != SCALAR_MEMORY_PORT and wave.vector_step >= 0:
            ready = wave.vector_busy + self.vector_to_memory
            if ready > wave.bound:
                wave.bound, wave.culprit = ready, wave.vector_step
        for counter, _ in operation.events:
            outstanding = wave.counters[counter]
            if len(outstanding) >= self.limits[counter]:
                del outstanding[: bisect_left(outstanding, wave.bound + 1 << _INSTRUCTION_BITS)]
            if len(outstanding) >= self.limits[counter]:
                oldest = outstanding[0]
                wave.bound, wave.cause, wave.culprit = (
                    oldest >> _INSTRUCTION_BITS,
                    _QUEUE,
                    oldest & _INSTRUCTION,
                )

    def _bound_wait(self, wave: _Wave, operation: Operation) -> None:
        for counter, left in operation.waits:
            outstanding = wave.counters[counter]
            if len(outstanding) > left:
                last = outstanding[len(outstanding) - left - 1]
                if last >> _INSTRUCTION_BITS > wave.bound:
                    wave.bound = last >> _INSTRUCTION_BITS
                    wave.cause, wave.culprit = _COUNTER, last & _INSTRUCTION

    def _later(self, wave: _Wave, clock: int, blocked: tuple[int, int, int]) -> None:
        """Have a wave asked again later, because something that waves share is busy."""
        wave.blocked = blocked
        heappush(self.events, clock << _WHO_BITS | wave.rank)

    def _issue_vector(self, wave: _Wave, operation: Operation, port: int, clock: int) -> None:
        simd, instruction = wave.simd, wave.steps[wave.position]
        if wave.idle[wave.position]:
            self.port_free[port] = clock + self.issue_clocks
            self._issued(wave, instruction, port, VECTOR, clock)
            return
        if operation.apart:
            matrix = simd * PIPES + MATRIX_PIPE
            apart = self.pipe_free[matrix] + operation.apart
            if apart > clock and self.pipe_free[matrix]:
                self._later(wave, apart, (_PORT, *self.pipe_user[matrix]))
                return
        if operation.is_matrix and self.matrix_queue:
            if self.matrices_leaving[simd][0] > clock:
                self._later(wave, self.matrices_leaving[simd][0], (_QUEUE, *self.port_user[port]))
                return
        elif operation.pipe_hold:
            pipe = simd * PIPES + operation.pipe
            if self.pipe_free[pipe] > clock:
                self._later(wave, self.pipe_free[pipe], (_PORT, *self.pipe_user[pipe]))
                return
            self.pipe_free[pipe] = clock + operation.pipe_hold
            self.pipe_user[pipe] = (instruction, wave.index)
        execute = clock + (self.matrix_execute if operation.is_matrix else self.execute)
        if self.execute_free[simd] > execute:
            execute = self.execute_free[simd]
        ready = wave.vector_ready
        for register in operation.reads:
            if ready[register] > execute:
                execute = ready[register]
        self.execute_free[simd] = execute + operation.execute_hold
        free = clock + operation.hold
        if self.queue:
            leaving = self.leaving[simd]
            leaving.append(execute + self.credit)
            if leaving[0] > free:
                free = leaving[0]
            if operation.is_matrix:
                self.matrices_leaving[simd].append(execute + self.credit)
        self.port_free[port] = free
        to_vector = execute + operation.latency
        for register in operation.writes:
            ready[register] = to_vector
            wave.writers[register] = instruction
        if operation.scalar_writes and self.masks:
            wave.masks_done.append(execute + operation.execute_hold - 1 + self.vector_done)
        for register in operation.scalar_writes:
            ready[register] = execute + self.mask
            wave.from_vector[register], wave.from_scalar[register] = execute + operation.scalar_latency, 0
            wave.writers[register] = instruction
        if operation.pipe != MATRIX_PIPE:
            wave.vector_busy, wave.vector_step = execute, instruction
        if self.has_delays:
            if operation.pipe == TRANSCENDENTAL_PIPE:
                wave.transcendental_issues.append((clock, instruction))
            else:
                wave.vector_issues.append((clock, instruction))
        if operation.reads_scalar:
            wave.scalar_source = clock + self.scalar_source
        self._issued(wave, instruction, port, VECTOR, clock)

    def _issue_scalar(self, wave: _Wave, operation: Operation, port: int, clock: int) -> None:
        instruction, simd = wave.steps[wave.position], wave.simd
        if self.matrix_queue and self.matrices_leaving[simd][0] > clock:
            self._later(wave, self.matrices_leaving[simd][0], (_QUEUE, wave.vector_step, -1))
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
        wave.hold_end = clock + operation.execute_hold
        wave.scalar_clock, wave.scalar_busy = clock, execute + operation.latency
        wave.scalar_step = instruction
        for register in operation.writes:
            wave.vector_ready[register] = wave.from_scalar[register] = wave.scalar_busy
            wave.from_vector[register] = 0
            wave.writers[register] = instruction
        if operation.signals:
            self._arrive(wave, instruction, clock)
        if operation.priority >= 0:
            wave.rank = 3 - operation.priority << _AGE_BITS | wave.age
        self._issued(wave, instruction, port, SCALAR, clock)

    def _issue_access(self, wave: _Wave, operation: Operation, port: int, clock: int) -> None:
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
            insort(wave.counters[counter], done << _INSTRUCTION_BITS | instruction)
        self._issued(wave, instruction, port, ACCESS, clock, hold)

    def _reserve(self, wave: _Wave, instruction: int, cost: Cost, clock: int) -> tuple[int, int, int]:
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
            self._later(wave, opens, (_QUEUE, first, whose))
        read, done = 0, opens
        for service, instance in zip(cost.services, instances, strict=True):
            done = self._serve(wave, instruction, service, instance, done)
            read = read or done
        done += cost.latency
        for service, instance in zip(cost.services, instances, strict=True):
            if service.room and self.instances[service.unit][2]:
                self.unit_taken[instance].append((done, service.room))
        return opens, read, done

    def _instance(self, unit: int, simd: int) -> int:
        """The instance of a unit that serves a SIMD."""
        first, each, _ = self.instances[unit]
        return first + simd // each

    def _serve(self, wave: _Wave, instruction: int, service: Service, instance: int, clock: int) -> int:
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

    def _issue_branch(self, wave: _Wave, operation: Operation, port: int, clock: int) -> None:
        position, steps = wave.position, wave.steps
        instruction = steps[position]
        taken = position + 1 < len(steps) and steps[position + 1] != instruction + 1
        self.port_free[port] = clock + operation.hold
        clocks = self.branch if taken else self.fall_through
        self._issued(wave, instruction, port, BRANCH, clock, clocks, _BRANCH)

    def _issue_wait(self, wave: _Wave, operation: Operation, port: int, clock: int) -> None:
        self.port_free[port] = clock + operation.hold
        for counter, left in operation.waits:
            outstanding = wave.counters[counter]
            if len(outstanding) > left:
                del outstanding[: len(outstanding) - left]
        self._issued(wave, wave.steps[wave.position], port, WAIT, clock)

    def _issue_idle(self, wave: _Wave, operation: Operation, port: int, clock: int) -> None:
        self.port_free[port] = clock + operation.hold
        clocks = self.issue_clocks + operation.idle_clocks
        self._issued(wave, wave.steps[wave.position], port, IDLE, clock, clocks, _SLEEP)

    def _issue_barrier(self, wave: _Wave, operation: Operation, port: int, clock: int) -> None:
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

    def _arrive(self, wave: _Wave, instruction: int, clock: int) -> None:
        group = self.groups[wave.group]
        group.arrived += 1
        group.last = (instruction, wave.index)
        self._open(group, clock)

    def _unlock(self, group: _Group) -> None:
        """Open a barrier that waves of the trace never reach."""
        group.arrived = group.members
        self._open(group, max(wave.clock for wave in group.waiting))

    def _open(self, group: _Group, clock: int) -> None:
        """Open the barrier if every wave that is left has arrived."""
        if not group.arrived or group.arrived < group.members:
            return
        group.arrived = 0
        group.released.append((clock, group.last))
        waiting, group.waiting = group.waiting, []
        for wave in waiting:
            self._release(wave, clock, group.last)

    def _release(self, wave: _Wave, clock: int, last: tuple[int, int]) -> None:
        """Let a wave go on after its barrier, which opened at `clock`."""
        if clock + self.barrier > wave.next:
            wave.next, wave.next_cause, wave.next_culprit = clock + self.barrier, _BARRIER, last
        self._advance(wave)

    def _issued(
        self, wave: _Wave, instruction: int, port: int, kind: int, clock: int, clocks: int = 0,
        cause: int = _PORT,
    ) -> None:  # fmt: skip
        """Note that a wave issued its instruction, after which it may issue the next in `clocks` if that is
        later
        than usual, and go on with it."""
        self._record(wave, instruction, port, kind, clock)
        if clock + clocks > wave.next:
            wave.next, wave.next_cause, wave.next_culprit = clock + clocks, cause, (instruction, -1)
        self._advance(wave)

    def _record(self, wave: _Wave, instruction: int, port: int, kind: int, clock: int) -> None:
        """Note that a wave issued its instruction, and why not sooner."""
        if clock > wave.slot_end:
            self._charge(wave, clock)
        wave.issue.append(clock)
        wave.clock = clock
        wave.last_kind = kind
        wave.slot_end = wave.next = clock + self.issue_clocks
        if wave.hold_end < wave.next:
            wave.hold_end = wave.next
        self.port_user[port] = (instruction, wave.index)

    def _charge(self, wave: _Wave, clock: int) -> None:
        """Charge the clocks since the wave's last issue."""
        position, since = wave.position, wave.slot_end
        if wave.next > since:
            wave.charges.append(
                (3 * position - 1, wave.next_cause, min(wave.next, clock) - since, *wave.next_culprit)
            )
            since = wave.next
        bound = min(wave.bound, clock)
        if bound > since:
            conflict = (
                min(bound - since, wave.conflicts.get(wave.culprit, 0)) if wave.cause == _COUNTER else 0
            )
            if bound - since > conflict:
                wave.charges.append((3 * position, wave.cause, bound - since - conflict, wave.culprit, -1))
            if conflict:
                wave.charges.append((3 * position, _CONFLICT, conflict, wave.culprit, -1))
            since = bound
        if clock > since:
            cause, culprit, other = wave.blocked
            wave.charges.append((3 * position, cause, clock - since, culprit, other))

    def _advance(self, wave: _Wave) -> None:
        """Go to a wave's next instruction."""
        wave.position += 1
        if wave.position == len(wave.steps):
            self._leave(wave)
        else:
            self._ask(wave)

    def _leave(self, wave: _Wave) -> None:
        """A wave is done: its workgroup's barriers no longer wait for it."""
        wave.end = max(wave.next, wave.clock + self.end)
        group = self.groups[wave.group]
        group.members -= 1
        self._open(group, wave.next)

    def _clocks_of(self, wave: _Wave) -> WaveClocks:
        """The record of a wave that is done."""
        steps = np.arange(len(wave.steps))
        issued = np.array([self.operations[step].kind != HINT for step in wave.steps], np.bool_)
        count = int(issued.sum())
        stalls = np.array(wave.charges, np.int64).reshape(-1, 5)
        keys = np.concatenate((stalls[:, 0], 3 * steps[issued] + 1))
        order = np.argsort(keys, kind="stable")
        of_issue = np.zeros((count, 4), np.int64)
        of_issue[:, 1] = self.issue_clocks
        of_issue[:, 2:] = -1
        charges = np.concatenate((stalls[:, 1:], of_issue))[order]
        left = wave.end - wave.slot_end
        if left:
            charges = np.concatenate((charges, [[_END, left, -1, -1]]))
            keys = np.append(keys[order], 3 * len(steps) - 1)
        else:
            keys = keys[order]
        return WaveClocks(
            wave=wave.index, simd=wave.simd, start=wave.start, end=wave.end, issue=np.array(wave.issue,
            np.int64),
            step=np.maximum(keys // 3, 0).astype(np.int32), cause=charges[:, 0].astype(np.int8),
            clocks=charges[:, 1], culprit=charges[:, 2].astype(np.int32), other=charges[:,
            3].astype(np.int32),
        )  # fmt: skip
