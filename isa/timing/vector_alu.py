"""The vector ALU of a SIMD: its pipes for transcendental and matrix instructions, and its queue, in which
instructions wait for their operands."""

from __future__ import annotations

from isa.timing.charges import block
from isa.timing.machine import Machine
from isa.timing.operation import MATRIX, OFF, Operation, Program
from isa.timing.row_clocks import MATRIX_PIPE, PIPES, TRANSCENDENTAL_PIPE
from isa.timing.state import PORT, QUEUE, Shared, Wave


class VectorAlu:
    """Issues vector instructions, and finds when each executes and when its results are there.

    There is a method for each kind of vector instruction. It returns 0, or the later clock at which the wave
    has to ask again.
    """

    def __init__(self, machine: Machine, program: Program, shared: Shared) -> None:
        self._issue_clocks = machine.issue.clocks
        self._execute, self._matrix_execute = machine.execute.clocks, machine.matrix_execute.clocks
        self._matrix_drain, self._matrix_again = machine.matrix_drain.clocks, machine.matrix_again.clocks
        self._matrix_early = machine.matrix_early.clocks
        self._has_queue, self._credit = machine.queue.clocks > 0, machine.credit.clocks
        self._limits_masks, self._mask = machine.masks.clocks > 0, machine.mask.clocks
        self._done, self._scalar_source = machine.vector_done.clocks, machine.scalar_source.clocks
        self._has_delays = any(each.delays for each in program.operations)
        has_matrices = any(each.kind == MATRIX for each in program.operations)
        # of each SIMD; none if instructions do not wait behind matrix instructions
        self._matrix_queues = shared.matrix_queues if has_matrices and self._has_queue else []
        self._port_free = shared.port_free
        self._free, self._drained = shared.execute_free, shared.drained
        self._leaving = shared.leaving
        self._pipe_free, self._pipe_user = shared.pipe_free, shared.pipe_user
        self._collectors = shared.collectors

    def off(self, wave: Wave, operation: Operation, port: int, clock: int) -> int:
        """Without an active lane, an instruction takes an issue and does nothing."""
        self._port_free[port] = clock + self._issue_clocks
        return 0

    def plain(self, wave: Wave, operation: Operation, port: int, clock: int) -> int:
        """Instructions execute in the order of issue. Without a queue, the operands are there. A port stays
        shut while the queue is full; instructions leave it for the pipeline, but not behind a matrix
        instruction."""
        simd, instruction, execute = wave.simd, operation.number, clock + self._execute
        drained = self._drained
        if drained[simd] > execute:
            execute = drained[simd]
        ready, free = wave.vector_ready, clock + operation.hold
        if self._has_queue:
            for register in operation.reads:
                if ready[register] > execute:
                    execute = ready[register]
            queues = self._matrix_queues
            if queues and operation.pipe == TRANSCENDENTAL_PIPE:
                execute = queues[simd].spaced(execute, operation.pipe_hold)
                queues[simd].go(wave.index)
                queues[simd].delay_matrices(clock + operation.pipe_hold)
            if self._collectors:
                execute = self._collectors[simd].gather(wave.index, instruction, clock, execute)
            leaving = self._leaving[simd]
            leaving.append(execute + self._credit)
            if leaving[0] > free:
                free = leaving[0]
            if queues:
                free = queues[simd].enter(free, operation.pipe)
        self._port_free[port] = free
        done = drained[simd] = execute + operation.execute_hold
        begins = done if operation.pipe_hold else done - self._matrix_early
        if begins > self._free[simd]:
            self._free[simd] = begins
        writers, result = wave.writers, execute + operation.latency
        for register in operation.writes:
            ready[register] = result
            writers[register] = instruction
        wave.vector_busy, wave.vector_step = done - self._issue_clocks, instruction
        wave.behind_matrix = False
        if operation.reads_scalar:
            wave.scalar_source = clock + self._scalar_source
        if self._has_delays:
            issues = wave.vector_issues
            if operation.pipe == TRANSCENDENTAL_PIPE:
                issues = wave.transcendental_issues
            issues.append((clock, instruction))
        return 0

    def vector(self, wave: Wave, operation: Operation, port: int, clock: int) -> int:
        """Besides, an instruction may take a pipe, and write scalar registers."""
        if operation.pipe_hold and self._matrix_queues:
            later = self._queue_opens(wave, operation, clock)
            if later:
                return later
        if operation.apart or operation.pipe_hold:
            later = self._enter_pipe(wave, operation, clock)
            if later:
                return later
        self.plain(wave, operation, port, clock)
        if operation.scalar_writes:
            self._write_scalars(wave, operation, wave.vector_busy)
        return 0

    def matrix(self, wave: Wave, operation: Operation, port: int, clock: int) -> int:
        """A matrix instruction takes the matrix pipe, or waits for it in the queue. Instructions of other
        kinds execute when it has drained."""
        simd, execute = wave.simd, clock + self._matrix_execute
        if not self._has_queue:
            pipe = simd * PIPES + MATRIX_PIPE
            if self._pipe_free[pipe] > clock:
                block(wave, clock, self._pipe_user[pipe])
                return self._pipe_free[pipe]
            self._pipe_free[pipe] = clock + operation.pipe_hold
            self._pipe_user[pipe] = PORT, operation.number, wave.index
        else:
            later = self._queue_opens(wave, operation, clock)
            if later:
                return later
        if self._free[simd] > execute:
            execute = self._free[simd]
        ready, free = wave.vector_ready, clock + operation.hold
        if self._has_queue:
            for register in operation.reads:
                if ready[register] > execute:
                    execute = ready[register]
        self._free[simd] = execute + operation.execute_hold
        self._drained[simd] = self._free[simd] + self._matrix_drain
        if self._has_queue:
            leaving, leaves = self._leaving[simd], self._free[simd] + self._credit
            leaving.append(execute + self._credit)
            if leaving[0] > free:
                free = leaving[0]
            free = self._matrix_queues[simd].enter(free, MATRIX_PIPE, leaves)
            self._matrix_queues[simd].go(wave.index)
            for register in operation.writes:
                wave.matrix_again[register] = execute + self._matrix_again
        self._port_free[port] = free
        wave.behind_matrix = self._has_queue
        instruction, result = operation.number, execute + operation.latency
        for register in operation.writes:
            ready[register] = result
            wave.writers[register] = instruction
        if operation.scalar_writes:
            self._write_scalars(wave, operation, self._free[simd] - self._issue_clocks)
        if self._has_delays:
            wave.vector_issues.append((clock, instruction))
        if operation.reads_scalar:
            wave.scalar_source = clock + self._scalar_source
        return 0

    def pipe_opens(self, wave: Wave, clock: int) -> int:
        """When the pipe opens that a wave's next instruction needs; 0 if it needs none, or if the pipe is
        open."""
        operation = wave.operation
        if not operation.pipe_hold or operation.kind == OFF:
            return 0
        pipe = wave.simd * PIPES + operation.pipe
        if self._pipe_free[pipe] <= clock:
            return 0
        block(wave, clock, self._pipe_user[pipe])
        return self._pipe_free[pipe]

    def _queue_opens(self, wave: Wave, operation: Operation, clock: int) -> int:
        """Returns 0, or the later clock at which the queue takes a matrix or a transcendental instruction. A
        matrix instruction also waits for the transcendental pipe."""
        simd = wave.simd
        opens = self._matrix_queues[simd].turn(wave.index, operation.pipe, clock)
        if opens > clock:
            block(wave, clock, (QUEUE, wave.vector_step, -1))
            return opens
        pipe = simd * PIPES + TRANSCENDENTAL_PIPE
        if operation.kind == MATRIX and self._pipe_free[pipe] > clock:
            block(wave, clock, self._pipe_user[pipe])
            return self._pipe_free[pipe]
        return 0

    def _enter_pipe(self, wave: Wave, operation: Operation, clock: int) -> int:
        """Take the pipe that an instruction needs besides. Returns 0, or the later clock at which the wave
        has to ask again, because a pipe is busy."""
        first = wave.simd * PIPES
        if operation.apart:
            matrix = first + MATRIX_PIPE
            apart = self._pipe_free[matrix] + operation.apart
            if apart > clock and self._pipe_free[matrix]:
                block(wave, clock, self._pipe_user[matrix])
                return apart
        if operation.pipe_hold:
            pipe = first + operation.pipe
            if self._pipe_free[pipe] > clock:
                block(wave, clock, self._pipe_user[pipe])
                return self._pipe_free[pipe]
            self._pipe_free[pipe] = clock + operation.pipe_hold
            self._pipe_user[pipe] = PORT, operation.number, wave.index
        return 0

    def _write_scalars(self, wave: Wave, operation: Operation, last: int) -> None:
        """Note the SGPRs that an instruction writes, of which the last pass is at `last`."""
        if self._limits_masks:
            wave.masks_done.append(last + self._done)
        execute = last + self._issue_clocks - operation.execute_hold
        for register in operation.scalar_writes:
            wave.vector_ready[register] = execute + self._mask
            wave.from_vector[register] = execute + operation.scalar_latency
            wave.from_scalar[register] = 0
            wave.writers[register] = operation.number
