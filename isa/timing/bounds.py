"""When a wave may issue its next instruction, as far as the wave itself knows: by its registers, its counters
and its hints.

Each rule moves `Wave.bound` to a later clock, and notes the cause and the instruction that is to blame.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from isa.target import Target
from isa.timing.machine import Machine
from isa.timing.operation import (
    ACCESS,
    AGO_TRANSCENDENTAL,
    BARRIER,
    BRANCH,
    END,
    IDLE,
    MATRIX,
    OFF,
    PLAIN,
    READER,
    SCALAR,
    SCALAR_MEMORY_PORT,
    SINCE_SCALAR,
    VECTOR,
    WAIT,
    Operation,
)
from isa.timing.state import (
    COUNTED,
    DEPENDENT,
    INSTRUCTION,
    INSTRUCTION_BITS,
    PENDING,
    PORT,
    QUEUE,
    SLEEP,
    Wave,
)

_BEFORE_WAIT = frozenset(range(ACCESS + 1))  # vector and scalar instructions and accesses


class Bounds:
    """The rules of a machine. `of_kind` has the rule of each kind of operation."""

    def __init__(self, target: Target, machine: Machine) -> None:
        self._limits = [counter.maximum for counter in target.counters]
        self._has_scalar_queue = machine.scalar_queue.clocks > 0
        self._limits_masks = machine.masks.clocks > 0
        self._vector_latency, self._transcendental_latency = (
            machine.vector.clocks,
            machine.transcendental.clocks,
        )
        self._vector_done, self._scalar_done = machine.vector_done.clocks, machine.scalar_done.clocks
        self._scalar_to_vector = machine.scalar_to_vector.clocks
        self._vector_to_memory = machine.vector_to_memory.clocks
        self._before_wait, self._delay_after_wait = (
            machine.before_wait.clocks,
            machine.delay_after_wait.clocks,
        )
        self._plain = self._queued if machine.queue.clocks else self._direct
        rules = {
            PLAIN: self._plain, READER: self._vector, VECTOR: self._vector, MATRIX: self._vector,
            OFF: self._off, SCALAR: self._scalar, ACCESS: self._access, BRANCH: self._scalar,
            WAIT: self._wait, BARRIER: self._scalar, IDLE: self._wait, END: self._scalar,
        }  # fmt: skip
        self.of_kind = tuple([rules[kind] for kind in range(len(rules))])

    def heed(self, wave: Wave, hint: Operation) -> None:
        """Take a hint, which needs no issue."""
        wave.issue.append(wave.next)
        vectors, scalars = hint.done
        if vectors and wave.vector_step >= 0:
            self._done(wave, wave.vector_busy + self._vector_done, wave.vector_step)
        if scalars and wave.scalar_step >= 0:
            self._done(wave, wave.scalar_busy + self._scalar_done, wave.scalar_step)
        if hint.delays:
            wave.delays = hint.delays
            if wave.last_kind == WAIT:
                wave.next += self._delay_after_wait

    def _done(self, wave: Wave, clock: int, instruction: int) -> None:
        """Let a wave issue nothing before a clock at which instructions up to this are done."""
        if clock > wave.next:
            wave.next, wave.next_cause, wave.next_culprit = clock, DEPENDENT, (instruction, -1)

    def delay(self, wave: Wave) -> None:
        """Apply the delays that a hint asked for before this instruction, and keep those for later
        instructions."""
        later: Sequence[tuple[int, int, int]] = ()
        for skip, what, count in wave.delays:
            if skip:
                later = (*later, (skip - 1, what, count))
                continue
            if what == SINCE_SCALAR:
                # so many clocks lie in between
                clock, instruction = wave.scalar_clock + count + 1, wave.scalar_step
            else:
                issues, latency = (
                    (wave.transcendental_issues, self._transcendental_latency)
                    if what == AGO_TRANSCENDENTAL
                    else (wave.vector_issues, self._vector_latency)
                )
                if len(issues) < count:
                    continue
                clock, instruction = issues[-count]
                clock += latency
            if clock > wave.bound:
                wave.bound, wave.culprit = clock, instruction
        wave.delays = later

    def _off(self, wave: Wave, operation: Operation) -> None:
        """A vector instruction without an active lane waits for nothing."""

    def _queued(self, wave: Wave, operation: Operation) -> None:
        """An instruction on vector registers waits for them in the queue, but not until accesses have sent
        theirs."""
        if wave.sent > wave.bound:
            wave.bound, wave.culprit = wave.sent, wave.last_access
        if wave.overwrite_until > wave.bound:
            self._overwrite(wave, operation)

    def _direct(self, wave: Wave, operation: Operation) -> None:
        """Without a queue, an instruction waits for its vector registers before it issues."""
        ready, bound, last = wave.vector_ready, wave.bound, -1
        for register in operation.reads:
            if ready[register] > bound:
                bound, last = ready[register], register
        if last >= 0:
            wave.bound, wave.culprit = bound, wave.writers[last]
        if wave.overwrite_until > wave.bound:
            self._overwrite(wave, operation)

    def _overwrite(self, wave: Wave, operation: Operation) -> None:
        for register in operation.writes:
            if wave.overwrite[register] > wave.bound:
                wave.bound, wave.culprit = wave.overwrite[register], wave.last_access

    def _vector(self, wave: Wave, operation: Operation) -> None:
        """A vector instruction waits besides for the scalar registers that it reads, and for its place among
        those that write scalar registers."""
        for register in operation.scalar_reads:
            if (
                wave.from_scalar[register]
                and wave.from_scalar[register] + self._scalar_to_vector > wave.bound
            ):
                wave.bound = wave.from_scalar[register] + self._scalar_to_vector
                wave.culprit = wave.writers[register]
        if operation.scalar_writes and self._limits_masks:
            if wave.scalar_busy + self._scalar_done > wave.bound and wave.scalar_step >= 0:
                wave.bound, wave.culprit = wave.scalar_busy + self._scalar_done, wave.scalar_step
            if wave.masks_done[0] > wave.bound:
                wave.bound, wave.cause, wave.culprit = wave.masks_done[0], QUEUE, wave.vector_step
        if operation.kind == MATRIX and not wave.behind_matrix:
            self._matrix(wave, operation)
        self._plain(wave, operation)

    def _matrix(self, wave: Wave, operation: Operation) -> None:
        """A matrix instruction waits for others that write its registers, unless they are right before it."""
        for register in operation.writes:
            if wave.matrix_again[register] > wave.bound:
                wave.bound, wave.culprit = wave.matrix_again[register], wave.writers[register]

    def _scalar(self, wave: Wave, operation: Operation) -> None:
        """Another than a vector instruction waits for the registers that it reads or writes. If the scalar
        ALU has a queue, its instructions wait there for results of other scalar instructions."""
        ready = wave.from_vector
        if operation.writes_scalar and wave.scalar_source > wave.bound:
            wave.bound, wave.culprit = wave.scalar_source, wave.vector_step
        for register in operation.scalar_reads:
            if ready[register] > wave.bound:
                wave.bound, wave.culprit = ready[register], wave.writers[register]
        for register in operation.scalar_writes:
            if ready[register] > wave.bound:
                wave.bound, wave.culprit = ready[register], wave.writers[register]
        if operation.kind == SCALAR and self._has_scalar_queue:
            return
        ready = wave.from_scalar
        done = 0 if operation.kind == SCALAR else self._scalar_done
        for register in operation.scalar_reads:
            if ready[register] + done > wave.bound and ready[register]:
                wave.bound, wave.culprit = ready[register] + done, wave.writers[register]

    def _access(self, wave: Wave, operation: Operation) -> None:
        """An access waits besides until the vector ALU is done, and its counters are below their maximum."""
        if operation.scalar_reads or operation.scalar_writes:
            self._scalar(wave, operation)
        if operation.port != SCALAR_MEMORY_PORT and wave.vector_step >= 0:
            ready = wave.vector_busy + self._vector_to_memory
            if ready > wave.bound:
                wave.bound, wave.culprit = ready, wave.vector_step
        self._below_maximum(wave, operation)

    def _below_maximum(self, wave: Wave, operation: Operation) -> None:
        """An access waits until its counters are below their maximum."""
        for counter, _ in operation.events:
            outstanding = wave.counters[counter]
            if len(outstanding) >= self._limits[counter]:
                del outstanding[: bisect_left(outstanding, wave.bound + 1 << INSTRUCTION_BITS)]
            if len(outstanding) >= self._limits[counter]:
                oldest = outstanding[0]
                if oldest >= PENDING:
                    wave.awaits = True
                    continue
                wave.bound, wave.cause = oldest >> INSTRUCTION_BITS, QUEUE
                wave.culprit = oldest & INSTRUCTION

    def _wait(self, wave: Wave, operation: Operation) -> None:
        """A wait, a clause, an s_nop or an s_sleep waits for the unit of the last instruction, for its own
        clocks, and for its counters. The last two wait besides until accesses have sent their registers."""
        if wave.last_kind in _BEFORE_WAIT and wave.clock + self._before_wait > wave.bound:
            wave.bound, wave.cause = wave.clock + self._before_wait, PORT
        if operation.kind == IDLE and wave.sent > wave.bound:
            wave.bound, wave.cause, wave.culprit = wave.sent, DEPENDENT, wave.last_access
        if operation.idle_clocks:
            wave.bound, wave.cause = wave.bound + operation.idle_clocks, SLEEP
        self._counted(wave, operation)

    def is_known(self, wave: Wave) -> bool:
        """Whether a wave that awaits the return of loads now knows when it may issue."""
        wave.awaits = False
        rule = self._counted if wave.operation.kind == WAIT else self._below_maximum
        rule(wave, wave.operation)
        return not wave.awaits

    def _counted(self, wave: Wave, operation: Operation) -> None:
        """A wait waits for its counters."""
        for counter, left in operation.waits:
            outstanding = wave.counters[counter]
            if len(outstanding) > left:
                last = outstanding[len(outstanding) - left - 1]
                if last >= PENDING:
                    wave.awaits = True
                elif last >> INSTRUCTION_BITS > wave.bound:
                    wave.bound = last >> INSTRUCTION_BITS
                    wave.cause, wave.culprit = COUNTED, last & INSTRUCTION
