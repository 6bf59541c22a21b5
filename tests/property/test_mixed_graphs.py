"""Random graphs of narrow types and odd sizes, as one launch and in parts, compared with the float64 reference."""

from __future__ import annotations

import numpy as np
import pytest

import asmgen
from asmgen.blockwise.schedules.choosing.parts import Share
from asmgen.blockwise.schedules.kernel_graph import Graph
from asmgen.gentext.parser import parse
from asmgen.graph.ops import SCATTER_ADD, SORTS
from asmgen.graph.reference import compare, evaluate
from asmgen.gridwise.cut import cut
from asmgen.gridwise.printer import print_file
from asmgen.verification.verify import rules_of
from isa.targets import parse_target
from tests.device import chosen_device
from tests.property.graphs import RandomGraph
from tests.property.mixed_graphs import WITH_PRODUCTS, WITH_SORTS, random_mixed_graph
from tests.property.smallest import raise_smallest

TARGETS = ("gfx942", "gfx1100", "gfx90a", "gfx950", "gfx1201")
IN_EVERY_RUN, PER_TEST, ON_DEMAND = 30, 10, 3000


def check(graph: RandomGraph) -> None:
    """Every result is within its bounds; of each third seed the reductions and scans are in 2 to 8 parts."""
    target, turn = TARGETS[graph.seed % len(TARGETS)], graph.seed // len(TARGETS)
    nan, parsed = "propagate" if turn % 4 == 3 else "ieee", parse(graph.text, "graph.gen")
    in_parts = cut(parsed, parse_target(target), nan == "propagate", lambda graph, _: Share(2 + turn % 7 if may_be_in_parts(graph) else 1)).file
    program = asmgen.compile(print_file(in_parts) if turn % 3 == 2 else graph.text, target=target, nan=nan, contract=turn % 5 != 4)
    outputs = program(*graph.inputs, device=chosen_device())
    for range_, output in zip(evaluate(parsed, graph.inputs, rules_of(program)), outputs, strict=True):
        found = compare(range_, np.asarray(output))
        assert not found.is_broken, (graph.text, target, nan, turn % 3 == 2, str(found))


def may_be_in_parts(graph: Graph) -> bool:
    """Whether a kernel has no row in order and adds to no rows, which are never in parts."""
    return not any(statement.op in SORTS or statement.op is SCATTER_ADD for statement in graph.module.statements)


@pytest.mark.parametrize("first", range(0, IN_EVERY_RUN, PER_TEST))
def test_narrow_types_and_odd_sizes(first: int) -> None:
    for seed in range(first, first + PER_TEST):
        raise_smallest(random_mixed_graph(seed), check)


@pytest.mark.parametrize("first", range(0, IN_EVERY_RUN, PER_TEST))
def test_products_among_other_ops(first: int) -> None:
    for seed in range(first, first + PER_TEST):
        raise_smallest(random_mixed_graph(seed, weights=WITH_PRODUCTS), check)


@pytest.mark.slow
@pytest.mark.parametrize("first", range(IN_EVERY_RUN, 1100, PER_TEST))
def test_many_products_among_other_ops(first: int) -> None:
    for seed in range(first, first + PER_TEST):
        raise_smallest(random_mixed_graph(seed, weights=WITH_PRODUCTS), check)


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, 1000, PER_TEST))
def test_many_sorts_rows_and_pairs_among_other_ops(first: int) -> None:
    for seed in range(first, first + PER_TEST):
        raise_smallest(random_mixed_graph(seed, weights=WITH_SORTS), check)


@pytest.mark.slow
@pytest.mark.parametrize("first", range(IN_EVERY_RUN, ON_DEMAND, PER_TEST))
def test_many_graphs_of_narrow_types(first: int) -> None:
    for seed in range(first, first + PER_TEST):
        raise_smallest(random_mixed_graph(seed), check)


@pytest.mark.slow
@pytest.mark.parametrize("first", range(ON_DEMAND, 2 * ON_DEMAND, PER_TEST))
def test_many_longer_rows(first: int) -> None:
    for seed in range(first, first + PER_TEST):
        raise_smallest(random_mixed_graph(seed, most_elements=150000, long_share=0.8), check)
