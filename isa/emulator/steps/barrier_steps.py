"""Instructions on numbered barriers, decoded once to a closure on `Waves`. The machine makes waves wait.

RDNA4 has two barriers for each workgroup (ISA manual, 5.6.2): -1 is the workgroup's own; -2 is for trap
handlers and has no effect in other programs. M0 cannot name these, and number 0 does nothing. A workgroup
with a single wave has no barrier, and these instructions do nothing there. Later machines have named
barriers, which programs create and join (LLVM's "AMDGPU Execution Synchronization": GFX12.5).
"""

from __future__ import annotations

import numpy as np

from isa.diagnostics import InputError
from isa.emulator.operands.operands import scalar_reader, scalar_writer
from isa.emulator.program.reports import refusal
from isa.emulator.state.register_layout import RegisterLayout
from isa.emulator.state.waves import Step, Waves
from isa.instruction import Immediate, Instr
from isa.registers import M0, SCC, Register

WORKGROUP, TRAP = -1, -2
_NUMBER_BITS = np.uint32(31)  # of M0


def named_barrier(instr: Instr, layout: RegisterLayout) -> InputError:
    """The error for a barrier that the target does not have."""
    why = "-1, the workgroup's, is the only one of a program"
    return refusal(instr, f"{layout.target.name} has no named barriers: {why}")


def barrier_number(instr: Instr, layout: RegisterLayout) -> int | None:
    """The number of an instruction's barrier; None if M0 names it. Raises InputError if the target lacks that
    barrier."""
    (operand,) = (instr.operands[i] for i in instr.row.uses if instr.row.operands[i].name == "barrier")
    if not isinstance(operand, Immediate):
        return None
    bits = operand.bits & 0xFFFF
    number = bits - (bits >> 15 << 16)
    if number not in (WORKGROUP, TRAP):
        raise named_barrier(instr, layout)
    return number


def signal_step(instr: Instr, tells: bool, layout: RegisterLayout) -> Step:
    """This wave arrives at a barrier. SCC, if it is written, is 1 for the first wave of the workgroup."""
    number = _signalled_number(instr, layout)
    write_scc = scalar_writer(SCC, layout)

    def step(w: Waves) -> None:
        if number is None:
            _check_m0(instr, w, layout)
        if number != WORKGROUP or w.per_group == 1:
            first = np.zeros(w.width, np.bool_)
        else:
            first = w.barrier.signal(w.indexes)
            w.watch.arrived(w)
        if tells:
            write_scc(w, first)

    return step


def _signalled_number(instr: Instr, layout: RegisterLayout) -> int | None:
    """As `barrier_number`; number 0 does nothing, like the barrier of trap handlers."""
    operand = instr.operands[0]
    return TRAP if isinstance(operand, Immediate) and not operand.bits else barrier_number(instr, layout)


def _check_m0(instr: Instr, w: Waves, layout: RegisterLayout) -> None:
    """Raises InputError if M0 names another barrier than number 0."""
    if (scalar_reader(M0, "u32", layout)(w) & _NUMBER_BITS).any():
        raise named_barrier(instr, layout)


def state_step(instr: Instr, layout: RegisterLayout) -> Step:
    """s_get_barrier_state of the workgroup's barrier; 0 without a barrier."""
    target = instr.operands[0]
    assert isinstance(target, Register)
    number = barrier_number(instr, layout)
    if number == TRAP:
        raise refusal(instr, "the barrier of trap handlers is not modelled")
    write = scalar_writer(target, layout)

    def step(w: Waves) -> None:
        if number is None:
            _check_m0(instr, w, layout)
        has_one = number == WORKGROUP and w.per_group > 1
        write(w, w.barrier.state(w.indexes) if has_one else np.zeros(w.width, np.uint32))

    return step
