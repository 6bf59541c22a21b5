"""Loads that return as their data arrive, and lines that waves share."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from isa.timing.cached import CachedMemory
from isa.timing.caches import placed
from isa.timing.machine import MACHINES, Machine
from isa.timing.memory import NO_COST, Cost, Costs, Service, ServiceUnit
from isa.timing.state import Placement
from isa.timing.timeline import Timeline
from isa.timing.trace import Access, Trace
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


TRIPS = 3
LOOP = ["global_load_b32 v0, v8, s[0:1]", "s_wait_loadcnt 0", "v_add_f32 v9, v0, v9", "s_cbranch_scc1 65500", "s_endpgm"]
MEMORY, HIT = 741, 78  # clocks from the load to the end of the wait, if nothing else is under way


def loop_of(count: int, sharing: int) -> Trace:
    """Waves of a compute unit that go through a loop. The first `sharing` of them load the same line of memory in a
    trip, each other a line of its own."""
    trace = trace_of("gfx1201", LOOP, [[0, 1, 2, 3] * TRIPS + [4]] * count, range(count))
    lanes, unit = np.arange(32), (0, 1, 4, 5)  # waves 2, 3, 6, 7 are on another unit of the processor

    def accesses(wave: int) -> dict[int, Access]:
        own = wave << 20 if wave >= sharing else 0
        return {4 * trip: Access(lanes, ((1 << 24) + own + trip * 4096 + lanes * 4)[None], 4) for trip in range(TRIPS)}

    waves = tuple(wave._replace(number=unit[n], accesses=accesses(n)) for n, wave in enumerate(trace.waves))
    return trace._replace(waves=waves, groups=4)


def trips_of(starts: Sequence[int], sharing: int) -> list[list[tuple[int, int]]]:
    """When each wave of a loop issues the load of each trip, and when its data are there. The waves start at
    `starts`."""
    placement = [Placement(n % 2, start) for n, start in enumerate(starts)]
    issues: list[list[int]] = [wave.issue.tolist() for wave in replay(loop_of(len(starts), sharing), CachedMemory(), placement).waves]
    return [[(issue[4 * trip], issue[4 * trip + 1]) for trip in range(TRIPS)] for issue in issues]


def test_waves_of_a_loop_wait_for_the_line_that_the_first_of_them_fetches() -> None:
    for sharing in (2, 3):
        trips = trips_of([0, 300, 2][:sharing], sharing)
        for trip in range(TRIPS):
            loads, ends = zip(*sorted(wave[trip] for wave in trips), strict=True)
            # the data go back to one wave after the other, a clock each
            assert sorted(ends) == [loads[0] + MEMORY + n for n in range(sharing)], (sharing, trip)


def test_a_wave_that_comes_after_the_line_finds_it_in_the_cache() -> None:
    (first, *_), (late, *_) = trips_of([0, 745], 2)
    assert first[1] - first[0] == MEMORY
    assert late[1] - late[0] == HIT


@pytest.mark.parametrize("sharing", [0, 2, 3, 4])
def test_only_waves_that_load_the_same_line_share_it(sharing: int) -> None:
    costs = CachedMemory().costs(loop_of(4, sharing), MACHINES["gfx1201"])
    numbers: list[list[int]] = [steps[steps != NO_COST].tolist() for steps in costs.of_steps]
    shared = [[costs.table[number].shared for number in wave] for wave in numbers]
    assert [min(wave) >= 0 for wave in shared] == [n < sharing for n in range(4)]
    assert len({number for wave in shared[:sharing] for number in wave}) == min(sharing, 1), "the first wave fetches every line"


def test_a_wave_alone_shares_no_line_and_returns_when_its_own_line_is_there() -> None:
    first, second, alone = trips_of([0, 300, 40], 2)
    assert [end - load for load, end in alone] == [MEMORY] * TRIPS
    # wave 1 loads after the wave with the other line, and its line is there before
    assert second[0][0] > alone[0][0] and second[0][1] < alone[0][1]
    assert second[0][1] == first[0][1] + 1


@pytest.mark.parametrize("sets", [1, 5, 64])
def test_lines_are_spread_over_the_sets(sets: int) -> None:
    lines = np.arange(sets**2)
    numbers = placed(lines, sets)
    assert sorted(numbers.tolist()) == lines.tolist()
    # neighbours are in different sets, and so are lines that are `sets` apart
    assert len(set((numbers[:sets] % sets).tolist())) == sets
    assert len(set((numbers[::sets] % sets).tolist())) == sets
