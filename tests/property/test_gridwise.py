"""Random graphs of reductions as gridwise programs: the text reads back, and the results of successive
launches are within the bounds of the graph's reference.
"""

from __future__ import annotations

import pytest

import asmgen
from asmgen.blockwise.schedules.choosing.parts import Share
from asmgen.blockwise.schedules.kernel_graph import Graph
from asmgen.gentext.parser import parse
from asmgen.graph.reference import Rules, compare, evaluate
from asmgen.gridwise.cut import cut
from asmgen.gridwise.interpret import interpret
from asmgen.gridwise.printer import print_file
from asmgen.gridwise.reader import read_file
from asmgen.ir.types import TensorType
from isa.target import Target
from isa.targets import parse_target
from tests.property.reduction_graphs import random_reduction_graph

TARGET = parse_target("gfx942")


def few_parts(graph: Graph, _target: Target) -> Share:
    """More parts than small tensors need, so that some leave a remainder."""
    reduction = graph.reductions[0]
    x, kept = reduction.operands[0].type, reduction.result.type
    assert isinstance(x, TensorType) and isinstance(kept, TensorType)
    return Share(max(1, min(24, x.size // 16) // max(kept.size, 1)))


def check_graph(seed: int, propagates_nan: bool) -> int:
    """How many launches the graph became."""
    graph = random_reduction_graph(seed)
    parsed = parse(graph.text, f"seed_{seed}.gen")
    file, _ = cut(parsed, TARGET, propagates_nan, few_parts)
    text = print_file(file)
    (program,) = read_file(text, f"seed_{seed}_gridwise.gen").programs
    assert print_file(file._replace(programs=(program,))) == text
    rules = Rules(nan="propagate" if propagates_nan else "ieee")
    results = interpret(program, graph.inputs, rules)
    for number, (expected, actual) in enumerate(zip(evaluate(parsed, graph.inputs, rules), results, strict=True)):
        found = compare(expected, actual)
        assert not found.is_broken, f"seed {seed}, result {number}: {found}\n{graph.text}\n{text}"
    return len(program.launches)


@pytest.mark.parametrize("target", ["gfx942", "gfx1201"])
def test_random_reduction_graphs_agree_on_the_emulator(target: str) -> None:
    for seed in (0, 1, 60, 118):
        graph = random_reduction_graph(seed)
        parsed = parse(graph.text, f"seed_{seed}.gen")
        file, _ = cut(parsed, parse_target(target), parts=few_parts)
        program = asmgen.compile(print_file(file), target=target)
        results = program(*graph.inputs, device="emulator")
        for expected, actual in zip(evaluate(parsed, graph.inputs), results, strict=True):
            assert not compare(expected, actual).is_broken, f"seed {seed}\n{graph.text}\n{print_file(file)}"


@pytest.mark.parametrize("propagates_nan", [False, True])
def test_random_reduction_graphs_agree_with_the_reference(propagates_nan: bool) -> None:
    launches = [check_graph(seed, propagates_nan) for seed in (*range(24), 30, 39, 42, 44, 118)]
    assert sum(count > 2 for count in launches) >= 8
