"""The clock loop: replays a trace on a compute unit (on RDNA a workgroup processor) and charges each clock
of each wave to a cause.

The loop goes from event to event. An event is the clock at which a wave could issue its next instruction
for all that the wave itself knows (`isa.timing.bounds`). What waves share is decided then: the ports of the
SIMD, of which each takes an instruction a clock and which the oldest wave of the highest priority gets, the
ALUs (`vector_alu`, `scalar_alu`), the queues of memory (`accesses`) and barriers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from heapq import heappop, heappush, heapreplace

import numpy as np

from isa.diagnostics import InternalError
from isa.timing.accesses import Accesses
from isa.timing.barriers import Barriers
from isa.timing.bounds import Bounds
from isa.timing.charges import block, charge, clocks_of
from isa.timing.machine import MACHINES, Machine
from isa.timing.memory import ConstantMemory, Costs, Memory
from isa.timing.operation import (
    BARRIER,
    BRANCH,
    HINT,
    OFF,
    Operation,
    Program,
    operations_of,
    without_lanes,
)
from isa.timing.scalar_alu import ScalarAlu
from isa.timing.state import (
    AGE,
    AGE_BITS,
    BRANCHED,
    DEPENDENT,
    FETCH,
    FIRST_PORT,
    FIRST_RETURN,
    LOWEST,
    PORT,
    WHO,
    WHO_BITS,
    Placement,
    Shared,
    Wave,
)
from isa.timing.steady import Steady, past_of
from isa.timing.timeline import Timeline
from isa.timing.trace import Trace
from isa.timing.vector_alu import VectorAlu


class Code:
    """The code in the instruction cache: when each piece of it is there. As soon as a wave has a piece, the
    cache fetches the next."""

    def __init__(self) -> None:
        self._there: dict[int, int] = {}

    def fetched(self, piece: int, clock: int, fetch: int) -> int:
        """When a wave that needs a piece at a clock has it, if a fetch takes `fetch` clocks."""
        there = max(clock, self._there.setdefault(piece, clock + fetch))
        _ = self._there.setdefault(piece + 1, there + fetch)
        return there


def replay(
    trace: Trace, memory: Memory | None = None, placement: Sequence[Placement] | None = None,
    machine: Machine | None = None, code: Code | None = None, program: Program | None = None,
) -> Timeline:  # fmt: skip
    """The clocks of a trace. Waves that are not placed start together, on the SIMDs in turn. `code` is the
    contents of the instruction cache, and the waves' fetches go into it; without it, the cache has all code.
    `program` are the operations of the trace, if they are known."""
    return _replayed(trace, memory, placement, machine, code, program).timeline()


def last_end(
    trace: Trace, memory: Memory | None = None, placement: Sequence[Placement] | None = None,
    machine: Machine | None = None, code: Code | None = None, program: Program | None = None,
) -> int:  # fmt: skip
    """The clock at which the last wave of a trace ends. Takes less time than `replay`, of which it is
    `Timeline.clocks`."""
    return _replayed(trace, memory, placement, machine, code, program).last_end()


def _replayed(
    trace: Trace, memory: Memory | None, placement: Sequence[Placement] | None, machine: Machine | None,
    code: Code | None, program: Program | None,
) -> _Replay:  # fmt: skip
    """The clock loop of a trace, at its end."""
    if not trace.instructions:
        raise InternalError("isa.timing", "trace", "has no instructions")
    if machine is None:
        machine = MACHINES[trace.target.name]
    if placement is None:
        placement = [Placement(wave.number % trace.target.simds) for wave in trace.waves]
    costs = (memory or ConstantMemory()).costs(trace, machine)
    program = program or operations_of(trace.instructions, trace.target, machine)
    loop = _Replay(trace, program, machine, costs, placement, code)
    loop.run()
    return loop


class _Replay:
    """The clock loop of a trace."""

    def __init__(
        self, trace: Trace, program: Program, machine: Machine, costs: Costs,
        placement: Sequence[Placement], code: Code | None,
    ) -> None:  # fmt: skip
        self.trace = trace
        self.operations = program.operations
        self.issue_clocks, self.end_clocks = machine.issue.clocks, machine.end.clocks
        self.branch, self.fall_through = machine.branch.clocks, machine.fall_through.clocks
        self.code, self.fetch_clocks = code, machine.fetch.clocks
        self.pieces = _pieces_of(trace, machine.fetched.clocks)
        counters = len(trace.target.counters)
        self.waves = [
            Wave(i, wave, path, place, cost, program.registers, counters, machine.masks.clocks)
            for i, (wave, path, place, cost) in enumerate(
                zip(trace.waves, _paths_of(trace, program), placement, costs.of_steps, strict=True)
            )
        ]
        self.by_age = _by_age(self.waves, machine)
        simds = 1 + max((place.simd for place in placement), default=0)
        shared = Shared(simds, machine, costs.units, self.operations)
        self.events = shared.events
        self.port_free, self.port_waiting = shared.port_free, shared.port_waiting
        self.port_instruction, self.port_wave = shared.port_instruction, shared.port_wave
        self.bounds = Bounds(trace.target, machine)
        self.rules = self.bounds.of_kind
        self.barriers = Barriers(self.waves, machine)
        vector_alu = self.vector_alu = VectorAlu(machine, program, shared)
        self.scalar_alu = ScalarAlu(machine, shared)
        accesses = Accesses(machine, costs, shared, self.bounds, self.by_age)
        self.returns = accesses.returns
        past = past_of(machine, costs.table)
        ways = tuple(self.returns.values())
        self.steady = Steady(self.by_age, shared, self.barriers.groups, ways, past)
        # by kind of operation; each returns 0, or the later clock at which the wave has to ask again
        self.issuers = (
            vector_alu.plain, vector_alu.plain, vector_alu.vector, vector_alu.matrix, vector_alu.off,
            self._issue_scalar, accesses.issue, self._issue_branch, self._issue_other, self._issue_barrier,
            self._issue_other, self._issue_scalar,
        )  # fmt: skip

    def run(self) -> None:
        """Replay every wave to its end."""
        self._go_on([wave for wave in self.waves if wave.length])
        self._run()
        while released := self.barriers.unlock():
            self._go_on(released)
            self._run()

    def last_end(self) -> int:
        return max((wave.end for wave in self.waves), default=0)

    def timeline(self) -> Timeline:
        is_issued = np.array([operation.kind != HINT for operation in self.operations], np.bool_)
        clocks = clocks_of(self.waves, is_issued, self.issue_clocks)
        return Timeline(self.trace, tuple(clocks), self.last_end())

    def _run(self) -> None:
        """Take events in order until no wave has a step left. A wave with a free port issues its
        instruction, or asks again later because another resource, which it notes as `blocked`, is busy.

        An event is the first of all until the next event of its wave or port takes its place. Those that are
        added meanwhile come later."""
        events, by_age, issuers, issue_clocks = self.events, self.by_age, self.issuers, self.issue_clocks
        free, waiting = self.port_free, self.port_waiting
        port_instruction, port_wave = self.port_instruction, self.port_wave
        while events:
            event = events[0]
            clock, who = event >> WHO_BITS, event & WHO
            if who < FIRST_PORT:
                wave = by_age[who & AGE]
                operation = wave.operation
                port = wave.ports + operation.port
                if free[port] > clock or waiting[port]:
                    self._park(wave, port, clock)
                    continue
                others = False
            elif who >= FIRST_RETURN:
                heappop(events)
                self.returns[who - FIRST_RETURN].serve(clock)
                continue
            else:
                port = who - FIRST_PORT
                wave = by_age[heappop(waiting[port]) & AGE]
                operation = wave.operation
                others = bool(waiting[port])
            kind = operation.kind
            if kind == BRANCH:
                clock += self._skip(wave, clock)
            later = issuers[kind](wave, operation, port, clock)
            if later:
                following = later << WHO_BITS | wave.rank
                if others:
                    heappush(events, following)
                    continue  # with the port's event, for the next wave that waits
            else:
                if clock > wave.charged:
                    charge(wave, clock)
                wave.issue.append(clock)
                wave.clock, wave.last_kind = clock, kind
                wave.charged = wave.next = clock + issue_clocks
                port_instruction[port], port_wave[port] = operation.number, wave.index
                wave.position += 1
                if kind > OFF:
                    wave.behind_matrix = False
                if wave.pause:
                    self._pause(wave, operation)
                following = 0 if kind == BARRIER and self.barriers.wait(wave) else self._ask(wave)
                ahead = wave.operation
                place = wave.ports + ahead.port
                if waiting[place] and wave.bound <= free[place] and following and not ahead.pipe_hold:
                    # the port opens too late for the wave to issue at once, so the wave needs no event
                    wave.blocked = PORT, port_instruction[place], port_wave[place]
                    heappush(waiting[place], wave.rank)
                    following = 0
            if others:
                if following:
                    heappush(events, following)
                if free[port] > clock:
                    clock = free[port]
                heapreplace(events, clock << WHO_BITS | who)
            elif following:
                heapreplace(events, following)
            else:
                heappop(events)

    def _park(self, wave: Wave, port: int, clock: int) -> None:
        """Let a wave wait for its port, which takes the oldest wave of the highest priority as soon as it is
        free. A wave that needs a busy pipe besides asks again when that is free."""
        opens = self.vector_alu.pipe_opens(wave, clock)
        if opens:
            heapreplace(self.events, opens << WHO_BITS | wave.rank)
            return
        block(wave, clock, (PORT, self.port_instruction[port], self.port_wave[port]))
        if self.port_waiting[port]:
            heappop(self.events)
        else:
            heapreplace(self.events, max(self.port_free[port], clock) << WHO_BITS | FIRST_PORT + port)
        heappush(self.port_waiting[port], wave.rank)

    def _pause(self, wave: Wave, operation: Operation) -> None:
        """Let a wave issue nothing for the clocks of its pause, if these are more than those of an issue."""
        if wave.pause > self.issue_clocks:
            wave.next = wave.clock + wave.pause
            wave.next_cause = BRANCHED if operation.kind == BRANCH else PORT
            wave.next_culprit = operation.number, -1
        wave.pause = 0

    def _ask(self, wave: Wave) -> int:
        """Find from when on a wave may issue its next instruction, as far as the wave itself knows. Returns
        the event; 0 if the wave is done, or if it awaits the return of loads."""
        position = wave.position
        if position == wave.length:
            self._leave(wave)
            return 0
        operation = wave.operation = wave.path[position]
        kind = operation.kind
        if kind == HINT:
            self.bounds.heed(wave, operation)
            wave.position = position + 1
            return self._ask(wave)
        piece = self.pieces[operation.number]
        if piece != wave.piece:
            self._fetch(wave, piece)
        wave.bound, wave.cause, wave.culprit = wave.next, DEPENDENT, -1
        if wave.delays:
            self.bounds.delay(wave)
        self.rules[kind](wave, operation)
        return 0 if wave.awaits else wave.bound << WHO_BITS | wave.rank

    def _fetch(self, wave: Wave, piece: int) -> None:
        """Let a wave wait for the piece of code with its next instruction, if it is not in the instruction
        cache."""
        wave.piece = piece
        if self.code is None:
            return
        there = self.code.fetched(piece, wave.next, self.fetch_clocks)
        if there > wave.next:
            wave.next, wave.next_cause, wave.next_culprit = there, FETCH, (-1, -1)

    def _issue_scalar(self, wave: Wave, operation: Operation, port: int, clock: int) -> int:
        later = self.scalar_alu.issue(wave, operation, port, clock)
        if later:
            return later
        if operation.signals:
            self._go_on(self.barriers.arrive(wave, operation.number, clock))
        if operation.priority >= 0:
            wave.rank = LOWEST - (operation.priority << AGE_BITS) | wave.age
        return 0

    def _issue_branch(self, wave: Wave, operation: Operation, port: int, clock: int) -> int:
        self.port_free[port] = clock + operation.hold
        wave.pause = self.branch if _next_of(wave) != operation.number + 1 else self.fall_through
        return 0

    def _skip(self, wave: Wave, clock: int) -> int:
        """Skip the periods that a branch back of the leading wave begins. Returns by how many clocks every
        time is later."""
        leads_back = wave is self.steady.leader and _next_of(wave) < wave.operation.number
        return self.steady.skip(clock) if leads_back else 0

    def _issue_other(self, wave: Wave, operation: Operation, port: int, clock: int) -> int:
        """Issue a wait, a clause, an s_nop or an s_sleep."""
        self.port_free[port] = clock + operation.hold
        if operation.clause:
            wave.clause, wave.follows = operation.clause, False
        for counter, left in operation.waits:
            outstanding = wave.counters[counter]
            if len(outstanding) > left:
                del outstanding[: len(outstanding) - left]
        return 0

    def _issue_barrier(self, wave: Wave, operation: Operation, port: int, clock: int) -> int:
        self.port_free[port] = clock + operation.hold
        if operation.signals:
            self._go_on(self.barriers.arrive(wave, operation.number, clock))
        return 0

    def _go_on(self, waves: Iterable[Wave]) -> None:
        """Ask waves that start, or that a barrier released, for their next instruction."""
        for wave in waves:
            event = self._ask(wave)
            if event:
                heappush(self.events, event)

    def _leave(self, wave: Wave) -> None:
        """A wave is done: its workgroup's barriers no longer wait for it."""
        wave.end = max(wave.next, wave.clock + self.end_clocks)
        if wave is self.steady.leader:
            self.steady.leave()
        self._go_on(self.barriers.leave(wave))


