"""Clocks of a launch's waves, made of pages, next to plain arrays."""

from __future__ import annotations

from functools import reduce

import numpy as np

from isa.emulator.sanitizer.races.clocks import Clock, empty, joined, noted, time_of

GROUPS, WAVES = 150, 3


def some_clock(random: np.random.Generator, like: np.ndarray) -> tuple[Clock, np.ndarray]:
    """A clock that knows of some workgroups, and the same as an array; `like` has the shape."""
    clock, times = empty(GROUPS), np.zeros_like(like)
    for group in random.integers(0, GROUPS, 20):
        row = random.integers(0, 100, WAVES).astype(np.int32)
        clock, times[group] = noted(clock, int(group), row), np.maximum(times[group], row)
    return clock, times


def test_clocks_know_what_arrays_know() -> None:
    random = np.random.default_rng(1)
    known = [some_clock(random, np.zeros((GROUPS, WAVES), np.int32)) for _ in range(5)]
    clock, times = reduce(joined, [clock for clock, _ in known]), np.maximum.reduce([times for _, times in known])
    assert [time_of(clock, wave, WAVES) for wave in range(GROUPS * WAVES)] == times.reshape(-1).tolist()


def test_clocks_that_agree_on_a_page_have_it_in_common() -> None:
    """So that workgroups that hand their clocks on to each other take no copy each."""
    before = noted(noted(empty(GROUPS), 3, np.array([1, 2, 3], np.int32)), 140, np.array([4, 0, 0], np.int32))
    after = noted(before, 139, np.array([5, 5, 5], np.int32))
    assert after[0] is before[0]
    both = joined(before, after)
    assert all(page is other for page, other in zip(both, after, strict=True))
