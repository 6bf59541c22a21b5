"""Spilled VGPRs that are AGPRs wherever a program names them, so that they need no copies.

    ds_read_b128 %x, v0                             ds_read_b128 %x, v0        %x is in AGPRs
    v_accvgpr_write_b32 %x_apart[0], %x[0]
    ...                                   becomes
    v_accvgpr_read_b32 %x_again[0], %x_apart[0]
    ...
    ds_write_b128 v0, %x_again                      ds_write_b128 v0, %x

A spilled register is in AGPRs if every instruction that names it takes AGPRs there. A reload is left out if
every reader does. Operands that share a file change together.
"""

from __future__ import annotations

from collections.abc import Iterator

from isa.program import Kernel
from isa.registers import Register, RegisterClass
from regalloc.files.webs import row_files
from regalloc.spill.facts import SpillFacts
from regalloc.spill.moves import edge_pairs
from regalloc.spill.plan import ArgumentKey, Pass, Reload, SpillPlan


def find_agprs(kernel: Kernel, facts: SpillFacts, plan: SpillPlan, apart: frozenset[int]) -> set[int]:
    """The first units of the spilled registers that are in AGPRs throughout, and of the reloads to leave out.

    `apart` are the units that the plan spills to AGPRs. `kernel` has the registers of the plan.
    """
    if not apart:
        return set()
    actions = [action for actions in plan.actions.values() for action in actions]
    reloads = [action for action in actions if isinstance(action, Reload) and action.again is None]
    agprs = {kernel.owner(Register(unit)).first for unit in apart}
    agprs.update(reload.register.first for reload in reloads if apart.issuperset(reload.units))

    def first(register: Register) -> int:
        return kernel.owner(register).first if register.is_virtual else -1

    def is_agpr(register: Register) -> bool:
        return first(register) in agprs or kernel.register_class(register) is RegisterClass.AGPR

    agprs.difference_update(map(first, _in_vgprs(facts, plan)))
    named = [operand for operand in _operands(facts, plan) if first(operand[0]) in agprs]
    while wrong := {
        first(register)
        for register, takes_agprs, partners in named
        if first(register) in agprs and not (takes_agprs and all(map(is_agpr, partners)))
    }:
        agprs -= wrong
    return agprs


def _in_vgprs(facts: SpillFacts, plan: SpillPlan) -> Iterator[Register]:
    """The registers that edges pass on in VGPRs, their parameters, and sources of copies to memory."""
    for number, block in enumerate(facts.kernel.blocks):
        yield from (register for register in block.vector_parameters if register not in plan.in_memory)
        renamed = plan.operands.get((number, len(block.instructions)), {})
        for e, edge in enumerate(block.logical):
            for a, (parameter, argument) in enumerate(edge_pairs(facts, edge, is_logical=True)):
                register = renamed.get(ArgumentKey(True, e, a), argument)
                if isinstance(register, Register) and parameter not in plan.in_memory:
                    yield register
    for actions in plan.actions.values():
        for action in actions:
            if isinstance(action, Pass) and isinstance(action.source, Register):
                yield action.source


def _operands(facts: SpillFacts, plan: SpillPlan) -> Iterator[tuple[Register, bool, list[Register]]]:
    """Each register that the plan has in a vector operand, whether the row takes AGPRs there, and the
    operands that share its file."""
    for number, block in enumerate(facts.kernel.blocks):
        for index, instr in enumerate(block.instructions):
            renamed = plan.operands.get((number, index), {})
            files = row_files(instr.row)
            for operand, takes_agprs, _, _ in files.operands:
                register = renamed.get(operand, instr.operands[operand])
                if isinstance(register, Register):
                    shared = {other for pair in files.together if operand in pair for other in pair}
                    partners = [renamed.get(other, instr.operands[other]) for other in shared - {operand}]
                    yield register, takes_agprs, [other for other in partners if isinstance(other, Register)]