def _next_of(wave: Wave) -> int:
    """The number of the instruction that a wave executes next; if there is none, of the next in the code."""
    position = wave.position + 1
    return wave.path[position].number if position < wave.length else wave.operation.number + 1


def _paths_of(trace: Trace, program: Program) -> Iterator[list[Operation]]:
    """The operation of each step of each wave. Waves of the same steps share a list."""
    known: dict[tuple[bytes, bytes], list[Operation]] = {}
    every = list(program.operations)
    if any(wave.idle.any() for wave in trace.waves):
        every += without_lanes(program.operations)
    operations = np.array(every, np.object_)
    for wave in trace.waves:
        key = wave.steps.tobytes(), wave.idle.tobytes()
        if key not in known:
            known[key] = operations[wave.steps + wave.idle * len(program.operations)].tolist()
        yield known[key]


def _pieces_of(trace: Trace, size: int) -> list[int]:
    """The piece of code, of `size` bytes, with the last byte of each instruction. The last instruction ends
    the program, and has 4 bytes."""
    ends = (*trace.addresses[1:], trace.addresses[-1] + 4 if trace.addresses else 0)
    return [(end - 1) // size for end in ends]


def _by_age(waves: Sequence[Wave], machine: Machine) -> list[Wave]:
    """The waves in the order of their age, which they get, with the clock of their first instruction."""
    by_age = sorted(waves, key=lambda wave: (wave.start, wave.index))
    for age, wave in enumerate(by_age):
        wave.age = age
        wave.rank = LOWEST | age
        wave.next = wave.start + machine.launch.clocks
    return by_age
