"""Random loops in passes of a trip for each copy compute the same: with trips for passes, with trips for the prologue alone, and with
too few for both."""

from __future__ import annotations

import random
from collections import Counter

from asmgen.passes.schedule.modulo.clocks import stages
from asmgen.passes.schedule.modulo.heuristic import Wanted, lifetime_edges, modulo_order
from asmgen.passes.schedule.modulo.problem import problems_of
from asmgen.passes.schedule.modulo.rotate import headed_loops, rotated
from asmgen.passes.schedule.modulo.shape import shape_of
from asmgen.passes.schedule.modulo.trips import known_trips
from asmgen.passes.schedule.modulo.whole_passes import in_whole_passes
from isa.emulator import run_kernel
from regalloc.verify import verify
from tests.property.modulo_loops import random_loop
from tests.unit.select.running import difference

TARGETS = ("gfx942", "gfx1100", "gfx90a", "gfx950")
SEEDS = range(100, 148)


def hold_passes(seed: int, target: str, seen: Counter[str]) -> None:
    made, draw, label = random_loop(seed, target), random.Random(seed), "loop"
    kernel = made.kernel
    for loop in list(headed_loops(kernel)):
        kernel, label = rotated(kernel, loop), "body"
    number = next(at for at, block in enumerate(kernel.blocks) if block.label == label)
    shape = shape_of(kernel, number)
    assert shape is not None
    (problem,) = problems_of(kernel, [number])
    copies = draw.randrange(2, 5)
    edges = [edge._replace(clocks=edge.clocks + draw.choice((0, 200))) if edge.clocks > 1 else edge for edge in problem.edges]
    together = {at: makers for makers in shape.makers.values() for at in makers}
    slower = problem._replace(edges=[*edges, *lifetime_edges(shape, edges, copies)])
    order = modulo_order(Wanted(slower, draw.choice((40, 120)), 6000, together))
    if order is None or (last := max(stages(order))) == 0:
        return
    fewest = draw.choice((last, last + copies, last + 2 * copies))
    with_rest = in_whole_passes(kernel, shape, order, copies, fewest)
    if with_rest is None:
        trips = known_trips(kernel, shape)
        assert (trips or fewest) < fewest or "s_barrier" in {instr.row.name for instr in kernel.instructions()}
        return
    result = with_rest.kernel
    assert [instr.row for instr in result.block(with_rest.rest).code] == [instr.row for instr in kernel.block(label).code]
    verify(result)
    wanted = run_kernel(made.kernel, (1, 1, 1), [buffer.copy() for buffer in made.buffers])
    found = run_kernel(result, (1, 1, 1), [buffer.copy() for buffer in made.buffers])
    assert not (fault := difference(wanted, found)), f"seed {seed} on {target}, {made.trips} trips: {fault}"
    begun = "too few trips" if made.trips < fewest else "prologue" if made.trips < last + copies else "passes"
    seen[begun] += 1
    seen["trips after the last pass"] += begun == "passes" and (made.trips - last) % copies > 0
    seen["trips after the prologue"] += begun == "prologue" and made.trips > last


def test_random_loops_in_whole_passes() -> None:
    seen = Counter[str]()
    for seed in SEEDS:
        hold_passes(seed, TARGETS[seed % len(TARGETS)], seen)
    cases = ("passes", "prologue", "too few trips", "trips after the last pass", "trips after the prologue")
    assert min(seen[case] for case in cases) >= 2, seen
