"""Trace lines of liveness and allocation: a line for each block, virtual register and copy."""

from __future__ import annotations

from collections.abc import Iterator

from isa.names import RegisterNames, in_order
from isa.program import Kernel, VirtualRegister
from isa.registers import FIRST_VIRTUAL, Register, register_name
from isa.text.printing import format_instr
from regalloc.allocation import Allocation
from regalloc.cfg import build_control_flow
from regalloc.liveness import Pressure, compute_liveness
from regalloc.scan.coalesce import Partners, find_partners
from regalloc.slots import slot_instruction


def live_ranges(kernel: Kernel) -> Iterator[str]:
    """A line for each block with the values live at its edges, and a line for the largest pressure of each
    class."""
    liveness = compute_liveness(kernel)
    names = RegisterNames(kernel.owners)
    for block in kernel.blocks:
        parameters = [names(register) for register in (*block.scalar_parameters, *block.vector_parameters)]
        entering = _spelt(kernel, liveness.live_in(block.label), names)
        leaving = _spelt(kernel, liveness.live_out(block.label), names)
        taken = f", parameters {' '.join(parameters)}" if parameters else ""
        yield f"{kernel.name}: {block.label}: live-in {entering}{taken}, live-out {leaving}"
    for register_class, pressure in liveness.pressure.items():
        yield (
            f"{kernel.name}: largest pressure of {register_class.name}: {pressure.units} at "
            f"{_point(kernel, pressure, names)}"
        )


def _spelt(kernel: Kernel, units: list[int], names: RegisterNames) -> str:
    """Ascending units as registers; consecutive units of a virtual register are printed as a range."""
    registers: list[Register] = []
    for unit in units:
        last = registers[-1] if registers else None
        if (
            last is not None
            and last.is_virtual
            and last.first + last.count == unit
            and kernel.owner(last) is kernel.owner(Register(unit))
        ):
            registers[-1] = Register(last.first, last.count + 1)
        else:
            registers.append(Register(unit))
    return " ".join(map(names, registers)) or "nothing"


def _point(kernel: Kernel, pressure: Pressure, names: RegisterNames) -> str:
    instr = slot_instruction(kernel.block(pressure.label), pressure.index)
    return (
        f"{pressure.label}:{pressure.index} "
        f"({'the edge copies' if instr is None else format_instr(instr, names)})"
    )


def placements(kernel: Kernel, allocation: Allocation) -> Iterator[str]:
    """A line for each virtual register, a line for each copy, and the total.

    A hint is a register with which sharing would have saved a copy or a longer encoding. It is `taken` if the
    two share a register.
    """
    names = RegisterNames(kernel.owners)
    partners = find_partners(kernel, build_control_flow(kernel))
    for owner in in_order(kernel.owners):
        if owner.first in allocation.units:
            hint = _hint(kernel, owner, allocation, partners, names)
            place = f" at {owner.place}" if owner.place is not None else ""
            size = (
                f"{owner.count} {owner.register_class.name}{'' if owner.count == 1 else 's'}, align "
                f"{owner.align}"
            )
            yield (
                f"{kernel.name}: {names(owner.register)} ({size}) -> "
                f"{allocation.register(owner.register)}{hint}{place}"
            )
    for (number, index), copies in sorted(allocation.insertions.items()):
        for copy in copies:
            yield f"{kernel.name}: {kernel.blocks[number].label}:{index}: copy {format_instr(copy)}"
    total = allocation.statistics
    yield (
        f"{kernel.name}: in all {total.vgprs} VGPRs, {total.sgprs} SGPRs, {total.agprs} AGPRs, VCC "
        f"{'used' if total.uses_vcc else 'free'}, "
        f"{total.copies} copies, {total.coalesced} saved"
    )


def _hint(
    kernel: Kernel, owner: VirtualRegister, allocation: Allocation, partners: Partners, names: RegisterNames
) -> str:
    """The most useful partner that shares the register, or else the most useful partner."""
    wanted = [(unit, partner) for unit in owner.register.units for partner in partners.get(unit, ())]
    for unit, partner in wanted:
        if allocation.units.get(partner, partner) == allocation.units[unit]:
            return f", hint {_whole(kernel, partner, names)} taken"
    return f", hint {_whole(kernel, wanted[0][1], names)} not taken" if wanted else ""


def _whole(kernel: Kernel, unit: int, names: RegisterNames) -> str:
    return (
        names(kernel.owners[unit - FIRST_VIRTUAL].register)
        if unit >= FIRST_VIRTUAL
        else register_name(Register(unit))
    )
