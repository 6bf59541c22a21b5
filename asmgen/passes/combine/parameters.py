"""Scalar parameters of a block that get equal arguments from every edge share a register.

A loop may carry its counter a second time, because a later loop begins there. In two registers, each trip
would copy the number from the first register to the second.
"""

from __future__ import annotations

from collections.abc import Iterable

from asmgen.passes.combine.copies import Copies, propagate_arguments
from asmgen.passes.schedule.modulo.blocks import renamed_block
from isa.instruction import Immediate
from isa.program import Block, Edge, Kernel
from isa.registers import Register

_Argument = Register | Immediate


def with_single_parameters(kernel: Kernel, copies: Copies) -> Kernel:
    """The kernel in which the first of some equal parameters takes the place of the others. Arguments that
    are copies are compared by their source."""
    edges: dict[str, list[tuple[_Argument, ...]]] = {}
    for block in kernel.blocks:
        for edge in block.linear:
            if len(edge.arguments) > 1:
                sources = tuple([_source(each, copies) for each in edge.arguments])
                edges.setdefault(edge.target, []).append(sources)
    instead: dict[int, Register] = {}
    for label, given in edges.items():
        instead |= _repeated(kernel.block(label).scalar_parameters, zip(*given, strict=True), kernel)
    if not instead:
        return kernel
    blocks = [renamed_block(kernel, block, instead) for block in propagate_arguments(kernel, copies).blocks]
    return kernel.with_blocks([_without(block, instead, kernel) for block in blocks])


def _source(argument: _Argument, copies: Copies) -> _Argument:
    return (isinstance(argument, Register) and copies.source(argument)) or argument


def _repeated(
    parameters: tuple[Register, ...], arguments: Iterable[tuple[_Argument, ...]], kernel: Kernel
) -> dict[int, Register]:
    """The earlier parameter to which a parameter is equal, by the first unit of the later parameter."""
    seen: dict[tuple[object, ...], Register] = {}
    instead: dict[int, Register] = {}
    for parameter, given in zip(parameters, arguments, strict=True):
        owner = kernel.owner(parameter)
        first = seen.setdefault((owner.register_class, owner.count, owner.align, given), parameter)
        if first is not parameter:
            instead[parameter.first] = first
    return instead


def _without(block: Block, instead: dict[int, Register], kernel: Kernel) -> Block:
    """The block without the parameters that have others in their place, and without their arguments."""
    return Block(
        block.label,
        tuple([each for each in block.scalar_parameters if each.first not in instead]),
        block.vector_parameters,
        block.instructions,
        block.terminator,
        tuple([_kept(edge, kernel.block(edge.target).scalar_parameters, instead) for edge in block.linear]),
        block.logical,
    )


def _kept(edge: Edge, parameters: tuple[Register, ...], instead: dict[int, Register]) -> Edge:
    kept = [each for each, to in zip(edge.arguments, parameters, strict=True) if to.first not in instead]
    return Edge(edge.target, tuple(kept))
