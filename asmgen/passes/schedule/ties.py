"""Orders that save copies, among those that the dependence graph allows.

An instruction with a tied operand overwrites its source, as an accumulation does; a later reader of the
source makes a copy necessary. So does a value that returns to a loop's head while its parameter is still
read:

    loop(%i):  v_lshlrev_b32 %at, 2, %i      before
               s_add_u32 %next, %i, 1        since %next and %i should share a register
               -> loop(%next)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from isa.instruction import Instr
from isa.program import Block, Kernel
from isa.registers import Register


def sparing_orders(kernel: Kernel, block: Block, code: Sequence[Instr]) -> Iterator[tuple[int, int]]:
    """Pairs of instructions by number, the earlier first, that should stay in their order."""
    wanted = [*_ties(code), *_carried(kernel, block, code)]
    if not wanted:
        return
    readers: dict[int, list[int]] = {unit: [] for source, _ in wanted for unit in source.units}
    for number, instr in enumerate(code):
        for i in instr.row.uses:
            operand = instr.operands[i]
            if isinstance(operand, Register):
                first, count = operand
                for unit in range(first, first + count):
                    if unit in readers:
                        readers[unit].append(number)
    for source, writer in wanted:
        for unit in source.units:
            for reader in readers[unit]:
                if reader < writer:
                    yield reader, writer


def _ties(code: Sequence[Instr]) -> Iterator[tuple[Register, int]]:
    for number, instr in enumerate(code):
        for use, _ in instr.row.ties:
            operand = instr.operands[use]
            if isinstance(operand, Register) and operand.is_virtual:
                yield operand, number


def _carried(kernel: Kernel, block: Block, code: Sequence[Instr]) -> Iterator[tuple[Register, int]]:
    """A parameter, and the instruction that computes its argument on an edge."""
    if not any(edge.arguments for edge in (*block.linear, *block.logical)):
        return
    defined: dict[int, int] = {}
    for number, instr in enumerate(code):
        for i in instr.row.defines:
            operand = instr.operands[i]
            if isinstance(operand, Register) and operand.is_virtual:
                for unit in operand.units:
                    defined[unit] = number
    for edges, is_scalar in ((block.linear, True), (block.logical, False)):
        for edge in edges:
            if not edge.arguments:
                continue
            target = kernel.block(edge.target)
            parameters = target.scalar_parameters if is_scalar else target.vector_parameters
            for argument, parameter in zip(edge.arguments, parameters, strict=True):
                if isinstance(argument, Register) and argument.first in defined:
                    yield parameter, defined[argument.first]
