"""Dominators, back edges and natural loops of both graphs."""

from __future__ import annotations

from random import Random

import pytest

from isa.diagnostics import InternalError
from isa.program import Block, Edge, Kernel
from isa.targets import parse_target
from regalloc.cfg import FlowGraph, Loop, build_control_flow


def test_order_puts_dominators_first() -> None:
    graph = FlowGraph([(2, 1), (3,), (3,), (0, 4), ()])
    rank = {block: i for i, block in enumerate(graph.order)}
    assert graph.order[0] == 0
    assert rank[3] > max(rank[1], rank[2])
    assert rank[4] > rank[3]


def test_dominators_of_a_diamond() -> None:
    graph = FlowGraph([(1, 2), (3,), (3,), ()])
    assert graph.immediate_dominators == {1: 0, 2: 0, 3: 0}
    assert graph.dominates(0, 3)
    assert graph.dominates(3, 3)
    assert not graph.dominates(1, 3)


def test_dominators_of_a_cycle_with_two_entries() -> None:
    """The graph of figure 4 in Cooper, Harvey and Kennedy's paper, which takes several rounds."""
    graph = FlowGraph([(1, 2), (3,), (4, 5), (4,), (3, 5), (4,)])
    assert graph.immediate_dominators == {1: 0, 2: 0, 3: 0, 4: 0, 5: 0}


def test_dominators_are_what_removing_a_block_cuts_off() -> None:
    """Random graphs, against the definition: a block dominates the blocks that the entry does not reach
    without it."""
    draw = Random(7)
    for _ in range(60):
        count = draw.randint(1, 9)
        edges = [tuple(sorted(draw.sample(range(count), draw.randint(0, min(2, count))))) for _ in range(count)]
        graph = FlowGraph(edges)
        for above in graph.order:
            without = set(FlowGraph([tuple(to for to in edges[block] if to != above) for block in range(count)]).order)
            for below in graph.order:
                assert graph.dominates(above, below) == (above == below or above == 0 or below not in without), (edges, above, below)


def test_nested_loops() -> None:
    graph = FlowGraph([(1,), (2, 5), (3,), (2, 4), (1,), ()])
    assert graph.back_edges == [(3, 2), (4, 1)]
    assert graph.loops == [Loop(1, (4,), (1, 2, 3, 4)), Loop(2, (3,), (2, 3))]


def test_a_block_that_jumps_to_itself_is_a_loop() -> None:
    assert FlowGraph([(1,), (1, 2), ()]).loops == [Loop(1, (1,), (1,))]


def test_an_irreducible_cycle_has_no_natural_loop() -> None:
    assert FlowGraph([(1, 2), (2,), (1, 3), ()]).loops == []


def test_unreachable_blocks_are_left_out() -> None:
    graph = FlowGraph([(2,), (2,), ()])
    assert graph.order == [0, 2]
    assert 1 not in graph.reachable


@pytest.mark.parametrize(
    ("blocks", "message"),
    [
        ([], "no block"),
        ([Block("a"), Block("a")], "two blocks have this label"),
        ([Block("a", linear=(Edge("b"),))], "leads to b"),
    ],
)
def test_broken_graphs(blocks: list[Block], message: str) -> None:
    with pytest.raises(InternalError, match=message):
        build_control_flow(Kernel("k", parse_target("gfx942"), blocks=blocks))
