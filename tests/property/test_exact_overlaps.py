"""Random loops in exact orders compute the same, and the heuristic's intervals are near the least.

The loops are those of `test_modulo_loops`. An ordinary run tries 7 loops; the slow set tries 1,000, as
`tools.check_orders` does, which prints their figures.
"""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from tests.property.exact_overlaps import NEAR, compare, mean_ratio
from tests.property.test_modulo_loops import TARGETS

LOOPS, MORE_LOOPS = range(5, 12), range(1000, 2000)
SECONDS = 60.0


def hold(seeds: Iterable[int]) -> None:
    all_compared = {seed: compare(seed, TARGETS[seed % len(TARGETS)], SECONDS) for seed in seeds}
    assert not [(seed, compared.faults) for seed, compared in all_compared.items() if compared.faults]
    assert not [seed for seed, compared in all_compared.items() if not compared.found.is_proven]
    ratios = [compared.ratio for compared in all_compared.values() if compared.ratio is not None]
    assert len(ratios) >= len(all_compared) // 2
    assert mean_ratio(ratios) <= NEAR


def test_random_loops_in_exact_orders() -> None:
    hold(LOOPS)


@pytest.mark.slow
@pytest.mark.parametrize("first", MORE_LOOPS[::100])
def test_more_random_loops_in_exact_orders(first: int) -> None:
    hold(range(first, first + 100))
