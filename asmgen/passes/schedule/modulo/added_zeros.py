"""Matrix instructions of a prologue add to the constant 0.

    entry:       v_mov_b32 %zero[0], 0 ...          entry:
                 loop(%zero)                     is
    loop(%sum):  v_mfma %next, %a, %b, %sum         loop:  v_mfma %next, %a, %b, 0

The prologue of a loop with overlapping trips is its first trip, which adds to the values that the loop begins
with. Zeros then need neither registers nor instructions that fill them.
"""

from __future__ import annotations

from collections.abc import Set

from asmgen.passes.dead import remove_dead
from asmgen.passes.ssa import is_copy
from isa.instruction import Immediate, Instr, Trait, Unit
from isa.program import Kernel
from isa.registers import Register
from isa.verify import takes

_ZERO = Immediate(0)


def adding_zeros(kernel: Kernel, label: str) -> Kernel:
    """An equivalent kernel in SSA: matrix instructions of the block with a label take the constant 0 in place
    of parameters that are zeros."""
    zeros, block = _zero_parameters(kernel, label), kernel.block(label)
    code = [_adding_zero(kernel, instr, zeros) for instr in block.instructions]
    if all(now is before for now, before in zip(code, block.instructions, strict=True)):
        return kernel
    blocks = [each.with_instructions(code) if each is block else each for each in kernel.blocks]
    return remove_dead(kernel.with_blocks(blocks)).kernel


def _zero_parameters(kernel: Kernel, label: str) -> Set[int]:
    """The units of the parameters of a block to which the only edge to the block passes zeros."""
    edges = [edge for block in kernel.blocks for edge in block.logical if edge.target == label]
    if len(edges) != 1:
        return frozenset()
    zeros = {
        unit
        for block in kernel.blocks
        for instr in block.instructions
        if Trait.MOVE in instr.row.traits and is_copy(instr) and instr.operands[1] == _ZERO
        for unit in instr.units.written
    }
    return {
        unit
        for parameter, argument in zip(kernel.block(label).vector_parameters, edges[0].arguments, strict=True)
        if argument == _ZERO or (isinstance(argument, Register) and zeros.issuperset(argument.units))
        for unit in parameter.units
    }


def _adding_zero(kernel: Kernel, instr: Instr, zeros: Set[int]) -> Instr:
    if instr.row.unit is not Unit.MATRIX:
        return instr
    operands = tuple(
        [
            _ZERO if isinstance(each, Register) and zeros >= set(each.units) else each
            for each in instr.operands
        ]
    )
    if operands == instr.operands or not takes(instr.row, operands, kernel.register_class):
        return instr
    return instr.as_row(instr.row, operands, instr.modifiers)
