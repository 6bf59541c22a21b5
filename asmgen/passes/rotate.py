"""Loops with their test at the end: one branch a trip.

A loop that tests in its header takes two branches a trip, the one out of it and the jump back:

    loop:  s_cmp_lt_u32 s1, s2                  loop:  s_cmp_lt_u32 s1, s2
           s_cbranch_scc0 done                         s_cbranch_scc0 done
    body:  ...                          is      body:  ...
           s_branch loop                               s_cmp_lt_u32 s1, s2
    done:                                              s_cbranch_scc1 body
                                                done:

The header's code is put in place of the jump to it, and what is left of the header is the guard before the
first trip. Runs after allocation, when edges carry no arguments and a copy of a block does what the block
does.
"""

from __future__ import annotations

from isa.program import Block

MOST_TEST = 8  # instructions of a header: the copy of a longer one costs more room than the jump costs time


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
