"""The rules that an allocated kernel keeps before it is printed."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain

from isa.clauses import broken_at
from isa.diagnostics import InternalError
from isa.instruction import Operand, Trait
from isa.program import Kernel
from isa.registers import FIRST_AGPR, FIRST_VGPR, FIRST_VIRTUAL, VCC, Register
from isa.replay import replay_fault
from isa.target import ACCUMULATOR_STEP
from isa.verify import find_fault

STAGE = "physical program check"


def verify_physical(kernel: Kernel) -> None:
    """Check the invariant of an allocated kernel; `InternalError` at the first instruction or edge that
    breaks it.

    Every register is physical, every instruction legal for its row, block parameters are gone and every edge
    leads to a block of the kernel.
    """
    target = kernel.target
    labels = {block.label for block in kernel.blocks}
    checked = set[object]()  # equal instructions have equal faults
    if len(labels) != len(kernel.blocks):
        raise InternalError(STAGE, kernel.name, "two blocks have the same label")
    for block in kernel.blocks:
        point = f"{kernel.name}.{block.label}"
        if block.scalar_parameters or block.vector_parameters:
            raise InternalError(STAGE, point, "the block has parameters")
        for edge in (*block.linear, *block.logical):
            if edge.target not in labels:
                raise InternalError(STAGE, point, f"an edge leads to {edge.target}, which is not a block")
        for instr in block.code:
            key = (instr.row, instr.operands, instr.modifiers)
            if key in checked:
                continue
            checked.add(key)
            fault = find_fault(instr) or replay_fault(instr, target)
            if fault is not None:
                raise InternalError(STAGE, point, f"{instr.row.mnemonic}: [{fault.code}] {fault.message}")
            for operand in instr.operands:
                if isinstance(operand, Register) and operand.first >= FIRST_VIRTUAL:
                    raise InternalError(STAGE, point, f"{instr.row.mnemonic} has a virtual register")


def verify_clauses(kernel: Kernel) -> None:
    """`InternalError` at the first instruction that may not be in the clause that it is in."""
    for block in kernel.blocks:
        for index, instr in enumerate(block.code):
            if Trait.CLAUSE in instr.row.traits and (other := broken_at(block.code, index)) is not None:
                point = f"{kernel.name}.{block.label}"
                raise InternalError(STAGE, point, f"{other.row.mnemonic} breaks a clause")


def verify_declared(kernel: Kernel, fields: Mapping[str, int]) -> None:
    """Compare the descriptor's declarations with the registers and the scratch of the code.

    `InternalError` if a register is not declared, or if a VGPR of the unified file would be an AGPR.
    """
    vgprs = fields["next_free_vgpr"]
    first_agpr = fields.get("accum_offset", vgprs)
    if first_agpr % ACCUMULATOR_STEP and "accum_offset" in fields:
        raise InternalError(STAGE, kernel.name, f"AGPRs begin at {first_agpr}, wanted a multiple of 4")
    if fields["private_segment_fixed_size"] != kernel.scratch_bytes:
        declared = fields["private_segment_fixed_size"]
        raise InternalError(
            STAGE, kernel.name, f"{declared} bytes of scratch are declared, wanted {kernel.scratch_bytes}"
        )
    operands = set[Operand](chain.from_iterable([instr.operands for instr in kernel.instructions()]))
    for register in [operand for operand in operands if isinstance(operand, Register)]:
        last = register.first + register.count - 1
        if last >= FIRST_AGPR:
            is_declared = first_agpr + last - FIRST_AGPR < vgprs
        elif last >= FIRST_VGPR:
            is_declared = last - FIRST_VGPR < min(first_agpr, vgprs)
        else:
            is_declared = register.first >= VCC.first or last < fields["next_free_sgpr"]
        if not is_declared:
            raise InternalError(
                STAGE, kernel.name, f"{register} is used, and the descriptor does not declare it"
            )
