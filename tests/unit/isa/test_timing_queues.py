"""Queues of the units that serve memory: how many accesses wait, which is next, and how long they take."""

from __future__ import annotations

import numpy as np
import pytest

from isa.timing.machine import Machine
from isa.timing.memory import NO_COST, Cost, Costs, Service, ServiceUnit
from isa.timing.timeline import Cause, Timeline
from isa.timing.trace import Trace
from isa.timing.unit import Placement, replay
from tests.unit.isa.timing_programs import trace_of

_BUSY, _LATENCY = 16, 100


class OneUnit:
    """A unit that takes 16 clocks for each access of vector memory; the data take 100 more."""

    def __init__(self, depth: int = 0, room: int = 0, holds: bool = False) -> None:
        self.unit = ServiceUnit("unit", 0, depth, room)
        self.cost = Cost(4, (Service(0, _BUSY, 0, 1),), _LATENCY, holds)

    def costs(self, trace: Trace, machine: Machine) -> Costs:
        accesses = np.array([bool(instr.row.events) for instr in trace.instructions])
        of_steps = [np.where(accesses[wave.steps], 0, NO_COST).astype(np.int32) for wave in trace.waves]
        return Costs((self.unit,), (self.cost,), tuple(of_steps))


def loads(memory: OneUnit, waves: int = 1, count: int = 8) -> Timeline:
    texts = [f"global_load_dword v{i}, v20, s[0:1]" for i in range(count)]
    trace = trace_of("gfx942", texts, [list(range(count))] * waves)
    return replay(trace, memory, [Placement(wave % 4) for wave in range(waves)])


def gaps(timeline: Timeline, wave: int = 0) -> list[int]:
    return np.diff(timeline.waves[wave].issue).tolist()


def test_accesses_issue_until_the_queue_is_full() -> None:
    timeline = loads(OneUnit(depth=3))
    # the first is served at once, three wait, and then each waits until the unit takes one of them
    assert gaps(timeline) == [4, 4, 4, 4, 16, 16, 16]
    assert timeline.by_cause()[Cause.QUEUE] == 3 * 12


def test_a_unit_without_a_queue_takes_all() -> None:
    assert gaps(loads(OneUnit())) == [4] * 7


def test_simds_take_turns() -> None:
    timeline = loads(OneUnit(depth=4), waves=4)
    ends = [int(wave.issue[-1]) for wave in timeline.waves]
    assert max(ends) - min(ends) <= 3 * _BUSY
    assert gaps(timeline)[-3:] == [4 * _BUSY] * 3


@pytest.mark.parametrize("room", [2, 4])
def test_accesses_under_way_take_room(room: int) -> None:
    issue = loads(OneUnit(depth=1, room=room), count=40).waves[0].issue
    # no more than `room` in each 116 clocks
    assert (issue[35] - issue[15]) / 20 == pytest.approx((_BUSY + _LATENCY) / room, rel=0.1)


def test_a_wave_may_be_held_until_it_is_served() -> None:
    assert gaps(loads(OneUnit(holds=True))) == [_BUSY] * 7


class SlowFirst:
    """A unit that serves a load in a clock. The data of the first load take 300 clocks and those of others 100;
    the way back takes 16 clocks for each load if it is narrow."""

    def __init__(self, narrow: bool) -> None:
        back = Service(1, _BUSY) if narrow else None
        self.costs_of_loads = tuple(Cost(4, (Service(0, 1),), latency, returns=back) for latency in (300, 100))

    def costs(self, trace: Trace, machine: Machine) -> Costs:
        of_steps = [np.full(len(wave.steps), NO_COST, np.int32) for wave in trace.waves]
        for steps in of_steps:
            steps[:4] = [0, 1, 1, 1]
        return Costs((ServiceUnit("unit"), ServiceUnit("way back")), self.costs_of_loads, tuple(of_steps))


@pytest.mark.parametrize(("narrow", "between"), [(False, 4), (True, _BUSY)])
def test_data_return_in_order_of_issue(narrow: bool, between: int) -> None:
    texts = [f"global_load_dword v{i}, v20, s[0:1]" for i in range(4)]
    texts += [f"s_waitcnt vmcnt({left})" for left in (3, 2, 1, 0)]
    trace = trace_of("gfx942", texts, [list(range(8))])
    issue = replay(trace, SlowFirst(narrow), [Placement(0)]).waves[0].issue
    assert issue[4] - issue[0] >= 300
    assert np.diff(issue[4:]).tolist() == [between] * 3
