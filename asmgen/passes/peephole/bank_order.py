"""An order of the vector instructions of loops in which few wait for banks of vector registers.

Two instructions read their registers at a time. They share the read of a register that both need, and do not
read a second source again that the instruction before the last had too (`isa.timing.collectors`). So the
order decides how long products with common factors read. The pass takes next what executes first, of the
instructions that the dependence graph allows.

Runs on physical registers, after `pair`. Instructions move only among neighbours that are vector instructions
too, so each keeps its place among waits and accesses. Registers and the number of instructions stay.
"""

from __future__ import annotations

from asmgen.passes.dependence import Dependences, Graph
from isa.instruction import Unit
from isa.program import Block, Kernel
from isa.target import Target
from isa.timing.machine import MACHINES
from regalloc.cfg import build_control_flow

LEAST = 32  # vector instructions of a block: in a shorter block the waits for results cover the reads


def order_by_banks(kernel: Kernel) -> Kernel:
    """An equivalent kernel with fewer waits for banks; the kernel itself if reads take no time on the
    target."""
    target = kernel.target.target
    if not MACHINES[target.name].banks.clocks:
        return kernel
    long = [number for number, block in enumerate(kernel.blocks) if _is_long(block)]
    depths = build_control_flow(kernel).logical.depths if long else ()
    inner = [number for number in long if depths[number]]
    if not inner:
        return kernel
    dependences = Dependences(kernel)
    blocks = list(kernel.blocks)
    for number in inner:
        blocks[number] = _ordered(blocks[number], dependences.of_block(number), target)
    return kernel.with_blocks(blocks)


def _is_long(block: Block) -> bool:
    return sum(instr.row.unit is Unit.VALU for instr in block.instructions) >= LEAST


def _ordered(block: Block, graph: Graph, target: Target) -> Block:
    from asmgen.passes.peephole.lone_wave import order_of

    order = order_of(graph, target)
    return (
        block if order is None else block.with_instructions([graph.instructions[number] for number in order])
    )
