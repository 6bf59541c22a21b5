"""Branches and the order of blocks: jumps go directly to their final targets, empty blocks go away, the
likelier way falls through, loops test at their end.

Runs after allocation, when edges carry no arguments. The emitter writes `s_branch` if the successor of a
block is not the next block, so only the order of blocks and the sense of conditions matter here.

A loop that tests in its header takes two branches a trip, the branch out of the loop and the jump back:

    loop:  s_cmp_lt_u32 s1, s2                  loop:  s_cmp_lt_u32 s1, s2
           s_cbranch_scc0 done                         s_cbranch_scc0 done
    body:  ...                          is      body:  ...
           s_branch loop                               s_cmp_lt_u32 s1, s2
    done:                                              s_cbranch_scc1 body
                                                done:

A copy of the header replaces the jump to it, and the header itself remains as the guard before the first
trip.
"""

from __future__ import annotations

from collections.abc import Mapping

from isa.instruction import Instr, Label
from isa.program import Block, Edge, Kernel
from isa.table import Table


def arrange(kernel: Kernel) -> Kernel:
    """A kernel without empty or unreachable blocks and without branches that a fall-through spares."""
    if len(kernel.blocks) < 2:
        return kernel
    targets = _final_targets(kernel)
    blocks = [_retargeted(block, targets) for block in kernel.blocks]
    blocks = _merged(with_rotated_loops(_reachable(blocks)))
    numbers = {block.label: number for number, block in enumerate(blocks)}
    return kernel.with_blocks([_with_condition(block, numbers, kernel.table) for block in blocks])


def _is_empty(block: Block) -> bool:
    return not block.instructions and block.terminator is None and len(block.linear) == 1


def _final_targets(kernel: Kernel) -> dict[str, str]:
    """The final target of a jump to each block, past all empty blocks. The entry and empty loops stay."""
    following = {block.label: block.linear[0].target for block in kernel.blocks[1:] if _is_empty(block)}
    final: dict[str, str] = {}
    for block in kernel.blocks:
        label, seen = block.label, {block.label}
        while label in following and following[label] not in seen:
            label = following[label]
            seen.add(label)
        final[block.label] = label
    return final


def _retargeted(block: Block, targets: dict[str, str]) -> Block:
    linear = tuple(Edge(targets[edge.target], edge.arguments) for edge in block.linear)
    logical = tuple(dict.fromkeys(Edge(targets[edge.target], edge.arguments) for edge in block.logical))
    terminator = block.terminator
    if len(linear) == 2 and linear[0] == linear[1]:
        linear, terminator = linear[:1], None
    elif terminator is not None and linear:
        terminator = _to(terminator, linear[0].target)
    return Block(
        block.label,
        block.scalar_parameters,
        block.vector_parameters,
        block.instructions,
        terminator,
        linear,
        logical,
    )


def _to(branch: Instr, label: str) -> Instr:
    operands = tuple(Label(label) if isinstance(operand, Label) else operand for operand in branch.operands)
    return branch.as_row(branch.row, operands, branch.modifiers)


def _reachable(blocks: list[Block]) -> list[Block]:
    by_label = {block.label: block for block in blocks}
    seen = {blocks[0].label}
    stack = [blocks[0]]
    while stack:
        for edge in stack.pop().linear:
            if edge.target not in seen:
                seen.add(edge.target)
                stack.append(by_label[edge.target])
    return [block for block in blocks if block.label in seen]


def _merged(blocks: list[Block]) -> list[Block]:
    """A block that only ever follows its predecessor becomes part of it."""
    entered: dict[str, int] = {}
    for block in blocks:
        for edge in block.linear:
            entered[edge.target] = entered.get(edge.target, 0) + 1
    result = [blocks[0]]
    for block in blocks[1:]:
        before = result[-1]
        follows = (
            before.terminator is None and len(before.linear) == 1 and before.linear[0].target == block.label
        )
        if follows and entered[block.label] == 1:
            code = [*before.instructions, *block.instructions]
            result[-1] = Block(
                before.label,
                before.scalar_parameters,
                before.vector_parameters,
                code,
                block.terminator,
                block.linear,
                block.logical,
            )
        else:
            result.append(block)
    kept = {block.label for block in result}
    return (
        result
        if all(edge.target in kept for block in result for edge in block.logical)
        else [_linear_only(block, kept) for block in result]
    )


def _linear_only(block: Block, kept: set[str]) -> Block:
    """Logical edges to a block that was merged into its linear predecessor have no meaning after
    allocation."""
    logical = tuple(edge for edge in block.logical if edge.target in kept)
    return Block(
        block.label,
        block.scalar_parameters,
        block.vector_parameters,
        block.instructions,
        block.terminator,
        block.linear,
        logical,
    )


def _with_condition(block: Block, numbers: Mapping[str, int], table: Table) -> Block:
    """Invert the condition if the taken side is the next block, so that the other side needs no branch of its
    own. If neither side is, invert it if only the other side leads back: a loop then takes a branch a trip,
    and another after its last trip. `numbers` are those of the blocks in their order."""
    if block.terminator is None or len(block.linear) != 2:
        return block
    own, (taken, other) = numbers[block.label], [numbers[edge.target] for edge in block.linear]
    if taken != own + 1 and not other <= own < taken:
        return block
    opposite = block.terminator.row.opposite
    if not opposite:
        return block
    first, second = block.linear
    branch = _to(block.terminator, second.target)
    turned = branch.as_row(table.spelt(opposite), branch.operands, branch.modifiers)
    return Block(
        block.label,
        block.scalar_parameters,
        block.vector_parameters,
        block.instructions,
        turned,
        (second, first),
        block.logical,
    )


MOST_TEST = 8  # instructions of a header: copying a longer header costs more space than the jump costs time


def with_rotated_loops(blocks: list[Block]) -> list[Block]:
    """The blocks, in layout order, with the tests of loops in place of the jumps to them."""
    number = {block.label: i for i, block in enumerate(blocks)}

    def with_test(position: int, block: Block) -> Block:
        if (
            block.terminator is not None
            or len(block.linear) != 1
            or number[block.linear[0].target] > position
        ):
            return block
        header = blocks[number[block.linear[0].target]]
        if header.terminator is None or len(header.linear) != 2 or len(header.instructions) > MOST_TEST:
            return block
        code = [*block.instructions, *header.instructions]
        return Block(
            block.label,
            block.scalar_parameters,
            block.vector_parameters,
            code,
            header.terminator,
            header.linear,
            header.logical,
        )

    return [with_test(position, block) for position, block in enumerate(blocks)]
