"""Filling gaps: where wait states must pass, a later instruction that nothing in between concerns passes
first.

Runs on physical registers, before waits and NOPs are inserted; `hazards` puts NOPs into what is left of the
gaps. An instruction moves only within its block, up to the consumer that must wait, and only if it is ALU
work on registers that no load fills: it never makes a wait for memory come earlier.
"""

from __future__ import annotations

from asmgen.passes.dead import is_removable
from asmgen.passes.forward import entry_states
from asmgen.passes.hazards import Remedies
from isa.hazards import Remedy, Required, Window, rules_for
from isa.instruction import ExecMode, Instr
from isa.program import Block, Kernel
from isa.registers import EXEC

REACH = 24  # instructions that are looked at after a gap


def fill(kernel: Kernel) -> Kernel:
    """An equivalent kernel that needs no more wait states, and fewer where something could be moved into
    them."""
    window = Window(rules_for(kernel.target, kernel.instructions()))
    remedies = Remedies(kernel.table)

    def pass_through(block: Block, window: Window) -> None:
        for instr in block.code:
            remedies.meet(window, instr, [])

    states = entry_states(kernel, window, pass_through)
    return kernel.with_blocks([_filled(block, states[block.label], remedies) for block in kernel.blocks])


def _filled(block: Block, window: Window, remedies: Remedies) -> Block:
    rest = list(block.instructions)
    result: list[Instr] = []
    loaded: set[int] = set()
    position = 0
    while position < len(rest):
        instr = rest[position]
        needed = window.required(instr)
        filler = None if needed is None else _filler(rest, position, window, loaded, needed)
        if filler is not None:
            instr = rest.pop(filler)
        else:
            position += 1
        remedies.meet(window, instr, [])
        result.append(instr)
        written = {unit for register in instr.defined() for unit in register.units}
        # whoever reads or writes what a load fills has waited for it
        read = {unit for register in instr.used() for unit in register.units}
        loaded = loaded | written if instr.row.events else loaded - written - read
    return block.with_instructions(result)


def _filler(
    rest: list[Instr], position: int, window: Window, loaded: set[int], needed: Required
) -> int | None:
    """Where an instruction is that may go before the one at `position`, can issue at once, and shortens
    what that needs."""
    read: set[int] = set()
    written: set[int] = set()
    for candidate in range(position, min(position + REACH, len(rest))):
        instr = rest[candidate]
        uses = {unit for register in instr.used() for unit in register.units}
        defines = {unit for register in instr.defined() for unit in register.units}
        touched = uses | defines
        independent = written.isdisjoint(touched) and read.isdisjoint(defines) and loaded.isdisjoint(touched)
        can_go = (
            candidate > position and independent and _is_movable(instr) and window.required(instr) is None
        )
        if can_go and _helps(instr, rest[position], window, needed):
            return candidate
        read |= uses
        written |= defines
    return None


def _helps(filler: Instr, consumer: Instr, window: Window, needed: Required) -> bool:
    """Every instruction is a wait state; other hazards end only with some."""
    if needed.rule.remedy is Remedy.STATES:
        return True
    behind = window.copy()
    behind.issue(filler)
    left = behind.required(consumer)
    return left is None or (left.rule.remedy is needed.rule.remedy and left.states < needed.states)


def _is_movable(instr: Instr) -> bool:
    row = instr.row
    if row.events or not is_removable(row) or row.exec_mode not in (ExecMode.SCALAR, ExecMode.MASKED):
        return False
    return not any(register.overlaps(EXEC) for register in instr.defined())
