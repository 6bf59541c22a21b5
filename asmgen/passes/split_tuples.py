"""Splitting of tuples: each part of a register that no instruction names as a whole becomes a register of its
own.

    loop(%sum of 8):   v_add %next[0], %sum[0], ...        eight single registers, or four pairs
                       v_pk_add %next[2:3], %sum[2:3], ...
                       loop(%next)

Selection has a register for every value of the source program. If only edges name a register as a whole, its
units need not be adjacent: allocation has more room, and spilling goes unit by unit. A parameter that takes
the result of a load stays whole: copies of its parts would wait for the load.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from isa.instruction import Immediate, Trait
from isa.program import Block, Edge, Kernel
from isa.registers import Register
from regalloc.tuples import named_together, parted_owners


def split_tuples(kernel: Kernel) -> Kernel:
    """An equivalent kernel in SSA with virtual registers no wider than the operands that name them."""
    if all(owner.count == 1 for owner in kernel.owners):
        return kernel
    joined = _joined(kernel)
    owners = parted_owners(kernel, joined)
    if all(new.count == old.count for new, old in zip(owners, kernel.owners, strict=True)):
        return kernel
    split = replace(kernel, owners=owners)
    blocks = {block.label: block for block in kernel.blocks}
    return split.with_blocks([_split_block(block, blocks, split) for block in kernel.blocks])


def _joined(kernel: Kernel) -> set[int]:
    """The units that are in the same register as the next unit."""
    joined, loaded = named_together(kernel), _loaded(kernel)
    blocks = {block.label: block for block in kernel.blocks}
    size = -1
    while size != len(joined):
        size = len(joined)
        for parameter, argument in _handed_on(kernel, blocks):
            for k, unit in enumerate(parameter.units[:-1]):
                if unit in joined:
                    joined.add(argument.first + k)
                elif argument.first + k in loaded and argument.first + k in joined:
                    joined.add(unit)
    return joined


def _loaded(kernel: Kernel) -> set[int]:
    """The virtual units that loads define."""
    return {
        unit
        for block in kernel.blocks
        for instr in block.instructions
        if Trait.LOAD in instr.row.traits
        for register in instr.defined()
        if register.is_virtual
        for unit in register.units
    }


def _handed_on(kernel: Kernel, blocks: dict[str, Block]) -> Iterator[tuple[Register, Register]]:
    """Every parameter of several units with each register that it takes."""
    for block in kernel.blocks:
        for edges, is_logical in ((block.linear, False), (block.logical, True)):
            for edge in edges:
                target = blocks[edge.target]
                parameters = target.vector_parameters if is_logical else target.scalar_parameters
                for parameter, argument in zip(parameters, edge.arguments, strict=True):
                    if isinstance(argument, Register) and argument.is_virtual and parameter.count > 1:
                        yield parameter, argument


def _split_block(block: Block, blocks: dict[str, Block], split: Kernel) -> Block:
    return Block(
        block.label, tuple(_parts_of(block.scalar_parameters, split)),
        tuple(_parts_of(block.vector_parameters, split)), block.instructions, block.terminator,
        tuple(_split_edge(edge, blocks[edge.target].scalar_parameters, split) for edge in block.linear),
        tuple(_split_edge(edge, blocks[edge.target].vector_parameters, split) for edge in block.logical),
    )  # fmt: skip


def _parts_of(registers: Iterable[Register], split: Kernel) -> Iterator[Register]:
    """The parts of registers after the split, in order."""
    for register in registers:
        first = register.first
        while first < register.first + register.count:
            part = split.owner(Register(first)).register
            yield part
            first += part.count


def _split_edge(edge: Edge, parameters: tuple[Register, ...], split: Kernel) -> Edge:
    arguments: list[Register | Immediate] = []
    for parameter, argument in zip(parameters, edge.arguments, strict=True):
        for part in _parts_of([parameter], split):
            k = part.first - parameter.first
            if isinstance(argument, Register):
                arguments.append(argument.part(k, part.count))
            else:
                arguments.append(Immediate(argument.bits >> 32 * k & (1 << 32 * part.count) - 1))
    return Edge(edge.target, tuple(arguments))
