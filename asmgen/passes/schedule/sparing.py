"""Orders that save registers and copies.

`spare_registers` is for kernels that find no registers otherwise. Selection puts the loads of a block first,
and the scheduler keeps them early. If there are too few registers for that, each load moves next to its
reader. That costs waiting, but less than spilling to memory.

`sparing_orders` saves copies in any order. An instruction with a tied operand overwrites its source, as an
accumulation does; a later reader of the source makes a copy necessary. So does a value that returns to a
loop's head while its parameter is still read:

    loop(%i):  v_lshlrev_b32 %at, 2, %i      before
               s_add_u32 %next, %i, 1        since %next and %i should share a register
               -> loop(%next)
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterator, Mapping, Sequence

from asmgen.passes.dependence import Dependences
from asmgen.passes.schedule.pressure import VECTOR, BlockPressure, pressure_of
from isa.instruction import Instr
from isa.program import Block, Edge, Kernel
from isa.registers import Register, RegisterClass
from regalloc.liveness import LivenessOf, Pressure, compute_liveness


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
    edges = [(_passing(kernel, edge, is_scalar=True), True) for edge in block.linear]
    edges += [(_passing(kernel, edge, is_scalar=False), False) for edge in block.logical]
    if not any(edge.arguments for edge, _ in edges):
        return
    defined: dict[int, int] = {}
    for number, instr in enumerate(code):
        for i in instr.row.defines:
            operand = instr.operands[i]
            if isinstance(operand, Register) and operand.is_virtual:
                for unit in operand.units:
                    defined[unit] = number
    for edge, is_scalar in edges:
        if not edge.arguments:
            continue
        target = kernel.block(edge.target)
        parameters = target.scalar_parameters if is_scalar else target.vector_parameters
        for argument, parameter in zip(edge.arguments, parameters, strict=True):
            if isinstance(argument, Register) and argument.first in defined:
                yield parameter, defined[argument.first]


def _passing(kernel: Kernel, edge: Edge, is_scalar: bool) -> Edge:
    """The edge that passes values to a block with parameters: itself, or that of an empty block between."""
    between = kernel.block(edge.target)
    if edge.arguments or between.instructions or between.terminator is not None:
        return edge
    after = between.linear if is_scalar else between.logical
    return after[0] if after and not (between.scalar_parameters or between.vector_parameters) else edge


# half and double change none of 97 programs on gfx942 (`tools.judge_choices --neighbours`)
TRIES = 64  # instructions that are looked at for each place


def spare_registers(kernel: Kernel, max_vgprs: int, liveness_of: LivenessOf = compute_liveness) -> Kernel:
    """An equivalent kernel in SSA: blocks with more than `max_vgprs` live vector registers get an order with
    fewer, if any."""
    liveness = liveness_of(kernel)
    dependences = Dependences(kernel)
    blocks = list(kernel.blocks)
    for number, block in enumerate(blocks):
        if vectors(liveness.block_pressure(number)) <= max_vgprs:
            continue
        pressure = pressure_of(kernel, liveness, number)
        most = pressure.most(range(len(block.instructions)))[VECTOR]
        if most <= max_vgprs:
            continue
        graph = dependences.of_block(number)
        before = [set(earlier) for earlier in graph.before]
        for earlier, later in sparing_orders(kernel, block, block.instructions):
            before[later].add(earlier)
        order = _end_by_end(before)
        least = pressure.most(order)[VECTOR]
        if least > max_vgprs:
            order = min(order, _order(before, pressure), key=lambda order: pressure.most(order)[VECTOR])
            least = pressure.most(order)[VECTOR]
        if least < most:
            blocks[number] = block.with_instructions([block.instructions[position] for position in order])
    is_other = any(position is not other for position, other in zip(blocks, kernel.blocks, strict=True))
    return kernel.with_blocks(blocks) if is_other else kernel


def vectors(pressure: Mapping[RegisterClass, Pressure]) -> int:
    """No fewer vector registers than are live at once."""
    return sum(pressure[file].units for file in (RegisterClass.VGPR, RegisterClass.AV) if file in pressure)


def _order(before: list[set[int]], pressure: BlockPressure) -> list[int]:
    """Repeatedly the candidate that raises the pressure least, the earliest in a tie. Instructions that raise
    the pressure then wait until their results are needed."""
    after: list[list[int]] = [[] for _ in before]
    for number, earlier in enumerate(before):
        for before_it in earlier:
            after[before_it].append(number)
    missing = [len(earlier) for earlier in before]
    ready = [number for number, count in enumerate(missing) if not count]
    walk = pressure.walk()
    order: list[int] = []
    waiting: set[int] = set()
    while ready:
        growth, chosen = min((walk.grows(number)[VECTOR], number) for number in ready[:TRIES])
        if growth > 0 and after[chosen]:
            waiting.add(chosen)
        ready.remove(chosen)
        order.append(chosen)
        _ = walk.take(chosen)
        for later in after[chosen]:
            missing[later] -= 1
            if not missing[later]:
                insort(ready, later)
    return _delayed(order, before, waiting)


def _end_by_end(before: list[set[int]]) -> list[int]:
    """Order the block depth-first from its sinks (stores and branches), so the elements of a lane come in
    turn. A store that has to come after an earlier store waits for it before its own operands."""
    needed = set[int]().union(*before)
    order: list[int] = []
    done: set[int] = set()
    for end in range(len(before)):
        pending = [] if end in needed else [end]
        while pending:
            missing = [number for number in before[pending[-1]] if number not in done]
            if missing:
                pending.append(max(missing))
                continue
            order.append(pending.pop())
            done.add(order[-1])
    return order


def _delayed(order: list[int], before: list[set[int]], waiting: set[int]) -> list[int]:
    """An order in which those that are waiting come right before the first that comes after them."""
    place = {number: position for position, number in enumerate(order)}
    ordered: list[int] = []
    for number in order:
        if number in waiting:
            continue
        pending = [number]
        while pending:
            missing = [number for number in before[pending[-1]] if number in waiting]
            if missing:
                pending.append(min(missing, key=lambda number: place[number]))
            else:
                ordered.append(pending.pop())
                waiting.discard(ordered[-1])
    return ordered
