"""Caches: against lists in order of use, and the records of the targets."""

from __future__ import annotations

import random

import pytest

from isa.targets import TARGETS
from isa.timing.caches import CACHES, Hierarchy, Level, Lru
from isa.timing.lds import LDS_RATES
from isa.trust import Figure, Latency


@pytest.mark.parametrize("seed", range(8))
def test_a_set_forgets_the_line_used_least_recently(seed: int) -> None:
    draw = random.Random(seed)
    ways, sets = draw.choice((1, 2, 4)), draw.choice((1, 3, 8))
    cache = Lru(128 * ways * sets, 128, ways)
    used: list[int] = []  # all lines in the order of their last use
    for _ in range(2000):
        line = draw.randrange(4 * ways * sets)
        same_set = [other for other in used if other % sets == line % sets][-ways:]
        assert cache.touch(line) == (line in same_set), f"seed {seed}"
        used = [other for other in used if other != line] + [line]


def test_a_level_asks_the_next_for_what_it_does_not_have() -> None:
    """gfx90a: lines of 64 bytes before lines of 128."""
    caches = Hierarchy(CACHES["gfx90a"].vector, 1)
    assert caches.load(0, (2, 3, 4)) == (3, 2), "lines 2 and 3 are half of a line each"
    assert caches.load(0, (5,)) == (1, 0), "the other half of line 4's"
    assert caches.load(0, (2, 3, 4, 5)) == (0, 0)
    assert caches.store((2,)) == (1, 0), "a store goes on to the next level"
    assert caches.store((100,)) == (1, 1)
    assert caches.load(0, (100,)) == (1, 0), "a store leaves nothing in the first"


def test_a_small_part_of_a_shared_cache_belongs_to_a_unit() -> None:
    """gfx942: 4 MB for 38 compute units are 862 lines each."""
    (_, level, _) = CACHES["gfx942"].vector
    cache = Lru.share(level, 1)
    lines = range(4096)
    assert len(cache.missing(lines)) == len(lines)
    again = len(cache.missing(reversed(range(4096 - 800, 4096))))
    assert again == 0
    assert len(cache.missing(range(1000))) == 1000


@pytest.mark.parametrize("target", TARGETS)
def test_records_are_in_order_and_have_sources(target: str) -> None:
    caches = CACHES[target]
    latencies = [level.latency.clocks for level in caches.vector] + [caches.memory.clocks]
    rates = [level.rate.value for level in caches.vector] + [caches.memory_rate.value]
    assert latencies == sorted(latencies)
    assert rates == sorted(rates, reverse=True)
    for level in (*caches.vector, caches.scalar):
        assert level.size.value % (level.line.value * level.ways.value) == 0
    numbers = [number for record in (caches, *caches.vector, caches.scalar, LDS_RATES[target]) for number in record]
    for number in numbers:
        if isinstance(number, (Figure, Latency)):
            assert number.source
        else:
            assert isinstance(number, (str, tuple, Level))


@pytest.mark.parametrize("target", sorted(CACHES))
def test_buffers_that_fit_the_last_cache_are_there(target: str) -> None:
    caches = CACHES[target]
    size = int(caches.vector[-1].size.value)
    assert caches.with_buffers(size).memory_rate == caches.resident_rate
    assert caches.with_buffers(size + 1) == caches.with_buffers(0) == caches
    assert caches.memory_rate.value <= caches.resident_rate.value <= caches.vector[-1].rate.value
