"""The rules that an allocated kernel keeps before it is printed."""

from __future__ import annotations

from isa.diagnostics import InternalError
from isa.program import Kernel
from isa.registers import Register
from isa.replay import replay_fault
from isa.verify import find_fault

STAGE = "physical program check"


def verify_physical(kernel: Kernel) -> None:
    """Hold an allocated kernel to its invariant; `InternalError` at the first instruction or edge that breaks
    it.

    Every register is physical, every instruction legal for its row, block parameters are gone and every edge
    leads to a block of the kernel.
    """
    target = kernel.target
    labels = {block.label for block in kernel.blocks}
    if len(labels) != len(kernel.blocks):
        raise InternalError(STAGE, kernel.name, "two blocks have one label")
    for block in kernel.blocks:
        point = f"{kernel.name}.{block.label}"
        if block.scalar_parameters or block.vector_parameters:
            raise InternalError(STAGE, point, "the block has parameters")
        for edge in (*block.linear, *block.logical):
            if edge.target not in labels:
                raise InternalError(STAGE, point, f"an edge leads to {edge.target}, which is no block")
        for instr in block.code:
            fault = find_fault(instr) or replay_fault(instr, target)
            if fault is not None:
                raise InternalError(STAGE, point, f"{instr.row.mnemonic}: [{fault.code}] {fault.message}")
            if any(isinstance(operand, Register) and operand.is_virtual for operand in instr.operands):
                raise InternalError(STAGE, point, f"{instr.row.mnemonic} has a virtual register")
