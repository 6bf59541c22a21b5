"""Random loops on tiles agree with the interpreter of tiles in any order of their instructions that the
dependences allow.

Orders of each block run on virtual registers, and once through allocation and waits, with the sanitizer on.
If a block is the body of the loop, the instructions of all trips are mixed as the distances between trips
allow. Faults in the graph are planted, and found.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from random import Random
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from asmgen.blockwise.interpret import Tiles, interpret
from asmgen.blockwise.text.reader import read_program
from asmgen.compiler import start
from asmgen.emission.emit import emit
from asmgen.frontends.sources import read_source
from asmgen.index import Index, apart
from asmgen.index.text import index_of
from asmgen.options import Options
from asmgen.passes.combine.combine import combine
from asmgen.passes.dependence import Dependence, Dependences, carried, footprints, graph, memory
from asmgen.passes.dependence.carried import Pair, back_edges
from asmgen.passes.motion.invariants import move_invariants
from asmgen.pipeline import advance
from isa.diagnostics import InputError
from isa.emulator import run
from isa.footprint import Footprint
from isa.program import Kernel
from isa.targets import parse_target
from tests.property.orders import Orders, Runs, finished_in_an_order
from tests.property.test_tile_lowering import parameters
from tests.property.tile_loops import GROUPS, Trips, random_loop

Array = NDArray[Any]
LOOPS, ORDERS = range(20), 2
FAULTY = range(100, 160)  # loops until a fault is found
MORE_LOOPS, MORE_ORDERS = range(1000, 2000), 20


class Case(NamedTuple):
    """A random loop as selected, its buffers, their contents after the interpreter of tiles, and the
    trips."""

    kernel: Kernel
    grid: tuple[int, int, int]
    buffers: list[Array]
    wanted: list[Array]
    trips: int


@cache
def case_of(seed: int) -> Case:
    loop = random_loop(seed)
    target = parse_target(loop.target)
    compilation = start(read_source(loop.text, None, Options()), target, Options())
    advance(compilation, "machine")
    (kernel,), draw = read_program(loop.text, "loop.gen").kernels, np.random.default_rng(seed)
    arrays = {name: draw.integers(-50, 50, type_.size).astype(np.int32) for name, type_ in parameters(kernel).items()}
    wanted = {name: array.copy() for name, array in arrays.items()}
    interpret(kernel, wanted, Tiles.WHOLE)
    (selected,) = compilation.stages.machine
    moved = move_invariants(combine(selected))
    return Case(moved, (GROUPS, 1, 1), list(arrays.values()), list(wanted.values()), loop.trips)


def hold(seed: int, orders: int) -> int:
    """Run a loop in random orders; how many were of all its trips at once."""
    case, draw, mixed = case_of(seed), Random(f"loop {seed}"), 0
    bodies = [number for number, block in enumerate(case.kernel.blocks) if back_edges(case.kernel, block) is not None]
    of_blocks, of_trips = Orders(case.kernel), [Trips(case.kernel, body, case.trips) for body in bodies]
    runs = Runs(case.kernel)
    for number in range(orders):
        check(case, runs, of_blocks.draw(draw), f"loop {seed}, order {number}")
        for trips in of_trips if number % 2 else ():
            check(case, runs, trips.draw(draw), f"loop {seed}, trips in order {number}")
            mixed += 1
    return mixed


def check(case: Case, runs: Runs, kernel: Kernel, what: str) -> None:
    found = runs.run(kernel, case.grid, [buffer.copy() for buffer in case.buffers])
    for wanted, got in zip(case.wanted, found, strict=True):
        assert np.array_equal(wanted, got), f"{what}: {np.count_nonzero(wanted != got)} elements differ"


def hold_finished(seed: int) -> None:
    """An order through allocation, and an order after it, with waits and the sanitizer."""
    case = case_of(seed)
    finished = finished_in_an_order(case.kernel, Random(seed))
    text = emit(finished, finished.target)
    copies = [buffer.copy() for buffer in case.buffers]
    found = run(text, finished.name, case.grid, finished.workgroup, copies, sanitize=True)
    for wanted, got in zip(case.wanted, found, strict=True):
        assert np.array_equal(wanted, got), f"loop {seed}, finished"


def test_any_legal_order_of_a_loop_agrees_with_the_interpreter() -> None:
    assert sum(hold(seed, ORDERS) for seed in LOOPS) > len(LOOPS) // 2


def test_a_finished_order_agrees_with_the_interpreter() -> None:
    for seed in LOOPS[::3]:
        hold_finished(seed)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(20))
def test_any_of_many_legal_orders_agrees(part: int) -> None:
    for seed in MORE_LOOPS[part::20]:
        _ = hold(seed, MORE_ORDERS)
        hold_finished(seed)


# ---- planted faults


def never(_earlier: Footprint, _later: Footprint, _trips: int = 0) -> bool:
    return False


def at_the_same_bytes(earlier: Footprint, later: Footprint, trips: int = 0) -> bool:
    """Accesses meet only if their lanes touch the same bytes."""
    return earlier.bytes == later.bytes and footprints.may_meet(earlier, later, trips)


def one_more_trip(earlier: Footprint, later: Footprint) -> int:
    trips = footprints.trips_between(earlier, later)
    return trips and trips + 1


def other_words_differ(a: Index, b: Index) -> bool:
    return a is not b


def in_the_same_trip(text: str, _loop: str, _trips: int) -> Index:
    return index_of(text)


def no_pairs(*_: object) -> Iterator[Pair]:
    return iter(())


FAULTS: Mapping[str, tuple[ModuleType, str, Callable[..., object]]] = {
    "accesses have no order": (memory, "may_meet", never),
    "slots in other words are other slots": (apart, "differ", other_words_differ),
    "slots of later trips are those of this trip": (footprints, "_after", in_the_same_trip),
    "only equal ranges of bytes meet": (memory, "may_meet", at_the_same_bytes),
    "a distance is a trip longer": (carried, "trips_between", one_more_trip),
    "accesses do not depend on trips before": (carried, "through_memory", no_pairs),
    "values do not pass to the next trip": (carried, "through_parameters", no_pairs),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_in_the_graph_is_found(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    where, name, instead = FAULTS[fault]
    monkeypatch.setattr(where, name, instead)
    with pytest.raises((AssertionError, InputError), match=r"elements differ|out of bounds"):
        for seed in FAULTY:
            _ = hold(seed, ORDERS)


def test_a_dropped_edge_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A single dependence of memory of each block is left out."""
    of_block = Dependences.of_block

    def without_an_edge(self: Dependences, number: int) -> graph.Graph:
        made = of_block(self, number)
        edges = [(later, earlier) for later, some in enumerate(made.before) for earlier, why in some.items() if why is Dependence.MEMORY]
        for later, earlier in edges[len(edges) // 2 : len(edges) // 2 + 1]:
            del made.before[later][earlier]
        return made

    monkeypatch.setattr(Dependences, "of_block", without_an_edge)
    with pytest.raises(AssertionError, match="elements differ"):
        for seed in FAULTY:
            _ = hold(seed, ORDERS)
