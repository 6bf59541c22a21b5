"""The report of a register that encodings imply for two values at once.

v_cmp_lt_u32_e32 vcc, 9, v0            VCC holds a value of the program's own from here on
v_cmp_lt_u32_e32 %n, 19, v0            the short comparison writes VCC, so that %n has to be there
v_cndmask_b32_e32 %a, 0, v0, vcc
"""

from __future__ import annotations

from isa.diagnostics import InputError
from isa.program import Kernel, VirtualRegister
from isa.registers import FIRST_VIRTUAL, Register
from regalloc.constraints import gather_constraints
from regalloc.liveness import Liveness
from regalloc.slots import slot_instruction


def implied_twice(
    kernel: Kernel, liveness: Liveness, owner: VirtualRegister, block: int, index: int
) -> InputError | None:
    """`error[RA003]` for a virtual register that finds its place taken in a slot of a block by what has to be
    there too; None where it may be in any register, or the other value may."""
    pinned = gather_constraints(kernel, liveness.slots).pinned
    first = pinned.get(owner.first)
    if first is None:
        return None
    wanted = Register(first, owner.count)
    slots = liveness.slots[block]
    after = set(liveness.leaving(block)).union(*slots.uses[index + 1 :], *slots.defines[index + 1 :])
    holders = [
        "a value of the program's own"
        if unit < FIRST_VIRTUAL
        else f"%{kernel.owners[unit - FIRST_VIRTUAL].name}"
        for unit in sorted(after.intersection(liveness.live_at(liveness.flow.labels[block], max(index, 0))))
        if pinned.get(unit, unit) in wanted.units
    ]
    if not holders:
        return None
    instr = slot_instruction(kernel.blocks[block], index) if index >= 0 else None
    what = f"{instr.row.mnemonic} has %{owner.name}" if instr is not None else f"%{owner.name} is"
    place = instr.origin.place if instr is not None and instr.origin is not None else None
    return InputError(
        place or owner.place or kernel.name,
        "RA003",
        f"{what} in {wanted}, which holds {', '.join(dict.fromkeys(holders))} there",
        (f"in block {liveness.flow.labels[block]}; an instruction that has %{owner.name} implies {wanted}",),
        "the long form of one of the instructions, which names its register",
    )
