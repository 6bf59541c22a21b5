"""From a compute unit to a launch: workgroups of a unit, how they follow each other, and the pace of the rest."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import pytest

from isa.targets import TARGETS
from isa.timing.chip import Residence, Taken, Traffic, launch_clocks, replayed_groups, residence
from isa.timing.timeline import Timeline, WaveClocks
from isa.timing.trace import Trace, TracedWave
from isa.timing.unit import Placement

NOTHING = np.zeros(0, np.int64)
WAVES = 2
DURATION = 100
NO_TRAFFIC = Traffic(0.0, 1.0)


def trace_of(groups: Sequence[int], total: int) -> Trace:
    waves = [TracedWave(group, number, NOTHING.astype(np.int32), NOTHING.astype(np.bool_), {}) for group in groups for number in range(WAVES)]
    return Trace(TARGETS["gfx942"], (), (), tuple(waves), total, WAVES)


class Modelled(NamedTuple):
    """A replay with a function from waves to their timeline, in which the first workgroups take `first` times
    the clocks."""

    of: Callable[[Trace, Sequence[Placement]], Timeline]
    first: int = 1

    def timeline(self, trace: Trace, placement: Sequence[Placement]) -> Timeline:
        timeline = self.of(trace, placement)
        return timeline._replace(clocks=self.first * timeline.clocks)

    def last_end(self, trace: Trace, placement: Sequence[Placement], is_later: bool = False) -> int:
        return self.of(trace, placement).clocks * (1 if is_later else self.first)


def steady(trace: Trace, placement: Sequence[Placement]) -> Timeline:
    """Every wave takes the same time, and the second wave of a workgroup a little longer."""
    waves = [
        WaveClocks(
            place, at.simd, at.start, at.start + DURATION + place % WAVES, NOTHING, NOTHING.astype(np.int32), NOTHING.astype(np.int8), NOTHING,
            NOTHING.astype(np.int32), NOTHING.astype(np.int32),
        )
        for place, at in enumerate(placement)
    ]  # fmt: skip
    return Timeline(trace, tuple(waves), max(wave.end for wave in waves))


def where_of(groups: int, at_once: int) -> Residence:
    units = 304
    return Residence(TARGETS["gfx942"], groups, units, at_once, -(-groups // units))


@pytest.mark.parametrize(("groups", "at_once"), ((1, 4), (304, 4), (305, 4), (1024, 8), (9728, 8), (40000, 3)))
def test_replayed_workgroups_are_spread_over_those_of_a_unit(groups: int, at_once: int) -> None:
    where = where_of(groups, at_once)
    chosen = replayed_groups(where)
    assert len(chosen) == len(set(chosen)) == min(where.of_unit, at_once)
    assert all(group % where.units == chosen[0] and group < groups for group in chosen)
    assert chosen[0] < where.units
    assert len(chosen) == 1 or chosen[-1] // where.units == where.of_unit - 1


def test_replayed_workgroups_are_not_those_of_a_border() -> None:
    """Each 16th workgroup of an image of 16 parts is a border, which loads nothing."""
    places = replayed_groups(Residence(TARGETS["gfx1201"], 4096, 32, 32, 128))
    assert len(places) == 32
    assert all(group % 16 not in (0, 15) for group in places)


@pytest.mark.parametrize(("of_unit", "at_once"), ((1, 4), (4, 4), (5, 4), (8, 4), (9, 4), (100, 4), (7, 1)))
def test_workgroups_follow_each_other(of_unit: int, at_once: int) -> None:
    where = where_of(of_unit * 304, at_once)
    clocks = launch_clocks(trace_of(replayed_groups(where), where.groups), where, Modelled(steady), NO_TRAFFIC)
    each = DURATION + WAVES - 1
    assert clocks.group == each
    exact = -(-of_unit // at_once) * each
    assert clocks.unit == exact
    assert clocks.launch == clocks.unit  # nothing accesses memory


def test_residence_is_the_targets_own() -> None:
    target = TARGETS["gfx942"]
    where = residence(target, Taken(256, 128, 32, 0, spreads=False), 5000)
    assert where.units * where.at_once == target.resident_groups(128, 32, 0, 256)


def test_waves_of_a_workgroup_stay_on_a_compute_unit_if_they_do_not_spread() -> None:
    target = TARGETS["gfx1100"]
    spread, together = (residence(target, Taken(128, 64, 32, 65536, spreads), 1000) for spreads in (True, False))
    assert (spread.units, together.units) == (48, 96)
    assert (spread.target.simds, together.target.simds) == (4, 2)
    assert (spread.at_once, together.at_once) == (2, 1)


def shared(trace: Trace, placement: Sequence[Placement]) -> Timeline:
    """Workgroups that take turns at a resource: each adds as much to the last end."""
    waves = [
        WaveClocks(
            place, at.simd, at.start, (place // WAVES + 1) * DURATION, NOTHING, NOTHING.astype(np.int32), NOTHING.astype(np.int8), NOTHING,
            NOTHING.astype(np.int32), NOTHING.astype(np.int32),
        )
        for place, at in enumerate(placement)
    ]  # fmt: skip
    return Timeline(trace, tuple(waves), max(wave.end for wave in waves))


@pytest.mark.parametrize(("of_unit", "at_once"), ((1, 4), (4, 4), (8, 4), (100, 4), (7, 1)))
def test_a_busy_resource_sets_the_pace(of_unit: int, at_once: int) -> None:
    where = where_of(of_unit * 304, at_once)
    clocks = launch_clocks(trace_of(replayed_groups(where), where.groups), where, Modelled(shared), NO_TRAFFIC)
    assert clocks.unit == of_unit * DURATION


def test_workgroups_that_follow_load_the_lines_again_that_the_first_loaded() -> None:
    """Of four workgroups at once, the first loads lines for all, so that the others hardly add to its time. Those that
    follow load them again: memory serves a workgroup for 300 clocks on average."""
    where = where_of(100 * 304, 4)
    trace = trace_of(replayed_groups(where), where.groups)
    for busiest, served in ((0.0, 1200.0), (1200.0, 0.0)):
        clocks = launch_clocks(trace, where, Modelled(steady), NO_TRAFFIC, busiest, served)
        assert clocks.unit == DURATION + WAVES - 1 + 96 * 300


@pytest.mark.parametrize(("of_unit", "at_once"), ((4, 4), (8, 4), (9, 4), (7, 1)))
def test_later_workgroups_do_not_repeat_what_the_first_fetch(of_unit: int, at_once: int) -> None:
    """Only the first workgroups take twice the time, for code and arguments that no cache has."""
    where = where_of(of_unit * 304, at_once)
    clocks = launch_clocks(trace_of(replayed_groups(where), where.groups), where, Modelled(steady, first=2), NO_TRAFFIC)
    each = DURATION + WAVES - 1
    assert clocks.unit == (1 + -(-of_unit // at_once)) * each


def test_fewer_workgroups_than_run_at_once_stand_for_all() -> None:
    where = where_of(12 * 304, 12)
    for most in (2, 3, 6):
        clocks = launch_clocks(trace_of(replayed_groups(where, most), where.groups), where, Modelled(shared), NO_TRAFFIC)
        assert clocks.unit == 12 * DURATION


def test_memory_and_the_busiest_part_bound_a_launch() -> None:
    where = where_of(8 * 304, 8)
    trace = trace_of(replayed_groups(where), where.groups)
    assert launch_clocks(trace, where, Modelled(steady), NO_TRAFFIC, 10_000.0).launch == 10_000
    moved = launch_clocks(trace, where, Modelled(steady), Traffic(1e9, 5.0))
    assert moved.launch == moved.memory == pytest.approx(1e9 / (5 * 304))
