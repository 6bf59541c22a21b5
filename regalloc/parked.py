"""Which values a write that ignores EXEC would destroy in lanes that are switched off.

A lane that is off keeps its registers until the wave comes round to it. A write under EXEC leaves them alone,
so logical liveness, which is what the running lanes see, is enough for it. A write that ignores EXEC
(`ExecMode.IGNORED`) is not stopped: it must stay off every vector unit that a waiting lane will read.

Where no lane waits (`regalloc.waiting`) a write destroys nothing.
"""

from __future__ import annotations

from isa.instruction import ExecMode
from isa.program import Kernel
from regalloc.lane_values import changes_exec
from regalloc.liveness import Liveness
from regalloc.slots import is_vector_unit, register_units
from regalloc.waiting import waiting_values


def parked_values(kernel: Kernel, liveness: Liveness, lanes: set[int]) -> dict[int, set[int]]:
    """For units written whatever EXEC says and units parked there: each other, both ways.

    Copies of `lanes`, the values of `regalloc.lane_values`, are such writes too. Empty where no such write
    exists, or where EXEC never changes: then no lane that holds a value is ever off.
    """
    if not changes_exec(kernel):
        return {}
    waiting = waiting_values(kernel, liveness)
    parked: dict[int, set[int]] = {}
    for number, written in _ignoring_writes(kernel, liveness, lanes):
        for unit in sorted(written):
            for other in sorted(waiting.get(number, set()) - {unit}):
                parked.setdefault(unit, set()).add(other)
                parked.setdefault(other, set()).add(unit)
    return parked


def _ignoring_writes(kernel: Kernel, liveness: Liveness, lanes: set[int]) -> list[tuple[int, set[int]]]:
    """The block and the vector units of every write that ignores EXEC."""
    writes: list[tuple[int, set[int]]] = []
    for number, block in enumerate(kernel.blocks):
        for instr in block.instructions:
            if instr.row.exec_mode is ExecMode.IGNORED:
                written = _vectors(kernel, register_units(instr.operands[i] for i in instr.row.defines))
                if written:
                    writes.append((number, written))
        passed = lanes.intersection(_parameters(kernel, liveness, number))
        if passed:
            writes.append((number, passed))
    return writes


def _parameters(kernel: Kernel, liveness: Liveness, number: int) -> tuple[int, ...]:
    """The vector parameters that the copies at the end of a block write."""
    targets = (kernel.blocks[liveness.flow.index[edge.target]] for edge in kernel.blocks[number].logical)
    return register_units(register for target in targets for register in target.vector_parameters)


def _vectors(kernel: Kernel, units: tuple[int, ...]) -> set[int]:
    return {unit for unit in units if is_vector_unit(kernel, unit)}
