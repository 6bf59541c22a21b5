"""Matrix instructions of a prologue add to the constant 0.

    entry:       v_mov_b32 %zero[0], 0 ...          entry:
                 loop(%zero)                     is
    loop(%sum):  v_mfma %next, %a, %b, %sum         loop:  v_mfma %next, %a, %b, 0

The prologue of a loop with overlapping trips is its first trip, which adds to the values that the loop begins
with. Zeros then need neither registers nor instructions that fill them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from itertools import compress

from asmgen.passes.ssa import is_copy
from isa.instruction import Immediate, Instr, Trait, Unit
from isa.program import Block, Edge, Kernel
from isa.registers import Register, units_among
from isa.verify import takes

_ZERO = Immediate(0)


def adding_zeros(kernel: Kernel, label: str) -> Kernel:
    """An equivalent kernel in SSA: matrix instructions of the block with a label take the constant 0 in place
    of parameters that are zeros."""
    fills = {
        unit: instr
        for block in kernel.blocks
        for instr in block.instructions
        if Trait.MOVE in instr.row.traits and is_copy(instr) and instr.operands[1] == _ZERO
        for unit in instr.units.written
    }
    zeros, block = _zero_parameters(kernel, label, fills.keys()), kernel.block(label)
    code = [_adding_zero(kernel, instr, zeros) for instr in block.instructions]
    if all(now is before for now, before in zip(code, block.instructions, strict=True)):
        return kernel
    blocks = [each.with_instructions(code) if each is block else each for each in kernel.blocks]
    return _without_unread(kernel.with_blocks(blocks), label, zeros, fills)


def _zero_parameters(kernel: Kernel, label: str, filled: Set[int]) -> Set[int]:
    """The units of the parameters of a block to which the only edge to the block passes zeros, by the units
    that are filled with 0."""
    edges = [edge for block in kernel.blocks for edge in block.logical if edge.target == label]
    if len(edges) != 1:
        return frozenset()
    return {
        unit
        for parameter, argument in zip(kernel.block(label).vector_parameters, edges[0].arguments, strict=True)
        if argument == _ZERO or (isinstance(argument, Register) and filled >= set(argument.units))
        for unit in parameter.units
    }


def _without_unread(kernel: Kernel, label: str, zeros: Set[int], fills: Mapping[int, Instr]) -> Kernel:
    """The kernel without parameters of zeros and fills with 0 that nothing reads. `remove_dead`, which looks
    at all instructions, would take 2 % of the compilation of 4,096 cubed."""
    of_code = {unit for block in kernel.blocks for instr in block.code for unit in instr.units.read}
    read, parameters = of_code | _passed_units(kernel.blocks), kernel.block(label).vector_parameters
    stays = [zeros.isdisjoint(each.units) or not read.isdisjoint(each.units) for each in parameters]

    def edge_of(edge: Edge) -> Edge:
        return Edge(label, tuple(compress(edge.arguments, stays))) if edge.target == label else edge

    blocks = [
        Block(
            block.label, block.scalar_parameters,
            tuple(compress(parameters, stays)) if block.label == label else block.vector_parameters,
            block.instructions, block.terminator, block.linear, tuple(map(edge_of, block.logical)),
        )
        for block in kernel.blocks
    ]  # fmt: skip
    read = of_code | _passed_units(blocks)
    unread = {id(instr) for instr in fills.values() if read.isdisjoint(instr.units.written)}
    return kernel.with_blocks(
        [
            block.with_instructions([instr for instr in block.instructions if id(instr) not in unread])
            for block in blocks
        ]
    )


def _passed_units(blocks: Sequence[Block]) -> set[int]:
    """The units that edges pass on."""
    edges = [edge for block in blocks for edge in (*block.linear, *block.logical)]
    return set(units_among([argument for edge in edges for argument in edge.arguments]))


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
