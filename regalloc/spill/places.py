"""Which values may have one place in memory: a block parameter and its arguments, where none is needed while
another is written.

A loop that carries a spilled sum then stores the new sum where the old one was, and its back edge moves
nothing.
"""

from __future__ import annotations

from isa.instruction import Immediate
from isa.program import Block, Edge
from isa.registers import Register
from regalloc.intervals import overlap
from regalloc.spill.facts import SpillFacts


def shared_places(facts: SpillFacts) -> dict[int, int]:
    """For the units of parameters and arguments the unit that names their place; others have their own."""
    chosen: dict[int, int] = {}
    members: dict[int, list[int]] = {}
    segments = facts.intervals.segments
    for parameter, argument in parameter_arguments(facts):
        for one, other in zip(parameter.units, argument.units, strict=True):
            mine, theirs = chosen.get(one, one), chosen.get(other, other)
            if mine == theirs:
                continue
            first, second = members.get(mine, [mine]), members.get(theirs, [theirs])
            if any(overlap(segments.get(a, []), segments.get(b, [])) for a in first for b in second):
                continue
            members[mine] = [*first, *second]
            chosen.update((unit, mine) for unit in members[mine])
    return chosen


def parameter_arguments(facts: SpillFacts) -> list[tuple[Register, Register]]:
    """Every parameter of the file with each of its arguments that is a virtual register of the file."""
    blocks = {block.label: block for block in facts.kernel.blocks}
    return [
        (parameter, argument)
        for block in facts.kernel.blocks
        for edge in file_edges(block, facts)
        for parameter, argument in zip(
            file_parameters(blocks[edge.target], facts, whole=True), edge.arguments, strict=True
        )
        if not isinstance(argument, Immediate) and facts.holds(argument) and facts.holds(parameter)
    ]


def file_edges(block: Block, facts: SpillFacts) -> tuple[Edge, ...]:
    """The edges along which the file's values live."""
    return block.logical if facts.is_vector else block.linear


def file_parameters(block: Block, facts: SpillFacts, whole: bool = False) -> tuple[Register, ...]:
    """The parameters of a block that are of the file; with `whole` all that its edges have arguments for."""
    parameters = block.vector_parameters if facts.is_vector else block.scalar_parameters
    return parameters if whole else tuple(one for one in parameters if facts.holds(one))
