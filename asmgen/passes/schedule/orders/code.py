"""Loops of workgroups that have a unit alone, in their proven orders (`modulo/alone`).

Such an order orders the instructions of a trip. It is from the table, or from a search.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from asmgen.passes.dependence.carried import back_edges
from asmgen.passes.schedule.modulo.alone import is_alone, whole_problem
from asmgen.passes.schedule.modulo.exact import with_branch
from asmgen.passes.schedule.modulo.order import LoopOrder
from asmgen.passes.schedule.modulo.problem import LoopProblem, problems_of
from asmgen.passes.schedule.modulo.values import LoopValue, loop_values
from asmgen.passes.schedule.orders import order_within_a_trip
from isa.named_tuple import NamedTuple
from isa.program import Block, Kernel
from regalloc.liveness import LivenessOf

FindOrder = Callable[[LoopProblem, Sequence[LoopValue], str], LoopOrder | None]


class Ordered(NamedTuple):
    """A kernel, and its blocks in a proven order, by label."""

    kernel: Kernel
    labels: frozenset[str]


def in_proven_orders(
    kernel: Kernel, liveness_of: LivenessOf, find: FindOrder = order_within_a_trip
) -> Ordered:
    """The kernel with loops in the order that `find` has for them."""
    blocks, labels = list(kernel.blocks), set[str]()
    for number, block in enumerate(kernel.blocks):
        if back_edges(kernel, block) is None or not is_alone(kernel, block.code):
            continue
        (problem,) = problems_of(kernel, [number])
        whole = whole_problem(problem, kernel)
        if whole is problem:
            continue
        values = loop_values(kernel, block.label, liveness_of(kernel))
        order = find(with_branch(whole), values, kernel.target.target.name)
        if order is not None:
            blocks[number] = _in_order(block, order)
            labels.add(block.label)
    return Ordered(kernel.with_blocks(blocks) if labels else kernel, frozenset(labels))


def _in_order(block: Block, order: LoopOrder) -> Block:
    numbers = sorted(range(len(block.instructions)), key=order.start.__getitem__)
    return block.with_instructions([block.instructions[number] for number in numbers])
