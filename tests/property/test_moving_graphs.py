"""Random graphs that move elements, on the emulator, held against the float64 reference."""

from __future__ import annotations

import numpy as np
import pytest

import asmgen
from asmgen.frontends.text.parser import parse
from asmgen.graph.reference import compare, evaluate
from tests.property.moving_graphs import random_moving_graph

TARGETS = ("gfx942", "gfx1100", "gfx90a", "gfx950", "gfx1201")


def hold(seed: int) -> None:
    graph, target = random_moving_graph(seed), TARGETS[seed // 2 % len(TARGETS)]
    outputs = asmgen.compile(graph.text, target=target)(*graph.inputs, device="emulator")
    expected = evaluate(parse(graph.text, "graph.gen"), graph.inputs)
    for range_, output in zip(expected, outputs, strict=True):
        found = compare(range_, np.asarray(output))
        assert not found.is_broken, (str(graph), target, str(found))


@pytest.mark.parametrize("seed", range(24))
def test_moved_elements_are_where_they_belong(seed: int) -> None:
    hold(seed)


@pytest.mark.slow
@pytest.mark.parametrize("first", range(100, 1100, 50))
def test_many_graphs_that_move_elements(first: int) -> None:
    for seed in range(first, first + 50):
        hold(seed)
