"""The vector ALU of a SIMD: its pipes for transcendental and matrix instructions, and its queue, in which
instructions wait for their operands."""

from __future__ import annotations

from isa.timing.machine import Machine
from isa.timing.operation import Operation
from isa.timing.row_clocks import MATRIX_PIPE, PIPES, TRANSCENDENTAL_PIPE
from isa.timing.state import PORT, Shared, Wave


class VectorAlu:
    """Issues vector instructions, and finds when each executes and when its results are there."""

    def __init__(self, machine: Machine, has_delays: bool, shared: Shared) -> None:
        self._issue_clocks = machine.issue.clocks
        self._execute, self._matrix_execute = machine.execute.clocks, machine.matrix_execute.clocks
        self._matrix_drain, self._matrix_again = machine.matrix_drain.clocks, machine.matrix_again.clocks
        self._has_queue, self._credit = machine.queue.clocks > 0, machine.credit.clocks
        self._limits_masks, self._mask = machine.masks.clocks > 0, machine.mask.clocks
        self._done, self._scalar_source = machine.vector_done.clocks, machine.scalar_source.clocks
        self._has_delays = has_delays
        self._port_free = shared.port_free
        self._free, self._drained = shared.execute_free, shared.drained
        self._leaving, self._dispatched = shared.leaving, shared.dispatched
        self._pipe_free, self._pipe_user = shared.pipe_free, shared.pipe_user

    def issue(self, wave: Wave, operation: Operation, port: int, clock: int) -> int:
        """Issue an instruction. Returns 0, or the later clock at which the wave has to ask again."""
        instruction = wave.instruction
        if wave.idle[wave.position]:
            self._port_free[port] = clock + self._issue_clocks
            return 0
        if operation.apart or operation.pipe_hold:
            later = self._enter_pipe(wave, operation, clock)
            if later:
                return later
        execute = self._enter_queue(wave, operation, port, clock)
        ready, writers, to_vector = wave.vector_ready, wave.writers, execute + operation.latency
        for register in operation.writes:
            ready[register] = to_vector
            writers[register] = instruction
        last = execute + operation.execute_hold - self._issue_clocks  # of its passes
        if operation.scalar_writes:
            self._write_scalars(wave, operation, execute, last)
        if operation.pipe != MATRIX_PIPE:
            wave.vector_busy, wave.vector_step = last, instruction
        if self._has_delays:
            if operation.pipe == TRANSCENDENTAL_PIPE:
                wave.transcendental_issues.append((clock, instruction))
            else:
                wave.vector_issues.append((clock, instruction))
        if operation.reads_scalar:
            wave.scalar_source = clock + self._scalar_source
        return 0

    def _enter_pipe(self, wave: Wave, operation: Operation, clock: int) -> int:
        """Take the pipe that an instruction needs besides. Returns 0, or the later clock at which the wave
        has to ask again, because a pipe is busy. With a queue, matrix instructions wait there instead."""
        first = wave.simd * PIPES
        if operation.apart:
            matrix = first + MATRIX_PIPE
            apart = self._pipe_free[matrix] + operation.apart
            if apart > clock and self._pipe_free[matrix]:
                wave.blocked = (PORT, *self._pipe_user[matrix])
                return apart
        if operation.pipe_hold and not (operation.is_matrix and self._has_queue):
            pipe = first + operation.pipe
            if self._pipe_free[pipe] > clock:
                wave.blocked = (PORT, *self._pipe_user[pipe])
                return self._pipe_free[pipe]
            self._pipe_free[pipe] = clock + operation.pipe_hold
            self._pipe_user[pipe] = (wave.instruction, wave.index)
        return 0

    def _enter_queue(self, wave: Wave, operation: Operation, port: int, clock: int) -> int:
        """Find when an instruction executes, and when its port takes the next. Instructions execute in the
        order of issue. A port stays shut while the queue is full."""
        simd, is_matrix = wave.simd, operation.is_matrix
        execute = clock + (self._matrix_execute if is_matrix else self._execute)
        free = self._free[simd] if is_matrix else self._drained[simd]
        if free > execute:
            execute = free
        if self._has_queue:  # without a queue, the operands are there
            ready = wave.vector_ready
            for register in operation.reads:
                if ready[register] > execute:
                    execute = ready[register]
        self._free[simd] = self._drained[simd] = execute + operation.execute_hold
        if is_matrix:
            self._drained[simd] += self._matrix_drain
        free = clock + operation.hold
        if self._has_queue:
            leaving, dispatched = self._leaving[simd], self._dispatched[simd]
            leaving.append(execute + self._credit)
            # vector instructions leave the queue for the pipeline, but not behind a matrix instruction
            dispatched.append(self._free[simd] + self._credit if is_matrix else dispatched[-1])
            if leaving[0] > free:
                free = leaving[0]
            if dispatched[0] > free:
                free = dispatched[0]
        self._port_free[port] = free
        wave.behind_matrix = is_matrix and self._has_queue
        if wave.behind_matrix:
            for register in operation.writes:
                wave.matrix_again[register] = execute + self._matrix_again
        return execute

    def _write_scalars(self, wave: Wave, operation: Operation, execute: int, last: int) -> None:
        """Note the SGPRs that an instruction writes, of which the last pass is at `last`."""
        if self._limits_masks:
            wave.masks_done.append(last + self._done)
        for register in operation.scalar_writes:
            wave.vector_ready[register] = execute + self._mask
            wave.from_vector[register] = execute + operation.scalar_latency
            wave.from_scalar[register] = 0
            wave.writers[register] = wave.instruction
