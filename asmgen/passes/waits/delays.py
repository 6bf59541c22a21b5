"""Delays: `s_delay_alu` before an ALU instruction that reads a result still in computation (gfx11 and later).

It is a hint: the wave does not try to issue in vain, and other waves go first. An instruction has room for
two delays: for the next instruction, and for the same or one of the following five.
"""

from __future__ import annotations

from functools import partial

from asmgen.passes.forward import insert_needed
from asmgen.passes.waits.delay_state import CYCLES_TOLD, NO_DELAY, TRANSES_TOLD, VALUS_TOLD, Delay, DelayState
from isa.clauses import clause_kind, clause_length
from isa.fields import field_values, pack_fields
from isa.instruction import Immediate, Instr, Row, Trait
from isa.program import Block, Kernel

# RDNA3 ISA, S_DELAY_ALU: the meaning of an INSTID
_VALU_DEP = 0
_TRANS_DEP = 4
_SALU_CYCLE = 8
_LONGEST_SKIP = 5


def insert_delays(kernel: Kernel) -> Kernel:
    """A kernel with delays for the dependences of its ALU instructions, over all linear paths; the kernel
    itself if the target has no delays.

    Runs last, since every instruction counts as time. Existing delays are replaced.
    """
    if not kernel.table.target.has_delay_alu:
        return kernel
    delay = kernel.table.row("s_delay_alu")
    return insert_needed(_without_delays(kernel), DelayState(), _meet, partial(_put, delay))


def _without_delays(kernel: Kernel) -> Kernel:
    return kernel.with_blocks([_kept(block) for block in kernel.blocks])


def _kept(block: Block) -> Block:
    return block.with_instructions(
        [instr for instr in block.instructions if Trait.DELAY not in instr.row.traits]
    )


def _meet(state: DelayState, instr: Instr) -> tuple[int, ...] | None:
    told = state.meet(instr)
    if told is NO_DELAY:
        return None
    return _identifiers(told) or None


def _identifiers(told: Delay) -> tuple[int, ...]:
    """At most two dependences: transcendental, then vector unless the former is the more recent, then
    scalar."""
    identifiers: list[int] = []
    if told.transes <= TRANSES_TOLD:
        identifiers.append(_TRANS_DEP + told.transes)
    if told.valus <= VALUS_TOLD and told.valus <= told.trans_valus:
        identifiers.append(_VALU_DEP + told.valus)
    if told.scalar_cycles and len(identifiers) < 2:
        identifiers.append(_SALU_CYCLE + min(told.scalar_cycles, CYCLES_TOLD))
    return tuple(identifiers)


def _put(row: Row, result: list[Instr], identifiers: tuple[int, ...], consumer: Instr) -> None:
    if _is_in_clause(result):
        return
    if len(identifiers) == 1 and _joined(result, identifiers[0]):
        return
    fields: dict[str, int] = dict(zip(("instid0", "instid1"), identifiers, strict=False))
    result.append(Instr(row, (Immediate(pack_fields(row.operands[0], fields)),), origin=consumer.origin))


def _is_in_clause(before: list[Instr]) -> bool:
    """Whether a clause is open after some instructions: nothing may be put into it."""
    for distance, instr in enumerate(reversed(before)):
        if Trait.CLAUSE in instr.row.traits:
            return distance < clause_length(instr)
        if clause_kind(instr) is None and Trait.NOP not in instr.row.traits:
            return False
    return False


def _joined(result: list[Instr], identifier: int) -> bool:
    """Put a second dependence into the previous delay, if it has room and is near enough."""
    for skip, index in enumerate(range(len(result) - 1, max(-1, len(result) - 2 - _LONGEST_SKIP), -1)):
        before = result[index]
        if Trait.DELAY not in before.row.traits:
            continue
        spec, operand = before.row.operands[0], before.operands[0]
        if not isinstance(operand, Immediate):
            return False
        fields = field_values(spec, operand.bits)
        if fields["instid1"]:
            return False
        bits = pack_fields(spec, fields | {"instskip": skip, "instid1": identifier})
        result[index] = before.as_row(before.row, (Immediate(bits),))
        return True
    return False
