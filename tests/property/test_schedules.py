"""Schedules against the graph's reference: random programs, in both modes of the interpreter."""

from __future__ import annotations

from random import Random

import pytest

from asmgen.blockwise.interpret import Tiles
from asmgen.blockwise.program import Kernel
from asmgen.blockwise.schedules.choices import Choice, Column, Pointwise, Row
from asmgen.blockwise.schedules.choosing.choose import choose
from asmgen.blockwise.schedules.kernel_graph import Graph
from asmgen.blockwise.schedules.misfit import misfit
from asmgen.blockwise.schedules.schedule import schedule
from isa.targets import TARGETS
from tests.property.graphs import RandomGraph, random_array, random_graph
from tests.property.reduction_graphs import random_reduction_graph
from tests.property.scheduled import Schedule, hold, hold_results, run_in_parts

MODES = (Tiles.WHOLE, Tiles.HOLDERS)
NAMES = ("gfx942", "gfx1100")
PER_TEST = 10
IN_EVERY_RUN = 10
ON_DEMAND = 1500
PADDED = 0.5  # of the pointwise kernels have rows that begin at multiples of a number, if they may


def as_chosen(name: str) -> Schedule:
    """One kernel each, as it is chosen for a target."""

    def kernels(graph: Graph) -> list[Kernel]:
        return [schedule(graph.module, choose(graph.work, TARGETS[name]), TARGETS[name], graph.outputs)]

    return kernels


def at_random(name: str, seed: int) -> Schedule:
    """All possible choices, not only those of the chooser."""
    draw = Random(seed)

    def kernels(graph: Graph) -> list[Kernel]:
        choice = random_choice(graph, TARGETS[name].wave_size, draw)
        return [schedule(graph.module, choice, TARGETS[name], graph.outputs)]

    return kernels


def random_choice(graph: Graph, wave: int, draw: Random) -> Choice:
    work = graph.work
    lanes, vector, repeat = (
        draw.choice([1 << bit for bit in range(wave.bit_length())]),
        draw.choice((1, 2, 4)),
        draw.randint(1, 3),
    )
    waves, teams, rows = draw.choice((1, 2, 4)), draw.choice((1, 2)), draw.choice((1, 1, 2, 4))
    if not work.reduced:
        padded = Pointwise(vector, waves, repeat, vector * draw.randint(1, 64))
        fits = draw.random() < PADDED and not misfit(graph, padded, TARGETS[NAMES[0]])
        return padded if fits else Pointwise(vector, waves, repeat)
    if work.reduces_fast:
        return Row(rows, lanes, waves, teams, vector, repeat)
    return Column(rows, draw.randint(1, 3), lanes, waves, teams, vector, repeat)


def check(graph: RandomGraph, seed: int, mode: Tiles | None) -> None:
    """As it is chosen, at random, and in two to four parts if a dim is reduced."""
    name = NAMES[seed % 2]
    for made in (as_chosen(name), at_random(name, seed)):
        hold(graph.text, graph.inputs, made, name, mode)
    hold_results(graph.text, graph.inputs, run_in_parts(graph.text, graph.inputs, 2 + seed % 3, name, mode))


def check_lowered(seed: int) -> None:
    for graph in (random_graph(seed), random_reduction_graph(seed)):
        check(graph, seed, None)


def check_graphs(first: int) -> None:
    for seed in range(first, first + PER_TEST):
        for graph in (random_graph(seed), random_reduction_graph(seed)):
            check(graph, seed, MODES[(seed // 2) % 2])


@pytest.mark.parametrize("first", range(0, IN_EVERY_RUN, PER_TEST))
def test_random_graphs_agree_with_the_reference(first: int) -> None:
    check_graphs(first)


@pytest.mark.slow
@pytest.mark.parametrize("first", range(IN_EVERY_RUN, ON_DEMAND, PER_TEST))
def test_more_random_graphs_agree_with_the_reference(first: int) -> None:
    check_graphs(first)


@pytest.mark.parametrize("seed", range(2003, 2007))
def test_random_graphs_run_on_the_emulator(seed: int) -> None:
    check_lowered(seed)


@pytest.mark.slow
@pytest.mark.parametrize("first", range(2010, 2400, PER_TEST))
def test_more_random_graphs_run_on_the_emulator(first: int) -> None:
    for seed in range(first, first + PER_TEST):
        check_lowered(seed)


@pytest.mark.parametrize(("type_", "op"), [("f32", "add"), ("f16", "add"), ("bool", "logical_xor")])
def test_the_last_vector_ends_with_the_last_element(type_: str, op: str) -> None:
    draw = Random(type_)
    for elements in (1, 3, 5, 1001):
        text = f"x = @param:x -> {type_}, {{{elements}}}\ny = @param:y -> {type_}, {{{elements}}}\n"
        text += f"z = {op}(x, y)\n@return(z)\n"
        inputs = [random_array(draw, type_, (elements,)) for _ in range(2)]
        for mode in (None, *MODES):
            hold(text, inputs, as_chosen("gfx942"), "gfx942", mode)


def test_outputs_of_several_dims() -> None:
    """A shape that a vector of four does not divide, a shape with a row that is broadcast, a single
    element."""
    text = """x = @param:x -> f32, {13,7}
b = @param:b -> f32, {8}
y = @param:y -> f32, {5,8}
w = @param:w -> f32, {1}
a = neg(x)
c = multibroadcast[out_lens={5,8}](b)
d = add(y, c)
s = neg(w)
@return(a, d, s)
"""
    draw = Random(1)
    inputs = [random_array(draw, "f32", dims) for dims in ((13, 7), (8,), (5, 8), (1,))]
    for mode in (None, *MODES):
        hold(text, inputs, as_chosen("gfx1100"), "gfx1100", mode)
