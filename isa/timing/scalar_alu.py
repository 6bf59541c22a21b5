"""The scalar ALU of a SIMD and its queue, in which instructions wait for their operands."""

from __future__ import annotations

from isa.timing.charges import block
from isa.timing.machine import Machine
from isa.timing.operation import SCALAR_PORT, Operation
from isa.timing.state import QUEUE, Shared, Wave


class ScalarAlu:
    """Issues instructions of the scalar ALU, and instructions that no unit executes. Only the former have a
    queue."""

    def __init__(self, machine: Machine, shared: Shared) -> None:
        self._execute, self._credit = machine.scalar_execute.clocks, machine.credit.clocks
        self._has_queue = machine.scalar_queue.clocks > 0
        self._port_free = shared.port_free
        self._free, self._leaving = shared.scalar_free, shared.scalars_leaving
        self._matrix_queues = shared.matrix_queues

    def issue(self, wave: Wave, operation: Operation, port: int, clock: int) -> int:
        """Issue an instruction. Returns 0, or the later clock at which the wave has to ask again."""
        simd, instruction = wave.simd, operation.number
        if wave.behind_matrix:
            opens = self._matrix_queues[simd].opens(clock)
            if opens > clock:
                block(wave, clock, (QUEUE, wave.vector_step, -1))
                return opens
        free, execute = clock + operation.hold, clock
        if self._has_queue and operation.port == SCALAR_PORT:
            execute, ready, leaving = clock + self._execute, wave.from_scalar, self._leaving[simd]
            if self._free[simd] > execute:
                execute = self._free[simd]
            for register in operation.ordered:
                if ready[register] > execute:
                    execute = ready[register]
            self._free[simd] = execute + operation.execute_hold
            leaving.append(execute + self._credit)
            if leaving[0] > free:
                free = leaving[0]
        self._port_free[port] = free
        result = wave.scalar_busy = execute + operation.latency
        wave.scalar_clock, wave.scalar_step = clock, instruction
        for register in operation.writes:
            wave.vector_ready[register] = wave.from_scalar[register] = result
            wave.from_vector[register] = 0
            wave.writers[register] = instruction
        return 0
