"""The set-up of scratch memory for spilled values, on targets with an address that the kernel computes.

There the hardware gives the base of the queue's scratch in a pair of user SGPRs and the wave's offset in a
system SGPR, and FLAT_SCRATCH is their sum (AMDGPUUsage, "Flat Scratch"). Requesting them moves the SGPRs
after them, which the kernel then reads in their new places. On other targets FLAT_SCRATCH is set already.
"""

from __future__ import annotations

from asmgen.emission.entry import (
    FLAT_SCRATCH_INIT,
    PRELOAD,
    SCRATCH_OFFSET,
    USER_ROLES,
    system_places,
)
from isa.build import build
from isa.instruction import Instr, Operand, Origin
from isa.program import Abi, Block, Edge, Kernel
from isa.registers import FLAT_SCRATCH, Register, sgpr

ORIGIN = Origin("scratch")


def prepare_scratch(kernel: Kernel) -> Kernel:
    """The kernel with FLAT_SCRATCH set up, if the target leaves that to the kernel."""
    entry = dict(kernel.abi.entry)
    if kernel.target.target.architected_scratch or FLAT_SCRATCH_INIT in entry:
        return kernel
    abi = _with_scratch(kernel)
    moved = {
        unit: place
        for role, register in entry.items()
        for unit, place in zip(register.units, abi.register(role).units, strict=True)
    }
    blocks = [_renamed(block, moved) for block in kernel.blocks]
    blocks[0] = blocks[0].with_instructions([*_set_up(kernel, abi), *blocks[0].instructions])
    return Kernel(
        kernel.name, kernel.target, kernel.arguments, kernel.workgroup, abi, blocks, kernel.owners,
        kernel.lds_bytes, kernel.scratch_bytes,
    )  # fmt: skip


def _with_scratch(kernel: Kernel) -> Abi:
    """The kernel's ABI with the roles of scratch, and every register in the place that the hardware then
    gives it."""
    given = dict(kernel.abi.entry)
    wanted = {*given, FLAT_SCRATCH_INIT, SCRATCH_OFFSET}
    entry: list[tuple[str, Register]] = []
    used = 0
    for role, count in {**USER_ROLES, PRELOAD: kernel.abi.preload_dwords}.items():
        if role in wanted:
            entry.append((role, sgpr(used, count)))
            used += count
    entry += system_places(kernel.target.target, used, wanted).items()
    known = {role for role, _ in entry}
    entry += [(role, register) for role, register in given.items() if role not in known]
    return kernel.abi._replace(entry=tuple(entry))


def _set_up(kernel: Kernel, abi: Abi) -> list[Instr]:
    table = kernel.table
    base, offset = abi.register(FLAT_SCRATCH_INIT), abi.register(SCRATCH_OFFSET)
    low, high = FLAT_SCRATCH.part(0), FLAT_SCRATCH.part(1)
    return [
        build(table.row("s_add_u32"), low, base.part(0), offset, origin=ORIGIN),
        build(table.row("s_addc_u32"), high, base.part(1), 0, origin=ORIGIN),
    ]


def _renamed(block: Block, moved: dict[int, int]) -> Block:
    def register(operand: Operand) -> Operand:
        if not isinstance(operand, Register) or operand.first not in moved:
            return operand
        return Register(moved[operand.first], operand.count)

    def instruction(instr: Instr) -> Instr:
        operands = tuple(map(register, instr.operands))
        return instr if operands == instr.operands else instr.as_row(instr.row, operands, instr.modifiers)

    def edges(given: tuple[Edge, ...]) -> tuple[Edge, ...]:
        return tuple(
            Edge(
                edge.target,
                tuple(
                    Register(moved[item.first], item.count)
                    if isinstance(item, Register) and item.first in moved
                    else item
                    for item in edge.arguments
                ),
            )
            for edge in given
        )

    return Block(
        block.label, block.scalar_parameters, block.vector_parameters,
        [instruction(item) for item in block.instructions],
        None if block.terminator is None else instruction(block.terminator),
        edges(block.linear), edges(block.logical),
    )  # fmt: skip
