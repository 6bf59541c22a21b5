"""Random graphs of pointwise ops and reductions from gen text to proven code; `--verify` is the judge."""

from __future__ import annotations

import pytest

import asmgen
from asmgen.verification import hold
from tests.device import chosen_device
from tests.property.reduction_graphs import random_reduction_graph

PER_TEST = 10
IN_EVERY_RUN = 10
ON_DEMAND = 2000


def check_graphs(first: int) -> None:
    for seed in range(first, first + PER_TEST):
        graph = random_reduction_graph(seed)
        report = hold(asmgen.compile(graph.text, verify_passes=True), chosen_device(), inputs=graph.inputs)
        assert not report.is_broken, f"{graph}\n" + "\n".join(str(check) for check in report.checks)


@pytest.mark.parametrize("first", range(0, IN_EVERY_RUN, PER_TEST))
def test_random_graphs_with_reductions_agree_with_the_reference(first: int) -> None:
    check_graphs(first)


@pytest.mark.slow
@pytest.mark.parametrize("first", range(IN_EVERY_RUN, ON_DEMAND, PER_TEST))
def test_more_random_graphs_with_reductions_agree_with_the_reference(first: int) -> None:
    check_graphs(first)
