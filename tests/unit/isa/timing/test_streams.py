"""Lines that caches have, all touches at once: against the caches that take an access after the other."""

from __future__ import annotations

import random

import numpy as np
import pytest

from isa.timing.caches import CACHES, Hierarchy, Level, Lru
from isa.timing.streams import Touches, misses, missing_lines


def _small(level: Level, sets: int) -> Level:
    """A level with few sets that no other unit uses."""
    size = level.line.value * level.ways.value * sets
    return level._replace(size=level.size._replace(value=size), sharers=level.sharers._replace(value=1))


@pytest.mark.parametrize("seed", range(60))
def test_streams_miss_as_caches_do(seed: int) -> None:
    draw = random.Random(seed)
    levels = CACHES[draw.choice(list(CACHES))].vector
    if draw.random() < 0.5:
        levels = tuple(_small(level, draw.choice((1, 2, 5))) for level in levels)
    units, span = draw.choice((1, 2)), draw.choice((8, 100, 3000, 50000))
    caches = Hierarchy(levels, units)
    wanted: list[tuple[int, ...]] = []
    touched: list[tuple[int, int, int, bool]] = []
    for access in range(draw.choice((10, 300))):
        lines = sorted(draw.sample(range(span), draw.randint(1, 8)))
        unit, loads = draw.randrange(units), draw.random() < 0.8
        wanted.append(caches.load(unit, lines) if loads else caches.store(lines))
        touched += [(access, line, unit, loads) for line in lines]
    of, lines, of_units, of_loads = (np.array(column) for column in zip(*touched, strict=True))
    apart = np.arange(len(of))  # each touch is of an epoch of its own
    got = missing_lines(levels, units, Touches(of, lines, of_units, of_loads, apart), len(wanted))
    assert [tuple(row) for row in got.counts.tolist()] == wanted, f"seed {seed}"
    loads = {access: loads for access, _, _, loads in touched}
    deepest = [sum(1 for count in row if count) * loads[access] for access, row in enumerate(wanted)]
    assert got.deepest.tolist() == deepest, f"seed {seed}"


def test_an_access_waits_for_lines_on_their_way() -> None:
    """Two loads of a line before the wait for them take as long; a load after the wait finds the line."""
    levels = CACHES["gfx942"].vector
    nothing, loads = np.zeros(4, np.int64), np.ones(4, np.bool_)
    lines, epochs = np.array([7, 7, 7, 8]), np.array([0, 0, 1, 1])
    got = missing_lines(levels, 1, Touches(np.arange(4), lines, nothing, loads, epochs), 4)
    assert got.counts.tolist() == [[1, 1, 1], [0, 0, 0], [0, 0, 0], [1, 1, 1]]
    assert got.deepest.tolist() == [3, 3, 0, 3]


@pytest.mark.parametrize("ways", [1, 4, 16, 64])
@pytest.mark.parametrize("span", [1, 3, 20, 130, 1000])
def test_loops_over_lines_miss_as_caches_do(ways: int, span: int) -> None:
    """A few more lines than ways always miss, as many always hit."""
    lines = np.arange(4 * span) % span
    cache = Lru(3 * ways, 1, ways)
    assert misses(lines, 3, ways).tolist() == [not cache.touch(line) for line in lines.tolist()]


def test_nothing_misses_nothing() -> None:
    assert misses(np.zeros(0, np.int64), 4, 4).tolist() == []
