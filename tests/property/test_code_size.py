"""Random graphs with code that could explode: no kernel is longer than a loop needs to be, on any machine."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import asmgen
from isa.diagnostics import InputError
from tests.property.graphs import RandomGraph
from tests.property.named_graphs import random_joined_graph, random_narrow_graph
from tests.property.test_named_graphs import MOST_LINES, TARGETS, longest

IN_EVERY_RUN, ON_DEMAND = 4, 500


def hold_short(graph: RandomGraph) -> None:
    """A value of too many minimums is refused."""
    target = TARGETS[graph.seed % len(TARGETS)]
    try:
        program = asmgen.compile(graph.text, target=target)
    except InputError as error:
        if error.code not in ("GEN903", "GEN014"):
            raise
        return
    assert longest(program) < MOST_LINES, (target, longest(program), graph.text)


GENERATORS = (random_narrow_graph, random_joined_graph)


@pytest.mark.parametrize("generate", GENERATORS)
def test_code_is_short(generate: Callable[[int], RandomGraph]) -> None:
    for seed in range(IN_EVERY_RUN):
        hold_short(generate(seed))


@pytest.mark.slow
@pytest.mark.parametrize("generate", GENERATORS)
@pytest.mark.parametrize("first", range(IN_EVERY_RUN, ON_DEMAND, 10))
def test_code_of_many_is_short(generate: Callable[[int], RandomGraph], first: int) -> None:
    for seed in range(first, first + 10):
        hold_short(generate(seed))
