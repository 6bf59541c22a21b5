"""Values that hold something in lanes that are switched off.

A write that ignores EXEC gives its result in every lane, so a copy of that result has to be made under a full
EXEC. Parameters are lane values where one of their arguments is, but not where lanes with different arguments
come together one after another: a copy in every lane would destroy what the first have been given.
"""

from __future__ import annotations

from isa.exec_use import writes_exec
from isa.instruction import ExecMode
from isa.program import Kernel
from isa.registers import Register
from regalloc.cfg import ControlFlow
from regalloc.liveness import Liveness
from regalloc.slots import VECTOR_CLASSES
from regalloc.waiting import waiting_values


def changes_exec(kernel: Kernel) -> bool:
    """Whether some instruction writes EXEC; if none does, no lane that holds a value is ever off."""
    return any(writes_exec(instr) for block in kernel.blocks for instr in block.instructions)


def lane_values(kernel: Kernel, liveness: Liveness) -> set[int]:
    """The vector units with values of their own in lanes that are off; empty where EXEC is full
    throughout."""
    if not changes_exec(kernel) and kernel.fills_waves:
        return set()
    found: set[int] = set()
    for block in kernel.blocks:
        for instr in block.instructions:
            if instr.row.exec_mode is ExecMode.IGNORED:
                for index in instr.row.defines:
                    result = instr.operands[index]
                    if isinstance(result, Register) and kernel.register_class(result) in VECTOR_CLASSES:
                        found.update(result.units)
    apart = mixed_parameters(kernel, liveness) if found else set[int]()
    while found:
        added = _passed_on(kernel, liveness.flow, found) - found - apart
        if not added:
            break
        found |= added
    return found


def mixed_parameters(kernel: Kernel, liveness: Liveness) -> set[int]:
    """The parameter units that one block passes on while lanes wait that have theirs from another."""
    waiting = waiting_values(kernel, liveness)
    return {
        unit
        for number, values in waiting.items()
        for target in liveness.flow.logical.successors[number]
        for unit in liveness.slots[target].parameters
        if unit in values
    }


def _passed_on(kernel: Kernel, flow: ControlFlow, values: set[int]) -> set[int]:
    """The parameter units that take one of the values."""
    return {
        unit
        for block in kernel.blocks
        for edge in block.logical
        for parameter, argument in zip(
            kernel.blocks[flow.index[edge.target]].vector_parameters, edge.arguments, strict=True
        )
        if isinstance(argument, Register)
        for unit, value in zip(parameter.units, argument.units, strict=True)
        if value in values
    }
