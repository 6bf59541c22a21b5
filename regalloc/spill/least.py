"""The smallest number of registers for a program, with any amount of spilling.

All operands of an instruction have to be in registers at once, and so have its results. The program's own
physical registers cannot be spilled, nor can values with contents in lanes that are off (`regalloc.lanes`).
"""

from __future__ import annotations

from isa.program import Kernel
from isa.registers import FIRST_AGPR, FIRST_VGPR, FIRST_VIRTUAL, VCC, RegisterClass
from isa.target import round_up
from regalloc.constraints import gather_constraints
from regalloc.lanes import lane_values
from regalloc.liveness import compute_liveness
from regalloc.slots import unit_class

FIRST = {RegisterClass.SGPR: 0, RegisterClass.VGPR: FIRST_VGPR, RegisterClass.AGPR: FIRST_AGPR}
RESERVE = {RegisterClass.VGPR: 1, RegisterClass.SGPR: 2}
"""Registers beyond the widest instruction: a VGPR that tuples leave unused or that keeps spilled SGPRs in its
lanes; SGPRs for the offset of a scratch access, and for the temporary of a copy."""


def least_budget(kernel: Kernel, register_class: RegisterClass) -> int:
    """The number of registers of a class in which a verified kernel is allocated by spilling the others.

    A tuple counts with the registers that its alignment may leave free next to it. VGPRs that keep spilled
    SGPRs in their lanes are added.
    """
    liveness = compute_liveness(kernel)
    early = gather_constraints(kernel, liveness.slots).early
    staying = lane_values(kernel, liveness)
    widest = 0
    for number, slots in enumerate(liveness.slots):
        live = set(liveness.leaving(number))
        for index in range(len(slots.uses) - 1, -1, -1):
            defines, uses = set(slots.defines[index]), set(slots.uses[index])
            after, before = live | defines, (live - defines) | uses
            live = before
            if index == slots.copies:
                continue  # arguments may be handed on in memory
            if early & defines:  # they are written while the operands are still read
                uses, before = uses | defines, before | after
            for operands, around in ((uses, before), (defines, after)):
                stays = {unit for unit in around if unit < FIRST_VIRTUAL or unit in staying}
                widest = max(widest, _size(kernel, operands | stays, register_class))
    return widest


def _size(kernel: Kernel, units: set[int], register_class: RegisterClass) -> int:
    """The registers of a class that units take, with whole tuples and the reserve: tuples may find no room
    between the registers that the program names itself."""
    units = {unit for unit in units if unit_class(kernel, unit) is register_class}
    owners = {kernel.owners[unit - FIRST_VIRTUAL] for unit in units if unit >= FIRST_VIRTUAL}
    sizes = [(round_up(owner.count, owner.align), owner.align) for owner in owners]
    own = [unit - FIRST[register_class] for unit in units if unit < FIRST_VIRTUAL and unit not in VCC.units]
    counted = (
        RESERVE.get(register_class, 0)
        + sum(size for size, _ in sizes)
        + sum(unit < FIRST_VIRTUAL for unit in units)
    )
    tuples = [(size, align) for size, align in sizes if size > 1]
    if not own or not tuples:
        return counted
    above = round_up(max(own) + 1, max(align for _, align in tuples))
    return max(counted, above + sum(size for size, _ in tuples))
