"""Random graphs that move elements, on the emulator, compared with the float64 reference, with counts of
kernels."""

from __future__ import annotations

import numpy as np
import pytest

import asmgen
from asmgen.gentext.parser import parse
from asmgen.graph.ops import GRAPH_OPS
from asmgen.graph.reference import compare, evaluate
from tests.device import chosen_device
from tests.property.graphs import RandomGraph
from tests.property.moving_graphs import random_moving_graph
from tests.property.smallest import raise_smallest

TARGETS = ("gfx942", "gfx1100", "gfx90a", "gfx950", "gfx1201")
IN_EVERY_RUN, PER_TEST, ON_DEMAND = 50, 25, 5000


def check(graph: RandomGraph) -> None:
    """Every result is within its bounds. A graph without reductions is a single kernel, and each reduction,
    softmax or norm is at most one kernel more: their rows fit in registers.
    """
    target = TARGETS[graph.seed // 2 % len(TARGETS)]
    program = asmgen.compile(graph.text, target=target)
    parsed = parse(graph.text, "graph.gen")
    rows = [each for each in parsed.modules[0].statements if each.op.name in GRAPH_OPS and not (each.op.pointwise or each.op.name in MOVING)]
    assert len(program.kernels) <= 1 + len(rows), (graph.text, target)
    outputs = program(*graph.inputs, device=chosen_device())
    expected = evaluate(parsed, graph.inputs)
    for range_, output in zip(expected, outputs, strict=True):
        found = compare(range_, np.asarray(output))
        assert not found.is_broken, (graph.text, target, str(found))


MOVING = {name for name, op in GRAPH_OPS.items() if op.moves_elements or op.keeps_order} | {
    "multibroadcast", "broadcast", "contiguous", "iota",
}  # fmt: skip


@pytest.mark.parametrize("first", range(0, IN_EVERY_RUN, PER_TEST))
def test_moved_elements_are_where_they_belong(first: int) -> None:
    for seed in range(first, first + PER_TEST):
        raise_smallest(random_moving_graph(seed), check)


@pytest.mark.slow
@pytest.mark.parametrize("first", range(IN_EVERY_RUN, ON_DEMAND, PER_TEST))
def test_many_graphs_that_move_elements(first: int) -> None:
    for seed in range(first, first + PER_TEST):
        raise_smallest(random_moving_graph(seed), check)


def test_a_failure_is_shown_on_a_small_graph() -> None:
    """What fails is a division: it is found among other ops, and its operands are given."""

    def no_division(graph: RandomGraph) -> None:
        assert " div(" not in graph.text, "there is a division"

    text = """x = @param:x -> f32, {4}
y = @param:y -> f32, {4}
unused = @param:unused -> f32, {4}
a = exp(x)
b = add(a, y)
c = div(b, a)
d = neg(c)
@return(d, unused)
"""
    ones = np.ones(4, np.float32)
    with pytest.raises(AssertionError) as error:
        raise_smallest(RandomGraph(7, text, [ones, ones, ones]), no_division)
    (note,) = error.value.__notes__
    assert note.count("\n") == 7 and "c = div(b, a)" in note and "exp" not in note
