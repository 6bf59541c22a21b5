"""Shares of caches and memory: their limits, and what AMD's tutorial kernels for gfx950 measured."""

from __future__ import annotations

from itertools import pairwise
from math import ceil

import pytest

from isa.targets import TARGETS
from isa.timing.caches import CACHES
from isa.timing.shares import Share, shares

MOST = 64.0


def _shares(target: str, groups: int = 1 << 20, together: float = 1.0) -> list[Share]:
    return shares(CACHES[target], TARGETS[target], MOST, groups, together)


@pytest.mark.parametrize("target", TARGETS)
def test_a_full_machine_shares_everything(target: str) -> None:
    caches = CACHES[target]
    parts = TARGETS[target].compute_units / TARGETS[target].units
    found = _shares(target)
    assert [share.latency for share in found] == [*(level.latency.clocks for level in caches.vector[1:]), caches.memory.clocks]
    assert found[-1].rate == min(MOST, caches.memory_rate.value * parts)


@pytest.mark.parametrize("target", TARGETS)
def test_more_workgroups_leave_less_and_more_users_more(target: str) -> None:
    rates = [_shares(target, groups)[-1].rate for groups in (1, 16, 64, 1 << 20)]
    assert rates == sorted(rates, reverse=True)
    assert rates[0] == MOST
    together = [_shares(target, together=users) for users in (1, 4, 16, 256)]
    for before, after in pairwise(together):
        assert all(one.rate <= other.rate for one, other in zip(before, after, strict=True))
        assert all(one.latency >= other.latency for one, other in zip(before, after, strict=True))


def test_users_of_a_line_wait_for_the_level_before() -> None:
    """gfx950: 16 workgroups on 8 chiplets use a line, two on each. One of the two finds it in L2; the other asks the
    Infinity Cache, and one of those eight asks memory."""
    (l2, infinity, memory) = _shares("gfx950", together=16)
    assert (l2.latency, infinity.latency) == (312, 312 + (648 - 312) // 2)
    assert memory.latency == ceil((312 + (648 + (790 - 648) / 8)) / 2)
    assert infinity.rate == 2 * CACHES["gfx950"].vector[2].rate.value


def test_nobody_shares_the_first_level() -> None:
    """Units that use a line ask L2 for it each, however many workgroups follow each other."""
    for target in TARGETS:
        assert _shares(target, together=1e6)[0].rate == _shares(target)[0].rate


def test_a_tile_passes_the_first_cache_at_the_measured_rate() -> None:
    """The tutorial's table of tiles: 22.7 to 22.9 clocks for each KB that a step of K loads."""
    assert 1024 / _shares("gfx950")[0].rate == pytest.approx(22.8, abs=0.15)


def test_the_workgroups_of_a_die_ask_once() -> None:
    """Of 16 workgroups that use a line, 8 run on one die: the Infinity Cache gives each of them 8 times as much."""

    def of_die(on_die: float | None) -> list[Share]:
        return shares(CACHES["gfx950"], TARGETS["gfx950"], MOST, 1 << 20, 16.0, on_die)

    spread, own = of_die(None), of_die(8.0)
    assert own[1].rate == 8 * CACHES["gfx950"].vector[2].rate.value == 4 * spread[1].rate
    assert own[0] == spread[0]
    assert own[2] == spread[2]
