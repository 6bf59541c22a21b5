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

A value that is loaded for the next trip has no such chain:

    loop(%now):  %a = cvt %now
                 %at = add %base, %offset
                 %next = load %at
                 ... loop(%next)

%at may take the register of %now, since %now is dead. A copy of %next at the end of the trip would wait for
the load, so the register is promised to %next as soon as %now has it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set

from isa.instruction import Instr, Trait
from isa.named_tuple import NamedTuple
from isa.program import Block, Edge, Kernel, VirtualRegister
from isa.registers import FIRST_VIRTUAL, Register
from regalloc.cfg import ControlFlow
from regalloc.slots import unit_class

_Source = tuple[int, Instr, Register]

MOST_STEPS = 256  # values to look at for a parameter; a longer chain gets no pairs


def carried_pairs(kernel: Kernel, flow: ControlFlow) -> Iterator[tuple[int, int]]:
    """(unit of a loop's parameter, unit of a value of its class on the way around the loop), along both kinds
    of edge."""
    loops = [*flow.linear.loops, *flow.logical.loops]
    sources = _sources(kernel, {number for loop in loops for number in loop.blocks})
    for graph, of_vectors in ((flow.linear, False), (flow.logical, True)):
        for loop in graph.loops:
            ways = _Ways(sources, frozenset(loop.blocks))
            header = kernel.blocks[loop.header]
            parameters = header.vector_parameters if of_vectors else header.scalar_parameters
            for latch in loop.latches:
                edge = _edge(kernel.blocks[latch], header.label, of_vectors)
                for begin, unit in _around(parameters, edge, ways):
                    if unit_class(kernel, begin) is unit_class(kernel, unit):
                        yield begin, unit


class CarriedLoad(NamedTuple):
    """A virtual register that loads fill for the next trip of a loop, and the units of parameters that its
    units become, in its order. The parameters may be parts of a tuple."""

    owner: VirtualRegister
    units: tuple[int, ...]


def carried_loads(kernel: Kernel, flow: ControlFlow) -> dict[int, list[CarriedLoad]]:
    """The carried loads of each loop, by the number of its header."""
    carried: dict[int, list[CarriedLoad]] = {}
    for loop in flow.logical.loops:
        header = kernel.blocks[loop.header]
        loaded = _loaded(kernel, loop.blocks) if header.vector_parameters else ()
        if not loaded:
            continue
        for latch in loop.latches:
            edge = _edge(kernel.blocks[latch], header.label, True)
            becomes = {
                unit: into
                for parameter, argument in zip(header.vector_parameters, edge.arguments, strict=True)
                if isinstance(argument, Register)
                for into, unit in zip(parameter.units, argument.units, strict=True)
                if unit in loaded and unit_class(kernel, into) is unit_class(kernel, unit)
            }
            owners = dict.fromkeys(kernel.owners[unit - FIRST_VIRTUAL].first for unit in becomes)
            for owner in [kernel.owners[first - FIRST_VIRTUAL] for first in owners]:
                units = tuple([becomes[unit] for unit in owner.register.units if unit in becomes])
                if len(units) == owner.count:
                    carried.setdefault(loop.header, []).append(CarriedLoad(owner, units))
    return carried


def _loaded(kernel: Kernel, blocks: tuple[int, ...]) -> set[int]:
    """The virtual units that loads of some blocks define."""
    return {
        unit
        for number in blocks
        for instr in kernel.blocks[number].instructions
        if Trait.LOAD in instr.row.traits
        for register in instr.defined()
        if register.is_virtual
        for unit in register.units
    }


def _edge(block: Block, target: str, of_vectors: bool) -> Edge:
    return next(edge for edge in (block.logical if of_vectors else block.linear) if edge.target == target)


def _around(parameters: tuple[Register, ...], edge: Edge, ways: _Ways) -> Iterator[tuple[int, int]]:
    for parameter, argument in zip(parameters, edge.arguments, strict=True):
        if isinstance(argument, Register):
            for begin, end in zip(parameter.units, argument.units, strict=True):
                yield from ((begin, unit) for unit in ways.between(begin, end))


def _sources(kernel: Kernel, blocks: Iterable[int]) -> dict[int, _Source]:
    """For every virtual unit that an instruction of the blocks defines, the block, the instruction and its
    result."""
    return {
        unit: (number, instr, result)
        for number in blocks
        for instr in kernel.blocks[number].instructions
        for result in instr.defined()
        if result.is_virtual
        for unit in result.units
    }


class _Ways:
    """The chains between values of the blocks of a loop. The operands of each value are looked up once."""

    def __init__(self, sources: Mapping[int, _Source], blocks: Set[int]) -> None:
        self._sources = sources
        self._blocks = blocks
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
        if source is None or source[0] not in self._blocks:
            return ()
        _, instr, result = source
        place = unit - result.first
        operands, count = instr.operands, result.count
        used = [operand for i in instr.row.uses if isinstance(operand := operands[i], Register)]
        return tuple([one.first + place for one in used if one.count == count and one.first >= FIRST_VIRTUAL])


def _chain(unit: int, end: int, came_from: Mapping[int, int]) -> list[int]:
    chain: list[int] = []
    while unit != end:
        chain.append(unit)
        unit = came_from[unit]
    return chain
