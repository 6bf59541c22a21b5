"""Loads for the next trip of a loop, in the registers of the parameters that they become.

    loop(%now):  %next = load; %a = cvt %now; loop(%next)     %now is live after the load, so %next is copied
    loop(%now):  %a = cvt %now; %next = load; loop(%next)     the load fills the register of %now

A copy of a loaded value waits for the load in the trip that issues it. So if the readers of the parameter
need nothing that the trip itself loads, they come before the load, also behind the barrier with which a trip
begins. Readers that wait for other loads, and matrix instructions, would keep the load back for most of a
trip: the value is then copied.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from heapq import heapify, heappop, heappush
from typing import NamedTuple

from asmgen.passes.clauses import is_global_load
from asmgen.passes.dependence import Dependence, Dependences, Graph
from isa.instruction import Operand, Trait, Unit
from isa.program import Block, Edge, Kernel
from isa.registers import Register, units_of

Readers = Mapping[int, frozenset[int]]  # the instructions that a load comes after, by the load
_WAITS = (Trait.LOAD, Trait.ATOMIC)


class CarriedLoad(NamedTuple):
    """A load of a block, by its place there, and the units of a loop's parameter that its result becomes in
    the next trip."""

    place: int
    units: frozenset[int]


def before_carried_loads(kernel: Kernel) -> Kernel:
    """The kernel with the readers of a loop's parameters before the loads that become these parameters."""
    carried = carried_loads(kernel)
    if not carried:
        return kernel
    blocks, dependences, is_other = list(kernel.blocks), Dependences(kernel), False
    for number, loads in carried.items():
        graph = dependences.of_block(number)
        readers = carried_readers(graph, loads)
        if any(reader > load for load, found in readers.items() for reader in found):
            order = _ordered(ordered_after(graph, readers), readers)
            code = blocks[number].instructions
            blocks[number] = blocks[number].with_instructions([code[at] for at in order])
            is_other = True
    return kernel.with_blocks(blocks) if is_other else kernel


def carried_loads(kernel: Kernel) -> dict[int, list[CarriedLoad]]:
    """The loads of each block whose results a loop carries to its next trip, by the block's number, if no
    other block reads the parameters that they become."""
    headers = {block.label: block for block in kernel.blocks if block.vector_parameters}
    if not headers:
        return {}
    passed = {
        block.label: block for block in kernel.blocks if not block.instructions and not block.terminator
    }
    carried: dict[int, list[CarriedLoad]] = {}
    for number, block in enumerate(kernel.blocks):
        edges = [*block.logical, *(after for edge in block.logical for after in _edges(passed, edge))]
        into = [(headers[edge.target], edge) for edge in edges if edge.target in headers]
        found = list(_loads_of(block, into)) if into else []
        elsewhere = _read_elsewhere(kernel, block) if found else set[int]()
        found = [load for load in found if elsewhere.isdisjoint(load.units)]
        if found:
            carried[number] = found
    return carried


def _edges(passed: Mapping[str, Block], edge: Edge) -> tuple[Edge, ...]:
    """The edges of an empty block at the end of an edge."""
    target = passed.get(edge.target)
    return () if target is None or target.vector_parameters else target.logical


def _loads_of(block: Block, into: Sequence[tuple[Block, Edge]]) -> Iterator[CarriedLoad]:
    for place, instr in enumerate(block.instructions):
        if not is_global_load(instr):
            continue
        for result in instr.defined():
            for header, edge in into:
                for parameter, argument in zip(header.vector_parameters, edge.arguments, strict=True):
                    units = _part(parameter, argument, result)
                    if units:
                        yield CarriedLoad(place, units)


def _part(parameter: Register, argument: Operand, result: Register) -> frozenset[int]:
    """The units of a parameter that a result becomes, which is the argument or a part of it."""
    if not isinstance(argument, Register):
        return frozenset()
    first = result.first - argument.first
    if first < 0 or first + result.count > argument.count:
        return frozenset()
    return frozenset(parameter.part(first, result.count).units)


def ordered_after(graph: Graph, readers: Readers) -> Graph:
    """The graph in which the readers of a parameter come before the load that becomes it."""
    if not readers:
        return graph
    before = list(graph.before)
    for load, found in readers.items():
        before[load] = dict.fromkeys(found, Dependence.ANTI) | before[load]
    return Graph(graph.instructions, before)


def carried_readers(graph: Graph, loads: Sequence[CarriedLoad]) -> Readers:
    """For each load the readers of the parameter that it becomes, if they can come before the load."""
    waits, readers_of = _waits(graph), _readers(graph)
    readers: dict[int, frozenset[int]] = {}
    for place, units in loads:
        found = frozenset(reader for unit in units for reader in readers_of.get(unit, ()))
        if found and not any(waits[reader] for reader in found):
            readers[place] = found
    return readers


def _read_elsewhere(kernel: Kernel, block: Block) -> set[int]:
    """The units that other blocks or edges read."""
    units: set[int] = set()
    for other in kernel.blocks:
        for edge in (*other.linear, *other.logical):
            units |= units_of(argument for argument in edge.arguments if isinstance(argument, Register))
        if other is not block:
            for instr in other.code:
                units |= units_of(instr.used())
    return units


def _readers(graph: Graph) -> Mapping[int, Sequence[int]]:
    """The instructions that read each unit."""
    readers: dict[int, list[int]] = {}
    for place, instr in enumerate(graph.instructions):
        for unit in units_of(instr.used()):
            readers.setdefault(unit, []).append(place)
    return readers


def _waits(graph: Graph) -> Sequence[bool]:
    """For each instruction, whether it is of the matrix unit, or needs a load or an instruction that is."""
    waits: list[bool] = []
    for instr, before in zip(graph.instructions, graph.before, strict=True):
        row = instr.row
        is_slow = row.unit is Unit.MATRIX or not row.traits.isdisjoint(_WAITS)
        waits.append(is_slow or any(waits[number] for number in before))
    return waits


def _ordered(graph: Graph, readers: Readers) -> Sequence[int]:
    """The instructions in their order, but readers and what they need right before the first load that waits
    for them."""
    rank = list(range(len(graph.instructions)))
    for load in sorted(readers, reverse=True):
        pending = list(readers[load])
        while pending:
            number = pending.pop()
            if rank[number] > load:
                rank[number] = load
                pending += graph.before[number]
    left = [len(before) for before in graph.before]
    ready = [(rank[number], number) for number, count in enumerate(left) if not count]
    heapify(ready)
    order: list[int] = []
    while ready:
        _, number = heappop(ready)
        order.append(number)
        for later in graph.after[number]:
            left[later] -= 1
            if not left[later]:
                heappush(ready, (rank[later], later))
    return order
