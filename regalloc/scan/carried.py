"""The chain of values from a loop's parameter to the argument of the back edge.

A loop that sums rows has the sum as a parameter, adds to it in several steps, and passes the last step's
result to the next trip:

    loop(%sum):  %a = add %sum, %x
                 %b = add %a, %y
                 ... loop(%b)

If every step takes the register of the previous step, the back edge needs no copy. The scan meets %a first
and does not know the edge yet; the pair (%sum, %a) tells it. The parts of a tuple are followed separately: a
tuple that is filled part by part would otherwise take the lowest free registers, and overwrite parts of the
parameter that are still to be read.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from isa.instruction import Instr
from isa.program import Block, Edge, Kernel
from isa.registers import FIRST_VIRTUAL, Register
from regalloc.cfg import ControlFlow
from regalloc.slots import unit_class

MOST_STEPS = 256  # values to look at for a parameter; a longer chain gets no pairs


def carried_pairs(kernel: Kernel, flow: ControlFlow) -> Iterator[tuple[int, int]]:
    """(unit of a loop's parameter, unit of a value of its class on the way around the loop), along both kinds
    of edge."""
    for graph, of_vectors in ((flow.linear, False), (flow.logical, True)):
        for loop in graph.loops:
            ways = _Ways(_sources(kernel, loop.blocks))
            header = kernel.blocks[loop.header]
            parameters = header.vector_parameters if of_vectors else header.scalar_parameters
            for latch in loop.latches:
                edge = _edge(kernel.blocks[latch], header.label, of_vectors)
                for begin, unit in _around(parameters, edge, ways):
                    if unit_class(kernel, begin) is unit_class(kernel, unit):
                        yield begin, unit


def _edge(block: Block, target: str, of_vectors: bool) -> Edge:
    return next(edge for edge in (block.logical if of_vectors else block.linear) if edge.target == target)


def _around(parameters: tuple[Register, ...], edge: Edge, ways: _Ways) -> Iterator[tuple[int, int]]:
    for parameter, argument in zip(parameters, edge.arguments, strict=True):
        if isinstance(argument, Register):
            for begin, end in zip(parameter.units, argument.units, strict=True):
                yield from ((begin, unit) for unit in ways.between(begin, end))


def _sources(kernel: Kernel, blocks: tuple[int, ...]) -> dict[int, tuple[Instr, Register]]:
    """For every virtual unit that an instruction of the blocks defines, the instruction and its result."""
    return {
        unit: (instr, result)
        for number in blocks
        for instr in kernel.blocks[number].instructions
        for result in instr.defined()
        if result.is_virtual
        for unit in result.units
    }


class _Ways:
    """The chains between values of a loop. The operands of each value are looked up once."""

    def __init__(self, sources: Mapping[int, tuple[Instr, Register]]) -> None:
        self._sources = sources
        self._reads: dict[int, tuple[int, ...]] = {}

    def between(self, begin: int, end: int) -> list[int]:
        """The units between `begin`, a unit of a parameter, and `end`, which is computed from it; empty if
        there is no chain."""
        came_from: dict[int, int] = {end: end}
        waiting = [end]
        reads = self._reads
        while waiting and len(came_from) < MOST_STEPS:
            unit = waiting.pop()
            read = reads.get(unit)
            if read is None:
                read = reads[unit] = self._read_for(unit)
            for source in read:
                if source == begin:
                    return _chain(unit, end, came_from)
                if source not in came_from:
                    came_from[source] = unit
                    waiting.append(source)
        return []

    def _read_for(self, unit: int) -> tuple[int, ...]:
        """The units from which an instruction computes a unit in the same place of registers of the same
        size."""
        source = self._sources.get(unit)
        if source is None:
            return ()
        instr, result = source
        place = unit - result.first
        return tuple(
            register.first + place
            for register in instr.used()
            if register.count == result.count and register.first >= FIRST_VIRTUAL
        )


def _chain(unit: int, end: int, came_from: Mapping[int, int]) -> list[int]:
    chain: list[int] = []
    while unit != end:
        chain.append(unit)
        unit = came_from[unit]
    return chain
