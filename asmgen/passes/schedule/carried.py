"""Loads for the next trip of a loop, in the registers of the parameters that they become.

    loop(%now):  %next = load; %a = cvt %now; loop(%next)     %now is live after the load, so %next is copied
    loop(%now):  %a = cvt %now; %next = load; loop(%next)     the load fills the register of %now

A copy of a loaded value waits for the load in the trip that issues it. So if the readers of the parameter
need nothing that the trip itself loads, they come before the load. Readers that wait for other loads or for a
barrier, and matrix instructions, would keep the load back for most of a trip: the value is then copied.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from heapq import heapify, heappop, heappush

from asmgen.passes.clauses import is_global_load
from asmgen.passes.dependence import Dependence, Dependences, Graph
from isa.instruction import Instr, Operand, Trait, Unit
from isa.program import Block, Edge, Kernel
from isa.registers import Register

Readers = Mapping[int, frozenset[int]]  # the instructions that a load comes after, by the load
_WAITS = (Trait.LOAD, Trait.ATOMIC, Trait.BARRIER)


def before_carried_loads(kernel: Kernel) -> Kernel:
    """The kernel with the readers of a loop's parameters before the loads that become these parameters."""
    blocks, dependences = list(kernel.blocks), Dependences(kernel)
    for number, block in enumerate(blocks):
        if not any(is_global_load(instr) for instr in block.instructions):
            continue
        graph = dependences.of_block(number)
        readers = carried_readers(kernel, number, graph)
        if any(reader > load for load, found in readers.items() for reader in found):
            order = _ordered(ordered_after(graph, readers), readers)
            blocks[number] = block.with_instructions([block.instructions[at] for at in order])
    return kernel if blocks == kernel.blocks else kernel.with_blocks(blocks)


def ordered_after(graph: Graph, readers: Readers) -> Graph:
    """The graph in which the readers of a parameter come before the load that becomes it."""
    if not readers:
        return graph
    before = list(graph.before)
    for load, found in readers.items():
        before[load] = dict.fromkeys(found, Dependence.ANTI) | before[load]
    return Graph(graph.instructions, before)


def carried_readers(kernel: Kernel, number: int, graph: Graph) -> Readers:
    """For each load of a block that becomes a parameter of a loop around it, the parameter's readers there,
    if they can come before the load."""
    block = kernel.blocks[number]
    loads = [
        (place, instr.operands[at])
        for place, instr in enumerate(block.instructions)
        if is_global_load(instr)
        for at in instr.row.defines
    ]
    found: dict[int, frozenset[int]] = {}
    for parameter, argument in _carried(kernel, block) if loads else ():
        for load, result in loads:
            part = _part(parameter, argument, result)
            if part is None or _is_read_elsewhere(kernel, block, part):
                continue
            readers = [place for place, instr in enumerate(block.instructions) if _reads(instr, part)]
            if readers and not any(_waits(graph, reader) for reader in readers):
                found[load] = frozenset(readers)
    return found


def _part(parameter: Register, argument: Register, result: Operand) -> set[int] | None:
    """The units of a parameter that a result becomes, which is the argument or a part of it."""
    if not isinstance(result, Register):
        return None
    first = result.first - argument.first
    if first < 0 or first + result.count > argument.count:
        return None
    return set(parameter.part(first, result.count).units)


def _carried(kernel: Kernel, block: Block) -> Iterator[tuple[Register, Register]]:
    """The parameters that the block's next trip takes, each with its argument: by an edge of its own, or of
    an empty block after it."""
    for edge in block.logical:
        target = kernel.block(edge.target)
        yield from _pairs(target, edge)
        if not target.instructions and not target.vector_parameters and target.terminator is None:
            for after in target.logical:
                yield from _pairs(kernel.block(after.target), after)


def _pairs(target: Block, edge: Edge) -> Iterator[tuple[Register, Register]]:
    for parameter, argument in zip(target.vector_parameters, edge.arguments, strict=True):
        if isinstance(argument, Register) and argument.count == parameter.count:
            yield parameter, argument


def _is_read_elsewhere(kernel: Kernel, block: Block, units: set[int]) -> bool:
    """Whether another block or an edge reads some units."""
    for other in kernel.blocks:
        if any(
            isinstance(argument, Register) and not units.isdisjoint(argument.units)
            for edge in (*other.linear, *other.logical)
            for argument in edge.arguments
        ):
            return True
        if other is not block and any(_reads(instr, units) for instr in other.code):
            return True
    return False


def _reads(instr: Instr, units: set[int]) -> bool:
    operands = [instr.operands[at] for at in instr.row.uses]
    return any(isinstance(one, Register) and not units.isdisjoint(one.units) for one in operands)


def _waits(graph: Graph, reader: int) -> bool:
    """Whether an instruction is of the matrix unit, or needs a load, a barrier or one that is."""
    pending, seen = [reader], {reader}
    while pending:
        number = pending.pop()
        row = graph.instructions[number].row
        if row.unit is Unit.MATRIX or not row.traits.isdisjoint(_WAITS):
            return True
        later = [before for before in graph.before[number] if before not in seen]
        seen.update(later)
        pending += later
    return False


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
