"""Matrix instructions whose operands all begin in one bank of VGPRs: a note, since they are only slower.

On gfx11 and gfx12 a VGPR's bank is its number modulo four. A, B and C are read together, so that operands
that begin in one bank cost an instruction of 32 cycles two more (llvm-project issue 204254, measured on
gfx1151).
"""

from __future__ import annotations

from collections.abc import Iterator

from asmgen.check.listing import ListedFunction
from asmgen.check.mistakes import Mistake
from isa.hazards.facts import is_matrix
from isa.instruction import Instr, Row, Trait
from isa.registers import FIRST_VGPR, Register, register_name
from isa.target import Target


def same_banks(function: ListedFunction, target: Target) -> Iterator[Mistake]:
    """The matrix instructions of a function whose operands in VGPRs all begin in one bank."""
    if not target.matrix_banks:
        return
    for index, instr in enumerate(function.instructions):
        matrices = _matrices(instr)
        banks = {(matrix.first - FIRST_VGPR) % target.matrix_banks for matrix in matrices}
        if len(matrices) > 1 and len(banks) == 1:
            names = ", ".join(register_name(matrix) for matrix in matrices)
            text = (
                f"{names} all begin in VGPR bank {banks.pop()} of {target.matrix_banks}, wanted different "
                "ones, which are read faster"
            )
            yield Mistake(index, "CHK009", text, is_note=True)


def _matrices(instr: Instr) -> list[Register]:
    """A, B and C where they are registers."""
    if not is_matrix(instr.row):
        return []
    operands = (instr.operands[use] for use in instr.row.uses if _is_of_a_matrix(instr.row, use))
    return [operand for operand in operands if isinstance(operand, Register)]


def _is_of_a_matrix(row: Row, use: int) -> bool:
    """C of a sparse instruction is its destination, unspelt; the kept half of a result is no operand of the
    product."""
    spec = row.operands[use]
    if Trait.SPARSE in row.traits:
        return spec.type != "b32"
    return not spec.hidden
