"""Loads that return as their data arrive, and lines that waves share."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from isa.timing.caches import placed
from isa.timing.machine import Machine
from isa.timing.memory import NO_COST, Cost, Costs, Service, ServiceUnit
from isa.timing.state import Placement
from isa.timing.timeline import Timeline
from isa.timing.trace import Trace
from isa.timing.unit import replay
from tests.unit.isa.timing_programs import trace_of

BACK = 16  # clocks of the way back for a load


class Loads:
    """Loads of which each takes `latencies` clocks to be ready, those of a wave in turn."""

    def __init__(self, latencies: Sequence[Sequence[int]], as_ready: bool = True) -> None:
        self.latencies, self.as_ready = latencies, as_ready

    def costs(self, trace: Trace, machine: Machine) -> Costs:
        every = sorted({each for wave in self.latencies for each in wave})
        table = tuple([Cost(1, (Service(0, 1),), latency, returns=Service(1, BACK)) for latency in every])
        is_load = np.array([bool(instr.row.events) for instr in trace.instructions])
        of_steps = [np.full(len(wave.steps), NO_COST, np.int32) for wave in trace.waves]
        for steps, wave, latencies in zip(of_steps, trace.waves, self.latencies, strict=True):
            steps[is_load[wave.steps]] = [every.index(latency) for latency in latencies]
        units = ServiceUnit("addresses"), ServiceUnit("way back", as_ready=self.as_ready)
        return Costs(units, table, tuple(of_steps))


def returned(memory: Loads, clauses: Sequence[int]) -> list[list[int]]:
    """When the loads of each wave are there, which are in clauses of so many."""
    lines: list[str] = []
    for number, size in enumerate(clauses):
        lines += [f"s_clause {size - 1:#x}"] * (size > 1)
        lines += [f"global_load_b32 v{number * 8 + n}, v60, s[0:1]" for n in range(size)]
    count = sum(clauses)
    lines += [f"s_wait_loadcnt {left}" for left in reversed(range(count))]
    waves = len(memory.latencies)
    trace = trace_of("gfx1201", lines, [range(len(lines))] * waves)
    timeline: Timeline = replay(trace, memory, [Placement(0, 40 * wave) for wave in range(waves)])
    assert all(wave.clocks.sum() == wave.end - wave.start for wave in timeline.waves)
    return [wave.issue[-count:].tolist() for wave in timeline.waves]


@pytest.mark.parametrize("as_ready", [True, False])
def test_a_wave_overtakes_another_that_waits_for_memory(as_ready: bool) -> None:
    (slow,), (quick,) = returned(Loads([[900], [100]], as_ready), [1])
    assert (quick < slow - 600) == as_ready
    assert quick > slow or as_ready


def test_loads_of_a_wave_return_in_the_order_of_issue() -> None:
    ((first, second),) = returned(Loads([[900, 100]]), [1, 1])
    assert second - first == BACK


def test_loads_of_a_clause_stay_together() -> None:
    # the data of all loads are there at about 500; wave 1 issues 40 clocks after wave 0
    latencies = [[500, 500, 500, 500], [460, 460, 460, 460]]
    apart = returned(Loads(latencies), [1, 1, 1, 1])
    together = returned(Loads(latencies), [4])
    assert together[0][3] - together[0][0] == 3 * BACK
    assert apart[0][3] - apart[0][0] > 3 * BACK


class SharedLine:
    """A line that both waves load at the same step."""

    def costs(self, trace: Trace, machine: Machine) -> Costs:
        cost = Cost(1, (Service(0, 1),), 900, returns=Service(1, BACK), hit=70, shared=5, owner=0)
        steps = np.array([0, NO_COST], np.int32)
        units = ServiceUnit("addresses"), ServiceUnit("way back", as_ready=True)
        return Costs(units, (cost,), tuple([steps] * len(trace.waves)))


@pytest.mark.parametrize("later", [0, 300, 5000])
def test_a_wave_waits_for_the_rest_of_the_way_of_a_line(later: int) -> None:
    trace = trace_of("gfx1201", ["global_load_b32 v0, v60, s[0:1]", "s_wait_loadcnt 0"], [range(2)] * 2)
    waves = replay(trace, SharedLine(), [Placement(0), Placement(1, later)]).waves
    first, second = [int(wave.issue[1] - wave.issue[0]) for wave in waves]
    assert first == 900 + 1 + BACK
    assert second == max(first + BACK - later, 70 + 1 + BACK)


@pytest.mark.parametrize("sets", [1, 5, 64])
def test_lines_are_spread_over_the_sets(sets: int) -> None:
    lines = np.arange(sets**2)
    numbers = placed(lines, sets)
    assert sorted(numbers.tolist()) == lines.tolist()
    # neighbours are in different sets, and so are lines that are `sets` apart
    assert len(set((numbers[:sets] % sets).tolist())) == sets
    assert len(set((numbers[::sets] % sets).tolist())) == sets
