"""Wait states: `s_nop` where a hazard rule asks for one, and no longer than it asks."""

from __future__ import annotations

from functools import partial

from asmgen.passes.forward import insert_needed
from isa.hazards import Required, Window, rules_for
from isa.instruction import Immediate, Instr, Row, Trait
from isa.program import Kernel
from isa.registers import register_name
from isa.targets import parse_target

LONGEST_NOP = 16  # CDNA3 ISA, S_NOP: the low four bits count 1 to 16 states


def insert_nops(kernel: Kernel) -> Kernel:
    """A kernel that keeps every wait state of `isa.hazards`, counted along all linear paths and around loops.

    Runs after the last pass that moves or removes instructions. NOPs that stand already count, and the pass finds
    nothing to do on its own output.
    """
    return insert_needed(kernel, Window(rules_for(parse_target(kernel.target))), meet, partial(_append_nops, kernel.table.row("s_nop")))


def meet(window: Window, instr: Instr) -> Required | None:
    """Let `instr` issue after the wait states it needs; those."""
    needed = window.required(instr)
    if needed is not None:
        window.wait_apart(needed.states)
    window.issue(instr)
    return needed


def _append_nops(nop: Row, result: list[Instr], needed: Required, consumer: Instr) -> None:
    comment = f"{needed.rule.name}: {register_name(needed.register)} of {needed.producer.row.mnemonic}"
    states = needed.states
    if result and Trait.NOP in result[-1].row.traits:
        before = result.pop()
        states += _states(before)
        comment = f"{before.comment}; {comment}" if before.comment else comment
    while states > 0:
        count = min(states, LONGEST_NOP)
        result.append(Instr(nop, (Immediate(count - 1),), origin=consumer.origin, comment=comment))
        states -= count


def _states(nop: Instr) -> int:
    count = nop.operands[0]
    return count.bits + 1 if isinstance(count, Immediate) else 1
