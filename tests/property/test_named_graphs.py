"""Random graphs with sizes that the launch knows: one code object at several sizes, compared with the float64
reference."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import pytest
from msgspec.structs import replace

import asmgen
from asmgen.compiled import CompiledProgram
from asmgen.gentext.parser import parse
from asmgen.graph.array_sizes import named_dims_of
from asmgen.graph.at_sizes import at_sizes
from asmgen.graph.reference import compare, evaluate
from asmgen.runtime.calls import program_parameters
from isa.diagnostics import InputError
from tests.device import chosen_device
from tests.property.graphs import RandomGraph
from tests.property.named_graphs import inputs_at, random_joined_graph, random_named_graph, random_narrow_graph
from tests.property.shrinking import FAILURES

TARGETS = ("gfx942", "gfx1100", "gfx90a", "gfx950", "gfx1201")
IN_EVERY_RUN, PER_TEST, ON_DEMAND = 8, 4, 2000
FEW_NARROW = 5  # one of each target
CLAMPED = NARROW = JOINED = 1000  # on demand
JOINED_BYTES = 80
SIZES = ((1, 1), (3, 5), (66, 3), (1029, 2))  # of the first name and of the second, or as large as they are at least
MOST_ELEMENTS = 40000
MOST_LINES = 6000  # of a kernel with a loop of hundreds: they are compiled in some three seconds
MOST_NARROW_LINES = 12000  # softmax of 8-bit floats over a few columns, the rows of which are kept in registers


SHORT = ((0, 2), (1, 1), (4, 9), (19, 5), (75, 3), (1029, 2))  # shorter than slices, and longer


def longest(program: CompiledProgram) -> int:
    """The lines of the longest kernel: the cost of a compile on any machine."""
    return max([kernel.assembly.count("\n") for kernel in program.kernels])


def check(graph: RandomGraph, choices: Sequence[tuple[int, int]] = SIZES, most_lines: int = MOST_LINES) -> None:
    """Every result is within its bounds at every size."""
    target = TARGETS[graph.seed % len(TARGETS)]
    program, parsed = asmgen.compile(graph.text, target=target), parse(graph.text, "graph.gen")
    assert longest(program) < most_lines, (graph.text, target, longest(program))
    dims = named_dims_of(program_parameters(program))  # some slices need larger sizes or smaller ones
    for sizes in choices:
        values = {name: min(max(size, dims[name].low), dims[name].high) for name, size in zip(sorted(dims, reverse=True), sizes, strict=False)}
        inputs = inputs_at(graph, values)
        if sum(array.size for array in inputs) > MOST_ELEMENTS:
            continue
        outputs = program(*inputs, device=chosen_device())
        for range_, output in zip(evaluate(at_sizes(parsed, values), inputs), outputs, strict=True):
            # a sum of a size that the launch knows begins with 0, also if it is of one element, which may be -0
            is_zero = (np.asarray(output) == 0) & (range_.value == 0)
            found = compare(range_, np.where(is_zero, range_.value, output).astype(np.asarray(output).dtype))
            assert not found.is_broken, (graph.text, target, values, str(found))


def shorter(graph: RandomGraph) -> Iterator[RandomGraph]:
    """The graph with one of its values as its result, from the first on."""
    lines = graph.text.splitlines()[:-1]
    for number, line in enumerate(lines, 1):
        yield replace(graph, text="\n".join([*lines[:number], f"@return({line.partition(' = ')[0]})", ""]))


def raise_shortest(graph: RandomGraph, sizes: Sequence[tuple[int, int]] = SIZES) -> None:
    try:
        check(graph, sizes)
    except FAILURES as failure:
        for part in shorter(graph):
            try:
                check(part, sizes)
            except FAILURES as again:
                again.add_note(f"the shortest graph that fails, of seed {graph.seed}:\n{part.text}")
                raise again from failure
        raise


@pytest.mark.parametrize("first", range(0, IN_EVERY_RUN, PER_TEST))
def test_one_code_object_serves_every_size(first: int) -> None:
    for seed in range(first, first + PER_TEST):
        raise_shortest(random_named_graph(seed))


def raise_shortest_clamped(seed: int) -> None:
    """A maximum, a gather or a border of an axis that may be empty for any size of the dim is refused."""
    try:
        raise_shortest(random_named_graph(seed, is_clamped=True), SHORT)
    except InputError as error:
        if error.code != "GEN903" or "which is false for" not in str(error):
            raise


@pytest.mark.parametrize("first", range(0, IN_EVERY_RUN, PER_TEST))
def test_slices_beyond_the_ends(first: int) -> None:
    for seed in range(first, first + PER_TEST):
        raise_shortest_clamped(seed)


@pytest.mark.slow
@pytest.mark.parametrize("first", range(IN_EVERY_RUN, CLAMPED, PER_TEST))
def test_many_slices_beyond_the_ends(first: int) -> None:
    for seed in range(first, first + PER_TEST):
        raise_shortest_clamped(seed)


@pytest.mark.slow
@pytest.mark.parametrize("first", range(IN_EVERY_RUN, ON_DEMAND, PER_TEST))
def test_many_graphs_of_open_sizes(first: int) -> None:
    for seed in range(first, first + PER_TEST):
        raise_shortest(random_named_graph(seed))


@pytest.mark.parametrize("seed", range(FEW_NARROW))
def test_reductions_over_few_columns(seed: int) -> None:
    check(random_narrow_graph(seed), most_lines=MOST_NARROW_LINES)


@pytest.mark.slow
@pytest.mark.parametrize("first", range(FEW_NARROW, NARROW, PER_TEST))
def test_many_reductions_over_few_columns(first: int) -> None:
    for seed in range(first, first + PER_TEST):
        check(random_narrow_graph(seed), most_lines=MOST_NARROW_LINES)


@pytest.mark.parametrize("seed", (8, 18, 653))
def test_slices_in_nested_concats(seed: int) -> None:
    raise_shortest(random_joined_graph(seed), SHORT)


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, JOINED, PER_TEST))
def test_many_slices_in_nested_concats(first: int) -> None:
    for seed in range(first, first + PER_TEST):
        raise_shortest(random_joined_graph(seed), SHORT)


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, JOINED_BYTES, PER_TEST))
def test_many_slices_of_bytes_in_nested_concats(first: int) -> None:
    """Dims of bytes may be twice as large as any other: differences of sizes reach the ends of a word."""
    for seed in range(first, first + PER_TEST):
        raise_shortest(random_joined_graph(seed, "u8"), SHORT)


def test_a_result_without_elements_has_the_dims_of_the_launch() -> None:
    """Its literal kept the names of the dims (clamped 1034 and 1046)."""
    check(random_named_graph(1046, is_clamped=True), SHORT)
